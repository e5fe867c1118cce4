"""What recorded HTTP failures are in our taxonomy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from providers.failures import FailureKind, failure_of_response
from tests.corpus.recordings import CORPUS, needs_corpus

pytestmark = [pytest.mark.corpus, needs_corpus]

NOT_FOUND_CODES = {"model_not_found", "DeploymentNotFound"}
PATHS = sorted((CORPUS / "errors").glob("*.json"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_recorded_error_is_a_fault_of_ours_or_a_missing_model(path: Path) -> None:
    recorded = json.loads(path.read_text("utf-8"))
    failure = failure_of_response(
        recorded["dialect"], recorded["status"], recorded["headers"], recorded["body"].encode()
    )
    wanted = FailureKind.NOT_FOUND if failure.code in NOT_FOUND_CODES else FailureKind.BAD_REQUEST
    sent = json.loads(recorded["body"])["error"]["message"]
    assert (failure.kind, failure.transient, failure.message) == (wanted, False, sent)
