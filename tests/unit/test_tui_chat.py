"""The chat screen driven by keys: sending, stopping, scrolling, small and large screens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from app import events
from app.attempts import Emit
from app.messages import LANGUAGES
from app.settings_file import read_settings
from app.tui.app import VitralApp
from app.tui.screens.chat import ChatScreen
from app.tui.widgets.bars import Bar
from app.tui.widgets.call_panel import CallPanel
from app.tui.widgets.call_strip import CallStrip
from app.tui.widgets.composer import Composer
from app.tui.widgets.key_bar import KeyBar
from app.tui.widgets.status_bar import StatusBar
from app.tui.widgets.transcript import Transcript
from providers.catalogue import KeyMissing
from providers.history import Turn, UserTurn
from tests import stage
from tests.hostile import HOSTILE, acting


class Running:
    """A running app and what a test does with it."""

    def __init__(self, app: VitralApp, pilot: Pilot[None], session: stage.ScriptedSession) -> None:
        self.app, self.pilot, self.session = app, pilot, session

    @property
    def chat(self) -> ChatScreen:
        (chat,) = (one for one in self.app.screen_stack if isinstance(one, ChatScreen))
        return chat

    @property
    def transcript(self) -> Transcript:
        return self.chat.query_one(Transcript)

    @property
    def composer(self) -> Composer:
        return self.chat.query_one(Composer)

    @property
    def picture(self) -> str:
        """The whole screen as text, a row a line."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip() for strip in strips)

    def following(self) -> bool:
        return self.transcript.following

    def panel_shown(self) -> bool:
        return bool(self.chat.query_one(CallPanel).display)

    def seen(self) -> list[str]:
        """The rows of the transcript that are in view, the badge's left out."""
        rows = self.transcript.render_lines(self.transcript.size.region)
        return [strip.text.rstrip() for strip in rows][:-1]

    async def ask(self, text: str = "hello") -> None:
        self.composer.load_text(text)
        await self.pilot.press("enter")
        await self.until(lambda: bool(self.session.sent))

    async def tell(self, *told: events.Event) -> None:
        """Tell these events and wait until they are drawn."""
        self.session.script.tell(*told)
        await self.drawn()

    async def drawn(self) -> None:
        await self.pilot.pause()
        playback = self.chat._playback
        await self.until(lambda: self.session.script.told and not playback.waiting)
        await self.pilot.pause()

    async def until(self, condition: Callable[[], bool]) -> None:
        for _ in range(200):
            if condition():
                return
            await asyncio.sleep(0.005)
        raise AssertionError(f"did not happen; the screen shows\n{self.picture}")


@asynccontextmanager
async def running(
    home: Path,
    turns: list[Turn] | None = None,
    *,
    size: tuple[int, int] = (120, 40),
    language: str = "en",
) -> AsyncIterator[Running]:
    session = stage.scripted(home, turns or [], language=language)
    app = VitralApp(session)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Running(app, pilot, session)


async def test_an_empty_chat_says_what_it_is_for(tmp_path: Path) -> None:
    async with running(tmp_path, language="pt_BR") as vitral:
        assert "Pergunte algo" in vitral.picture
        assert "Pergunte qualquer coisa" in vitral.picture


async def test_enter_sends_and_empties_the_composer(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        await vitral.ask("What is my height?")
        await vitral.drawn()
        assert vitral.session.sent == ["What is my height?"]
        assert vitral.composer.text == ""
        assert "What is my height?" in vitral.picture


async def test_an_answer_grows_on_the_screen(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        await vitral.ask()
        await vitral.tell(*stage.opening(), stage.says("Your height "))
        assert "◆ Your height▍" in vitral.picture
        await vitral.tell(stage.says("is **170 cm**."))
        assert "◆ Your height is 170 cm.▍" in vitral.picture


async def test_a_call_is_seen_in_chat_and_panel_while_it_assembles(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        await vitral.ask()
        await vitral.tell(*stage.opening(), stage.opens_call(0, "lookup", '{"key', '": "hei'))
        assert "▸ 1 call   … lookup" in vitral.picture
        assert '"key": "hei' in vitral.picture


async def test_nothing_can_be_sent_while_an_answer_comes(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        await vitral.ask("one")
        vitral.composer.load_text("two")
        await vitral.pilot.press("enter")
        assert vitral.session.sent == ["one"]
        assert vitral.composer.text == "two"


async def test_sending_again_and_again_while_an_answer_comes_is_answered_once(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as vitral:
        await vitral.ask()
        vitral.composer.load_text("more")
        await vitral.pilot.press(*["enter"] * 20)
        assert len(vitral.app._notifications) == 1


async def test_the_word_that_an_answer_still_comes_goes_with_the_answer(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        await vitral.ask("one")
        vitral.composer.load_text("two")
        await vitral.pilot.press("enter")
        assert len(vitral.app._notifications) == 1
        await vitral.pilot.press("escape")
        await vitral.until(lambda: not vitral.chat.working)
        assert len(vitral.app._notifications) == 0


@pytest.mark.parametrize("key", ["f1", "f8", "f9", "ctrl+o", "ctrl+p", "ctrl+l"])
async def test_a_key_behind_the_one_that_quits_opens_nothing(tmp_path: Path, key: str) -> None:
    async with running(tmp_path) as vitral:
        vitral.app.simulate_key("ctrl+q")
        vitral.app.simulate_key(key)
        await vitral.pilot.pause()
    assert vitral.app.return_code == 0


@pytest.mark.parametrize("dialog", ["f1", "ctrl+o", "ctrl+p", "ctrl+l"])
async def test_the_key_that_quits_works_over_a_dialog(tmp_path: Path, dialog: str) -> None:
    async with running(tmp_path) as vitral:
        await vitral.pilot.press(dialog, "ctrl+q")
        await vitral.pilot.pause()
    assert vitral.app._leaving


async def test_escape_stops_at_once(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        await vitral.ask()
        await vitral.tell(*stage.opening(), stage.says("Once upon"))
        await vitral.pilot.press("escape")
        await vitral.until(lambda: not vitral.chat.working)
        assert vitral.session.script.stopped
        assert "Stopped." in vitral.picture


async def test_a_failure_can_be_tried_again_by_key(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        await vitral.ask()
        vitral.session.script.end(events.Done(events.Ending.FAILED, stage.CUT, "K7Q2"))
        await vitral.until(lambda: not vitral.chat.working)
        assert "K7Q2" in vitral.picture
        await vitral.pilot.press("ctrl+r")
        await vitral.until(lambda: len(vitral.session.sent) == 2)
        assert vitral.session.sent[1] is None


async def test_once_scrolled_up_nothing_moves_the_view(tmp_path: Path) -> None:
    async with running(tmp_path, stage.long_chat(30)) as vitral:
        await vitral.ask()
        await vitral.tell(*stage.opening(), stage.says("# one\n\n" * 30))
        await vitral.pilot.press("pageup", "pageup")
        before = vitral.seen()
        await vitral.tell(stage.says("# more\n\n" * 50))
        await vitral.tell(events.Withdrawn(stage.CUT), events.Waiting(2.0, 2, 3, stage.CUT))
        await vitral.tell(events.AttemptStarted(2, 3), stage.says("again " * 200))
        vitral.session.script.end()
        await vitral.until(lambda: not vitral.chat.working)
        await vitral.drawn()
        assert vitral.seen() == before
        assert "more below" in vitral.picture


async def test_the_view_stays_at_a_place_in_the_middle_of_a_long_chat(tmp_path: Path) -> None:
    async with running(tmp_path, stage.long_chat(2_000)) as vitral:
        vitral.transcript.scroll_to(y=vitral.transcript.max_scroll_y // 2, animate=False)
        await vitral.pilot.pause()
        before = vitral.seen()
        await vitral.pilot.press("pageup", "pagedown")
        assert vitral.seen() == before


async def test_paging_up_skips_no_row(tmp_path: Path) -> None:
    async with running(tmp_path, stage.long_chat(200)) as vitral:
        for _ in range(5):
            before = vitral.seen()
            await vitral.pilot.press("pageup")
            assert before[0] == vitral.seen()[-1] or before[0] in vitral.seen()


async def test_the_end_key_follows_again(tmp_path: Path) -> None:
    async with running(tmp_path, stage.long_chat(30)) as vitral:
        await vitral.pilot.press("pageup")
        assert not vitral.following()
        await vitral.pilot.press("end")
        assert vitral.following()
        assert "more below" not in vitral.picture


async def test_scrolling_to_the_bottom_follows_again(tmp_path: Path) -> None:
    async with running(tmp_path, stage.long_chat(30)) as vitral:
        await vitral.pilot.press("pageup", "pagedown", "pagedown")
        assert vitral.following()


async def test_a_resize_keeps_what_was_being_read(tmp_path: Path) -> None:
    async with running(tmp_path, stage.long_chat(60)) as vitral:
        await vitral.pilot.press("pageup", "pageup", "pageup")
        place = vitral.transcript.document.place_at(vitral.transcript.scroll_offset.y)
        await vitral.pilot.resize_terminal(90, 30)
        await vitral.pilot.pause()
        now = vitral.transcript.document.place_at(vitral.transcript.scroll_offset.y)
        assert place is not None
        assert now is not None
        assert now.entry is place.entry


async def test_unfolding_reasoning_does_not_move_its_line(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        await vitral.ask()
        await vitral.tell(*stage.opening(), stage.thinks("step\n" * 80), stage.says("Yes."))
        row = next(n for n, line in enumerate(vitral.seen()) if "reasoning" in line)
        await vitral.pilot.press("f3")
        await vitral.drawn()
        assert "▾ reasoning" in vitral.seen()[row]


async def test_a_long_chat_draws_only_what_is_near_the_view(tmp_path: Path) -> None:
    async with running(tmp_path, stage.long_chat(5_000)) as vitral:
        assert len(vitral.transcript.document._drawn) < 200
        assert "answer 4999" in vitral.picture


async def test_small_screens_have_a_drawer_and_a_strip(tmp_path: Path) -> None:
    async with running(tmp_path, size=(80, 24)) as vitral:
        await vitral.ask()
        await vitral.tell(*stage.opening(), stage.opens_call(0, "lookup", '{"key'))
        panel, strip = vitral.chat.query_one(CallPanel), vitral.chat.query_one(CallStrip)
        assert not vitral.panel_shown()
        assert "… lookup" in strip.text
        await vitral.pilot.press("ctrl+t")
        assert vitral.panel_shown()
        assert vitral.app.focused is not None
        assert panel in vitral.app.focused.ancestors
        await vitral.pilot.press("ctrl+t")
        assert not vitral.panel_shown()
        assert vitral.app.focused is vitral.composer


async def test_wide_screens_show_both_side_by_side(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        assert vitral.panel_shown()
        assert not vitral.chat.query_one(CallStrip).display
        await vitral.pilot.press("ctrl+t")
        assert not vitral.panel_shown()


async def test_control_and_shift_enter_begin_new_lines(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        await vitral.pilot.press("a", "ctrl+j", "b", "shift+enter", "c")
        assert vitral.composer.text == "a\nb\nc"


async def test_the_composer_grows_with_its_lines_up_to_a_limit(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        heights = []
        for count in (1, 4, 40):
            vitral.composer.load_text("line\n" * count)
            await vitral.pilot.pause()
            heights.append(vitral.composer.size.height)
        assert heights[0] < heights[1] < heights[2] <= 10


async def test_arrows_go_through_what_was_sent_and_back_to_the_draft(tmp_path: Path) -> None:
    turns: list[Turn] = [UserTurn("first"), stage.answer("a"), UserTurn("second")]
    async with running(tmp_path, turns) as vitral:
        vitral.composer.load_text("draft")
        texts = []
        for key in ("up", "up", "up", "down", "down"):
            await vitral.pilot.press(key)
            texts.append(vitral.composer.text)
        assert texts == ["second", "first", "first", "second", "draft"]


async def test_the_newest_answer_is_copied_as_markdown(tmp_path: Path) -> None:
    async with running(tmp_path, [UserTurn("q"), stage.answer("**yes**")]) as vitral:
        await vitral.pilot.press("f4")
        assert vitral.app.clipboard == "**yes**"


async def test_text_marked_with_the_mouse_is_copied(tmp_path: Path) -> None:
    async with running(tmp_path, [UserTurn("q"), stage.answer("alpha beta")]) as vitral:
        row = next(n for n, line in enumerate(vitral.seen()) if "alpha" in line)
        await vitral.pilot.mouse_down(Transcript, offset=(3, row))
        await vitral.pilot.hover(Transcript, offset=(8, row))
        await vitral.pilot.mouse_up(Transcript, offset=(8, row))
        await vitral.pilot.pause()
        assert vitral.app.screen.get_selected_text() == "alpha"


async def test_typing_while_the_chat_has_the_keyboard_is_writing(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        vitral.transcript.focus()
        await vitral.pilot.press("h", "i")
        assert vitral.composer.text == "hi"


async def test_the_language_changes_at_once(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        vitral.app._take_language("es")
        await vitral.until(lambda: "ayuda" in vitral.picture)
        assert "Pregunta lo que quieras" in vitral.picture


async def test_another_language_loses_nothing_of_what_was_seen(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        await vitral.ask()
        call = stage.opens_call(0, "look", '{"a": 1}')
        await vitral.tell(*stage.opening(), call, events.Withdrawn(stage.CUT))
        vitral.session.script.end(events.Done(events.Ending.FAILED, stage.CUT, "K7Q2"))
        await vitral.until(lambda: "K7Q2" in vitral.picture)
        vitral.app._take_language("pt_BR")
        await vitral.until(lambda: "ajuda" in vitral.picture)
        assert "Não consegui obter uma resposta. Tente novamente." in vitral.picture
        assert "K7Q2" in vitral.picture
        assert "1 fragmento" in vitral.picture


async def test_settings_that_cannot_be_written_hold_for_this_run(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        settings = vitral.session.places.settings
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text("no = toml = at all")
        vitral.app._take_language("es")
        await vitral.until(lambda: "ayuda" in vitral.picture)
        await vitral.until(lambda: bool(vitral.app._notifications))
        (said,) = vitral.app._notifications
        assert "no se puede escribir" in said.message


async def test_the_theme_changes_what_is_drawn(tmp_path: Path) -> None:
    async with running(tmp_path, [UserTurn("q"), stage.answer("yes")]) as vitral:
        before = vitral.app.export_screenshot()
        vitral.app._take_theme("light")
        await vitral.drawn()
        assert "#faf9f6" in vitral.app.export_screenshot()
        assert "#faf9f6" not in before


@pytest.mark.parametrize("key", ["f1", "ctrl+p", "ctrl+o", "f8", "f9"])
async def test_each_dialog_opens_and_escape_leaves_it(tmp_path: Path, key: str) -> None:
    async with running(tmp_path) as vitral:
        await vitral.pilot.press(key)
        await vitral.pilot.pause()
        assert len(vitral.app.screen_stack) == 2
        await vitral.pilot.press("escape")
        await vitral.pilot.pause()
        assert isinstance(vitral.app.screen, ChatScreen)


async def test_usage_is_counted_at_the_right(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        await vitral.ask()
        await vitral.tell(*stage.opening(), stage.says("Hi."), stage.ended("Hi."))
        assert "in 412 · out 38" in vitral.chat.query_one(KeyBar).text


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_key_that_stops_is_seen_on_a_small_screen(tmp_path: Path, language: str) -> None:
    async with running(tmp_path, size=(80, 24), language=language) as vitral:
        await vitral.ask()
        await vitral.tell(*stage.opening(), stage.says("Hi."), stage.ended("Hi."))
        stop = f"Esc {vitral.session.messages('action.stop')}"
        assert stop in vitral.chat.query_one(KeyBar).text


async def test_hostile_text_reaches_the_terminal_from_no_widget(tmp_path: Path) -> None:
    turns: list[Turn] = [UserTurn(HOSTILE), stage.answer(HOSTILE)]
    async with running(tmp_path, turns) as vitral:
        await vitral.ask(HOSTILE)
        call = stage.opens_call(0, HOSTILE, HOSTILE)
        await vitral.tell(*stage.opening(), stage.thinks(HOSTILE), stage.says(HOSTILE), call)
        await vitral.pilot.press("f3")
        await vitral.drawn()
        vitral.chat.query_one(StatusBar).update(title=HOSTILE, provider=HOSTILE, model=HOSTILE)
        vitral.composer.insert(HOSTILE)
        await vitral.drawn()
        assert acting(vitral.picture) == []
        assert not vitral.app._exit


async def test_a_hostile_paste_becomes_safe_text(tmp_path: Path) -> None:
    from textual import events as textual_events

    async with running(tmp_path) as vitral:
        vitral.composer.post_message(textual_events.Paste("a\rb\x1b[31m\u202e"))
        await vitral.pilot.pause()
        assert acting(vitral.composer.text) == []
        assert vitral.composer.text.startswith("a\nb")


async def test_markup_in_a_bar_is_plain_words(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        bar = vitral.chat.query_one(StatusBar)
        bar.update(title="[@click=app.quit]press[/]")
        await vitral.pilot.pause()
        assert "[@click=app.quit]press[/]" in bar.text


async def test_no_bar_is_wider_than_the_screen(tmp_path: Path) -> None:
    async with running(tmp_path, size=(60, 20)) as vitral:
        vitral.chat.query_one(StatusBar).update(title="t" * 300, provider="漢" * 80, model="m" * 99)
        await vitral.pilot.pause()
        for bar in vitral.chat.query(Bar).results(Bar):
            assert bar.render().cell_length <= max(bar.size.width, 0) or not bar.display


async def test_the_wheel_scrolls_by_rows_and_skips_none(tmp_path: Path) -> None:
    async with running(tmp_path, stage.long_chat(100)) as vitral:
        for _ in range(30):
            before = vitral.seen()
            vitral.transcript.scroll_rows(-3)
            await vitral.pilot.pause()
            assert vitral.seen()[3:] == before[:-3]


async def test_a_mistake_in_the_settings_is_said(tmp_path: Path) -> None:
    session = stage.scripted(tmp_path)
    session.problems = read_settings("theme = 3").problems
    async with VitralApp(session).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        strips = pilot.app.screen._compositor.render_strips()
        assert any("theme" in strip.text for strip in strips)


async def test_a_provider_without_a_key_is_asked_nothing(tmp_path: Path) -> None:
    class Keyless(stage.ScriptedSession):
        async def send(self, text: str | None, emit: Emit) -> events.Done:
            self.sent.append(text)
            raise KeyMissing("anthropic", ("ANTHROPIC_API_KEY",))

    known = stage.scripted(tmp_path)
    session = Keyless(known.places, known.settings, (), known.messages, known.choice)
    app = VitralApp(session)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        vitral = Running(app, pilot, session)
        await vitral.ask()
        await vitral.until(lambda: not vitral.chat.working)
        await pilot.pause()
        assert "This provider needs a key first." in vitral.picture


async def test_a_very_long_paste_is_folded_and_sent_whole(tmp_path: Path) -> None:
    from textual import events as textual_events

    pasted = "\n".join(f"line {number}" for number in range(100_000))
    async with running(tmp_path) as vitral:
        vitral.composer.post_message(textual_events.Paste(pasted))
        await vitral.pilot.pause()
        assert vitral.composer.text == "‹pasted text 1: 100,000 lines, 1.1 MB›"
        await vitral.pilot.press("enter")
        await vitral.until(lambda: bool(vitral.session.sent))
        assert vitral.session.sent == [pasted]
        await vitral.pilot.press("up")
        assert vitral.composer.text.startswith("‹pasted text 1")


async def test_reasoning_can_be_folded_from_its_middle(tmp_path: Path) -> None:
    async with running(tmp_path) as vitral:
        await vitral.ask()
        await vitral.tell(*stage.opening(), stage.thinks("step\n" * 2_000), stage.says("Yes."))
        await vitral.pilot.press("f3")
        vitral.transcript.scroll_to(y=1_000, animate=False)
        await vitral.pilot.press("f3")
        await vitral.drawn()
        assert "▸ reasoning" in vitral.picture
