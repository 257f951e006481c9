# SPDX-License-Identifier: GPL-3.0-or-later
"""limits: the fixed window, the one that expires anew with each hit, and the moving window.

Commands: count, hit NAME (fixed, elastic or moving; as its client would), clear NAME.
"""

import limits
from limits.storage import storage_from_string

import scenario

storage = storage_from_string(f"redis+unix://{scenario.SOCKET}")
NAMESPACE = scenario.PREFIX or "LIMITER"
fixed_limit = limits.RateLimitItemPerMinute(5, namespace=NAMESPACE)
elastic_limit = limits.RateLimitItemPerHour(100, 2, namespace=NAMESPACE)
moving_limit = limits.RateLimitItemPerMinute(10, namespace=NAMESPACE)
STRATEGIES = {
    "fixed": (limits.strategies.FixedWindowRateLimiter(storage), fixed_limit, ("login", "ada")),
    "elastic": (
        limits.strategies.FixedWindowElasticExpiryRateLimiter(storage),
        elastic_limit,
        ("api", "192.0.2.1"),
    ),
    "moving": (limits.strategies.MovingWindowRateLimiter(storage), moving_limit, ("search", "ada")),
}


def count():
    counts = {}
    for name, (strategy, item, identity) in STRATEGIES.items():
        reset_s, remaining = strategy.get_window_stats(item, *identity)
        counts[name] = {
            "key": item.key_for(*identity),
            "limit": item.amount,
            "window_s": item.get_expiry(),
            "remaining": remaining,
            "resets_at_s": reset_s,
            "allowed": strategy.test(item, *identity),
        }
    return counts


def hit(name):
    strategy, item, identity = STRATEGIES[name]
    return strategy.hit(item, *identity)


def clear(name):
    strategy, item, identity = STRATEGIES[name]
    strategy.clear(item, *identity)
    return {"key": item.key_for(*identity)}


for times, name in ((6, "fixed"), (7, "elastic"), (4, "moving")):
    for _ in range(times):
        hit(name)
scenario.serve(count, hit=hit, clear=clear)
