"""One served simulator for the folder: starting it costs more than any of its answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sdk.lab import Lab, running_lab


@pytest.fixture(scope="session")
def lab() -> Iterator[Lab]:
    with running_lab() as lab:
        yield lab
