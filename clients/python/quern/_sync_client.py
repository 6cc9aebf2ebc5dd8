# Generated from the OpenAPI document by tools/generate-clients.ts; changes here are lost.
"""A client of one service."""

from __future__ import annotations

from typing import Any, Iterator, Mapping, Optional, Type, TypeVar, Union

from ._sync_caller import Caller, FileBody
from ._sync_operations import Operations
from ._calls import OnProgress
from ._record import Record
from ._types import Artifact, Job

R = TypeVar("R", bound=Record)

BASE_URL = "http://127.0.0.1:7700"


class Quern(Operations):
    """A client of one service; calls are repeated where that may help and does nothing twice."""

    def __init__(
        self,
        base_url: str = BASE_URL,
        api_key: Optional[str] = None,
        *,
        max_retries: int = 5,
        timeout: float = 330.0,
        longest_wait: float = 60.0,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        super().__init__(
            Caller(
                base_url,
                api_key,
                max_retries=max_retries,
                timeout=timeout,
                longest_wait=longest_wait,
                headers=headers,
            )
        )

    def __enter__(self) -> "Quern":
        return self

    def __exit__(self, *_error: Any) -> None:
        self.close()

    def close(self) -> None:
        """Ends every call that runs, in whatever thread; jobs go on."""
        self._caller.transport.close()

    def wait_for(self, job: Union[str, Job], on_progress: Optional[OnProgress] = None) -> Job:
        """Waits until a job has ended, whatever became of it, through restarts of the service."""
        return self._caller.wait(_id_of(job), on_progress)

    def download(self, file: Union[str, Artifact]) -> FileBody:
        """The bytes of a screenshot or PDF that an answer names."""
        return self.get_artifact(id=_id_of(file))

    def result_lines(self, job: Union[str, Job], kind: Type[R] = Record) -> Iterator[R]:  # type: ignore[assignment]
        """Every element of the long list of a job's result, such as the pages of a crawl."""
        return self._caller.lines(_id_of(job), kind)

    def archive(self, job: Union[str, Job]) -> FileBody:
        """The archive of a crawl with `archive=True`, a .warc.gz."""
        return self._caller.archive(_id_of(job))


def _id_of(record: Any) -> str:
    return record if isinstance(record, str) else record.id
