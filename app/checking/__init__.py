"""Does a provider behave as its dialect says? Its questions, its checks, and what they found.

`probes` are the few requests of a run, `asking` sends them, each file of `checks` judges what was
heard, `quirks` looks for the oddities of servers in the very bytes, `suite` puts it all in order.
"""
