"""What a person can choose, and what holds when they choose nothing.

How the file is read and written, and what happens to mistakes in it, is for `app.settings_file`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from app.messages import LANGUAGES, find_language
from providers.catalogue import ProviderOptions

if TYPE_CHECKING:  # the start reads the settings, and connects to nothing yet
    from providers.transport import Timeouts

DialectChoice: TypeAlias = Literal["", "openai-responses", "openai-chat", "anthropic", "gemini"]
Seconds: TypeAlias = Annotated[float, Field(gt=0, le=86_400)]


def _a_language_of_ours(tag: str) -> str:
    if tag and find_language(tag) is None:
        choices = [name.replace("_", "-") for name in LANGUAGES]
        raise PydanticCustomError("one_of", "one of {choices}", {"choices": choices})
    return tag


class _Table(BaseModel):
    # Strict: "yes" is no bool and "10" no number; a wrong guess would be silent. Built at the
    # first use, once for all tables together.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


class TimeoutSettings(_Table):
    """Seconds to reach a server, and without a byte from it before we give it up."""

    connect: Seconds = 10.0
    silence: Seconds = 300.0


class SimulatorSettings(_Table):
    """How fast the simulator writes: 1 as a real model, 10 ten times that, 0 all at once."""

    speed: Annotated[float, Field(ge=0, le=10_000)] = 1.0


class PanelSettings(_Table):
    """How the panel of calls opens: shown at all, and with the raw events of the wire."""

    shown: bool = True
    raw: bool = False


class ProviderSettings(_Table):
    """`[providers.NAME]`: changes to a provider that we know, or one of the person's own."""

    title: str = ""
    dialect: DialectChoice = ""
    address: str = ""
    key_variable: str = ""
    model: str = ""
    headers: dict[str, str] = Field(default_factory=dict)


class ToolSettings(_Table):
    """`[tools.NAME]`: whether models may call the tool, and whether its writes are asked for."""

    enabled: bool = True
    permission: Literal["ask", "allow", "deny"] = "ask"


class Settings(_Table):
    """All of it. An empty text leaves the choice to the app."""

    language: Annotated[str, AfterValidator(_a_language_of_ours)] = ""
    theme: str = ""
    provider: str = ""
    model: str = ""
    dialect: DialectChoice = ""
    workspace: str = ""
    role: Literal["support", "viewer"] = "support"
    """What the person may do in the demo shop; no model can change it."""
    tools_folder: str = ""
    """Where the person's own tools are. They are code: off until a folder is named."""
    tools_by_stage: bool = False
    """Send a model only `first_tools` and a tool that finds others, not the whole list."""
    first_tools: list[str] = ["lookup_demo_value", "calculate", "read_file", "list_files"]
    log_content: bool = False
    timeouts: TimeoutSettings = TimeoutSettings()
    simulator: SimulatorSettings = SimulatorSettings()
    panel: PanelSettings = PanelSettings()
    providers: dict[str, ProviderSettings] = Field(default_factory=dict)
    tools: dict[str, ToolSettings] = Field(default_factory=dict)

    @property
    def provider_options(self) -> dict[str, ProviderOptions]:
        """The `[providers.NAME]` tables, as the catalogue wants them."""
        return {
            name: ProviderOptions(
                title=said.title,
                dialect=said.dialect,
                address=said.address,
                key_variable=said.key_variable,
                model=said.model,
                headers=said.headers,
            )
            for name, said in self.providers.items()
        }

    @property
    def connection_timeouts(self) -> Timeouts:
        """The time-outs, as the transport wants them."""
        from providers.transport import Timeouts

        return Timeouts(connect=self.timeouts.connect, silence=self.timeouts.silence)
