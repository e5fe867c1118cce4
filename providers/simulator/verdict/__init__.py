"""Does a client behave? A server's watch remembers what it was asked and what it answered, and
its rules say where the client did wrong.

All that is known is what went over the wire, so any server can be watched: the simulator, a
cassette, a real provider behind a proxy. `watch` stands before the server, `asked` and `answered`
are what it remembers, each rule is a file of its own, `verdict` asks them all.
"""

from providers.simulator.verdict.finding import Finding, Rule
from providers.simulator.verdict.verdict import Verdict, judge
from providers.simulator.verdict.watch import PATH, Watch

__all__ = ["PATH", "Finding", "Rule", "Verdict", "Watch", "judge"]
