"""The panel of calls, drawn: cards grow, are cut, are answered, and are chosen by key and mouse."""

from __future__ import annotations

import time
from collections.abc import Iterable

import pytest

from app.call_views import CallBoard, CallState
from app.events import AttemptStarted, CallOverdue, CallRunning, Event, Withdrawn
from app.messages import LANGUAGES, Messages
from app.tui.ink import Ink
from app.tui.themes import THEMES
from app.tui.widgets.call_card import mark, value_pieces
from app.tui.widgets.call_list import FRAME, CallList
from app.tui.widgets.call_panel import CallPanel
from app.tui.widgets.wire_view import _marked
from providers.dialects import dialect
from providers.failures import Failure, FailureKind
from tests.call_writers import Wire, answered, started, whole_call
from tests.screens.small_app import HOSTILE, SmallApp, acting_characters, clickable, shown
from tests.simulating import DIALECTS
from tools.call import ErrorKind, FieldProblem, ToolError, ToolResult

PANEL = (52, 40)
CUT = Withdrawn(Failure(FailureKind.CUT, transient=True))


def board_of(*groups: Iterable[Event]) -> CallBoard:
    board = CallBoard()
    for group in groups:
        for event in group:
            board.apply(event)
    return board


def half_a_call(wire: Wire, name: str = "lookup_demo_value") -> list[Event]:
    fragments = [wire.fragment(1, text) for text in ('{"key"', ": ", '"wei')]
    return [wire.start(1, name, "toolu_01Bk9x2"), *fragments]


def two_calls() -> CallBoard:
    wire = Wire()
    first = list(whole_call(wire, 0, "lookup_demo_value", {"key": "height"}))
    return board_of(started(), first, half_a_call(wire))


async def screen_of(
    board: CallBoard, *keys: str, language: str = "en", size: tuple[int, int] = PANEL
) -> str:
    panel = CallPanel(Messages(language))
    app = SmallApp(panel, language=language)
    async with app.run_test(size=size) as pilot:
        panel.show(board, 2)
        panel.focus_cards()
        await pilot.press(*keys)
        await pilot.pause()
        return shown(app)


async def test_a_half_assembled_call_shows_its_open_end() -> None:
    text = await screen_of(two_calls())
    assert '{"key": "wei▍' in text


async def test_a_card_says_its_state_in_words_and_figures() -> None:
    text = await screen_of(two_calls())
    assert "… assembling  3 fragments · 12 B" in text


async def test_a_card_has_the_envelopes_own_word_and_the_return_address() -> None:
    text = await screen_of(two_calls())
    assert "tool_use  lookup_demo_value" in text
    assert "↩ toolu_01Bk9x2 → tool_result.tool_use_id" in text


@pytest.mark.parametrize("name", DIALECTS)
def test_a_return_address_holds_field_names_and_no_word_of_a_language(name: str) -> None:
    address = dialect(name).return_address
    assert all(part.isidentifier() for part in address.split("."))


async def test_the_title_counts_the_calls() -> None:
    assert "CALLS  turn 2 · 1 of 2 complete" in await screen_of(two_calls())


async def test_a_cut_call_keeps_its_torn_edge_and_says_that_it_did_not_run() -> None:
    text = await screen_of(board_of(started(), half_a_call(Wire()), [CUT]))
    assert '{"key": "wei//' in text
    assert "✗ cut off · did not run" in text
    assert "no result is due" in text


async def test_the_call_of_the_next_attempt_stands_below_the_torn_one() -> None:
    board = board_of(
        started(), half_a_call(Wire()), [CUT, AttemptStarted(2, 3)], half_a_call(Wire())
    )
    text = await screen_of(board)
    assert text.index('"wei//') < text.index('"wei▍')


async def test_each_attempt_has_its_heading() -> None:
    again: list[Event] = [CUT, AttemptStarted(2, 3)]
    board = board_of(started(), half_a_call(Wire()), again, half_a_call(Wire()))
    text = await screen_of(board)
    assert text.index("attempt 1") < text.index('"wei//') < text.index("attempt 2")


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ({"expression": "1/3", "value": "0.333", "exact": False}, "≈ 0.333"),
        ({"expression": "2*2", "value": "4", "exact": True}, "4"),
        ("two\nlines", "two\nlines"),
        ({"rows": [1, 2]}, '{"rows": [1, 2]}'),
        ([1, None], "[1, null]"),
        ({"value": {"deep": 1}}, '{"value": {"deep": 1}}'),
    ],
)
def test_an_output_is_shown_as_a_person_reads_it(output: object, words: str) -> None:
    pieces = value_pieces(ToolResult("c", "look", output))
    assert "".join(piece.text for piece in pieces) == words


async def test_a_result_is_read_as_a_value_with_its_unit() -> None:
    wire = Wire()
    result = ToolResult(
        "toolu_00", "look", {"key": "height", "value": 170, "unit": "cm"}, seconds=0.002
    )
    calls = list(whole_call(wire, 0, "look", {}))
    text = await screen_of(board_of(started(), calls, wire.end(), answered(0, result)))
    assert "= 170 cm  2 ms" in text


async def test_an_error_says_which_argument_was_wrong() -> None:
    wire = Wire()
    problems = (FieldProblem("key", "height or weight", '"age"'),)
    error = ToolError(ErrorKind.INVALID_ARGUMENTS, "invalid", problems)
    result = ToolResult("toolu_00", "look", error=error)
    calls = list(whole_call(wire, 0, "look", {}))
    text = await screen_of(board_of(started(), calls, wire.end(), answered(0, result)))
    assert 'key: expected height or weight, got "age"' in text


async def test_a_write_that_takes_longer_than_its_limit_says_so() -> None:
    wire = Wire()
    board = board_of(
        [*started(), *whole_call(wire, 0, "look", {}), *wire.end(), CallRunning(0), CallOverdue(0)]
    )
    assert "taking long; it changes something" in await screen_of(board)


async def test_a_running_call_says_so() -> None:
    wire = Wire()
    calls = list(whole_call(wire, 0, "look", {}))
    assert "▸ running" in await screen_of(board_of(started(), calls, wire.end(), [CallRunning(0)]))


@pytest.mark.parametrize("state", CallState)
async def test_every_state_has_its_glyph_and_its_word(state: CallState) -> None:
    wire = Wire()
    board = board_of(started(), whole_call(wire, 0, "look", {}))
    board.views[0].state = state
    words = f"{mark(state).text} {Messages()(f'panel.state.{state.value}')}"
    assert words in await screen_of(board)


async def test_the_wire_key_shows_the_event_beside_the_command() -> None:
    text = await screen_of(two_calls(), "w")
    assert "COMMAND" in text
    assert "event: content_block_delta" in text
    assert "fragment 3 of 3" in text


async def test_the_arrows_step_through_the_fragments() -> None:
    text = await screen_of(two_calls(), "w", "left", "left")
    assert "fragment 1 of 3" in text


async def test_another_card_is_chosen_with_the_arrow_keys() -> None:
    text = await screen_of(two_calls(), "w", "up")
    assert "call_id   toolu_00" in text


async def test_a_click_chooses_a_card() -> None:
    panel = CallPanel(Messages())
    app = SmallApp(panel)
    async with app.run_test(size=PANEL) as pilot:
        panel.show(two_calls(), 1)
        await pilot.pause()
        await pilot.click(CallList, offset=(5, 1))
        assert panel.chosen is panel.board.views[0]


async def test_a_change_is_drawn_with_the_next_frame() -> None:
    panel, wire = CallPanel(Messages()), Wire()
    app = SmallApp(panel)
    async with app.run_test(size=PANEL) as pilot:
        board = board_of(started())
        panel.show(board, 1)
        for event in half_a_call(wire):
            panel.changed(board.apply(event))
        await pilot.pause(0.1)
        assert '"wei▍' in shown(app)


async def test_the_call_that_comes_now_is_in_view_below_calls_that_fill_the_panel() -> None:
    panel, wire = CallPanel(Messages()), Wire()
    app = SmallApp(panel)
    async with app.run_test(size=(52, 16)) as pilot:
        board = board_of(started())
        panel.show(board, 1)
        calls = [event for key in range(3) for event in whole_call(wire, key, "look", {"n": key})]
        for event in (*calls, wire.start(3, "last", "x"), wire.fragment(3, '{"newest"')):
            panel.changed(board.apply(event))
            await pilot.pause(FRAME)
        assert '{"newest"▍' in shown(app)


async def test_enter_opens_long_arguments() -> None:
    wire = Wire()
    text = {"text": " ".join(f"word{n}" for n in range(100))}
    board = board_of(started(), whole_call(wire, 0, "write", text, size=30))
    assert "word40" not in await screen_of(board)
    assert "word40" in await screen_of(board, "enter")


async def test_an_empty_panel_says_what_it_is_for() -> None:
    assert "piece by piece" in await screen_of(CallBoard())


@pytest.mark.parametrize("language", LANGUAGES)
async def test_no_text_is_missing_in_any_language(language: str) -> None:
    board = board_of(started(), half_a_call(Wire()), [CUT])
    text = await screen_of(board, "w", language=language)
    assert "panel." not in text


@pytest.mark.parametrize("theme", THEMES)
async def test_a_change_of_theme_repaints_the_cards(theme: str) -> None:
    panel = CallPanel(Messages())
    app = SmallApp(panel)
    async with app.run_test(size=PANEL) as pilot:
        panel.show(two_calls(), 1)
        app.theme = theme
        await pilot.pause()
        colours = {
            segment.style.color.name
            for strip in app.screen._compositor.render_strips()
            for segment in strip
            if segment.style and segment.style.color
        }
        assert THEMES[theme].anthropic in colours


async def test_text_from_a_model_or_a_tool_is_inert() -> None:
    wire = Wire()
    calls = list(whole_call(wire, 0, f"look{HOSTILE}", {HOSTILE: HOSTILE}, call_id=HOSTILE))
    errors = ToolError(ErrorKind.FAILED, HOSTILE)
    board = board_of(
        started(),
        calls,
        wire.end(),
        answered(0, ToolResult("x", "x", error=errors)),
        started(2),
        half_a_call(Wire(), HOSTILE),
    )
    panel = CallPanel(Messages())
    app = SmallApp(panel)
    async with app.run_test(size=(60, 50)) as pilot:
        panel.show(board, 1)
        panel.focus_cards()
        await pilot.press("w", "up")
        await pilot.pause()
        assert "[@click=app.quit]" in shown(app)
        assert (acting_characters(app), clickable(app)) == ([], [])


async def test_sixty_four_calls_at_once_are_laid_out_within_a_frame() -> None:
    wire = Wire()
    calls = [event for key in range(64) for event in whole_call(wire, key, "look", {"n": key})]
    board = board_of(started(), calls)
    panel = CallPanel(Messages())
    app = SmallApp(panel)
    async with app.run_test(size=PANEL) as pilot:
        panel.show(board, 1)
        await pilot.pause()
        keys = {view.key for view in board.views[:2]}
        for view in board.views[:2]:
            view.revision += 1
        begun = time.perf_counter()
        app.query_one(CallList)._lay_out(keys)
        assert time.perf_counter() - begun < 1 / 30


async def test_a_megabyte_of_arguments_costs_a_frame_no_more_than_a_line() -> None:
    wire = Wire()
    board = board_of(started(), [wire.start(0, "write", "x"), wire.fragment(0, '{"text": "')])
    for _ in range(1_000):
        board.apply(wire.fragment(0, "lorem ipsum " * 90))
    panel = CallPanel(Messages())
    app = SmallApp(panel)
    async with app.run_test(size=PANEL) as pilot:
        panel.show(board, 1)
        await pilot.pause()
        begun = time.perf_counter()
        for _ in range(10):
            changed = board.apply(wire.fragment(0, "dolor sit "))
            app.query_one(CallList)._lay_out(changed)
        assert (time.perf_counter() - begun) / 10 < 1 / 30


async def test_the_same_lens_key_closes_the_lens() -> None:
    assert "COMMAND" not in await screen_of(two_calls(), "1", "1")


async def test_three_voices_write_the_same_call_each_in_its_envelope() -> None:
    text = await screen_of(two_calls(), "up", "3")
    assert "arguments" in text
    assert "string" in text
    assert "input" in text
    assert '{"key": "height"}  object' in text


async def test_a_call_that_never_became_a_command_has_no_voices() -> None:
    text = await screen_of(board_of(started(), half_a_call(Wire()), [CUT]), "3")
    assert "never became one" in text


@pytest.mark.parametrize(
    ("event", "fragment"),
    [
        ('{"delta":{"partial_json":"}"}}', "}"),
        ('{"arguments":"{\\"a\\":"}', '{"a":'),
        ('{"args":{"key":"weight"}}', '{"key": "weight"}'),
        ('{"partial_json":"h\\u00e9"}', "hé"),
    ],
)
def test_the_fragment_is_marked_as_the_wire_writes_it(event: str, fragment: str) -> None:
    marked = [piece.text for piece in _marked(event, fragment) if piece.ink is Ink.ADDED]
    before = event.index(marked[0]) if fragment != "}" else event.rindex('"}"') + 1
    assert (len(marked), event[before : before + len(marked[0])]) == (1, marked[0])


async def test_the_page_keys_scroll_what_the_lens_shows() -> None:
    top = await screen_of(two_calls(), "up", "3", size=(52, 24))
    below = await screen_of(
        two_calls(), "up", "3", "pagedown", "pagedown", "pagedown", size=(52, 24)
    )
    assert ("Google" in top, "Google" in below) == (False, True)


@pytest.mark.parametrize(
    ("event", "fragment"),
    [
        ('data: {"delta":"{\\"ke","index":0}', '{"ke'),
        ('data: {"args":{"key":"height"},"index":0}', '{"key":"height"}'),
        ('data: {"index":1,"args":{}}', "{}"),
    ],
)
def test_the_event_keeps_its_colours_behind_the_fragment(event: str, fragment: str) -> None:
    assert not [piece.text for piece in _marked(event, fragment) if piece.ink is Ink.FAILED]


def mended_board() -> CallBoard:
    """A call whose arguments were wrong, and the one that came in its place."""
    problem = (FieldProblem("key", "height or weight", '"age"'),)
    error = ToolError(ErrorKind.INVALID_ARGUMENTS, "invalid", problem)
    first, second = Wire(), Wire()
    wrong = list(whole_call(first, 0, "look", {"key": "age"}))
    right = list(whole_call(second, 0, "look", {"key": "height"}))
    return board_of(
        [*started(), *wrong, *first.end(), *answered(0, ToolResult("x", "look", error=error))],
        [*started(2), *right, *second.end(), *answered(0, ToolResult("x", "look", 170))],
    )


async def test_a_mended_call_shows_before_and_after_on_its_card() -> None:
    text = await screen_of(mended_board())
    assert "↻ mended in round 2" in text
    assert '↻ mends round 1  key "age" → "height"' in text


async def test_the_fourth_lens_is_the_journey() -> None:
    text = await screen_of(mended_board(), "4")
    assert "JOURNEY  began at" in text
    for step in ("assembled", "checked", "permitted", "run", "answered"):
        assert f"✓ {step}" in text


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_journey_is_whole_in_every_language(language: str) -> None:
    text = await screen_of(mended_board(), "4", "up", language=language)
    assert "journey." not in text
    assert "mend." not in text
