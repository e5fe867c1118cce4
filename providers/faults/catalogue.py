"""All faults, in the order in which they are offered: one name for each, wherever it is used."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from providers.dialects import DIALECT_IDS
from providers.failures import FailureKind as Kind
from providers.faults import calls, cuts, disorder, network, statuses
from providers.faults.bodies import as_they_are, changing, rewriting
from providers.faults.fault import Exchange, Fails, Fault, Outcome, Sight, Strike, fails
from providers.faults.refusals import Refusal, refusing
from providers.faults.slips import NewSlip, Truncating, Unquoting, slipping

_RESPONSES, _CHAT, _ANTHROPIC, _GEMINI = (
    "openai-responses",
    "openai-chat",
    "anthropic",
    "gemini",
)
_ALIKE: Mapping[str, Outcome] = MappingProxyType({})
_BY_DELTAS = {_RESPONSES: Sight.WHOLE, _GEMINI: Sight.UNSEEN}
"""Of a fragment too many or too few: Responses repeats the whole, Gemini sends whole calls."""


def _fault(
    name: str,
    right: str,
    strike: Strike,
    outcome: Outcome,
    *,
    in_words: Outcome | None = None,
    otherwise: Mapping[str, Outcome] = _ALIKE,
    dialects: tuple[str, ...] = DIALECT_IDS,
    slip: bool = False,
) -> Fault:
    about = f"fault.{name.replace('-', '_')}"
    right = f"fault.right.{right}"
    return Fault(name, about, right, strike, outcome, in_words, otherwise, dialects, slip)


def _refused(name: str, refusal: Refusal, right: str, outcome: Fails) -> Fault:
    return _fault(name, right, refusing(refusal), outcome)


def _truncating(exchange: Exchange) -> NewSlip:
    left = exchange.chance.randint(1, 5)
    return lambda: Truncating(left)


_RETRY = "retry"
_WAIT = "wait"
_GIVE_UP = "give_up"
_CUT = "cut"
_READ_ON = "read_on"
_REFUSE = "refuse"
_TELL_MODEL = "tell_model"
_OWN_IDS = "own_ids"
_PATIENCE = "patience"

_STATUSES = (
    _refused("status-400", statuses.BAD_REQUEST, _GIVE_UP, fails(Kind.BAD_REQUEST)),
    _refused("status-401", statuses.UNAUTHORIZED, _GIVE_UP, fails(Kind.AUTH)),
    _refused("status-403", statuses.FORBIDDEN, _GIVE_UP, fails(Kind.PERMISSION)),
    _refused("status-404", statuses.NOT_FOUND, _GIVE_UP, fails(Kind.NOT_FOUND)),
    _refused("status-408", statuses.REQUEST_TIMEOUT, _RETRY, fails(Kind.TIMEOUT)),
    _refused("status-413", statuses.TOO_LARGE, _GIVE_UP, fails(Kind.TOO_LONG)),
    _refused("status-422", statuses.UNPROCESSABLE, _GIVE_UP, fails(Kind.BAD_REQUEST)),
    _refused("status-429", statuses.TOO_MANY_SECONDS, _WAIT, fails(Kind.RATE_LIMIT, 2)),
    _refused("status-429-date", statuses.TOO_MANY_DATE, _WAIT, fails(Kind.RATE_LIMIT, 5)),
    _refused("status-429-ms", statuses.TOO_MANY_MILLISECONDS, _WAIT, fails(Kind.RATE_LIMIT, 1.5)),
    _fault(
        "status-429-retry-info",
        _WAIT,
        refusing(statuses.TOO_MANY_RETRY_INFO),
        fails(Kind.RATE_LIMIT, 3.5),
        dialects=(_GEMINI,),
    ),
    _refused("status-429-no-wait", statuses.TOO_MANY, _RETRY, fails(Kind.RATE_LIMIT)),
    _refused(
        "status-429-an-hour",
        statuses.TOO_MANY_FOR_LONG,
        "too_long_a_wait",
        fails(Kind.RATE_LIMIT, 3600),
    ),
    _refused("status-429-quota", statuses.NO_QUOTA, _GIVE_UP, fails(Kind.QUOTA)),
    _refused("status-500", statuses.SERVER_ERROR, _RETRY, fails(Kind.SERVER)),
    _fault(
        "status-502-html",
        _RETRY,
        network.page(502, network.GATEWAY_PAGE),
        fails(Kind.SERVER),
    ),
    _refused("status-503", statuses.UNAVAILABLE, _RETRY, fails(Kind.OVERLOADED)),
    _refused("status-504", statuses.GATEWAY_TIMEOUT, _RETRY, fails(Kind.TIMEOUT)),
    _refused("status-529", statuses.BUSY, _RETRY, fails(Kind.OVERLOADED)),
    _refused("overloaded", statuses.OVERLOADED, _RETRY, fails(Kind.OVERLOADED)),
    _fault(
        "gateway-error",
        _RETRY,
        network.texts_for_errors(503),
        fails(Kind.OVERLOADED),
    ),
)

_NETWORK = (
    _fault(
        "unreachable",
        _RETRY,
        network.breaking(network.nobody_there),
        fails(Kind.NETWORK),
    ),
    _fault(
        "dns",
        _GIVE_UP,
        network.breaking(network.no_such_name),
        fails(Kind.NETWORK, passes=False),
    ),
    _fault(
        "tls",
        _GIVE_UP,
        network.breaking(network.bad_certificate),
        fails(Kind.NETWORK, passes=False),
    ),
    _fault("reset", _RETRY, network.breaking(cuts.reset), fails(Kind.NETWORK)),
    _fault(
        "reset-mid-stream",
        _CUT,
        changing(cuts.reset_midway),
        fails(Kind.NETWORK),
    ),
    _fault(
        "reset-after-end",
        _READ_ON,
        rewriting(cuts.reset_after_end),
        Sight.WHOLE,
    ),
)

_PACE = (
    _fault("slow", _PATIENCE, rewriting(cuts.late), Sight.WHOLE),
    _fault("stall", _PATIENCE, changing(cuts.stall), Sight.WHOLE),
    _fault("hang", "time_limit", changing(cuts.hang), fails(Kind.TIMEOUT)),
    _fault("drip", _READ_ON, rewriting(cuts.drip), Sight.WHOLE),
)

_CUTS = (
    _fault(
        "cut-in-arguments",
        _CUT,
        changing(cuts.cut_in_arguments),
        fails(Kind.CUT),
    ),
    _fault(
        "cut-before-end",
        _CUT,
        changing(cuts.cut_before_end),
        fails(Kind.CUT),
    ),
    _fault(
        "cut-in-character",
        _CUT,
        changing(cuts.cut_in_character),
        fails(Kind.CUT),
    ),
    _fault("cut-at-byte", _CUT, rewriting(cuts.cut_at_byte), fails(Kind.CUT)),
    _fault(
        "cut-compressed",
        _CUT,
        changing(cuts.cut_compressed, content_encoding="gzip"),
        fails(Kind.CUT),
    ),
    _fault("empty-body", _CUT, network.nothing(), fails(Kind.CUT)),
    _fault(
        "overloaded-mid-stream",
        _CUT,
        changing(cuts.breaking_off(statuses.OVERLOADED), whole=refusing(statuses.OVERLOADED)),
        fails(Kind.OVERLOADED),
    ),
    _fault(
        "error-then-silence",
        "believe_error",
        changing(
            cuts.breaking_off(statuses.SERVER_ERROR, hanging=True),
            whole=refusing(statuses.SERVER_ERROR),
        ),
        fails(Kind.SERVER),
    ),
)

_FORM = (
    _fault(
        "html-page",
        _REFUSE,
        network.page(200, network.HTML_PAGE),
        fails(Kind.PROTOCOL),
    ),
    _fault(
        "error-under-200",
        _RETRY,
        network.error_under_200(statuses.OVERLOADED),
        fails(Kind.OVERLOADED),
    ),
    _fault("json-answer", _READ_ON, network.in_one_piece, Sight.WHOLE),
    _fault(
        "wrong-content-type",
        _READ_ON,
        rewriting(as_they_are, content_type="text/plain"),
        Sight.WHOLE,
    ),
    _fault(
        "wrong-encoding",
        _REFUSE,
        rewriting(as_they_are, content_encoding="gzip"),
        fails(Kind.PROTOCOL),
    ),
    _fault(
        "garbage-line",
        _READ_ON,
        changing(disorder.inserting(disorder.NO_FIELD), streams_only=True),
        Sight.WHOLE,
    ),
    _fault(
        "garbage-event",
        _REFUSE,
        changing(disorder.rubbish, streams_only=True),
        fails(Kind.PROTOCOL),
    ),
    _fault(
        "invalid-utf8",
        "replace_characters",
        changing(disorder.no_utf8, streams_only=True),
        Sight.WHOLE,
        in_words=Sight.UNSEEN,
    ),
    _fault(
        "large-event",
        _READ_ON,
        changing(disorder.large, streams_only=True),
        Sight.WHOLE,
    ),
    _fault(
        "huge-event",
        _REFUSE,
        changing(disorder.too_large, streams_only=True),
        fails(Kind.PROTOCOL),
    ),
    _fault(
        "unknown-events",
        _READ_ON,
        changing(disorder.inserting(disorder.UNKNOWN), streams_only=True),
        Sight.WHOLE,
    ),
)

_ORDER = (
    _fault(
        "duplicated-event",
        _TELL_MODEL,
        changing(disorder.duplicated, streams_only=True),
        Sight.BROKEN,
        in_words=Sight.UNSEEN,
        otherwise=_BY_DELTAS,
    ),
    _fault(
        "dropped-event",
        _TELL_MODEL,
        changing(disorder.dropped, streams_only=True),
        Sight.BROKEN,
        in_words=Sight.UNSEEN,
        otherwise=_BY_DELTAS,
    ),
    _fault(
        "swapped-events",
        _TELL_MODEL,
        changing(disorder.swapped, streams_only=True),
        Sight.BROKEN,
        in_words=Sight.UNSEEN,
        otherwise=_BY_DELTAS,
    ),
    _fault(
        "double-message-start",
        "start_over",
        changing(disorder.started_again, streams_only=True),
        Sight.WHOLE,
        dialects=(_ANTHROPIC,),
    ),
)

_CALLS = (
    _fault(
        "bad-json-arguments",
        _TELL_MODEL,
        changing(slipping(lambda _: Unquoting)),
        Sight.BROKEN,
        in_words=Sight.WHOLE,
        slip=True,
    ),
    _fault(
        "truncated-arguments",
        _TELL_MODEL,
        changing(slipping(_truncating)),
        Sight.BROKEN,
        in_words=Sight.WHOLE,
        slip=True,
    ),
    _fault(
        "object-arguments",
        _READ_ON,
        changing(calls.arguments_as_object),
        Sight.WHOLE,
        dialects=(_RESPONSES, _CHAT, _ANTHROPIC),
    ),
    _fault("no-ids", _OWN_IDS, changing(calls.each_call(calls.without_id)), Sight.WHOLE),
    _fault(
        "repeated-ids",
        _OWN_IDS,
        changing(calls.each_call(calls.first_id)),
        Sight.WHOLE,
    ),
    _fault(
        "index-0",
        "by_id",
        changing(calls.each_call(calls.first_index)),
        Sight.WHOLE,
        dialects=(_CHAT,),
    ),
)

FAMILIES: Mapping[str, tuple[Fault, ...]] = MappingProxyType(
    {
        "statuses": _STATUSES,
        "network": _NETWORK,
        "pace": _PACE,
        "cuts": _CUTS,
        "form": _FORM,
        "order": _ORDER,
        "calls": _CALLS,
    }
)
"""What a fault touches → the faults that do."""

FAULTS: Mapping[str, Fault] = MappingProxyType(
    {fault.name: fault for family in FAMILIES.values() for fault in family}
)
"""Name → fault."""
