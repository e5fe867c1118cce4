"""Whether everything written can be read: contrast by WCAG, computed for every theme."""

from __future__ import annotations

import pytest
from textual.color import Color

from app.tui.themes import THEMES, Colours

SURFACES = ("paper", "panel", "card", "raised")
SIGNS = [
    "string",
    "anthropic", "openai", "google", "other", "waiting", "failed", "done", "address", "key",
    "number", "dim",
]  # fmt: skip


def contrast(colour: str, surface: str) -> float:
    """The contrast ratio of two colours, from 1 to 21."""

    def luminance(text: str) -> float:
        parts = [
            part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
            for part in Color.parse(text).normalized
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((luminance(colour), luminance(surface)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@pytest.mark.parametrize("surface", SURFACES)
def test_text_has_a_contrast_of_seven(theme: Colours, surface: str) -> None:
    assert contrast(theme.ink, getattr(theme, surface)) >= 7


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("sign", SIGNS)
def test_signs_and_dim_text_have_a_contrast_of_four_and_a_half(
    theme: Colours, surface: str, sign: str
) -> None:
    assert contrast(getattr(theme, sign), getattr(theme, surface)) >= 4.5


def test_high_contrast_deserves_its_name() -> None:
    theme = THEMES["high-contrast"]
    assert all(contrast(getattr(theme, sign), theme.paper) >= 7 for sign in SIGNS)
