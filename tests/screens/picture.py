"""The README's picture: the app itself, with two calls of one turn, the second still arriving.

`python -m tests.screens.picture` writes it anew; a test keeps it true.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path

from tests.screens import moments

PICTURE = Path(__file__).parents[2] / ".github" / "vitral.svg"
SIZE = (120, 34)


async def draw(home: Path) -> str:
    """The picture as SVG, the same for each run."""
    app = moments.vitral(home)
    async with app.run_test(size=SIZE) as pilot:
        await moments.play(moments.Moment("wire", moments.wire), pilot)
        drawn = app.export_screenshot(title="Vitral", simplify=True)
    without_downloads = re.sub(r"\s*@font-face \{.*?\}", "", drawn, flags=re.DOTALL)
    return re.sub(r"\bterminal-\d+-", "vitral-", without_downloads)


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        drawn = asyncio.run(draw(Path(home)))
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(drawn, encoding="utf-8", newline="\n")
    print(f"{PICTURE}: {len(drawn):,} characters")


if __name__ == "__main__":
    main()
