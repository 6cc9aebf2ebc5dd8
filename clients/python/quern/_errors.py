"""What can go wrong in a call."""

from __future__ import annotations

from typing import Optional


class QuernError(Exception):
    """A refusal or failure that the service answered, or with which a job ended."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        request_id: Optional[str] = None,
        retryable: bool = False,
        blocked: bool = False,
        timed_out: bool = False,
        retry_after: Optional[float] = None,
        job_id: Optional[str] = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.status = status
        self.code = code
        self.request_id = request_id
        #: Whether the same call may succeed later.
        self.retryable = retryable
        #: Whether the site refused the visit.
        self.blocked = blocked
        self.timed_out = timed_out
        #: Seconds that the service asks to wait; None where it says nothing.
        self.retry_after = retry_after
        #: The job that failed; None for a call without one.
        self.job_id = job_id


class QuernConnectionError(Exception):
    """A call that got no answer, or not all of one: the service cannot be reached, or was too slow."""


class QuernClosed(Exception):
    """A call of a client that was closed."""


class WebhookError(Exception):
    """A delivery that is not signed with the secret, or is too old."""
