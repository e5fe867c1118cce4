"""Text that tries to drive the terminal, to deceive the reader or to become markup."""

from __future__ import annotations

import re

ESCAPES = "\x1b]0;owned\x07\x1b]52;c;aGk=\x1b\\\x1b[31mred\x9b31m\x9d0;t\x9c"
BIDI = "pay \u202e001\u202c \u2066x\u2069 \u200e\u061c"
MARKUP = "[@click=app.quit]press[/] [bold red]x[/] [link=https://e.example]y[/link]"
LINKS = "[click](javascript:alert(1)) <https://e.example> ![i](https://e.example/i.png)"
HTML = "<script>alert(1)</script>&#27;[2J&#x202e;"
HOSTILE = "\n\n".join((ESCAPES, BIDI, MARKUP, LINKS, HTML))

ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What must never reach a terminal from a text."""


def acting(text: str) -> list[str]:
    """The characters of `text` that would act on a terminal; none is right."""
    return [f"U+{ord(sign):04X}" for sign in ACTING.findall(text.replace("\n", ""))]
