"""The forms that calls have: once, as work that may become a job, as a run, a list, events or a file."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any, AsyncIterator, Dict, Generic, List, Mapping, Optional, Tuple, Type, TypeVar

from ._calls import (
    CANCEL,
    FIRST_LOOK_MS,
    FOLLOWING,
    FOLLOWING_RETRIES,
    JOB,
    LONGEST_LOOK_MS,
    RECONNECT,
    RESULT,
    SUBMIT,
    WAITING_LOOK_MS,
    CallOptions,
    JobEvent,
    ListPage,
    OnProgress,
    Route,
    demand_success,
    has_ended,
    pause_after,
    place,
    read_event,
    to_error,
)
from ._errors import QuernConnectionError, QuernError
from ._record import Record
from ._transport import AsyncResponse, AsyncTransport
from ._types import Job, JobProgress

R = TypeVar("R", bound=Record)
I = TypeVar("I", bound=Record)


class AsyncFileBody:
    """The bytes of a screenshot, a PDF or an archive."""

    def __init__(self, response: AsyncResponse) -> None:
        self._response = response
        self.content_type = response.headers.get("content-type", "application/octet-stream")
        size = response.headers.get("content-length")
        #: None where the service does not say.
        self.size = None if size is None else int(size)

    async def read(self) -> bytes:
        return await self._response.read()

    def pieces(self) -> AsyncIterator[bytes]:
        """The bytes as they come; they are read once."""
        return self._response.pieces()

    async def save(self, path: str) -> None:
        with open(path, "wb") as file:
            async for piece in self._response.pieces():
                file.write(piece)


class AsyncRecordList(Generic[R]):
    """A list of records, newest first: `page()` is its first page, iterated it is every element, page after page."""

    def __init__(self, caller: "AsyncCaller", route: Route, members: Mapping[str, Any], kind: Type[R], options: CallOptions) -> None:
        self._caller = caller
        self._route = route
        self._members = members
        self._kind = kind
        self._options = options

    async def page(self, cursor: Optional[str] = None) -> "ListPage[R]":
        members = self._members if cursor is None else {**self._members, "cursor": cursor}
        body = (await self._caller.json(self._route, members, self._options))[1]
        return ListPage([self._kind(one) for one in body["data"]], body["next_cursor"])

    async def __aiter__(self) -> AsyncIterator[R]:
        page = await self.page()
        while True:
            for one in page.data:
                yield one
            if page.next_cursor is None:
                return
            page = await self.page(page.next_cursor)


class AsyncJobRun(Generic[R, I]):
    """Work that takes long, as a job of the service.

    Iterated it gives the elements of its result while it runs; `result()` is the whole. Leaving the iteration leaves the
    job; `cancel()` ends it.
    """

    def __init__(
        self,
        caller: "AsyncCaller",
        route: Route,
        kinds: Tuple[Type[R], Type[I]],
        *,
        order: Optional[Mapping[str, Any]] = None,
        job_id: Optional[str] = None,
        cursor: Optional[str] = None,
        on_progress: Optional[OnProgress] = None,
        options: CallOptions = CallOptions(),
    ) -> None:
        self._caller = caller
        self._route = route
        self._kinds = kinds
        self._order = order
        self._job_id = job_id
        self._on_progress = on_progress
        self._options = options
        self._job: Optional[Job] = None
        #: Behind the elements that were given so far: with the id of the job another iteration goes on there.
        self.cursor = cursor
        self._is_at_end = False
        #: How far it is, as it was told last; None before the first time.
        self.progress: Optional[JobProgress] = None

    async def job(self) -> Job:
        """The job, which is submitted by the first call of any member."""
        if self._job is None:
            if self._job_id is not None:
                self._job = await self._caller.once(JOB, {"id": self._job_id}, Job, self._options)
            else:
                self._job = await self._caller.once(SUBMIT, self._order or {}, Job, self._options)
        return self._job

    async def cancel(self) -> None:
        job = await self.job()
        await self._caller.json(CANCEL, {"id": job.id}, CallOptions())

    async def __aiter__(self) -> AsyncIterator[I]:
        job = await self.job()
        wait = float(FIRST_LOOK_MS)
        completed = 0
        while True:
            now = await self._look(job.id, wait)
            wait = min(wait * 1.5, LONGEST_LOOK_MS)
            is_over = has_ended(now)
            if not is_over and now.progress.completed <= completed:
                continue
            completed = now.progress.completed
            async for element in self._read_on(job.id, is_over):
                yield element
            if is_over:
                demand_success(now)
                return

    async def result(self) -> R:
        """Waits for the whole result."""
        job = await self.job()
        wait = float(FIRST_LOOK_MS)
        while True:
            now = await self._look(job.id, wait)
            wait = min(wait * 1.5, LONGEST_LOOK_MS)
            if has_ended(now):
                demand_success(now)
                return self._kinds[0](await self._caller.read_result(now, self._route.list))

    async def _look(self, job_id: str, wait_ms: float) -> Job:
        job = await self._caller.once(JOB, {"id": job_id, "wait_ms": round(wait_ms)}, Job, FOLLOWING)
        self.progress = job.progress
        if self._on_progress is not None:
            self._on_progress(job.progress, job)
        return job

    async def _read_on(self, job_id: str, is_over: bool) -> AsyncIterator[I]:
        """Gives what is there; of a job that has ended to the end of its list."""
        while not self._is_at_end:
            elements, cursor = await self._caller.read_part(job_id, self._route.list or "", self.cursor)
            for at, element in enumerate(elements):
                # Whoever leaves at the last element has had all of this part.
                if at == len(elements) - 1 and cursor is not None:
                    self.cursor = cursor
                yield self._kinds[1](element)
            # The job may end between a look at it and this: what was given then is not given again.
            self._is_at_end = cursor is None
            if not is_over and not elements:
                return


class AsyncCaller:
    """Makes the calls of a client, and repeats those that may succeed later and do nothing twice."""

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str],
        *,
        max_retries: int,
        timeout: float,
        longest_wait: float,
        headers: Optional[Mapping[str, str]],
    ) -> None:
        self.transport = AsyncTransport(base_url)
        self._api_key = api_key
        self._max_retries = max_retries
        self._timeout = timeout
        self._longest_wait = longest_wait
        self._headers = dict(headers or {})

    async def once(self, route: Route, members: Mapping[str, Any], kind: Type[R], options: CallOptions) -> R:
        return kind((await self.json(route, members, options))[1])

    async def maybe(self, route: Route, members: Mapping[str, Any], kind: Type[R], options: CallOptions) -> Optional[R]:
        """The same for an answer that may have no body."""
        body = (await self.json(route, members, options))[1]
        return None if body is None else kind(body)

    async def nothing(self, route: Route, members: Mapping[str, Any], options: CallOptions) -> None:
        await self.json(route, members, options)

    async def work(self, route: Route, members: Mapping[str, Any], kind: Type[R], options: CallOptions) -> R:
        """The answer of work, waited for where the service has made a job of it."""
        status, body = await self.json(route, members, options)
        if status != 202:
            return kind(body)
        job = await self.wait(Job(body).id)
        demand_success(job)
        return kind(await self.read_result(job, route.list))

    async def wait(self, job_id: str, on_progress: Optional[OnProgress] = None) -> Job:
        """Waits until a job has ended, whatever became of it."""
        wait_ms = WAITING_LOOK_MS if on_progress is None else 1000
        while True:
            job = await self.once(JOB, {"id": job_id, "wait_ms": wait_ms}, Job, FOLLOWING)
            if on_progress is not None:
                on_progress(job.progress, job)
            if has_ended(job):
                return job

    async def file(self, route: Route, members: Mapping[str, Any], options: CallOptions) -> AsyncFileBody:
        return AsyncFileBody(await self._repeat(route, members, options, {"accept": "*/*"}))

    async def archive(self, job_id: str) -> AsyncFileBody:
        return await self.file(RESULT, {"id": job_id, "format": "warc"}, CallOptions())

    async def lines(self, job_id: str, kind: Type[R]) -> AsyncIterator[R]:
        """The elements of a result's long list, one JSON value a line."""
        response = await self._repeat(RESULT, {"id": job_id, "format": "jsonl"}, CallOptions(), {"accept": "*/*"})
        rest = b""
        async for piece in response.pieces():
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                if line:
                    yield kind(json.loads(line))
        if rest:
            yield kind(json.loads(rest))

    async def events(self, route: Route, members: Mapping[str, Any], options: CallOptions) -> AsyncIterator[JobEvent]:
        """The events of a job to its end; a connection that is lost is made again."""
        last: Optional[str] = None
        lost = 0
        while True:
            headers = {"accept": "text/event-stream", **({} if last is None else {"last-event-id": last})}
            response = await self._repeat(route, members, FOLLOWING if options.max_retries is None else options, headers)
            try:
                rest = b""
                async for piece in response.pieces():
                    *blocks, rest = re.split(rb"\r?\n\r?\n", rest + piece)
                    for block in blocks:
                        fields = read_event(block)
                        last = fields.get("id", last)
                        if fields.get("event") not in ("progress", "end"):
                            continue
                        lost = 0
                        yield JobEvent(fields["event"], Job(json.loads(fields["data"])))
                        if fields["event"] == "end":
                            return
            except QuernConnectionError:
                pass
            finally:
                await response.close()
            lost += 1
            if lost > FOLLOWING_RETRIES:
                raise QuernConnectionError("the events of the job broke off")
            await self.transport.sleep(RECONNECT)

    async def read_result(self, job: Job, list_name: Optional[str]) -> Dict[str, Any]:
        """A whole result, its long list put together from its pages."""
        partial = {} if job.status == "completed" else {"partial": True}
        body = (await self.json(RESULT, {"id": job.id, **partial}, FOLLOWING))[1]
        if list_name is None:
            return body
        cursor = body.get("next_cursor")
        while cursor is not None:
            elements, cursor = await self.read_part(job.id, list_name, cursor)
            body[list_name].extend(elements)
        body["next_cursor"] = None
        return body

    async def read_part(self, job_id: str, list_name: str, cursor: Optional[str]) -> Tuple[List[Any], Optional[str]]:
        """What the list holds behind a cursor; its own cursor is None only at the end of a job that has ended."""
        members = {"id": job_id, "partial": True, "cursor": cursor}
        body = (await self.json(RESULT, members, FOLLOWING))[1]
        return body.get(list_name) or [], body.get("next_cursor")

    async def json(self, route: Route, members: Mapping[str, Any], options: CallOptions) -> Tuple[int, Any]:
        """Status and JSON of an answer; None where it has no body."""
        response = await self._repeat(route, members, options, {"accept": "application/json"}, whole=True)
        return response

    async def _repeat(
        self,
        route: Route,
        members: Mapping[str, Any],
        options: CallOptions,
        headers: Mapping[str, str],
        whole: bool = False,
    ) -> Any:
        path, body = place(route, members)
        sent = {**self._headers, **headers}
        if self._api_key is not None:
            sent["authorization"] = f"Bearer {self._api_key}"
        if body is not None:
            sent["content-type"] = "application/json"
        if route.method == "POST":
            sent["idempotency-key"] = options.idempotency_key or str(uuid.uuid4())
        most = self._max_retries if options.max_retries is None else options.max_retries
        timeout = self._timeout if options.timeout is None else options.timeout
        tries = 0
        while True:
            try:
                response = await self.transport.request(route.method, path, sent, body, timeout)
                if response.status >= 300:
                    raise to_error(response.status, response.headers, await response.read())
                if not whole:
                    return response
                text = await response.read()
                return response.status, json.loads(text) if text else None
            except (QuernError, QuernConnectionError) as error:
                pause = pause_after(error, route, tries, self._longest_wait) if tries < most else None
                if pause is None:
                    raise
            tries += 1
            await self.transport.sleep(pause)
