"""How a content block of Anthropic's is put together, as it will have to go back."""

from __future__ import annotations

from providers.assembly import OpenCall
from providers.json_text import parse, whole_text
from providers.shapes import object_in, objects_in, text_in
from tools.call import JsonObject


class Block:
    """One block as far as it came; `call` is set when it is a call of ours."""

    __slots__ = ("_fields", "_input", "_texts", "call", "stopped")

    def __init__(self, fields: JsonObject, call: OpenCall | None) -> None:
        self.call = call
        self.stopped = False
        self._fields = fields
        self._texts: dict[str, list[str]] = {}
        self._input: list[str] = []

    @property
    def type(self) -> str:
        return text_in(self._fields, "type")

    def add(self, field: str, text: str) -> None:
        """A piece of one of the block's texts."""
        if field not in self._texts:
            self._texts[field] = [text_in(self._fields, field)]
        self._texts[field].append(text)

    def add_input(self, text: str) -> None:
        """A piece of the input of a server's tool, which is not ours to run."""
        self._input.append(text)

    def cite(self, delta: JsonObject) -> None:
        """A source of the block's text."""
        citations = [*objects_in(self._fields, "citations"), object_in(delta, "citation")]
        self._fields = self._fields | {"citations": citations}

    def native(self) -> JsonObject:
        """The block as it goes back to the provider."""
        block = dict(self._fields)
        block |= {field: whole_text(pieces) for field, pieces in self._texts.items()}
        raw = whole_text(self._input) if self.call is None else self.call.raw
        if raw.strip():
            block["input"] = _input(raw)
        if self.call is not None:
            block["id"] = self.call.call_id
            if not isinstance(block.get("input"), dict):
                block["input"] = {}
        return block


def says_something(block: JsonObject) -> bool:
    """Whether the block may be sent: a text of nothing but white space is refused."""
    return block.get("type") != "text" or bool(text_in(block, "text").strip())


def _input(raw: str) -> JsonObject:
    """A block's input, which must be an object when it goes back."""
    try:
        value = parse(raw)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"INVALID_JSON": raw}
