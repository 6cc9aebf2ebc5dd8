"""What the calls of both clients share: options, records of their own, and the decision to repeat."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from typing import Any, Callable, Dict, Generic, List, Mapping, NamedTuple, Optional, Tuple, TypeVar
from urllib.parse import quote, urlencode

from ._errors import QuernConnectionError, QuernError
from ._record import Record
from ._types import Job, JobProgress

R = TypeVar("R", bound=Record)

OnProgress = Callable[[JobProgress, Job], None]

#: A service that restarts is away for longer than one that is only busy.
FOLLOWING_RETRIES = 10
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
RECONNECT = 0.5
FIRST_LOOK_MS = 250
LONGEST_LOOK_MS = 2000
WAITING_LOOK_MS = 20_000
GATEWAY = (502, 503, 504)
CONTROL = re.compile(r"(?:jobs|monitors|deliveries|usage|requests|capabilities|artifact)\b")


class Route(NamedTuple):
    """Where an operation is served."""

    operation: str
    method: str
    path: str
    query: Tuple[str, ...]
    list: Optional[str]


JOB = Route("jobs.show", "GET", "/v1/jobs/{id}", ("wait_ms",), None)
SUBMIT = Route("jobs.submit", "POST", "/v1/jobs", (), None)
CANCEL = Route("jobs.cancel", "DELETE", "/v1/jobs/{id}", (), None)
RESULT = Route("jobs.result", "GET", "/v1/jobs/{id}/result", ("partial", "format", "limit", "cursor"), None)


@dataclass(frozen=True)
class CallOptions:
    """What every call may be given."""

    #: One of your own instead of a random one: a repeat with it gets the first answer again.
    idempotency_key: Optional[str] = None
    #: Tries after the first; 5 unless given.
    max_retries: Optional[int] = None
    #: Seconds for each try; 330 unless given.
    timeout: Optional[float] = None


@dataclass(frozen=True)
class JobEvent:
    """A step of a job that is followed: `progress`, or `end`."""

    type: str
    job: Job


@dataclass(frozen=True)
class ListPage(Generic[R]):
    """A page of a list; the cursor is None at the end."""

    data: List[R]
    next_cursor: Optional[str]


FOLLOWING = CallOptions(max_retries=FOLLOWING_RETRIES)


def pause_after(error: Exception, route: Route, tries: int, longest_wait: float) -> Optional[float]:
    """Seconds before the next try; None where another is of no use or might do the work twice."""
    pause = min(FIRST_PAUSE * 2**tries, LONGEST_PAUSE) * (0.75 + random.random() / 2)
    if isinstance(error, QuernConnectionError):
        # A DELETE that was heard may mean another thing the second time, and work by GET would be charged again.
        is_safe = route.method in ("POST", "PATCH") or (route.method == "GET" and CONTROL.match(route.operation))
        return pause if is_safe else None
    if not isinstance(error, QuernError) or not error.retryable:
        return None
    if error.retry_after is None:
        return pause
    return None if error.retry_after > longest_wait else error.retry_after


def read_event(block: bytes) -> Dict[str, str]:
    """The fields of a server-sent event."""
    fields: Dict[str, str] = {}
    for line in block.decode().splitlines():
        name, colon, value = line.partition(":")
        if colon and name:
            fields[name] = value.removeprefix(" ")
    return fields


def given(members: Mapping[str, Any]) -> Dict[str, Any]:
    """The members of an input that are not left out."""
    return {name: value for name, value in members.items() if value is not None}


def place(route: Route, members: Mapping[str, Any]) -> Tuple[str, Optional[bytes]]:
    """Puts the members of an input into path, query and body."""
    left = {name: to_plain(value) for name, value in given(members).items()}
    path = re.sub(r"\{(\w+)\}", lambda match: quote(str(left.pop(match[1])), safe=""), route.path)
    pairs: List[Tuple[str, str]] = []
    for name in route.query:
        value = left.pop(name, None)
        for one in value if isinstance(value, list) else [value]:
            if one is not None:
                pairs.append((name, one if isinstance(one, str) else json.dumps(one)))
    url = f"{path}?{urlencode(pairs)}" if pairs else path
    has_body = route.method in ("POST", "PATCH")
    return url, json.dumps(left).encode() if has_body else None


def to_plain(value: Any) -> Any:
    """Records, tuples and mappings as JSON has them; `NULL` is null."""
    if value is NULL:
        return None
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {name: to_plain(one) for name, one in value.items()}
    return [to_plain(one) for one in value] if isinstance(value, (list, tuple, set, frozenset)) else value


class _Null:
    """Null in a request, since None leaves a member out."""

    def __repr__(self) -> str:
        return "NULL"


NULL: Any = _Null()


def to_error(status: int, headers: Mapping[str, str], text: bytes) -> QuernError:
    """The error of a failed answer."""
    try:
        body = json.loads(text)
        error = body["error"]
        diagnostics = body.get("diagnostics", {})
        code, message = error["code"], error["message"]
    except (ValueError, KeyError, TypeError):
        body, diagnostics, code, message = {}, {}, f"http_{status}", f"the service answered {status}"
    seconds = headers.get("retry-after", "")
    retry_after = float(seconds) if re.fullmatch(r"\d+(\.\d+)?", seconds) else None
    return QuernError(
        message,
        status=status,
        code=code,
        request_id=body.get("request_id", headers.get("x-request-id")),
        retryable=diagnostics.get("retryable", status in GATEWAY or retry_after is not None),
        blocked=diagnostics.get("blocked", False),
        timed_out=diagnostics.get("timed_out", False),
        retry_after=retry_after,
    )


def has_ended(job: Job) -> bool:
    """Whether a job will never run again."""
    return job.status not in ("queued", "running")


def demand_success(job: Job) -> None:
    """Raises the error with which a job ended."""
    if job.status in ("completed", "cancelled"):
        return
    error = job.error
    code = f"job_{job.status}" if error is None else error.code
    raise QuernError(
        f"the job is {job.status}" if error is None else error.message,
        status=0,
        code=code,
        blocked=code == "target_blocked",
        timed_out=code == "timeout",
        job_id=job.id,
    )
