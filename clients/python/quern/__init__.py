"""Client of Quern, the self-hosted service that turns web pages into structured data."""

from ._async_caller import AsyncFileBody, AsyncJobRun, AsyncRecordList
from ._async_client import AsyncQuern
from ._calls import NULL, CallOptions, JobEvent, ListPage
from ._errors import QuernClosed, QuernConnectionError, QuernError, WebhookError
from ._record import Record
from ._sync_caller import FileBody, JobRun, RecordList
from ._sync_client import Quern
from ._webhooks import verify_webhook

__version__ = "0.2.0"

__all__ = [
    "NULL",
    "AsyncFileBody",
    "AsyncJobRun",
    "AsyncQuern",
    "AsyncRecordList",
    "CallOptions",
    "FileBody",
    "JobEvent",
    "JobRun",
    "ListPage",
    "Quern",
    "QuernClosed",
    "QuernConnectionError",
    "QuernError",
    "Record",
    "RecordList",
    "WebhookError",
    "verify_webhook",
]
