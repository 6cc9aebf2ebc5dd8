from __future__ import annotations

import threading
import time
import unittest
from typing import Any

from quern import (
    CallOptions,
    Quern,
    QuernClosed,
    QuernConnectionError,
    QuernError,
    Record,
    WebhookError,
    verify_webhook,
)

from .world import ARTICLE, FLOUR, KEY, RECEIVER, SITE, URL, control, fault, plan


class SyncTest(unittest.TestCase):
    def setUp(self) -> None:
        self.quern = Quern(base_url=URL, api_key=KEY)

    def tearDown(self) -> None:
        self.quern.close()

    def test_a_page_is_fetched_with_its_members_as_attributes(self) -> None:
        page = self.quern.fetch(url=ARTICLE)
        self.assertIn("## What was done", page.markdown or "")
        self.assertEqual(page.usage.credits, 2)
        self.assertEqual(page.attempts[0].tier, "http")
        self.assertIsNone(page.screenshot)
        self.assertIsNone(page.attempts[0].reason)
        self.assertEqual(page["metadata"].title, page.metadata.title)
        with self.assertRaises(AttributeError):
            page.nothing_of_the_kind
        flour = self.quern.fetch(FLOUR, output=["json"], extract={"fields": {"name": "string", "price": "money"}})
        self.assertEqual(flour.json["price"], {"amount": 4.9, "currency": "EUR"})

    def test_members_with_names_that_python_cannot_write_are_read_with_an_underscore(self) -> None:
        record = Record({"from": 1, "4k": True, "a-b": {"c": 2}})
        self.assertEqual((record.from_, record._4k, record.a_b), (1, True, {"c": 2}))

    def test_a_refusal_is_an_error_with_the_code_the_status_and_the_request(self) -> None:
        with Quern(base_url=URL, api_key="qk_wrong") as nobody, self.assertRaises(QuernError) as caught:
            nobody.get_usage()
        error = caught.exception
        self.assertEqual((error.status, error.code, error.retryable), (401, "invalid_api_key", False))
        self.assertTrue((error.request_id or "").startswith("req_"))

    def test_a_call_that_the_plan_makes_a_job_of_is_waited_for(self) -> None:
        page = self.quern.fetch(ARTICLE, timeout_ms=300_000)
        self.assertIn("## What was done", page.markdown or "")

    def test_a_503_and_a_429_are_tried_again_when_they_ask_under_the_same_key(self) -> None:
        before = len(control("passed"))
        plan(fault(503, "backend_unavailable", retry_after=1), fault(429, "concurrency_limit_exceeded", retry_after=1))
        self.quern.fetch(ARTICLE)
        calls = control("passed")[before:]
        self.assertEqual(len(calls), 3)
        self.assertEqual(len({call["key"] for call in calls}), 1)
        self.assertGreaterEqual(calls[2]["at"] - calls[0]["at"], 1900)

    def test_what_is_no_use_to_repeat_or_asks_for_too_long_a_wait_is_raised_at_once(self) -> None:
        before = len(control("passed"))
        plan(fault(502, "target_blocked", retryable=False))
        with self.assertRaises(QuernError) as blocked:
            self.quern.fetch(ARTICLE)
        self.assertEqual(blocked.exception.code, "target_blocked")
        plan(fault(429, "daily_credit_cap_exceeded", retry_after=7200))
        with self.assertRaises(QuernError) as capped:
            self.quern.fetch(ARTICLE)
        self.assertEqual(capped.exception.retry_after, 7200)
        self.assertEqual(len(control("passed")), before + 2)

    def test_a_call_whose_answer_was_lost_gets_that_answer_and_is_charged_once(self) -> None:
        used = self.quern.get_usage().credits_used
        before = len(control("passed"))
        plan("lost", "answer lost")
        self.quern.fetch(f"{SITE}/articles/bridge-closed-on-sunday")
        self.assertEqual([call["replayed"] for call in control("passed")[before:]], [None, False, True])
        self.assertEqual(self.quern.get_usage().credits_used, used + 2)

    def test_a_change_that_may_mean_another_thing_the_second_time_is_not_repeated(self) -> None:
        plan("lost")
        with self.assertRaises(QuernConnectionError):
            self.quern.cancel_job("job_0")

    def test_a_closed_client_ends_what_waits(self) -> None:
        quern = Quern(base_url=URL, api_key=KEY)
        plan(fault(503, "backend_unavailable", retry_after=50))
        closing = threading.Timer(0.3, quern.close)
        closing.start()
        began = time.monotonic()
        with self.assertRaises(QuernClosed):
            quern.fetch(ARTICLE)
        self.assertLess(time.monotonic() - began, 40)

    def test_a_crawl_gives_its_pages_while_it_runs_though_the_service_is_killed_in_the_middle(self) -> None:
        seen: list[str] = []
        told: list[int] = []
        run = self.quern.crawl(
            url=SITE, max_pages=10, delay_ms=400, on_progress=lambda progress, _job: told.append(progress.completed)
        )
        for page in run:
            self.assertIsInstance(page.markdown, str)
            seen.append(page.url)
            if len(seen) == 2:
                control("restart")
        self.assertEqual((len(seen), len(set(seen))), (10, 10))
        self.assertTrue(any(0 < count < 10 for count in told), told)
        whole = run.result()
        self.assertEqual([page.url for page in whole.pages], seen)
        self.assertEqual(whole.usage.credits, 20)

    def test_a_crawl_that_ends_between_a_look_and_the_reading_of_its_pages_gives_each_once(self) -> None:
        def wait_for_end(progress: Any, job: Any) -> None:
            if job.status == "running" and progress.completed > 0:
                with Quern(base_url=URL, api_key=KEY) as other:
                    other.wait_for(job)

        run = self.quern.crawl(url=SITE, max_pages=4, delay_ms=400, on_progress=wait_for_end)
        seen = [page.url for page in run]
        self.assertEqual((len(seen), len(set(seen))), (4, 4))

    def test_a_run_is_taken_up_by_another_client_where_the_first_has_left_it(self) -> None:
        first = self.quern.crawl(url=SITE, max_pages=8)
        seen: list[str] = []
        for page in first:
            seen.append(page.url)
            if first.cursor is not None:
                break
        with Quern(base_url=URL, api_key=KEY) as other:
            for page in other.resume_crawl(first.job().id, cursor=first.cursor):
                seen.append(page.url)
        self.assertEqual((len(seen), len(set(seen))), (8, 8))

    def test_a_map_has_a_result_and_lines(self) -> None:
        run = self.quern.map(f"{SITE}/shop", max_urls=5, sources=["links"], max_depth=1)
        result = run.result()
        self.assertEqual(len(result.urls), 5)
        self.assertEqual([line.url for line in self.quern.result_lines(run.job())], [one.url for one in result.urls])

    def test_a_run_that_is_cancelled_ends(self) -> None:
        run = self.quern.crawl(url=SITE, max_pages=20, delay_ms=1000)
        run.job()
        run.cancel()
        self.assertEqual(self.quern.wait_for(run.job()).status, "cancelled")

    def test_lists_are_read_page_by_page_and_a_job_is_followed_to_its_end(self) -> None:
        job = self.quern.submit_job("fetch", {"url": ARTICLE})
        events = list(self.quern.follow_job(job.id))
        self.assertEqual(events[-1].type, "end")
        self.assertEqual(events[-1].job.id, job.id)
        page = self.quern.list_jobs(limit=2).page()
        self.assertEqual(len(page.data), 2)
        ids = [one.id for one in self.quern.list_jobs(limit=2)]
        self.assertGreater(len(ids), 2)
        self.assertEqual(len(set(ids)), len(ids))
        self.assertEqual(list(self.quern.list_jobs(from_="2999-01-01T00:00:00Z")), [])

    def test_a_monitor_is_created_changed_and_deleted(self) -> None:
        monitor = self.quern.create_monitor(url=FLOUR, extract={"price": "money"})
        self.assertTrue(monitor.active)
        self.assertFalse(self.quern.update_monitor(monitor.id, active=False).active)
        self.assertIsNone(self.quern.delete_monitor(monitor.id))
        with self.assertRaises(QuernError) as gone:
            self.quern.get_monitor(monitor.id, options=CallOptions(max_retries=0))
        self.assertEqual(gone.exception.code, "not_found")

    def test_a_delivery_is_verified_and_what_is_altered_foreign_or_old_is_refused(self) -> None:
        job = self.quern.submit_job("fetch", {"url": ARTICLE}, webhook=f"{RECEIVER}/hook")
        secret = job.webhook.secret
        delivery = control("delivery")
        body, headers = delivery["body"], delivery["headers"]
        event = verify_webhook(body, headers, secret)
        self.assertEqual((event.type, event.data.id), ("job.completed", job.id))
        verify_webhook(body.encode(), headers, ["whsec_b3RoZXI=", secret])
        other = "whsec_b3RoZXI="
        for changed in (
            (body.replace("fetch", "fetsh"), headers, secret),
            (body, headers, other),
            (body, {}, secret),
        ):
            with self.assertRaises(WebhookError):
                verify_webhook(*changed)
        with self.assertRaises(WebhookError):
            verify_webhook(body, headers, secret, now=time.time() + 301)


if __name__ == "__main__":
    unittest.main()
