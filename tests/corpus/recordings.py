"""Where the recorded streams stand, and how the tests read them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"
DIALECTS = ("openai-responses", "openai-chat", "anthropic", "gemini")

needs_corpus = pytest.mark.skipif(
    not CORPUS.is_dir(), reason=f"the recorded streams are not beside the repository: {CORPUS}"
)


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded body and what a right reader makes of it."""

    dialect: str
    path: Path

    @property
    def name(self) -> str:
        return f"{self.dialect}/{self.path.stem}"

    @property
    def body(self) -> bytes:
        return self.path.read_bytes()

    @property
    def expected(self) -> dict[str, Any]:
        text = self.path.with_suffix(".expected.json").read_text("utf-8")
        expected: dict[str, Any] = json.loads(text)
        return expected


def recordings() -> list[Recording]:
    """All recorded streams, in a stable order; none where there is no corpus."""
    return [
        Recording(dialect, path)
        for dialect in DIALECTS
        for path in sorted((CORPUS / dialect).glob("*.sse"))
    ]


each_recording = pytest.mark.parametrize("recording", recordings(), ids=lambda each: each.name)

few_examples = settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
"""There are hundreds of recordings: a few examples of each are thousands."""
