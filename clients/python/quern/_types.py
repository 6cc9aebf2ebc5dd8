# Generated from the OpenAPI document by tools/generate-clients.ts; changes here are lost.
"""The records of answers and the types of inputs."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Required, Sequence, TypeAlias, TypedDict, Union

from ._record import Record


class JobCompletedEvent(Record):
    """Job completed event, as the service answers it."""

    #: Equals webhook-id; the same for every attempt
    id: str
    type: Literal["job.completed"]
    #: When it happened
    timestamp: str
    api_version: str
    job_id: str
    #: The body was too long: lists and texts in data are truncated
    truncated: Optional[Literal[True]]
    #: If truncated: path of the complete record
    url: Optional[str]
    data: Job

    _records = {
        "data": lambda: Job,
    }


class Job(Record):
    """Job, as the service answers it."""

    id: str
    #: The operation that runs
    kind: str
    #: Secrets masked; null when the job is deleted or expired
    input: Optional[Dict[str, Any]]
    status: Literal["queued", "running", "completed", "failed", "cancelled", "expired"]
    progress: JobProgress
    #: Number of attempts, at most 5
    attempt: int
    cancel_requested: bool
    created_at: str
    started_at: Optional[str]
    finished_at: Optional[str]
    #: When the result is deleted; null until the job has ended
    expires_at: Optional[str]
    stop_reason: Optional[str]
    #: Set for a queued job that waits for the store of the service. It continues automatically, and the attempt does not count
    waiting: Optional[JobWait]
    #: Why the result was deleted early: the plan keeps no more bytes of results, or the disk of the service was full
    evicted_for: Optional[Literal["plan", "disk"]]
    error: Optional[JobError]
    result_url: str
    #: For a completed job: the result if it has up to 256 KiB; for a longer list the first elements and next_cursor; otherwise see result_url
    result: Optional[Dict[str, Any]]
    #: Null if nothing was charged yet
    usage: Optional[Usage]
    #: True in lists if a long input is truncated; the job itself has the full input
    summarized: Optional[bool]
    #: The webhook of the job, if it was submitted with one
    webhook: Optional[Webhook]
    #: Only in the response to the submission: changes made to the input
    warnings: Optional[List[Warning]]

    _records = {
        "progress": lambda: JobProgress,
        "waiting": lambda: JobWait,
        "error": lambda: JobError,
        "usage": lambda: Usage,
        "webhook": lambda: Webhook,
        "warnings": lambda: Warning,
    }


class JobProgress(Record):
    """Job progress, as the service answers it."""

    discovered: int
    completed: int
    failed: int
    #: Absent while it is not known
    total: Optional[int]
    #: URLs that a crawl or map still has to visit
    pending: Optional[int]


class JobWait(Record):
    """Job wait, as the service answers it."""

    #: What is unavailable: the database, or the store of results
    for_: Literal["database", "results"]
    since: str
    #: Attempts that failed for this reason since then
    tries: int
    #: When it is retried; after an hour the attempts count like any others
    next_at: str


class JobError(Record):
    """Job error, as the service answers it."""

    code: str
    message: str


class Usage(Record):
    """Usage, as the service answers it."""

    credits: int
    base: int
    surcharge: int
    #: The tier that served it; for several pages the most expensive one
    tier: Literal["cache", "http", "browser", "proxy", "proxy_browser"]
    #: Pages by tier, if there are several
    tiers: Optional[Dict[str, int]]


class Webhook(Record):
    """Webhook, as the service answers it."""

    #: Query values are masked
    url: str
    secret_set: Literal[True]
    #: Only in the response that created it
    secret: Optional[str]
    #: failing: the last attempt failed; disabled: it answered 410, or failed for 5 days; changing it enables it again
    status: Literal["active", "failing", "disabled"]
    #: Header names; the values are masked
    headers: Optional[Dict[str, str]]
    #: null for all, but not crawl.started and crawl.page
    events: Optional[List[str]]
    page_outputs: Optional[bool]
    pages_per_event: Optional[int]
    metadata: Optional[Dict[str, Any]]
    format: Optional[str]


class Warning(Record):
    """Warning, as the service answers it."""

    code: Literal["charset_guessed", "content_reduced", "fields_not_found", "frames_left_out", "left_out", "login_form", "login_page", "model_not_configured", "refusal_page", "selectors_ignored", "sources_disagree", "thin_content", "truncated", "auth_required", "deprecated", "geo_or_legal", "input_adjusted", "hash_routes", "links_not_followed", "loop", "model_refused", "partial", "partial_ladder", "pattern_unmatched", "redirected_home", "scope_left", "target_error", "tier_unavailable", "time_limited", "tls_downgrade"]
    message: str


class JobFailedEvent(Record):
    """Job failed event, as the service answers it."""

    #: Equals webhook-id; the same for every attempt
    id: str
    type: Literal["job.failed"]
    #: When it happened
    timestamp: str
    api_version: str
    job_id: str
    #: The body was too long: lists and texts in data are truncated
    truncated: Optional[Literal[True]]
    #: If truncated: path of the complete record
    url: Optional[str]
    data: Job

    _records = {
        "data": lambda: Job,
    }


class CrawlStartedEvent(Record):
    """Crawl started event, as the service answers it."""

    #: Equals webhook-id; the same for every attempt
    id: str
    type: Literal["crawl.started"]
    #: When it happened
    timestamp: str
    api_version: str
    job_id: str
    #: crawl or fetch.batch
    kind: str
    #: The body was too long: lists and texts in data are truncated
    truncated: Optional[Literal[True]]
    #: If truncated: path of the complete record
    url: Optional[str]
    data: CrawlStartedEventData

    _records = {
        "data": lambda: CrawlStartedEventData,
    }


class CrawlStartedEventData(Record):
    """Crawl started event data, as the service answers it."""

    #: Number of URLs that it starts with
    urls: int


class CrawlPageEvent(Record):
    """Crawl page event, as the service answers it."""

    #: Equals webhook-id; the same for every attempt
    id: str
    type: Literal["crawl.page"]
    #: When it happened
    timestamp: str
    api_version: str
    job_id: str
    #: crawl or fetch.batch
    kind: str
    #: The body was too long: lists and texts in data are truncated
    truncated: Optional[Literal[True]]
    #: If truncated: path of the complete record
    url: Optional[str]
    data: CrawlPageEventData

    _records = {
        "data": lambda: CrawlPageEventData,
    }


class CrawlPageEventData(Record):
    """Crawl page event data, as the service answers it."""

    pages: List[CrawlEventPage]

    _records = {
        "pages": lambda: CrawlEventPage,
    }


class CrawlEventPage(Record):
    """The other members are those of a page in the result."""

    #: Number of the page in its crawl
    seq: int
    state: Literal["stored", "failed"]
    url: str
    status_code: Optional[int]
    #: Why it failed
    error: Optional[CrawlEventPageError]
    #: Path of the stored page
    result_url: Optional[str]
    #: The page is too long: its outputs and perhaps its metadata are left out
    truncated: Optional[Literal[True]]

    _records = {
        "error": lambda: CrawlEventPageError,
    }


class CrawlEventPageError(Record):
    """Why it failed."""

    code: str
    message: str


class MonitorChangeDetectedEvent(Record):
    """Monitor change detected event, as the service answers it."""

    #: Equals webhook-id; the same for every attempt
    id: str
    type: Literal["monitor.change_detected"]
    #: When it happened
    timestamp: str
    api_version: str
    monitor_id: str
    monitor: WatchingMonitor
    #: Metadata of the monitor
    metadata: Dict[str, Any]
    run_id: str
    change_id: str
    first_run: Optional[Literal[True]]
    #: The body was too long: lists and texts in data are truncated
    truncated: Optional[Literal[True]]
    #: If truncated: path of the complete record
    url: Optional[str]
    data: MonitorChangeDetectedEventData

    _records = {
        "monitor": lambda: WatchingMonitor,
    }


class WatchingMonitor(Record):
    """Watching monitor, as the service answers it."""

    id: str
    name: str
    kind: Literal["generic", "hotel", "hotel_channels", "launch"]
    #: Site of a hotel monitor that watches a single site
    provider: Optional[str]
    url: Optional[str]


class MonitorChangeDetectedEventData(Record):
    """Monitor change detected event data, as the service answers it."""

    changes: List[FieldChange]
    truncated: Optional[Literal[True]]
    content: Optional[ContentChange]

    _records = {
        "changes": lambda: FieldChange,
        "content": lambda: ContentChange,
    }


class FieldChange(Record):
    """Field change, as the service answers it."""

    field: str
    previous_value: Any
    new_value: Any
    op: str


class ContentChange(Record):
    """Content change, as the service answers it."""

    previous_hash: Optional[str]
    new_hash: Optional[str]
    added_lines: int
    removed_lines: int
    unified_diff: Optional[str]
    diff_truncated: bool


class MonitorRateParityAlertEvent(Record):
    """Monitor rate parity alert event, as the service answers it."""

    #: Equals webhook-id; the same for every attempt
    id: str
    type: Literal["monitor.rate_parity_alert"]
    #: When it happened
    timestamp: str
    api_version: str
    monitor_id: str
    monitor: WatchingMonitor
    #: Metadata of the monitor
    metadata: Dict[str, Any]
    run_id: str
    change_id: str
    #: The body was too long: lists and texts in data are truncated
    truncated: Optional[Literal[True]]
    #: If truncated: path of the complete record
    url: Optional[str]
    data: RateParityAlert

    _records = {
        "monitor": lambda: WatchingMonitor,
        "data": lambda: RateParityAlert,
    }


class RateParityAlert(Record):
    """Rate parity alert, as the service answers it."""

    provider_low: str
    provider_high: str
    spread: RateParityAlertSpread
    threshold: RateParityAlertThreshold
    previous_spread: Optional[RateParityAlertPreviousSpread]
    prices: List[RateParityAlertPrices]
    params: StayParams

    _records = {
        "spread": lambda: RateParityAlertSpread,
        "threshold": lambda: RateParityAlertThreshold,
        "previous_spread": lambda: RateParityAlertPreviousSpread,
        "prices": lambda: RateParityAlertPrices,
        "params": lambda: StayParams,
    }


class RateParityAlertSpread(Record):
    """Rate parity alert spread, as the service answers it."""

    abs: float
    pct: Optional[float]


class RateParityAlertThreshold(Record):
    """Rate parity alert threshold, as the service answers it."""

    #: Reached by a change of at least this much
    abs: Optional[float]
    #: Reached by a change of at least this share of the earlier value, in %
    pct: Optional[float]


class RateParityAlertPreviousSpread(Record):
    """Rate parity alert previous spread, as the service answers it."""

    abs: float
    pct: Optional[float]


class RateParityAlertPrices(Record):
    """Rate parity alert prices, as the service answers it."""

    provider: str
    price: float
    currency: Optional[str]


class StayParams(Record):
    """Stay params, as the service answers it."""

    check_in: str
    check_out: str
    nights: int
    adults: int
    children: Union[List[int], int]
    rooms: int
    currency: Optional[str]


class MonitorDigestEvent(Record):
    """Monitor digest event, as the service answers it."""

    #: Equals webhook-id; the same for every attempt
    id: str
    type: Literal["monitor.digest"]
    #: When it happened
    timestamp: str
    api_version: str
    monitor_id: str
    monitor: WatchingMonitor
    #: Metadata of the monitor
    metadata: Dict[str, Any]
    #: The body was too long: lists and texts in data are truncated
    truncated: Optional[Literal[True]]
    #: If truncated: path of the complete record
    url: Optional[str]
    data: MonitorDigestEventData

    _records = {
        "monitor": lambda: WatchingMonitor,
        "data": lambda: MonitorDigestEventData,
    }


class MonitorDigestEventData(Record):
    """Monitor digest event data, as the service answers it."""

    period: MonitorDigestEventDataPeriod
    changes_count: int
    #: The first hundred changes
    items: List[MonitorDigestEventDataItems]
    #: There are more changes than items lists
    truncated: Optional[Literal[True]]

    _records = {
        "period": lambda: MonitorDigestEventDataPeriod,
        "items": lambda: MonitorDigestEventDataItems,
    }


class MonitorDigestEventDataPeriod(Record):
    """Monitor digest event data period, as the service answers it."""

    from_: str
    to: str


class MonitorDigestEventDataItems(Record):
    """Monitor digest event data items, as the service answers it."""

    change_id: str
    run_id: str
    detected_at: str
    changes: List[FieldChange]
    content: Optional[MonitorDigestEventDataItemsContent]

    _records = {
        "changes": lambda: FieldChange,
        "content": lambda: MonitorDigestEventDataItemsContent,
    }


class MonitorDigestEventDataItemsContent(Record):
    """Monitor digest event data items content, as the service answers it."""

    previous_hash: Optional[str]
    new_hash: Optional[str]
    added_lines: int
    removed_lines: int


class MonitorFailingEvent(Record):
    """Monitor failing event, as the service answers it."""

    #: Equals webhook-id; the same for every attempt
    id: str
    type: Literal["monitor.failing"]
    #: When it happened
    timestamp: str
    api_version: str
    monitor_id: str
    monitor: WatchingMonitor
    #: Metadata of the monitor
    metadata: Dict[str, Any]
    run_id: str
    #: The body was too long: lists and texts in data are truncated
    truncated: Optional[Literal[True]]
    #: If truncated: path of the complete record
    url: Optional[str]
    data: MonitorFailing

    _records = {
        "monitor": lambda: WatchingMonitor,
        "data": lambda: MonitorFailing,
    }


class MonitorFailing(Record):
    """Monitor failing, as the service answers it."""

    #: Runs in a row that failed or were skipped since the monitor was switched on or rescheduled
    runs_without_result: int
    #: When the first of them ended; null if there is none
    since: Optional[str]
    #: Of the last of them
    error: MonitorFailingError
    #: Of the last of them
    status: Literal["failed", "skipped"]
    skipped_reason: Optional[Literal["overlap", "credits_exhausted", "daily_cap", "plan", "backend_unavailable"]]
    next_run_at: Optional[str]

    _records = {
        "error": lambda: MonitorFailingError,
    }


class MonitorFailingError(Record):
    """Of the last of them."""

    code: str
    message: str
    retryable: bool
    blocked: Optional[bool]
    timed_out: Optional[bool]


class MonitorRecoveredEvent(Record):
    """Monitor recovered event, as the service answers it."""

    #: Equals webhook-id; the same for every attempt
    id: str
    type: Literal["monitor.recovered"]
    #: When it happened
    timestamp: str
    api_version: str
    monitor_id: str
    monitor: WatchingMonitor
    #: Metadata of the monitor
    metadata: Dict[str, Any]
    run_id: str
    #: The body was too long: lists and texts in data are truncated
    truncated: Optional[Literal[True]]
    #: If truncated: path of the complete record
    url: Optional[str]
    data: MonitorRecovered

    _records = {
        "monitor": lambda: WatchingMonitor,
        "data": lambda: MonitorRecovered,
    }


class MonitorRecovered(Record):
    """Monitor recovered, as the service answers it."""

    #: Runs in a row that failed or were skipped since the monitor was switched on or rescheduled
    runs_without_result: int
    #: When the first of them ended; null if there is none
    since: Optional[str]


class MonitorStoppedEvent(Record):
    """Monitor stopped event, as the service answers it."""

    #: Equals webhook-id; the same for every attempt
    id: str
    type: Literal["monitor.stopped"]
    #: When it happened
    timestamp: str
    api_version: str
    monitor_id: str
    monitor: WatchingMonitor
    #: Metadata of the monitor
    metadata: Dict[str, Any]
    #: The last failed run, if failures are the reason
    run_id: Optional[str]
    #: The body was too long: lists and texts in data are truncated
    truncated: Optional[Literal[True]]
    #: If truncated: path of the complete record
    url: Optional[str]
    data: MonitorStopped

    _records = {
        "monitor": lambda: WatchingMonitor,
        "data": lambda: MonitorStopped,
    }


class MonitorStopped(Record):
    """Monitor stopped, as the service answers it."""

    #: failing: switched off after too many failures; expired: there is nothing left to watch; suspended: the tenant is suspended, and the monitor resumes by itself afterwards
    reason: Literal["failing", "expired", "suspended"]
    #: Runs in a row that failed or were skipped since the monitor was switched on or rescheduled
    runs_without_result: int
    #: When the first of them ended; null if there is none
    since: Optional[str]
    #: Error of the last failed run, if failures are the reason
    error: Optional[MonitorStoppedError]

    _records = {
        "error": lambda: MonitorStoppedError,
    }


class MonitorStoppedError(Record):
    """Monitor stopped error, as the service answers it."""

    code: str
    message: str
    retryable: bool
    blocked: Optional[bool]
    timed_out: Optional[bool]


class WebhookTestEvent(Record):
    """Webhook test event, as the service answers it."""

    #: Equals webhook-id; the same for every attempt
    id: str
    type: Literal["webhook.test"]
    #: When it happened
    timestamp: str
    api_version: str
    monitor_id: str
    #: The body was too long: lists and texts in data are truncated
    truncated: Optional[Literal[True]]
    #: If truncated: path of the complete record
    url: Optional[str]
    data: WebhookTestEventData

    _records = {
        "data": lambda: WebhookTestEventData,
    }


class WebhookTestEventData(Record):
    """Webhook test event data, as the service answers it."""

    message: str


class Page(Record):
    """Page, as the service answers it."""

    url: str
    final_url: str
    status_code: int
    content_type: str
    markdown: Optional[str]
    text: Optional[str]
    html: Optional[str]
    raw_html: Optional[str]
    links: Optional[List[Link]]
    images: Optional[List[Image]]
    tables: Optional[List[Table]]
    structured_data: Optional[StructuredData]
    #: For each query the values as written in the page, in document order
    attributes: Optional[List[AttributeValues]]
    #: Parts of the Markdown for an index, in order
    chunks: Optional[List[Chunk]]
    json: Optional[Dict[str, Any]]
    #: The original text of json fields that are empty because it could not be converted to their type
    json_unread: Optional[Dict[str, str]]
    #: The screenshot; null if a browser cannot display the target, or nothing visible matches its selector
    screenshot: Optional[Artifact]
    #: The page as PDF; null if a browser cannot display the target
    pdf: Optional[Artifact]
    #: Null for an error page, which is not compared
    changes: Optional[PageChanges]
    #: The sentences of the main text that match the query best, in the order of the page; empty if none does
    passages: Optional[List[str]]
    #: Summary of the page in a few sentences; empty if the model declined
    summary: Optional[str]
    #: Answer of the model to passages.query; null if there is no model, or it finds no answer
    answer: Optional[str]
    #: What the model contributed, if it was used
    model: Optional[ModelUse]
    metadata: Metadata
    truncated: bool
    next_offset: Optional[int]
    cache: PageCache
    attempts: List[Attempt]
    warnings: List[Warning]

    _records = {
        "links": lambda: Link,
        "images": lambda: Image,
        "tables": lambda: Table,
        "structured_data": lambda: StructuredData,
        "attributes": lambda: AttributeValues,
        "chunks": lambda: Chunk,
        "screenshot": lambda: Artifact,
        "pdf": lambda: Artifact,
        "changes": lambda: PageChanges,
        "model": lambda: ModelUse,
        "metadata": lambda: Metadata,
        "cache": lambda: PageCache,
        "attempts": lambda: Attempt,
        "warnings": lambda: Warning,
    }


class Link(Record):
    """Link, as the service answers it."""

    url: str
    text: str
    rel: Optional[str]
    internal: bool
    nofollow: bool


class Image(Record):
    """Image, as the service answers it."""

    url: str
    alt: Optional[str]
    width: Optional[float]
    height: Optional[float]


class Table(Record):
    """Table, as the service answers it."""

    caption: Optional[str]
    headers: List[str]
    rows: List[List[str]]


class StructuredData(Record):
    """Structured data, as the service answers it."""

    json_ld: List[Any]
    microdata: List[Any]
    rdfa: List[Any]
    opengraph: Dict[str, Any]


class AttributeValues(Record):
    """Attribute values, as the service answers it."""

    selector: str
    attribute: str
    values: List[str]


class Chunk(Record):
    """Chunk, as the service answers it."""

    #: Stays the same while the text of the chunk is edited
    id: str
    #: Markdown
    text: str
    #: Headings above the text, from the outermost on
    heading_path: List[str]
    #: The page, with the anchor of the innermost heading that has one
    url: str
    #: Index among the chunks of the page, from 0
    position: int
    tokens: int
    #: SHA-256 of text, in base64url
    content_hash: str
    #: text also for several kinds
    kind: Literal["text", "code", "table", "list"]
    #: The text contains a part of a block that is too large for one chunk
    split: Optional[Literal[True]]


class Artifact(Record):
    """Artifact, as the service answers it."""

    id: str
    #: URL of its bytes, for the same API key
    url: str
    content_type: Literal["image/png", "image/jpeg", "image/webp", "application/pdf", "application/octet-stream"]
    bytes: int
    #: Width of an image in pixels
    width: Optional[int]
    height: Optional[int]
    expires_at: str


class PageChanges(Record):
    """Page changes, as the service answers it."""

    #: removed: the target answers 404 or 410, and the copy was deleted
    status: Literal["new", "same", "changed", "removed"]
    #: When the last copy was fetched
    previous_at: Optional[str]
    #: With changes.diff; null unless the Markdown differs
    diff: Optional[MarkdownDiff]
    #: With changes.fields; null if the last copy has none
    fields: Optional[List[FieldDifference]]

    _records = {
        "diff": lambda: MarkdownDiff,
        "fields": lambda: FieldDifference,
    }


class MarkdownDiff(Record):
    """Markdown diff, as the service answers it."""

    added_lines: int
    removed_lines: int
    #: Unified diff; null if too many lines differ, or a page is too long
    text: Optional[str]
    #: The same lines, parsed
    hunks: Optional[List[DiffHunk]]
    truncated: bool

    _records = {
        "hunks": lambda: DiffHunk,
    }


class DiffHunk(Record):
    """Diff hunk, as the service answers it."""

    old_start: int
    old_lines: int
    new_start: int
    new_lines: int
    lines: List[DiffHunkLines]

    _records = {
        "lines": lambda: DiffHunkLines,
    }


class DiffHunkLines(Record):
    """Diff hunk lines, as the service answers it."""

    op: Literal["same", "removed", "added"]
    text: str


class FieldDifference(Record):
    """Field difference, as the service answers it."""

    field: str
    previous: Any
    current: Any


class ModelUse(Record):
    """Model use, as the service answers it."""

    #: Outputs that the model made; each is charged
    outputs: List[Literal["json", "summary", "answer"]]
    #: Fields of json that the model filled instead of the page
    members: List[str]
    input_tokens: int
    output_tokens: int


class Metadata(Record):
    """Metadata, as the service answers it."""

    title: Optional[str]
    description: Optional[str]
    language: Optional[str]
    canonical_url: Optional[str]
    image: Optional[str]
    site_name: Optional[str]
    #: Names, separated by commas
    author: Optional[str]
    #: The calendar day as written by the source
    published_date: Optional[str]
    #: The exact time, if the source has one
    published_at: Optional[str]
    modified_at: Optional[str]
    charset: Optional[str]
    #: Words of the main content; without an output that shows text, words outside navigation
    word_count: int
    #: Pages of a PDF, slides of a presentation
    page_count: Optional[int]
    #: The next page of a paginated article or list
    next_url: Optional[str]
    #: The previous page
    prev_url: Optional[str]
    #: The AMP version of the page
    amp_url: Optional[str]
    #: The print version of the page
    print_url: Optional[str]


class PageCache(Record):
    """Page cache, as the service answers it."""

    hit: bool
    age_ms: Optional[int]


class Attempt(Record):
    """Attempt, as the service answers it."""

    tier: Literal["http", "browser", "proxy", "proxy_browser"]
    outcome: Literal["ok", "thin", "js_required", "challenge", "blocked", "rate_limited", "auth_required", "geo_or_legal", "not_found", "http_error", "unreachable", "tls_error", "timeout", "proxy_error", "render_failed", "too_large", "unusable"]
    status_code: Optional[int]
    reason: Optional[str]
    duration_ms: int
    #: Bytes received, without headers
    bytes: int


class Metered(Record):
    """Metered, as the service answers it."""

    #: Identifies the request
    request_id: str
    usage: Usage

    _records = {
        "usage": lambda: Usage,
    }


class MeteredPage(Page, Metered):
    """Page and Metered."""


class FetchBatchResult(Record):
    """Fetch batch result, as the service answers it."""

    #: Whether every URL has a result, an error included
    complete: bool
    #: Why it ended; exhausted: every URL has a result. The others are as in a crawl
    stop_reason: Literal["exhausted", "max_pages", "answer_full", "max_depth", "timeout", "max_credits", "credits_exhausted", "daily_cap", "cancelled", "interrupted", "robots", "blocked", "login_required"]
    #: One result per URL, in the order in which they ended
    results: List[BatchResult]
    #: Skipped invalid URLs, the first thousand
    invalid_urls: List[FetchBatchResultInvalidUrls]
    stats: FetchBatchResultStats
    warnings: List[Warning]

    _records = {
        "results": lambda: BatchResult,
        "invalid_urls": lambda: FetchBatchResultInvalidUrls,
        "stats": lambda: FetchBatchResultStats,
        "warnings": lambda: Warning,
    }


class BatchResult(Record):
    """Batch result, as the service answers it."""

    #: The URL as sent, normalized
    url: str
    #: Index in urls, from 0, of the first of equal pages
    index: int
    final_url: Optional[str]
    #: Absent if the target did not answer
    status_code: Optional[int]
    fetched_at: Optional[str]
    content_type: Optional[str]
    markdown: Optional[str]
    text: Optional[str]
    html: Optional[str]
    raw_html: Optional[str]
    links: Optional[List[Link]]
    images: Optional[List[Image]]
    tables: Optional[List[Table]]
    structured_data: Optional[StructuredData]
    #: For each query the values as written in the page, in document order
    attributes: Optional[List[AttributeValues]]
    #: Parts of the Markdown for an index, in order
    chunks: Optional[List[Chunk]]
    json: Optional[Dict[str, Any]]
    #: The original text of json fields that are empty because it could not be converted to their type
    json_unread: Optional[Dict[str, str]]
    #: The screenshot; null if a browser cannot display the target, or nothing visible matches its selector
    screenshot: Optional[Artifact]
    #: Summary of the page in a few sentences; empty if the model declined
    summary: Optional[str]
    #: Answer of the model to passages.query; null if there is no model, or it finds no answer
    answer: Optional[str]
    #: What the model contributed, if it was used
    model: Optional[ModelUse]
    #: Null for an error page, which is not compared
    changes: Optional[PageChanges]
    #: The sentences of the main text that match the query best, in the order of the page; empty if none does
    passages: Optional[List[str]]
    metadata: Optional[Metadata]
    tier: Optional[Literal["cache", "http", "browser", "proxy", "proxy_browser"]]
    #: Why the page was not fetched; then there are no outputs, and it is free
    error: Optional[BatchError]
    credits: int
    warnings: List[Warning]

    _records = {
        "links": lambda: Link,
        "images": lambda: Image,
        "tables": lambda: Table,
        "structured_data": lambda: StructuredData,
        "attributes": lambda: AttributeValues,
        "chunks": lambda: Chunk,
        "screenshot": lambda: Artifact,
        "model": lambda: ModelUse,
        "changes": lambda: PageChanges,
        "metadata": lambda: Metadata,
        "error": lambda: BatchError,
        "warnings": lambda: Warning,
    }


class BatchError(Record):
    """Batch error, as the service answers it."""

    code: str
    message: str


class FetchBatchResultInvalidUrls(Record):
    """Fetch batch result invalid urls, as the service answers it."""

    #: Index in urls, from 0
    index: int
    url: str
    message: str


class FetchBatchResultStats(Record):
    """Fetch batch result stats, as the service answers it."""

    #: URLs in the request
    requested: int
    invalid: int
    #: URLs equal to an earlier one, which were fetched once
    duplicates: int
    fetched: int
    failed: int
    #: URLs without a result, because the batch ended before
    pending: int
    duration_ms: int


class MeteredFetchBatchResult(FetchBatchResult, Metered):
    """FetchBatchResult and Metered."""


class ExplainedPage(Record):
    """Explained page, as the service answers it."""

    url: str
    final_url: str
    status_code: int
    content_type: str
    title: Optional[str]
    #: Null for a page without text, or with too much text
    explanation: Optional[Explanation]
    #: The explanation as a self-contained HTML page without scripts
    picture: Optional[str]
    #: The first 2,000 visible elements with their own text, in document order
    elements: List[ExplainedPageElements]
    #: By field name of extract
    fields: Dict[str, ExplainedPageFields]
    cache: ExplainedPageCache
    attempts: List[Attempt]
    warnings: List[Warning]

    _records = {
        "explanation": lambda: Explanation,
        "elements": lambda: ExplainedPageElements,
        "cache": lambda: ExplainedPageCache,
        "attempts": lambda: Attempt,
        "warnings": lambda: Warning,
    }


class Explanation(Record):
    """Explanation, as the service answers it."""

    #: shell: the page is filled by scripts, so nothing is kept; whole: no main content was found, so everything is kept
    outcome: Literal["chosen", "shell", "whole"]
    #: Likelihood of each kind of page, 0 to 1
    kinds: Dict[str, float]
    #: Share of the likely main text that is kept
    share: Optional[float]
    #: The score from which blocks are kept
    threshold: float
    #: Number of blocks of the page
    count: int
    blocks: List[ExplanationBlocks]
    #: The source of each metadata field
    facts: List[ExplanationFacts]

    _records = {
        "blocks": lambda: ExplanationBlocks,
        "facts": lambda: ExplanationFacts,
    }


class ExplanationBlocks(Record):
    """Explanation blocks, as the service answers it."""

    text: str
    words: int
    #: The elements that contain it
    place: str
    selector: Optional[str]
    verdict: Literal["kept", "low_score", "comment", "consent", "hidden", "related", "repeated", "island", "shell", "chrome"]
    score: float
    #: The most influential features, and the score without them
    because: Optional[ExplanationBlocksBecause]

    _records = {
        "because": lambda: ExplanationBlocksBecause,
    }


class ExplanationBlocksBecause(Record):
    """Explanation blocks because, as the service answers it."""

    group: str
    otherwise: float


class ExplanationFacts(Record):
    """Explanation facts, as the service answers it."""

    fact: str
    value: str
    by: str
    place: Optional[str]
    also: List[str]


class ExplainedPageElements(Record):
    """Explained page elements, as the service answers it."""

    #: Selects only this element
    selector: Optional[str]
    #: Selects it and similar elements
    similar: Optional[str]
    #: Number of elements matched by similar
    matches: int
    tag: str
    text: str
    depth: int


class ExplainedPageFields(Record):
    """Explained page fields, as the service answers it."""

    #: Null for a field without a selector
    matches: Optional[int]
    #: Texts of the first 20 matches
    values: List[str]
    #: What a fetch with this extract returns
    value: Any


class ExplainedPageCache(Record):
    """Explained page cache, as the service answers it."""

    hit: bool
    age_ms: Optional[int]


class MeteredExplainedPage(ExplainedPage, Metered):
    """ExplainedPage and Metered."""


class CrawlResult(Record):
    """Crawl result, as the service answers it."""

    url: str
    #: Whether no page in reach was missed
    complete: bool
    #: Why it ended; answer_full: the answer has no space for more pages, a job has; blocked: the remaining hosts refused or did not answer 25 visits in a row; login_required: pages became login forms, so the login has expired; interrupted: it could not continue
    stop_reason: Literal["exhausted", "max_pages", "answer_full", "max_depth", "timeout", "max_credits", "credits_exhausted", "daily_cap", "cancelled", "interrupted", "robots", "blocked", "login_required"]
    pages: List[CrawledPage]
    #: Pages that failed (free of charge), the first thousand; removed: gone, and its copy for changes deleted
    errors: List[PageError]
    #: URLs that were not stored (free of charge), by reason
    skipped: Dict[str, int]
    #: robots: robots.txt and the sitemaps that it lists; sitemap: those at the usual paths
    sources: Dict[str, CrawlResultSources]
    stats: CrawlResultStats
    warnings: List[Warning]

    _records = {
        "pages": lambda: CrawledPage,
        "errors": lambda: PageError,
        "stats": lambda: CrawlResultStats,
        "warnings": lambda: Warning,
    }


class CrawledPage(Record):
    """Crawled page, as the service answers it."""

    url: str
    final_url: str
    status_code: int
    fetched_at: str
    depth: int
    parent_url: Optional[str]
    content_type: str
    markdown: Optional[str]
    text: Optional[str]
    html: Optional[str]
    raw_html: Optional[str]
    links: Optional[List[Link]]
    images: Optional[List[Image]]
    tables: Optional[List[Table]]
    structured_data: Optional[StructuredData]
    #: For each query the values as written in the page, in document order
    attributes: Optional[List[AttributeValues]]
    #: Parts of the Markdown for an index, in order
    chunks: Optional[List[Chunk]]
    json: Optional[Dict[str, Any]]
    #: The original text of json fields that are empty because it could not be converted to their type
    json_unread: Optional[Dict[str, str]]
    #: The screenshot; null if a browser cannot display the target, or nothing visible matches its selector
    screenshot: Optional[Artifact]
    #: Summary of the page in a few sentences; empty if the model declined
    summary: Optional[str]
    #: Answer of the model to passages.query; null if there is no model, or it finds no answer
    answer: Optional[str]
    #: What the model contributed, if it was used
    model: Optional[ModelUse]
    #: Null for an error page, which is not compared
    changes: Optional[PageChanges]
    #: The sentences of the main text that match the query best, in the order of the page; empty if none does
    passages: Optional[List[str]]
    metadata: Metadata
    tier: Literal["cache", "http", "browser", "proxy", "proxy_browser"]
    credits: int
    #: URL of a stored page with nearly the same content
    near_duplicate_of: Optional[str]
    #: The status is a success, but the page says that it does not exist
    soft_404: Optional[bool]
    warnings: List[Warning]

    _records = {
        "links": lambda: Link,
        "images": lambda: Image,
        "tables": lambda: Table,
        "structured_data": lambda: StructuredData,
        "attributes": lambda: AttributeValues,
        "chunks": lambda: Chunk,
        "screenshot": lambda: Artifact,
        "model": lambda: ModelUse,
        "changes": lambda: PageChanges,
        "metadata": lambda: Metadata,
        "warnings": lambda: Warning,
    }


class PageError(Record):
    """Page error, as the service answers it."""

    url: str
    status_code: Optional[int]
    code: str
    message: str


class CrawlResultSources(Record):
    """Crawl result sources, as the service answers it."""

    #: URLs in scope that they list
    found: int
    #: Files or pages that were read
    read: int
    #: URLs that were skipped
    refused: int
    errors: List[PageError]

    _records = {
        "errors": lambda: PageError,
    }


class CrawlResultStats(Record):
    """Crawl result stats, as the service answers it."""

    discovered: int
    fetched: int
    failed: int
    skipped: int
    pending: int
    duration_ms: int


class MeteredCrawlResult(CrawlResult, Metered):
    """CrawlResult and Metered."""


class MapResult(Record):
    """Map result, as the service answers it."""

    url: str
    urls: List[MappedUrl]
    #: Number of URLs found, with search those that match, returned or not
    total: int
    #: Whether more URLs were found than are returned
    truncated: bool
    #: Whether no URL in reach was missed, judging by sitemaps and the pages visited
    complete: bool
    stop_reason: Literal["exhausted", "max_urls", "answer_full", "max_depth", "timeout", "max_credits", "credits_exhausted", "daily_cap", "cancelled", "interrupted", "robots", "blocked", "login_required"]
    sources: Dict[str, MapResultSources]
    warnings: List[Warning]

    _records = {
        "urls": lambda: MappedUrl,
        "warnings": lambda: Warning,
    }


class MappedUrl(Record):
    """Mapped url, as the service answers it."""

    url: str
    title: Optional[str]
    #: A date or timestamp, as given by a sitemap or feed
    lastmod: Optional[str]
    #: Where the URL was found first
    source: Literal["seed", "sitemap", "robots", "feed", "known", "links"]
    #: Link depth from the start, if it was found as a link
    depth: Optional[int]


class MapResultSources(Record):
    """Map result sources, as the service answers it."""

    #: URLs that were found here first
    found: int
    #: Files or pages that were read
    read: int
    #: URLs that were skipped
    refused: int
    errors: List[PageError]

    _records = {
        "errors": lambda: PageError,
    }


class MeteredMapResult(MapResult, Metered):
    """MapResult and Metered."""


class InteractResult(Record):
    """Interact result, as the service answers it."""

    mode: Literal["actions", "prompt"]
    url: str
    final_url: str
    #: True if every action that is not optional succeeded
    completed: bool
    #: Index of the step that ended the session
    failed_step: Optional[int]
    steps: List[InteractStep]
    #: Values of named actions
    extracted: Optional[Dict[str, Any]]
    markdown: Optional[str]
    text: Optional[str]
    html: Optional[str]
    raw_html: Optional[str]
    links: Optional[List[Link]]
    images: Optional[List[Image]]
    tables: Optional[List[Table]]
    structured_data: Optional[StructuredData]
    #: For each query the values as written in the page, in document order
    attributes: Optional[List[AttributeValues]]
    #: Parts of the Markdown for an index, in order
    chunks: Optional[List[Chunk]]
    json: Optional[Dict[str, Any]]
    #: The original text of json fields that are empty because it could not be converted to their type
    json_unread: Optional[Dict[str, str]]
    metadata: Optional[Metadata]
    #: The screenshot; null if a browser cannot display the target, or nothing visible matches its selector
    screenshot: Optional[Artifact]
    #: The page as PDF; null if a browser cannot display the target
    pdf: Optional[Artifact]
    #: With prompt: the outcome, in the words of the model
    result: Optional[str]
    #: With prompt and extract: the extracted data, in the form of the schema
    data: Optional[Dict[str, Any]]
    #: With prompt: tokens that the model read and wrote
    model: Optional[InteractResultModel]
    warnings: List[Warning]

    _records = {
        "steps": lambda: InteractStep,
        "links": lambda: Link,
        "images": lambda: Image,
        "tables": lambda: Table,
        "structured_data": lambda: StructuredData,
        "attributes": lambda: AttributeValues,
        "chunks": lambda: Chunk,
        "metadata": lambda: Metadata,
        "screenshot": lambda: Artifact,
        "pdf": lambda: Artifact,
        "model": lambda: InteractResultModel,
        "warnings": lambda: Warning,
    }


class InteractStep(Record):
    """Interact step, as the service answers it."""

    index: int
    type: str
    #: skipped: it failed but was optional
    status: Literal["ok", "failed", "skipped"]
    duration_ms: int
    #: URL of the page afterwards, without fragment
    url: str
    error: Optional[InteractStepError]
    #: Screenshot at the time of the failure
    screenshot: Optional[Artifact]
    #: Files whose download began during this step
    downloads: Optional[List[Download]]

    _records = {
        "error": lambda: InteractStepError,
        "screenshot": lambda: Artifact,
        "downloads": lambda: Download,
    }


class InteractStepError(Record):
    """Interact step error, as the service answers it."""

    code: str
    message: str


class Download(Record):
    """Download, as the service answers it."""

    id: str
    #: URL of its bytes, for the same API key
    url: str
    content_type: Literal["image/png", "image/jpeg", "image/webp", "application/pdf", "application/octet-stream"]
    bytes: int
    #: Width of an image in pixels
    width: Optional[int]
    height: Optional[int]
    expires_at: str
    #: File name that the page suggested
    name: str


class InteractResultModel(Record):
    """With prompt: tokens that the model read and wrote."""

    input_tokens: int
    output_tokens: int


class MeteredInteractResult(InteractResult, Metered):
    """InteractResult and Metered."""


class FastSearch(Record):
    """Fast search, as the service answers it."""

    meta_data: FastSearchMetaData
    organic_results: List[FastResult]
    news_results: List[FastNews]
    #: Adjustments of the input; absent if there are none
    warnings: Optional[List[Warning]]

    _records = {
        "meta_data": lambda: FastSearchMetaData,
        "organic_results": lambda: FastResult,
        "news_results": lambda: FastNews,
        "warnings": lambda: Warning,
    }


class FastSearchMetaData(Record):
    """Fast search meta data, as the service answers it."""

    search: str
    country_code: str
    language: str
    page: int
    engines: List[SearchEngine]
    #: Engines that returned results
    served_by: List[str]
    total_estimate: Optional[int]
    has_more: bool
    took_ms: int
    #: True if an engine failed
    partial: bool

    _records = {
        "engines": lambda: SearchEngine,
    }


class SearchEngine(Record):
    """Search engine, as the service answers it."""

    name: str
    status: Literal["ok", "empty", "blocked", "timeout", "error", "skipped"]
    #: Reason, if the status alone does not explain it
    reason: Optional[str]
    results: int
    #: Results dropped because their URL may not be visited
    dropped: int
    took_ms: int


class FastResult(Record):
    """Fast result, as the service answers it."""

    position: int
    title: str
    url: str
    url_shown: str
    description: str
    #: Registrable domain
    source: str
    published_at: Optional[str]
    language: Optional[str]
    engines: List[str]
    #: The page of the result, if content was requested and the page was read
    content: Optional[SearchPageContent]
    #: Why the page was not read; such a page is free
    content_error: Optional[SearchPageError]

    _records = {
        "content": lambda: SearchPageContent,
        "content_error": lambda: SearchPageError,
    }


class SearchPageContent(Record):
    """Search page content, as the service answers it."""

    final_url: str
    status_code: int
    markdown: Optional[str]
    text: Optional[str]
    html: Optional[str]
    links: Optional[List[Link]]
    #: Whether max_chars cut a text
    truncated: bool

    _records = {
        "links": lambda: Link,
    }


class SearchPageError(Record):
    """Search page error, as the service answers it."""

    code: str
    message: str


class FastNews(Record):
    """Fast news, as the service answers it."""

    position: int
    title: str
    url: str
    #: Registrable domain
    source: str
    description: str
    published_at: Optional[str]
    image_url: Optional[str]
    engines: List[str]


class MeteredFastSearch(FastSearch, Metered):
    """FastSearch and Metered."""


class AnswerenginePromptResult(Record):
    """Answerengine prompt result, as the service answers it."""

    provider: Literal["answerengine"]
    prompt: str
    #: Pages that were skipped, with the reason
    warnings: List[Warning]
    #: Model that wrote the answer; extractive-1 quotes sentences of the sources without a model
    model: str
    #: Markers such as [1] refer to sources, counted from 1
    answer_markdown: str
    related_queries: List[str]
    sources: List[AnswerenginePromptResultSources]

    _records = {
        "warnings": lambda: Warning,
        "sources": lambda: AnswerenginePromptResultSources,
    }


class AnswerenginePromptResultSources(Record):
    """Answerengine prompt result sources, as the service answers it."""

    url: str
    title: str
    #: Registrable domain of the page
    source: str


class MeteredAnswerenginePromptResult(AnswerenginePromptResult, Metered):
    """AnswerenginePromptResult and Metered."""


class AssistantPromptResult(Record):
    """Assistant prompt result, as the service answers it."""

    provider: Literal["assistant"]
    prompt: str
    #: Pages that were skipped, with the reason
    warnings: List[Warning]
    #: Model that wrote the answer; extractive-1 quotes sentences of the sources without a model
    model: str
    #: The answer without Markdown
    response_text: str
    #: Markers such as [1] refer to citations, counted from 1
    markdown_text: str
    citations: List[AssistantPromptResultCitations]

    _records = {
        "warnings": lambda: Warning,
        "citations": lambda: AssistantPromptResultCitations,
    }


class AssistantPromptResultCitations(Record):
    """Assistant prompt result citations, as the service answers it."""

    url: str
    #: Passage of the answer that cites the page
    text: str
    title: str
    description: str


class MeteredAssistantPromptResult(AssistantPromptResult, Metered):
    """AssistantPromptResult and Metered."""


class ChatassistantPromptResult(Record):
    """Chatassistant prompt result, as the service answers it."""

    provider: Literal["chatassistant"]
    prompt: str
    #: Pages that were skipped, with the reason
    warnings: List[Warning]
    #: Model that wrote the answer; extractive-1 quotes sentences of the sources without a model
    model: str
    #: The answer without Markdown
    response_text: str
    #: Markers such as [1] refer to citations, counted from 1
    markdown_text: str
    citations: List[ChatassistantPromptResultCitations]

    _records = {
        "warnings": lambda: Warning,
        "citations": lambda: ChatassistantPromptResultCitations,
    }


class ChatassistantPromptResultCitations(Record):
    """Chatassistant prompt result citations, as the service answers it."""

    url: str
    #: Passage of the answer that cites the page
    text: str
    title: str
    description: str


class MeteredChatassistantPromptResult(ChatassistantPromptResult, Metered):
    """ChatassistantPromptResult and Metered."""


class Answered(Record):
    """Answered, as the service answers it."""

    #: Identifies the request
    request_id: str


class AnsweredJob(Job, Answered):
    """Job and Answered."""


class JobList(Record):
    """Job list, as the service answers it."""

    data: List[Job]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: Job,
    }


class AnsweredJobList(JobList, Answered):
    """JobList and Answered."""


class GetJobResultResult(Record):
    """Get job result result, as the service answers it."""

    #: As in the inline response; null if nothing was charged yet
    usage: Optional[Dict[str, Any]]
    #: For results with a long list: cursor of the next page, null at the end; a running job may add to the list
    next_cursor: Optional[str]


class AnsweredGetJobResultResult(GetJobResultResult, Answered):
    """GetJobResultResult and Answered."""


class JobsPageResult(Record):
    """Jobs page result, as the service answers it."""


class AnsweredJobsPageResult(JobsPageResult, Answered):
    """JobsPageResult and Answered."""


class CrawlPageRowList(Record):
    """Crawl page row list, as the service answers it."""

    data: List[CrawlPageRow]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: CrawlPageRow,
    }


class CrawlPageRow(Record):
    """Crawl page row, as the service answers it."""

    #: Number in order of discovery
    seq: int
    url: str
    state: Literal["waiting", "visiting", "stored", "failed", "skipped"]
    depth: int
    status_code: Optional[int]
    title: Optional[str]
    #: Size of its part of the result
    bytes: Optional[int]
    near_duplicate: bool
    #: Code of the failure or of the reason why it was skipped
    code: Optional[str]
    message: Optional[str]
    #: Place for jobs.page; null if the page is not stored
    place: Optional[str]


class AnsweredCrawlPageRowList(CrawlPageRowList, Answered):
    """CrawlPageRowList and Answered."""


class CrawlTree(Record):
    """Crawl tree, as the service answers it."""

    job_id: str
    prefix: str
    #: Counts of the pages below the prefix
    counts: CrawlTreeCounts
    #: The 1,000 children with the most pages, sorted by name
    children: List[CrawlTreeChildren]
    #: Whether there are more children
    cut: bool

    _records = {
        "counts": lambda: CrawlTreeCounts,
        "children": lambda: CrawlTreeChildren,
    }


class CrawlTreeCounts(Record):
    """Counts of the pages below the prefix."""

    total: int
    stored: int
    failed: int
    skipped: int
    waiting: int
    near_duplicates: int
    by_code: List[CrawlTreeCountsByCode]
    by_depth: List[CrawlTreeCountsByDepth]
    by_status: List[CrawlTreeCountsByStatus]

    _records = {
        "by_code": lambda: CrawlTreeCountsByCode,
        "by_depth": lambda: CrawlTreeCountsByDepth,
        "by_status": lambda: CrawlTreeCountsByStatus,
    }


class CrawlTreeCountsByCode(Record):
    """Crawl tree counts by code, as the service answers it."""

    code: str
    count: int


class CrawlTreeCountsByDepth(Record):
    """Crawl tree counts by depth, as the service answers it."""

    depth: int
    count: int


class CrawlTreeCountsByStatus(Record):
    """Crawl tree counts by status, as the service answers it."""

    status_code: int
    count: int


class CrawlTreeChildren(Record):
    """Crawl tree children, as the service answers it."""

    #: Empty for the page of the prefix itself
    name: str
    #: Prefix for the next level, and for jobs.pages
    prefix: str
    is_leaf: bool
    stored: int
    failed: int
    skipped: int
    waiting: int


class AnsweredCrawlTree(CrawlTree, Answered):
    """CrawlTree and Answered."""


class DeliveryList(Record):
    """Delivery list, as the service answers it."""

    data: List[Delivery]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: Delivery,
    }


class Delivery(Record):
    """Delivery, as the service answers it."""

    id: str
    #: The webhook-id of every attempt
    event_id: str
    type: str
    monitor_id: Optional[str]
    job_id: Optional[str]
    #: Query values are masked
    url: str
    #: failed: will be retried; exhausted: will not be retried; suspended: the webhook is disabled
    status: Literal["pending", "delivering", "succeeded", "failed", "exhausted", "suspended", "cancelled"]
    attempts: List[DeliveryAttempts]
    next_attempt_at: Optional[str]
    created_at: str

    _records = {
        "attempts": lambda: DeliveryAttempts,
    }


class DeliveryAttempts(Record):
    """Delivery attempts, as the service answers it."""

    n: int
    at: str
    duration_ms: int
    status_code: Optional[int]
    #: status, redirect, timeout, unreachable, tls_error or malformed; null when it succeeded
    error: Optional[str]
    #: Beginning of the response body without control characters
    response_excerpt: Optional[str]
    next_attempt_at: Optional[str]


class AnsweredDeliveryList(DeliveryList, Answered):
    """DeliveryList and Answered."""


class Session(Record):
    """Session, as the service answers it."""

    name: str
    #: Hosts with cookies or storage in the session
    hosts: List[str]
    cookies: int
    storage_items: int
    bytes: int
    #: Days until it expires after its last use
    idle_days: float
    created_at: str
    last_used_at: str
    expires_at: str


class AnsweredSession(Session, Answered):
    """Session and Answered."""


class SessionList(Record):
    """Session list, as the service answers it."""

    data: List[Session]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: Session,
    }


class AnsweredSessionList(SessionList, Answered):
    """SessionList and Answered."""


class SessionContents(Record):
    """Session contents, as the service answers it."""

    name: str
    #: Hosts with cookies or storage in the session
    hosts: List[str]
    cookies: int
    storage_items: int
    bytes: int
    #: Days until it expires after its last use
    idle_days: float
    created_at: str
    last_used_at: str
    expires_at: str
    #: Cookies without values
    cookie_list: List[SessionContentsCookieList]
    storage_list: List[SessionContentsStorageList]

    _records = {
        "cookie_list": lambda: SessionContentsCookieList,
        "storage_list": lambda: SessionContentsStorageList,
    }


class SessionContentsCookieList(Record):
    """Session contents cookie list, as the service answers it."""

    name: str
    host: str
    #: Whether it is also sent to subdomains
    subdomains: bool
    path: str
    secure: bool
    http_only: bool
    same_site: Optional[Literal["strict", "lax", "none"]]
    #: Null for a session cookie
    expires_at: Optional[str]
    bytes: int


class SessionContentsStorageList(Record):
    """Session contents storage list, as the service answers it."""

    origin: str
    items: int
    bytes: int


class AnsweredSessionContents(SessionContents, Answered):
    """SessionContents and Answered."""


class Monitor(Record):
    """Monitor, as the service answers it."""

    id: str
    kind: Literal["generic", "hotel", "hotel_channels", "launch"]
    name: str
    url: Optional[str]
    extract: Optional[Dict[str, Any]]
    #: Site of a hotel monitor that watches a single site
    provider: Optional[str]
    property_id: Optional[str]
    #: Channels of a hotel monitor that watches several sites
    channels: Optional[List[MonitorChannels]]
    check_in: Optional[str]
    check_out: Optional[str]
    adults: Optional[int]
    children: Optional[Union[List[int], int]]
    rooms: Optional[int]
    #: If omitted, the currency of the property from the first run on
    currency: Optional[str]
    slug: Optional[str]
    product_id: Optional[str]
    target: Optional[MonitorTarget]
    proxy: Optional[str]
    use_proxy: Optional[bool]
    timeout_ms: Optional[int]
    session: Optional[str]
    watch: Dict[str, Any]
    #: Null for a monitor that only runs when triggered
    cron: Optional[str]
    timezone: str
    metadata: Dict[str, Any]
    active: bool
    inactive_reason: Optional[Literal["user", "expired", "failing", "plan", "credits"]]
    health: Literal["ok", "failing", "waiting_first_run"]
    consecutive_failures: int
    #: Scheduled runs before this time are skipped because runs failed
    backoff_until: Optional[str]
    #: When the next run starts, including its delay; null if none will
    next_run_at: Optional[str]
    last_run_at: Optional[str]
    last_change_at: Optional[str]
    current_run_id: Optional[str]
    #: True in lists if a long definition is truncated
    summarized: Optional[bool]
    #: Scheduled runs of 30 days at the price of the last completed run
    estimated_credits_per_month: int
    created_at: str
    updated_at: str
    #: Its secret is only shown in the response that created it
    webhook: Optional[Webhook]

    _records = {
        "channels": lambda: MonitorChannels,
        "target": lambda: MonitorTarget,
        "webhook": lambda: Webhook,
    }


class MonitorChannels(Record):
    """Monitor channels, as the service answers it."""

    provider: str
    property_id: str


class MonitorTarget(Record):
    """Monitor target, as the service answers it."""

    operation: str
    #: Secrets masked
    input: Dict[str, Any]


class AnsweredMonitor(Monitor, Answered):
    """Monitor and Answered."""


class MonitorList(Record):
    """Monitor list, as the service answers it."""

    data: List[Monitor]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: Monitor,
    }


class AnsweredMonitorList(MonitorList, Answered):
    """MonitorList and Answered."""


class TriggerMonitorResult(Record):
    """Trigger monitor result, as the service answers it."""

    run_id: str
    status: Literal["queued", "running"]
    #: The run already existed
    deduped: Optional[Literal[True]]


class AnsweredTriggerMonitorResult(TriggerMonitorResult, Answered):
    """TriggerMonitorResult and Answered."""


class RunList(Record):
    """Run list, as the service answers it."""

    data: List[Run]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: Run,
    }


class Run(Record):
    """Run, as the service answers it."""

    id: str
    monitor_id: str
    trigger: Literal["schedule", "manual", "create", "catch_up"]
    status: Literal["queued", "running", "completed", "partial", "failed", "cancelled", "skipped"]
    skipped_reason: Optional[Literal["overlap", "credits_exhausted", "daily_cap", "plan", "backend_unavailable"]]
    scheduled_for: str
    queued_at: str
    started_at: Optional[str]
    finished_at: Optional[str]
    attempt: int
    #: For catch_up: number of missed ticks including this one
    missed_ticks: Optional[int]
    first_run: bool
    #: The comparison restarted because the watched target was changed
    baseline_reset: Optional[bool]
    #: Prices were not compared because what they include has changed
    rebased: Optional[bool]
    changed: bool
    change_id: Optional[str]
    #: Observed values by field
    values: Dict[str, Any]
    field_meta: Dict[str, RunFieldMeta]
    content_hash: Optional[str]
    #: The rate of each channel, or why there is none
    channels: Optional[List[Dict[str, Any]]]
    #: Spread of the prices of the channels
    spread: Optional[Spread]
    #: Why there is no spread
    reason: Optional[Literal["insufficient_channels", "currency_mismatch"]]
    warnings: List[str]
    tier: Optional[str]
    final_url: Optional[str]
    http_status: Optional[int]
    #: Null for a run that did not complete, which is free
    usage: Optional[Usage]
    error: Optional[RunError]

    _records = {
        "spread": lambda: Spread,
        "usage": lambda: Usage,
        "error": lambda: RunError,
    }


class RunFieldMeta(Record):
    """Run field meta, as the service answers it."""

    source: str


class Spread(Record):
    """Spread, as the service answers it."""

    min: float
    max: float
    abs: float
    pct: Optional[float]
    cheapest: str
    dearest: str
    currency: Optional[str]
    channels: List[SpreadChannels]

    _records = {
        "channels": lambda: SpreadChannels,
    }


class SpreadChannels(Record):
    """Spread channels, as the service answers it."""

    provider: str
    price: float
    #: Difference to the cheapest
    delta_abs: float
    delta_pct: Optional[float]


class RunError(Record):
    """Run error, as the service answers it."""

    code: str
    message: str
    retryable: bool
    blocked: Optional[bool]
    timed_out: Optional[bool]


class AnsweredRunList(RunList, Answered):
    """RunList and Answered."""


class AnsweredRun(Run, Answered):
    """Run and Answered."""


class ChangeList(Record):
    """Change list, as the service answers it."""

    data: List[Change]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: Change,
    }


class Change(Record):
    """Change, as the service answers it."""

    id: str
    monitor_id: str
    run_id: str
    previous_run_id: Optional[str]
    baseline_run_id: Optional[str]
    detected_at: str
    kind: str
    changes: List[FieldChange]
    truncated: bool
    content: Optional[ContentChange]
    #: For kind parity: the prices of the channels differ too much
    alert: Optional[RateParityAlert]
    #: Whether a webhook event was or will be sent; with watch.digest only after the end of the period
    notified: bool
    delivery_ids: List[str]

    _records = {
        "changes": lambda: FieldChange,
        "content": lambda: ContentChange,
        "alert": lambda: RateParityAlert,
    }


class AnsweredChangeList(ChangeList, Answered):
    """ChangeList and Answered."""


class AnsweredChange(Change, Answered):
    """Change and Answered."""


class MonitorSeries(Record):
    """Monitor series, as the service answers it."""

    monitor_id: str
    #: Time of the oldest run included
    from_: str
    to: str
    fields: List[MonitorSeriesFields]
    #: The last thousand runs that found a change, failed or were skipped, or restarted the comparison
    marks: List[MonitorSeriesMarks]
    #: Whether older runs were omitted
    cut: bool

    _records = {
        "fields": lambda: MonitorSeriesFields,
        "marks": lambda: MonitorSeriesMarks,
    }


class MonitorSeriesFields(Record):
    """Monitor series fields, as the service answers it."""

    field: str
    #: Currency, for money
    unit: Optional[str]
    points: List[MonitorSeriesFieldsPoints]

    _records = {
        "points": lambda: MonitorSeriesFieldsPoints,
    }


class MonitorSeriesFieldsPoints(Record):
    """Monitor series fields points, as the service answers it."""

    at: str
    #: Value of the last run of this point
    value: float
    min: float
    max: float


class MonitorSeriesMarks(Record):
    """Monitor series marks, as the service answers it."""

    at: str
    kind: Literal["change", "failed", "skipped", "reset"]
    run_id: str


class AnsweredMonitorSeries(MonitorSeries, Answered):
    """MonitorSeries and Answered."""


class PreviewScheduleResult(Record):
    """Preview schedule result, as the service answers it."""

    cron: str
    timezone: str
    next: List[str]
    #: The same times in the time zone, such as 2026-11-24 09:00
    local: List[str]
    #: Null if there is only one run
    shortest_gap_minutes: Optional[float]
    #: Whether your plan allows such a short interval
    allowed: bool


class AnsweredPreviewScheduleResult(PreviewScheduleResult, Answered):
    """PreviewScheduleResult and Answered."""


class AnsweredDelivery(Delivery, Answered):
    """Delivery and Answered."""


class RotateWebhookSecretResult(Record):
    """Rotate webhook secret result, as the service answers it."""

    webhook: Webhook

    _records = {
        "webhook": lambda: Webhook,
    }


class AnsweredRotateWebhookSecretResult(RotateWebhookSecretResult, Answered):
    """RotateWebhookSecretResult and Answered."""


class ListedWebhookList(Record):
    """Listed webhook list, as the service answers it."""

    data: List[ListedWebhook]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: ListedWebhook,
    }


class ListedWebhook(Record):
    """Listed webhook, as the service answers it."""

    #: Query values are masked
    url: str
    secret_set: Literal[True]
    #: failing: the last attempt failed; disabled: it answered 410, or failed for 5 days; changing it enables it again
    status: Literal["active", "failing", "disabled"]
    #: Header names; the values are masked
    headers: Optional[Dict[str, str]]
    #: null for all, but not crawl.started and crawl.page
    events: Optional[List[str]]
    page_outputs: Optional[bool]
    pages_per_event: Optional[int]
    metadata: Optional[Dict[str, Any]]
    format: Optional[str]
    #: Id of the monitor or job that it belongs to
    owner_id: str
    monitor_id: Optional[str]
    job_id: Optional[str]
    #: Name of the monitor
    name: Optional[str]
    created_at: str
    last_delivery: Optional[ListedWebhookLastDelivery]

    _records = {
        "last_delivery": lambda: ListedWebhookLastDelivery,
    }


class ListedWebhookLastDelivery(Record):
    """Listed webhook last delivery, as the service answers it."""

    id: str
    status: Literal["pending", "delivering", "succeeded", "failed", "exhausted", "suspended", "cancelled"]
    created_at: str


class AnsweredListedWebhookList(ListedWebhookList, Answered):
    """ListedWebhookList and Answered."""


class DeliveryDetails(Record):
    """Delivery details, as the service answers it."""

    id: str
    #: The webhook-id of every attempt
    event_id: str
    type: str
    monitor_id: Optional[str]
    job_id: Optional[str]
    #: Query values are masked
    url: str
    #: failed: will be retried; exhausted: will not be retried; suspended: the webhook is disabled
    status: Literal["pending", "delivering", "succeeded", "failed", "exhausted", "suspended", "cancelled"]
    attempts: List[DeliveryDetailsAttempts]
    next_attempt_at: Optional[str]
    created_at: str
    #: The request; its time and signature differ by attempt, and your own headers are masked
    request: DeliveryDetailsRequest

    _records = {
        "attempts": lambda: DeliveryDetailsAttempts,
        "request": lambda: DeliveryDetailsRequest,
    }


class DeliveryDetailsAttempts(Record):
    """Delivery details attempts, as the service answers it."""

    n: int
    at: str
    duration_ms: int
    status_code: Optional[int]
    #: status, redirect, timeout, unreachable, tls_error or malformed; null when it succeeded
    error: Optional[str]
    #: Beginning of the response body without control characters
    response_excerpt: Optional[str]
    next_attempt_at: Optional[str]


class DeliveryDetailsRequest(Record):
    """The request; its time and signature differ by attempt, and your own headers are masked."""

    method: Literal["POST"]
    headers: Dict[str, str]
    body: str


class AnsweredDeliveryDetails(DeliveryDetails, Answered):
    """DeliveryDetails and Answered."""


class RedeliverAllResult(Record):
    """Redeliver all result, as the service answers it."""

    redelivered: int
    #: Exhausted deliveries that this call did not retry, without those of disabled webhooks
    left: int


class AnsweredRedeliverAllResult(RedeliverAllResult, Answered):
    """RedeliverAllResult and Answered."""


class AccountUsage(Record):
    """Account usage, as the service answers it."""

    plan: str
    cycle: AccountUsageCycle
    #: Null if the plan sets no limit
    credits_granted: Optional[int]
    credits_topped_up: int
    credits_used: int
    #: Reserved by running calls
    credits_reserved: int
    credits_remaining: Optional[int]
    daily_cap: Optional[int]
    daily_used: int
    daily_resets_at: str
    #: Seconds of browsers, parsers and models used by uncharged calls; falls by unpaid_seconds_per_hour of the plan
    unpaid_seconds: int
    #: Compressed bytes of stored results
    result_bytes: int
    #: Beyond this your oldest results are deleted; null if the plan sets no limit
    kept_result_bytes: Optional[int]
    #: Bytes of stored files
    file_bytes: int
    #: Beyond this your oldest files are deleted; null if the plan sets no limit
    kept_file_bytes: Optional[int]

    _records = {
        "cycle": lambda: AccountUsageCycle,
    }


class AccountUsageCycle(Record):
    """Account usage cycle, as the service answers it."""

    start: str
    end: str


class AnsweredAccountUsage(AccountUsage, Answered):
    """AccountUsage and Answered."""


class UsageRowList(Record):
    """Usage row list, as the service answers it."""

    data: List[UsageRow]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: UsageRow,
    }


class UsageRow(Record):
    """Usage row, as the service answers it."""

    #: Null if rows are grouped by operation
    date: Optional[str]
    #: Null if rows are grouped by day
    operation: Optional[str]
    calls: int
    credits: int


class AnsweredUsageRowList(UsageRowList, Answered):
    """UsageRowList and Answered."""


class LoggedRequestList(Record):
    """Logged request list, as the service answers it."""

    data: List[LoggedRequest]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: LoggedRequest,
    }


class LoggedRequest(Record):
    """Logged request, as the service answers it."""

    id: str
    at: str
    operation: str
    status: int
    #: The error code; null if the call succeeded
    code: Optional[str]
    credits: int
    tier: Optional[Literal["cache", "http", "browser", "proxy", "proxy_browser"]]
    duration_ms: int
    #: Tokens read by the language model; 0 if it was not used
    input_tokens: int
    #: Tokens written by the language model
    output_tokens: int
    #: For failed calls: the requested URL, without secrets
    url: Optional[str]
    #: For failed calls: the error message, without secrets in URLs
    message: Optional[str]


class AnsweredLoggedRequestList(LoggedRequestList, Answered):
    """LoggedRequestList and Answered."""


class GetRequestResult(Record):
    """Get request result, as the service answers it."""

    id: str
    at: str
    operation: str
    status: int
    #: The error code; null if the call succeeded
    code: Optional[str]
    credits: int
    tier: Optional[Literal["cache", "http", "browser", "proxy", "proxy_browser"]]
    duration_ms: int
    #: Tokens read by the language model; 0 if it was not used
    input_tokens: int
    #: Tokens written by the language model
    output_tokens: int
    #: For failed calls: the requested URL, without secrets
    url: Optional[str]
    #: For failed calls: the error message, without secrets in URLs
    message: Optional[str]
    attempts: List[Attempt]

    _records = {
        "attempts": lambda: Attempt,
    }


class AnsweredGetRequestResult(GetRequestResult, Answered):
    """GetRequestResult and Answered."""


class OwnKeyList(Record):
    """Own key list, as the service answers it."""

    data: List[OwnKey]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: OwnKey,
    }


class OwnKey(Record):
    """Own key, as the service answers it."""

    id: str
    name: str
    #: The first characters after qk_; null for a key that was chosen by the operator
    prefix: Optional[str]
    #: Whether it allows /v1/admin
    operator: bool
    created_at: str
    #: Accurate to about a minute; null if never used
    last_used_at: Optional[str]
    expires_at: Optional[str]
    revoked_at: Optional[str]
    #: Whether this call used it
    current: bool


class AnsweredOwnKeyList(OwnKeyList, Answered):
    """OwnKeyList and Answered."""


class Capabilities(Record):
    """Capabilities, as the service answers it."""

    version: str
    operations: List[CapabilitiesOperations]
    tiers: Dict[str, TierState]
    outputs: List[Literal["markdown", "text", "html", "raw_html", "links", "images", "metadata", "tables", "structured_data", "attributes", "chunks", "json", "screenshot", "pdf", "summary", "passages", "changes"]]
    browser: TierState
    model: TierState
    search: CapabilitiesSearch
    #: Interfaces of other services, for their clients
    interfaces: List[CapabilitiesInterfaces]
    limits: CapabilitiesLimits

    _records = {
        "operations": lambda: CapabilitiesOperations,
        "browser": lambda: TierState,
        "model": lambda: TierState,
        "search": lambda: CapabilitiesSearch,
        "interfaces": lambda: CapabilitiesInterfaces,
        "limits": lambda: CapabilitiesLimits,
    }


class CapabilitiesOperations(Record):
    """Capabilities operations, as the service answers it."""

    id: str
    #: Null if it runs only as a job or in a monitor
    route: Optional[str]
    #: For site endpoints: whether the parser was verified against a real page of the site
    verified: Optional[bool]
    plan: Literal["free", "starter"]
    #: Null for free operations
    price: Optional[CapabilitiesOperationsPrice]

    _records = {
        "price": lambda: CapabilitiesOperationsPrice,
    }


class CapabilitiesOperationsPrice(Record):
    """Capabilities operations price, as the service answers it."""

    base: int
    per: Literal["call", "page"]
    cache_hit: int
    #: Price of an error page (status 400 and above, or no body), if those are returned
    error_page: Optional[Literal[0]]
    per_tier: bool
    #: Added for each started hundred URLs that are returned
    per_hundred_urls: int
    #: Added for each output made by a language model
    per_model_output: int


class TierState(Record):
    """Tier state, as the service answers it."""

    available: bool
    reason: Optional[str]


class CapabilitiesSearch(Record):
    """Capabilities search, as the service answers it."""

    available: bool
    reason: Optional[str]
    #: Search engines, in the order they are used
    engines: List[str]
    #: Backends of /v1/websearch, in the order they are used
    websearch: List[str]
    #: Backend that writes the answers: sonar, responses, rag or extractive
    answers: CapabilitiesSearchAnswers

    _records = {
        "answers": lambda: CapabilitiesSearchAnswers,
    }


class CapabilitiesSearchAnswers(Record):
    """Backend that writes the answers: sonar, responses, rag or extractive."""

    answerengine: str
    assistant: str
    chatassistant: str


class CapabilitiesInterfaces(Record):
    """Capabilities interfaces, as the service answers it."""

    name: str
    title: str
    #: Address to paste into a client; without QUERN_PUBLIC_URL a path to append to the address of the service
    base_url: str
    #: Paths below the address; * at the end stands for any further path
    paths: List[str]


class CapabilitiesLimits(Record):
    """Capabilities limits, as the service answers it."""

    credits_per_month: Optional[int]
    daily_cap: Optional[int]
    inline_timeout_ms: int
    concurrent_requests: Optional[int]
    requests_per_minute: Optional[int]
    queued_jobs: Optional[int]
    #: Jobs running at once, including monitor runs
    running_jobs: Optional[int]
    #: Size of the input of a job or the definition of a monitor, as JSON
    input_bytes: Optional[int]
    #: Jobs submitted in results_kept_days
    kept_jobs: Optional[int]
    #: Bytes of the inputs of these jobs
    kept_input_bytes: Optional[int]
    #: Bytes of responses stored for idempotency keys
    kept_answer_bytes: Optional[int]
    #: Compressed bytes of results of ended jobs; beyond this the oldest are deleted
    kept_result_bytes: Optional[int]
    #: Bytes of files; beyond this the oldest are deleted
    kept_file_bytes: Optional[int]
    #: Bytes of your search index while disk space is short
    index_bytes: Optional[int]
    job_timeout_ms: Optional[int]
    results_kept_days: int
    active_monitors: Optional[int]
    #: Including inactive monitors
    monitors: Optional[int]
    monitor_interval_ms: int
    crawl_pages: Optional[int]
    map_urls: Optional[int]
    #: Seconds of browsers, parsers and models that uncharged calls may use per hour
    unpaid_seconds_per_hour: Optional[int]
    #: Scheduling weight while several tenants wait
    turn_weight: int


class AnsweredCapabilities(Capabilities, Answered):
    """Capabilities and Answered."""


class ListTenantsResult(Record):
    """List tenants result, as the service answers it."""

    data: List[ListTenantsResultData]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: ListTenantsResultData,
    }


class ListTenantsResultData(Record):
    """List tenants result data, as the service answers it."""

    id: str
    name: str
    plan: str
    created_at: str
    #: When it was suspended; null if it is not
    suspended_at: Optional[str]
    #: Credits of the current month; null if the plan sets no limit
    credits_granted: Optional[int]
    credits_topped_up: int
    credits_used: int
    #: Reserved by running calls
    credits_reserved: int
    credits_remaining: Optional[int]
    daily_cap: Optional[int]
    daily_used: int


class AnsweredListTenantsResult(ListTenantsResult, Answered):
    """ListTenantsResult and Answered."""


class ListTenantsItem(Record):
    """List tenants item, as the service answers it."""

    id: str
    name: str
    plan: str
    created_at: str
    #: When it was suspended; null if it is not
    suspended_at: Optional[str]
    #: Credits of the current month; null if the plan sets no limit
    credits_granted: Optional[int]
    credits_topped_up: int
    credits_used: int
    #: Reserved by running calls
    credits_reserved: int
    credits_remaining: Optional[int]
    daily_cap: Optional[int]
    daily_used: int


class CreateTenantResult(Record):
    """Create tenant result, as the service answers it."""

    id: str
    name: str
    plan: str
    created_at: str
    #: When it was suspended; null if it is not
    suspended_at: Optional[str]
    #: Credits of the current month; null if the plan sets no limit
    credits_granted: Optional[int]
    credits_topped_up: int
    credits_used: int
    #: Reserved by running calls
    credits_reserved: int
    credits_remaining: Optional[int]
    daily_cap: Optional[int]
    daily_used: int


class AnsweredCreateTenantResult(CreateTenantResult, Answered):
    """CreateTenantResult and Answered."""


class GetTenantResult(Record):
    """Get tenant result, as the service answers it."""

    id: str
    name: str
    plan: str
    created_at: str
    #: When it was suspended; null if it is not
    suspended_at: Optional[str]
    #: Credits of the current month; null if the plan sets no limit
    credits_granted: Optional[int]
    credits_topped_up: int
    credits_used: int
    #: Reserved by running calls
    credits_reserved: int
    credits_remaining: Optional[int]
    daily_cap: Optional[int]
    daily_used: int


class AnsweredGetTenantResult(GetTenantResult, Answered):
    """GetTenantResult and Answered."""


class UpdateTenantResult(Record):
    """Update tenant result, as the service answers it."""

    id: str
    name: str
    plan: str
    created_at: str
    #: When it was suspended; null if it is not
    suspended_at: Optional[str]
    #: Credits of the current month; null if the plan sets no limit
    credits_granted: Optional[int]
    credits_topped_up: int
    credits_used: int
    #: Reserved by running calls
    credits_reserved: int
    credits_remaining: Optional[int]
    daily_cap: Optional[int]
    daily_used: int


class AnsweredUpdateTenantResult(UpdateTenantResult, Answered):
    """UpdateTenantResult and Answered."""


class TopUpTenantResult(Record):
    """Top up tenant result, as the service answers it."""

    id: str
    name: str
    plan: str
    created_at: str
    #: When it was suspended; null if it is not
    suspended_at: Optional[str]
    #: Credits of the current month; null if the plan sets no limit
    credits_granted: Optional[int]
    credits_topped_up: int
    credits_used: int
    #: Reserved by running calls
    credits_reserved: int
    credits_remaining: Optional[int]
    daily_cap: Optional[int]
    daily_used: int


class AnsweredTopUpTenantResult(TopUpTenantResult, Answered):
    """TopUpTenantResult and Answered."""


class RefundTenantResult(Record):
    """Refund tenant result, as the service answers it."""

    tenant_id: str
    charge: str
    credits: int


class AnsweredRefundTenantResult(RefundTenantResult, Answered):
    """RefundTenantResult and Answered."""


class ListAllKeysResult(Record):
    """List all keys result, as the service answers it."""

    data: List[ListAllKeysResultData]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: ListAllKeysResultData,
    }


class ListAllKeysResultData(Record):
    """List all keys result data, as the service answers it."""

    id: str
    tenant_id: str
    name: str
    #: The first characters after qk_; null for a key that was chosen by the operator or is very old
    prefix: Optional[str]
    #: Whether it allows /v1/admin
    operator: bool
    created_at: str
    #: Accurate to about a minute; null if never used
    last_used_at: Optional[str]
    expires_at: Optional[str]
    revoked_at: Optional[str]


class AnsweredListAllKeysResult(ListAllKeysResult, Answered):
    """ListAllKeysResult and Answered."""


class ListAllKeysItem(Record):
    """List all keys item, as the service answers it."""

    id: str
    tenant_id: str
    name: str
    #: The first characters after qk_; null for a key that was chosen by the operator or is very old
    prefix: Optional[str]
    #: Whether it allows /v1/admin
    operator: bool
    created_at: str
    #: Accurate to about a minute; null if never used
    last_used_at: Optional[str]
    expires_at: Optional[str]
    revoked_at: Optional[str]


class ListKeysResult(Record):
    """List keys result, as the service answers it."""

    data: List[ListKeysResultData]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: ListKeysResultData,
    }


class ListKeysResultData(Record):
    """List keys result data, as the service answers it."""

    id: str
    tenant_id: str
    name: str
    #: The first characters after qk_; null for a key that was chosen by the operator or is very old
    prefix: Optional[str]
    #: Whether it allows /v1/admin
    operator: bool
    created_at: str
    #: Accurate to about a minute; null if never used
    last_used_at: Optional[str]
    expires_at: Optional[str]
    revoked_at: Optional[str]


class AnsweredListKeysResult(ListKeysResult, Answered):
    """ListKeysResult and Answered."""


class ListKeysItem(Record):
    """List keys item, as the service answers it."""

    id: str
    tenant_id: str
    name: str
    #: The first characters after qk_; null for a key that was chosen by the operator or is very old
    prefix: Optional[str]
    #: Whether it allows /v1/admin
    operator: bool
    created_at: str
    #: Accurate to about a minute; null if never used
    last_used_at: Optional[str]
    expires_at: Optional[str]
    revoked_at: Optional[str]


class CreateKeyResult(Record):
    """Create key result, as the service answers it."""

    id: str
    tenant_id: str
    #: The key; only shown once
    key: str
    expires_at: Optional[str]


class AnsweredCreateKeyResult(CreateKeyResult, Answered):
    """CreateKeyResult and Answered."""


class RotateKeyResult(Record):
    """Rotate key result, as the service answers it."""

    id: str
    tenant_id: str
    #: The key; only shown once
    key: str
    expires_at: Optional[str]


class AnsweredRotateKeyResult(RotateKeyResult, Answered):
    """RotateKeyResult and Answered."""


class ListPlansResult(Record):
    """List plans result, as the service answers it."""

    data: List[ListPlansResultData]

    _records = {
        "data": lambda: ListPlansResultData,
    }


class ListPlansResultData(Record):
    """List plans result data, as the service answers it."""

    name: str


class AnsweredListPlansResult(ListPlansResult, Answered):
    """ListPlansResult and Answered."""


class ListTenantUsageResult(Record):
    """List tenant usage result, as the service answers it."""

    data: List[ListTenantUsageResultData]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: ListTenantUsageResultData,
    }


class ListTenantUsageResultData(Record):
    """List tenant usage result data, as the service answers it."""

    #: Day in UTC
    date: str
    tenant_id: str
    #: Name of the tenant
    tenant: str
    operation: str
    calls: int
    credits: int


class AnsweredListTenantUsageResult(ListTenantUsageResult, Answered):
    """ListTenantUsageResult and Answered."""


class ListTenantUsageItem(Record):
    """List tenant usage item, as the service answers it."""

    #: Day in UTC
    date: str
    tenant_id: str
    #: Name of the tenant
    tenant: str
    operation: str
    calls: int
    credits: int


class GetQueueResult(Record):
    """Get queue result, as the service answers it."""

    queued: int
    running: int
    #: Set if there are more jobs than were counted
    cut: Optional[Literal[True]]
    #: The job that has been due longest; null if none is due
    oldest: Optional[GetQueueResultOldest]
    by_kind: List[GetQueueResultByKind]
    #: The 100 tenants with the most jobs
    by_tenant: List[GetQueueResultByTenant]
    #: The 100 oldest running jobs
    running_jobs: List[GetQueueResultRunningJobs]

    _records = {
        "oldest": lambda: GetQueueResultOldest,
        "by_kind": lambda: GetQueueResultByKind,
        "by_tenant": lambda: GetQueueResultByTenant,
        "running_jobs": lambda: GetQueueResultRunningJobs,
    }


class GetQueueResultOldest(Record):
    """Get queue result oldest, as the service answers it."""

    id: str
    tenant_id: str
    kind: str
    waits_ms: int


class GetQueueResultByKind(Record):
    """Get queue result by kind, as the service answers it."""

    kind: str
    queued: int
    running: int


class GetQueueResultByTenant(Record):
    """Get queue result by tenant, as the service answers it."""

    tenant_id: str
    queued: int
    running: int


class GetQueueResultRunningJobs(Record):
    """Get queue result running jobs, as the service answers it."""

    id: str
    tenant_id: str
    kind: str
    worker: Optional[str]
    attempt: int
    started_at: Optional[str]


class AnsweredGetQueueResult(GetQueueResult, Answered):
    """GetQueueResult and Answered."""


class ListSiteHealthResult(Record):
    """List site health result, as the service answers it."""

    data: List[SiteHealth]

    _records = {
        "data": lambda: SiteHealth,
    }


class SiteHealth(Record):
    """Site health, as the service answers it."""

    endpoint: str
    site: str
    #: Domains that it fetches; empty if the operator configures the backend
    domains: List[str]
    #: Whether its parser was verified against a real page; null if the operator configures the backend
    verified: Optional[bool]
    #: Number of successful calls
    served: int
    #: Health according to recent calls; unused if it was never called
    level: Literal["good", "degraded", "broken", "unused"]
    #: Source of its last record
    source: Optional[str]
    last_success_at: Optional[str]
    last_failure_at: Optional[str]
    #: Error code
    last_failure: Optional[str]
    failed_in_row: int
    empty_in_row: int
    #: Share of recent responses with a value at each path
    fill: Dict[str, float]


class AnsweredListSiteHealthResult(ListSiteHealthResult, Answered):
    """ListSiteHealthResult and Answered."""


class ListSettingsResult(Record):
    """List settings result, as the service answers it."""

    version: str
    data: List[ListSettingsResultData]

    _records = {
        "data": lambda: ListSettingsResultData,
    }


class ListSettingsResultData(Record):
    """List settings result data, as the service answers it."""

    name: str
    #: Empty if it is not set and has no default; secrets are masked
    value: str
    source: Literal["environment", ".env", "default"]
    about: str


class AnsweredListSettingsResult(ListSettingsResult, Answered):
    """ListSettingsResult and Answered."""


class GetInstanceResult(Record):
    """Get instance result, as the service answers it."""

    version: str
    node: str
    started_at: str
    store: GetInstanceResultStore
    #: The disk of the data folder; null if it cannot be read
    disk: Optional[GetInstanceResultDisk]
    #: Bytes of cached pages and results at the last upkeep; null before the first
    kept: Optional[GetInstanceResultKept]
    #: Live services and workers on the store
    processes: List[GetInstanceResultProcesses]

    _records = {
        "store": lambda: GetInstanceResultStore,
        "disk": lambda: GetInstanceResultDisk,
        "kept": lambda: GetInstanceResultKept,
        "processes": lambda: GetInstanceResultProcesses,
    }


class GetInstanceResultStore(Record):
    """Get instance result store, as the service answers it."""

    kind: Literal["sqlite", "postgres"]
    #: The number of the last migration
    schema: int
    bytes: int


class GetInstanceResultDisk(Record):
    """Get instance result disk, as the service answers it."""

    data_dir: str
    free_bytes: int
    total_bytes: int


class GetInstanceResultKept(Record):
    """Get instance result kept, as the service answers it."""

    cache: int
    results: int


class GetInstanceResultProcesses(Record):
    """Get instance result processes, as the service answers it."""

    id: str
    seen_at: str


class AnsweredGetInstanceResult(GetInstanceResult, Answered):
    """GetInstanceResult and Answered."""


class GetUpkeepResult(Record):
    """Get upkeep result, as the service answers it."""

    #: State of the rounds of this process
    state: Literal["started", "running", "idle"]
    #: The last run of each round in the responding process
    rounds: List[GetUpkeepResultRounds]

    _records = {
        "rounds": lambda: GetUpkeepResultRounds,
    }


class GetUpkeepResultRounds(Record):
    """Get upkeep result rounds, as the service answers it."""

    name: str
    started_at: str
    duration_ms: int
    outcome: Literal["done", "failed"]


class AnsweredGetUpkeepResult(GetUpkeepResult, Answered):
    """GetUpkeepResult and Answered."""


class RunUpkeepResult(Record):
    """Run upkeep result, as the service answers it."""

    #: State of the rounds of this process
    state: Literal["started", "running", "idle"]
    #: The last run of each round in the responding process
    rounds: List[RunUpkeepResultRounds]

    _records = {
        "rounds": lambda: RunUpkeepResultRounds,
    }


class RunUpkeepResultRounds(Record):
    """Run upkeep result rounds, as the service answers it."""

    name: str
    started_at: str
    duration_ms: int
    outcome: Literal["done", "failed"]


class AnsweredRunUpkeepResult(RunUpkeepResult, Answered):
    """RunUpkeepResult and Answered."""


class WebsearchSearchResult(Record):
    """Websearch search result, as the service answers it."""

    provider: Literal["websearch"]
    query_context: WebsearchSearchResultQueryContext
    meta_data: WebsearchSearchResultMetaData
    organic_results: List[WebsearchResult]
    paid_results: List[WebsearchResult]
    #: Adjustments of the input; absent if there are none
    warnings: Optional[List[Warning]]

    _records = {
        "query_context": lambda: WebsearchSearchResultQueryContext,
        "meta_data": lambda: WebsearchSearchResultMetaData,
        "organic_results": lambda: WebsearchResult,
        "paid_results": lambda: WebsearchResult,
        "warnings": lambda: Warning,
    }


class WebsearchSearchResultQueryContext(Record):
    """Websearch search result query context, as the service answers it."""

    search: str
    geo: str
    locale: str
    domain: str
    page: int


class WebsearchSearchResultMetaData(Record):
    """Websearch search result meta data, as the service answers it."""

    page: int
    #: URL of the first result page
    url: str


class WebsearchResult(Record):
    """Websearch result, as the service answers it."""

    #: Position in its list, counted over all pages
    position: int
    #: Position among organic and paid results together
    position_overall: int
    title: str
    description: str
    url: str
    #: URL as the engine displays it
    url_shown: str


class MeteredWebsearchSearchResult(WebsearchSearchResult, Metered):
    """WebsearchSearchResult and Metered."""


class SerpSearchResult(Record):
    """Serp search result, as the service answers it."""

    provider: Literal["serp"]
    query_context: SerpSearchResultQueryContext
    meta_data: SerpSearchResultMetaData
    organic_results: List[WebsearchResult]
    paid_results: List[WebsearchResult]
    features: EngineFeatures
    #: Adjustments of the input; absent if there are none
    warnings: Optional[List[Warning]]

    _records = {
        "query_context": lambda: SerpSearchResultQueryContext,
        "meta_data": lambda: SerpSearchResultMetaData,
        "organic_results": lambda: WebsearchResult,
        "paid_results": lambda: WebsearchResult,
        "features": lambda: EngineFeatures,
        "warnings": lambda: Warning,
    }


class SerpSearchResultQueryContext(Record):
    """Serp search result query context, as the service answers it."""

    engine: Literal["google", "bing", "duckduckgo", "brave", "mojeek", "yandex", "baidu", "ecosia", "searxng"]
    search: str
    country: str
    language: str
    page: int


class SerpSearchResultMetaData(Record):
    """Serp search result meta data, as the service answers it."""

    page: int
    #: URL of the result page
    url: str


class EngineFeatures(Record):
    """Engine features, as the service answers it."""

    people_also_ask: Optional[List[str]]
    related_searches: Optional[List[str]]
    knowledge_panel: Optional[EngineFeaturesKnowledgePanel]
    top_stories: Optional[List[EngineFeaturesTopStories]]
    videos: Optional[List[EngineFeaturesVideos]]
    local_results: Optional[List[EngineFeaturesLocalResults]]
    ai_overview: Optional[EngineFeaturesAiOverview]

    _records = {
        "knowledge_panel": lambda: EngineFeaturesKnowledgePanel,
        "top_stories": lambda: EngineFeaturesTopStories,
        "videos": lambda: EngineFeaturesVideos,
        "local_results": lambda: EngineFeaturesLocalResults,
        "ai_overview": lambda: EngineFeaturesAiOverview,
    }


class EngineFeaturesKnowledgePanel(Record):
    """Engine features knowledge panel, as the service answers it."""

    title: str
    subtitle: Optional[str]
    description: Optional[str]


class EngineFeaturesTopStories(Record):
    """Engine features top stories, as the service answers it."""

    title: str
    url: str
    #: Publisher or site
    source: Optional[str]


class EngineFeaturesVideos(Record):
    """Engine features videos, as the service answers it."""

    title: str
    url: str
    #: Publisher or site
    source: Optional[str]


class EngineFeaturesLocalResults(Record):
    """Engine features local results, as the service answers it."""

    title: str
    details: Optional[str]


class EngineFeaturesAiOverview(Record):
    """Engine features ai overview, as the service answers it."""

    text: str
    sources: List[EngineFeaturesAiOverviewSources]

    _records = {
        "sources": lambda: EngineFeaturesAiOverviewSources,
    }


class EngineFeaturesAiOverviewSources(Record):
    """Engine features ai overview sources, as the service answers it."""

    title: str
    url: str
    #: Publisher or site
    source: Optional[str]


class MeteredSerpSearchResult(SerpSearchResult, Metered):
    """SerpSearchResult and Metered."""


class AppstoreAppResult(Record):
    """Appstore app result, as the service answers it."""

    provider: Literal["appstore"]
    app: AppstoreAppResultApp
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "app": lambda: AppstoreAppResultApp,
        "warnings": lambda: Warning,
    }


class AppstoreAppResultApp(Record):
    """Appstore app result app, as the service answers it."""

    #: A number in apple, a name such as com.example.app in play
    id: str
    store: Literal["apple", "play"]
    url: str
    title: str
    summary: Optional[str]
    developer: Optional[AppstoreAppResultAppDeveloper]
    icon_url: Optional[str]
    screenshots: Optional[List[str]]
    price: Optional[float]
    currency: Optional[str]
    price_text: Optional[str]
    is_free: Optional[bool]
    rating: Optional[float]
    rating_count: Optional[int]
    category: Optional[str]
    bundle_id: Optional[str]
    description_html: Optional[str]
    description_text: Optional[str]
    video_url: Optional[str]
    has_in_app_purchases: Optional[bool]
    in_app_price_text: Optional[str]
    review_count: Optional[int]
    #: Ratings of 1 to 5 stars
    histogram: Optional[List[int]]
    #: Lower bound of the number of installations
    installs: Optional[int]
    installs_text: Optional[str]
    categories: Optional[List[str]]
    content_rating: Optional[str]
    version: Optional[str]
    minimum_os: Optional[str]
    size_bytes: Optional[int]
    languages: Optional[List[str]]
    released_at: Optional[str]
    updated_at: Optional[str]
    release_notes: Optional[str]
    privacy_url: Optional[str]

    _records = {
        "developer": lambda: AppstoreAppResultAppDeveloper,
    }


class AppstoreAppResultAppDeveloper(Record):
    """Appstore app result app developer, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    url: Optional[str]
    website_url: Optional[str]


class MeteredAppstoreAppResult(AppstoreAppResult, Metered):
    """AppstoreAppResult and Metered."""


class AppstoreSearchResult(Record):
    """Appstore search result, as the service answers it."""

    provider: Literal["appstore"]
    results: List[AppstoreSearchResultResults]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "results": lambda: AppstoreSearchResultResults,
        "warnings": lambda: Warning,
    }


class AppstoreSearchResultResults(Record):
    """Appstore search result results, as the service answers it."""

    #: A number in apple, a name such as com.example.app in play
    id: str
    store: Literal["apple", "play"]
    url: str
    title: str
    summary: Optional[str]
    developer: Optional[AppstoreSearchResultResultsDeveloper]
    icon_url: Optional[str]
    screenshots: Optional[List[str]]
    price: Optional[float]
    currency: Optional[str]
    price_text: Optional[str]
    is_free: Optional[bool]
    rating: Optional[float]
    rating_count: Optional[int]
    category: Optional[str]

    _records = {
        "developer": lambda: AppstoreSearchResultResultsDeveloper,
    }


class AppstoreSearchResultResultsDeveloper(Record):
    """Appstore search result results developer, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    url: Optional[str]
    website_url: Optional[str]


class MeteredAppstoreSearchResult(AppstoreSearchResult, Metered):
    """AppstoreSearchResult and Metered."""


class AppstoreReviewsResult(Record):
    """Appstore reviews result, as the service answers it."""

    provider: Literal["appstore"]
    reviews: List[AppstoreReviewsResultReviews]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "reviews": lambda: AppstoreReviewsResultReviews,
        "warnings": lambda: Warning,
    }


class AppstoreReviewsResultReviews(Record):
    """Appstore reviews result reviews, as the service answers it."""

    id: str
    title: Optional[str]
    text: Optional[str]
    rating: int
    author: Optional[str]
    #: The reviewed version of the app
    version: Optional[str]
    created_at: Optional[str]
    helpful_count: Optional[int]
    vote_count: Optional[int]
    #: Reply of the developer
    reply: Optional[AppstoreReviewsResultReviewsReply]

    _records = {
        "reply": lambda: AppstoreReviewsResultReviewsReply,
    }


class AppstoreReviewsResultReviewsReply(Record):
    """Appstore reviews result reviews reply, as the service answers it."""

    text: str
    created_at: Optional[str]


class MeteredAppstoreReviewsResult(AppstoreReviewsResult, Metered):
    """AppstoreReviewsResult and Metered."""


class AppstoreDeveloperResult(Record):
    """Appstore developer result, as the service answers it."""

    provider: Literal["appstore"]
    developer: Optional[AppstoreDeveloperResultDeveloper]
    apps: List[AppstoreDeveloperResultApps]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "developer": lambda: AppstoreDeveloperResultDeveloper,
        "apps": lambda: AppstoreDeveloperResultApps,
        "warnings": lambda: Warning,
    }


class AppstoreDeveloperResultDeveloper(Record):
    """Appstore developer result developer, as the service answers it."""

    id: str
    store: Literal["apple", "play"]
    name: Optional[str]
    url: str


class AppstoreDeveloperResultApps(Record):
    """Appstore developer result apps, as the service answers it."""

    #: A number in apple, a name such as com.example.app in play
    id: str
    store: Literal["apple", "play"]
    url: str
    title: str
    summary: Optional[str]
    developer: Optional[AppstoreDeveloperResultAppsDeveloper]
    icon_url: Optional[str]
    screenshots: Optional[List[str]]
    price: Optional[float]
    currency: Optional[str]
    price_text: Optional[str]
    is_free: Optional[bool]
    rating: Optional[float]
    rating_count: Optional[int]
    category: Optional[str]

    _records = {
        "developer": lambda: AppstoreDeveloperResultAppsDeveloper,
    }


class AppstoreDeveloperResultAppsDeveloper(Record):
    """Appstore developer result apps developer, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    url: Optional[str]
    website_url: Optional[str]


class MeteredAppstoreDeveloperResult(AppstoreDeveloperResult, Metered):
    """AppstoreDeveloperResult and Metered."""


class CodehostRepoResult(Record):
    """Codehost repo result, as the service answers it."""

    provider: Literal["codehost"]
    repo: CodehostRepoResultRepo
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "repo": lambda: CodehostRepoResultRepo,
        "warnings": lambda: Warning,
    }


class CodehostRepoResultRepo(Record):
    """Codehost repo result repo, as the service answers it."""

    id: Optional[str]
    name: str
    full_name: str
    url: str
    description: Optional[str]
    homepage: Optional[str]
    owner: CodehostRepoResultRepoOwner
    stars: Optional[int]
    forks: Optional[int]
    open_issues: Optional[int]
    language: Optional[str]
    topics: Optional[List[str]]
    license: Optional[CodehostRepoResultRepoLicense]
    default_branch: Optional[str]
    is_fork: Optional[bool]
    is_archived: Optional[bool]
    is_template: Optional[bool]
    visibility: Optional[str]
    size_kb: Optional[int]
    created_at: Optional[str]
    updated_at: Optional[str]
    pushed_at: Optional[str]
    counts_approximate: bool
    #: Accounts that get notifications about the repository, which differs from stars
    watchers: Optional[int]
    #: Only of a fork: the repository that it was forked from
    parent_full_name: Optional[str]

    _records = {
        "owner": lambda: CodehostRepoResultRepoOwner,
        "license": lambda: CodehostRepoResultRepoLicense,
    }


class CodehostRepoResultRepoOwner(Record):
    """Codehost repo result repo owner, as the service answers it."""

    login: str
    type: Optional[str]
    url: str
    avatar_url: Optional[str]


class CodehostRepoResultRepoLicense(Record):
    """Codehost repo result repo license, as the service answers it."""

    key: Optional[str]
    name: Optional[str]
    spdx_id: Optional[str]


class MeteredCodehostRepoResult(CodehostRepoResult, Metered):
    """CodehostRepoResult and Metered."""


class CodehostReposResult(Record):
    """Codehost repos result, as the service answers it."""

    provider: Literal["codehost"]
    repos: List[CodehostReposResultRepos]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "repos": lambda: CodehostReposResultRepos,
        "warnings": lambda: Warning,
    }


class CodehostReposResultRepos(Record):
    """Codehost repos result repos, as the service answers it."""

    id: Optional[str]
    name: str
    full_name: str
    url: str
    description: Optional[str]
    homepage: Optional[str]
    owner: CodehostReposResultReposOwner
    stars: Optional[int]
    forks: Optional[int]
    open_issues: Optional[int]
    language: Optional[str]
    topics: Optional[List[str]]
    license: Optional[CodehostReposResultReposLicense]
    default_branch: Optional[str]
    is_fork: Optional[bool]
    is_archived: Optional[bool]
    is_template: Optional[bool]
    visibility: Optional[str]
    size_kb: Optional[int]
    created_at: Optional[str]
    updated_at: Optional[str]
    pushed_at: Optional[str]
    counts_approximate: bool

    _records = {
        "owner": lambda: CodehostReposResultReposOwner,
        "license": lambda: CodehostReposResultReposLicense,
    }


class CodehostReposResultReposOwner(Record):
    """Codehost repos result repos owner, as the service answers it."""

    login: str
    type: Optional[str]
    url: str
    avatar_url: Optional[str]


class CodehostReposResultReposLicense(Record):
    """Codehost repos result repos license, as the service answers it."""

    key: Optional[str]
    name: Optional[str]
    spdx_id: Optional[str]


class MeteredCodehostReposResult(CodehostReposResult, Metered):
    """CodehostReposResult and Metered."""


class CodehostUserResult(Record):
    """Codehost user result, as the service answers it."""

    provider: Literal["codehost"]
    user: CodehostUserResultUser
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "user": lambda: CodehostUserResultUser,
        "warnings": lambda: Warning,
    }


class CodehostUserResultUser(Record):
    """Codehost user result user, as the service answers it."""

    id: Optional[str]
    login: str
    name: Optional[str]
    type: Optional[Literal["User", "Organization"]]
    url: str
    avatar_url: Optional[str]
    bio: Optional[str]
    company: Optional[str]
    location: Optional[str]
    blog_url: Optional[str]
    followers: Optional[int]
    following: Optional[int]
    public_repos: Optional[int]
    public_gists: Optional[int]
    hireable: Optional[bool]
    created_at: Optional[str]
    updated_at: Optional[str]
    counts_approximate: bool


class MeteredCodehostUserResult(CodehostUserResult, Metered):
    """CodehostUserResult and Metered."""


class ForumPostResult(Record):
    """Forum post result, as the service answers it."""

    provider: Literal["forum"]
    post: ForumPostResultPost
    #: Top-level comments; null if the source has none
    comments: Optional[List[ForumPostResultComments]]
    #: Whether there are more than these
    comments_truncated: bool
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "post": lambda: ForumPostResultPost,
        "comments": lambda: ForumPostResultComments,
        "warnings": lambda: Warning,
    }


class ForumPostResultPost(Record):
    """Forum post result post, as the service answers it."""

    id: str
    fullname: str
    title: str
    #: Permalink of the post
    url: str
    author: Optional[ForumPostResultPostAuthor]
    subreddit: Optional[ForumPostResultPostSubreddit]
    created_at: Optional[str]
    edited_at: Optional[str]
    score: Optional[int]
    upvote_ratio: Optional[float]
    comment_count: Optional[int]
    flair: Optional[str]
    type: Optional[Literal["text", "link", "image", "gallery", "video", "poll", "crosspost"]]
    text_html: Optional[str]
    text: Optional[str]
    link_url: Optional[str]
    domain: Optional[str]
    media: Optional[List[ForumPostResultPostMedia]]
    is_nsfw: Optional[bool]
    is_spoiler: Optional[bool]
    is_locked: Optional[bool]
    is_stickied: Optional[bool]
    is_archived: Optional[bool]
    is_removed: Optional[bool]
    crosspost_parent: Optional[str]
    award_count: Optional[int]

    _records = {
        "author": lambda: ForumPostResultPostAuthor,
        "subreddit": lambda: ForumPostResultPostSubreddit,
        "media": lambda: ForumPostResultPostMedia,
    }


class ForumPostResultPostAuthor(Record):
    """Forum post result post author, as the service answers it."""

    name: str
    id: Optional[str]


class ForumPostResultPostSubreddit(Record):
    """Forum post result post subreddit, as the service answers it."""

    name: str
    id: Optional[str]
    prefixed: str
    subscribers: Optional[int]


class ForumPostResultPostMedia(Record):
    """Forum post result post media, as the service answers it."""

    type: Literal["image", "video"]
    url: str
    width: Optional[int]
    height: Optional[int]


class ForumPostResultComments(Record):
    """Forum post result comments, as the service answers it."""

    id: str
    fullname: str
    author: Optional[str]
    created_at: Optional[str]
    edited_at: Optional[str]
    score: Optional[int]
    score_hidden: Optional[bool]
    text_html: Optional[str]
    text: Optional[str]
    depth: Optional[int]
    permalink: Optional[str]
    reply_count: Optional[int]
    is_op: Optional[bool]
    is_stickied: Optional[bool]
    distinguished: Optional[str]


class MeteredForumPostResult(ForumPostResult, Metered):
    """ForumPostResult and Metered."""


class ForumSubredditResult(Record):
    """Forum subreddit result, as the service answers it."""

    provider: Literal["forum"]
    #: Null on the pages after the first
    subreddit: Optional[ForumSubredditResultSubreddit]
    posts: List[ForumSubredditResultPosts]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "subreddit": lambda: ForumSubredditResultSubreddit,
        "posts": lambda: ForumSubredditResultPosts,
        "warnings": lambda: Warning,
    }


class ForumSubredditResultSubreddit(Record):
    """Forum subreddit result subreddit, as the service answers it."""

    name: str
    id: Optional[str]
    title: Optional[str]
    description: Optional[str]
    subscribers: Optional[int]
    #: Number of users who are online now
    active_users: Optional[int]
    created_at: Optional[str]
    is_nsfw: Optional[bool]
    icon_url: Optional[str]


class ForumSubredditResultPosts(Record):
    """Forum subreddit result posts, as the service answers it."""

    id: str
    fullname: str
    title: str
    #: Permalink of the post
    url: str
    author: Optional[ForumSubredditResultPostsAuthor]
    subreddit: Optional[ForumSubredditResultPostsSubreddit]
    created_at: Optional[str]
    edited_at: Optional[str]
    score: Optional[int]
    upvote_ratio: Optional[float]
    comment_count: Optional[int]
    flair: Optional[str]
    type: Optional[Literal["text", "link", "image", "gallery", "video", "poll", "crosspost"]]
    text_html: Optional[str]
    text: Optional[str]
    link_url: Optional[str]
    domain: Optional[str]
    media: Optional[List[ForumSubredditResultPostsMedia]]
    is_nsfw: Optional[bool]
    is_spoiler: Optional[bool]
    is_locked: Optional[bool]
    is_stickied: Optional[bool]
    is_archived: Optional[bool]
    is_removed: Optional[bool]
    crosspost_parent: Optional[str]
    award_count: Optional[int]

    _records = {
        "author": lambda: ForumSubredditResultPostsAuthor,
        "subreddit": lambda: ForumSubredditResultPostsSubreddit,
        "media": lambda: ForumSubredditResultPostsMedia,
    }


class ForumSubredditResultPostsAuthor(Record):
    """Forum subreddit result posts author, as the service answers it."""

    name: str
    id: Optional[str]


class ForumSubredditResultPostsSubreddit(Record):
    """Forum subreddit result posts subreddit, as the service answers it."""

    name: str
    id: Optional[str]
    prefixed: str
    subscribers: Optional[int]


class ForumSubredditResultPostsMedia(Record):
    """Forum subreddit result posts media, as the service answers it."""

    type: Literal["image", "video"]
    url: str
    width: Optional[int]
    height: Optional[int]


class MeteredForumSubredditResult(ForumSubredditResult, Metered):
    """ForumSubredditResult and Metered."""


class ForumUserResult(Record):
    """Forum user result, as the service answers it."""

    provider: Literal["forum"]
    #: Null on pages after the first, and if the source does not have it
    user: Optional[ForumUserResultUser]
    items: List[ForumUserResultItems]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "user": lambda: ForumUserResultUser,
        "warnings": lambda: Warning,
    }


class ForumUserResultUser(Record):
    """Forum user result user, as the service answers it."""

    name: str
    id: Optional[str]
    created_at: Optional[str]
    link_karma: Optional[int]
    comment_karma: Optional[int]
    total_karma: Optional[int]
    is_moderator: Optional[bool]
    is_employee: Optional[bool]
    is_suspended: Optional[bool]
    icon_url: Optional[str]


class ForumUserResultItems(Record):
    """Forum user result items, as the service answers it."""

    id: str
    fullname: str
    title: str
    #: Permalink of the post
    url: str
    author: Optional[ForumUserResultItemsAuthor]
    subreddit: Optional[ForumUserResultItemsSubreddit]
    created_at: Optional[str]
    edited_at: Optional[str]
    score: Optional[int]
    upvote_ratio: Optional[float]
    comment_count: Optional[int]
    flair: Optional[str]
    type: Optional[Literal["text", "link", "image", "gallery", "video", "poll", "crosspost"]]
    text_html: Optional[str]
    text: Optional[str]
    link_url: Optional[str]
    domain: Optional[str]
    media: Optional[List[ForumUserResultItemsMedia]]
    is_nsfw: Optional[bool]
    is_spoiler: Optional[bool]
    is_locked: Optional[bool]
    is_stickied: Optional[bool]
    is_archived: Optional[bool]
    is_removed: Optional[bool]
    crosspost_parent: Optional[str]
    award_count: Optional[int]
    kind: Literal["post"]

    _records = {
        "author": lambda: ForumUserResultItemsAuthor,
        "subreddit": lambda: ForumUserResultItemsSubreddit,
        "media": lambda: ForumUserResultItemsMedia,
    }


class ForumUserResultItemsAuthor(Record):
    """Forum user result items author, as the service answers it."""

    name: str
    id: Optional[str]


class ForumUserResultItemsSubreddit(Record):
    """Forum user result items subreddit, as the service answers it."""

    name: str
    id: Optional[str]
    prefixed: str
    subscribers: Optional[int]


class ForumUserResultItemsMedia(Record):
    """Forum user result items media, as the service answers it."""

    type: Literal["image", "video"]
    url: str
    width: Optional[int]
    height: Optional[int]


class MeteredForumUserResult(ForumUserResult, Metered):
    """ForumUserResult and Metered."""


class HomestaySearchResult(Record):
    """Homestay search result, as the service answers it."""

    provider: Literal["homestay"]
    listings: List[HomestaySearchResultListings]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "listings": lambda: HomestaySearchResultListings,
        "warnings": lambda: Warning,
    }


class HomestaySearchResultListings(Record):
    """Homestay search result listings, as the service answers it."""

    id: str
    url: str
    #: The type of the home and its place
    title: Optional[str]
    #: The name that the host chose
    name: Optional[str]
    room_type: Optional[str]
    rating: Optional[float]
    review_count: Optional[int]
    latitude: Optional[float]
    longitude: Optional[float]
    price: HomestaySearchResultListingsPrice
    badges: List[str]
    images: List[str]
    is_superhost: Optional[bool]

    _records = {
        "price": lambda: HomestaySearchResultListingsPrice,
    }


class HomestaySearchResultListingsPrice(Record):
    """Homestay search result listings price, as the service answers it."""

    total: Optional[float]
    nightly: Optional[float]
    currency: Optional[str]
    text: Optional[str]


class MeteredHomestaySearchResult(HomestaySearchResult, Metered):
    """HomestaySearchResult and Metered."""


class HomestayListingResult(Record):
    """Homestay listing result, as the service answers it."""

    provider: Literal["homestay"]
    listing: HomestayListingResultListing
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "listing": lambda: HomestayListingResultListing,
        "warnings": lambda: Warning,
    }


class HomestayListingResultListing(Record):
    """Homestay listing result listing, as the service answers it."""

    id: str
    url: str
    title: str
    description_html: Optional[str]
    description_text: Optional[str]
    room_type: Optional[str]
    property_type: Optional[str]
    person_capacity: Optional[int]
    bedrooms: Optional[int]
    beds: Optional[int]
    bathrooms: Optional[float]
    overview: List[str]
    amenities: Optional[List[HomestayListingResultListingAmenities]]
    images: List[str]
    host: Optional[HomestayListingResultListingHost]
    latitude: Optional[float]
    longitude: Optional[float]
    location_text: Optional[str]
    rating: Optional[float]
    review_count: Optional[int]
    ratings: HomestayListingResultListingRatings
    house_rules: Optional[List[str]]
    #: For the stay from check_in to check_out; null without these days
    price: Optional[HomestayListingResultListingPrice]

    _records = {
        "amenities": lambda: HomestayListingResultListingAmenities,
        "host": lambda: HomestayListingResultListingHost,
        "ratings": lambda: HomestayListingResultListingRatings,
        "price": lambda: HomestayListingResultListingPrice,
    }


class HomestayListingResultListingAmenities(Record):
    """Homestay listing result listing amenities, as the service answers it."""

    group: Optional[str]
    title: str
    available: bool


class HomestayListingResultListingHost(Record):
    """Homestay listing result listing host, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    is_superhost: Optional[bool]
    url: Optional[str]


class HomestayListingResultListingRatings(Record):
    """Homestay listing result listing ratings, as the service answers it."""

    cleanliness: Optional[float]
    accuracy: Optional[float]
    check_in: Optional[float]
    communication: Optional[float]
    location: Optional[float]
    value: Optional[float]


class HomestayListingResultListingPrice(Record):
    """Homestay listing result listing price, as the service answers it."""

    total: Optional[float]
    nightly: Optional[float]
    currency: Optional[str]
    text: Optional[str]


class MeteredHomestayListingResult(HomestayListingResult, Metered):
    """HomestayListingResult and Metered."""


class HomestayReviewsResult(Record):
    """Homestay reviews result, as the service answers it."""

    provider: Literal["homestay"]
    reviews: List[HomestayReviewsResultReviews]
    review_count: Optional[int]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "reviews": lambda: HomestayReviewsResultReviews,
        "warnings": lambda: Warning,
    }


class HomestayReviewsResultReviews(Record):
    """Homestay reviews result reviews, as the service answers it."""

    id: str
    text: Optional[str]
    rating: Optional[float]
    created_at: Optional[str]
    date_text: Optional[str]
    language: Optional[str]
    author_name: Optional[str]
    author_location: Optional[str]
    response: Optional[str]


class MeteredHomestayReviewsResult(HomestayReviewsResult, Metered):
    """HomestayReviewsResult and Metered."""


class JobsDJobsResult(Record):
    """Jobs dJobs result, as the service answers it."""

    provider: Literal["jobs-d"]
    jobs: List[JobsDJobsResultJobs]
    total: Optional[int]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "jobs": lambda: JobsDJobsResultJobs,
        "warnings": lambda: Warning,
    }


class JobsDJobsResultJobs(Record):
    """Jobs dJobs result jobs, as the service answers it."""

    id: str
    #: The id to request the job with; null if the site has only URLs
    job_id: Optional[str]
    url: str
    title: str
    company: Optional[JobsDJobsResultJobsCompany]
    location_text: Optional[str]
    locations: Optional[List[JobsDJobsResultJobsLocations]]
    workplace: Optional[Literal["remote", "hybrid", "onsite"]]
    #: full_time, part_time, contract, third_party, temporary, internship and others
    employment_types: Optional[List[str]]
    salary: Optional[JobsDJobsResultJobsSalary]
    posted_at: Optional[str]
    posted_text: Optional[str]
    summary: Optional[str]
    easy_apply: Optional[bool]
    sponsored: Optional[bool]

    _records = {
        "company": lambda: JobsDJobsResultJobsCompany,
        "locations": lambda: JobsDJobsResultJobsLocations,
        "salary": lambda: JobsDJobsResultJobsSalary,
    }


class JobsDJobsResultJobsCompany(Record):
    """Jobs dJobs result jobs company, as the service answers it."""

    name: Optional[str]
    url: Optional[str]
    logo_url: Optional[str]


class JobsDJobsResultJobsLocations(Record):
    """Jobs dJobs result jobs locations, as the service answers it."""

    city: Optional[str]
    region: Optional[str]
    country: Optional[str]
    postal_code: Optional[str]
    latitude: Optional[float]
    longitude: Optional[float]


class JobsDJobsResultJobsSalary(Record):
    """Jobs dJobs result jobs salary, as the service answers it."""

    min: Optional[float]
    max: Optional[float]
    currency: Optional[str]
    period: Optional[Literal["hour", "day", "week", "month", "year"]]
    text: Optional[str]
    #: Whether the site estimated it
    is_estimate: Optional[bool]


class MeteredJobsDJobsResult(JobsDJobsResult, Metered):
    """JobsDJobsResult and Metered."""


class JobsDJobResult(Record):
    """Jobs dJob result, as the service answers it."""

    provider: Literal["jobs-d"]
    job: JobsDJobResultJob
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "job": lambda: JobsDJobResultJob,
        "warnings": lambda: Warning,
    }


class JobsDJobResultJob(Record):
    """Jobs dJob result job, as the service answers it."""

    id: str
    #: The id to request the job with; null if the site has only URLs
    job_id: Optional[str]
    url: str
    title: str
    company: Optional[JobsDJobResultJobCompany]
    location_text: Optional[str]
    locations: Optional[List[JobsDJobResultJobLocations]]
    workplace: Optional[Literal["remote", "hybrid", "onsite"]]
    #: full_time, part_time, contract, third_party, temporary, internship and others
    employment_types: Optional[List[str]]
    salary: Optional[JobsDJobResultJobSalary]
    posted_at: Optional[str]
    posted_text: Optional[str]
    summary: Optional[str]
    easy_apply: Optional[bool]
    sponsored: Optional[bool]
    description_html: Optional[str]
    description_text: Optional[str]
    benefits: Optional[List[str]]
    skills: Optional[List[str]]
    qualifications: Optional[List[str]]
    experience_months: Optional[int]
    education: Optional[str]
    industries: Optional[List[str]]
    valid_through: Optional[str]
    apply_url: Optional[str]
    direct_apply: Optional[bool]
    is_expired: Optional[bool]

    _records = {
        "company": lambda: JobsDJobResultJobCompany,
        "locations": lambda: JobsDJobResultJobLocations,
        "salary": lambda: JobsDJobResultJobSalary,
    }


class JobsDJobResultJobCompany(Record):
    """Jobs dJob result job company, as the service answers it."""

    name: Optional[str]
    url: Optional[str]
    logo_url: Optional[str]


class JobsDJobResultJobLocations(Record):
    """Jobs dJob result job locations, as the service answers it."""

    city: Optional[str]
    region: Optional[str]
    country: Optional[str]
    postal_code: Optional[str]
    latitude: Optional[float]
    longitude: Optional[float]


class JobsDJobResultJobSalary(Record):
    """Jobs dJob result job salary, as the service answers it."""

    min: Optional[float]
    max: Optional[float]
    currency: Optional[str]
    period: Optional[Literal["hour", "day", "week", "month", "year"]]
    text: Optional[str]
    #: Whether the site estimated it
    is_estimate: Optional[bool]


class MeteredJobsDJobResult(JobsDJobResult, Metered):
    """JobsDJobResult and Metered."""


class JobsBJobsResult(Record):
    """Jobs bJobs result, as the service answers it."""

    provider: Literal["jobs-b"]
    jobs: List[JobsBJobsResultJobs]
    total: Optional[int]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "jobs": lambda: JobsBJobsResultJobs,
        "warnings": lambda: Warning,
    }


class JobsBJobsResultJobs(Record):
    """Jobs bJobs result jobs, as the service answers it."""

    id: str
    #: The id to request the job with; null if the site has only URLs
    job_id: Optional[str]
    url: str
    title: str
    company: Optional[JobsBJobsResultJobsCompany]
    location_text: Optional[str]
    locations: Optional[List[JobsBJobsResultJobsLocations]]
    workplace: Optional[Literal["remote", "hybrid", "onsite"]]
    #: full_time, part_time, contract, third_party, temporary, internship and others
    employment_types: Optional[List[str]]
    salary: Optional[JobsBJobsResultJobsSalary]
    posted_at: Optional[str]
    posted_text: Optional[str]
    summary: Optional[str]
    easy_apply: Optional[bool]
    sponsored: Optional[bool]

    _records = {
        "company": lambda: JobsBJobsResultJobsCompany,
        "locations": lambda: JobsBJobsResultJobsLocations,
        "salary": lambda: JobsBJobsResultJobsSalary,
    }


class JobsBJobsResultJobsCompany(Record):
    """Jobs bJobs result jobs company, as the service answers it."""

    name: Optional[str]
    url: Optional[str]
    logo_url: Optional[str]


class JobsBJobsResultJobsLocations(Record):
    """Jobs bJobs result jobs locations, as the service answers it."""

    city: Optional[str]
    region: Optional[str]
    country: Optional[str]
    postal_code: Optional[str]
    latitude: Optional[float]
    longitude: Optional[float]


class JobsBJobsResultJobsSalary(Record):
    """Jobs bJobs result jobs salary, as the service answers it."""

    min: Optional[float]
    max: Optional[float]
    currency: Optional[str]
    period: Optional[Literal["hour", "day", "week", "month", "year"]]
    text: Optional[str]
    #: Whether the site estimated it
    is_estimate: Optional[bool]


class MeteredJobsBJobsResult(JobsBJobsResult, Metered):
    """JobsBJobsResult and Metered."""


class JobsBJobResult(Record):
    """Jobs bJob result, as the service answers it."""

    provider: Literal["jobs-b"]
    job: JobsBJobResultJob
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "job": lambda: JobsBJobResultJob,
        "warnings": lambda: Warning,
    }


class JobsBJobResultJob(Record):
    """Jobs bJob result job, as the service answers it."""

    id: str
    #: The id to request the job with; null if the site has only URLs
    job_id: Optional[str]
    url: str
    title: str
    company: Optional[JobsBJobResultJobCompany]
    location_text: Optional[str]
    locations: Optional[List[JobsBJobResultJobLocations]]
    workplace: Optional[Literal["remote", "hybrid", "onsite"]]
    #: full_time, part_time, contract, third_party, temporary, internship and others
    employment_types: Optional[List[str]]
    salary: Optional[JobsBJobResultJobSalary]
    posted_at: Optional[str]
    posted_text: Optional[str]
    summary: Optional[str]
    easy_apply: Optional[bool]
    sponsored: Optional[bool]
    description_html: Optional[str]
    description_text: Optional[str]
    benefits: Optional[List[str]]
    skills: Optional[List[str]]
    qualifications: Optional[List[str]]
    experience_months: Optional[int]
    education: Optional[str]
    industries: Optional[List[str]]
    valid_through: Optional[str]
    apply_url: Optional[str]
    direct_apply: Optional[bool]
    is_expired: Optional[bool]

    _records = {
        "company": lambda: JobsBJobResultJobCompany,
        "locations": lambda: JobsBJobResultJobLocations,
        "salary": lambda: JobsBJobResultJobSalary,
    }


class JobsBJobResultJobCompany(Record):
    """Jobs bJob result job company, as the service answers it."""

    name: Optional[str]
    url: Optional[str]
    logo_url: Optional[str]


class JobsBJobResultJobLocations(Record):
    """Jobs bJob result job locations, as the service answers it."""

    city: Optional[str]
    region: Optional[str]
    country: Optional[str]
    postal_code: Optional[str]
    latitude: Optional[float]
    longitude: Optional[float]


class JobsBJobResultJobSalary(Record):
    """Jobs bJob result job salary, as the service answers it."""

    min: Optional[float]
    max: Optional[float]
    currency: Optional[str]
    period: Optional[Literal["hour", "day", "week", "month", "year"]]
    text: Optional[str]
    #: Whether the site estimated it
    is_estimate: Optional[bool]


class MeteredJobsBJobResult(JobsBJobResult, Metered):
    """JobsBJobResult and Metered."""


class JobsSJobsResult(Record):
    """Jobs sJobs result, as the service answers it."""

    provider: Literal["jobs-s"]
    jobs: List[JobsSJobsResultJobs]
    total: Optional[int]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "jobs": lambda: JobsSJobsResultJobs,
        "warnings": lambda: Warning,
    }


class JobsSJobsResultJobs(Record):
    """Jobs sJobs result jobs, as the service answers it."""

    id: str
    #: The id to request the job with; null if the site has only URLs
    job_id: Optional[str]
    url: str
    title: str
    company: Optional[JobsSJobsResultJobsCompany]
    location_text: Optional[str]
    locations: Optional[List[JobsSJobsResultJobsLocations]]
    workplace: Optional[Literal["remote", "hybrid", "onsite"]]
    #: full_time, part_time, contract, third_party, temporary, internship and others
    employment_types: Optional[List[str]]
    salary: Optional[JobsSJobsResultJobsSalary]
    posted_at: Optional[str]
    posted_text: Optional[str]
    summary: Optional[str]
    easy_apply: Optional[bool]
    sponsored: Optional[bool]

    _records = {
        "company": lambda: JobsSJobsResultJobsCompany,
        "locations": lambda: JobsSJobsResultJobsLocations,
        "salary": lambda: JobsSJobsResultJobsSalary,
    }


class JobsSJobsResultJobsCompany(Record):
    """Jobs sJobs result jobs company, as the service answers it."""

    name: Optional[str]
    url: Optional[str]
    logo_url: Optional[str]


class JobsSJobsResultJobsLocations(Record):
    """Jobs sJobs result jobs locations, as the service answers it."""

    city: Optional[str]
    region: Optional[str]
    country: Optional[str]
    postal_code: Optional[str]
    latitude: Optional[float]
    longitude: Optional[float]


class JobsSJobsResultJobsSalary(Record):
    """Jobs sJobs result jobs salary, as the service answers it."""

    min: Optional[float]
    max: Optional[float]
    currency: Optional[str]
    period: Optional[Literal["hour", "day", "week", "month", "year"]]
    text: Optional[str]
    #: Whether the site estimated it
    is_estimate: Optional[bool]


class MeteredJobsSJobsResult(JobsSJobsResult, Metered):
    """JobsSJobsResult and Metered."""


class JobsSJobResult(Record):
    """Jobs sJob result, as the service answers it."""

    provider: Literal["jobs-s"]
    job: JobsSJobResultJob
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "job": lambda: JobsSJobResultJob,
        "warnings": lambda: Warning,
    }


class JobsSJobResultJob(Record):
    """Jobs sJob result job, as the service answers it."""

    id: str
    #: The id to request the job with; null if the site has only URLs
    job_id: Optional[str]
    url: str
    title: str
    company: Optional[JobsSJobResultJobCompany]
    location_text: Optional[str]
    locations: Optional[List[JobsSJobResultJobLocations]]
    workplace: Optional[Literal["remote", "hybrid", "onsite"]]
    #: full_time, part_time, contract, third_party, temporary, internship and others
    employment_types: Optional[List[str]]
    salary: Optional[JobsSJobResultJobSalary]
    posted_at: Optional[str]
    posted_text: Optional[str]
    summary: Optional[str]
    easy_apply: Optional[bool]
    sponsored: Optional[bool]
    description_html: Optional[str]
    description_text: Optional[str]
    benefits: Optional[List[str]]
    skills: Optional[List[str]]
    qualifications: Optional[List[str]]
    experience_months: Optional[int]
    education: Optional[str]
    industries: Optional[List[str]]
    valid_through: Optional[str]
    apply_url: Optional[str]
    direct_apply: Optional[bool]
    is_expired: Optional[bool]

    _records = {
        "company": lambda: JobsSJobResultJobCompany,
        "locations": lambda: JobsSJobResultJobLocations,
        "salary": lambda: JobsSJobResultJobSalary,
    }


class JobsSJobResultJobCompany(Record):
    """Jobs sJob result job company, as the service answers it."""

    name: Optional[str]
    url: Optional[str]
    logo_url: Optional[str]


class JobsSJobResultJobLocations(Record):
    """Jobs sJob result job locations, as the service answers it."""

    city: Optional[str]
    region: Optional[str]
    country: Optional[str]
    postal_code: Optional[str]
    latitude: Optional[float]
    longitude: Optional[float]


class JobsSJobResultJobSalary(Record):
    """Jobs sJob result job salary, as the service answers it."""

    min: Optional[float]
    max: Optional[float]
    currency: Optional[str]
    period: Optional[Literal["hour", "day", "week", "month", "year"]]
    text: Optional[str]
    #: Whether the site estimated it
    is_estimate: Optional[bool]


class MeteredJobsSJobResult(JobsSJobResult, Metered):
    """JobsSJobResult and Metered."""


class LaunchesLeaderboardResult(Record):
    """Launches leaderboard result, as the service answers it."""

    provider: Literal["launches"]
    period: Literal["daily", "weekly", "monthly", "yearly"]
    #: First day of the leaderboard
    date: str
    start_date: str
    end_date: str
    topic: Optional[str]
    #: Whether other topics were removed from each page (client), or by the site
    topic_filter: Optional[Literal["client", "site"]]
    url: str
    products: List[LaunchesLeaderboardResultProducts]
    #: Always true: only the first launches; launches/leaderboard/crawl returns all
    truncated: Literal[True]
    count: int
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "products": lambda: LaunchesLeaderboardResultProducts,
        "warnings": lambda: Warning,
    }


class LaunchesLeaderboardResultProducts(Record):
    """Launches leaderboard result products, as the service answers it."""

    #: Rank on this leaderboard; null while the site shuffles the order
    rank: Optional[int]
    #: Whether the leaderboard has ended
    rank_is_final: bool
    id: str
    name: str
    tagline: Optional[str]
    slug: str
    url: str
    product: Optional[LaunchesLeaderboardResultProductsProduct]
    upvotes: Optional[int]
    launch_day_upvotes: Optional[int]
    #: Whether the site shows no counts yet
    upvotes_hidden: Optional[bool]
    comment_count: Optional[int]
    topics: Optional[List[LaunchesLeaderboardResultProductsTopics]]
    thumbnail_url: Optional[str]
    launched_at: Optional[str]
    is_featured: Optional[bool]
    daily_rank: Optional[int]
    weekly_rank: Optional[int]
    monthly_rank: Optional[int]
    #: Address that redirects to the site of the product
    redirect_url: Optional[str]

    _records = {
        "product": lambda: LaunchesLeaderboardResultProductsProduct,
        "topics": lambda: LaunchesLeaderboardResultProductsTopics,
    }


class LaunchesLeaderboardResultProductsProduct(Record):
    """Launches leaderboard result products product, as the service answers it."""

    id: Optional[str]
    slug: str
    url: str


class LaunchesLeaderboardResultProductsTopics(Record):
    """Launches leaderboard result products topics, as the service answers it."""

    name: str
    slug: str


class MeteredLaunchesLeaderboardResult(LaunchesLeaderboardResult, Metered):
    """LaunchesLeaderboardResult and Metered."""


class LaunchesProductResult(Record):
    """Launches product result, as the service answers it."""

    provider: Literal["launches"]
    product: LaunchesProductResultProduct
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "product": lambda: LaunchesProductResultProduct,
        "warnings": lambda: Warning,
    }


class LaunchesProductResultProduct(Record):
    """Launches product result product, as the service answers it."""

    id: Optional[str]
    name: str
    slug: str
    url: str
    tagline: Optional[str]
    description: Optional[str]
    website_url: Optional[str]
    upvotes: Optional[int]
    launch_day_upvotes: Optional[int]
    followers: Optional[int]
    review_count: Optional[int]
    rating: Optional[float]
    topics: Optional[List[LaunchesProductResultProductTopics]]
    categories: Optional[List[LaunchesProductResultProductCategories]]
    makers: Optional[List[LaunchesProductResultProductMakers]]
    hunter: Optional[LaunchesProductResultProductHunter]
    launched_at: Optional[str]
    launches: Optional[List[LaunchesProductResultProductLaunches]]
    comment_count: Optional[int]
    thumbnail_url: Optional[str]
    media: Optional[List[LaunchesProductResultProductMedia]]
    links: Optional[List[LaunchesProductResultProductLinks]]

    _records = {
        "topics": lambda: LaunchesProductResultProductTopics,
        "categories": lambda: LaunchesProductResultProductCategories,
        "makers": lambda: LaunchesProductResultProductMakers,
        "hunter": lambda: LaunchesProductResultProductHunter,
        "launches": lambda: LaunchesProductResultProductLaunches,
        "media": lambda: LaunchesProductResultProductMedia,
        "links": lambda: LaunchesProductResultProductLinks,
    }


class LaunchesProductResultProductTopics(Record):
    """Launches product result product topics, as the service answers it."""

    name: str
    slug: str


class LaunchesProductResultProductCategories(Record):
    """Launches product result product categories, as the service answers it."""

    name: str
    slug: str


class LaunchesProductResultProductMakers(Record):
    """Launches product result product makers, as the service answers it."""

    id: Optional[str]
    username: str
    name: Optional[str]
    headline: Optional[str]
    avatar_url: Optional[str]
    url: str


class LaunchesProductResultProductHunter(Record):
    """Launches product result product hunter, as the service answers it."""

    id: Optional[str]
    username: str
    name: Optional[str]
    headline: Optional[str]
    avatar_url: Optional[str]
    url: str


class LaunchesProductResultProductLaunches(Record):
    """Launches product result product launches, as the service answers it."""

    id: str
    name: str
    tagline: Optional[str]
    slug: str
    launched_at: Optional[str]
    upvotes: Optional[int]
    comment_count: Optional[int]
    daily_rank: Optional[int]


class LaunchesProductResultProductMedia(Record):
    """Launches product result product media, as the service answers it."""

    type: Literal["image", "video"]
    url: str


class LaunchesProductResultProductLinks(Record):
    """Launches product result product links, as the service answers it."""

    #: website, or the name of the linked site
    type: str
    url: str


class MeteredLaunchesProductResult(LaunchesProductResult, Metered):
    """LaunchesProductResult and Metered."""


class LaunchesMakerResult(Record):
    """Launches maker result, as the service answers it."""

    provider: Literal["launches"]
    maker: LaunchesMakerResultMaker
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "maker": lambda: LaunchesMakerResultMaker,
        "warnings": lambda: Warning,
    }


class LaunchesMakerResultMaker(Record):
    """Launches maker result maker, as the service answers it."""

    id: Optional[str]
    username: str
    name: str
    headline: Optional[str]
    about: Optional[str]
    url: str
    avatar_url: Optional[str]
    followers: Optional[int]
    following: Optional[int]
    links: Optional[List[LaunchesMakerResultMakerLinks]]
    products: Optional[List[LaunchesMakerResultMakerProducts]]
    joined_at: Optional[str]
    badges: Optional[List[str]]
    streak_days: Optional[int]

    _records = {
        "links": lambda: LaunchesMakerResultMakerLinks,
        "products": lambda: LaunchesMakerResultMakerProducts,
    }


class LaunchesMakerResultMakerLinks(Record):
    """Launches maker result maker links, as the service answers it."""

    #: website, or the name of the linked site
    type: str
    url: str


class LaunchesMakerResultMakerProducts(Record):
    """Launches maker result maker products, as the service answers it."""

    id: str
    name: str
    slug: str
    tagline: Optional[str]
    url: str
    upvotes: Optional[int]
    launched_at: Optional[str]


class MeteredLaunchesMakerResult(LaunchesMakerResult, Metered):
    """LaunchesMakerResult and Metered."""


class MicroblogProfileResult(Record):
    """Microblog profile result, as the service answers it."""

    provider: Literal["microblog"]
    profile: MicroblogProfileResultProfile
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "profile": lambda: MicroblogProfileResultProfile,
        "warnings": lambda: Warning,
    }


class MicroblogProfileResultProfile(Record):
    """Microblog profile result profile, as the service answers it."""

    id: str
    username: str
    name: Optional[str]
    url: str
    network: Literal["x", "bluesky", "mastodon"]
    description: Optional[str]
    location: Optional[str]
    website: Optional[str]
    followers: Optional[int]
    following: Optional[int]
    post_count: Optional[int]
    created_at: Optional[str]
    verified: Optional[bool]
    avatar_url: Optional[str]
    banner_url: Optional[str]
    is_protected: Optional[bool]


class MeteredMicroblogProfileResult(MicroblogProfileResult, Metered):
    """MicroblogProfileResult and Metered."""


class MicroblogPostsResult(Record):
    """Microblog posts result, as the service answers it."""

    provider: Literal["microblog"]
    posts: List[MicroblogPostsResultPosts]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "posts": lambda: MicroblogPostsResultPosts,
        "warnings": lambda: Warning,
    }


class MicroblogPostsResultPosts(Record):
    """Microblog posts result posts, as the service answers it."""

    id: str
    url: str
    text: Optional[str]
    author: MicroblogPostsResultPostsAuthor
    created_at: Optional[str]
    language: Optional[str]
    reply_count: Optional[int]
    repost_count: Optional[int]
    quote_count: Optional[int]
    like_count: Optional[int]
    view_count: Optional[int]
    bookmark_count: Optional[int]
    media: List[MicroblogPostsResultPostsMedia]
    links: List[str]
    hashtags: List[str]
    mentions: List[str]
    quoted_post: Optional[MicroblogPostsResultPostsQuotedPost]
    in_reply_to: Optional[MicroblogPostsResultPostsInReplyTo]
    #: Whether the account of the list reposted it
    is_repost: bool

    _records = {
        "author": lambda: MicroblogPostsResultPostsAuthor,
        "media": lambda: MicroblogPostsResultPostsMedia,
        "quoted_post": lambda: MicroblogPostsResultPostsQuotedPost,
        "in_reply_to": lambda: MicroblogPostsResultPostsInReplyTo,
    }


class MicroblogPostsResultPostsAuthor(Record):
    """Microblog posts result posts author, as the service answers it."""

    id: Optional[str]
    username: str
    name: Optional[str]
    verified: Optional[bool]
    avatar_url: Optional[str]


class MicroblogPostsResultPostsMedia(Record):
    """Microblog posts result posts media, as the service answers it."""

    type: Literal["image", "video", "gif", "audio"]
    url: str
    thumbnail_url: Optional[str]
    width: Optional[int]
    height: Optional[int]
    duration_ms: Optional[int]
    description: Optional[str]


class MicroblogPostsResultPostsQuotedPost(Record):
    """Microblog posts result posts quoted post, as the service answers it."""

    id: str
    url: str
    text: Optional[str]
    author: MicroblogPostsResultPostsQuotedPostAuthor

    _records = {
        "author": lambda: MicroblogPostsResultPostsQuotedPostAuthor,
    }


class MicroblogPostsResultPostsQuotedPostAuthor(Record):
    """Microblog posts result posts quoted post author, as the service answers it."""

    id: Optional[str]
    username: str
    name: Optional[str]
    verified: Optional[bool]
    avatar_url: Optional[str]


class MicroblogPostsResultPostsInReplyTo(Record):
    """Microblog posts result posts in reply to, as the service answers it."""

    id: Optional[str]
    username: Optional[str]


class MeteredMicroblogPostsResult(MicroblogPostsResult, Metered):
    """MicroblogPostsResult and Metered."""


class MicroblogPostResult(Record):
    """Microblog post result, as the service answers it."""

    provider: Literal["microblog"]
    post: MicroblogPostResultPost
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "post": lambda: MicroblogPostResultPost,
        "warnings": lambda: Warning,
    }


class MicroblogPostResultPost(Record):
    """Microblog post result post, as the service answers it."""

    id: str
    url: str
    text: Optional[str]
    author: MicroblogPostResultPostAuthor
    created_at: Optional[str]
    language: Optional[str]
    reply_count: Optional[int]
    repost_count: Optional[int]
    quote_count: Optional[int]
    like_count: Optional[int]
    view_count: Optional[int]
    bookmark_count: Optional[int]
    media: List[MicroblogPostResultPostMedia]
    links: List[str]
    hashtags: List[str]
    mentions: List[str]
    quoted_post: Optional[MicroblogPostResultPostQuotedPost]
    in_reply_to: Optional[MicroblogPostResultPostInReplyTo]
    #: Whether the account of the list reposted it
    is_repost: bool

    _records = {
        "author": lambda: MicroblogPostResultPostAuthor,
        "media": lambda: MicroblogPostResultPostMedia,
        "quoted_post": lambda: MicroblogPostResultPostQuotedPost,
        "in_reply_to": lambda: MicroblogPostResultPostInReplyTo,
    }


class MicroblogPostResultPostAuthor(Record):
    """Microblog post result post author, as the service answers it."""

    id: Optional[str]
    username: str
    name: Optional[str]
    verified: Optional[bool]
    avatar_url: Optional[str]


class MicroblogPostResultPostMedia(Record):
    """Microblog post result post media, as the service answers it."""

    type: Literal["image", "video", "gif", "audio"]
    url: str
    thumbnail_url: Optional[str]
    width: Optional[int]
    height: Optional[int]
    duration_ms: Optional[int]
    description: Optional[str]


class MicroblogPostResultPostQuotedPost(Record):
    """Microblog post result post quoted post, as the service answers it."""

    id: str
    url: str
    text: Optional[str]
    author: MicroblogPostResultPostQuotedPostAuthor

    _records = {
        "author": lambda: MicroblogPostResultPostQuotedPostAuthor,
    }


class MicroblogPostResultPostQuotedPostAuthor(Record):
    """Microblog post result post quoted post author, as the service answers it."""

    id: Optional[str]
    username: str
    name: Optional[str]
    verified: Optional[bool]
    avatar_url: Optional[str]


class MicroblogPostResultPostInReplyTo(Record):
    """Microblog post result post in reply to, as the service answers it."""

    id: Optional[str]
    username: Optional[str]


class MeteredMicroblogPostResult(MicroblogPostResult, Metered):
    """MicroblogPostResult and Metered."""


class MicroblogSearchResult(Record):
    """Microblog search result, as the service answers it."""

    provider: Literal["microblog"]
    results: List[MicroblogSearchResultResults]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "results": lambda: MicroblogSearchResultResults,
        "warnings": lambda: Warning,
    }


class MicroblogSearchResultResults(Record):
    """Microblog search result results, as the service answers it."""

    id: str
    url: str
    text: Optional[str]
    author: MicroblogSearchResultResultsAuthor
    created_at: Optional[str]
    language: Optional[str]
    reply_count: Optional[int]
    repost_count: Optional[int]
    quote_count: Optional[int]
    like_count: Optional[int]
    view_count: Optional[int]
    bookmark_count: Optional[int]
    media: List[MicroblogSearchResultResultsMedia]
    links: List[str]
    hashtags: List[str]
    mentions: List[str]
    quoted_post: Optional[MicroblogSearchResultResultsQuotedPost]
    in_reply_to: Optional[MicroblogSearchResultResultsInReplyTo]
    #: Whether the account of the list reposted it
    is_repost: bool

    _records = {
        "author": lambda: MicroblogSearchResultResultsAuthor,
        "media": lambda: MicroblogSearchResultResultsMedia,
        "quoted_post": lambda: MicroblogSearchResultResultsQuotedPost,
        "in_reply_to": lambda: MicroblogSearchResultResultsInReplyTo,
    }


class MicroblogSearchResultResultsAuthor(Record):
    """Microblog search result results author, as the service answers it."""

    id: Optional[str]
    username: str
    name: Optional[str]
    verified: Optional[bool]
    avatar_url: Optional[str]


class MicroblogSearchResultResultsMedia(Record):
    """Microblog search result results media, as the service answers it."""

    type: Literal["image", "video", "gif", "audio"]
    url: str
    thumbnail_url: Optional[str]
    width: Optional[int]
    height: Optional[int]
    duration_ms: Optional[int]
    description: Optional[str]


class MicroblogSearchResultResultsQuotedPost(Record):
    """Microblog search result results quoted post, as the service answers it."""

    id: str
    url: str
    text: Optional[str]
    author: MicroblogSearchResultResultsQuotedPostAuthor

    _records = {
        "author": lambda: MicroblogSearchResultResultsQuotedPostAuthor,
    }


class MicroblogSearchResultResultsQuotedPostAuthor(Record):
    """Microblog search result results quoted post author, as the service answers it."""

    id: Optional[str]
    username: str
    name: Optional[str]
    verified: Optional[bool]
    avatar_url: Optional[str]


class MicroblogSearchResultResultsInReplyTo(Record):
    """Microblog search result results in reply to, as the service answers it."""

    id: Optional[str]
    username: Optional[str]


class MeteredMicroblogSearchResult(MicroblogSearchResult, Metered):
    """MicroblogSearchResult and Metered."""


class MusiccatalogAlbumResult(Record):
    """Musiccatalog album result, as the service answers it."""

    provider: Literal["musiccatalog"]
    album: MusiccatalogAlbumResultAlbum
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "album": lambda: MusiccatalogAlbumResultAlbum,
        "warnings": lambda: Warning,
    }


class MusiccatalogAlbumResultAlbum(Record):
    """Musiccatalog album result album, as the service answers it."""

    id: str
    name: str
    url: str
    type: Literal["album", "single", "ep", "compilation"]
    artists: Optional[List[MusiccatalogAlbumResultAlbumArtists]]
    artist_name: Optional[str]
    #: The day
    release_date: Optional[str]
    genres: Optional[List[str]]
    label: Optional[str]
    upc: Optional[str]
    copyright: Optional[str]
    explicit: Optional[bool]
    #: The site's own count, which may exceed the number of listed tracks
    track_count: Optional[int]
    disc_count: Optional[int]
    price: Optional[float]
    #: ISO 4217, of the prices of album and tracks
    currency: Optional[str]
    artwork: Optional[MusiccatalogAlbumResultAlbumArtwork]
    tracks: List[MusiccatalogAlbumResultAlbumTracks]

    _records = {
        "artists": lambda: MusiccatalogAlbumResultAlbumArtists,
        "artwork": lambda: MusiccatalogAlbumResultAlbumArtwork,
        "tracks": lambda: MusiccatalogAlbumResultAlbumTracks,
    }


class MusiccatalogAlbumResultAlbumArtists(Record):
    """Musiccatalog album result album artists, as the service answers it."""

    id: Optional[str]
    name: str
    url: Optional[str]


class MusiccatalogAlbumResultAlbumArtwork(Record):
    """Musiccatalog album result album artwork, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MusiccatalogAlbumResultAlbumTracks(Record):
    """Musiccatalog album result album tracks, as the service answers it."""

    id: Optional[str]
    name: str
    url: Optional[str]
    track_number: Optional[int]
    disc_number: Optional[int]
    duration_ms: Optional[int]
    explicit: Optional[bool]
    isrc: Optional[str]
    composer: Optional[str]
    preview_url: Optional[str]
    artist_name: Optional[str]
    price: Optional[float]
    streamable: Optional[bool]


class MeteredMusiccatalogAlbumResult(MusiccatalogAlbumResult, Metered):
    """MusiccatalogAlbumResult and Metered."""


class MusiccatalogArtistResult(Record):
    """Musiccatalog artist result, as the service answers it."""

    provider: Literal["musiccatalog"]
    artist: MusiccatalogArtistResultArtist
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "artist": lambda: MusiccatalogArtistResultArtist,
        "warnings": lambda: Warning,
    }


class MusiccatalogArtistResultArtist(Record):
    """Musiccatalog artist result artist, as the service answers it."""

    id: str
    name: str
    url: str
    genres: Optional[List[str]]
    #: Only from the page of the artist
    image_url: Optional[str]
    #: Only from the page of the artist
    biography: Optional[str]
    #: The newest first
    albums: Optional[List[MusiccatalogArtistResultArtistAlbums]]
    top_songs: Optional[List[MusiccatalogArtistResultArtistTopSongs]]

    _records = {
        "albums": lambda: MusiccatalogArtistResultArtistAlbums,
        "top_songs": lambda: MusiccatalogArtistResultArtistTopSongs,
    }


class MusiccatalogArtistResultArtistAlbums(Record):
    """Musiccatalog artist result artist albums, as the service answers it."""

    id: str
    name: str
    url: str
    type: Literal["album", "single", "ep", "compilation"]
    artists: Optional[List[MusiccatalogArtistResultArtistAlbumsArtists]]
    artist_name: Optional[str]
    #: The day
    release_date: Optional[str]
    genres: Optional[List[str]]
    copyright: Optional[str]
    explicit: Optional[bool]
    #: The site's own count, which may exceed the number of listed tracks
    track_count: Optional[int]
    price: Optional[float]
    #: ISO 4217, of the prices of album and tracks
    currency: Optional[str]
    artwork: Optional[MusiccatalogArtistResultArtistAlbumsArtwork]

    _records = {
        "artists": lambda: MusiccatalogArtistResultArtistAlbumsArtists,
        "artwork": lambda: MusiccatalogArtistResultArtistAlbumsArtwork,
    }


class MusiccatalogArtistResultArtistAlbumsArtists(Record):
    """Musiccatalog artist result artist albums artists, as the service answers it."""

    id: Optional[str]
    name: str
    url: Optional[str]


class MusiccatalogArtistResultArtistAlbumsArtwork(Record):
    """Musiccatalog artist result artist albums artwork, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MusiccatalogArtistResultArtistTopSongs(Record):
    """Musiccatalog artist result artist top songs, as the service answers it."""

    id: str
    name: str
    url: Optional[str]
    track_number: Optional[int]
    disc_number: Optional[int]
    duration_ms: Optional[int]
    explicit: Optional[bool]
    isrc: Optional[str]
    composer: Optional[str]
    preview_url: Optional[str]
    artist_name: Optional[str]
    price: Optional[float]
    streamable: Optional[bool]
    album: Optional[MusiccatalogArtistResultArtistTopSongsAlbum]
    genres: Optional[List[str]]
    #: The day
    release_date: Optional[str]
    #: ISO 4217
    currency: Optional[str]
    artwork: Optional[MusiccatalogArtistResultArtistTopSongsArtwork]

    _records = {
        "album": lambda: MusiccatalogArtistResultArtistTopSongsAlbum,
        "artwork": lambda: MusiccatalogArtistResultArtistTopSongsArtwork,
    }


class MusiccatalogArtistResultArtistTopSongsAlbum(Record):
    """Musiccatalog artist result artist top songs album, as the service answers it."""

    id: Optional[str]
    name: str
    url: Optional[str]


class MusiccatalogArtistResultArtistTopSongsArtwork(Record):
    """Musiccatalog artist result artist top songs artwork, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MeteredMusiccatalogArtistResult(MusiccatalogArtistResult, Metered):
    """MusiccatalogArtistResult and Metered."""


class MusiccatalogSearchResult(Record):
    """Musiccatalog search result, as the service answers it."""

    provider: Literal["musiccatalog"]
    results: List[MusiccatalogSearchResultResults]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "warnings": lambda: Warning,
    }


class MusiccatalogSearchResultResults(Record):
    """Musiccatalog search result results, as the service answers it."""

    id: str
    name: str
    url: Optional[str]
    track_number: Optional[int]
    disc_number: Optional[int]
    duration_ms: Optional[int]
    explicit: Optional[bool]
    isrc: Optional[str]
    composer: Optional[str]
    preview_url: Optional[str]
    artist_name: Optional[str]
    price: Optional[float]
    streamable: Optional[bool]
    album: Optional[MusiccatalogSearchResultResultsAlbum]
    genres: Optional[List[str]]
    #: The day
    release_date: Optional[str]
    #: ISO 4217
    currency: Optional[str]
    artwork: Optional[MusiccatalogSearchResultResultsArtwork]
    type: Literal["song"]

    _records = {
        "album": lambda: MusiccatalogSearchResultResultsAlbum,
        "artwork": lambda: MusiccatalogSearchResultResultsArtwork,
    }


class MusiccatalogSearchResultResultsAlbum(Record):
    """Musiccatalog search result results album, as the service answers it."""

    id: Optional[str]
    name: str
    url: Optional[str]


class MusiccatalogSearchResultResultsArtwork(Record):
    """Musiccatalog search result results artwork, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MeteredMusiccatalogSearchResult(MusiccatalogSearchResult, Metered):
    """MusiccatalogSearchResult and Metered."""


class MusiccatalogTrackResult(Record):
    """Musiccatalog track result, as the service answers it."""

    provider: Literal["musiccatalog"]
    track: MusiccatalogTrackResultTrack
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "track": lambda: MusiccatalogTrackResultTrack,
        "warnings": lambda: Warning,
    }


class MusiccatalogTrackResultTrack(Record):
    """Musiccatalog track result track, as the service answers it."""

    id: str
    name: str
    url: Optional[str]
    track_number: Optional[int]
    disc_number: Optional[int]
    duration_ms: Optional[int]
    explicit: Optional[bool]
    isrc: Optional[str]
    composer: Optional[str]
    preview_url: Optional[str]
    artist_name: Optional[str]
    price: Optional[float]
    streamable: Optional[bool]
    album: Optional[MusiccatalogTrackResultTrackAlbum]
    genres: Optional[List[str]]
    #: The day
    release_date: Optional[str]
    #: ISO 4217
    currency: Optional[str]
    artwork: Optional[MusiccatalogTrackResultTrackArtwork]

    _records = {
        "album": lambda: MusiccatalogTrackResultTrackAlbum,
        "artwork": lambda: MusiccatalogTrackResultTrackArtwork,
    }


class MusiccatalogTrackResultTrackAlbum(Record):
    """Musiccatalog track result track album, as the service answers it."""

    id: Optional[str]
    name: str
    url: Optional[str]


class MusiccatalogTrackResultTrackArtwork(Record):
    """Musiccatalog track result track artwork, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MeteredMusiccatalogTrackResult(MusiccatalogTrackResult, Metered):
    """MusiccatalogTrackResult and Metered."""


class MusicstreamAlbumResult(Record):
    """Musicstream album result, as the service answers it."""

    provider: Literal["musicstream"]
    album: MusicstreamAlbumResultAlbum
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "album": lambda: MusicstreamAlbumResultAlbum,
        "warnings": lambda: Warning,
    }


class MusicstreamAlbumResultAlbum(Record):
    """Musicstream album result album, as the service answers it."""

    id: str
    uri: str
    url: str
    name: str
    type: Optional[Literal["album", "single", "compilation", "ep"]]
    artists: Optional[List[MusicstreamAlbumResultAlbumArtists]]
    #: A day, a month or a year
    release_date: Optional[str]
    release_date_precision: Optional[Literal["day", "month", "year"]]
    label: Optional[str]
    copyrights: Optional[List[MusicstreamAlbumResultAlbumCopyrights]]
    total_tracks: Optional[int]
    discs: Optional[int]
    #: The widest first
    images: Optional[List[MusicstreamAlbumResultAlbumImages]]
    tracks: Optional[List[MusicstreamAlbumResultAlbumTracks]]
    #: Whether the album has more tracks than are listed
    tracks_truncated: Optional[bool]

    _records = {
        "artists": lambda: MusicstreamAlbumResultAlbumArtists,
        "copyrights": lambda: MusicstreamAlbumResultAlbumCopyrights,
        "images": lambda: MusicstreamAlbumResultAlbumImages,
        "tracks": lambda: MusicstreamAlbumResultAlbumTracks,
    }


class MusicstreamAlbumResultAlbumArtists(Record):
    """Musicstream album result album artists, as the service answers it."""

    id: Optional[str]
    uri: Optional[str]
    name: str
    url: Optional[str]


class MusicstreamAlbumResultAlbumCopyrights(Record):
    """Musicstream album result album copyrights, as the service answers it."""

    #: C of the work, P of the recording
    type: Optional[str]
    text: str


class MusicstreamAlbumResultAlbumImages(Record):
    """Musicstream album result album images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MusicstreamAlbumResultAlbumTracks(Record):
    """Musicstream album result album tracks, as the service answers it."""

    id: str
    uri: str
    url: str
    name: str
    artists: Optional[List[MusicstreamAlbumResultAlbumTracksArtists]]
    duration_ms: Optional[int]
    explicit: Optional[bool]
    #: Whether it is playable in the country of the request
    playable: Optional[bool]
    preview_url: Optional[str]
    track_number: Optional[int]
    disc_number: Optional[int]
    play_count: Optional[int]
    release_date: Optional[str]
    #: Only from the documented interface, with the operator's credentials
    isrc: Optional[str]
    #: The widest first
    images: Optional[List[MusicstreamAlbumResultAlbumTracksImages]]

    _records = {
        "artists": lambda: MusicstreamAlbumResultAlbumTracksArtists,
        "images": lambda: MusicstreamAlbumResultAlbumTracksImages,
    }


class MusicstreamAlbumResultAlbumTracksArtists(Record):
    """Musicstream album result album tracks artists, as the service answers it."""

    id: Optional[str]
    uri: Optional[str]
    name: str
    url: Optional[str]


class MusicstreamAlbumResultAlbumTracksImages(Record):
    """Musicstream album result album tracks images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MeteredMusicstreamAlbumResult(MusicstreamAlbumResult, Metered):
    """MusicstreamAlbumResult and Metered."""


class MusicstreamArtistResult(Record):
    """Musicstream artist result, as the service answers it."""

    provider: Literal["musicstream"]
    artist: MusicstreamArtistResultArtist
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "artist": lambda: MusicstreamArtistResultArtist,
        "warnings": lambda: Warning,
    }


class MusicstreamArtistResultArtist(Record):
    """Musicstream artist result artist, as the service answers it."""

    id: str
    uri: str
    url: str
    name: str
    verified: Optional[bool]
    biography: Optional[str]
    followers: Optional[int]
    monthly_listeners: Optional[int]
    #: Null for artists without a rank
    world_rank: Optional[int]
    #: The widest first
    images: Optional[List[MusicstreamArtistResultArtistImages]]
    header_image_url: Optional[str]
    external_links: Optional[List[MusicstreamArtistResultArtistExternalLinks]]
    top_cities: Optional[List[MusicstreamArtistResultArtistTopCities]]
    top_tracks: Optional[List[MusicstreamArtistResultArtistTopTracks]]
    popular_releases: Optional[List[MusicstreamArtistResultArtistPopularReleases]]
    albums_total: Optional[int]
    singles_total: Optional[int]
    related_artists: Optional[List[MusicstreamArtistResultArtistRelatedArtists]]
    counts_approximate: bool

    _records = {
        "images": lambda: MusicstreamArtistResultArtistImages,
        "external_links": lambda: MusicstreamArtistResultArtistExternalLinks,
        "top_cities": lambda: MusicstreamArtistResultArtistTopCities,
        "top_tracks": lambda: MusicstreamArtistResultArtistTopTracks,
        "popular_releases": lambda: MusicstreamArtistResultArtistPopularReleases,
        "related_artists": lambda: MusicstreamArtistResultArtistRelatedArtists,
    }


class MusicstreamArtistResultArtistImages(Record):
    """Musicstream artist result artist images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MusicstreamArtistResultArtistExternalLinks(Record):
    """Musicstream artist result artist external links, as the service answers it."""

    name: Optional[str]
    url: str


class MusicstreamArtistResultArtistTopCities(Record):
    """Musicstream artist result artist top cities, as the service answers it."""

    city: str
    country: Optional[str]
    listeners: Optional[int]


class MusicstreamArtistResultArtistTopTracks(Record):
    """Musicstream artist result artist top tracks, as the service answers it."""

    id: str
    uri: str
    url: str
    name: str
    artists: Optional[List[MusicstreamArtistResultArtistTopTracksArtists]]
    album: Optional[MusicstreamArtistResultArtistTopTracksAlbum]
    duration_ms: Optional[int]
    explicit: Optional[bool]
    #: Whether it is playable in the country of the request
    playable: Optional[bool]
    preview_url: Optional[str]
    track_number: Optional[int]
    disc_number: Optional[int]
    play_count: Optional[int]
    release_date: Optional[str]
    #: Only from the documented interface, with the operator's credentials
    isrc: Optional[str]
    #: The widest first
    images: Optional[List[MusicstreamArtistResultArtistTopTracksImages]]

    _records = {
        "artists": lambda: MusicstreamArtistResultArtistTopTracksArtists,
        "album": lambda: MusicstreamArtistResultArtistTopTracksAlbum,
        "images": lambda: MusicstreamArtistResultArtistTopTracksImages,
    }


class MusicstreamArtistResultArtistTopTracksArtists(Record):
    """Musicstream artist result artist top tracks artists, as the service answers it."""

    id: Optional[str]
    uri: Optional[str]
    name: str
    url: Optional[str]


class MusicstreamArtistResultArtistTopTracksAlbum(Record):
    """Musicstream artist result artist top tracks album, as the service answers it."""

    id: Optional[str]
    uri: Optional[str]
    name: Optional[str]
    url: Optional[str]
    type: Optional[Literal["album", "single", "compilation", "ep"]]
    #: A day, a month or a year, depending on what is known
    release_date: Optional[str]
    image_url: Optional[str]
    total_tracks: Optional[int]


class MusicstreamArtistResultArtistTopTracksImages(Record):
    """Musicstream artist result artist top tracks images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MusicstreamArtistResultArtistPopularReleases(Record):
    """Musicstream artist result artist popular releases, as the service answers it."""

    id: Optional[str]
    uri: Optional[str]
    name: Optional[str]
    url: Optional[str]
    type: Optional[Literal["album", "single", "compilation", "ep"]]
    #: A day, a month or a year, depending on what is known
    release_date: Optional[str]
    image_url: Optional[str]
    total_tracks: Optional[int]


class MusicstreamArtistResultArtistRelatedArtists(Record):
    """Musicstream artist result artist related artists, as the service answers it."""

    id: Optional[str]
    uri: Optional[str]
    name: str
    url: Optional[str]


class MeteredMusicstreamArtistResult(MusicstreamArtistResult, Metered):
    """MusicstreamArtistResult and Metered."""


class MusicstreamPlaylistResult(Record):
    """Musicstream playlist result, as the service answers it."""

    provider: Literal["musicstream"]
    #: Null on later pages if they do not have it
    playlist: Optional[MusicstreamPlaylistResultPlaylist]
    tracks: Optional[List[MusicstreamPlaylistResultTracks]]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "playlist": lambda: MusicstreamPlaylistResultPlaylist,
        "tracks": lambda: MusicstreamPlaylistResultTracks,
        "warnings": lambda: Warning,
    }


class MusicstreamPlaylistResultPlaylist(Record):
    """Musicstream playlist result playlist, as the service answers it."""

    id: str
    uri: str
    url: str
    name: str
    description: Optional[str]
    owner: Optional[MusicstreamPlaylistResultPlaylistOwner]
    followers: Optional[int]
    #: The widest first
    images: Optional[List[MusicstreamPlaylistResultPlaylistImages]]
    total_tracks: Optional[int]

    _records = {
        "owner": lambda: MusicstreamPlaylistResultPlaylistOwner,
        "images": lambda: MusicstreamPlaylistResultPlaylistImages,
    }


class MusicstreamPlaylistResultPlaylistOwner(Record):
    """Musicstream playlist result playlist owner, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    url: Optional[str]


class MusicstreamPlaylistResultPlaylistImages(Record):
    """Musicstream playlist result playlist images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MusicstreamPlaylistResultTracks(Record):
    """Musicstream playlist result tracks, as the service answers it."""

    id: Optional[str]
    uri: str
    url: Optional[str]
    name: str
    artists: Optional[List[MusicstreamPlaylistResultTracksArtists]]
    album: Optional[MusicstreamPlaylistResultTracksAlbum]
    duration_ms: Optional[int]
    explicit: Optional[bool]
    #: Whether it is playable in the country of the request
    playable: Optional[bool]
    preview_url: Optional[str]
    track_number: Optional[int]
    disc_number: Optional[int]
    play_count: Optional[int]
    release_date: Optional[str]
    #: Only from the documented interface, with the operator's credentials
    isrc: Optional[str]
    #: The widest first
    images: Optional[List[MusicstreamPlaylistResultTracksImages]]
    type: Literal["track", "episode", "local"]
    added_at: Optional[str]

    _records = {
        "artists": lambda: MusicstreamPlaylistResultTracksArtists,
        "album": lambda: MusicstreamPlaylistResultTracksAlbum,
        "images": lambda: MusicstreamPlaylistResultTracksImages,
    }


class MusicstreamPlaylistResultTracksArtists(Record):
    """Musicstream playlist result tracks artists, as the service answers it."""

    id: Optional[str]
    uri: Optional[str]
    name: str
    url: Optional[str]


class MusicstreamPlaylistResultTracksAlbum(Record):
    """Musicstream playlist result tracks album, as the service answers it."""

    id: Optional[str]
    uri: Optional[str]
    name: Optional[str]
    url: Optional[str]
    type: Optional[Literal["album", "single", "compilation", "ep"]]
    #: A day, a month or a year, depending on what is known
    release_date: Optional[str]
    image_url: Optional[str]
    total_tracks: Optional[int]


class MusicstreamPlaylistResultTracksImages(Record):
    """Musicstream playlist result tracks images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MeteredMusicstreamPlaylistResult(MusicstreamPlaylistResult, Metered):
    """MusicstreamPlaylistResult and Metered."""


class MusicstreamPodcastResult(Record):
    """Musicstream podcast result, as the service answers it."""

    provider: Literal["musicstream"]
    #: Null on later pages if they do not have it
    podcast: Optional[MusicstreamPodcastResultPodcast]
    #: The newest first
    episodes: Optional[List[MusicstreamPodcastResultEpisodes]]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "podcast": lambda: MusicstreamPodcastResultPodcast,
        "episodes": lambda: MusicstreamPodcastResultEpisodes,
        "warnings": lambda: Warning,
    }


class MusicstreamPodcastResultPodcast(Record):
    """Musicstream podcast result podcast, as the service answers it."""

    id: str
    uri: str
    url: str
    name: str
    publisher: Optional[str]
    description: Optional[str]
    #: Sanitised
    html_description: Optional[str]
    explicit: Optional[bool]
    #: audio, video or mixed
    media_type: Optional[str]
    topics: Optional[List[str]]
    #: From 0 to 5
    rating: Optional[float]
    rating_count: Optional[int]
    #: The widest first
    images: Optional[List[MusicstreamPodcastResultPodcastImages]]
    total_episodes: Optional[int]

    _records = {
        "images": lambda: MusicstreamPodcastResultPodcastImages,
    }


class MusicstreamPodcastResultPodcastImages(Record):
    """Musicstream podcast result podcast images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MusicstreamPodcastResultEpisodes(Record):
    """Musicstream podcast result episodes, as the service answers it."""

    id: str
    uri: str
    url: str
    name: str
    description: Optional[str]
    release_date: Optional[str]
    duration_ms: Optional[int]
    explicit: Optional[bool]
    playable: Optional[bool]
    #: The widest first
    images: Optional[List[MusicstreamPodcastResultEpisodesImages]]

    _records = {
        "images": lambda: MusicstreamPodcastResultEpisodesImages,
    }


class MusicstreamPodcastResultEpisodesImages(Record):
    """Musicstream podcast result episodes images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MeteredMusicstreamPodcastResult(MusicstreamPodcastResult, Metered):
    """MusicstreamPodcastResult and Metered."""


class MusicstreamSearchResult(Record):
    """Musicstream search result, as the service answers it."""

    provider: Literal["musicstream"]
    #: A list for each requested type; null for the others
    results: MusicstreamSearchResultResults
    #: Total number of results of each type
    totals: MusicstreamSearchResultTotals
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "results": lambda: MusicstreamSearchResultResults,
        "totals": lambda: MusicstreamSearchResultTotals,
        "warnings": lambda: Warning,
    }


class MusicstreamSearchResultResults(Record):
    """A list for each requested type; null for the others."""

    tracks: Optional[List[MusicstreamSearchResultResultsTracks]]
    artists: Optional[List[MusicstreamSearchResultResultsArtists]]
    albums: Optional[List[MusicstreamSearchResultResultsAlbums]]
    playlists: Optional[List[MusicstreamSearchResultResultsPlaylists]]
    podcasts: Optional[List[MusicstreamSearchResultResultsPodcasts]]
    episodes: Optional[List[MusicstreamSearchResultResultsEpisodes]]

    _records = {
        "tracks": lambda: MusicstreamSearchResultResultsTracks,
        "artists": lambda: MusicstreamSearchResultResultsArtists,
        "albums": lambda: MusicstreamSearchResultResultsAlbums,
        "playlists": lambda: MusicstreamSearchResultResultsPlaylists,
        "podcasts": lambda: MusicstreamSearchResultResultsPodcasts,
        "episodes": lambda: MusicstreamSearchResultResultsEpisodes,
    }


class MusicstreamSearchResultResultsTracks(Record):
    """Musicstream search result results tracks, as the service answers it."""

    id: str
    uri: str
    url: str
    name: str
    artists: Optional[List[MusicstreamSearchResultResultsTracksArtists]]
    album: Optional[MusicstreamSearchResultResultsTracksAlbum]
    duration_ms: Optional[int]
    explicit: Optional[bool]
    #: Whether it is playable in the country of the request
    playable: Optional[bool]
    preview_url: Optional[str]
    track_number: Optional[int]
    disc_number: Optional[int]
    play_count: Optional[int]
    release_date: Optional[str]
    #: Only from the documented interface, with the operator's credentials
    isrc: Optional[str]
    #: The widest first
    images: Optional[List[MusicstreamSearchResultResultsTracksImages]]

    _records = {
        "artists": lambda: MusicstreamSearchResultResultsTracksArtists,
        "album": lambda: MusicstreamSearchResultResultsTracksAlbum,
        "images": lambda: MusicstreamSearchResultResultsTracksImages,
    }


class MusicstreamSearchResultResultsTracksArtists(Record):
    """Musicstream search result results tracks artists, as the service answers it."""

    id: Optional[str]
    uri: Optional[str]
    name: str
    url: Optional[str]


class MusicstreamSearchResultResultsTracksAlbum(Record):
    """Musicstream search result results tracks album, as the service answers it."""

    id: Optional[str]
    uri: Optional[str]
    name: Optional[str]
    url: Optional[str]
    type: Optional[Literal["album", "single", "compilation", "ep"]]
    #: A day, a month or a year, depending on what is known
    release_date: Optional[str]
    image_url: Optional[str]
    total_tracks: Optional[int]


class MusicstreamSearchResultResultsTracksImages(Record):
    """Musicstream search result results tracks images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MusicstreamSearchResultResultsArtists(Record):
    """Musicstream search result results artists, as the service answers it."""

    id: str
    uri: str
    url: str
    name: str
    verified: Optional[bool]
    #: The widest first
    images: Optional[List[MusicstreamSearchResultResultsArtistsImages]]

    _records = {
        "images": lambda: MusicstreamSearchResultResultsArtistsImages,
    }


class MusicstreamSearchResultResultsArtistsImages(Record):
    """Musicstream search result results artists images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MusicstreamSearchResultResultsAlbums(Record):
    """Musicstream search result results albums, as the service answers it."""

    id: Optional[str]
    uri: Optional[str]
    name: Optional[str]
    url: Optional[str]
    type: Optional[Literal["album", "single", "compilation", "ep"]]
    #: A day, a month or a year, depending on what is known
    release_date: Optional[str]
    image_url: Optional[str]
    total_tracks: Optional[int]
    artists: Optional[List[MusicstreamSearchResultResultsAlbumsArtists]]

    _records = {
        "artists": lambda: MusicstreamSearchResultResultsAlbumsArtists,
    }


class MusicstreamSearchResultResultsAlbumsArtists(Record):
    """Musicstream search result results albums artists, as the service answers it."""

    id: Optional[str]
    uri: Optional[str]
    name: str
    url: Optional[str]


class MusicstreamSearchResultResultsPlaylists(Record):
    """Musicstream search result results playlists, as the service answers it."""

    id: str
    uri: str
    url: str
    name: str
    description: Optional[str]
    owner: Optional[MusicstreamSearchResultResultsPlaylistsOwner]
    followers: Optional[int]
    #: The widest first
    images: Optional[List[MusicstreamSearchResultResultsPlaylistsImages]]
    total_tracks: Optional[int]

    _records = {
        "owner": lambda: MusicstreamSearchResultResultsPlaylistsOwner,
        "images": lambda: MusicstreamSearchResultResultsPlaylistsImages,
    }


class MusicstreamSearchResultResultsPlaylistsOwner(Record):
    """Musicstream search result results playlists owner, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    url: Optional[str]


class MusicstreamSearchResultResultsPlaylistsImages(Record):
    """Musicstream search result results playlists images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MusicstreamSearchResultResultsPodcasts(Record):
    """Musicstream search result results podcasts, as the service answers it."""

    id: str
    uri: str
    url: str
    name: str
    publisher: Optional[str]
    description: Optional[str]
    #: Sanitised
    html_description: Optional[str]
    explicit: Optional[bool]
    #: audio, video or mixed
    media_type: Optional[str]
    topics: Optional[List[str]]
    #: From 0 to 5
    rating: Optional[float]
    rating_count: Optional[int]
    #: The widest first
    images: Optional[List[MusicstreamSearchResultResultsPodcastsImages]]
    total_episodes: Optional[int]

    _records = {
        "images": lambda: MusicstreamSearchResultResultsPodcastsImages,
    }


class MusicstreamSearchResultResultsPodcastsImages(Record):
    """Musicstream search result results podcasts images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MusicstreamSearchResultResultsEpisodes(Record):
    """Musicstream search result results episodes, as the service answers it."""

    id: str
    uri: str
    url: str
    name: str
    description: Optional[str]
    release_date: Optional[str]
    duration_ms: Optional[int]
    explicit: Optional[bool]
    playable: Optional[bool]
    #: The widest first
    images: Optional[List[MusicstreamSearchResultResultsEpisodesImages]]
    podcast: Optional[MusicstreamSearchResultResultsEpisodesPodcast]

    _records = {
        "images": lambda: MusicstreamSearchResultResultsEpisodesImages,
        "podcast": lambda: MusicstreamSearchResultResultsEpisodesPodcast,
    }


class MusicstreamSearchResultResultsEpisodesImages(Record):
    """Musicstream search result results episodes images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MusicstreamSearchResultResultsEpisodesPodcast(Record):
    """Musicstream search result results episodes podcast, as the service answers it."""

    id: Optional[str]
    uri: Optional[str]
    name: Optional[str]
    url: Optional[str]


class MusicstreamSearchResultTotals(Record):
    """Total number of results of each type."""

    tracks: Optional[int]
    artists: Optional[int]
    albums: Optional[int]
    playlists: Optional[int]
    podcasts: Optional[int]
    episodes: Optional[int]


class MeteredMusicstreamSearchResult(MusicstreamSearchResult, Metered):
    """MusicstreamSearchResult and Metered."""


class MusicstreamTrackResult(Record):
    """Musicstream track result, as the service answers it."""

    provider: Literal["musicstream"]
    track: MusicstreamTrackResultTrack
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "track": lambda: MusicstreamTrackResultTrack,
        "warnings": lambda: Warning,
    }


class MusicstreamTrackResultTrack(Record):
    """Musicstream track result track, as the service answers it."""

    id: str
    uri: str
    url: str
    name: str
    artists: Optional[List[MusicstreamTrackResultTrackArtists]]
    album: Optional[MusicstreamTrackResultTrackAlbum]
    duration_ms: Optional[int]
    explicit: Optional[bool]
    #: Whether it is playable in the country of the request
    playable: Optional[bool]
    preview_url: Optional[str]
    track_number: Optional[int]
    disc_number: Optional[int]
    play_count: Optional[int]
    release_date: Optional[str]
    #: Only from the documented interface, with the operator's credentials
    isrc: Optional[str]
    #: The widest first
    images: Optional[List[MusicstreamTrackResultTrackImages]]

    _records = {
        "artists": lambda: MusicstreamTrackResultTrackArtists,
        "album": lambda: MusicstreamTrackResultTrackAlbum,
        "images": lambda: MusicstreamTrackResultTrackImages,
    }


class MusicstreamTrackResultTrackArtists(Record):
    """Musicstream track result track artists, as the service answers it."""

    id: Optional[str]
    uri: Optional[str]
    name: str
    url: Optional[str]


class MusicstreamTrackResultTrackAlbum(Record):
    """Musicstream track result track album, as the service answers it."""

    id: Optional[str]
    uri: Optional[str]
    name: Optional[str]
    url: Optional[str]
    type: Optional[Literal["album", "single", "compilation", "ep"]]
    #: A day, a month or a year, depending on what is known
    release_date: Optional[str]
    image_url: Optional[str]
    total_tracks: Optional[int]


class MusicstreamTrackResultTrackImages(Record):
    """Musicstream track result track images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class MeteredMusicstreamTrackResult(MusicstreamTrackResult, Metered):
    """MusicstreamTrackResult and Metered."""


class PinboardProfileResult(Record):
    """Pinboard profile result, as the service answers it."""

    provider: Literal["pinboard"]
    profile: PinboardProfileResultProfile
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "profile": lambda: PinboardProfileResultProfile,
        "warnings": lambda: Warning,
    }


class PinboardProfileResultProfile(Record):
    """Pinboard profile result profile, as the service answers it."""

    id: Optional[str]
    username: str
    name: Optional[str]
    url: str
    about: Optional[str]
    website_url: Optional[str]
    domain_verified: Optional[bool]
    followers: Optional[int]
    following: Optional[int]
    pins: Optional[int]
    boards: Optional[int]
    monthly_views: Optional[int]
    image_url: Optional[str]
    cover_image_url: Optional[str]
    is_partner: Optional[bool]
    is_verified_merchant: Optional[bool]
    is_private: Optional[bool]
    last_pin_saved_at: Optional[str]
    seo_title: Optional[str]
    country: Optional[str]


class MeteredPinboardProfileResult(PinboardProfileResult, Metered):
    """PinboardProfileResult and Metered."""


class PinboardPinsResult(Record):
    """Pinboard pins result, as the service answers it."""

    provider: Literal["pinboard"]
    pins: List[PinboardPinsResultPins]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "pins": lambda: PinboardPinsResultPins,
        "warnings": lambda: Warning,
    }


class PinboardPinsResultPins(Record):
    """Pinboard pins result pins, as the service answers it."""

    id: str
    url: str
    title: Optional[str]
    description: Optional[str]
    alt_text: Optional[str]
    #: The external link of the pin
    link: Optional[str]
    domain: Optional[str]
    created_at: Optional[str]
    dominant_color: Optional[str]
    is_video: bool
    is_promoted: Optional[bool]
    is_repin: Optional[bool]
    images: List[PinboardPinsResultPinsImages]
    image_url: Optional[str]
    video: Optional[PinboardPinsResultPinsVideo]
    carousel: Optional[List[PinboardPinsResultPinsCarousel]]
    pinner: Optional[PinboardPinsResultPinsPinner]
    board: Optional[PinboardPinsResultPinsBoard]
    stats: PinboardPinsResultPinsStats
    tags: Optional[List[str]]
    product: Optional[PinboardPinsResultPinsProduct]

    _records = {
        "images": lambda: PinboardPinsResultPinsImages,
        "video": lambda: PinboardPinsResultPinsVideo,
        "carousel": lambda: PinboardPinsResultPinsCarousel,
        "pinner": lambda: PinboardPinsResultPinsPinner,
        "board": lambda: PinboardPinsResultPinsBoard,
        "stats": lambda: PinboardPinsResultPinsStats,
        "product": lambda: PinboardPinsResultPinsProduct,
    }


class PinboardPinsResultPinsImages(Record):
    """Pinboard pins result pins images, as the service answers it."""

    size: str
    url: str
    width: Optional[int]
    height: Optional[int]


class PinboardPinsResultPinsVideo(Record):
    """Pinboard pins result pins video, as the service answers it."""

    url: Optional[str]
    hls_url: Optional[str]
    thumbnail_url: Optional[str]
    duration_ms: Optional[int]
    width: Optional[int]
    height: Optional[int]


class PinboardPinsResultPinsCarousel(Record):
    """Pinboard pins result pins carousel, as the service answers it."""

    title: Optional[str]
    link: Optional[str]
    image_url: Optional[str]


class PinboardPinsResultPinsPinner(Record):
    """Pinboard pins result pins pinner, as the service answers it."""

    id: Optional[str]
    username: Optional[str]
    name: Optional[str]
    url: Optional[str]
    followers: Optional[int]
    image_url: Optional[str]


class PinboardPinsResultPinsBoard(Record):
    """Pinboard pins result pins board, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    url: Optional[str]


class PinboardPinsResultPinsStats(Record):
    """Pinboard pins result pins stats, as the service answers it."""

    saves: Optional[int]
    comments: Optional[int]
    reactions: Optional[int]
    shares: Optional[int]


class PinboardPinsResultPinsProduct(Record):
    """Pinboard pins result pins product, as the service answers it."""

    price: Optional[float]
    currency: Optional[str]
    price_text: Optional[str]
    availability: Optional[str]


class MeteredPinboardPinsResult(PinboardPinsResult, Metered):
    """PinboardPinsResult and Metered."""


class PinboardPinResult(Record):
    """Pinboard pin result, as the service answers it."""

    provider: Literal["pinboard"]
    pin: PinboardPinResultPin
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "pin": lambda: PinboardPinResultPin,
        "warnings": lambda: Warning,
    }


class PinboardPinResultPin(Record):
    """Pinboard pin result pin, as the service answers it."""

    id: str
    url: str
    title: Optional[str]
    description: Optional[str]
    alt_text: Optional[str]
    #: The external link of the pin
    link: Optional[str]
    domain: Optional[str]
    created_at: Optional[str]
    dominant_color: Optional[str]
    is_video: bool
    is_promoted: Optional[bool]
    is_repin: Optional[bool]
    images: List[PinboardPinResultPinImages]
    image_url: Optional[str]
    video: Optional[PinboardPinResultPinVideo]
    carousel: Optional[List[PinboardPinResultPinCarousel]]
    pinner: Optional[PinboardPinResultPinPinner]
    board: Optional[PinboardPinResultPinBoard]
    stats: PinboardPinResultPinStats
    tags: Optional[List[str]]
    product: Optional[PinboardPinResultPinProduct]

    _records = {
        "images": lambda: PinboardPinResultPinImages,
        "video": lambda: PinboardPinResultPinVideo,
        "carousel": lambda: PinboardPinResultPinCarousel,
        "pinner": lambda: PinboardPinResultPinPinner,
        "board": lambda: PinboardPinResultPinBoard,
        "stats": lambda: PinboardPinResultPinStats,
        "product": lambda: PinboardPinResultPinProduct,
    }


class PinboardPinResultPinImages(Record):
    """Pinboard pin result pin images, as the service answers it."""

    size: str
    url: str
    width: Optional[int]
    height: Optional[int]


class PinboardPinResultPinVideo(Record):
    """Pinboard pin result pin video, as the service answers it."""

    url: Optional[str]
    hls_url: Optional[str]
    thumbnail_url: Optional[str]
    duration_ms: Optional[int]
    width: Optional[int]
    height: Optional[int]


class PinboardPinResultPinCarousel(Record):
    """Pinboard pin result pin carousel, as the service answers it."""

    title: Optional[str]
    link: Optional[str]
    image_url: Optional[str]


class PinboardPinResultPinPinner(Record):
    """Pinboard pin result pin pinner, as the service answers it."""

    id: Optional[str]
    username: Optional[str]
    name: Optional[str]
    url: Optional[str]
    followers: Optional[int]
    image_url: Optional[str]


class PinboardPinResultPinBoard(Record):
    """Pinboard pin result pin board, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    url: Optional[str]


class PinboardPinResultPinStats(Record):
    """Pinboard pin result pin stats, as the service answers it."""

    saves: Optional[int]
    comments: Optional[int]
    reactions: Optional[int]
    shares: Optional[int]


class PinboardPinResultPinProduct(Record):
    """Pinboard pin result pin product, as the service answers it."""

    price: Optional[float]
    currency: Optional[str]
    price_text: Optional[str]
    availability: Optional[str]


class MeteredPinboardPinResult(PinboardPinResult, Metered):
    """PinboardPinResult and Metered."""


class PinboardSearchResult(Record):
    """Pinboard search result, as the service answers it."""

    provider: Literal["pinboard"]
    results: List[PinboardSearchResultResults]
    #: Always null: the site does not show the total
    total: None
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "results": lambda: PinboardSearchResultResults,
        "warnings": lambda: Warning,
    }


class PinboardSearchResultResults(Record):
    """Pinboard search result results, as the service answers it."""

    id: str
    url: str
    title: Optional[str]
    description: Optional[str]
    alt_text: Optional[str]
    #: The external link of the pin
    link: Optional[str]
    domain: Optional[str]
    created_at: Optional[str]
    dominant_color: Optional[str]
    is_video: bool
    is_promoted: Optional[bool]
    is_repin: Optional[bool]
    images: List[PinboardSearchResultResultsImages]
    image_url: Optional[str]
    video: Optional[PinboardSearchResultResultsVideo]
    carousel: Optional[List[PinboardSearchResultResultsCarousel]]
    pinner: Optional[PinboardSearchResultResultsPinner]
    board: Optional[PinboardSearchResultResultsBoard]
    stats: PinboardSearchResultResultsStats
    tags: Optional[List[str]]
    product: Optional[PinboardSearchResultResultsProduct]

    _records = {
        "images": lambda: PinboardSearchResultResultsImages,
        "video": lambda: PinboardSearchResultResultsVideo,
        "carousel": lambda: PinboardSearchResultResultsCarousel,
        "pinner": lambda: PinboardSearchResultResultsPinner,
        "board": lambda: PinboardSearchResultResultsBoard,
        "stats": lambda: PinboardSearchResultResultsStats,
        "product": lambda: PinboardSearchResultResultsProduct,
    }


class PinboardSearchResultResultsImages(Record):
    """Pinboard search result results images, as the service answers it."""

    size: str
    url: str
    width: Optional[int]
    height: Optional[int]


class PinboardSearchResultResultsVideo(Record):
    """Pinboard search result results video, as the service answers it."""

    url: Optional[str]
    hls_url: Optional[str]
    thumbnail_url: Optional[str]
    duration_ms: Optional[int]
    width: Optional[int]
    height: Optional[int]


class PinboardSearchResultResultsCarousel(Record):
    """Pinboard search result results carousel, as the service answers it."""

    title: Optional[str]
    link: Optional[str]
    image_url: Optional[str]


class PinboardSearchResultResultsPinner(Record):
    """Pinboard search result results pinner, as the service answers it."""

    id: Optional[str]
    username: Optional[str]
    name: Optional[str]
    url: Optional[str]
    followers: Optional[int]
    image_url: Optional[str]


class PinboardSearchResultResultsBoard(Record):
    """Pinboard search result results board, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    url: Optional[str]


class PinboardSearchResultResultsStats(Record):
    """Pinboard search result results stats, as the service answers it."""

    saves: Optional[int]
    comments: Optional[int]
    reactions: Optional[int]
    shares: Optional[int]


class PinboardSearchResultResultsProduct(Record):
    """Pinboard search result results product, as the service answers it."""

    price: Optional[float]
    currency: Optional[str]
    price_text: Optional[str]
    availability: Optional[str]


class MeteredPinboardSearchResult(PinboardSearchResult, Metered):
    """PinboardSearchResult and Metered."""


class RetailSearchResult(Record):
    """Retail search result, as the service answers it."""

    provider: Literal["retail"]
    results: List[RetailSearchResultResults]
    total_results: Optional[int]
    page: Optional[int]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "results": lambda: RetailSearchResultResults,
        "warnings": lambda: Warning,
    }


class RetailSearchResultResults(Record):
    """Retail search result results, as the service answers it."""

    id: str
    url: str
    title: str
    brand: Optional[str]
    price: RetailSearchResultResultsPrice
    rating: Optional[float]
    review_count: Optional[int]
    images: List[str]

    _records = {
        "price": lambda: RetailSearchResultResultsPrice,
    }


class RetailSearchResultResultsPrice(Record):
    """Retail search result results price, as the service answers it."""

    current: Optional[float]
    regular: Optional[float]
    currency: Optional[str]
    text: Optional[str]


class MeteredRetailSearchResult(RetailSearchResult, Metered):
    """RetailSearchResult and Metered."""


class RetailProductResult(Record):
    """Retail product result, as the service answers it."""

    provider: Literal["retail"]
    product: RetailProductResultProduct
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "product": lambda: RetailProductResultProduct,
        "warnings": lambda: Warning,
    }


class RetailProductResultProduct(Record):
    """Retail product result product, as the service answers it."""

    id: str
    url: str
    title: str
    brand: Optional[str]
    price: RetailProductResultProductPrice
    rating: Optional[float]
    review_count: Optional[int]
    images: List[str]
    description: Optional[str]
    variants: Optional[List[RetailProductResultProductVariants]]
    availability: RetailProductResultProductAvailability
    specs: Optional[List[RetailProductResultProductSpecs]]
    breadcrumbs: Optional[List[str]]
    gtin: Optional[str]

    _records = {
        "price": lambda: RetailProductResultProductPrice,
        "variants": lambda: RetailProductResultProductVariants,
        "availability": lambda: RetailProductResultProductAvailability,
        "specs": lambda: RetailProductResultProductSpecs,
    }


class RetailProductResultProductPrice(Record):
    """Retail product result product price, as the service answers it."""

    current: Optional[float]
    regular: Optional[float]
    currency: Optional[str]
    text: Optional[str]


class RetailProductResultProductVariants(Record):
    """Retail product result product variants, as the service answers it."""

    id: str
    title: Optional[str]
    price: RetailProductResultProductVariantsPrice
    availability: Optional[Literal["in_stock", "limited", "out_of_stock", "preorder", "unavailable"]]

    _records = {
        "price": lambda: RetailProductResultProductVariantsPrice,
    }


class RetailProductResultProductVariantsPrice(Record):
    """Retail product result product variants price, as the service answers it."""

    current: Optional[float]
    regular: Optional[float]
    currency: Optional[str]
    text: Optional[str]


class RetailProductResultProductAvailability(Record):
    """Retail product result product availability, as the service answers it."""

    shipping: Optional[Literal["in_stock", "limited", "out_of_stock", "preorder", "unavailable"]]
    pickup: Optional[Literal["in_stock", "limited", "out_of_stock", "preorder", "unavailable"]]
    in_store: Optional[Literal["in_stock", "limited", "out_of_stock", "preorder", "unavailable"]]


class RetailProductResultProductSpecs(Record):
    """Retail product result product specs, as the service answers it."""

    name: str
    value: str


class MeteredRetailProductResult(RetailProductResult, Metered):
    """RetailProductResult and Metered."""


class RetailStoresResult(Record):
    """Retail stores result, as the service answers it."""

    provider: Literal["retail"]
    stores: List[RetailStoresResultStores]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "stores": lambda: RetailStoresResultStores,
        "warnings": lambda: Warning,
    }


class RetailStoresResultStores(Record):
    """Retail stores result stores, as the service answers it."""

    id: str
    name: str
    address: Optional[str]
    city: Optional[str]
    region: Optional[str]
    zip: Optional[str]
    country: Optional[str]
    phone: Optional[str]
    distance_miles: Optional[float]
    latitude: Optional[float]
    longitude: Optional[float]
    status: Optional[str]


class MeteredRetailStoresResult(RetailStoresResult, Metered):
    """RetailStoresResult and Metered."""


class RetailAvailabilityResult(Record):
    """Retail availability result, as the service answers it."""

    provider: Literal["retail"]
    availability: RetailAvailabilityResultAvailability
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "availability": lambda: RetailAvailabilityResultAvailability,
        "warnings": lambda: Warning,
    }


class RetailAvailabilityResultAvailability(Record):
    """Retail availability result availability, as the service answers it."""

    id: str
    shipping: Optional[Literal["in_stock", "limited", "out_of_stock", "preorder", "unavailable"]]
    shipping_quantity: Optional[int]
    delivery: Optional[Literal["in_stock", "limited", "out_of_stock", "preorder", "unavailable"]]
    stores: Optional[List[RetailAvailabilityResultAvailabilityStores]]
    sold_out_everywhere: Optional[bool]

    _records = {
        "stores": lambda: RetailAvailabilityResultAvailabilityStores,
    }


class RetailAvailabilityResultAvailabilityStores(Record):
    """Retail availability result availability stores, as the service answers it."""

    id: str
    name: Optional[str]
    quantity: Optional[int]
    pickup: Optional[Literal["in_stock", "limited", "out_of_stock", "preorder", "unavailable"]]
    in_store: Optional[Literal["in_stock", "limited", "out_of_stock", "preorder", "unavailable"]]


class MeteredRetailAvailabilityResult(RetailAvailabilityResult, Metered):
    """RetailAvailabilityResult and Metered."""


class ShopAProductResult(Record):
    """Shop aProduct result, as the service answers it."""

    provider: Literal["shop-a"]
    product: ShopAProductResultProduct
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "product": lambda: ShopAProductResultProduct,
        "warnings": lambda: Warning,
    }


class ShopAProductResultProduct(Record):
    """Shop aProduct result product, as the service answers it."""

    asin: str
    parent_asin: Optional[str]
    title: str
    url: str
    brand: Optional[str]
    byline: Optional[str]
    description: Optional[str]
    features: Optional[List[str]]
    images: Optional[List[ShopAProductResultProductImages]]
    main_image_url: Optional[str]
    categories: Optional[List[str]]
    rating: Optional[float]
    ratings_count: Optional[int]
    availability: Optional[Literal["in_stock", "low_stock", "out_of_stock", "unavailable", "preorder"]]
    availability_text: Optional[str]
    price: Optional[float]
    #: ISO 4217 code of the visitor's currency, which may differ from the marketplace's
    currency: Optional[str]
    price_text: Optional[str]
    list_price: Optional[float]
    savings_percent: Optional[int]
    #: The element of the page with the price
    price_source: Optional[str]
    seller: Optional[ShopAProductResultProductSeller]
    ships_from: Optional[str]
    fulfilled_by_shop: Optional[bool]
    delivery_text: Optional[str]
    condition: Optional[str]
    is_prime: Optional[bool]
    coupon_text: Optional[str]
    specifications: List[ShopAProductResultProductSpecifications]
    bestseller_ranks: Optional[List[ShopAProductResultProductBestsellerRanks]]
    variants: Optional[List[ShopAProductResultProductVariants]]
    dimensions: Optional[List[str]]
    delivery_location_text: Optional[str]

    _records = {
        "images": lambda: ShopAProductResultProductImages,
        "seller": lambda: ShopAProductResultProductSeller,
        "specifications": lambda: ShopAProductResultProductSpecifications,
        "bestseller_ranks": lambda: ShopAProductResultProductBestsellerRanks,
        "variants": lambda: ShopAProductResultProductVariants,
    }


class ShopAProductResultProductImages(Record):
    """Shop aProduct result product images, as the service answers it."""

    url: str
    thumbnail_url: Optional[str]
    variant: Optional[str]


class ShopAProductResultProductSeller(Record):
    """Shop aProduct result product seller, as the service answers it."""

    id: Optional[str]
    name: str


class ShopAProductResultProductSpecifications(Record):
    """Shop aProduct result product specifications, as the service answers it."""

    name: str
    value: str


class ShopAProductResultProductBestsellerRanks(Record):
    """Shop aProduct result product bestseller ranks, as the service answers it."""

    rank: int
    category: str


class ShopAProductResultProductVariants(Record):
    """Shop aProduct result product variants, as the service answers it."""

    asin: str
    values: List[str]


class MeteredShopAProductResult(ShopAProductResult, Metered):
    """ShopAProductResult and Metered."""


class ShopAPricingResult(Record):
    """Shop aPricing result, as the service answers it."""

    provider: Literal["shop-a"]
    pricing: ShopAPricingResultPricing
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "pricing": lambda: ShopAPricingResultPricing,
        "warnings": lambda: Warning,
    }


class ShopAPricingResultPricing(Record):
    """Shop aPricing result pricing, as the service answers it."""

    asin: str
    url: str
    title: Optional[str]
    #: ISO 4217 code of the visitor's currency, which may differ from the marketplace's
    currency: Optional[str]
    buy_box: Optional[ShopAPricingResultPricingBuyBox]
    offers: Optional[List[ShopAPricingResultPricingOffers]]
    offers_count: Optional[int]
    #: Lowest price of the buy box and the offers; only on the first page
    lowest_new: Optional[float]
    #: Lowest price of used offers; only on the first page
    lowest_used: Optional[float]
    checked_at: Optional[str]

    _records = {
        "buy_box": lambda: ShopAPricingResultPricingBuyBox,
        "offers": lambda: ShopAPricingResultPricingOffers,
    }


class ShopAPricingResultPricingBuyBox(Record):
    """Shop aPricing result pricing buy box, as the service answers it."""

    seller: Optional[ShopAPricingResultPricingBuyBoxSeller]
    price: Optional[float]
    #: 0 if it is free; null if the page does not show it
    shipping: Optional[float]
    total: Optional[float]
    condition: Optional[Literal["new", "used", "refurbished", "collectible"]]
    condition_text: Optional[str]
    ships_from: Optional[str]
    fulfilled_by_shop: Optional[bool]
    is_prime: Optional[bool]
    delivery_text: Optional[str]
    #: Always null: the site does not show it
    quantity: Optional[int]

    _records = {
        "seller": lambda: ShopAPricingResultPricingBuyBoxSeller,
    }


class ShopAPricingResultPricingBuyBoxSeller(Record):
    """Shop aPricing result pricing buy box seller, as the service answers it."""

    id: Optional[str]
    name: str


class ShopAPricingResultPricingOffers(Record):
    """Shop aPricing result pricing offers, as the service answers it."""

    seller: Optional[ShopAPricingResultPricingOffersSeller]
    price: Optional[float]
    #: 0 if it is free; null if the page does not show it
    shipping: Optional[float]
    total: Optional[float]
    condition: Optional[Literal["new", "used", "refurbished", "collectible"]]
    condition_text: Optional[str]
    ships_from: Optional[str]
    fulfilled_by_shop: Optional[bool]
    is_prime: Optional[bool]
    delivery_text: Optional[str]
    #: Always null: the site does not show it
    quantity: Optional[int]

    _records = {
        "seller": lambda: ShopAPricingResultPricingOffersSeller,
    }


class ShopAPricingResultPricingOffersSeller(Record):
    """Shop aPricing result pricing offers seller, as the service answers it."""

    id: Optional[str]
    name: str


class MeteredShopAPricingResult(ShopAPricingResult, Metered):
    """ShopAPricingResult and Metered."""


class ShopASearchResult(Record):
    """Shop aSearch result, as the service answers it."""

    provider: Literal["shop-a"]
    search: str
    page: int
    #: As the site counts them, often rounded
    total_results: Optional[int]
    total_results_text: Optional[str]
    #: The last page that the site offers
    last_page: Optional[int]
    results: List[ShopASearchResultResults]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "results": lambda: ShopASearchResultResults,
        "warnings": lambda: Warning,
    }


class ShopASearchResultResults(Record):
    """Shop aSearch result results, as the service answers it."""

    #: Position on its page, including ads
    position: int
    asin: str
    title: str
    url: str
    image_url: Optional[str]
    price: Optional[float]
    currency: Optional[str]
    price_text: Optional[str]
    list_price: Optional[float]
    rating: Optional[float]
    ratings_count: Optional[int]
    counts_approximate: bool
    sponsored: bool
    badge: Optional[str]
    is_prime: Optional[bool]
    delivery_text: Optional[str]
    bought_text: Optional[str]
    coupon_text: Optional[str]


class MeteredShopASearchResult(ShopASearchResult, Metered):
    """ShopASearchResult and Metered."""


class ShopWProductResult(Record):
    """Shop wProduct result, as the service answers it."""

    provider: Literal["shop-w"]
    product: ShopWProductResultProduct
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "product": lambda: ShopWProductResultProduct,
        "warnings": lambda: Warning,
    }


class ShopWProductResultProduct(Record):
    """Shop wProduct result product, as the service answers it."""

    #: Id of the shown product, which differs if the site redirected to another
    id: str
    product_id: Optional[str]
    title: str
    url: str
    brand: Optional[str]
    description: Optional[str]
    long_description: Optional[str]
    images: Optional[List[ShopWProductResultProductImages]]
    main_image_url: Optional[str]
    category_path: Optional[List[str]]
    type: Optional[str]
    price: Optional[float]
    currency: Optional[str]
    price_text: Optional[str]
    was_price: Optional[float]
    list_price: Optional[float]
    unit_price_text: Optional[str]
    savings: Optional[float]
    price_min: Optional[float]
    price_max: Optional[float]
    availability: Optional[Literal["in_stock", "low_stock", "out_of_stock", "unavailable", "preorder"]]
    seller: Optional[ShopWProductResultProductSeller]
    rating: Optional[float]
    ratings_count: Optional[int]
    upc: Optional[str]
    model: Optional[str]
    specifications: Optional[List[ShopWProductResultProductSpecifications]]
    order_limit: Optional[int]
    variants: Optional[List[ShopWProductResultProductVariants]]
    reviews_summary: Optional[ShopWProductResultProductReviewsSummary]

    _records = {
        "images": lambda: ShopWProductResultProductImages,
        "seller": lambda: ShopWProductResultProductSeller,
        "specifications": lambda: ShopWProductResultProductSpecifications,
        "variants": lambda: ShopWProductResultProductVariants,
        "reviews_summary": lambda: ShopWProductResultProductReviewsSummary,
    }


class ShopWProductResultProductImages(Record):
    """Shop wProduct result product images, as the service answers it."""

    url: str


class ShopWProductResultProductSeller(Record):
    """Shop wProduct result product seller, as the service answers it."""

    id: Optional[str]
    #: The displayed name
    name: Optional[str]
    #: The registered name of the seller
    legal_name: Optional[str]
    type: Optional[str]


class ShopWProductResultProductSpecifications(Record):
    """Shop wProduct result product specifications, as the service answers it."""

    name: str
    value: str


class ShopWProductResultProductVariants(Record):
    """Shop wProduct result product variants, as the service answers it."""

    id: str
    values: List[str]
    availability: Optional[Literal["in_stock", "low_stock", "out_of_stock", "unavailable", "preorder"]]
    price: Optional[float]


class ShopWProductResultProductReviewsSummary(Record):
    """Shop wProduct result product reviews summary, as the service answers it."""

    average: Optional[float]
    count: Optional[int]
    distribution: ShopWProductResultProductReviewsSummaryDistribution
    recommended_percent: Optional[int]
    summary: Optional[str]

    _records = {
        "distribution": lambda: ShopWProductResultProductReviewsSummaryDistribution,
    }


class ShopWProductResultProductReviewsSummaryDistribution(Record):
    """Shop wProduct result product reviews summary distribution, as the service answers it."""

    _1: Optional[int]
    _2: Optional[int]
    _3: Optional[int]
    _4: Optional[int]
    _5: Optional[int]


class MeteredShopWProductResult(ShopWProductResult, Metered):
    """ShopWProductResult and Metered."""


class ShortvideoProfileResult(Record):
    """Shortvideo profile result, as the service answers it."""

    provider: Literal["shortvideo"]
    profile: ShortvideoProfileResultProfile
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "profile": lambda: ShortvideoProfileResultProfile,
        "warnings": lambda: Warning,
    }


class ShortvideoProfileResultProfile(Record):
    """Shortvideo profile result profile, as the service answers it."""

    id: str
    username: str
    name: Optional[str]
    url: str
    description: Optional[str]
    website: Optional[str]
    avatar_url: Optional[str]
    verified: Optional[bool]
    is_private: Optional[bool]
    language: Optional[str]
    followers: Optional[int]
    following: Optional[int]
    like_count: Optional[int]
    video_count: Optional[int]
    created_at: Optional[str]


class MeteredShortvideoProfileResult(ShortvideoProfileResult, Metered):
    """ShortvideoProfileResult and Metered."""


class ShortvideoVideosResult(Record):
    """Shortvideo videos result, as the service answers it."""

    provider: Literal["shortvideo"]
    videos: List[ShortvideoVideosResultVideos]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "videos": lambda: ShortvideoVideosResultVideos,
        "warnings": lambda: Warning,
    }


class ShortvideoVideosResultVideos(Record):
    """Shortvideo videos result videos, as the service answers it."""

    id: str
    url: str
    type: Literal["video", "photos"]
    description: Optional[str]
    author: ShortvideoVideosResultVideosAuthor
    created_at: Optional[str]
    duration_ms: Optional[int]
    width: Optional[int]
    height: Optional[int]
    cover_url: Optional[str]
    video_url: Optional[str]
    #: Pictures of a slide show
    images: List[str]
    music: Optional[ShortvideoVideosResultVideosMusic]
    view_count: Optional[int]
    like_count: Optional[int]
    comment_count: Optional[int]
    share_count: Optional[int]
    save_count: Optional[int]
    repost_count: Optional[int]
    hashtags: List[str]
    mentions: List[str]
    subtitles: Optional[List[ShortvideoVideosResultVideosSubtitles]]
    language: Optional[str]
    country: Optional[str]
    is_ad: Optional[bool]

    _records = {
        "author": lambda: ShortvideoVideosResultVideosAuthor,
        "music": lambda: ShortvideoVideosResultVideosMusic,
        "subtitles": lambda: ShortvideoVideosResultVideosSubtitles,
    }


class ShortvideoVideosResultVideosAuthor(Record):
    """Shortvideo videos result videos author, as the service answers it."""

    id: Optional[str]
    username: Optional[str]
    name: Optional[str]
    verified: Optional[bool]
    avatar_url: Optional[str]


class ShortvideoVideosResultVideosMusic(Record):
    """Shortvideo videos result videos music, as the service answers it."""

    id: Optional[str]
    title: Optional[str]
    author: Optional[str]
    duration_ms: Optional[int]
    is_original: Optional[bool]


class ShortvideoVideosResultVideosSubtitles(Record):
    """Shortvideo videos result videos subtitles, as the service answers it."""

    language: str
    format: Optional[str]
    url: str


class MeteredShortvideoVideosResult(ShortvideoVideosResult, Metered):
    """ShortvideoVideosResult and Metered."""


class ShortvideoVideoResult(Record):
    """Shortvideo video result, as the service answers it."""

    provider: Literal["shortvideo"]
    video: ShortvideoVideoResultVideo
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "video": lambda: ShortvideoVideoResultVideo,
        "warnings": lambda: Warning,
    }


class ShortvideoVideoResultVideo(Record):
    """Shortvideo video result video, as the service answers it."""

    id: str
    url: str
    type: Literal["video", "photos"]
    description: Optional[str]
    author: ShortvideoVideoResultVideoAuthor
    created_at: Optional[str]
    duration_ms: Optional[int]
    width: Optional[int]
    height: Optional[int]
    cover_url: Optional[str]
    video_url: Optional[str]
    #: Pictures of a slide show
    images: List[str]
    music: Optional[ShortvideoVideoResultVideoMusic]
    view_count: Optional[int]
    like_count: Optional[int]
    comment_count: Optional[int]
    share_count: Optional[int]
    save_count: Optional[int]
    repost_count: Optional[int]
    hashtags: List[str]
    mentions: List[str]
    subtitles: Optional[List[ShortvideoVideoResultVideoSubtitles]]
    language: Optional[str]
    country: Optional[str]
    is_ad: Optional[bool]

    _records = {
        "author": lambda: ShortvideoVideoResultVideoAuthor,
        "music": lambda: ShortvideoVideoResultVideoMusic,
        "subtitles": lambda: ShortvideoVideoResultVideoSubtitles,
    }


class ShortvideoVideoResultVideoAuthor(Record):
    """Shortvideo video result video author, as the service answers it."""

    id: Optional[str]
    username: Optional[str]
    name: Optional[str]
    verified: Optional[bool]
    avatar_url: Optional[str]


class ShortvideoVideoResultVideoMusic(Record):
    """Shortvideo video result video music, as the service answers it."""

    id: Optional[str]
    title: Optional[str]
    author: Optional[str]
    duration_ms: Optional[int]
    is_original: Optional[bool]


class ShortvideoVideoResultVideoSubtitles(Record):
    """Shortvideo video result video subtitles, as the service answers it."""

    language: str
    format: Optional[str]
    url: str


class MeteredShortvideoVideoResult(ShortvideoVideoResult, Metered):
    """ShortvideoVideoResult and Metered."""


class ShortvideoCommentsResult(Record):
    """Shortvideo comments result, as the service answers it."""

    provider: Literal["shortvideo"]
    comments: List[ShortvideoCommentsResultComments]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "comments": lambda: ShortvideoCommentsResultComments,
        "warnings": lambda: Warning,
    }


class ShortvideoCommentsResultComments(Record):
    """Shortvideo comments result comments, as the service answers it."""

    id: str
    video_id: Optional[str]
    text: Optional[str]
    author: ShortvideoCommentsResultCommentsAuthor
    created_at: Optional[str]
    language: Optional[str]
    like_count: Optional[int]
    reply_count: Optional[int]
    is_pinned: Optional[bool]

    _records = {
        "author": lambda: ShortvideoCommentsResultCommentsAuthor,
    }


class ShortvideoCommentsResultCommentsAuthor(Record):
    """Shortvideo comments result comments author, as the service answers it."""

    id: Optional[str]
    username: Optional[str]
    name: Optional[str]
    verified: Optional[bool]
    avatar_url: Optional[str]


class MeteredShortvideoCommentsResult(ShortvideoCommentsResult, Metered):
    """ShortvideoCommentsResult and Metered."""


class ShortvideoSearchResult(Record):
    """Shortvideo search result, as the service answers it."""

    provider: Literal["shortvideo"]
    results: List[ShortvideoSearchResultResults]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "results": lambda: ShortvideoSearchResultResults,
        "warnings": lambda: Warning,
    }


class ShortvideoSearchResultResults(Record):
    """Shortvideo search result results, as the service answers it."""

    id: str
    url: str
    type: Literal["video", "photos"]
    description: Optional[str]
    author: ShortvideoSearchResultResultsAuthor
    created_at: Optional[str]
    duration_ms: Optional[int]
    width: Optional[int]
    height: Optional[int]
    cover_url: Optional[str]
    video_url: Optional[str]
    #: Pictures of a slide show
    images: List[str]
    music: Optional[ShortvideoSearchResultResultsMusic]
    view_count: Optional[int]
    like_count: Optional[int]
    comment_count: Optional[int]
    share_count: Optional[int]
    save_count: Optional[int]
    repost_count: Optional[int]
    hashtags: List[str]
    mentions: List[str]
    subtitles: Optional[List[ShortvideoSearchResultResultsSubtitles]]
    language: Optional[str]
    country: Optional[str]
    is_ad: Optional[bool]

    _records = {
        "author": lambda: ShortvideoSearchResultResultsAuthor,
        "music": lambda: ShortvideoSearchResultResultsMusic,
        "subtitles": lambda: ShortvideoSearchResultResultsSubtitles,
    }


class ShortvideoSearchResultResultsAuthor(Record):
    """Shortvideo search result results author, as the service answers it."""

    id: Optional[str]
    username: Optional[str]
    name: Optional[str]
    verified: Optional[bool]
    avatar_url: Optional[str]


class ShortvideoSearchResultResultsMusic(Record):
    """Shortvideo search result results music, as the service answers it."""

    id: Optional[str]
    title: Optional[str]
    author: Optional[str]
    duration_ms: Optional[int]
    is_original: Optional[bool]


class ShortvideoSearchResultResultsSubtitles(Record):
    """Shortvideo search result results subtitles, as the service answers it."""

    language: str
    format: Optional[str]
    url: str


class MeteredShortvideoSearchResult(ShortvideoSearchResult, Metered):
    """ShortvideoSearchResult and Metered."""


class ShortvideoHashtagResult(Record):
    """Shortvideo hashtag result, as the service answers it."""

    provider: Literal["shortvideo"]
    hashtag: Optional[ShortvideoHashtagResultHashtag]
    videos: List[ShortvideoHashtagResultVideos]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "hashtag": lambda: ShortvideoHashtagResultHashtag,
        "videos": lambda: ShortvideoHashtagResultVideos,
        "warnings": lambda: Warning,
    }


class ShortvideoHashtagResultHashtag(Record):
    """Shortvideo hashtag result hashtag, as the service answers it."""

    id: Optional[str]
    name: str
    description: Optional[str]
    view_count: Optional[int]
    video_count: Optional[int]


class ShortvideoHashtagResultVideos(Record):
    """Shortvideo hashtag result videos, as the service answers it."""

    id: str
    url: str
    type: Literal["video", "photos"]
    description: Optional[str]
    author: ShortvideoHashtagResultVideosAuthor
    created_at: Optional[str]
    duration_ms: Optional[int]
    width: Optional[int]
    height: Optional[int]
    cover_url: Optional[str]
    video_url: Optional[str]
    #: Pictures of a slide show
    images: List[str]
    music: Optional[ShortvideoHashtagResultVideosMusic]
    view_count: Optional[int]
    like_count: Optional[int]
    comment_count: Optional[int]
    share_count: Optional[int]
    save_count: Optional[int]
    repost_count: Optional[int]
    hashtags: List[str]
    mentions: List[str]
    subtitles: Optional[List[ShortvideoHashtagResultVideosSubtitles]]
    language: Optional[str]
    country: Optional[str]
    is_ad: Optional[bool]

    _records = {
        "author": lambda: ShortvideoHashtagResultVideosAuthor,
        "music": lambda: ShortvideoHashtagResultVideosMusic,
        "subtitles": lambda: ShortvideoHashtagResultVideosSubtitles,
    }


class ShortvideoHashtagResultVideosAuthor(Record):
    """Shortvideo hashtag result videos author, as the service answers it."""

    id: Optional[str]
    username: Optional[str]
    name: Optional[str]
    verified: Optional[bool]
    avatar_url: Optional[str]


class ShortvideoHashtagResultVideosMusic(Record):
    """Shortvideo hashtag result videos music, as the service answers it."""

    id: Optional[str]
    title: Optional[str]
    author: Optional[str]
    duration_ms: Optional[int]
    is_original: Optional[bool]


class ShortvideoHashtagResultVideosSubtitles(Record):
    """Shortvideo hashtag result videos subtitles, as the service answers it."""

    language: str
    format: Optional[str]
    url: str


class MeteredShortvideoHashtagResult(ShortvideoHashtagResult, Metered):
    """ShortvideoHashtagResult and Metered."""


class SocialnetEventResult(Record):
    """Socialnet event result, as the service answers it."""

    #: Identifies the request
    request_id: str
    provider: Literal["socialnet"]
    event: SocialnetEventResultEvent

    _records = {
        "event": lambda: SocialnetEventResultEvent,
    }


class SocialnetEventResultEvent(Record):
    """Socialnet event result event, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    url: Optional[str]
    time_text: Optional[str]
    #: ISO 8601 in UTC
    start_time: Optional[str]
    is_online: Optional[bool]
    is_canceled: Optional[bool]
    location_name: Optional[str]
    cover_url: Optional[str]
    #: Always null at present: only members are shown it
    description: Optional[str]
    stats: SocialnetEventResultEventStats

    _records = {
        "stats": lambda: SocialnetEventResultEventStats,
    }


class SocialnetEventResultEventStats(Record):
    """Socialnet event result event stats, as the service answers it."""

    #: Always null at present: only members are shown it
    interested: Optional[int]
    #: Always null at present: only members are shown it
    going: Optional[int]


class SocialnetEventsSearchResult(Record):
    """Socialnet events search result, as the service answers it."""

    provider: Literal["socialnet"]
    events: List[SocialnetEventsSearchResultEvents]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "events": lambda: SocialnetEventsSearchResultEvents,
        "warnings": lambda: Warning,
    }


class SocialnetEventsSearchResultEvents(Record):
    """Socialnet events search result events, as the service answers it."""

    id: str
    name: str
    url: str
    time_text: Optional[str]
    #: ISO 8601 in UTC
    start_time: Optional[str]
    is_online: Optional[bool]
    is_past: Optional[bool]
    location_name: Optional[str]
    location_id: Optional[str]
    cover_url: Optional[str]
    cover_alt: Optional[str]
    social_text: Optional[str]
    interested: Optional[int]
    going: Optional[int]
    price_text: Optional[str]
    kind: Optional[str]
    counts_approximate: bool


class MeteredSocialnetEventsSearchResult(SocialnetEventsSearchResult, Metered):
    """SocialnetEventsSearchResult and Metered."""


class SocialnetMarketplaceItemResult(Record):
    """Socialnet marketplace item result, as the service answers it."""

    provider: Literal["socialnet"]
    item: SocialnetMarketplaceItemResultItem
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "item": lambda: SocialnetMarketplaceItemResultItem,
        "warnings": lambda: Warning,
    }


class SocialnetMarketplaceItemResultItem(Record):
    """Socialnet marketplace item result item, as the service answers it."""

    id: str
    title: str
    url: str
    description: Optional[str]
    price: Optional[float]
    currency: Optional[str]
    price_text: Optional[str]
    #: Price before it was reduced
    original_price: Optional[float]
    category_id: Optional[str]
    category_name: Optional[str]
    condition: Optional[Literal["new", "used_like_new", "used_good", "used_fair", "used"]]
    attributes: Optional[List[SocialnetMarketplaceItemResultItemAttributes]]
    location_text: Optional[str]
    city: Optional[str]
    state: Optional[str]
    #: ISO 3166-1 alpha-2
    country: Optional[str]
    #: Rounded by the site
    latitude: Optional[float]
    #: Rounded by the site
    longitude: Optional[float]
    created_at: Optional[str]
    is_sold: Optional[bool]
    is_pending: Optional[bool]
    is_live: Optional[bool]
    delivery_types: Optional[List[str]]
    shipping_offered: Optional[bool]
    images: Optional[List[SocialnetMarketplaceItemResultItemImages]]
    seller: Optional[SocialnetMarketplaceItemResultItemSeller]
    vehicle: Optional[SocialnetMarketplaceItemResultItemVehicle]
    real_estate: Optional[SocialnetMarketplaceItemResultItemRealEstate]

    _records = {
        "attributes": lambda: SocialnetMarketplaceItemResultItemAttributes,
        "images": lambda: SocialnetMarketplaceItemResultItemImages,
        "seller": lambda: SocialnetMarketplaceItemResultItemSeller,
        "vehicle": lambda: SocialnetMarketplaceItemResultItemVehicle,
        "real_estate": lambda: SocialnetMarketplaceItemResultItemRealEstate,
    }


class SocialnetMarketplaceItemResultItemAttributes(Record):
    """Socialnet marketplace item result item attributes, as the service answers it."""

    name: str
    value: Optional[str]
    label: Optional[str]


class SocialnetMarketplaceItemResultItemImages(Record):
    """Socialnet marketplace item result item images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]
    #: The site's own description of the picture
    alt: Optional[str]


class SocialnetMarketplaceItemResultItemSeller(Record):
    """Socialnet marketplace item result item seller, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    joined_at: Optional[str]
    rating: Optional[float]
    rating_count: Optional[int]


class SocialnetMarketplaceItemResultItemVehicle(Record):
    """Socialnet marketplace item result item vehicle, as the service answers it."""

    make: Optional[str]
    model: Optional[str]
    trim: Optional[str]
    odometer_value: Optional[int]
    odometer_unit: Optional[Literal["kilometers", "miles"]]
    transmission: Optional[str]
    fuel: Optional[str]
    exterior_color: Optional[str]
    interior_color: Optional[str]
    #: Number of owners, in the words of the site
    owners: Optional[str]
    seller_type: Optional[str]
    vin: Optional[str]


class SocialnetMarketplaceItemResultItemRealEstate(Record):
    """Socialnet marketplace item result item real estate, as the service answers it."""

    bedrooms: Optional[int]
    bathrooms: Optional[float]
    rooms_text: Optional[str]
    area_text: Optional[str]
    address: Optional[str]
    #: What is included, in the words of the site
    includes: Optional[List[str]]


class MeteredSocialnetMarketplaceItemResult(SocialnetMarketplaceItemResult, Metered):
    """SocialnetMarketplaceItemResult and Metered."""


class SocialnetMarketplaceSearchResult(Record):
    """Socialnet marketplace search result, as the service answers it."""

    provider: Literal["socialnet"]
    items: List[SocialnetMarketplaceSearchResultItems]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "items": lambda: SocialnetMarketplaceSearchResultItems,
        "warnings": lambda: Warning,
    }


class SocialnetMarketplaceSearchResultItems(Record):
    """Socialnet marketplace search result items, as the service answers it."""

    id: str
    title: str
    url: str
    price: Optional[float]
    #: Null if the currency sign of the price is ambiguous
    currency: Optional[str]
    price_text: Optional[str]
    original_price: Optional[float]
    location_text: Optional[str]
    created_at: Optional[str]
    is_sold: Optional[bool]
    is_pending: Optional[bool]
    delivery_types: Optional[List[str]]
    category_id: Optional[str]
    image_url: Optional[str]
    seller: Optional[SocialnetMarketplaceSearchResultItemsSeller]
    subtitles: Optional[List[str]]

    _records = {
        "seller": lambda: SocialnetMarketplaceSearchResultItemsSeller,
    }


class SocialnetMarketplaceSearchResultItemsSeller(Record):
    """Socialnet marketplace search result items seller, as the service answers it."""

    id: Optional[str]
    name: Optional[str]


class MeteredSocialnetMarketplaceSearchResult(SocialnetMarketplaceSearchResult, Metered):
    """SocialnetMarketplaceSearchResult and Metered."""


class SocialnetPageResult(Record):
    """Socialnet page result, as the service answers it."""

    provider: Literal["socialnet"]
    page: SocialnetPageResultPage
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "page": lambda: SocialnetPageResultPage,
        "warnings": lambda: Warning,
    }


class SocialnetPageResultPage(Record):
    """Socialnet page result page, as the service answers it."""

    id: Optional[str]
    username: Optional[str]
    name: Optional[str]
    url: str
    category: Optional[str]
    description: Optional[str]
    verified: Optional[bool]
    likes: Optional[int]
    followers: Optional[int]
    talking_about: Optional[int]
    were_here: Optional[int]
    #: Only of a business
    phone: Optional[str]
    #: Only of a business
    email: Optional[str]
    website: Optional[str]
    #: Only of a business
    address: Optional[str]
    price_range: Optional[str]
    #: Percentage of reviewers who recommend it
    rating_percent: Optional[int]
    review_count: Optional[int]
    profile_image_url: Optional[str]
    cover_image_url: Optional[str]
    #: Accounts and pages on other sites
    links: Optional[List[str]]
    counts_approximate: bool


class MeteredSocialnetPageResult(SocialnetPageResult, Metered):
    """SocialnetPageResult and Metered."""


class SocialnetPostsResult(Record):
    """Socialnet posts result, as the service answers it."""

    provider: Literal["socialnet"]
    posts: List[SocialnetPostsResultPosts]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "posts": lambda: SocialnetPostsResultPosts,
        "warnings": lambda: Warning,
    }


class SocialnetPostsResultPosts(Record):
    """Socialnet posts result posts, as the service answers it."""

    id: str
    url: str
    text: Optional[str]
    author: Optional[SocialnetPostsResultPostsAuthor]
    created_at: Optional[str]
    type: Literal["post", "photo", "video", "reel", "event", "share", "link"]
    images: List[SocialnetPostsResultPostsImages]
    video: Optional[SocialnetPostsResultPostsVideo]
    link: Optional[SocialnetPostsResultPostsLink]
    shared_post: Optional[SocialnetPostsResultPostsSharedPost]
    stats: SocialnetPostsResultPostsStats
    #: Whether it is pinned to the top of its page; null if unknown
    pinned: Optional[bool]
    counts_approximate: bool

    _records = {
        "author": lambda: SocialnetPostsResultPostsAuthor,
        "images": lambda: SocialnetPostsResultPostsImages,
        "video": lambda: SocialnetPostsResultPostsVideo,
        "link": lambda: SocialnetPostsResultPostsLink,
        "shared_post": lambda: SocialnetPostsResultPostsSharedPost,
        "stats": lambda: SocialnetPostsResultPostsStats,
    }


class SocialnetPostsResultPostsAuthor(Record):
    """Socialnet posts result posts author, as the service answers it."""

    id: Optional[str]
    name: str
    url: Optional[str]
    username: Optional[str]


class SocialnetPostsResultPostsImages(Record):
    """Socialnet posts result posts images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]
    #: The site's own description of the picture
    alt: Optional[str]


class SocialnetPostsResultPostsVideo(Record):
    """Socialnet posts result posts video, as the service answers it."""

    url: Optional[str]
    thumbnail_url: Optional[str]
    duration_ms: Optional[int]


class SocialnetPostsResultPostsLink(Record):
    """Socialnet posts result posts link, as the service answers it."""

    url: str
    title: Optional[str]


class SocialnetPostsResultPostsSharedPost(Record):
    """Socialnet posts result posts shared post, as the service answers it."""

    id: Optional[str]
    url: Optional[str]
    text: Optional[str]
    author: Optional[SocialnetPostsResultPostsSharedPostAuthor]
    created_at: Optional[str]
    images: List[SocialnetPostsResultPostsSharedPostImages]

    _records = {
        "author": lambda: SocialnetPostsResultPostsSharedPostAuthor,
        "images": lambda: SocialnetPostsResultPostsSharedPostImages,
    }


class SocialnetPostsResultPostsSharedPostAuthor(Record):
    """Socialnet posts result posts shared post author, as the service answers it."""

    id: Optional[str]
    name: str
    url: Optional[str]
    username: Optional[str]


class SocialnetPostsResultPostsSharedPostImages(Record):
    """Socialnet posts result posts shared post images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]
    #: The site's own description of the picture
    alt: Optional[str]


class SocialnetPostsResultPostsStats(Record):
    """Socialnet posts result posts stats, as the service answers it."""

    reactions: Optional[int]
    comments: Optional[int]
    shares: Optional[int]
    #: Only of a video
    views: Optional[int]


class MeteredSocialnetPostsResult(SocialnetPostsResult, Metered):
    """SocialnetPostsResult and Metered."""


class SocialnetPhotosResult(Record):
    """Socialnet photos result, as the service answers it."""

    provider: Literal["socialnet"]
    photos: List[SocialnetPhotosResultPhotos]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "photos": lambda: SocialnetPhotosResultPhotos,
        "warnings": lambda: Warning,
    }


class SocialnetPhotosResultPhotos(Record):
    """Socialnet photos result photos, as the service answers it."""

    id: str
    url: str
    image_url: str
    width: Optional[int]
    height: Optional[int]
    #: The site's own description of the picture
    alt: Optional[str]
    #: Id of its album
    set_id: Optional[str]
    #: Null for photos of a grid, which has no dates
    created_at: Optional[str]


class MeteredSocialnetPhotosResult(SocialnetPhotosResult, Metered):
    """SocialnetPhotosResult and Metered."""


class SocialnetReelsResult(Record):
    """Socialnet reels result, as the service answers it."""

    provider: Literal["socialnet"]
    reels: List[SocialnetReelsResultReels]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "reels": lambda: SocialnetReelsResultReels,
        "warnings": lambda: Warning,
    }


class SocialnetReelsResultReels(Record):
    """Socialnet reels result reels, as the service answers it."""

    id: str
    url: str
    text: Optional[str]
    created_at: Optional[str]
    duration_ms: Optional[int]
    views: Optional[int]
    likes: Optional[int]
    comments: Optional[int]
    shares: Optional[int]
    thumbnail_url: Optional[str]
    video_url: Optional[str]
    captions: Optional[List[SocialnetReelsResultReelsCaptions]]
    author: Optional[SocialnetReelsResultReelsAuthor]
    counts_approximate: bool

    _records = {
        "captions": lambda: SocialnetReelsResultReelsCaptions,
        "author": lambda: SocialnetReelsResultReelsAuthor,
    }


class SocialnetReelsResultReelsCaptions(Record):
    """Socialnet reels result reels captions, as the service answers it."""

    locale: str
    url: Optional[str]


class SocialnetReelsResultReelsAuthor(Record):
    """Socialnet reels result reels author, as the service answers it."""

    id: Optional[str]
    name: str
    url: Optional[str]


class MeteredSocialnetReelsResult(SocialnetReelsResult, Metered):
    """SocialnetReelsResult and Metered."""


class SocialnetPostResult(Record):
    """Socialnet post result, as the service answers it."""

    provider: Literal["socialnet"]
    post: SocialnetPostResultPost
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "post": lambda: SocialnetPostResultPost,
        "warnings": lambda: Warning,
    }


class SocialnetPostResultPost(Record):
    """Socialnet post result post, as the service answers it."""

    id: str
    url: str
    text: Optional[str]
    author: Optional[SocialnetPostResultPostAuthor]
    created_at: Optional[str]
    type: Literal["post", "photo", "video", "reel", "event", "share", "link"]
    images: List[SocialnetPostResultPostImages]
    video: Optional[SocialnetPostResultPostVideo]
    link: Optional[SocialnetPostResultPostLink]
    shared_post: Optional[SocialnetPostResultPostSharedPost]
    stats: SocialnetPostResultPostStats
    #: Whether it is pinned to the top of its page; null if unknown
    pinned: Optional[bool]
    counts_approximate: bool
    #: The group in which it was posted
    group: Optional[SocialnetPostResultPostGroup]
    #: The comments that the page shows; null if it shows none
    top_comments: Optional[List[SocialnetPostResultPostTopComments]]

    _records = {
        "author": lambda: SocialnetPostResultPostAuthor,
        "images": lambda: SocialnetPostResultPostImages,
        "video": lambda: SocialnetPostResultPostVideo,
        "link": lambda: SocialnetPostResultPostLink,
        "shared_post": lambda: SocialnetPostResultPostSharedPost,
        "stats": lambda: SocialnetPostResultPostStats,
        "group": lambda: SocialnetPostResultPostGroup,
        "top_comments": lambda: SocialnetPostResultPostTopComments,
    }


class SocialnetPostResultPostAuthor(Record):
    """Socialnet post result post author, as the service answers it."""

    id: Optional[str]
    name: str
    url: Optional[str]
    username: Optional[str]


class SocialnetPostResultPostImages(Record):
    """Socialnet post result post images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]
    #: The site's own description of the picture
    alt: Optional[str]


class SocialnetPostResultPostVideo(Record):
    """Socialnet post result post video, as the service answers it."""

    url: Optional[str]
    thumbnail_url: Optional[str]
    duration_ms: Optional[int]


class SocialnetPostResultPostLink(Record):
    """Socialnet post result post link, as the service answers it."""

    url: str
    title: Optional[str]


class SocialnetPostResultPostSharedPost(Record):
    """Socialnet post result post shared post, as the service answers it."""

    id: Optional[str]
    url: Optional[str]
    text: Optional[str]
    author: Optional[SocialnetPostResultPostSharedPostAuthor]
    created_at: Optional[str]
    images: List[SocialnetPostResultPostSharedPostImages]

    _records = {
        "author": lambda: SocialnetPostResultPostSharedPostAuthor,
        "images": lambda: SocialnetPostResultPostSharedPostImages,
    }


class SocialnetPostResultPostSharedPostAuthor(Record):
    """Socialnet post result post shared post author, as the service answers it."""

    id: Optional[str]
    name: str
    url: Optional[str]
    username: Optional[str]


class SocialnetPostResultPostSharedPostImages(Record):
    """Socialnet post result post shared post images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]
    #: The site's own description of the picture
    alt: Optional[str]


class SocialnetPostResultPostStats(Record):
    """Socialnet post result post stats, as the service answers it."""

    reactions: Optional[int]
    comments: Optional[int]
    shares: Optional[int]
    #: Only of a video
    views: Optional[int]


class SocialnetPostResultPostGroup(Record):
    """Socialnet post result post group, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    url: Optional[str]


class SocialnetPostResultPostTopComments(Record):
    """Socialnet post result post top comments, as the service answers it."""

    author_name: Optional[str]
    text: str


class MeteredSocialnetPostResult(SocialnetPostResult, Metered):
    """SocialnetPostResult and Metered."""


class SocialnetGroupResult(Record):
    """Socialnet group result, as the service answers it."""

    provider: Literal["socialnet"]
    group: SocialnetGroupResultGroup
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "group": lambda: SocialnetGroupResultGroup,
        "warnings": lambda: Warning,
    }


class SocialnetGroupResultGroup(Record):
    """Socialnet group result group, as the service answers it."""

    id: Optional[str]
    name: str
    url: str
    description: Optional[str]
    privacy: Optional[Literal["public", "private"]]
    #: Whether the group appears in searches
    visibility: Optional[Literal["visible", "hidden"]]
    members: Optional[int]
    members_text: Optional[str]
    cover_image_url: Optional[str]
    location: Optional[str]
    rules: Optional[List[str]]
    created_at: Optional[str]
    counts_approximate: bool


class MeteredSocialnetGroupResult(SocialnetGroupResult, Metered):
    """SocialnetGroupResult and Metered."""


class SocialnetGroupPostsResult(Record):
    """Socialnet group posts result, as the service answers it."""

    provider: Literal["socialnet"]
    posts: List[SocialnetGroupPostsResultPosts]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "posts": lambda: SocialnetGroupPostsResultPosts,
        "warnings": lambda: Warning,
    }


class SocialnetGroupPostsResultPosts(Record):
    """Socialnet group posts result posts, as the service answers it."""

    id: str
    url: str
    text: Optional[str]
    author: Optional[SocialnetGroupPostsResultPostsAuthor]
    created_at: Optional[str]
    type: Literal["post", "photo", "video", "reel", "event", "share", "link"]
    images: List[SocialnetGroupPostsResultPostsImages]
    video: Optional[SocialnetGroupPostsResultPostsVideo]
    link: Optional[SocialnetGroupPostsResultPostsLink]
    shared_post: Optional[SocialnetGroupPostsResultPostsSharedPost]
    stats: SocialnetGroupPostsResultPostsStats
    #: Whether it is pinned to the top of its page; null if unknown
    pinned: Optional[bool]
    counts_approximate: bool
    #: The group in which it was posted
    group: Optional[SocialnetGroupPostsResultPostsGroup]

    _records = {
        "author": lambda: SocialnetGroupPostsResultPostsAuthor,
        "images": lambda: SocialnetGroupPostsResultPostsImages,
        "video": lambda: SocialnetGroupPostsResultPostsVideo,
        "link": lambda: SocialnetGroupPostsResultPostsLink,
        "shared_post": lambda: SocialnetGroupPostsResultPostsSharedPost,
        "stats": lambda: SocialnetGroupPostsResultPostsStats,
        "group": lambda: SocialnetGroupPostsResultPostsGroup,
    }


class SocialnetGroupPostsResultPostsAuthor(Record):
    """Socialnet group posts result posts author, as the service answers it."""

    id: Optional[str]
    name: str
    url: Optional[str]
    username: Optional[str]


class SocialnetGroupPostsResultPostsImages(Record):
    """Socialnet group posts result posts images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]
    #: The site's own description of the picture
    alt: Optional[str]


class SocialnetGroupPostsResultPostsVideo(Record):
    """Socialnet group posts result posts video, as the service answers it."""

    url: Optional[str]
    thumbnail_url: Optional[str]
    duration_ms: Optional[int]


class SocialnetGroupPostsResultPostsLink(Record):
    """Socialnet group posts result posts link, as the service answers it."""

    url: str
    title: Optional[str]


class SocialnetGroupPostsResultPostsSharedPost(Record):
    """Socialnet group posts result posts shared post, as the service answers it."""

    id: Optional[str]
    url: Optional[str]
    text: Optional[str]
    author: Optional[SocialnetGroupPostsResultPostsSharedPostAuthor]
    created_at: Optional[str]
    images: List[SocialnetGroupPostsResultPostsSharedPostImages]

    _records = {
        "author": lambda: SocialnetGroupPostsResultPostsSharedPostAuthor,
        "images": lambda: SocialnetGroupPostsResultPostsSharedPostImages,
    }


class SocialnetGroupPostsResultPostsSharedPostAuthor(Record):
    """Socialnet group posts result posts shared post author, as the service answers it."""

    id: Optional[str]
    name: str
    url: Optional[str]
    username: Optional[str]


class SocialnetGroupPostsResultPostsSharedPostImages(Record):
    """Socialnet group posts result posts shared post images, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]
    #: The site's own description of the picture
    alt: Optional[str]


class SocialnetGroupPostsResultPostsStats(Record):
    """Socialnet group posts result posts stats, as the service answers it."""

    reactions: Optional[int]
    comments: Optional[int]
    shares: Optional[int]
    #: Only of a video
    views: Optional[int]


class SocialnetGroupPostsResultPostsGroup(Record):
    """Socialnet group posts result posts group, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    url: Optional[str]


class MeteredSocialnetGroupPostsResult(SocialnetGroupPostsResult, Metered):
    """SocialnetGroupPostsResult and Metered."""


class SocialnetAdLibraryAdResult(Record):
    """Socialnet ad library ad result, as the service answers it."""

    provider: Literal["socialnet"]
    ad: SocialnetAdLibraryAdResultAd
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "ad": lambda: SocialnetAdLibraryAdResultAd,
        "warnings": lambda: Warning,
    }


class SocialnetAdLibraryAdResultAd(Record):
    """Socialnet ad library ad result ad, as the service answers it."""

    id: str
    url: str
    page: SocialnetAdLibraryAdResultAdPage
    is_active: Optional[bool]
    #: The day on which it was first shown
    start_date: Optional[str]
    #: The last day on which it was shown; today if it is active
    end_date: Optional[str]
    platforms: Optional[List[str]]
    #: Such as image, video, carousel, dco, dpa or text
    display_format: Optional[str]
    title: Optional[str]
    text: Optional[str]
    link_url: Optional[str]
    link_caption: Optional[str]
    link_description: Optional[str]
    cta_type: Optional[str]
    cta_text: Optional[str]
    images: List[SocialnetAdLibraryAdResultAdImages]
    videos: List[SocialnetAdLibraryAdResultAdVideos]
    cards: List[SocialnetAdLibraryAdResultAdCards]
    #: Number of ads with the same text and pictures
    variants_count: Optional[int]
    collation_id: Optional[str]
    currency: Optional[str]
    spend_text: Optional[str]
    impressions_text: Optional[str]
    reach_estimate: Optional[str]
    #: Who paid for a political ad
    byline: Optional[str]
    disclaimer: Optional[str]
    categories: Optional[List[str]]
    countries: Optional[List[str]]
    contains_ai_media: Optional[bool]
    #: Data that the law of the European Union or the United Kingdom requires; null if the page has none
    transparency: Optional[SocialnetAdLibraryAdResultAdTransparency]

    _records = {
        "page": lambda: SocialnetAdLibraryAdResultAdPage,
        "images": lambda: SocialnetAdLibraryAdResultAdImages,
        "videos": lambda: SocialnetAdLibraryAdResultAdVideos,
        "cards": lambda: SocialnetAdLibraryAdResultAdCards,
        "transparency": lambda: SocialnetAdLibraryAdResultAdTransparency,
    }


class SocialnetAdLibraryAdResultAdPage(Record):
    """Socialnet ad library ad result ad page, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    url: Optional[str]
    likes: Optional[int]
    categories: Optional[List[str]]
    profile_image_url: Optional[str]
    verified: Optional[bool]


class SocialnetAdLibraryAdResultAdImages(Record):
    """Socialnet ad library ad result ad images, as the service answers it."""

    original_url: Optional[str]
    resized_url: Optional[str]


class SocialnetAdLibraryAdResultAdVideos(Record):
    """Socialnet ad library ad result ad videos, as the service answers it."""

    hd_url: Optional[str]
    sd_url: Optional[str]
    preview_url: Optional[str]


class SocialnetAdLibraryAdResultAdCards(Record):
    """Socialnet ad library ad result ad cards, as the service answers it."""

    title: Optional[str]
    text: Optional[str]
    link_url: Optional[str]
    cta_type: Optional[str]
    image_url: Optional[str]
    video_hd_url: Optional[str]
    video_sd_url: Optional[str]


class SocialnetAdLibraryAdResultAdTransparency(Record):
    """Socialnet ad library ad result ad transparency, as the service answers it."""

    eu: Optional[SocialnetAdLibraryAdResultAdTransparencyEu]
    uk: Optional[SocialnetAdLibraryAdResultAdTransparencyUk]
    payer: Optional[str]
    beneficiary: Optional[str]

    _records = {
        "eu": lambda: SocialnetAdLibraryAdResultAdTransparencyEu,
        "uk": lambda: SocialnetAdLibraryAdResultAdTransparencyUk,
    }


class SocialnetAdLibraryAdResultAdTransparencyEu(Record):
    """Socialnet ad library ad result ad transparency eu, as the service answers it."""

    total_reach: Optional[int]
    age_min: Optional[int]
    age_max: Optional[int]
    gender: Optional[str]
    locations: Optional[List[SocialnetAdLibraryAdResultAdTransparencyEuLocations]]
    breakdown: Optional[List[SocialnetAdLibraryAdResultAdTransparencyEuBreakdown]]

    _records = {
        "locations": lambda: SocialnetAdLibraryAdResultAdTransparencyEuLocations,
        "breakdown": lambda: SocialnetAdLibraryAdResultAdTransparencyEuBreakdown,
    }


class SocialnetAdLibraryAdResultAdTransparencyEuLocations(Record):
    """Socialnet ad library ad result ad transparency eu locations, as the service answers it."""

    name: str
    type: Optional[str]
    excluded: Optional[bool]


class SocialnetAdLibraryAdResultAdTransparencyEuBreakdown(Record):
    """Socialnet ad library ad result ad transparency eu breakdown, as the service answers it."""

    country: Optional[str]
    age_range: Optional[str]
    male: Optional[int]
    female: Optional[int]
    unknown: Optional[int]


class SocialnetAdLibraryAdResultAdTransparencyUk(Record):
    """Socialnet ad library ad result ad transparency uk, as the service answers it."""

    total_reach: Optional[int]
    age_min: Optional[int]
    age_max: Optional[int]
    gender: Optional[str]
    locations: Optional[List[SocialnetAdLibraryAdResultAdTransparencyUkLocations]]
    breakdown: Optional[List[SocialnetAdLibraryAdResultAdTransparencyUkBreakdown]]

    _records = {
        "locations": lambda: SocialnetAdLibraryAdResultAdTransparencyUkLocations,
        "breakdown": lambda: SocialnetAdLibraryAdResultAdTransparencyUkBreakdown,
    }


class SocialnetAdLibraryAdResultAdTransparencyUkLocations(Record):
    """Socialnet ad library ad result ad transparency uk locations, as the service answers it."""

    name: str
    type: Optional[str]
    excluded: Optional[bool]


class SocialnetAdLibraryAdResultAdTransparencyUkBreakdown(Record):
    """Socialnet ad library ad result ad transparency uk breakdown, as the service answers it."""

    country: Optional[str]
    age_range: Optional[str]
    male: Optional[int]
    female: Optional[int]
    unknown: Optional[int]


class MeteredSocialnetAdLibraryAdResult(SocialnetAdLibraryAdResult, Metered):
    """SocialnetAdLibraryAdResult and Metered."""


class SocialnetAdLibrarySearchAdsResult(Record):
    """Socialnet ad library search ads result, as the service answers it."""

    provider: Literal["socialnet"]
    #: The library's own count
    total_count: Optional[int]
    ads: List[SocialnetAdLibrarySearchAdsResultAds]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "ads": lambda: SocialnetAdLibrarySearchAdsResultAds,
        "warnings": lambda: Warning,
    }


class SocialnetAdLibrarySearchAdsResultAds(Record):
    """Socialnet ad library search ads result ads, as the service answers it."""

    id: str
    url: str
    page: SocialnetAdLibrarySearchAdsResultAdsPage
    is_active: Optional[bool]
    #: The day on which it was first shown
    start_date: Optional[str]
    #: The last day on which it was shown; today if it is active
    end_date: Optional[str]
    platforms: Optional[List[str]]
    #: Such as image, video, carousel, dco, dpa or text
    display_format: Optional[str]
    title: Optional[str]
    text: Optional[str]
    link_url: Optional[str]
    link_caption: Optional[str]
    link_description: Optional[str]
    cta_type: Optional[str]
    cta_text: Optional[str]
    images: List[SocialnetAdLibrarySearchAdsResultAdsImages]
    videos: List[SocialnetAdLibrarySearchAdsResultAdsVideos]
    cards: List[SocialnetAdLibrarySearchAdsResultAdsCards]
    #: Number of ads with the same text and pictures
    variants_count: Optional[int]
    collation_id: Optional[str]
    currency: Optional[str]
    spend_text: Optional[str]
    impressions_text: Optional[str]
    reach_estimate: Optional[str]
    #: Who paid for a political ad
    byline: Optional[str]
    disclaimer: Optional[str]
    categories: Optional[List[str]]
    countries: Optional[List[str]]
    contains_ai_media: Optional[bool]

    _records = {
        "page": lambda: SocialnetAdLibrarySearchAdsResultAdsPage,
        "images": lambda: SocialnetAdLibrarySearchAdsResultAdsImages,
        "videos": lambda: SocialnetAdLibrarySearchAdsResultAdsVideos,
        "cards": lambda: SocialnetAdLibrarySearchAdsResultAdsCards,
    }


class SocialnetAdLibrarySearchAdsResultAdsPage(Record):
    """Socialnet ad library search ads result ads page, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    url: Optional[str]
    likes: Optional[int]
    categories: Optional[List[str]]
    profile_image_url: Optional[str]
    verified: Optional[bool]


class SocialnetAdLibrarySearchAdsResultAdsImages(Record):
    """Socialnet ad library search ads result ads images, as the service answers it."""

    original_url: Optional[str]
    resized_url: Optional[str]


class SocialnetAdLibrarySearchAdsResultAdsVideos(Record):
    """Socialnet ad library search ads result ads videos, as the service answers it."""

    hd_url: Optional[str]
    sd_url: Optional[str]
    preview_url: Optional[str]


class SocialnetAdLibrarySearchAdsResultAdsCards(Record):
    """Socialnet ad library search ads result ads cards, as the service answers it."""

    title: Optional[str]
    text: Optional[str]
    link_url: Optional[str]
    cta_type: Optional[str]
    image_url: Optional[str]
    video_hd_url: Optional[str]
    video_sd_url: Optional[str]


class MeteredSocialnetAdLibrarySearchAdsResult(SocialnetAdLibrarySearchAdsResult, Metered):
    """SocialnetAdLibrarySearchAdsResult and Metered."""


class SocialnetAdLibraryCompanyAdsResult(Record):
    """Socialnet ad library company ads result, as the service answers it."""

    provider: Literal["socialnet"]
    #: The library's own count
    total_count: Optional[int]
    ads: List[SocialnetAdLibraryCompanyAdsResultAds]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "ads": lambda: SocialnetAdLibraryCompanyAdsResultAds,
        "warnings": lambda: Warning,
    }


class SocialnetAdLibraryCompanyAdsResultAds(Record):
    """Socialnet ad library company ads result ads, as the service answers it."""

    id: str
    url: str
    page: SocialnetAdLibraryCompanyAdsResultAdsPage
    is_active: Optional[bool]
    #: The day on which it was first shown
    start_date: Optional[str]
    #: The last day on which it was shown; today if it is active
    end_date: Optional[str]
    platforms: Optional[List[str]]
    #: Such as image, video, carousel, dco, dpa or text
    display_format: Optional[str]
    title: Optional[str]
    text: Optional[str]
    link_url: Optional[str]
    link_caption: Optional[str]
    link_description: Optional[str]
    cta_type: Optional[str]
    cta_text: Optional[str]
    images: List[SocialnetAdLibraryCompanyAdsResultAdsImages]
    videos: List[SocialnetAdLibraryCompanyAdsResultAdsVideos]
    cards: List[SocialnetAdLibraryCompanyAdsResultAdsCards]
    #: Number of ads with the same text and pictures
    variants_count: Optional[int]
    collation_id: Optional[str]
    currency: Optional[str]
    spend_text: Optional[str]
    impressions_text: Optional[str]
    reach_estimate: Optional[str]
    #: Who paid for a political ad
    byline: Optional[str]
    disclaimer: Optional[str]
    categories: Optional[List[str]]
    countries: Optional[List[str]]
    contains_ai_media: Optional[bool]

    _records = {
        "page": lambda: SocialnetAdLibraryCompanyAdsResultAdsPage,
        "images": lambda: SocialnetAdLibraryCompanyAdsResultAdsImages,
        "videos": lambda: SocialnetAdLibraryCompanyAdsResultAdsVideos,
        "cards": lambda: SocialnetAdLibraryCompanyAdsResultAdsCards,
    }


class SocialnetAdLibraryCompanyAdsResultAdsPage(Record):
    """Socialnet ad library company ads result ads page, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    url: Optional[str]
    likes: Optional[int]
    categories: Optional[List[str]]
    profile_image_url: Optional[str]
    verified: Optional[bool]


class SocialnetAdLibraryCompanyAdsResultAdsImages(Record):
    """Socialnet ad library company ads result ads images, as the service answers it."""

    original_url: Optional[str]
    resized_url: Optional[str]


class SocialnetAdLibraryCompanyAdsResultAdsVideos(Record):
    """Socialnet ad library company ads result ads videos, as the service answers it."""

    hd_url: Optional[str]
    sd_url: Optional[str]
    preview_url: Optional[str]


class SocialnetAdLibraryCompanyAdsResultAdsCards(Record):
    """Socialnet ad library company ads result ads cards, as the service answers it."""

    title: Optional[str]
    text: Optional[str]
    link_url: Optional[str]
    cta_type: Optional[str]
    image_url: Optional[str]
    video_hd_url: Optional[str]
    video_sd_url: Optional[str]


class MeteredSocialnetAdLibraryCompanyAdsResult(SocialnetAdLibraryCompanyAdsResult, Metered):
    """SocialnetAdLibraryCompanyAdsResult and Metered."""


class TechnewsFrontResult(Record):
    """Technews front result, as the service answers it."""

    provider: Literal["technews"]
    items: List[TechnewsFrontResultItems]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "items": lambda: TechnewsFrontResultItems,
        "warnings": lambda: Warning,
    }


class TechnewsFrontResultItems(Record):
    """Technews front result items, as the service answers it."""

    id: str
    type: Literal["story", "comment", "job", "poll", "pollopt"]
    title: Optional[str]
    #: Address of the item in the forum
    url: str
    #: The link of a story
    link_url: Optional[str]
    domain: Optional[str]
    text_html: Optional[str]
    text: Optional[str]
    author: Optional[str]
    score: Optional[int]
    #: Number of all comments on a story
    comment_count: Optional[int]
    created_at: Optional[str]
    parent_id: Optional[str]
    story_id: Optional[str]
    story_title: Optional[str]
    is_dead: Optional[bool]
    is_deleted: Optional[bool]


class MeteredTechnewsFrontResult(TechnewsFrontResult, Metered):
    """TechnewsFrontResult and Metered."""


class TechnewsItemResult(Record):
    """Technews item result, as the service answers it."""

    provider: Literal["technews"]
    item: TechnewsItemResultItem
    #: In the order of the page; replies follow the comment to which they reply
    comments: Optional[List[TechnewsItemResultComments]]
    comments_truncated: Optional[bool]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "item": lambda: TechnewsItemResultItem,
        "comments": lambda: TechnewsItemResultComments,
        "warnings": lambda: Warning,
    }


class TechnewsItemResultItem(Record):
    """Technews item result item, as the service answers it."""

    id: str
    type: Literal["story", "comment", "job", "poll", "pollopt"]
    title: Optional[str]
    #: Address of the item in the forum
    url: str
    #: The link of a story
    link_url: Optional[str]
    domain: Optional[str]
    text_html: Optional[str]
    text: Optional[str]
    author: Optional[str]
    score: Optional[int]
    #: Number of all comments on a story
    comment_count: Optional[int]
    created_at: Optional[str]
    parent_id: Optional[str]
    story_id: Optional[str]
    story_title: Optional[str]
    is_dead: Optional[bool]
    is_deleted: Optional[bool]


class TechnewsItemResultComments(Record):
    """Technews item result comments, as the service answers it."""

    id: str
    type: Literal["story", "comment", "job", "poll", "pollopt"]
    title: Optional[str]
    #: Address of the item in the forum
    url: str
    #: The link of a story
    link_url: Optional[str]
    domain: Optional[str]
    text_html: Optional[str]
    text: Optional[str]
    author: Optional[str]
    score: Optional[int]
    #: Number of all comments on a story
    comment_count: Optional[int]
    created_at: Optional[str]
    parent_id: Optional[str]
    story_id: Optional[str]
    story_title: Optional[str]
    is_dead: Optional[bool]
    is_deleted: Optional[bool]
    #: 1 for a reply to the item itself
    depth: int


class MeteredTechnewsItemResult(TechnewsItemResult, Metered):
    """TechnewsItemResult and Metered."""


class TechnewsUserResult(Record):
    """Technews user result, as the service answers it."""

    provider: Literal["technews"]
    user: TechnewsUserResultUser
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "user": lambda: TechnewsUserResultUser,
        "warnings": lambda: Warning,
    }


class TechnewsUserResultUser(Record):
    """Technews user result user, as the service answers it."""

    username: str
    url: str
    karma: Optional[int]
    created_at: Optional[str]
    about_html: Optional[str]
    about_text: Optional[str]
    #: Stories, comments and votes of polls
    submission_count: Optional[int]
    #: The newest 100
    submission_ids: Optional[List[str]]


class MeteredTechnewsUserResult(TechnewsUserResult, Metered):
    """TechnewsUserResult and Metered."""


class TechnewsSearchResult(Record):
    """Technews search result, as the service answers it."""

    provider: Literal["technews"]
    results: List[TechnewsSearchResultResults]
    total: Optional[int]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "results": lambda: TechnewsSearchResultResults,
        "warnings": lambda: Warning,
    }


class TechnewsSearchResultResults(Record):
    """Technews search result results, as the service answers it."""

    id: str
    type: Literal["story", "comment", "job", "poll", "pollopt"]
    title: Optional[str]
    #: Address of the item in the forum
    url: str
    #: The link of a story
    link_url: Optional[str]
    domain: Optional[str]
    text_html: Optional[str]
    text: Optional[str]
    author: Optional[str]
    score: Optional[int]
    #: Number of all comments on a story
    comment_count: Optional[int]
    created_at: Optional[str]
    parent_id: Optional[str]
    story_id: Optional[str]
    story_title: Optional[str]
    is_dead: Optional[bool]
    is_deleted: Optional[bool]


class MeteredTechnewsSearchResult(TechnewsSearchResult, Metered):
    """TechnewsSearchResult and Metered."""


class VehiclesSearchResult(Record):
    """Vehicles search result, as the service answers it."""

    provider: Literal["vehicles"]
    results: List[VehiclesSearchResultResults]
    total_results: Optional[int]
    page: Optional[int]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "results": lambda: VehiclesSearchResultResults,
        "warnings": lambda: Warning,
    }


class VehiclesSearchResultResults(Record):
    """Vehicles search result results, as the service answers it."""

    id: str
    url: str
    title: str
    make: Optional[str]
    model: Optional[str]
    variant: Optional[str]
    year: Optional[int]
    #: A month: 2012-05
    first_registration: Optional[str]
    mileage: Optional[VehiclesSearchResultResultsMileage]
    price: VehiclesSearchResultResultsPrice
    condition: Optional[Literal["new", "used", "demonstration", "pre_registered", "employee", "classic", "antique"]]
    body: Optional[str]
    fuel: Optional[str]
    transmission: Optional[str]
    power_kw: Optional[int]
    power_hp: Optional[int]
    doors: Optional[int]
    seats: Optional[int]
    color: Optional[str]
    vin: Optional[str]
    images: List[str]
    seller: VehiclesSearchResultResultsSeller
    location: VehiclesSearchResultResultsLocation
    #: Null in search results: only the page of the vehicle has them
    features: Optional[List[str]]
    description_html: Optional[str]
    description_text: Optional[str]
    listed_at: Optional[str]
    is_sponsored: Optional[bool]

    _records = {
        "mileage": lambda: VehiclesSearchResultResultsMileage,
        "price": lambda: VehiclesSearchResultResultsPrice,
        "seller": lambda: VehiclesSearchResultResultsSeller,
        "location": lambda: VehiclesSearchResultResultsLocation,
    }


class VehiclesSearchResultResultsMileage(Record):
    """Vehicles search result results mileage, as the service answers it."""

    value: Optional[int]
    unit: Literal["km", "mi"]


class VehiclesSearchResultResultsPrice(Record):
    """Vehicles search result results price, as the service answers it."""

    amount: Optional[float]
    currency: Optional[str]
    text: Optional[str]


class VehiclesSearchResultResultsSeller(Record):
    """Vehicles search result results seller, as the service answers it."""

    type: Optional[Literal["dealer", "private"]]
    #: Name of the dealer; null for a private seller
    name: Optional[str]
    rating: Optional[float]
    location: Optional[str]


class VehiclesSearchResultResultsLocation(Record):
    """Vehicles search result results location, as the service answers it."""

    zip: Optional[str]
    city: Optional[str]
    country: Optional[str]
    latitude: Optional[float]
    longitude: Optional[float]


class MeteredVehiclesSearchResult(VehiclesSearchResult, Metered):
    """VehiclesSearchResult and Metered."""


class VehiclesVehicleResult(Record):
    """Vehicles vehicle result, as the service answers it."""

    provider: Literal["vehicles"]
    vehicle: VehiclesVehicleResultVehicle
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "vehicle": lambda: VehiclesVehicleResultVehicle,
        "warnings": lambda: Warning,
    }


class VehiclesVehicleResultVehicle(Record):
    """Vehicles vehicle result vehicle, as the service answers it."""

    id: str
    url: str
    title: str
    make: Optional[str]
    model: Optional[str]
    variant: Optional[str]
    year: Optional[int]
    #: A month: 2012-05
    first_registration: Optional[str]
    mileage: Optional[VehiclesVehicleResultVehicleMileage]
    price: VehiclesVehicleResultVehiclePrice
    condition: Optional[Literal["new", "used", "demonstration", "pre_registered", "employee", "classic", "antique"]]
    body: Optional[str]
    fuel: Optional[str]
    transmission: Optional[str]
    power_kw: Optional[int]
    power_hp: Optional[int]
    doors: Optional[int]
    seats: Optional[int]
    color: Optional[str]
    vin: Optional[str]
    images: List[str]
    seller: VehiclesVehicleResultVehicleSeller
    location: VehiclesVehicleResultVehicleLocation
    #: Null in search results: only the page of the vehicle has them
    features: Optional[List[str]]
    description_html: Optional[str]
    description_text: Optional[str]
    listed_at: Optional[str]
    is_sponsored: Optional[bool]

    _records = {
        "mileage": lambda: VehiclesVehicleResultVehicleMileage,
        "price": lambda: VehiclesVehicleResultVehiclePrice,
        "seller": lambda: VehiclesVehicleResultVehicleSeller,
        "location": lambda: VehiclesVehicleResultVehicleLocation,
    }


class VehiclesVehicleResultVehicleMileage(Record):
    """Vehicles vehicle result vehicle mileage, as the service answers it."""

    value: Optional[int]
    unit: Literal["km", "mi"]


class VehiclesVehicleResultVehiclePrice(Record):
    """Vehicles vehicle result vehicle price, as the service answers it."""

    amount: Optional[float]
    currency: Optional[str]
    text: Optional[str]


class VehiclesVehicleResultVehicleSeller(Record):
    """Vehicles vehicle result vehicle seller, as the service answers it."""

    type: Optional[Literal["dealer", "private"]]
    #: Name of the dealer; null for a private seller
    name: Optional[str]
    rating: Optional[float]
    location: Optional[str]


class VehiclesVehicleResultVehicleLocation(Record):
    """Vehicles vehicle result vehicle location, as the service answers it."""

    zip: Optional[str]
    city: Optional[str]
    country: Optional[str]
    latitude: Optional[float]
    longitude: Optional[float]


class MeteredVehiclesVehicleResult(VehiclesVehicleResult, Metered):
    """VehiclesVehicleResult and Metered."""


class VideoVideosResult(Record):
    """Video videos result, as the service answers it."""

    provider: Literal["video"]
    video: VideoVideosResultVideo
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "video": lambda: VideoVideosResultVideo,
        "warnings": lambda: Warning,
    }


class VideoVideosResultVideo(Record):
    """Video videos result video, as the service answers it."""

    id: str
    url: str
    title: str
    description: Optional[str]
    channel: VideoVideosResultVideoChannel
    published_at: Optional[str]
    uploaded_at: Optional[str]
    duration_ms: Optional[int]
    view_count: Optional[int]
    like_count: Optional[int]
    comment_count: Optional[int]
    category: Optional[str]
    tags: Optional[List[str]]
    thumbnails: Optional[List[VideoVideosResultVideoThumbnails]]
    is_live: Optional[bool]
    is_live_content: Optional[bool]
    live: Optional[VideoVideosResultVideoLive]
    is_unlisted: Optional[bool]
    is_family_safe: Optional[bool]
    is_short: Optional[bool]
    available_countries: Optional[List[str]]
    license: Optional[str]
    chapters: Optional[List[VideoVideosResultVideoChapters]]
    subtitles: Optional[List[VideoVideosResultVideoSubtitles]]
    embeddable: Optional[bool]
    availability: Optional[Literal["public", "unlisted", "members_only", "paid", "age_restricted", "region_locked", "upcoming"]]
    counts_approximate: bool
    #: The part of the site from which it was read
    data_source: str

    _records = {
        "channel": lambda: VideoVideosResultVideoChannel,
        "thumbnails": lambda: VideoVideosResultVideoThumbnails,
        "live": lambda: VideoVideosResultVideoLive,
        "chapters": lambda: VideoVideosResultVideoChapters,
        "subtitles": lambda: VideoVideosResultVideoSubtitles,
    }


class VideoVideosResultVideoChannel(Record):
    """Video videos result video channel, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    handle: Optional[str]
    url: Optional[str]
    avatar_url: Optional[str]
    subscriber_count: Optional[int]
    subscriber_count_text: Optional[str]
    verified: Optional[bool]


class VideoVideosResultVideoThumbnails(Record):
    """Video videos result video thumbnails, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class VideoVideosResultVideoLive(Record):
    """Video videos result video live, as the service answers it."""

    started_at: Optional[str]
    ended_at: Optional[str]
    scheduled_at: Optional[str]


class VideoVideosResultVideoChapters(Record):
    """Video videos result video chapters, as the service answers it."""

    title: str
    start_ms: int


class VideoVideosResultVideoSubtitles(Record):
    """Video videos result video subtitles, as the service answers it."""

    language_code: str
    name: Optional[str]
    origin: Literal["uploader_provided", "auto_generated"]


class MeteredVideoVideosResult(VideoVideosResult, Metered):
    """VideoVideosResult and Metered."""


class VideoSearchResult(Record):
    """Video search result, as the service answers it."""

    provider: Literal["video"]
    results: List[VideoSearchResultResults]
    #: The corrected words for which the site searched instead
    corrected_query: Optional[str]
    estimated_results: Optional[int]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "results": lambda: VideoSearchResultResults,
        "warnings": lambda: Warning,
    }


class VideoSearchResultResults(Record):
    """Video search result results, as the service answers it."""

    type: Literal["video", "short", "channel", "playlist"]
    id: str
    url: str
    title: str
    description: Optional[str]
    thumbnails: List[VideoSearchResultResultsThumbnails]
    channel: Optional[VideoSearchResultResultsChannel]
    duration_ms: Optional[int]
    duration_text: Optional[str]
    view_count: Optional[int]
    view_count_text: Optional[str]
    published_text: Optional[str]
    published_at: Optional[str]
    is_live: Optional[bool]
    is_upcoming: Optional[bool]
    badges: List[str]
    #: Only of a channel
    subscriber_count: Optional[int]
    #: Only of a channel or a playlist
    video_count: Optional[int]
    counts_approximate: bool

    _records = {
        "thumbnails": lambda: VideoSearchResultResultsThumbnails,
        "channel": lambda: VideoSearchResultResultsChannel,
    }


class VideoSearchResultResultsThumbnails(Record):
    """Video search result results thumbnails, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class VideoSearchResultResultsChannel(Record):
    """Video search result results channel, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    handle: Optional[str]
    url: Optional[str]
    verified: Optional[bool]


class MeteredVideoSearchResult(VideoSearchResult, Metered):
    """VideoSearchResult and Metered."""


class VideoSubtitlesResult(Record):
    """Video subtitles result, as the service answers it."""

    provider: Literal["video"]
    video_id: str
    language_code: str
    language_name: Optional[str]
    origin: Literal["uploader_provided", "auto_generated"]
    is_translated: bool
    format: Literal["segments", "text", "srt", "vtt"]
    #: Only for format=segments, else null
    segments: Optional[List[VideoSubtitlesResultSegments]]
    #: The whole text, one line per segment
    text: str
    #: The subtitle file for format=srt and format=vtt, else null
    content: Optional[str]
    #: All subtitles of the video
    available: Optional[List[VideoSubtitlesResultAvailable]]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "segments": lambda: VideoSubtitlesResultSegments,
        "available": lambda: VideoSubtitlesResultAvailable,
        "warnings": lambda: Warning,
    }


class VideoSubtitlesResultSegments(Record):
    """Video subtitles result segments, as the service answers it."""

    start_ms: int
    duration_ms: Optional[int]
    text: str


class VideoSubtitlesResultAvailable(Record):
    """Video subtitles result available, as the service answers it."""

    language_code: str
    language_name: Optional[str]
    origin: Literal["uploader_provided", "auto_generated"]
    is_translatable: Optional[bool]


class MeteredVideoSubtitlesResult(VideoSubtitlesResult, Metered):
    """VideoSubtitlesResult and Metered."""


class VideoAltSearchResult(Record):
    """Video alt search result, as the service answers it."""

    provider: Literal["video-alt"]
    results: List[VideoAltSearchResultResults]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "results": lambda: VideoAltSearchResultResults,
        "warnings": lambda: Warning,
    }


class VideoAltSearchResultResults(Record):
    """Video alt search result results, as the service answers it."""

    type: Literal["video", "short"]
    #: The part of its address before the title
    id: str
    url: str
    title: str
    channel: Optional[VideoAltSearchResultResultsChannel]
    thumbnail_url: Optional[str]
    duration_ms: Optional[int]
    duration_text: Optional[str]
    view_count: Optional[int]
    like_count: Optional[int]
    dislike_count: Optional[int]
    comment_count: Optional[int]
    published_at: Optional[str]
    published_text: Optional[str]
    is_live: Optional[bool]
    earned_amount: Optional[float]
    #: Whether one of the counts is rounded
    counts_approximate: bool

    _records = {
        "channel": lambda: VideoAltSearchResultResultsChannel,
    }


class VideoAltSearchResultResultsChannel(Record):
    """Video alt search result results channel, as the service answers it."""

    slug: str
    name: Optional[str]
    url: str
    verified: Optional[bool]


class MeteredVideoAltSearchResult(VideoAltSearchResult, Metered):
    """VideoAltSearchResult and Metered."""


class VideoAltChannelVideosResult(Record):
    """Video alt channel videos result, as the service answers it."""

    provider: Literal["video-alt"]
    channel: VideoAltChannelVideosResultChannel
    videos: List[VideoAltChannelVideosResultVideos]
    #: Null at the end
    next_cursor: Optional[str]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "channel": lambda: VideoAltChannelVideosResultChannel,
        "videos": lambda: VideoAltChannelVideosResultVideos,
        "warnings": lambda: Warning,
    }


class VideoAltChannelVideosResultChannel(Record):
    """Video alt channel videos result channel, as the service answers it."""

    slug: str
    name: Optional[str]
    url: str
    verified: Optional[bool]
    follower_count: Optional[int]
    follower_count_text: Optional[str]
    avatar_url: Optional[str]
    banner_url: Optional[str]
    description: Optional[str]


class VideoAltChannelVideosResultVideos(Record):
    """Video alt channel videos result videos, as the service answers it."""

    type: Literal["video", "short"]
    #: The part of its address before the title
    id: str
    url: str
    title: str
    channel: Optional[VideoAltChannelVideosResultVideosChannel]
    thumbnail_url: Optional[str]
    duration_ms: Optional[int]
    duration_text: Optional[str]
    view_count: Optional[int]
    like_count: Optional[int]
    dislike_count: Optional[int]
    comment_count: Optional[int]
    published_at: Optional[str]
    published_text: Optional[str]
    is_live: Optional[bool]
    earned_amount: Optional[float]
    #: Whether one of the counts is rounded
    counts_approximate: bool

    _records = {
        "channel": lambda: VideoAltChannelVideosResultVideosChannel,
    }


class VideoAltChannelVideosResultVideosChannel(Record):
    """Video alt channel videos result videos channel, as the service answers it."""

    slug: str
    name: Optional[str]
    url: str
    verified: Optional[bool]


class MeteredVideoAltChannelVideosResult(VideoAltChannelVideosResult, Metered):
    """VideoAltChannelVideosResult and Metered."""


class VideoAltVideoResult(Record):
    """Video alt video result, as the service answers it."""

    provider: Literal["video-alt"]
    video: VideoAltVideoResultVideo
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]

    _records = {
        "video": lambda: VideoAltVideoResultVideo,
        "warnings": lambda: Warning,
    }


class VideoAltVideoResultVideo(Record):
    """Video alt video result video, as the service answers it."""

    type: Literal["video", "short"]
    #: The part of its address before the title
    id: str
    url: str
    title: str
    channel: Optional[VideoAltVideoResultVideoChannel]
    thumbnail_url: Optional[str]
    duration_ms: Optional[int]
    duration_text: Optional[str]
    view_count: Optional[int]
    like_count: Optional[int]
    dislike_count: Optional[int]
    comment_count: Optional[int]
    published_at: Optional[str]
    published_text: Optional[str]
    is_live: Optional[bool]
    earned_amount: Optional[float]
    #: Whether one of the counts is rounded
    counts_approximate: bool
    embed_id: Optional[str]
    embed_url: Optional[str]
    video_numeric_id: Optional[str]
    description_html: Optional[str]
    description_text: Optional[str]
    category: Optional[str]
    tags: Optional[List[str]]
    uploaded_at: Optional[str]
    width: Optional[int]
    height: Optional[int]
    quality_text: Optional[str]
    license: Optional[str]
    subtitles: Optional[List[VideoAltVideoResultVideoSubtitles]]
    live: Optional[VideoAltVideoResultVideoLive]
    #: Whether the player has streams
    streams_available: Optional[bool]

    _records = {
        "channel": lambda: VideoAltVideoResultVideoChannel,
        "subtitles": lambda: VideoAltVideoResultVideoSubtitles,
        "live": lambda: VideoAltVideoResultVideoLive,
    }


class VideoAltVideoResultVideoChannel(Record):
    """Video alt video result video channel, as the service answers it."""

    slug: str
    name: Optional[str]
    url: str
    verified: Optional[bool]


class VideoAltVideoResultVideoSubtitles(Record):
    """Video alt video result video subtitles, as the service answers it."""

    language_code: str
    name: Optional[str]
    url: str


class VideoAltVideoResultVideoLive(Record):
    """Video alt video result video live, as the service answers it."""

    status: Literal["live", "upcoming", "ended"]
    viewers: Optional[int]
    scheduled_at: Optional[str]


class MeteredVideoAltVideoResult(VideoAltVideoResult, Metered):
    """VideoAltVideoResult and Metered."""


class LaunchesLeaderboardCrawlResult(Record):
    """Launches leaderboard crawl result, as the service answers it."""

    provider: Literal["launches"]
    period: Literal["daily", "weekly", "monthly", "yearly"]
    #: First day of the leaderboard
    date: str
    start_date: str
    end_date: str
    topic: Optional[str]
    #: Whether other topics were removed from each page (client), or by the site
    topic_filter: Optional[Literal["client", "site"]]
    url: str
    products: List[LaunchesLeaderboardCrawlResultProducts]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]
    #: Number of site pages read for products
    pages_fetched: int
    #: Whether the list of the site may have more elements
    truncated: bool
    #: Whether the list of the site was read to its end
    exhausted: bool
    stop_reason: Literal["exhausted", "max_results", "max_pages", "max_credits", "credits_exhausted", "daily_cap", "failed", "timeout", "cancelled", "interrupted"]

    _records = {
        "products": lambda: LaunchesLeaderboardCrawlResultProducts,
        "warnings": lambda: Warning,
    }


class LaunchesLeaderboardCrawlResultProducts(Record):
    """Launches leaderboard crawl result products, as the service answers it."""

    #: Rank on this leaderboard; null while the site shuffles the order
    rank: Optional[int]
    #: Whether the leaderboard has ended
    rank_is_final: bool
    id: str
    name: str
    tagline: Optional[str]
    slug: str
    url: str
    product: Optional[LaunchesLeaderboardCrawlResultProductsProduct]
    upvotes: Optional[int]
    launch_day_upvotes: Optional[int]
    #: Whether the site shows no counts yet
    upvotes_hidden: Optional[bool]
    comment_count: Optional[int]
    topics: Optional[List[LaunchesLeaderboardCrawlResultProductsTopics]]
    thumbnail_url: Optional[str]
    launched_at: Optional[str]
    is_featured: Optional[bool]
    daily_rank: Optional[int]
    weekly_rank: Optional[int]
    monthly_rank: Optional[int]
    #: Address that redirects to the site of the product
    redirect_url: Optional[str]

    _records = {
        "product": lambda: LaunchesLeaderboardCrawlResultProductsProduct,
        "topics": lambda: LaunchesLeaderboardCrawlResultProductsTopics,
    }


class LaunchesLeaderboardCrawlResultProductsProduct(Record):
    """Launches leaderboard crawl result products product, as the service answers it."""

    id: Optional[str]
    slug: str
    url: str


class LaunchesLeaderboardCrawlResultProductsTopics(Record):
    """Launches leaderboard crawl result products topics, as the service answers it."""

    name: str
    slug: str


class MeteredLaunchesLeaderboardCrawlResult(LaunchesLeaderboardCrawlResult, Metered):
    """LaunchesLeaderboardCrawlResult and Metered."""


class LaunchesLeaderboardCrawlItem(Record):
    """Launches leaderboard crawl item, as the service answers it."""

    #: Rank on this leaderboard; null while the site shuffles the order
    rank: Optional[int]
    #: Whether the leaderboard has ended
    rank_is_final: bool
    id: str
    name: str
    tagline: Optional[str]
    slug: str
    url: str
    product: Optional[LaunchesLeaderboardCrawlItemProduct]
    upvotes: Optional[int]
    launch_day_upvotes: Optional[int]
    #: Whether the site shows no counts yet
    upvotes_hidden: Optional[bool]
    comment_count: Optional[int]
    topics: Optional[List[LaunchesLeaderboardCrawlItemTopics]]
    thumbnail_url: Optional[str]
    launched_at: Optional[str]
    is_featured: Optional[bool]
    daily_rank: Optional[int]
    weekly_rank: Optional[int]
    monthly_rank: Optional[int]
    #: Address that redirects to the site of the product
    redirect_url: Optional[str]

    _records = {
        "product": lambda: LaunchesLeaderboardCrawlItemProduct,
        "topics": lambda: LaunchesLeaderboardCrawlItemTopics,
    }


class LaunchesLeaderboardCrawlItemProduct(Record):
    """Launches leaderboard crawl item product, as the service answers it."""

    id: Optional[str]
    slug: str
    url: str


class LaunchesLeaderboardCrawlItemTopics(Record):
    """Launches leaderboard crawl item topics, as the service answers it."""

    name: str
    slug: str


class ShopASearchCrawlResult(Record):
    """Shop aSearch crawl result, as the service answers it."""

    provider: Literal["shop-a"]
    search: str
    page: int
    #: As the site counts them, often rounded
    total_results: Optional[int]
    total_results_text: Optional[str]
    #: The last page that the site offers
    last_page: Optional[int]
    results: List[ShopASearchCrawlResultResults]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]
    #: Number of site pages read for results
    pages_fetched: int
    #: Whether the list of the site may have more elements
    truncated: bool
    #: Whether the list of the site was read to its end
    exhausted: bool
    stop_reason: Literal["exhausted", "max_results", "max_pages", "max_credits", "credits_exhausted", "daily_cap", "failed", "timeout", "cancelled", "interrupted"]

    _records = {
        "results": lambda: ShopASearchCrawlResultResults,
        "warnings": lambda: Warning,
    }


class ShopASearchCrawlResultResults(Record):
    """Shop aSearch crawl result results, as the service answers it."""

    #: Position on its page, including ads
    position: int
    asin: str
    title: str
    url: str
    image_url: Optional[str]
    price: Optional[float]
    currency: Optional[str]
    price_text: Optional[str]
    list_price: Optional[float]
    rating: Optional[float]
    ratings_count: Optional[int]
    counts_approximate: bool
    sponsored: bool
    badge: Optional[str]
    is_prime: Optional[bool]
    delivery_text: Optional[str]
    bought_text: Optional[str]
    coupon_text: Optional[str]


class MeteredShopASearchCrawlResult(ShopASearchCrawlResult, Metered):
    """ShopASearchCrawlResult and Metered."""


class ShopASearchCrawlItem(Record):
    """Shop aSearch crawl item, as the service answers it."""

    #: Position on its page, including ads
    position: int
    asin: str
    title: str
    url: str
    image_url: Optional[str]
    price: Optional[float]
    currency: Optional[str]
    price_text: Optional[str]
    list_price: Optional[float]
    rating: Optional[float]
    ratings_count: Optional[int]
    counts_approximate: bool
    sponsored: bool
    badge: Optional[str]
    is_prime: Optional[bool]
    delivery_text: Optional[str]
    bought_text: Optional[str]
    coupon_text: Optional[str]


class VideoSearchCrawlResult(Record):
    """Video search crawl result, as the service answers it."""

    provider: Literal["video"]
    results: List[VideoSearchCrawlResultResults]
    #: The corrected words for which the site searched instead
    corrected_query: Optional[str]
    estimated_results: Optional[int]
    #: URL of the source page
    source_url: str
    #: When the page was fetched, ISO 8601 UTC
    fetched_at: str
    #: Whether parts of the full record are missing; see warnings
    partial: bool
    warnings: Optional[List[Warning]]
    #: Number of site pages read for results
    pages_fetched: int
    #: Whether the list of the site may have more elements
    truncated: bool
    #: Whether the list of the site was read to its end
    exhausted: bool
    stop_reason: Literal["exhausted", "max_results", "max_pages", "max_credits", "credits_exhausted", "daily_cap", "failed", "timeout", "cancelled", "interrupted"]

    _records = {
        "results": lambda: VideoSearchCrawlResultResults,
        "warnings": lambda: Warning,
    }


class VideoSearchCrawlResultResults(Record):
    """Video search crawl result results, as the service answers it."""

    type: Literal["video", "short", "channel", "playlist"]
    id: str
    url: str
    title: str
    description: Optional[str]
    thumbnails: List[VideoSearchCrawlResultResultsThumbnails]
    channel: Optional[VideoSearchCrawlResultResultsChannel]
    duration_ms: Optional[int]
    duration_text: Optional[str]
    view_count: Optional[int]
    view_count_text: Optional[str]
    published_text: Optional[str]
    published_at: Optional[str]
    is_live: Optional[bool]
    is_upcoming: Optional[bool]
    badges: List[str]
    #: Only of a channel
    subscriber_count: Optional[int]
    #: Only of a channel or a playlist
    video_count: Optional[int]
    counts_approximate: bool

    _records = {
        "thumbnails": lambda: VideoSearchCrawlResultResultsThumbnails,
        "channel": lambda: VideoSearchCrawlResultResultsChannel,
    }


class VideoSearchCrawlResultResultsThumbnails(Record):
    """Video search crawl result results thumbnails, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class VideoSearchCrawlResultResultsChannel(Record):
    """Video search crawl result results channel, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    handle: Optional[str]
    url: Optional[str]
    verified: Optional[bool]


class MeteredVideoSearchCrawlResult(VideoSearchCrawlResult, Metered):
    """VideoSearchCrawlResult and Metered."""


class VideoSearchCrawlItem(Record):
    """Video search crawl item, as the service answers it."""

    type: Literal["video", "short", "channel", "playlist"]
    id: str
    url: str
    title: str
    description: Optional[str]
    thumbnails: List[VideoSearchCrawlItemThumbnails]
    channel: Optional[VideoSearchCrawlItemChannel]
    duration_ms: Optional[int]
    duration_text: Optional[str]
    view_count: Optional[int]
    view_count_text: Optional[str]
    published_text: Optional[str]
    published_at: Optional[str]
    is_live: Optional[bool]
    is_upcoming: Optional[bool]
    badges: List[str]
    #: Only of a channel
    subscriber_count: Optional[int]
    #: Only of a channel or a playlist
    video_count: Optional[int]
    counts_approximate: bool

    _records = {
        "thumbnails": lambda: VideoSearchCrawlItemThumbnails,
        "channel": lambda: VideoSearchCrawlItemChannel,
    }


class VideoSearchCrawlItemThumbnails(Record):
    """Video search crawl item thumbnails, as the service answers it."""

    url: str
    width: Optional[int]
    height: Optional[int]


class VideoSearchCrawlItemChannel(Record):
    """Video search crawl item channel, as the service answers it."""

    id: Optional[str]
    name: Optional[str]
    handle: Optional[str]
    url: Optional[str]
    verified: Optional[bool]


class TriggerHotelBMonitorResult(Record):
    """Trigger hotel bMonitor result, as the service answers it."""


class AnsweredTriggerHotelBMonitorResult(TriggerHotelBMonitorResult, Answered):
    """TriggerHotelBMonitorResult and Answered."""


class HotelChangeList(Record):
    """Hotel change list, as the service answers it."""

    data: List[HotelChange]
    next_cursor: Optional[str]

    _records = {
        "data": lambda: HotelChange,
    }


class HotelChange(Record):
    """Hotel change, as the service answers it."""

    id: str
    monitor_id: str
    run_id: str
    previous_run_id: Optional[str]
    baseline_run_id: Optional[str]
    detected_at: str
    kind: str
    provider: str
    channel: str
    previous_price: Optional[float]
    current_price: Optional[float]
    #: Null if one of the prices is
    diff: Optional[PriceMove]
    currency: Optional[str]
    available_before: Optional[bool]
    available_after: bool
    room_name: Optional[str]
    rate_plan: Optional[HotelChangeRatePlan]
    params: StayParams
    #: Whether a webhook event was or will be sent; with watch.digest only after the end of the period
    notified: bool
    delivery_ids: List[str]

    _records = {
        "diff": lambda: PriceMove,
        "rate_plan": lambda: HotelChangeRatePlan,
        "params": lambda: StayParams,
    }


class PriceMove(Record):
    """Price move, as the service answers it."""

    abs: float
    pct: Optional[float]
    direction: Literal["up", "down"]


class HotelChangeRatePlan(Record):
    """Hotel change rate plan, as the service answers it."""

    board: Optional[Literal["room_only", "breakfast", "half_board", "full_board", "all_inclusive"]]
    cancellation: Optional[Literal["free", "non_refundable", "partial"]]


class AnsweredHotelChangeList(HotelChangeList, Answered):
    """HotelChangeList and Answered."""


class AnsweredHotelChange(HotelChange, Answered):
    """HotelChange and Answered."""


class TriggerHotelAMonitorResult(Record):
    """Trigger hotel aMonitor result, as the service answers it."""


class AnsweredTriggerHotelAMonitorResult(TriggerHotelAMonitorResult, Answered):
    """TriggerHotelAMonitorResult and Answered."""


class TriggerLaunchMonitorResult(Record):
    """Trigger launch monitor result, as the service answers it."""

    run_id: str
    status: Literal["queued", "running"]
    #: The run already existed
    deduped: Optional[Literal[True]]


class AnsweredTriggerLaunchMonitorResult(TriggerLaunchMonitorResult, Answered):
    """TriggerLaunchMonitorResult and Answered."""


class ScreenshotInput(TypedDict, total=False):
    #: Capture the whole page instead of the visible part
    full_page: bool
    format: Literal["png", "jpeg", "webp"]
    #: Quality of jpeg and webp, default 85
    quality: int
    #: Size of the visible part in CSS pixels; default that of the device
    viewport: Mapping[str, Any]
    #: The part of the page to show, in CSS pixels from its top left corner
    clip: Mapping[str, Any]
    #: Show the first visible element that this CSS selector matches
    selector: str


class ChangesInput(TypedDict, total=False):
    #: Name of a separate series of copies, such as one for other options
    tag: str
    #: Include the lines of the Markdown that differ
    diff: bool
    #: Compare the fields of output json, too
    fields: bool


class PassagesInput(TypedDict, total=False):
    #: A question, or words to look for
    query: Required[str]
    #: Most characters of all passages together
    max_chars: int
    #: Also answer the query from the passages with the language model, in one or two sentences
    answer: bool


Extract: TypeAlias = "Mapping[str, Any]"


class AttributeQuery(TypedDict, total=False):
    #: CSS selector of the elements
    selector: Required[str]
    #: Name of the attribute
    attribute: Required[str]


class ChunkingInput(TypedDict, total=False):
    #: Maximum tokens of a chunk, overlap and context included
    max_tokens: int
    #: Tokens of the chunk before it that a chunk repeats within a section; at most half of max_tokens
    overlap_tokens: int
    #: What is counted; characters are those of UTF-16
    tokenizer: Literal["o200k_base", "cl100k_base", "characters"]
    #: Deepest level of headings that start a chunk
    heading_depth: int
    #: Start each text with the title of the page and the headings above it
    contextual: bool


class RequestCookie(TypedDict, total=False):
    name: Required[str]
    value: Required[str]


class BatchPage(TypedDict, total=False):
    url: Required[str]
    output: Sequence[Literal["markdown", "text", "html", "raw_html", "links", "images", "metadata", "tables", "structured_data", "attributes", "chunks", "json", "screenshot", "summary", "passages"]]
    screenshot: ScreenshotInput
    passages: PassagesInput
    only_main_content: bool
    include_selectors: Sequence[str]
    exclude_selectors: Sequence[str]
    extract: Extract
    attributes: Sequence[AttributeQuery]
    chunking: ChunkingInput
    frames: bool
    headers: Mapping[str, str]
    cookies: Sequence[RequestCookie]
    wait_for_selector: str
    wait_ms: int
    scroll: bool
    block: Sequence[Literal["ads", "images", "fonts", "media"]]
    device: Literal["desktop", "mobile"]
    locale: str
    max_chars: int
    offset_chars: int


Action: TypeAlias = "Mapping[str, Any]"


JobWebhookInput: TypeAlias = "Union[str, Mapping[str, Any]]"


class FetchInput(TypedDict, total=False):
    #: The http or https page to retrieve
    url: Required[str]
    #: Formats to return; screenshot and pdf need a browser and are stored as files, summary needs a language model, passages quotes what matches a query, changes compares the page with its last copy
    output: Sequence[Literal["markdown", "text", "html", "raw_html", "links", "images", "metadata", "tables", "structured_data", "attributes", "chunks", "json", "screenshot", "pdf", "summary", "passages", "changes"]]
    screenshot: ScreenshotInput
    #: How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly
    proxy: Literal["basic", "auto", "stealth"]
    #: true means proxy stealth
    use_proxy: bool
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Request method; any but GET is sent without a browser, and at most once unless headers has Idempotency-Key
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    #: Request body, one of json, form and text, up to 1 MiB; not with method GET
    body: Mapping[str, Any]
    changes: ChangesInput
    passages: PassagesInput
    #: Remove navigation, footers and similar parts from text formats
    only_main_content: bool
    #: CSS selectors of the parts to keep; default everything
    include_selectors: Sequence[str]
    #: CSS selectors of parts to remove
    exclude_selectors: Sequence[str]
    #: Fields to extract for output json
    extract: Extract
    #: Attributes of elements to read for output attributes
    attributes: Sequence[AttributeQuery]
    #: How the page is cut for output chunks
    chunking: ChunkingInput
    #: Include the documents of frames, srcdoc and embedded PDFs in the page
    frames: bool
    #: Request headers; dropped on a redirect to another origin
    headers: Mapping[str, str]
    #: Request cookies; dropped on a redirect to another origin
    cookies: Sequence[RequestCookie]
    #: Wait in a browser until this CSS selector matches
    wait_for_selector: str
    #: Time to wait in a browser before the page is captured, within timeout_ms
    wait_ms: int
    #: Scroll to the end of the page in a browser, to load lazy content
    scroll: bool
    #: Requests that a page in a browser cannot make; ads are a list of third-party domains
    block: Sequence[Literal["ads", "images", "fonts", "media"]]
    #: Device to emulate
    device: Literal["desktop", "mobile"]
    #: Request the page from this country (ISO 3166, two letters) through a proxy
    country: str
    #: Language and region to request (BCP 47), such as de-AT
    locale: str
    #: Most characters of each text format, cut at block boundaries
    max_chars: int
    #: Where to continue a long page: next_offset of the previous response
    offset_chars: int
    #: Accept any certificate of the target; the operator must allow it with QUERN_ALLOW_INSECURE_TLS
    insecure_tls: bool
    #: Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use
    session: str
    #: Maximum age of a cached page in ms; 0 always fetches
    max_age_ms: int
    #: Obey robots.txt: a disallowed URL or redirect target fails with target_blocked
    respect_robots: bool
    #: Most credits that this call may cost
    max_credits: int


class FetchBatchInput(TypedDict, total=False):
    #: The http or https pages to fetch: URLs, or objects with url and options; equal ones are fetched once
    urls: Required[Sequence[Union[str, BatchPage]]]
    #: Skip invalid URLs and list them in invalid_urls; otherwise they are refused
    ignore_invalid_urls: bool
    #: Formats to return; screenshot needs a browser and is stored as a file, summary needs a model, passages quotes what matches a query, changes compares each page with its last copy
    output: Sequence[Literal["markdown", "text", "html", "raw_html", "links", "images", "metadata", "tables", "structured_data", "attributes", "chunks", "json", "screenshot", "summary", "passages", "changes"]]
    screenshot: ScreenshotInput
    #: How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly
    proxy: Literal["basic", "auto", "stealth"]
    #: true means proxy stealth
    use_proxy: bool
    #: Total time limit in ms; above the plan's inline limit the call runs as a job
    timeout_ms: int
    #: Remove navigation, footers and similar parts from text formats
    only_main_content: bool
    #: CSS selectors of the parts to keep; default everything
    include_selectors: Sequence[str]
    #: CSS selectors of parts to remove
    exclude_selectors: Sequence[str]
    #: Fields to extract for output json
    extract: Extract
    #: Attributes of elements to read for output attributes
    attributes: Sequence[AttributeQuery]
    #: How the page is cut for output chunks
    chunking: ChunkingInput
    #: Include the documents of frames, srcdoc and embedded PDFs in the page
    frames: bool
    #: Request headers; dropped on a redirect to another origin
    headers: Mapping[str, str]
    #: Request cookies; dropped on a redirect to another origin
    cookies: Sequence[RequestCookie]
    #: Wait in a browser until this CSS selector matches
    wait_for_selector: str
    #: Time to wait in a browser before the page is captured, within timeout_ms
    wait_ms: int
    #: Scroll to the end of the page in a browser, to load lazy content
    scroll: bool
    #: Requests that a page in a browser cannot make; ads are a list of third-party domains
    block: Sequence[Literal["ads", "images", "fonts", "media"]]
    #: Device to emulate
    device: Literal["desktop", "mobile"]
    #: Request the page from this country (ISO 3166, two letters) through a proxy
    country: str
    #: Language and region to request (BCP 47), such as de-AT
    locale: str
    #: Most characters of each text format, cut at block boundaries
    max_chars: int
    #: Where to continue a long page: next_offset of the previous response
    offset_chars: int
    changes: ChangesInput
    passages: PassagesInput
    #: Accept any certificate of the target; the operator must allow it with QUERN_ALLOW_INSECURE_TLS
    insecure_tls: bool
    #: Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use
    session: str
    #: Obey robots.txt: a disallowed URL or redirect target fails with target_blocked
    respect_robots: bool
    #: Fixed gap between two requests to one host in ms; robots.txt may require a longer one
    delay_ms: int
    #: Maximum number of pages fetched at once; default: as many as their hosts allow
    max_concurrency: int
    #: Maximum number of credits that the call may cost
    max_credits: int


class ExplainPageInput(TypedDict, total=False):
    #: The http or https page to explain
    url: Required[str]
    #: Fields to try: shows what their selectors match and what a fetch would return
    extract: Extract
    #: How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly
    proxy: Literal["basic", "auto", "stealth"]
    #: true means proxy stealth
    use_proxy: bool
    #: Total time limit in ms; the default is the inline limit of the plan
    timeout_ms: int
    #: Request headers; dropped on a redirect to another origin
    headers: Mapping[str, str]
    #: Request cookies; dropped on a redirect to another origin
    cookies: Sequence[RequestCookie]
    #: Wait in a browser until this CSS selector matches
    wait_for_selector: str
    #: Time to wait in a browser before the page is captured, within timeout_ms
    wait_ms: int
    #: Scroll to the end of the page in a browser, to load lazy content
    scroll: bool
    #: Device to emulate
    device: Literal["desktop", "mobile"]
    #: Request the page from this country (ISO 3166, two letters) through a proxy
    country: str
    #: Language and region to request (BCP 47), such as de-AT
    locale: str
    #: Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use
    session: str
    #: Maximum age of a cached page in ms; 0 always fetches
    max_age_ms: int
    #: Obey robots.txt
    respect_robots: bool
    #: Most credits that this call may cost
    max_credits: int


class CrawlInput(TypedDict, total=False):
    #: URL at which the crawl starts
    url: str
    #: A list of URLs to crawl instead; their links are not followed
    urls: Sequence[str]
    #: Maximum number of pages to store, default 25; a larger crawl runs as a job
    max_pages: int
    #: Maximum link depth from the start; null for no limit
    max_depth: Optional[int]
    #: Read the site's sitemaps in addition to its links, not at all (skip), or instead of them (only)
    sitemap: Literal["include", "skip", "only"]
    #: Formats to return; screenshot needs a browser and is stored as a file, summary needs a model, passages quotes what matches a query, changes compares each page with its last copy
    output: Sequence[Literal["markdown", "text", "html", "raw_html", "links", "images", "metadata", "tables", "structured_data", "attributes", "chunks", "json", "screenshot", "summary", "passages", "changes"]]
    screenshot: ScreenshotInput
    #: Which URLs are in scope, relative to the start; any: links to other sites too
    scope: Literal["path", "host", "subdomains", "domain", "any"]
    #: Globs on path and query, or re: and an RE2 expression, or url: and one for the whole URL; only matching links are followed
    include: Sequence[str]
    #: Patterns of the same form; matching links are skipped
    exclude: Sequence[str]
    #: Maximum number of links followed per path pattern, such as /maze/*, against crawler traps; URLs from sitemaps are not counted
    max_per_pattern: int
    #: Treat URLs that differ only in their query as one page: the first one found is requested
    ignore_query: bool
    #: Treat links that differ only after #/ or #! as separate pages; a browser loads every page
    hash_routes: bool
    #: How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly
    proxy: Literal["basic", "auto", "stealth"]
    #: true means proxy stealth
    use_proxy: bool
    #: Total time limit in ms; above the plan's inline limit the call runs as a job
    timeout_ms: int
    #: Obey robots.txt, also for redirects; a crawl does not store pages marked noindex
    respect_robots: bool
    #: With cookies, a session or a login header: also follow links that log out, delete, unsubscribe or fill a cart
    follow_actions: bool
    #: Fixed gap between two requests to one host in ms; robots.txt may require a longer one
    delay_ms: int
    #: Maximum number of credits that the call may cost
    max_credits: int
    #: Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use
    session: str
    #: included: follow everything in scope, but store only pages that match include; other pages are free
    store: Literal["all", "included"]
    #: How each page is requested and read
    fetch: Mapping[str, Any]
    #: Archive every HTTP exchange as WARC, available with format=warc of the result; the crawl runs as a job
    archive: bool
    #: Skip pages whose content is already stored; skipped pages are free
    dedupe_content: bool


class MapInput(TypedDict, total=False):
    #: URL at which the map starts
    url: Required[str]
    #: Maximum number of URLs to return; above 100 the call runs as a job
    max_urls: int
    #: Words to search for: only URLs whose path, query or title has one of them are returned, best first
    search: str
    #: Where to look: the sitemaps listed in robots.txt (robots), else those at the usual paths (sitemap), feeds, pages of the site that you have fetched before (known), and the links of pages
    sources: Sequence[Literal["sitemap", "robots", "feed", "known", "links"]]
    #: Follow links; otherwise links are followed only if no other source has a URL. An inline call without timeout_ms follows them for 10 seconds
    walk: bool
    #: Maximum link depth from the start; the pages of a paginated list have the same depth
    max_depth: int
    #: Add titles: of the page if it was read, else of the feed entry or link
    include_metadata: bool
    #: How each page is requested
    fetch: Mapping[str, Any]
    #: Which URLs are in scope, relative to the start; any: links to other sites too
    scope: Literal["path", "host", "subdomains", "domain", "any"]
    #: Globs on path and query, or re: and an RE2 expression, or url: and one for the whole URL; only matching links are followed
    include: Sequence[str]
    #: Patterns of the same form; matching links are skipped
    exclude: Sequence[str]
    #: Maximum number of links followed per path pattern, such as /maze/*, against crawler traps; URLs from sitemaps are not counted
    max_per_pattern: int
    #: Treat URLs that differ only in their query as one page: the first one found is requested
    ignore_query: bool
    #: Treat links that differ only after #/ or #! as separate pages; a browser loads every page
    hash_routes: bool
    #: How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly
    proxy: Literal["basic", "auto", "stealth"]
    #: true means proxy stealth
    use_proxy: bool
    #: Total time limit in ms; above the plan's inline limit the call runs as a job
    timeout_ms: int
    #: Obey robots.txt, also for redirects; a crawl does not store pages marked noindex
    respect_robots: bool
    #: With cookies, a session or a login header: also follow links that log out, delete, unsubscribe or fill a cart
    follow_actions: bool
    #: Fixed gap between two requests to one host in ms; robots.txt may require a longer one
    delay_ms: int
    #: Maximum number of credits that the call may cost
    max_credits: int
    #: Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use
    session: str


class InteractInput(TypedDict, total=False):
    #: Start page
    url: Required[str]
    #: The task in words; a model chooses the actions
    prompt: str
    #: Actions in order, at most 200; repeated actions count each time
    actions: Sequence[Action]
    #: Formats of the page at the end
    output: Sequence[Literal["markdown", "text", "html", "raw_html", "links", "images", "metadata", "tables", "structured_data", "chunks", "json", "screenshot", "pdf"]]
    #: What to extract from the page at the end, for output json
    extract: Extract
    #: How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly
    proxy: Literal["basic", "auto", "stealth"]
    #: true means proxy stealth
    use_proxy: bool
    #: Total time limit of the session in ms; default is the plan's inline limit; with a higher value the call becomes a job
    timeout_ms: int
    #: Request headers; dropped on a redirect to another origin
    headers: Mapping[str, str]
    #: Request cookies; dropped on a redirect to another origin
    cookies: Sequence[RequestCookie]
    #: Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use
    session: str
    #: Device to emulate
    device: Literal["desktop", "mobile"]
    #: Request the page from this country (ISO 3166, two letters) through a proxy
    country: str
    #: Language and region to request (BCP 47), such as de-AT
    locale: str
    #: Hosts, including subdomains, to which the session may send requests; default: its pages stay on the site of url
    allowed_domains: Sequence[str]
    #: Values for {{name}} in typed text; never logged
    variables: Mapping[str, str]
    #: Maximum number of actions; with prompt the default is 20 and the limit 60
    max_steps: int


class FastSearchInput(TypedDict, total=False):
    #: Search query; "words in quotes" are a phrase; engines get the first 2,000 characters
    search: str
    #: Country whose results come first
    country_code: str
    #: Language of the results: a tag such as de or pt-BR, or a name such as German
    language: str
    #: Page of results; below 1 is the first, beyond the last is empty
    page: int
    #: Also read the pages of the first results, and return their content
    content: Mapping[str, Any]
    #: Most credits that this call may cost; fewer pages are read if needed
    max_credits: int
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Alias of search
    q: str
    #: Alias of search
    query: str
    #: Alias of country_code
    country: str
    #: Alias of country_code
    geo: str
    #: Alias of language
    lang: str
    #: Alias of language
    locale: str
    #: Alias of language
    language_code: str
    #: Alias of language
    hl: str
    #: Alias of page
    page_number: int
    #: Alias of page
    start_page: int


class AnswerenginePromptInput(TypedDict, total=False):
    #: The question
    prompt: Required[str]
    #: Country of the person asking: ISO 3166-1 code or English name
    geo: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Time limit per source in ms; a slower source is skipped and listed in warnings
    source_timeout_ms: int
    #: Alias of geo
    country: str
    #: Alias of geo
    country_code: str
    #: Alias of geo
    geo_location: str


class AssistantPromptInput(TypedDict, total=False):
    #: The question
    prompt: Required[str]
    #: Country of the person asking: ISO 3166-1 code or English name
    geo: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Time limit per source in ms; a slower source is skipped and listed in warnings
    source_timeout_ms: int
    #: Alias of geo
    country: str
    #: Alias of geo
    country_code: str
    #: Alias of geo
    geo_location: str


class ChatassistantPromptInput(TypedDict, total=False):
    #: The question
    prompt: Required[str]
    #: Country of the person asking: ISO 3166-1 code or English name
    geo: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Time limit per source in ms; a slower source is skipped and listed in warnings
    source_timeout_ms: int
    #: Alias of geo
    country: str
    #: Alias of geo
    country_code: str
    #: Alias of geo
    geo_location: str


class WebsearchSearchInput(TypedDict, total=False):
    #: Search query; engines get the first 2,000 characters, or fewer if these take more than 4,000 when URL-encoded
    search: str
    #: Country to search from: ISO 3166-1 code, English name, or a place that ends with its country
    geo: str
    #: Language of the interface: a tag such as de or pt-BR, or a name such as German
    locale: str
    #: Top-level domain of the engine: com, de, co.uk, or google.com
    domain: str
    #: First page of results
    page: int
    #: Number of pages; each costs the price of one
    pages: int
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    q: str
    #: Alias of search
    query: str
    #: Alias of geo
    country: str
    #: Alias of geo
    geo_location: str
    #: Alias of geo
    location: str
    #: Alias of geo
    gl: str
    #: Alias of locale
    language: str
    #: Alias of locale
    lang: str
    #: Alias of locale
    hl: str
    #: Alias of locale
    interface_language: str
    #: Alias of domain
    tld: str
    #: Alias of domain
    google_domain: str
    #: Alias of page
    start_page: int
    #: Alias of page
    start: int
    #: Alias of pages
    num_pages: int
    #: Alias of pages
    page_count: int


class SerpSearchInput(TypedDict, total=False):
    #: Search engine; searxng is the instance that the operator configured
    engine: Literal["google", "bing", "duckduckgo", "brave", "mojeek", "yandex", "baidu", "ecosia", "searxng"]
    #: Search query; engines get the first 2,000 characters, or fewer if these take more than 4,000 when URL-encoded
    search: str
    #: ISO 3166-1 code or English name
    country: str
    #: Language of the results, if the engine supports it: a tag such as de, or a name such as German
    language: str
    #: Page of results
    page: int
    #: Safe-search level, if the engine supports it
    safe: Literal["off", "moderate", "strict"]
    #: Maximum age of results; rejected if the engine does not support it
    time_range: Literal["day", "week", "month", "year"]
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    q: str
    #: Alias of search
    query: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str
    #: Alias of country
    geo: str
    #: Alias of country
    country_code: str
    #: Alias of country
    gl: str
    #: Alias of language
    locale: str
    #: Alias of language
    lang: str
    #: Alias of language
    hl: str
    #: Alias of safe
    safesearch: Literal["off", "moderate", "strict"]


class AppstoreAppInput(TypedDict, total=False):
    #: A number in apple, or a name such as com.example.app in play
    id: str
    #: Address of the app in either store
    url: str
    #: ISO 3166-1 alpha-2
    country: str
    #: BCP 47
    language: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of country
    geo: str
    #: Alias of language
    locale: str


class AppstoreSearchInput(TypedDict, total=False):
    #: Words to search for
    search: str
    #: The store to search
    store: Literal["apple", "play"]
    #: ISO 3166-1 alpha-2
    country: str
    #: BCP 47
    language: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    q: str
    #: Alias of search
    query: str
    #: Alias of search
    term: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str
    #: Alias of limit
    per_page: int
    #: Alias of country
    geo: str
    #: Alias of language
    locale: str


class AppstoreReviewsInput(TypedDict, total=False):
    #: A number in apple, or a name such as com.example.app in play
    id: str
    #: Address of the app in either store
    url: str
    #: ISO 3166-1 alpha-2
    country: str
    #: BCP 47
    language: str
    #: The order of the reviews
    sort: Literal["newest", "helpful"]
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of limit
    per_page: int
    #: Alias of country
    geo: str
    #: Alias of language
    locale: str


class AppstoreDeveloperInput(TypedDict, total=False):
    #: Number of the developer, or the name that some have in play
    id: str
    #: Address of the developer in either store
    url: str
    #: ISO 3166-1 alpha-2
    country: str
    #: BCP 47
    language: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of limit
    per_page: int
    #: Alias of country
    geo: str
    #: Alias of language
    locale: str


class CodehostRepoInput(TypedDict, total=False):
    #: Owner and name, such as octocat/hello-world
    full_name: str
    #: The login of the owner; requires repo
    owner: str
    #: The name, together with owner; or owner/name as in full_name
    repo: str
    #: Address of the repository
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of full_name
    name: str


class CodehostReposInput(TypedDict, total=False):
    #: The login, with or without @
    username: str
    #: Address of the profile
    url: str
    #: Number of the page, by limit; cursor takes precedence
    page: int
    #: owner: their own; member: those they contribute to; all: both
    type: Literal["owner", "all", "member"]
    #: The order of the repositories
    sort: Literal["full_name", "created", "updated", "pushed"]
    #: By default asc for full_name, else desc
    direction: Literal["asc", "desc"]
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of username
    login: str
    #: Alias of username
    user: str
    #: Alias of limit
    per_page: int


class CodehostUserInput(TypedDict, total=False):
    #: The login, with or without @
    username: str
    #: Address of the profile
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of username
    login: str
    #: Alias of username
    user: str


class ForumPostInput(TypedDict, total=False):
    #: Id of the post, `2gmzqe` or `t3_2gmzqe`; takes precedence over url
    id: str
    #: Address of the post
    url: str
    #: Name of its community
    subreddit: str
    #: Order of the comments
    sort: Literal["best", "top", "new", "controversial", "old", "qa"]
    #: Maximum number of top-level comments
    comment_limit: int
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class ForumSubredditInput(TypedDict, total=False):
    #: Name of the community, such as `milling` or `r/milling`
    subreddit: str
    #: Address of the community
    url: str
    #: Order of the posts
    sort: Literal["hot", "new", "top", "rising", "controversial"]
    #: Period of the ranking; only for sort=top and sort=controversial
    time: Literal["hour", "day", "week", "month", "year", "all"]
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of subreddit
    name: str
    #: Alias of subreddit
    community: str
    #: Alias of limit
    per_page: int


class ForumUserInput(TypedDict, total=False):
    #: User name, such as `ilse_miller` or `u/ilse_miller`
    username: str
    #: Address of the profile
    url: str
    #: Order of posts and comments
    sort: Literal["new", "hot", "top", "controversial"]
    #: Period of the ranking; only for sort=top and sort=controversial
    time: Literal["hour", "day", "week", "month", "year", "all"]
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of limit
    per_page: int


class HomestaySearchInput(TypedDict, total=False):
    #: Name of a place, such as Lisbon or Harrow, United Kingdom
    location: str
    #: Day of arrival; requires check_out
    check_in: str
    #: Day of departure; requires check_in
    check_out: str
    #: Number of adults
    adults: int
    #: Number of children
    children: int
    #: Number of infants
    infants: int
    #: Number of pets
    pets: int
    #: ISO 4217
    currency: str
    #: Language of texts, BCP 47
    locale: str
    #: Minimum price per night
    price_min: int
    #: Maximum price per night
    price_max: int
    #: The id of the place on the site
    place_id: str
    #: Latitude of the north-east corner of the map; requires the other three coordinates
    ne_lat: float
    #: Its longitude
    ne_lng: float
    #: Latitude of the south-west corner of the map
    sw_lat: float
    #: Its longitude
    sw_lng: float
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of location
    search: str
    #: Alias of location
    query: str
    #: Alias of location
    q: str
    #: Alias of check_in
    checkin: str
    #: Alias of check_out
    checkout: str
    #: Alias of locale
    language: str


class HomestayListingInput(TypedDict, total=False):
    #: The number of the home, or its address; takes precedence over url
    id: str
    #: Address of the home
    url: str
    #: Day of arrival; requires check_out
    check_in: str
    #: Day of departure; requires check_in
    check_out: str
    #: Number of adults
    adults: int
    #: Number of children
    children: int
    #: Number of infants
    infants: int
    #: Number of pets
    pets: int
    #: ISO 4217
    currency: str
    #: Language of texts, BCP 47
    locale: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of check_in
    checkin: str
    #: Alias of check_out
    checkout: str
    #: Alias of locale
    language: str


class HomestayReviewsInput(TypedDict, total=False):
    #: The number of the home, or its address; takes precedence over url
    id: str
    #: Address of the home
    url: str
    #: Language of texts, BCP 47
    locale: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of locale
    language: str
    #: Alias of limit
    per_page: int


class HotelARateInput(TypedDict, total=False):
    #: Address of the property
    url: Required[str]
    #: Day of arrival, in the time zone of the property
    check_in: Required[str]
    #: Day of departure, 1 to 30 nights later
    check_out: Required[str]
    #: Number of adults
    adults: int
    #: The age of each child, or the number of children if their ages are unknown
    children: Union[Sequence[int], int]
    #: Number of rooms, at most one per adult
    rooms: int
    #: ISO 4217 code; by default the currency of the property
    currency: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class HotelBRateInput(TypedDict, total=False):
    #: The segment of the hotel path, with or without its country, or its address
    property_id: Required[str]
    #: Day of arrival, in the time zone of the property
    check_in: Required[str]
    #: Day of departure, 1 to 30 nights later
    check_out: Required[str]
    #: Number of adults
    adults: int
    #: The age of each child, or the number of children if their ages are unknown
    children: Union[Sequence[int], int]
    #: Number of rooms, at most one per adult
    rooms: int
    #: ISO 4217 code; by default the currency of the property
    currency: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class JobsDJobsInput(TypedDict, total=False):
    #: Words to search for
    keywords: str
    #: A city, region or country
    location: str
    #: Radius around `location` in miles
    radius: int
    #: Only jobs that can be done from anywhere
    remote: bool
    #: Only jobs with this type of employment
    employment_type: Literal["full_time", "part_time", "contract", "third_party"]
    #: 1, 3 or 7
    posted_within_days: int
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of keywords
    search: str
    #: Alias of keywords
    query: str
    #: Alias of keywords
    q: str
    #: Alias of keywords
    keyword: str
    #: Alias of limit
    per_page: int


class JobsDJobInput(TypedDict, total=False):
    #: The job_id of a search result
    job_id: str
    #: Address of the job
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of job_id
    id: str


class JobsBJobsInput(TypedDict, total=False):
    #: Words to search for
    keywords: str
    #: Only jobs that can be done from anywhere
    remote: bool
    #: 1, 3, 7 or 30
    posted_within_days: int
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of keywords
    search: str
    #: Alias of keywords
    query: str
    #: Alias of keywords
    q: str
    #: Alias of keywords
    keyword: str
    #: Alias of limit
    per_page: int


class JobsBJobInput(TypedDict, total=False):
    #: Address of the job, as returned by a search
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of url
    job_url: str


class JobsSJobsInput(TypedDict, total=False):
    #: Words to search for
    keywords: str
    #: A city, region or country
    location: str
    #: Radius around `location` in miles
    radius: int
    #: Maximum age in days
    posted_within_days: int
    #: The order of the jobs
    sort: Literal["relevance", "date"]
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of keywords
    search: str
    #: Alias of keywords
    query: str
    #: Alias of keywords
    q: str
    #: Alias of keywords
    keyword: str
    #: Alias of limit
    per_page: int


class JobsSJobInput(TypedDict, total=False):
    #: The job_id of a search result
    job_id: str
    #: Address of the job
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of job_id
    id: str


class LaunchesLeaderboardInput(TypedDict, total=False):
    #: Period of the leaderboard
    period: Literal["daily", "weekly", "monthly", "yearly"]
    #: Any day of the period, in Pacific time; by default today
    date: str
    #: Year, instead of date; with month and day, week, or month
    year: int
    #: Month; requires year
    month: int
    #: ISO week; requires year
    week: int
    #: Day; requires year and month
    day: int
    #: Only launches of this topic
    topic: str
    #: Only launches that the site features
    featured: bool
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class LaunchesProductInput(TypedDict, total=False):
    #: The last segment of the product's address
    slug: str
    #: The number of one of its launches; takes precedence over slug and url
    id: str
    #: Address of the product, or of one of its launches
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of slug
    product: str


class LaunchesMakerInput(TypedDict, total=False):
    #: With or without @; takes precedence over url
    username: str
    #: Address of the profile
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class MicroblogProfileInput(TypedDict, total=False):
    #: A name (harrow), a name with its domain (harrow.example), or a name at a server (harrow@mills.example)
    username: str
    #: Address of the profile; username takes precedence
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of username
    handle: str
    #: Alias of username
    user: str


class MicroblogPostsInput(TypedDict, total=False):
    #: A name (harrow), a name with its domain (harrow.example), or a name at a server (harrow@mills.example)
    username: str
    #: Address of the profile; username takes precedence
    url: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of username
    handle: str
    #: Alias of username
    user: str
    #: Alias of limit
    per_page: int


class MicroblogPostInput(TypedDict, total=False):
    #: A number, an at:// URI, or the address of the post; takes precedence over url
    id: str
    #: Address of the post
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class MicroblogSearchInput(TypedDict, total=False):
    #: Words to search for; on mastodon a single hashtag
    search: str
    #: Network to search; x shows results only after login, so it often fails with target_blocked
    network: Literal["bluesky", "mastodon", "x"]
    #: The order of the results; mastodon always returns the latest first
    sort: Literal["top", "latest"]
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    q: str
    #: Alias of search
    query: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str
    #: Alias of limit
    per_page: int


class MusiccatalogAlbumInput(TypedDict, total=False):
    #: The number or the address; takes precedence over url
    id: str
    #: Address of the page
    url: str
    #: Storefront, ISO 3166-1 code; by default that of the address, or US
    country: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of country
    geo: str


class MusiccatalogArtistInput(TypedDict, total=False):
    #: The number or the address; takes precedence over url
    id: str
    #: Address of the page
    url: str
    #: Storefront, ISO 3166-1 code; by default that of the address, or US
    country: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of country
    geo: str


class MusiccatalogSearchInput(TypedDict, total=False):
    #: Words to search for
    search: str
    #: Types of results; with several types, each page lists its results type by type
    type: Sequence[Literal["song", "album", "artist", "playlist"]]
    #: Storefront, ISO 3166-1
    country: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    q: str
    #: Alias of search
    query: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str
    #: Alias of country
    geo: str
    #: Alias of limit
    per_page: int


class MusiccatalogTrackInput(TypedDict, total=False):
    #: The number or the address; takes precedence over url
    id: str
    #: Address of the page
    url: str
    #: Storefront, ISO 3166-1 code; by default that of the address, or US
    country: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of country
    geo: str


class MusicstreamAlbumInput(TypedDict, total=False):
    #: Id of 22 letters and digits, a URI or an address; takes precedence over url
    id: str
    #: Address of the page
    url: str
    #: Language of names and texts, BCP 47
    language: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of language
    locale: str


class MusicstreamArtistInput(TypedDict, total=False):
    #: Id of 22 letters and digits, a URI or an address; takes precedence over url
    id: str
    #: Address of the page
    url: str
    #: Language of names and texts, BCP 47
    language: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of language
    locale: str


class MusicstreamPlaylistInput(TypedDict, total=False):
    #: Id of 22 letters and digits, a URI or an address; takes precedence over url
    id: str
    #: Address of the page
    url: str
    #: Language of names and texts, BCP 47
    language: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of language
    locale: str
    #: Alias of limit
    per_page: int


class MusicstreamPodcastInput(TypedDict, total=False):
    #: Id of 22 letters and digits, a URI or an address; takes precedence over url
    id: str
    #: Address of the page
    url: str
    #: Language of names and texts, BCP 47
    language: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of language
    locale: str
    #: Alias of limit
    per_page: int


class MusicstreamSearchInput(TypedDict, total=False):
    #: Words to search for
    search: str
    #: Types of results; each has its own list
    type: Sequence[Literal["track", "artist", "album", "playlist", "podcast", "episode"]]
    #: Language of names and texts, BCP 47
    language: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    q: str
    #: Alias of search
    query: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str
    #: Alias of language
    locale: str
    #: Alias of limit
    per_page: int


class MusicstreamTrackInput(TypedDict, total=False):
    #: Id of 22 letters and digits, a URI or an address; takes precedence over url
    id: str
    #: Address of the page
    url: str
    #: Language of names and texts, BCP 47
    language: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of language
    locale: str


class PinboardProfileInput(TypedDict, total=False):
    #: The name in the address of the account, with or without @
    username: str
    #: Address of the account
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class PinboardPinsInput(TypedDict, total=False):
    #: The name in the address of the account, with or without @
    username: str
    #: Address of the account
    url: str
    #: Pins that the account created, or all pins on its boards
    type: Literal["created", "saved"]
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of limit
    per_page: int


class PinboardPinInput(TypedDict, total=False):
    #: Address of the pin, short or full
    url: str
    #: Number of the pin
    id: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class PinboardSearchInput(TypedDict, total=False):
    #: Words to search for
    search: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    q: str
    #: Alias of search
    query: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str
    #: Alias of limit
    per_page: int


class RetailSearchInput(TypedDict, total=False):
    #: Words to search for at the first chain
    search: str
    #: Address of a category of the furniture chain, instead of search
    url: str
    #: Number of the result page
    page: int
    #: The order of the products
    sort: Literal["relevance", "featured", "price_asc", "price_desc", "rating", "bestselling", "newest"]
    #: The number of a store, as returned by /stores
    store_id: str
    #: ZIP code of the buyer
    zip: str
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    q: str
    #: Alias of search
    query: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str


class RetailProductInput(TypedDict, total=False):
    #: The number of a product of the first chain, or an address; takes precedence over url
    id: str
    #: Address of a product of any of the chains
    url: str
    #: The number of a store, as returned by /stores
    store_id: str
    #: ZIP code of the buyer
    zip: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class RetailStoresInput(TypedDict, total=False):
    #: City, region or address to search around
    query: str
    #: ZIP code of the buyer
    zip: str
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class RetailAvailabilityInput(TypedDict, total=False):
    #: The number of the product, or its address
    id: Required[str]
    #: The number of a store, as returned by /stores
    store_id: str
    #: ZIP code of the buyer
    zip: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class ShopAProductInput(TypedDict, total=False):
    #: Product code of ten characters; takes precedence over url
    asin: str
    #: Address of the product
    url: str
    #: Marketplace; by default that of url, or com
    domain: Literal["com", "co.uk", "de", "fr", "it", "es", "co.jp", "ca", "com.au", "in", "com.mx", "com.br", "nl", "se", "pl", "com.tr", "ae", "sa", "sg", "eg", "com.be"]
    #: Language of the page, if the marketplace supports it
    language: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of asin
    id: str
    #: Alias of asin
    product_code: str


class ShopAPricingInput(TypedDict, total=False):
    #: Product code of ten characters; takes precedence over url
    asin: str
    #: Address of the product
    url: str
    #: Marketplace; by default that of url, or com
    domain: Literal["com", "co.uk", "de", "fr", "it", "es", "co.jp", "ca", "com.au", "in", "com.mx", "com.br", "nl", "se", "pl", "com.tr", "ae", "sa", "sg", "eg", "com.be"]
    #: Language of the page, if the marketplace supports it
    language: str
    #: Only offers in that state
    condition: Literal["any", "new", "used"]
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of asin
    id: str
    #: Alias of asin
    product_code: str


class ShopASearchInput(TypedDict, total=False):
    #: Words to search for
    search: str
    #: Marketplace
    domain: Literal["com", "co.uk", "de", "fr", "it", "es", "co.jp", "ca", "com.au", "in", "com.mx", "com.br", "nl", "se", "pl", "com.tr", "ae", "sa", "sg", "eg", "com.be"]
    #: Number of the result page; cursor takes precedence
    page: int
    #: The order of the results
    sort: Literal["relevance", "price_asc", "price_desc", "rating", "newest", "bestselling"]
    #: At least, in the shop's currency
    min_price: float
    #: At most, in the shop's currency
    max_price: float
    #: Department, as in the site's addresses
    category: str
    #: Language of the page, if the marketplace supports it
    language: str
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    query: str
    #: Alias of search
    q: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str


class ShopWProductInput(TypedDict, total=False):
    #: The number of the product; takes precedence over url
    id: str
    #: Address of the product
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class ShortvideoProfileInput(TypedDict, total=False):
    #: With or without @; takes precedence over url
    username: str
    #: Address of the profile
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of username
    handle: str
    #: Alias of username
    user: str


class ShortvideoVideosInput(TypedDict, total=False):
    #: With or without @; takes precedence over url
    username: str
    #: Address of the profile
    url: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of username
    handle: str
    #: Alias of username
    user: str
    #: Alias of limit
    per_page: int


class ShortvideoVideoInput(TypedDict, total=False):
    #: The number of the video, or its address; takes precedence over url
    id: str
    #: Address of the video
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class ShortvideoCommentsInput(TypedDict, total=False):
    #: The number of the video, or its address; takes precedence over url
    id: str
    #: Address of the video
    url: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of limit
    per_page: int


class ShortvideoSearchInput(TypedDict, total=False):
    #: Words to search for
    search: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    q: str
    #: Alias of search
    query: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str
    #: Alias of limit
    per_page: int


class ShortvideoHashtagInput(TypedDict, total=False):
    #: With or without #; takes precedence over url
    hashtag: str
    #: Address of the hashtag
    url: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of hashtag
    name: str
    #: Alias of hashtag
    tag: str
    #: Alias of limit
    per_page: int


class SocialnetEventInput(TypedDict, total=False):
    #: Number of the event; takes precedence over url
    id: str
    #: Address of the event
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class SocialnetEventsSearchInput(TypedDict, total=False):
    #: Words to search for
    search: str
    #: A place to search for together with the words
    location: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    query: str
    #: Alias of search
    q: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str
    #: Alias of limit
    per_page: int


class SocialnetMarketplaceItemInput(TypedDict, total=False):
    #: Number of the listing; takes precedence over url
    id: str
    #: Address of the listing
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class SocialnetMarketplaceSearchInput(TypedDict, total=False):
    #: Words to search for
    search: str
    #: Short name or number of a place on the site, such as houston; by default the site chooses one by the IP address
    location: str
    #: Latitude of the place; requires longitude
    latitude: float
    #: Longitude of the place; requires latitude
    longitude: float
    #: Radius around the place
    radius_km: int
    #: In whole units of the currency of the place
    min_price: float
    #: In whole units of the currency of the place
    max_price: float
    #: Only listings in one of these states
    condition: Sequence[Literal["new", "used_like_new", "used_good", "used_fair"]]
    #: Listed within that many days
    days_listed: Literal[1, 7, 30]
    #: Local pickup, shipping or both
    delivery: Literal["local", "shipping", "all"]
    #: The order of the listings
    sort: Literal["best", "newest", "price_asc", "price_desc", "distance"]
    #: Only listings with exactly these words
    exact: bool
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    query: str
    #: Alias of search
    q: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str
    #: Alias of limit
    per_page: int


class SocialnetPageInput(TypedDict, total=False):
    #: Number of the page; takes precedence over the other parameters
    id: str
    #: The last segment of its address, with or without @; takes precedence over url
    username: str
    #: Address of the page
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of username
    handle: str
    #: Alias of username
    page: str


class SocialnetPostsInput(TypedDict, total=False):
    #: Number of the page; takes precedence over the other parameters
    id: str
    #: The last segment of its address, with or without @; takes precedence over url
    username: str
    #: Address of the page
    url: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of username
    handle: str
    #: Alias of username
    page: str
    #: Alias of limit
    per_page: int


class SocialnetPhotosInput(TypedDict, total=False):
    #: Number of the page; takes precedence over the other parameters
    id: str
    #: The last segment of its address, with or without @; takes precedence over url
    username: str
    #: Address of the page
    url: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of username
    handle: str
    #: Alias of username
    page: str
    #: Alias of limit
    per_page: int


class SocialnetReelsInput(TypedDict, total=False):
    #: Number of the page; takes precedence over the other parameters
    id: str
    #: The last segment of its address, with or without @; takes precedence over url
    username: str
    #: Address of the page
    url: str
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of username
    handle: str
    #: Alias of username
    page: str
    #: Alias of limit
    per_page: int


class SocialnetPostInput(TypedDict, total=False):
    #: Address of the post
    url: Required[str]
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class SocialnetGroupInput(TypedDict, total=False):
    #: Number of the group, or the name in its address; takes precedence over url
    id: str
    #: Address of the group
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class SocialnetGroupPostsInput(TypedDict, total=False):
    #: Number of the group, or the name in its address; takes precedence over url
    id: str
    #: Address of the group
    url: str
    #: By time, or by the site's own ranking
    sort: Literal["recent", "top"]
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of limit
    per_page: int


class SocialnetAdLibraryAdInput(TypedDict, total=False):
    #: Number of the ad in the library; takes precedence over url
    id: str
    #: Address of the ad in the library
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of id
    ad_archive_id: str
    #: Alias of id
    archive_id: str


class SocialnetAdLibrarySearchAdsInput(TypedDict, total=False):
    #: Words to search for
    search: str
    #: Whether the words may be in any order, or must match as a phrase
    search_type: Literal["keyword_unordered", "keyword_exact_phrase"]
    #: Whether the ads are still shown
    active_status: Literal["active", "inactive", "all"]
    #: ISO 3166-1 code of the country where the ads are shown, or ALL
    country: str
    #: Only ads of this kind
    ad_type: Literal["all", "political_and_issue_ads"]
    #: Only ads with this kind of media
    media_type: Literal["all", "image", "video", "meme", "none"]
    #: Only ads on one of these platforms
    platforms: Sequence[Literal["facebook", "instagram", "messenger", "audience_network", "whatsapp", "threads"]]
    #: ISO 639 codes of the language of the text
    languages: Sequence[str]
    #: First shown on this day or later
    start_date_min: str
    #: First shown on this day or earlier
    start_date_max: str
    #: The order of the ads
    sort: Literal["total_impressions", "relevancy_monthly_grouped"]
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    query: str
    #: Alias of search
    q: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str
    #: Alias of limit
    per_page: int


class SocialnetAdLibraryCompanyAdsInput(TypedDict, total=False):
    #: Number of the advertiser's page; takes precedence over url
    page_id: str
    #: Address of the advertiser's page
    url: str
    #: Whether the ads are still shown
    active_status: Literal["active", "inactive", "all"]
    #: ISO 3166-1 code of the country where the ads are shown, or ALL
    country: str
    #: Only ads of this kind
    ad_type: Literal["all", "political_and_issue_ads"]
    #: Only ads with this kind of media
    media_type: Literal["all", "image", "video", "meme", "none"]
    #: Only ads on one of these platforms
    platforms: Sequence[Literal["facebook", "instagram", "messenger", "audience_network", "whatsapp", "threads"]]
    #: ISO 639 codes of the language of the text
    languages: Sequence[str]
    #: First shown on this day or later
    start_date_min: str
    #: First shown on this day or earlier
    start_date_max: str
    #: The order of the ads
    sort: Literal["total_impressions", "relevancy_monthly_grouped"]
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of page_id
    id: str
    #: Alias of limit
    per_page: int


class TechnewsFrontInput(TypedDict, total=False):
    #: List of the forum
    list: Literal["top", "new", "best", "ask", "show", "job"]
    #: Number of the page, with 30 stories each; cursor takes precedence
    page: int
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of limit
    per_page: int


class TechnewsItemInput(TypedDict, total=False):
    #: The number of a story, comment, job or poll
    id: str
    #: Address of the item
    url: str
    #: Maximum depth of replies; 0 for no comments
    depth: int
    #: Maximum number of comments
    comment_limit: int
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class TechnewsUserInput(TypedDict, total=False):
    #: The user name, which is case-sensitive
    username: str
    #: Address of the profile
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of username
    id: str
    #: Alias of username
    login: str


class TechnewsSearchInput(TypedDict, total=False):
    #: Words to search for
    search: str
    #: The order of the results
    sort: Literal["relevance", "date"]
    #: Type of results; by default all
    tags: Literal["story", "comment", "poll", "job", "ask_hn", "show_hn", "front_page"]
    #: User name of the author
    author: str
    #: Number of the page, by limit; cursor takes precedence
    page: int
    #: Most elements to return
    limit: int
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    q: str
    #: Alias of search
    query: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str
    #: Alias of limit
    per_page: int


class VehiclesSearchInput(TypedDict, total=False):
    #: Make, such as volkswagen or mercedes-benz
    make: str
    #: Model, such as golf; requires make
    model: str
    #: Words of the version, such as gti; requires make
    search: str
    #: Country of the offer; by default all
    country: Literal["DE", "AT", "BE", "ES", "FR", "IT", "LU", "NL"]
    #: Postal code of the place to search around
    zip: str
    #: Kilometres around zip
    radius: int
    #: Minimum price
    price_min: int
    #: Maximum price
    price_max: int
    #: Earliest year of registration
    year_min: int
    #: Latest year of registration
    year_max: int
    #: Maximum mileage in kilometres
    mileage_max: int
    #: Fuel
    fuel: Literal["gasoline", "diesel", "electric", "hybrid", "diesel_hybrid", "lpg", "cng", "hydrogen", "ethanol", "other"]
    #: Transmission
    transmission: Literal["automatic", "manual", "semi_automatic"]
    #: Condition
    condition: Literal["new", "used"]
    #: The order of the offers
    sort: Literal["standard", "price_asc", "price_desc", "mileage_asc", "mileage_desc", "year_asc", "year_desc", "newest"]
    #: Number of the result page
    page: int
    #: Address of a result page, instead of all other parameters but page
    url: str
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    q: str
    #: Alias of search
    query: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str
    #: Alias of country
    geo: Literal["DE", "AT", "BE", "ES", "FR", "IT", "LU", "NL"]


class VehiclesVehicleInput(TypedDict, total=False):
    #: The id of the offer, or its address; takes precedence over url
    id: str
    #: Address of the offer
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class VideoVideosInput(TypedDict, total=False):
    #: Id of eleven characters, or the address of the video
    video_id: Required[str]
    #: Country of the viewer, ISO 3166-1 code
    country: str
    #: Language of texts, BCP 47
    language: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of country
    geo: str
    #: Alias of language
    locale: str


VideoSearchInput: TypeAlias = "Mapping[str, Any]"


class VideoSubtitlesInput(TypedDict, total=False):
    #: Id of eleven characters, or the address of the video
    video_id: str
    #: Language of the subtitles, BCP 47; otherwise the first of the uploader, else those made by the site
    language: str
    #: Origin of the subtitles; any prefers those of the uploader
    origin: Literal["uploader_provided", "auto_generated", "any"]
    #: Language to translate them to, by the site
    translate_to: str
    #: Format in addition to the plain text: segments with their times, none, or a subtitle file
    format: Literal["segments", "text", "srt", "vtt"]
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of video_id
    id: str
    #: Alias of video_id
    url: str
    #: Alias of language
    language_code: str
    #: Alias of language
    lang: str
    #: Alias of origin
    subtitle_origin: Literal["uploader_provided", "auto_generated", "any"]


class VideoAltSearchInput(TypedDict, total=False):
    #: Words to search for
    search: str
    #: Type of results; others are removed from each page
    type: Literal["video", "short", "all"]
    #: The order of the videos
    sort: Literal["relevance", "newest", "views"]
    #: Maximum age
    date: Literal["today", "week", "month", "year"]
    #: Only videos of this length
    duration: Literal["short", "long"]
    #: Only videos that can be licensed immediately
    license: Literal["now"]
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    q: str
    #: Alias of search
    query: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str
    #: Alias of sort
    sort_by: Literal["relevance", "newest", "views"]


class VideoAltChannelVideosInput(TypedDict, total=False):
    #: Name in the address, also as @name, c/name or user/name; takes precedence over url
    channel: str
    #: Address of the channel
    url: str
    #: List of the channel
    type: Literal["video", "short", "livestream", "all"]
    #: next_cursor of the previous response, with the same parameters
    cursor: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class VideoAltVideoInput(TypedDict, total=False):
    #: Address of a video, a short or an embedded player, or the id of a video
    url: str
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of url
    id: str


class LaunchesLeaderboardCrawlInput(TypedDict, total=False):
    #: Period of the leaderboard
    period: Literal["daily", "weekly", "monthly", "yearly"]
    #: Any day of the period, in Pacific time; by default today
    date: str
    #: Year, instead of date; with month and day, week, or month
    year: int
    #: Month; requires year
    month: int
    #: ISO week; requires year
    week: int
    #: Day; requires year and month
    day: int
    #: Only launches of this topic
    topic: str
    #: Only launches that the site features
    featured: bool
    #: Most elements to return
    max_results: int
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int


class ShopASearchCrawlInput(TypedDict, total=False):
    #: Words to search for
    search: str
    #: Marketplace
    domain: Literal["com", "co.uk", "de", "fr", "it", "es", "co.jp", "ca", "com.au", "in", "com.mx", "com.br", "nl", "se", "pl", "com.tr", "ae", "sa", "sg", "eg", "com.be"]
    #: Number of the result page; cursor takes precedence
    page: int
    #: The order of the results
    sort: Literal["relevance", "price_asc", "price_desc", "rating", "newest", "bestselling"]
    #: At least, in the shop's currency
    min_price: float
    #: At most, in the shop's currency
    max_price: float
    #: Department, as in the site's addresses
    category: str
    #: Language of the page, if the marketplace supports it
    language: str
    #: Most pages of the site to read
    max_pages: int
    #: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
    timeout_ms: int
    #: Maximum age of cached pages in ms; 0 always fetches
    max_age_ms: int
    #: Alias of search
    query: str
    #: Alias of search
    q: str
    #: Alias of search
    keyword: str
    #: Alias of search
    keywords: str


VideoSearchCrawlInput: TypeAlias = "Mapping[str, Any]"


class HotelsRatesInput(TypedDict, total=False):
    channels: Required[Sequence[Mapping[str, Any]]]
    #: Day of arrival, in the time zone of the property
    check_in: Required[str]
    #: Day of departure, 1 to 30 nights later
    check_out: Required[str]
    #: Number of adults
    adults: int
    #: The age of each child, or the number of children if their ages are unknown
    children: Union[Sequence[int], int]
    #: Number of rooms, at most one per adult
    rooms: int
    #: ISO 4217 code; by default the currency of the property
    currency: str


MonitorWebhookInput: TypeAlias = "Union[str, Mapping[str, Any]]"


#: The body of a webhook's delivery; `type` tells which.
WebhookEvent = Union[JobCompletedEvent, JobFailedEvent, CrawlStartedEvent, CrawlPageEvent, MonitorChangeDetectedEvent, MonitorRateParityAlertEvent, MonitorDigestEvent, MonitorFailingEvent, MonitorRecoveredEvent, MonitorStoppedEvent, WebhookTestEvent]

WEBHOOK_EVENTS: Dict[str, Any] = {
    "job.completed": JobCompletedEvent,
    "job.failed": JobFailedEvent,
    "crawl.started": CrawlStartedEvent,
    "crawl.page": CrawlPageEvent,
    "monitor.change_detected": MonitorChangeDetectedEvent,
    "monitor.rate_parity_alert": MonitorRateParityAlertEvent,
    "monitor.digest": MonitorDigestEvent,
    "monitor.failing": MonitorFailingEvent,
    "monitor.recovered": MonitorRecoveredEvent,
    "monitor.stopped": MonitorStoppedEvent,
    "webhook.test": WebhookTestEvent,
}
