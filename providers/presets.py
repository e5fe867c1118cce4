"""The providers that we know, as data: where each is, what it speaks, and how its key is found.

Addresses are written as the official clients write them, so that the variables which those
clients obey hold the same kind of value. A new provider is one entry here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from providers.dialects import DIALECT_IDS

SIMULATOR = "simulator"

RESPONSES = "openai-responses"
CHAT = "openai-chat"
ANTHROPIC = "anthropic"
GEMINI = "gemini"


@dataclass(frozen=True, slots=True)
class Preset:
    """A provider before anything of the person's is known.

    The first of `dialects` is the one spoken when none is asked for. `key_variables` are looked
    up in order. `model` is "" where only the server knows what it has. `accent` names one of the
    theme's colours for those who speak. `known` is False for what only the settings describe.
    """

    id: str
    title: str
    dialects: tuple[str, ...]
    address: str
    model: str = ""
    suggestions: tuple[str, ...] = ()
    key_variables: tuple[str, ...] = ()
    address_variables: tuple[str, ...] = ()
    needs_key: bool = True
    accent: str = "other"
    known: bool = True

    @property
    def models(self) -> tuple[str, ...]:
        """The default model and the suggestions, each once."""
        return tuple(dict.fromkeys(name for name in (self.model, *self.suggestions) if name))


_ALL = (
    Preset(
        id=SIMULATOR,
        title="Vitral",
        dialects=DIALECT_IDS,
        address="http://simulator.invalid",  # never looked up: it answers in the process
        model="vitral-sim",
        suggestions=("vitral-sim-thinking", "gemini-3-sim"),
        needs_key=False,
    ),
    Preset(
        id="openai",
        title="OpenAI",
        dialects=(RESPONSES, CHAT),
        address="https://api.openai.com/v1",
        model="gpt-5-mini",
        suggestions=("gpt-5", "gpt-5.4", "gpt-4.1", "o4-mini"),
        key_variables=("OPENAI_API_KEY",),
        address_variables=("OPENAI_BASE_URL",),
        accent="openai",
    ),
    Preset(
        id="anthropic",
        title="Anthropic",
        dialects=(ANTHROPIC,),
        address="https://api.anthropic.com",
        model="claude-sonnet-4-5",
        suggestions=("claude-haiku-4-5", "claude-sonnet-4-6", "claude-opus-4-6"),
        key_variables=("ANTHROPIC_API_KEY",),
        address_variables=("ANTHROPIC_BASE_URL",),
        accent="anthropic",
    ),
    Preset(
        id="google",
        title="Google Gemini",
        dialects=(GEMINI,),
        address="https://generativelanguage.googleapis.com",
        model="gemini-2.5-flash",
        suggestions=("gemini-2.5-pro", "gemini-3-flash-preview", "gemini-3-pro-preview"),
        key_variables=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        address_variables=("GOOGLE_GEMINI_BASE_URL",),
        accent="google",
    ),
    Preset(
        id="ollama",
        title="Ollama",
        dialects=(CHAT,),
        address="http://localhost:11434/v1",
        model="qwen3",
        suggestions=("llama3.1", "gpt-oss:20b", "mistral-nemo"),
        needs_key=False,
    ),
    Preset(
        id="llamacpp",
        title="llama.cpp",
        dialects=(CHAT,),
        address="http://localhost:8080/v1",
        model="default",  # the server has one model and does not look at its name
        key_variables=("LLAMA_API_KEY",),
        needs_key=False,
    ),
    Preset(
        id="vllm",
        title="vLLM",
        dialects=(CHAT, RESPONSES),
        address="http://localhost:8000/v1",
        key_variables=("VLLM_API_KEY",),
        needs_key=False,
    ),
    Preset(
        id="lmstudio",
        title="LM Studio",
        dialects=(CHAT, RESPONSES),
        address="http://localhost:1234/v1",
        needs_key=False,
    ),
    Preset(
        id="openrouter",
        title="OpenRouter",
        dialects=(CHAT,),
        address="https://openrouter.ai/api/v1",
        model="openai/gpt-5-mini",
        suggestions=("anthropic/claude-haiku-4.5", "x-ai/grok-4.1-fast"),
        key_variables=("OPENROUTER_API_KEY",),
    ),
    Preset(
        id="groq",
        title="Groq",
        dialects=(CHAT, RESPONSES),
        address="https://api.groq.com/openai/v1",
        model="openai/gpt-oss-120b",
        suggestions=("llama-3.3-70b-versatile", "moonshotai/kimi-k2-instruct-0905"),
        key_variables=("GROQ_API_KEY",),
    ),
    Preset(
        id="mistral",
        title="Mistral",
        dialects=(CHAT,),
        address="https://api.mistral.ai/v1",
        model="mistral-small-latest",
        suggestions=("mistral-medium-latest", "mistral-large-latest"),
        key_variables=("MISTRAL_API_KEY",),
    ),
    Preset(
        id="deepseek",
        title="DeepSeek",
        dialects=(CHAT,),
        address="https://api.deepseek.com/v1",
        model="deepseek-chat",
        suggestions=("deepseek-reasoner",),
        key_variables=("DEEPSEEK_API_KEY",),
    ),
    Preset(
        id="xai",
        title="xAI",
        dialects=(CHAT, RESPONSES),
        address="https://api.x.ai/v1",
        model="grok-4-fast",
        suggestions=("grok-code-fast-1",),
        key_variables=("XAI_API_KEY",),
    ),
    Preset(
        id="together",
        title="Together AI",
        dialects=(CHAT,),
        address="https://api.together.xyz/v1",
        model="openai/gpt-oss-120b",
        key_variables=("TOGETHER_API_KEY",),
    ),
    Preset(
        id="cerebras",
        title="Cerebras",
        dialects=(CHAT,),
        address="https://api.cerebras.ai/v1",
        model="gpt-oss-120b",
        key_variables=("CEREBRAS_API_KEY",),
    ),
)

PRESETS: Mapping[str, Preset] = MappingProxyType({preset.id: preset for preset in _ALL})
"""By id, in the order in which a person should see them."""
