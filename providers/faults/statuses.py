"""The refusals that the lab can give, row by row."""

from __future__ import annotations

from dataclasses import replace

from providers.faults.refusals import (
    Refusal,
    Words,
    plainly,
    quota_of_a_day,
    retry_at,
    retry_info,
)

BAD_REQUEST = Refusal(
    400,
    Words("invalid_request_error", "Your request could not be understood."),
    Words("invalid_request_error", "The request could not be understood."),
    Words("INVALID_ARGUMENT", "Request contains an invalid argument."),
)
UNAUTHORIZED = Refusal(
    401,
    Words(
        "invalid_request_error",
        "Incorrect API key provided. You can find your API key at "
        "https://platform.openai.com/account/api-keys.",
        "invalid_api_key",
    ),
    Words("authentication_error", "invalid x-api-key"),
    Words(
        "UNAUTHENTICATED",
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login "
        "cookie or other valid authentication credential.",
    ),
)
FORBIDDEN = Refusal(
    403,
    Words(
        "request_forbidden",
        "Country, region, or territory not supported",
        "unsupported_country_region_territory",
    ),
    Words("permission_error", "Your API key does not have permission to use this resource."),
    Words("PERMISSION_DENIED", "The caller does not have permission"),
)
NOT_FOUND = Refusal(
    404,
    Words(
        "invalid_request_error",
        "The model does not exist or you do not have access to it.",
        "model_not_found",
    ),
    Words("not_found_error", "model: not found"),
    Words("NOT_FOUND", "The model is not found for API version v1beta."),
)
REQUEST_TIMEOUT = Refusal(
    408,
    Words("server_error", "Request timed out.", "request_timeout"),
    Words("timeout_error", "Request timed out."),
    Words("DEADLINE_EXCEEDED", "Deadline expired before operation could complete."),
)
TOO_LARGE = Refusal(
    413,
    Words(
        "invalid_request_error",
        "Your input exceeds the context window of this model.",
        "context_length_exceeded",
    ),
    Words("request_too_large", "Request exceeds the maximum size"),
    Words("INVALID_ARGUMENT", "The input token count exceeds the maximum number of tokens allowed"),
)
UNPROCESSABLE = Refusal(
    422,
    Words("invalid_request_error", "Unprocessable entity"),
    Words("invalid_request_error", "Unprocessable entity"),
    Words("INVALID_ARGUMENT", "Unprocessable entity"),
)
TOO_MANY = Refusal(
    429,
    Words(
        "requests",
        "Rate limit reached for requests per min (RPM): Limit 3, Used 3, Requested 1.",
        "rate_limit_exceeded",
    ),
    Words(
        "rate_limit_error",
        "This request would exceed your organization's rate limit of 3 requests per minute.",
    ),
    Words("RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
)
TOO_MANY_SECONDS = replace(
    TOO_MANY,
    headers=plainly(retry_after="2"),
    gemini=replace(TOO_MANY.gemini, details=(retry_info(2),)),
)
TOO_MANY_DATE = replace(TOO_MANY, headers=retry_at(5))
TOO_MANY_MILLISECONDS = replace(TOO_MANY, headers=plainly(retry_after_ms="1500", retry_after="2"))
TOO_MANY_RETRY_INFO = replace(TOO_MANY, gemini=replace(TOO_MANY.gemini, details=(retry_info(3.5),)))
TOO_MANY_FOR_LONG = replace(
    TOO_MANY_SECONDS,
    headers=plainly(retry_after="3600"),
    gemini=replace(TOO_MANY.gemini, details=(retry_info(3600),)),
)
NO_QUOTA = Refusal(
    429,
    Words(
        "insufficient_quota",
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
    ),
    Words(
        "billing_error",
        "Your credit balance is too low to access the Anthropic API.",
        status=402,
    ),
    Words(
        "RESOURCE_EXHAUSTED",
        "You exceeded your current quota, please check your plan and billing details.",
        details=(quota_of_a_day(),),
    ),
)
SERVER_ERROR = Refusal(
    500,
    Words(
        "server_error",
        "The server had an error while processing your request. Sorry about that!",
    ),
    Words("api_error", "Internal server error"),
    Words("INTERNAL", "An internal error has occurred."),
)
OVERLOADED = Refusal(
    503,
    Words(
        "service_unavailable_error",
        "Our servers are currently overloaded. Please try again later.",
        "server_is_overloaded",
    ),
    Words("overloaded_error", "Overloaded", status=529),
    Words("UNAVAILABLE", "The model is overloaded. Please try again later."),
)
UNAVAILABLE = Refusal(
    503,
    OVERLOADED.openai,
    Words("api_error", "Service unavailable"),
    Words("UNAVAILABLE", "The service is currently unavailable."),
)
GATEWAY_TIMEOUT = Refusal(
    504,
    Words("server_error", "The request took too long. Please try again."),
    Words("timeout_error", "The request took too long."),
    Words("DEADLINE_EXCEEDED", "Deadline expired before operation could complete."),
)
BUSY = Refusal(
    529,
    OVERLOADED.openai,
    Words("overloaded_error", "Overloaded"),
    Words("UNAVAILABLE", "The model is overloaded. Please try again later."),
)
