"""The technical record of what went wrong, apart from the chat: one JSON object a line.

The person sees a reference such as `K7Q2`; the record under it holds the rest. Keys are taken
out of every text, and what was asked and answered is left out unless the person wants it logged.
Recording never raises: a full disk must not end a chat. `problem` then says why nothing is kept.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from app.redaction import redact
from providers.failures import Failure
from providers.history import Origin
from tools.call import ToolCall

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters and digits that nobody confuses when reading them out: no I, L, O, 0, 1."""

LARGEST = 1_000_000
"""Bytes after which a new file is begun."""

KEPT = 2
"""Older files that are kept beside it, as `diagnostics.jsonl.1` and so on."""

_LONGEST_TEXT = 4_096
_LONGEST_TRACE = 16_384

_Value: TypeAlias = str | int | float | bool | None


def new_reference(choose: Callable[[Sequence[str]], str] = secrets.choice) -> str:
    """Four characters that name a record."""
    return "".join(choose(ALPHABET) for _ in range(4))


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class Diagnostics:
    """Writes the records to `path`, which is made when there is a first one."""

    path: Path
    log_content: bool = False
    largest: int = LARGEST
    kept: int = KEPT
    now: Callable[[], datetime] = _now
    problem: OSError | None = None
    """Why the last record could not be written; None when it was."""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def record(
        self,
        failure: Failure | BaseException,
        *,
        origin: Origin | None = None,
        attempt: int | None = None,
        wait: float | None = None,
        reference: str = "",
    ) -> str:
        """Write one failure down and give its reference: the one given, so that the attempts of
        one question stand together, or a new one. `wait` is the pause before the next attempt."""
        about = _about(origin) | {"attempt": attempt, "wait": wait}
        match failure:
            case Failure():
                about |= self._failure(failure)
            case BaseException():
                about |= _exception(failure, with_text=True)
        return self._write(reference or new_reference(), about)

    def tool_failed(self, call: ToolCall, error: BaseException) -> None:
        """Write down that a tool raised. What it raised may quote its arguments, so the text of
        the exception counts as content."""
        about: dict[str, _Value] = {
            "kind": "tool_exception",
            "provider": call.provider,
            "tool": call.name,
            "call_id": call.call_id,
        }
        self._write(new_reference(), about | _exception(error, with_text=self.log_content))

    def _failure(self, failure: Failure) -> dict[str, _Value]:
        known: dict[str, _Value] = {
            "kind": failure.kind.value,
            "when": failure.when.value,
            "transient": failure.transient,
            "status": failure.status,
            "request_id": failure.request_id,
            "code": failure.code,
            "message": failure.message,
            "asked_wait": failure.wait,
        }
        return known | {"body": failure.body} if self.log_content else known

    def _write(self, reference: str, about: dict[str, _Value]) -> str:
        record: dict[str, _Value] = {
            "time": self.now().isoformat(timespec="milliseconds"),
            "reference": reference,
        }
        record |= {name: _clean(name, value) for name, value in about.items()}
        # ASCII, so that a half surrogate pair in a provider's text cannot stop the writing.
        line = json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            try:
                self._append(line)
                self.problem = None
            except OSError as error:
                self.problem = error
        return reference

    def _append(self, line: bytes) -> None:
        """One write of a whole line: two programs on one file do not mix their records."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.path.exists() and self.path.stat().st_size + len(line) > self.largest:
            self._rotate()
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        descriptor = os.open(self.path, flags, 0o600)
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)

    def _rotate(self) -> None:
        names = [self.path, *(Path(f"{self.path}.{n}") for n in range(1, self.kept + 1))]
        for older, newer in zip(reversed(names), reversed(names[:-1]), strict=False):
            if newer.exists():
                newer.replace(older)


def _about(origin: Origin | None) -> dict[str, _Value]:
    if origin is None:
        return {}
    return {"provider": origin.provider, "dialect": origin.dialect, "model": origin.model}


def _exception(error: BaseException, *, with_text: bool) -> dict[str, _Value]:
    """The exception and what led to it, the newest last, as a traceback shows them."""
    chain = list(_chain(error))
    trace = "\n".join(
        "".join(traceback.format_tb(one.__traceback__)) + _headline(one, with_text=with_text)
        for one in reversed(chain)
    )
    return {
        "kind": "exception",
        "exception": _headline(error, with_text=with_text),
        # Cleaned before it is cut: half a key is no longer known as one.
        "traceback": redact(trace)[-_LONGEST_TRACE:],
    }


def _headline(error: BaseException, *, with_text: bool) -> str:
    name = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
    return f"{name}: {_bounded(str(error), _LONGEST_TEXT)}" if with_text else name


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        yield following
        if isinstance(following, BaseExceptionGroup):
            for inner in following.exceptions:
                yield from _chain(inner)
        hidden = following.__suppress_context__
        following = following.__cause__ or (None if hidden else following.__context__)


def _clean(name: str, value: _Value) -> _Value:
    if not isinstance(value, str):
        return value
    limit = _LONGEST_TRACE if name == "traceback" else _LONGEST_TEXT
    return _bounded(value, limit)


def _bounded(text: str, limit: int) -> str:
    """The cleaned start of a text. It is read a little further than it is kept, so that a key at
    the edge is still whole when it is looked for."""
    return redact(text[: limit * 2])[:limit]
