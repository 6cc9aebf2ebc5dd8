"""A client of one service."""

from __future__ import annotations

from typing import Any, AsyncIterator, Mapping, Optional, Type, TypeVar, Union

from ._async_caller import AsyncCaller, AsyncFileBody
from ._async_operations import AsyncOperations
from ._calls import OnProgress
from ._record import Record
from ._types import Artifact, Job

R = TypeVar("R", bound=Record)

BASE_URL = "http://127.0.0.1:7700"


class AsyncQuern(AsyncOperations):
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
            AsyncCaller(
                base_url,
                api_key,
                max_retries=max_retries,
                timeout=timeout,
                longest_wait=longest_wait,
                headers=headers,
            )
        )

    async def __aenter__(self) -> "AsyncQuern":
        return self

    async def __aexit__(self, *_error: Any) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends every call that runs, in whatever thread; jobs go on."""
        await self._caller.transport.close()

    async def wait_for(self, job: Union[str, Job], on_progress: Optional[OnProgress] = None) -> Job:
        """Waits until a job has ended, whatever became of it, through restarts of the service."""
        return await self._caller.wait(_id_of(job), on_progress)

    async def download(self, file: Union[str, Artifact]) -> AsyncFileBody:
        """The bytes of a screenshot or PDF that an answer names."""
        return await self.get_artifact(id=_id_of(file))

    def result_lines(self, job: Union[str, Job], kind: Type[R] = Record) -> AsyncIterator[R]:  # type: ignore[assignment]
        """Every element of the long list of a job's result, such as the pages of a crawl."""
        return self._caller.lines(_id_of(job), kind)

    async def archive(self, job: Union[str, Job]) -> AsyncFileBody:
        """The archive of a crawl with `archive=True`, a .warc.gz."""
        return await self._caller.archive(_id_of(job))


def _id_of(record: Any) -> str:
    return record if isinstance(record, str) else record.id
