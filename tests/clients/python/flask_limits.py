# SPDX-License-Identifier: GPL-3.0-or-later
"""Flask-Limiter: an application's limits for a page and for all of it, asked by two clients.

Commands: count, hit ADDRESS, clear ADDRESS (of the page).
"""

import flask
import limits
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

import scenario

app = flask.Flask("shop")
limiter = Limiter(
    get_remote_address,
    app=app,
    default_limits=["200 per day"],
    storage_uri=f"redis+unix://{scenario.SOCKET}",
    strategy="moving-window" if scenario.PREFIX else "fixed-window",
    key_prefix=scenario.PREFIX,
)
answers = {}


@app.route("/login")
@limiter.limit("3 per minute")
def login():
    return "fine"


@app.route("/search")
def search():
    return "fine"


def hit(address, page="/login"):
    answer = app.test_client().get(page, environ_base={"REMOTE_ADDR": address})
    answers.setdefault(f"{address}{page}", []).append(answer.status_code)


def clear(address):
    item = limits.parse("3 per minute")
    limiter.limiter.clear(item, *([scenario.PREFIX] if scenario.PREFIX else []), address, "login")


for _ in range(4):
    hit("192.0.2.1")
hit("192.0.2.2")
hit("192.0.2.2", "/search")
scenario.serve(lambda: {"strategy": limiter._strategy, "answers": answers}, hit=hit,
               clear=clear)
