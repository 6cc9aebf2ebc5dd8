from __future__ import annotations

import asyncio
import time
import unittest

from quern import AsyncQuern, QuernError

from .world import ARTICLE, KEY, SITE, URL, control, fault, plan


class AsyncTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.quern = AsyncQuern(base_url=URL, api_key=KEY)

    async def asyncTearDown(self) -> None:
        await self.quern.close()

    async def test_pages_are_fetched_side_by_side(self) -> None:
        pages = await asyncio.gather(*(self.quern.fetch(ARTICLE) for _ in range(5)))
        self.assertTrue(all("## What was done" in (page.markdown or "") for page in pages))

    async def test_a_refusal_is_an_error(self) -> None:
        with self.assertRaises(QuernError) as caught:
            await self.quern.get_job("job_0")
        self.assertEqual(caught.exception.code, "not_found")

    async def test_a_503_is_tried_again_when_it_asks(self) -> None:
        before = len(control("passed"))
        plan(fault(503, "backend_unavailable", retry_after=1), "lost")
        await self.quern.fetch(ARTICLE)
        self.assertEqual(len(control("passed")), before + 3)

    async def test_a_cancelled_call_ends_at_once(self) -> None:
        call = asyncio.create_task(self.quern.crawl(url=SITE, max_pages=20, delay_ms=1000).result())
        await asyncio.sleep(1)
        began = time.monotonic()
        call.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await call
        self.assertLess(time.monotonic() - began, 1)
        async for job in self.quern.list_jobs(status="running"):
            await self.quern.cancel_job(job.id)

    async def test_a_crawl_gives_its_pages_through_a_restart_of_the_service(self) -> None:
        seen: list[str] = []
        run = self.quern.crawl(url=SITE, max_pages=6, delay_ms=400)
        async for page in run:
            seen.append(page.url)
            if len(seen) == 1:
                await asyncio.to_thread(control, "restart")
        self.assertEqual((len(seen), len(set(seen))), (6, 6))
        self.assertEqual((await run.result()).usage.credits, 12)

    async def test_a_job_is_followed_and_waited_for(self) -> None:
        job = await self.quern.submit_job("fetch", {"url": ARTICLE})
        events = [event.type async for event in self.quern.follow_job(job.id)]
        self.assertEqual(events[-1], "end")
        self.assertEqual((await self.quern.wait_for(job)).status, "completed")


if __name__ == "__main__":
    unittest.main()
