"""One request over a connection of its own, by the standard library."""

from __future__ import annotations

import asyncio
import http.client
import socket
import ssl
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import AsyncIterator, Callable, Dict, Iterator, List, Mapping, Optional, Set, Tuple, TypeVar
from urllib.parse import urlsplit

from ._errors import QuernClosed, QuernConnectionError

T = TypeVar("T")

CHUNK = 64 * 1024
#: Calls of an AsyncQuern that run at once; more wait for their turn.
MOST_THREADS = 64


class Response:
    """An answer whose body is still to be read."""

    def __init__(self, transport: "Transport", connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers: Dict[str, str] = {name.lower(): value for name, value in response.getheaders()}
        self._transport = transport
        self.connection = connection
        self._response = response

    def read(self) -> bytes:
        try:
            return self._response.read()
        except (OSError, http.client.HTTPException) as error:
            raise self._transport.failure("the answer broke off", error) from error
        finally:
            self.close()

    def pieces(self) -> Iterator[bytes]:
        try:
            while True:
                piece = self._response.read1(CHUNK)
                if not piece:
                    return
                yield piece
        except (OSError, http.client.HTTPException) as error:
            raise self._transport.failure("the answer broke off", error) from error
        finally:
            self.close()

    def close(self) -> None:
        self._transport.release(self.connection)


class Transport:
    """Opens connections, and closes those that are open when the client is closed."""

    def __init__(self, base_url: str) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"base_url: {base_url} is no http or https address")
        self._is_secure = parts.scheme == "https"
        self._address: Tuple[str, Optional[int]] = (parts.hostname, parts.port)
        self._prefix = parts.path.rstrip("/")
        self._open: Set[http.client.HTTPConnection] = set()
        self._lock = threading.Lock()
        self._closed = threading.Event()

    def request(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        body: Optional[bytes],
        timeout: float,
        on_open: Optional[Callable[[http.client.HTTPConnection], None]] = None,
    ) -> Response:
        """Sends a request; raises QuernConnectionError where no answer begins in time."""
        connection = self._connect(timeout)
        with self._lock:
            self._open.add(connection)
        if on_open is not None:
            on_open(connection)
        try:
            if self._closed.is_set():
                raise QuernClosed("the client is closed")
            connection.request(method, self._prefix + path, body=body, headers=dict(headers))
            return Response(self, connection, connection.getresponse())
        except (OSError, http.client.HTTPException) as error:
            self.release(connection)
            raise self.failure("the service did not answer", error) from error
        except BaseException:
            self.release(connection)
            raise

    def sleep(self, seconds: float) -> None:
        if self._closed.wait(seconds):
            raise QuernClosed("the client is closed")

    def close(self) -> None:
        """Ends every call that runs."""
        self._closed.set()
        with self._lock:
            open_now = list(self._open)
        for connection in open_now:
            interrupt(connection)

    def release(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            self._open.discard(connection)
        connection.close()

    def failure(self, message: str, error: Exception) -> Exception:
        if self._closed.is_set():
            return QuernClosed("the client is closed")
        return QuernConnectionError(f"{message}: {error}")

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        host, port = self._address
        if self._is_secure:
            return http.client.HTTPSConnection(host, port, timeout=timeout, context=ssl.create_default_context())
        return http.client.HTTPConnection(host, port, timeout=timeout)


def interrupt(connection: http.client.HTTPConnection) -> None:
    """Ends what waits for a connection, in whatever thread."""
    sock = connection.sock
    if sock is None:
        return
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


class AsyncResponse:
    """The same for asyncio: what blocks does so in a thread."""

    def __init__(self, transport: "AsyncTransport", response: Response) -> None:
        self.status = response.status
        self.headers = response.headers
        self._transport = transport
        self._response = response

    async def read(self) -> bytes:
        return await self._transport.run(self._response.read, [self._response.connection])

    async def pieces(self) -> AsyncIterator[bytes]:
        pieces = self._response.pieces()
        try:
            while True:
                piece = await self._transport.run(lambda: next(pieces, b""), [self._response.connection])
                if not piece:
                    return
                yield piece
        finally:
            self._response.close()

    async def close(self) -> None:
        self._response.close()


class AsyncTransport:
    """The same for asyncio; a cancelled call ends its connection."""

    def __init__(self, base_url: str) -> None:
        self._transport = Transport(base_url)
        self._threads = ThreadPoolExecutor(max_workers=MOST_THREADS, thread_name_prefix="quern")

    async def request(
        self, method: str, path: str, headers: Mapping[str, str], body: Optional[bytes], timeout: float
    ) -> AsyncResponse:
        opened: List[http.client.HTTPConnection] = []
        response = await self.run(
            lambda: self._transport.request(method, path, headers, body, timeout, opened.append), opened
        )
        return AsyncResponse(self, response)

    async def run(self, work: Callable[[], T], connections: List[http.client.HTTPConnection]) -> T:
        """Runs what blocks in a thread; cancelled, it ends these connections, and so the thread."""
        running = asyncio.get_running_loop().run_in_executor(self._threads, work)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            for connection in connections:
                interrupt(connection)
            running.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def close(self) -> None:
        self._transport.close()
        self._threads.shutdown(wait=False)
