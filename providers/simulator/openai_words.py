"""What do OpenAI's servers say in both of their dialects: refusals, lists of models?"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NoReturn

from providers.simulator.models import Model
from providers.simulator.refusal import Refusal, RefusedError
from tools.call import JsonObject

ID_LIMIT = 64
"""The longest id of a call that OpenAI takes."""

_KEYS = "You can find your API key at https://platform.openai.com/account/api-keys."

TROUBLES: Mapping[str, Refusal] = MappingProxyType(
    {
        "no-key": Refusal(
            401,
            "You didn't provide an API key. You need to provide your API key in an Authorization "
            "header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
            "invalid_request_error",
        ),
        "wrong-key": Refusal(
            401,
            f"Incorrect API key provided. {_KEYS}",
            "invalid_request_error",
            code="invalid_api_key",
        ),
        "no-json": Refusal(
            400,
            "We could not parse the JSON body of your request. The OpenAI API expects a JSON "
            "payload, but what was sent was not valid JSON.",
            "invalid_request_error",
        ),
    }
)


def refusal_body(refusal: Refusal) -> JsonObject:
    """The error object of OpenAI's servers."""
    return {
        "error": {
            "message": refusal.message,
            "type": refusal.type,
            "param": refusal.param,
            "code": refusal.code,
            **refusal.details,
        }
    }


def model_list(models: Mapping[str, Model]) -> JsonObject:
    """GET /v1/models."""
    return {
        "object": "list",
        "data": [
            {"id": name, "object": "model", "created": 1767225600, "owned_by": "vitral"}
            for name in models
        ],
    }


def refuse(message: str, param: str | None = None, code: str | None = None) -> NoReturn:
    """Raises what OpenAI's servers answer to an invalid request."""
    raise RefusedError(Refusal(400, message, "invalid_request_error", code=code, param=param))


def refuse_missing(param: str) -> NoReturn:
    """Raises the refusal of a request without a parameter that it needs."""
    refuse(f"Missing required parameter: '{param}'.", param, "missing_required_parameter")


def refuse_type(param: str, wanted: str, got: object) -> NoReturn:
    """Raises the refusal of a value of another type than the one wanted."""
    message = f"Invalid type for '{param}': expected {wanted}, but got {_kind(got)} instead."
    refuse(message, param, "invalid_type")


def check_id(value: object, param: str) -> str:
    """The id of a call, if it is one that OpenAI takes."""
    if not isinstance(value, str):
        if value is None:
            refuse_missing(param)
        refuse_type(param, "a string", value)
    if not value:
        refuse(
            f"Invalid '{param}': empty string. Expected a string with minimum length 1, but got "
            "an empty string instead.",
            param,
            "empty_string",
        )
    if len(value) > ID_LIMIT:
        refuse(
            f"Invalid '{param}': string too long. Expected a string with maximum length "
            f"{ID_LIMIT}, but got a string with length {len(value)} instead.",
            param,
            "string_above_max_length",
        )
    return value


def check_name(value: object, param: str) -> str:
    """The name of a function, if it is one that OpenAI takes."""
    if not isinstance(value, str):
        refuse_missing(param)
    plain = value.replace("_", "a").replace("-", "a")
    if not (plain.isascii() and plain.isalnum()) or len(value) > ID_LIMIT:
        refuse(
            f"Invalid '{param}': string does not match pattern. Expected a string that matches "
            "the pattern '^[a-zA-Z0-9_-]+$'.",
            param,
            "invalid_value",
        )
    return value


def check_limit(value: object, param: str, least: int) -> None:
    """The most tokens of an answer, if they are given, as a number that OpenAI takes."""
    if value is None:
        return
    if type(value) is not int:
        refuse_type(param, "an integer", value)
    if value < least:
        refuse(
            f"Invalid '{param}': integer below minimum value. Expected a value >= {least}, but "
            f"got {value} instead.",
            param,
            "integer_below_min_value",
        )


def refuse_empty_array(param: str) -> NoReturn:
    """Raises the refusal of a list that must hold something."""
    refuse(
        f"Invalid '{param}': empty array. Expected an array with minimum length 1, but got an "
        "empty array instead.",
        param,
        "empty_array",
    )


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case int() | float():
            return "a number"
        case list():
            return "an array"
    return "an object"
