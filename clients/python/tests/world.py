"""What the tests run against: a service behind a front, the demo site and a receiver, all started by the test of Quern."""

from __future__ import annotations

import json
import os
import urllib.request
from typing import Any

URL = os.environ["QUERN_TEST_URL"]
SITE = os.environ["QUERN_TEST_SITE"]
RECEIVER = os.environ["QUERN_TEST_RECEIVER"]
KEY = os.environ["QUERN_TEST_KEY"]

ARTICLE = f"{SITE}/articles/the-wheel-turns-again"
FLOUR = f"{SITE}/shop/whole-rye-flour"


def fault(status: int, code: str, *, retry_after: "float | None" = None, retryable: bool = True) -> "dict[str, Any]":
    return {"status": status, "code": code, "retryAfter": retry_after, "retryable": retryable}


def control(name: str, body: Any = None) -> Any:
    request = urllib.request.Request(f"{os.environ['QUERN_TEST_CONTROL']}/{name}", json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


def plan(*faults: Any) -> None:
    """What becomes of the next calls, one after the other."""
    control("plan", list(faults))
