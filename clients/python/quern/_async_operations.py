# Generated from the OpenAPI document by tools/generate-clients.ts; changes here are lost.
"""A method for each operation of the API."""

from __future__ import annotations

from typing import Any, AsyncIterator, List, Literal, Mapping, Optional, Sequence, Union, overload

from . import _routes as routes
from ._async_caller import AsyncCaller, AsyncFileBody, AsyncJobRun, AsyncRecordList
from ._calls import CallOptions, JobEvent, OnProgress, given
from ._types import (
    Action,
    AnsweredAccountUsage,
    AnsweredCapabilities,
    AnsweredChange,
    AnsweredCrawlTree,
    AnsweredCreateKeyResult,
    AnsweredCreateTenantResult,
    AnsweredDelivery,
    AnsweredDeliveryDetails,
    AnsweredGetInstanceResult,
    AnsweredGetJobResultResult,
    AnsweredGetQueueResult,
    AnsweredGetRequestResult,
    AnsweredGetTenantResult,
    AnsweredGetUpkeepResult,
    AnsweredHotelChange,
    AnsweredJob,
    AnsweredJobsPageResult,
    AnsweredListPlansResult,
    AnsweredListSettingsResult,
    AnsweredListSiteHealthResult,
    AnsweredMonitor,
    AnsweredMonitorSeries,
    AnsweredPreviewScheduleResult,
    AnsweredRedeliverAllResult,
    AnsweredRefundTenantResult,
    AnsweredRotateKeyResult,
    AnsweredRotateWebhookSecretResult,
    AnsweredRun,
    AnsweredRunUpkeepResult,
    AnsweredSession,
    AnsweredSessionContents,
    AnsweredTopUpTenantResult,
    AnsweredTriggerHotelAMonitorResult,
    AnsweredTriggerHotelBMonitorResult,
    AnsweredTriggerLaunchMonitorResult,
    AnsweredTriggerMonitorResult,
    AnsweredUpdateTenantResult,
    AnswerenginePromptInput,
    AppstoreAppInput,
    AppstoreDeveloperInput,
    AppstoreReviewsInput,
    AppstoreSearchInput,
    AssistantPromptInput,
    AttributeQuery,
    BatchPage,
    BatchResult,
    Capabilities,
    Change,
    ChangesInput,
    ChatassistantPromptInput,
    ChunkingInput,
    CodehostRepoInput,
    CodehostReposInput,
    CodehostUserInput,
    CrawlInput,
    CrawlPageRow,
    CrawledPage,
    Delivery,
    ExplainPageInput,
    Extract,
    FastSearchInput,
    FetchBatchInput,
    FetchInput,
    ForumPostInput,
    ForumSubredditInput,
    ForumUserInput,
    HomestayListingInput,
    HomestayReviewsInput,
    HomestaySearchInput,
    HotelARateInput,
    HotelBRateInput,
    HotelChange,
    HotelsRatesInput,
    InteractInput,
    Job,
    JobWebhookInput,
    JobsBJobInput,
    JobsBJobsInput,
    JobsDJobInput,
    JobsDJobsInput,
    JobsSJobInput,
    JobsSJobsInput,
    LaunchesLeaderboardCrawlInput,
    LaunchesLeaderboardCrawlItem,
    LaunchesLeaderboardInput,
    LaunchesMakerInput,
    LaunchesProductInput,
    ListAllKeysItem,
    ListKeysItem,
    ListTenantUsageItem,
    ListTenantsItem,
    ListedWebhook,
    LoggedRequest,
    MapInput,
    MappedUrl,
    Metadata,
    MeteredAnswerenginePromptResult,
    MeteredAppstoreAppResult,
    MeteredAppstoreDeveloperResult,
    MeteredAppstoreReviewsResult,
    MeteredAppstoreSearchResult,
    MeteredAssistantPromptResult,
    MeteredChatassistantPromptResult,
    MeteredCodehostRepoResult,
    MeteredCodehostReposResult,
    MeteredCodehostUserResult,
    MeteredCrawlResult,
    MeteredExplainedPage,
    MeteredFastSearch,
    MeteredFetchBatchResult,
    MeteredForumPostResult,
    MeteredForumSubredditResult,
    MeteredForumUserResult,
    MeteredHomestayListingResult,
    MeteredHomestayReviewsResult,
    MeteredHomestaySearchResult,
    MeteredInteractResult,
    MeteredJobsBJobResult,
    MeteredJobsBJobsResult,
    MeteredJobsDJobResult,
    MeteredJobsDJobsResult,
    MeteredJobsSJobResult,
    MeteredJobsSJobsResult,
    MeteredLaunchesLeaderboardCrawlResult,
    MeteredLaunchesLeaderboardResult,
    MeteredLaunchesMakerResult,
    MeteredLaunchesProductResult,
    MeteredMapResult,
    MeteredMicroblogPostResult,
    MeteredMicroblogPostsResult,
    MeteredMicroblogProfileResult,
    MeteredMicroblogSearchResult,
    MeteredMusiccatalogAlbumResult,
    MeteredMusiccatalogArtistResult,
    MeteredMusiccatalogSearchResult,
    MeteredMusiccatalogTrackResult,
    MeteredMusicstreamAlbumResult,
    MeteredMusicstreamArtistResult,
    MeteredMusicstreamPlaylistResult,
    MeteredMusicstreamPodcastResult,
    MeteredMusicstreamSearchResult,
    MeteredMusicstreamTrackResult,
    MeteredPage,
    MeteredPinboardPinResult,
    MeteredPinboardPinsResult,
    MeteredPinboardProfileResult,
    MeteredPinboardSearchResult,
    MeteredRetailAvailabilityResult,
    MeteredRetailProductResult,
    MeteredRetailSearchResult,
    MeteredRetailStoresResult,
    MeteredSerpSearchResult,
    MeteredShopAPricingResult,
    MeteredShopAProductResult,
    MeteredShopASearchCrawlResult,
    MeteredShopASearchResult,
    MeteredShopWProductResult,
    MeteredShortvideoCommentsResult,
    MeteredShortvideoHashtagResult,
    MeteredShortvideoProfileResult,
    MeteredShortvideoSearchResult,
    MeteredShortvideoVideoResult,
    MeteredShortvideoVideosResult,
    MeteredSocialnetAdLibraryAdResult,
    MeteredSocialnetAdLibraryCompanyAdsResult,
    MeteredSocialnetAdLibrarySearchAdsResult,
    MeteredSocialnetEventsSearchResult,
    MeteredSocialnetGroupPostsResult,
    MeteredSocialnetGroupResult,
    MeteredSocialnetMarketplaceItemResult,
    MeteredSocialnetMarketplaceSearchResult,
    MeteredSocialnetPageResult,
    MeteredSocialnetPhotosResult,
    MeteredSocialnetPostResult,
    MeteredSocialnetPostsResult,
    MeteredSocialnetReelsResult,
    MeteredTechnewsFrontResult,
    MeteredTechnewsItemResult,
    MeteredTechnewsSearchResult,
    MeteredTechnewsUserResult,
    MeteredVehiclesSearchResult,
    MeteredVehiclesVehicleResult,
    MeteredVideoAltChannelVideosResult,
    MeteredVideoAltSearchResult,
    MeteredVideoAltVideoResult,
    MeteredVideoSearchCrawlResult,
    MeteredVideoSearchResult,
    MeteredVideoSubtitlesResult,
    MeteredVideoVideosResult,
    MeteredWebsearchSearchResult,
    MicroblogPostInput,
    MicroblogPostsInput,
    MicroblogProfileInput,
    MicroblogSearchInput,
    Monitor,
    MonitorWebhookInput,
    MusiccatalogAlbumInput,
    MusiccatalogArtistInput,
    MusiccatalogSearchInput,
    MusiccatalogTrackInput,
    MusicstreamAlbumInput,
    MusicstreamArtistInput,
    MusicstreamPlaylistInput,
    MusicstreamPodcastInput,
    MusicstreamSearchInput,
    MusicstreamTrackInput,
    OwnKey,
    Page,
    PassagesInput,
    PinboardPinInput,
    PinboardPinsInput,
    PinboardProfileInput,
    PinboardSearchInput,
    RequestCookie,
    RetailAvailabilityInput,
    RetailProductInput,
    RetailSearchInput,
    RetailStoresInput,
    Run,
    ScreenshotInput,
    SerpSearchInput,
    Session,
    ShopAPricingInput,
    ShopAProductInput,
    ShopASearchCrawlInput,
    ShopASearchCrawlItem,
    ShopASearchInput,
    ShopWProductInput,
    ShortvideoCommentsInput,
    ShortvideoHashtagInput,
    ShortvideoProfileInput,
    ShortvideoSearchInput,
    ShortvideoVideoInput,
    ShortvideoVideosInput,
    SocialnetAdLibraryAdInput,
    SocialnetAdLibraryCompanyAdsInput,
    SocialnetAdLibrarySearchAdsInput,
    SocialnetEventInput,
    SocialnetEventResult,
    SocialnetEventsSearchInput,
    SocialnetGroupInput,
    SocialnetGroupPostsInput,
    SocialnetMarketplaceItemInput,
    SocialnetMarketplaceSearchInput,
    SocialnetPageInput,
    SocialnetPhotosInput,
    SocialnetPostInput,
    SocialnetPostsInput,
    SocialnetReelsInput,
    TechnewsFrontInput,
    TechnewsItemInput,
    TechnewsSearchInput,
    TechnewsUserInput,
    UsageRow,
    VehiclesSearchInput,
    VehiclesVehicleInput,
    VideoAltChannelVideosInput,
    VideoAltSearchInput,
    VideoAltVideoInput,
    VideoSearchCrawlInput,
    VideoSearchCrawlItem,
    VideoSearchInput,
    VideoSubtitlesInput,
    VideoVideosInput,
    WebsearchSearchInput,
)

DEFAULT = CallOptions()


class AsyncOperations:
    """A method for each operation of the API; None leaves a member out, and NULL sends null."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def fetch(
        self,
        url: str,
        *,
        output: Optional[Sequence[Literal["markdown", "text", "html", "raw_html", "links", "images", "metadata", "tables", "structured_data", "attributes", "chunks", "json", "screenshot", "pdf", "summary", "passages", "changes"]]] = None,
        screenshot: Optional[ScreenshotInput] = None,
        proxy: Optional[Literal["basic", "auto", "stealth"]] = None,
        use_proxy: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        method: Optional[Literal["GET", "POST", "PUT", "PATCH", "DELETE"]] = None,
        body: Optional[Mapping[str, Any]] = None,
        changes: Optional[ChangesInput] = None,
        passages: Optional[PassagesInput] = None,
        only_main_content: Optional[bool] = None,
        include_selectors: Optional[Sequence[str]] = None,
        exclude_selectors: Optional[Sequence[str]] = None,
        extract: Optional[Extract] = None,
        attributes: Optional[Sequence[AttributeQuery]] = None,
        chunking: Optional[ChunkingInput] = None,
        frames: Optional[bool] = None,
        headers: Optional[Mapping[str, str]] = None,
        cookies: Optional[Sequence[RequestCookie]] = None,
        wait_for_selector: Optional[str] = None,
        wait_ms: Optional[int] = None,
        scroll: Optional[bool] = None,
        block: Optional[Sequence[Literal["ads", "images", "fonts", "media"]]] = None,
        device: Optional[Literal["desktop", "mobile"]] = None,
        country: Optional[str] = None,
        locale: Optional[str] = None,
        max_chars: Optional[int] = None,
        offset_chars: Optional[int] = None,
        insecure_tls: Optional[bool] = None,
        session: Optional[str] = None,
        max_age_ms: Optional[int] = None,
        respect_robots: Optional[bool] = None,
        max_credits: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredPage:
        """Retrieve one URL in the requested formats.

        url: The http or https page to retrieve
        output: Formats to return; screenshot and pdf need a browser and are stored as files, summary needs a language model, passages quotes what matches a query, changes compares the page with its last copy
        proxy: How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly
        use_proxy: true means proxy stealth
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        method: Request method; any but GET is sent without a browser, and at most once unless headers has Idempotency-Key
        body: Request body, one of json, form and text, up to 1 MiB; not with method GET
        only_main_content: Remove navigation, footers and similar parts from text formats
        include_selectors: CSS selectors of the parts to keep; default everything
        exclude_selectors: CSS selectors of parts to remove
        extract: Fields to extract for output json
        attributes: Attributes of elements to read for output attributes
        chunking: How the page is cut for output chunks
        frames: Include the documents of frames, srcdoc and embedded PDFs in the page
        headers: Request headers; dropped on a redirect to another origin
        cookies: Request cookies; dropped on a redirect to another origin
        wait_for_selector: Wait in a browser until this CSS selector matches
        wait_ms: Time to wait in a browser before the page is captured, within timeout_ms
        scroll: Scroll to the end of the page in a browser, to load lazy content
        block: Requests that a page in a browser cannot make; ads are a list of third-party domains
        device: Device to emulate
        country: Request the page from this country (ISO 3166, two letters) through a proxy
        locale: Language and region to request (BCP 47), such as de-AT
        max_chars: Most characters of each text format, cut at block boundaries
        offset_chars: Where to continue a long page: next_offset of the previous response
        insecure_tls: Accept any certificate of the target; the operator must allow it with QUERN_ALLOW_INSECURE_TLS
        session: Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use
        max_age_ms: Maximum age of a cached page in ms; 0 always fetches
        respect_robots: Obey robots.txt: a disallowed URL or redirect target fails with target_blocked
        max_credits: Most credits that this call may cost
        """
        return await self._caller.work(routes.FETCH, {"url": url, "output": output, "screenshot": screenshot, "proxy": proxy, "use_proxy": use_proxy, "timeout_ms": timeout_ms, "method": method, "body": body, "changes": changes, "passages": passages, "only_main_content": only_main_content, "include_selectors": include_selectors, "exclude_selectors": exclude_selectors, "extract": extract, "attributes": attributes, "chunking": chunking, "frames": frames, "headers": headers, "cookies": cookies, "wait_for_selector": wait_for_selector, "wait_ms": wait_ms, "scroll": scroll, "block": block, "device": device, "country": country, "locale": locale, "max_chars": max_chars, "offset_chars": offset_chars, "insecure_tls": insecure_tls, "session": session, "max_age_ms": max_age_ms, "respect_robots": respect_robots, "max_credits": max_credits}, MeteredPage, options)

    def fetch_batch(
        self,
        urls: Sequence[Union[str, BatchPage]],
        *,
        ignore_invalid_urls: Optional[bool] = None,
        output: Optional[Sequence[Literal["markdown", "text", "html", "raw_html", "links", "images", "metadata", "tables", "structured_data", "attributes", "chunks", "json", "screenshot", "summary", "passages", "changes"]]] = None,
        screenshot: Optional[ScreenshotInput] = None,
        proxy: Optional[Literal["basic", "auto", "stealth"]] = None,
        use_proxy: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        only_main_content: Optional[bool] = None,
        include_selectors: Optional[Sequence[str]] = None,
        exclude_selectors: Optional[Sequence[str]] = None,
        extract: Optional[Extract] = None,
        attributes: Optional[Sequence[AttributeQuery]] = None,
        chunking: Optional[ChunkingInput] = None,
        frames: Optional[bool] = None,
        headers: Optional[Mapping[str, str]] = None,
        cookies: Optional[Sequence[RequestCookie]] = None,
        wait_for_selector: Optional[str] = None,
        wait_ms: Optional[int] = None,
        scroll: Optional[bool] = None,
        block: Optional[Sequence[Literal["ads", "images", "fonts", "media"]]] = None,
        device: Optional[Literal["desktop", "mobile"]] = None,
        country: Optional[str] = None,
        locale: Optional[str] = None,
        max_chars: Optional[int] = None,
        offset_chars: Optional[int] = None,
        changes: Optional[ChangesInput] = None,
        passages: Optional[PassagesInput] = None,
        insecure_tls: Optional[bool] = None,
        session: Optional[str] = None,
        respect_robots: Optional[bool] = None,
        delay_ms: Optional[int] = None,
        max_concurrency: Optional[int] = None,
        max_credits: Optional[int] = None,
        on_progress: Optional[OnProgress] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncJobRun[MeteredFetchBatchResult, BatchResult]:
        """Retrieve up to 10,000 URLs as one job.

        urls: The http or https pages to fetch: URLs, or objects with url and options; equal ones are fetched once
        ignore_invalid_urls: Skip invalid URLs and list them in invalid_urls; otherwise they are refused
        output: Formats to return; screenshot needs a browser and is stored as a file, summary needs a model, passages quotes what matches a query, changes compares each page with its last copy
        proxy: How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly
        use_proxy: true means proxy stealth
        timeout_ms: Total time limit in ms; above the plan's inline limit the call runs as a job
        only_main_content: Remove navigation, footers and similar parts from text formats
        include_selectors: CSS selectors of the parts to keep; default everything
        exclude_selectors: CSS selectors of parts to remove
        extract: Fields to extract for output json
        attributes: Attributes of elements to read for output attributes
        chunking: How the page is cut for output chunks
        frames: Include the documents of frames, srcdoc and embedded PDFs in the page
        headers: Request headers; dropped on a redirect to another origin
        cookies: Request cookies; dropped on a redirect to another origin
        wait_for_selector: Wait in a browser until this CSS selector matches
        wait_ms: Time to wait in a browser before the page is captured, within timeout_ms
        scroll: Scroll to the end of the page in a browser, to load lazy content
        block: Requests that a page in a browser cannot make; ads are a list of third-party domains
        device: Device to emulate
        country: Request the page from this country (ISO 3166, two letters) through a proxy
        locale: Language and region to request (BCP 47), such as de-AT
        max_chars: Most characters of each text format, cut at block boundaries
        offset_chars: Where to continue a long page: next_offset of the previous response
        insecure_tls: Accept any certificate of the target; the operator must allow it with QUERN_ALLOW_INSECURE_TLS
        session: Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use
        respect_robots: Obey robots.txt: a disallowed URL or redirect target fails with target_blocked
        delay_ms: Fixed gap between two requests to one host in ms; robots.txt may require a longer one
        max_concurrency: Maximum number of pages fetched at once; default: as many as their hosts allow
        max_credits: Maximum number of credits that the call may cost
        """
        return AsyncJobRun(
            self._caller,
            routes.FETCH_BATCH,
            (MeteredFetchBatchResult, BatchResult),
            order={"kind": "fetch.batch", "input": given({"urls": urls, "ignore_invalid_urls": ignore_invalid_urls, "output": output, "screenshot": screenshot, "proxy": proxy, "use_proxy": use_proxy, "timeout_ms": timeout_ms, "only_main_content": only_main_content, "include_selectors": include_selectors, "exclude_selectors": exclude_selectors, "extract": extract, "attributes": attributes, "chunking": chunking, "frames": frames, "headers": headers, "cookies": cookies, "wait_for_selector": wait_for_selector, "wait_ms": wait_ms, "scroll": scroll, "block": block, "device": device, "country": country, "locale": locale, "max_chars": max_chars, "offset_chars": offset_chars, "changes": changes, "passages": passages, "insecure_tls": insecure_tls, "session": session, "respect_robots": respect_robots, "delay_ms": delay_ms, "max_concurrency": max_concurrency, "max_credits": max_credits})},
            on_progress=on_progress,
            options=options,
        )

    def resume_fetch_batch(
        self,
        job_id: str,
        *,
        cursor: Optional[str] = None,
        on_progress: Optional[OnProgress] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncJobRun[MeteredFetchBatchResult, BatchResult]:
        """Takes up a fetchBatch that was submitted before, by the id of its job."""
        return AsyncJobRun(
            self._caller,
            routes.FETCH_BATCH,
            (MeteredFetchBatchResult, BatchResult),
            job_id=job_id,
            cursor=cursor,
            on_progress=on_progress,
            options=options,
        )

    async def explain_page(
        self,
        url: str,
        *,
        extract: Optional[Extract] = None,
        proxy: Optional[Literal["basic", "auto", "stealth"]] = None,
        use_proxy: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
        cookies: Optional[Sequence[RequestCookie]] = None,
        wait_for_selector: Optional[str] = None,
        wait_ms: Optional[int] = None,
        scroll: Optional[bool] = None,
        device: Optional[Literal["desktop", "mobile"]] = None,
        country: Optional[str] = None,
        locale: Optional[str] = None,
        session: Optional[str] = None,
        max_age_ms: Optional[int] = None,
        respect_robots: Optional[bool] = None,
        max_credits: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredExplainedPage:
        """Explain how a page is parsed: which parts are main content and why, what can be selected, and the values of fields.

        url: The http or https page to explain
        extract: Fields to try: shows what their selectors match and what a fetch would return
        proxy: How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly
        use_proxy: true means proxy stealth
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan
        headers: Request headers; dropped on a redirect to another origin
        cookies: Request cookies; dropped on a redirect to another origin
        wait_for_selector: Wait in a browser until this CSS selector matches
        wait_ms: Time to wait in a browser before the page is captured, within timeout_ms
        scroll: Scroll to the end of the page in a browser, to load lazy content
        device: Device to emulate
        country: Request the page from this country (ISO 3166, two letters) through a proxy
        locale: Language and region to request (BCP 47), such as de-AT
        session: Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use
        max_age_ms: Maximum age of a cached page in ms; 0 always fetches
        respect_robots: Obey robots.txt
        max_credits: Most credits that this call may cost
        """
        return await self._caller.work(routes.EXPLAIN_PAGE, {"url": url, "extract": extract, "proxy": proxy, "use_proxy": use_proxy, "timeout_ms": timeout_ms, "headers": headers, "cookies": cookies, "wait_for_selector": wait_for_selector, "wait_ms": wait_ms, "scroll": scroll, "device": device, "country": country, "locale": locale, "session": session, "max_age_ms": max_age_ms, "respect_robots": respect_robots, "max_credits": max_credits}, MeteredExplainedPage, options)

    def crawl(
        self,
        *,
        url: Optional[str] = None,
        urls: Optional[Sequence[str]] = None,
        max_pages: Optional[int] = None,
        max_depth: Optional[int] = None,
        sitemap: Optional[Literal["include", "skip", "only"]] = None,
        output: Optional[Sequence[Literal["markdown", "text", "html", "raw_html", "links", "images", "metadata", "tables", "structured_data", "attributes", "chunks", "json", "screenshot", "summary", "passages", "changes"]]] = None,
        screenshot: Optional[ScreenshotInput] = None,
        scope: Optional[Literal["path", "host", "subdomains", "domain", "any"]] = None,
        include: Optional[Sequence[str]] = None,
        exclude: Optional[Sequence[str]] = None,
        max_per_pattern: Optional[int] = None,
        ignore_query: Optional[bool] = None,
        hash_routes: Optional[bool] = None,
        proxy: Optional[Literal["basic", "auto", "stealth"]] = None,
        use_proxy: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        respect_robots: Optional[bool] = None,
        follow_actions: Optional[bool] = None,
        delay_ms: Optional[int] = None,
        max_credits: Optional[int] = None,
        session: Optional[str] = None,
        store: Optional[Literal["all", "included"]] = None,
        fetch: Optional[Mapping[str, Any]] = None,
        archive: Optional[bool] = None,
        dedupe_content: Optional[bool] = None,
        on_progress: Optional[OnProgress] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncJobRun[MeteredCrawlResult, CrawledPage]:
        """Retrieve many pages of a site.

        url: URL at which the crawl starts
        urls: A list of URLs to crawl instead; their links are not followed
        max_pages: Maximum number of pages to store, default 25; a larger crawl runs as a job
        max_depth: Maximum link depth from the start; null for no limit
        sitemap: Read the site's sitemaps in addition to its links, not at all (skip), or instead of them (only)
        output: Formats to return; screenshot needs a browser and is stored as a file, summary needs a model, passages quotes what matches a query, changes compares each page with its last copy
        scope: Which URLs are in scope, relative to the start; any: links to other sites too
        include: Globs on path and query, or re: and an RE2 expression, or url: and one for the whole URL; only matching links are followed
        exclude: Patterns of the same form; matching links are skipped
        max_per_pattern: Maximum number of links followed per path pattern, such as /maze/*, against crawler traps; URLs from sitemaps are not counted
        ignore_query: Treat URLs that differ only in their query as one page: the first one found is requested
        hash_routes: Treat links that differ only after #/ or #! as separate pages; a browser loads every page
        proxy: How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly
        use_proxy: true means proxy stealth
        timeout_ms: Total time limit in ms; above the plan's inline limit the call runs as a job
        respect_robots: Obey robots.txt, also for redirects; a crawl does not store pages marked noindex
        follow_actions: With cookies, a session or a login header: also follow links that log out, delete, unsubscribe or fill a cart
        delay_ms: Fixed gap between two requests to one host in ms; robots.txt may require a longer one
        max_credits: Maximum number of credits that the call may cost
        session: Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use
        store: included: follow everything in scope, but store only pages that match include; other pages are free
        fetch: How each page is requested and read
        archive: Archive every HTTP exchange as WARC, available with format=warc of the result; the crawl runs as a job
        dedupe_content: Skip pages whose content is already stored; skipped pages are free
        """
        return AsyncJobRun(
            self._caller,
            routes.CRAWL,
            (MeteredCrawlResult, CrawledPage),
            order={"kind": "crawl", "input": given({"url": url, "urls": urls, "max_pages": max_pages, "max_depth": max_depth, "sitemap": sitemap, "output": output, "screenshot": screenshot, "scope": scope, "include": include, "exclude": exclude, "max_per_pattern": max_per_pattern, "ignore_query": ignore_query, "hash_routes": hash_routes, "proxy": proxy, "use_proxy": use_proxy, "timeout_ms": timeout_ms, "respect_robots": respect_robots, "follow_actions": follow_actions, "delay_ms": delay_ms, "max_credits": max_credits, "session": session, "store": store, "fetch": fetch, "archive": archive, "dedupe_content": dedupe_content})},
            on_progress=on_progress,
            options=options,
        )

    def resume_crawl(
        self,
        job_id: str,
        *,
        cursor: Optional[str] = None,
        on_progress: Optional[OnProgress] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncJobRun[MeteredCrawlResult, CrawledPage]:
        """Takes up a crawl that was submitted before, by the id of its job."""
        return AsyncJobRun(
            self._caller,
            routes.CRAWL,
            (MeteredCrawlResult, CrawledPage),
            job_id=job_id,
            cursor=cursor,
            on_progress=on_progress,
            options=options,
        )

    def map(
        self,
        url: str,
        *,
        max_urls: Optional[int] = None,
        search: Optional[str] = None,
        sources: Optional[Sequence[Literal["sitemap", "robots", "feed", "known", "links"]]] = None,
        walk: Optional[bool] = None,
        max_depth: Optional[int] = None,
        include_metadata: Optional[bool] = None,
        fetch: Optional[Mapping[str, Any]] = None,
        scope: Optional[Literal["path", "host", "subdomains", "domain", "any"]] = None,
        include: Optional[Sequence[str]] = None,
        exclude: Optional[Sequence[str]] = None,
        max_per_pattern: Optional[int] = None,
        ignore_query: Optional[bool] = None,
        hash_routes: Optional[bool] = None,
        proxy: Optional[Literal["basic", "auto", "stealth"]] = None,
        use_proxy: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        respect_robots: Optional[bool] = None,
        follow_actions: Optional[bool] = None,
        delay_ms: Optional[int] = None,
        max_credits: Optional[int] = None,
        session: Optional[str] = None,
        on_progress: Optional[OnProgress] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncJobRun[MeteredMapResult, MappedUrl]:
        """Discover the URLs of a site.

        url: URL at which the map starts
        max_urls: Maximum number of URLs to return; above 100 the call runs as a job
        search: Words to search for: only URLs whose path, query or title has one of them are returned, best first
        sources: Where to look: the sitemaps listed in robots.txt (robots), else those at the usual paths (sitemap), feeds, pages of the site that you have fetched before (known), and the links of pages
        walk: Follow links; otherwise links are followed only if no other source has a URL. An inline call without timeout_ms follows them for 10 seconds
        max_depth: Maximum link depth from the start; the pages of a paginated list have the same depth
        include_metadata: Add titles: of the page if it was read, else of the feed entry or link
        fetch: How each page is requested
        scope: Which URLs are in scope, relative to the start; any: links to other sites too
        include: Globs on path and query, or re: and an RE2 expression, or url: and one for the whole URL; only matching links are followed
        exclude: Patterns of the same form; matching links are skipped
        max_per_pattern: Maximum number of links followed per path pattern, such as /maze/*, against crawler traps; URLs from sitemaps are not counted
        ignore_query: Treat URLs that differ only in their query as one page: the first one found is requested
        hash_routes: Treat links that differ only after #/ or #! as separate pages; a browser loads every page
        proxy: How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly
        use_proxy: true means proxy stealth
        timeout_ms: Total time limit in ms; above the plan's inline limit the call runs as a job
        respect_robots: Obey robots.txt, also for redirects; a crawl does not store pages marked noindex
        follow_actions: With cookies, a session or a login header: also follow links that log out, delete, unsubscribe or fill a cart
        delay_ms: Fixed gap between two requests to one host in ms; robots.txt may require a longer one
        max_credits: Maximum number of credits that the call may cost
        session: Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use
        """
        return AsyncJobRun(
            self._caller,
            routes.MAP,
            (MeteredMapResult, MappedUrl),
            order={"kind": "map", "input": given({"url": url, "max_urls": max_urls, "search": search, "sources": sources, "walk": walk, "max_depth": max_depth, "include_metadata": include_metadata, "fetch": fetch, "scope": scope, "include": include, "exclude": exclude, "max_per_pattern": max_per_pattern, "ignore_query": ignore_query, "hash_routes": hash_routes, "proxy": proxy, "use_proxy": use_proxy, "timeout_ms": timeout_ms, "respect_robots": respect_robots, "follow_actions": follow_actions, "delay_ms": delay_ms, "max_credits": max_credits, "session": session})},
            on_progress=on_progress,
            options=options,
        )

    def resume_map(
        self,
        job_id: str,
        *,
        cursor: Optional[str] = None,
        on_progress: Optional[OnProgress] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncJobRun[MeteredMapResult, MappedUrl]:
        """Takes up a map that was submitted before, by the id of its job."""
        return AsyncJobRun(
            self._caller,
            routes.MAP,
            (MeteredMapResult, MappedUrl),
            job_id=job_id,
            cursor=cursor,
            on_progress=on_progress,
            options=options,
        )

    async def interact(
        self,
        url: str,
        *,
        prompt: Optional[str] = None,
        actions: Optional[Sequence[Action]] = None,
        output: Optional[Sequence[Literal["markdown", "text", "html", "raw_html", "links", "images", "metadata", "tables", "structured_data", "chunks", "json", "screenshot", "pdf"]]] = None,
        extract: Optional[Extract] = None,
        proxy: Optional[Literal["basic", "auto", "stealth"]] = None,
        use_proxy: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
        cookies: Optional[Sequence[RequestCookie]] = None,
        session: Optional[str] = None,
        device: Optional[Literal["desktop", "mobile"]] = None,
        country: Optional[str] = None,
        locale: Optional[str] = None,
        allowed_domains: Optional[Sequence[str]] = None,
        variables: Optional[Mapping[str, str]] = None,
        max_steps: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredInteractResult:
        """Click, type and read in a page, step by step.

        url: Start page
        prompt: The task in words; a model chooses the actions
        actions: Actions in order, at most 200; repeated actions count each time
        output: Formats of the page at the end
        extract: What to extract from the page at the end, for output json
        proxy: How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly
        use_proxy: true means proxy stealth
        timeout_ms: Total time limit of the session in ms; default is the plan's inline limit; with a higher value the call becomes a job
        headers: Request headers; dropped on a redirect to another origin
        cookies: Request cookies; dropped on a redirect to another origin
        session: Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use
        device: Device to emulate
        country: Request the page from this country (ISO 3166, two letters) through a proxy
        locale: Language and region to request (BCP 47), such as de-AT
        allowed_domains: Hosts, including subdomains, to which the session may send requests; default: its pages stay on the site of url
        variables: Values for {{name}} in typed text; never logged
        max_steps: Maximum number of actions; with prompt the default is 20 and the limit 60
        """
        return await self._caller.work(routes.INTERACT, {"url": url, "prompt": prompt, "actions": actions, "output": output, "extract": extract, "proxy": proxy, "use_proxy": use_proxy, "timeout_ms": timeout_ms, "headers": headers, "cookies": cookies, "session": session, "device": device, "country": country, "locale": locale, "allowed_domains": allowed_domains, "variables": variables, "max_steps": max_steps}, MeteredInteractResult, options)

    async def fast_search(
        self,
        *,
        search: Optional[str] = None,
        country_code: Optional[str] = None,
        language: Optional[str] = None,
        page: Optional[int] = None,
        content: Optional[Mapping[str, Any]] = None,
        max_credits: Optional[int] = None,
        timeout_ms: Optional[int] = None,
        q: Optional[str] = None,
        query: Optional[str] = None,
        country: Optional[str] = None,
        geo: Optional[str] = None,
        lang: Optional[str] = None,
        locale: Optional[str] = None,
        language_code: Optional[str] = None,
        hl: Optional[str] = None,
        page_number: Optional[int] = None,
        start_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredFastSearch:
        """Search the web and the pages that this instance has fetched.

        search: Search query; "words in quotes" are a phrase; engines get the first 2,000 characters
        country_code: Country whose results come first
        language: Language of the results: a tag such as de or pt-BR, or a name such as German
        page: Page of results; below 1 is the first, beyond the last is empty
        content: Also read the pages of the first results, and return their content
        max_credits: Most credits that this call may cost; fewer pages are read if needed
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        q: Alias of search
        query: Alias of search
        country: Alias of country_code
        geo: Alias of country_code
        lang: Alias of language
        locale: Alias of language
        language_code: Alias of language
        hl: Alias of language
        page_number: Alias of page
        start_page: Alias of page
        """
        return await self._caller.work(routes.FAST_SEARCH, {"search": search, "country_code": country_code, "language": language, "page": page, "content": content, "max_credits": max_credits, "timeout_ms": timeout_ms, "q": q, "query": query, "country": country, "geo": geo, "lang": lang, "locale": locale, "language_code": language_code, "hl": hl, "page_number": page_number, "start_page": start_page}, MeteredFastSearch, options)

    async def answerengine_prompt(
        self,
        prompt: str,
        *,
        geo: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        source_timeout_ms: Optional[int] = None,
        country: Optional[str] = None,
        country_code: Optional[str] = None,
        geo_location: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredAnswerenginePromptResult:
        """Answer a question from web pages, with sources.

        prompt: The question
        geo: Country of the person asking: ISO 3166-1 code or English name
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        source_timeout_ms: Time limit per source in ms; a slower source is skipped and listed in warnings
        country: Alias of geo
        country_code: Alias of geo
        geo_location: Alias of geo
        """
        return await self._caller.work(routes.ANSWERENGINE_PROMPT, {"prompt": prompt, "geo": geo, "timeout_ms": timeout_ms, "source_timeout_ms": source_timeout_ms, "country": country, "country_code": country_code, "geo_location": geo_location}, MeteredAnswerenginePromptResult, options)

    async def assistant_prompt(
        self,
        prompt: str,
        *,
        geo: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        source_timeout_ms: Optional[int] = None,
        country: Optional[str] = None,
        country_code: Optional[str] = None,
        geo_location: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredAssistantPromptResult:
        """Answer a question like an assistant, with citations.

        prompt: The question
        geo: Country of the person asking: ISO 3166-1 code or English name
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        source_timeout_ms: Time limit per source in ms; a slower source is skipped and listed in warnings
        country: Alias of geo
        country_code: Alias of geo
        geo_location: Alias of geo
        """
        return await self._caller.work(routes.ASSISTANT_PROMPT, {"prompt": prompt, "geo": geo, "timeout_ms": timeout_ms, "source_timeout_ms": source_timeout_ms, "country": country, "country_code": country_code, "geo_location": geo_location}, MeteredAssistantPromptResult, options)

    async def chatassistant_prompt(
        self,
        prompt: str,
        *,
        geo: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        source_timeout_ms: Optional[int] = None,
        country: Optional[str] = None,
        country_code: Optional[str] = None,
        geo_location: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredChatassistantPromptResult:
        """Answer a question like assistant.prompt, with a separately configured model.

        prompt: The question
        geo: Country of the person asking: ISO 3166-1 code or English name
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        source_timeout_ms: Time limit per source in ms; a slower source is skipped and listed in warnings
        country: Alias of geo
        country_code: Alias of geo
        geo_location: Alias of geo
        """
        return await self._caller.work(routes.CHATASSISTANT_PROMPT, {"prompt": prompt, "geo": geo, "timeout_ms": timeout_ms, "source_timeout_ms": source_timeout_ms, "country": country, "country_code": country_code, "geo_location": geo_location}, MeteredChatassistantPromptResult, options)

    @overload
    async def submit_job(
        self,
        kind: Literal["fetch"],
        input: FetchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["fetch.batch"],
        input: FetchBatchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["explain"],
        input: ExplainPageInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["crawl"],
        input: CrawlInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["map"],
        input: MapInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["interact"],
        input: InteractInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["fast-search"],
        input: FastSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["answerengine.prompt"],
        input: AnswerenginePromptInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["assistant.prompt"],
        input: AssistantPromptInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["chatassistant.prompt"],
        input: ChatassistantPromptInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["websearch.search"],
        input: WebsearchSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["serp.search"],
        input: SerpSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["appstore.app"],
        input: AppstoreAppInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["appstore.search"],
        input: AppstoreSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["appstore.reviews"],
        input: AppstoreReviewsInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["appstore.developer"],
        input: AppstoreDeveloperInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["codehost.repo"],
        input: CodehostRepoInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["codehost.repos"],
        input: CodehostReposInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["codehost.user"],
        input: CodehostUserInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["forum.post"],
        input: ForumPostInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["forum.subreddit"],
        input: ForumSubredditInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["forum.user"],
        input: ForumUserInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["homestay.search"],
        input: HomestaySearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["homestay.listing"],
        input: HomestayListingInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["homestay.reviews"],
        input: HomestayReviewsInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["hotel-a.rate"],
        input: HotelARateInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["hotel-b.rate"],
        input: HotelBRateInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["jobs-d.jobs"],
        input: JobsDJobsInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["jobs-d.job"],
        input: JobsDJobInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["jobs-b.jobs"],
        input: JobsBJobsInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["jobs-b.job"],
        input: JobsBJobInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["jobs-s.jobs"],
        input: JobsSJobsInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["jobs-s.job"],
        input: JobsSJobInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["launches.leaderboard"],
        input: LaunchesLeaderboardInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["launches.product"],
        input: LaunchesProductInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["launches.maker"],
        input: LaunchesMakerInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["microblog.profile"],
        input: MicroblogProfileInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["microblog.posts"],
        input: MicroblogPostsInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["microblog.post"],
        input: MicroblogPostInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["microblog.search"],
        input: MicroblogSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["musiccatalog.album"],
        input: MusiccatalogAlbumInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["musiccatalog.artist"],
        input: MusiccatalogArtistInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["musiccatalog.search"],
        input: MusiccatalogSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["musiccatalog.track"],
        input: MusiccatalogTrackInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["musicstream.album"],
        input: MusicstreamAlbumInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["musicstream.artist"],
        input: MusicstreamArtistInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["musicstream.playlist"],
        input: MusicstreamPlaylistInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["musicstream.podcast"],
        input: MusicstreamPodcastInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["musicstream.search"],
        input: MusicstreamSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["musicstream.track"],
        input: MusicstreamTrackInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["pinboard.profile"],
        input: PinboardProfileInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["pinboard.pins"],
        input: PinboardPinsInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["pinboard.pin"],
        input: PinboardPinInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["pinboard.search"],
        input: PinboardSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["retail.search"],
        input: RetailSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["retail.product"],
        input: RetailProductInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["retail.stores"],
        input: RetailStoresInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["retail.availability"],
        input: RetailAvailabilityInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["shop-a.product"],
        input: ShopAProductInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["shop-a.pricing"],
        input: ShopAPricingInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["shop-a.search"],
        input: ShopASearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["shop-w.product"],
        input: ShopWProductInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["shortvideo.profile"],
        input: ShortvideoProfileInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["shortvideo.videos"],
        input: ShortvideoVideosInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["shortvideo.video"],
        input: ShortvideoVideoInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["shortvideo.comments"],
        input: ShortvideoCommentsInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["shortvideo.search"],
        input: ShortvideoSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["shortvideo.hashtag"],
        input: ShortvideoHashtagInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["socialnet.event"],
        input: SocialnetEventInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["socialnet.events.search"],
        input: SocialnetEventsSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["socialnet.marketplace.item"],
        input: SocialnetMarketplaceItemInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["socialnet.marketplace.search"],
        input: SocialnetMarketplaceSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["socialnet.page"],
        input: SocialnetPageInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["socialnet.posts"],
        input: SocialnetPostsInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["socialnet.photos"],
        input: SocialnetPhotosInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["socialnet.reels"],
        input: SocialnetReelsInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["socialnet.post"],
        input: SocialnetPostInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["socialnet.group"],
        input: SocialnetGroupInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["socialnet.group.posts"],
        input: SocialnetGroupPostsInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["socialnet.adLibrary.ad"],
        input: SocialnetAdLibraryAdInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["socialnet.adLibrary.search.ads"],
        input: SocialnetAdLibrarySearchAdsInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["socialnet.adLibrary.company.ads"],
        input: SocialnetAdLibraryCompanyAdsInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["technews.front"],
        input: TechnewsFrontInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["technews.item"],
        input: TechnewsItemInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["technews.user"],
        input: TechnewsUserInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["technews.search"],
        input: TechnewsSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["vehicles.search"],
        input: VehiclesSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["vehicles.vehicle"],
        input: VehiclesVehicleInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["video.videos"],
        input: VideoVideosInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["video.search"],
        input: VideoSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["video.subtitles"],
        input: VideoSubtitlesInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["video-alt.search"],
        input: VideoAltSearchInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["video-alt.channel.videos"],
        input: VideoAltChannelVideosInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["video-alt.video"],
        input: VideoAltVideoInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["launches.leaderboard.crawl"],
        input: LaunchesLeaderboardCrawlInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["shop-a.search.crawl"],
        input: ShopASearchCrawlInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["video.search.crawl"],
        input: VideoSearchCrawlInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    @overload
    async def submit_job(
        self,
        kind: Literal["hotels.rates"],
        input: HotelsRatesInput,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob: ...

    async def submit_job(
        self,
        kind: Any,
        input: Any,
        *,
        max_credits: Optional[int] = None,
        webhook: Optional[JobWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob:
        """Queue any priced operation as a job.

        max_credits: Most credits that the job may cost
        webhook: Where events of the job are sent: a URL or an object
        """
        return await self._caller.once(routes.SUBMIT_JOB, {"kind": kind, "input": input, "max_credits": max_credits, "webhook": webhook}, AnsweredJob, options)

    def list_jobs(
        self,
        *,
        kind: Optional[str] = None,
        status: Optional[Literal["queued", "running", "completed", "failed", "cancelled", "expired"]] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[Job]:
        """Your jobs of the last 90 days, newest first; long inputs are truncated.

        kind: Id of the operation, such as fetch
        status: Only jobs in this state
        from_: Earliest time of submission, ISO 8601 UTC
        to: Latest time of submission, ISO 8601 UTC
        limit: Most rows of one page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_JOBS, {"kind": kind, "status": status, "from": from_, "to": to, "limit": limit, "cursor": cursor}, Job, options)

    async def get_job(
        self,
        id: str,
        *,
        wait_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJob:
        """One job, with its result if it has completed.

        id: The id of the job
        wait_ms: Wait up to this long for the job to end
        """
        return await self._caller.once(routes.GET_JOB, {"id": id, "wait_ms": wait_ms}, AnsweredJob, options)

    async def cancel_job(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> Optional[AnsweredJob]:
        """Cancel a job, or delete the result of one that has ended.

        id: The id of the job
        """
        return await self._caller.maybe(routes.CANCEL_JOB, {"id": id}, AnsweredJob, options)

    async def get_job_result(
        self,
        id: str,
        *,
        partial: Optional[bool] = None,
        format: Optional[Literal["json", "jsonl", "warc", "csv", "parquet", "zip", "llms.txt", "llms-full.txt"]] = None,
        rows: Optional[Literal["elements", "chunks"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        outline: Optional[bool] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredGetJobResultResult:
        """The result of a completed job: the response body of the same inline call; long lists are paginated.

        id: The id of the job
        partial: Return what is committed so far, in any state of the job: the list, usage, and stop_reason of a cancelled crawl or map
        format: All but json stream the whole list: jsonl has one element per line, csv and parquet are tables, zip has a Markdown file for each page, llms.txt and llms-full.txt are the site for language models; warc is the archive of a crawl with archive: true
        rows: With jsonl, csv and parquet: what a row is, an element of the list or a chunk of a page with output chunks
        limit: Most elements of one page, up to 4 MiB; default as many as fit into 256 KiB
        cursor: next_cursor of the previous page
        outline: Return each list element as an outline: its short fields, the sizes of its texts (chars), and its place for jobs.page
        """
        return await self._caller.once(routes.GET_JOB_RESULT, {"id": id, "partial": partial, "format": format, "rows": rows, "limit": limit, "cursor": cursor, "outline": outline}, AnsweredGetJobResultResult, options)

    async def jobs_page(
        self,
        id: str,
        *,
        place: Optional[str] = None,
        url: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredJobsPageResult:
        """One list element of a result, such as a page of a crawl, also while the job runs.

        id: The id of the job
        place: Place of the element, from the outline of the result
        url: Or its requested or final URL; the first 5000 elements are searched
        """
        return await self._caller.once(routes.JOBS_PAGE, {"id": id, "place": place, "url": url}, AnsweredJobsPageResult, options)

    def list_job_pages(
        self,
        id: str,
        *,
        state: Optional[Literal["waiting", "stored", "failed", "skipped"]] = None,
        status_code: Optional[int] = None,
        depth: Optional[int] = None,
        code: Optional[str] = None,
        search: Optional[str] = None,
        prefix: Optional[str] = None,
        near_duplicate: Optional[bool] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[CrawlPageRow]:
        """The pages of a crawl in order of discovery, also while it runs; with filters, a list page may be short.

        id: The id of a job of the kind crawl or fetch.batch
        state: skipped: not a separate page, such as a duplicate
        status_code: HTTP status of the page
        depth: Number of links from the start page
        code: Code of the failure or of the reason why it was skipped
        search: Text in URL or title, case-insensitive
        prefix: Prefix of their URLs
        near_duplicate: true: only near-duplicates; false: only other pages
        limit: Most rows of one page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_JOB_PAGES, {"id": id, "state": state, "status_code": status_code, "depth": depth, "code": code, "search": search, "prefix": prefix, "near_duplicate": near_duplicate, "limit": limit, "cursor": cursor}, CrawlPageRow, options)

    async def get_job_tree(
        self,
        id: str,
        *,
        prefix: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredCrawlTree:
        """Page counts of a crawl and one level of the site as a tree of URL segments.

        id: The id of a job of the kind crawl or fetch.batch
        prefix: The URL prefix to list; default the hosts
        """
        return await self._caller.once(routes.GET_JOB_TREE, {"id": id, "prefix": prefix}, AnsweredCrawlTree, options)

    def follow_job(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AsyncIterator[JobEvent]:
        """Follow a job as server-sent events: progress, then end.

        id: The id of the job
        """
        return self._caller.events(routes.FOLLOW_JOB, {"id": id}, options)

    def list_job_deliveries(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[Delivery]:
        """Deliveries of a job’s webhook of the last 30 days, newest first.

        id: The id of the job
        limit: Most rows of one page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_JOB_DELIVERIES, {"id": id, "limit": limit, "cursor": cursor}, Delivery, options)

    async def get_artifact(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AsyncFileBody:
        """The bytes of a screenshot, PDF or downloaded file.

        id: The id of the file
        """
        return await self._caller.file(routes.GET_ARTIFACT, {"id": id}, options)

    async def import_session(
        self,
        name: str,
        *,
        cookies: Optional[Sequence[Mapping[str, Any]]] = None,
        origins: Optional[Sequence[Mapping[str, Any]]] = None,
        idle_days: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredSession:
        """Create or extend a session with cookies and local storage exported from a browser.

        name: Name of the session, which is created if it does not exist
        cookies: Cookies to add, as exported by Playwright’s storageState or a browser extension
        origins: Local storage to add, by origin
        idle_days: Days until it expires after its last use; the operator sets the maximum
        """
        return await self._caller.once(routes.IMPORT_SESSION, {"name": name, "cookies": cookies, "origins": origins, "idle_days": idle_days}, AnsweredSession, options)

    def list_sessions(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[Session]:
        """Your sessions by name, without contents.

        limit: Most rows of one page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_SESSIONS, {"limit": limit, "cursor": cursor}, Session, options)

    async def get_session(
        self,
        name: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredSessionContents:
        """A session with names, hosts, expiry and sizes of its contents, without values.

        name: The name of the session
        """
        return await self._caller.once(routes.GET_SESSION, {"name": name}, AnsweredSessionContents, options)

    async def delete_session(
        self,
        name: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> None:
        """Delete a session and its contents.

        name: The name of the session
        """
        await self._caller.nothing(routes.DELETE_SESSION, {"name": name}, options)

    async def create_monitor(
        self,
        *,
        name: Optional[str] = None,
        url: Optional[str] = None,
        extract: Optional[Extract] = None,
        target: Optional[Mapping[str, Any]] = None,
        watch: Optional[Mapping[str, Any]] = None,
        cron: Optional[str] = None,
        timezone: Optional[str] = None,
        active: Optional[bool] = None,
        proxy: Optional[Literal["basic", "auto", "stealth"]] = None,
        use_proxy: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        session: Optional[str] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        webhook: Optional[MonitorWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredMonitor:
        """Watch a page, or the result of any priced operation; the first run starts immediately.

        name: Display name; default host and path of the page
        url: The http or https page to watch
        extract: The values to watch, as in fetch; at most 50
        target: An operation to watch instead of url and extract
        watch: What counts as a change, and how it is told
        cron: Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered
        timezone: Time zone of cron
        active: Whether its schedule is active
        proxy: How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly
        use_proxy: true means proxy stealth
        timeout_ms: Time limit of one visit in ms, as in fetch
        session: Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use
        metadata: Returned in webhooks
        webhook: Receiver of changes: a URL or an object
        """
        return await self._caller.once(routes.CREATE_MONITOR, {"name": name, "url": url, "extract": extract, "target": target, "watch": watch, "cron": cron, "timezone": timezone, "active": active, "proxy": proxy, "use_proxy": use_proxy, "timeout_ms": timeout_ms, "session": session, "metadata": metadata, "webhook": webhook}, AnsweredMonitor, options)

    def list_monitors(
        self,
        *,
        active: Optional[bool] = None,
        kind: Optional[Literal["generic", "hotel", "hotel_channels", "launch"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[Monitor]:
        """Your monitors, newest first; long definitions are truncated.

        active: Only monitors with an active (or inactive) schedule
        kind: Only monitors of this kind
        limit: Rows per page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_MONITORS, {"active": active, "kind": kind, "limit": limit, "cursor": cursor}, Monitor, options)

    async def get_monitor(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredMonitor:
        """One monitor.

        id: Id of the monitor
        """
        return await self._caller.once(routes.GET_MONITOR, {"id": id}, AnsweredMonitor, options)

    async def update_monitor(
        self,
        id: str,
        *,
        name: Optional[str] = None,
        url: Optional[str] = None,
        extract: Optional[Mapping[str, Any]] = None,
        target: Optional[Mapping[str, Any]] = None,
        watch: Optional[Mapping[str, Any]] = None,
        cron: Optional[str] = None,
        timezone: Optional[str] = None,
        active: Optional[bool] = None,
        proxy: Optional[Literal["basic", "auto", "stealth"]] = None,
        use_proxy: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        webhook: Optional[Union[str, Mapping[str, Any]]] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredMonitor:
        """Change a monitor: omitted fields keep their value, null removes, objects are merged.

        id: Id of the monitor
        name: Display name; default host and path of the page
        url: The http or https page to watch
        extract: The values to watch, as in fetch; at most 50
        target: An operation to watch instead of url and extract
        watch: What counts as a change, and how it is told
        cron: Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered
        timezone: Time zone of cron
        active: Whether its schedule is active
        proxy: How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly
        use_proxy: true means proxy stealth
        timeout_ms: Time limit of one visit in ms, as in fetch
        metadata: Returned in webhooks
        webhook: null removes it
        """
        return await self._caller.once(routes.UPDATE_MONITOR, {"id": id, "name": name, "url": url, "extract": extract, "target": target, "watch": watch, "cron": cron, "timezone": timezone, "active": active, "proxy": proxy, "use_proxy": use_proxy, "timeout_ms": timeout_ms, "metadata": metadata, "webhook": webhook}, AnsweredMonitor, options)

    async def delete_monitor(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> None:
        """Delete a monitor with its history.

        id: Id of the monitor
        """
        await self._caller.nothing(routes.DELETE_MONITOR, {"id": id}, options)

    async def trigger_monitor(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredTriggerMonitorResult:
        """Run a monitor now, in addition to its schedule; returns the active run if there is one.

        id: Id of the monitor
        """
        return await self._caller.once(routes.TRIGGER_MONITOR, {"id": id}, AnsweredTriggerMonitorResult, options)

    def list_runs(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[Run]:
        """Runs of a monitor in the last 90 days with the observed values, newest first.

        id: Id of the monitor
        limit: Rows per page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_RUNS, {"id": id, "limit": limit, "cursor": cursor}, Run, options)

    async def get_latest_run(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredRun:
        """The latest run of a monitor, in any state.

        id: Id of the monitor
        """
        return await self._caller.once(routes.GET_LATEST_RUN, {"id": id}, AnsweredRun, options)

    def list_changes(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[Change]:
        """Changes found by a monitor in the last 90 days, newest first.

        id: Id of the monitor
        limit: Rows per page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_CHANGES, {"id": id, "limit": limit, "cursor": cursor}, Change, options)

    async def get_latest_change(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredChange:
        """The latest change found by a monitor.

        id: Id of the monitor
        """
        return await self._caller.once(routes.GET_LATEST_CHANGE, {"id": id}, AnsweredChange, options)

    async def get_monitor_series(
        self,
        id: str,
        *,
        field: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        points: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredMonitorSeries:
        """Numbers observed by a monitor over time, reduced to few points for a chart.

        id: The id of the monitor
        field: Only the field with this path, such as price or offers.0.price
        from_: Earliest time, ISO 8601 UTC; default 90 days ago
        to: Latest time, ISO 8601 UTC
        points: Maximum number of points per field
        """
        return await self._caller.once(routes.GET_MONITOR_SERIES, {"id": id, "field": field, "from": from_, "to": to, "points": points}, AnsweredMonitorSeries, options)

    async def preview_schedule(
        self,
        cron: str,
        *,
        timezone: Optional[str] = None,
        count: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredPreviewScheduleResult:
        """Next run times of a cron expression in a time zone, and whether your plan allows it.

        cron: Five fields, such as 0 9 * * 1-5, or words such as daily at 9:00
        timezone: IANA name, such as Europe/Berlin
        count: Number of times to return
        """
        return await self._caller.once(routes.PREVIEW_SCHEDULE, {"cron": cron, "timezone": timezone, "count": count}, AnsweredPreviewScheduleResult, options)

    def list_monitor_deliveries(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[Delivery]:
        """Deliveries of a monitor’s webhook of the last 30 days, newest first.

        id: Id of the monitor
        limit: Most rows of one page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_MONITOR_DELIVERIES, {"id": id, "limit": limit, "cursor": cursor}, Delivery, options)

    async def test_webhook(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredDelivery:
        """Send a webhook.test event to a monitor’s webhook, once; at most 100 a day.

        id: Id of the monitor
        """
        return await self._caller.once(routes.TEST_WEBHOOK, {"id": id}, AnsweredDelivery, options)

    async def rotate_webhook_secret(
        self,
        id: str,
        *,
        secret: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredRotateWebhookSecretResult:
        """Set a new secret for a monitor’s webhook; the old one stays valid for 24 hours.

        id: Id of the monitor
        secret: The new secret; generated and shown once if omitted
        """
        return await self._caller.once(routes.ROTATE_WEBHOOK_SECRET, {"id": id, "secret": secret}, AnsweredRotateWebhookSecretResult, options)

    def list_webhooks(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[ListedWebhook]:
        """Your webhooks with their last delivery, those of monitors first, newest first.

        limit: Most rows of one page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_WEBHOOKS, {"limit": limit, "cursor": cursor}, ListedWebhook, options)

    def list_deliveries(
        self,
        *,
        status: Optional[Literal["pending", "delivering", "succeeded", "failed", "exhausted", "suspended", "cancelled"]] = None,
        monitor_id: Optional[str] = None,
        job_id: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[Delivery]:
        """Deliveries of all your webhooks of the last 30 days, newest first.

        status: Only deliveries with this status
        monitor_id: Only deliveries of this monitor
        job_id: Only deliveries of this job
        limit: Most rows of one page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_DELIVERIES, {"status": status, "monitor_id": monitor_id, "job_id": job_id, "limit": limit, "cursor": cursor}, Delivery, options)

    async def get_delivery(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredDeliveryDetails:
        """One delivery with its attempts.

        id: The id of the delivery
        """
        return await self._caller.once(routes.GET_DELIVERY, {"id": id}, AnsweredDeliveryDetails, options)

    async def redeliver(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredDelivery:
        """Send an event again, with the same webhook-id and a new round of attempts.

        id: The id of the delivery
        """
        return await self._caller.once(routes.REDELIVER, {"id": id}, AnsweredDelivery, options)

    async def redeliver_all(
        self,
        *,
        monitor_id: Optional[str] = None,
        job_id: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredRedeliverAllResult:
        """Retry all exhausted deliveries of the last 30 days, at most a thousand per call, each with its webhook-id.

        monitor_id: Only deliveries of this monitor
        job_id: Only deliveries of this job
        """
        return await self._caller.once(routes.REDELIVER_ALL, {"monitor_id": monitor_id, "job_id": job_id}, AnsweredRedeliverAllResult, options)

    async def get_usage(
        self,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredAccountUsage:
        """Credits of the current month and day, and stored bytes."""
        return await self._caller.once(routes.GET_USAGE, {}, AnsweredAccountUsage, options)

    def list_usage(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        by: Optional[Literal["day", "operation", "day_and_operation"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[UsageRow]:
        """Calls and credits per day, per operation, or per operation of each day.

        from_: First day, UTC; default 30 days ago
        to: Last day, UTC; default today
        by: How rows are grouped
        limit: Most rows of one page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_USAGE, {"from": from_, "to": to, "by": by, "limit": limit, "cursor": cursor}, UsageRow, options)

    def list_requests(
        self,
        *,
        status: Optional[int] = None,
        operation: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[LoggedRequest]:
        """Calls that cost credits in the last 24 hours, newest first.

        status: HTTP status of the response
        operation: Operation id, such as fetch
        from_: Earliest time, ISO 8601 UTC
        to: Latest time, ISO 8601 UTC
        limit: Most rows of one page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_REQUESTS, {"status": status, "operation": operation, "from": from_, "to": to, "limit": limit, "cursor": cursor}, LoggedRequest, options)

    async def get_request(
        self,
        request_id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredGetRequestResult:
        """One logged call with all access attempts.

        request_id: The request_id of its response
        """
        return await self._caller.once(routes.GET_REQUEST, {"request_id": request_id}, AnsweredGetRequestResult, options)

    def list_own_keys(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[OwnKey]:
        """The API keys of your tenant, newest first, without their text.

        limit: Most rows of one page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_OWN_KEYS, {"limit": limit, "cursor": cursor}, OwnKey, options)

    async def get_capabilities(
        self,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredCapabilities:
        """Capabilities of this service, and the limits of your plan."""
        return await self._caller.once(routes.GET_CAPABILITIES, {}, AnsweredCapabilities, options)

    def list_tenants(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[ListTenantsItem]:
        """All tenants with their credits, newest first.

        limit: Most rows of one page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_TENANTS, {"limit": limit, "cursor": cursor}, ListTenantsItem, options)

    async def create_tenant(
        self,
        name: str,
        plan: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredCreateTenantResult:
        """Create a tenant, without a key.

        name: Display name; need not be unique
        plan: Name of a plan; GET /v1/admin/plans lists them
        """
        return await self._caller.once(routes.CREATE_TENANT, {"name": name, "plan": plan}, AnsweredCreateTenantResult, options)

    async def get_tenant(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredGetTenantResult:
        """One tenant with its credits.

        id: The id of the tenant
        """
        return await self._caller.once(routes.GET_TENANT, {"id": id}, AnsweredGetTenantResult, options)

    async def update_tenant(
        self,
        id: str,
        *,
        plan: Optional[str] = None,
        name: Optional[str] = None,
        suspended: Optional[bool] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredUpdateTenantResult:
        """Change the plan or name of a tenant, or suspend or resume it; a new plan applies immediately to credits already spent.

        id: The id of the tenant
        plan: Name of a plan; GET /v1/admin/plans lists them
        name: Display name
        suspended: true: everything but reading fails with tenant_suspended, and jobs and monitors are paused; false: resumed
        """
        return await self._caller.once(routes.UPDATE_TENANT, {"id": id, "plan": plan, "name": name, "suspended": suspended}, AnsweredUpdateTenantResult, options)

    async def top_up_tenant(
        self,
        id: str,
        credits: int,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredTopUpTenantResult:
        """Add credits to the current month of a tenant, once per Idempotency-Key.

        id: The id of the tenant
        credits: They expire at the end of the month
        """
        return await self._caller.once(routes.TOP_UP_TENANT, {"id": id, "credits": credits}, AnsweredTopUpTenantResult, options)

    async def refund_tenant(
        self,
        id: str,
        charge: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredRefundTenantResult:
        """Refund the charge of a request, job or monitor run, once.

        id: The id of the tenant
        charge: The id of the request, job or run
        """
        return await self._caller.once(routes.REFUND_TENANT, {"id": id, "charge": charge}, AnsweredRefundTenantResult, options)

    def list_all_keys(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[ListAllKeysItem]:
        """The keys of all tenants, newest first, without their text.

        limit: Most rows of one page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_ALL_KEYS, {"limit": limit, "cursor": cursor}, ListAllKeysItem, options)

    def list_keys(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[ListKeysItem]:
        """The keys of a tenant, newest first, without their text.

        id: The id of the tenant
        limit: Most rows of one page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_KEYS, {"id": id, "limit": limit, "cursor": cursor}, ListKeysItem, options)

    async def create_key(
        self,
        id: str,
        *,
        name: Optional[str] = None,
        expires_at: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredCreateKeyResult:
        """Create a key for a tenant; its text is only shown once.

        id: The id of the tenant
        name: Display name
        expires_at: When the key expires, ISO 8601 UTC; default never
        """
        return await self._caller.once(routes.CREATE_KEY, {"id": id, "name": name, "expires_at": expires_at}, AnsweredCreateKeyResult, options)

    async def rotate_key(
        self,
        id: str,
        *,
        overlap_seconds: Optional[int] = None,
        expires_at: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredRotateKeyResult:
        """Replace a key with a new one of the same name and rights; the old one ends immediately or after an overlap.

        id: The id of the key, not its text
        overlap_seconds: How long the old key stays valid
        expires_at: When the key expires, ISO 8601 UTC; default never
        """
        return await self._caller.once(routes.ROTATE_KEY, {"id": id, "overlap_seconds": overlap_seconds, "expires_at": expires_at}, AnsweredRotateKeyResult, options)

    async def revoke_key(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> None:
        """Revoke a key immediately.

        id: The id of the key, not its text
        """
        await self._caller.nothing(routes.REVOKE_KEY, {"id": id}, options)

    async def list_plans(
        self,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredListPlansResult:
        """All plans and their limits."""
        return await self._caller.once(routes.LIST_PLANS, {}, AnsweredListPlansResult, options)

    def list_tenant_usage(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        tenant: Optional[str] = None,
        format: Optional[Literal["json", "csv"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[ListTenantUsageItem]:
        """Calls and credits by tenant, day and operation, for all tenants or one; also as CSV.

        from_: First day, UTC; default 30 days ago
        to: Last day, UTC; default today
        tenant: Only this tenant
        format: csv: all rows in one file, without limit and cursor
        limit: Rows of one page; default 100
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_TENANT_USAGE, {"from": from_, "to": to, "tenant": tenant, "format": format, "limit": limit, "cursor": cursor}, ListTenantUsageItem, options)

    async def download_backup(
        self,
        *,
        options: CallOptions = DEFAULT,
    ) -> AsyncFileBody:
        """A consistent backup of all data for quern restore, without the secret key."""
        return await self._caller.file(routes.DOWNLOAD_BACKUP, {}, options)

    async def get_queue(
        self,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredGetQueueResult:
        """The job queue of all tenants: depth by kind and tenant, the oldest job, and running jobs."""
        return await self._caller.once(routes.GET_QUEUE, {}, AnsweredGetQueueResult, options)

    async def list_site_health(
        self,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredListSiteHealthResult:
        """Health of the endpoints of sites, searches and answers."""
        return await self._caller.once(routes.LIST_SITE_HEALTH, {}, AnsweredListSiteHealthResult, options)

    async def list_settings(
        self,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredListSettingsResult:
        """The settings of the responding process and their sources; secrets are masked."""
        return await self._caller.once(routes.LIST_SETTINGS, {}, AnsweredListSettingsResult, options)

    async def get_instance(
        self,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredGetInstanceResult:
        """Status of the responding process: its store, its disk, and the processes on the store."""
        return await self._caller.once(routes.GET_INSTANCE, {}, AnsweredGetInstanceResult, options)

    async def get_upkeep(
        self,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredGetUpkeepResult:
        """The last run and outcome of each upkeep round of the process that answers."""
        return await self._caller.once(routes.GET_UPKEEP, {}, AnsweredGetUpkeepResult, options)

    async def run_upkeep(
        self,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredRunUpkeepResult:
        """Run upkeep now: delete expired and excess data, and release what dead processes hold."""
        return await self._caller.once(routes.RUN_UPKEEP, {}, AnsweredRunUpkeepResult, options)

    async def websearch_search(
        self,
        *,
        search: Optional[str] = None,
        geo: Optional[str] = None,
        locale: Optional[str] = None,
        domain: Optional[str] = None,
        page: Optional[int] = None,
        pages: Optional[int] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        q: Optional[str] = None,
        query: Optional[str] = None,
        country: Optional[str] = None,
        geo_location: Optional[str] = None,
        location: Optional[str] = None,
        gl: Optional[str] = None,
        language: Optional[str] = None,
        lang: Optional[str] = None,
        hl: Optional[str] = None,
        interface_language: Optional[str] = None,
        tld: Optional[str] = None,
        google_domain: Optional[str] = None,
        start_page: Optional[int] = None,
        start: Optional[int] = None,
        num_pages: Optional[int] = None,
        page_count: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredWebsearchSearchResult:
        """Search results of one engine, including ads.

        search: Search query; engines get the first 2,000 characters, or fewer if these take more than 4,000 when URL-encoded
        geo: Country to search from: ISO 3166-1 code, English name, or a place that ends with its country
        locale: Language of the interface: a tag such as de or pt-BR, or a name such as German
        domain: Top-level domain of the engine: com, de, co.uk, or google.com
        page: First page of results
        pages: Number of pages; each costs the price of one
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        q: Alias of search
        query: Alias of search
        country: Alias of geo
        geo_location: Alias of geo
        location: Alias of geo
        gl: Alias of geo
        language: Alias of locale
        lang: Alias of locale
        hl: Alias of locale
        interface_language: Alias of locale
        tld: Alias of domain
        google_domain: Alias of domain
        start_page: Alias of page
        start: Alias of page
        num_pages: Alias of pages
        page_count: Alias of pages
        """
        return await self._caller.work(routes.WEBSEARCH_SEARCH, {"search": search, "geo": geo, "locale": locale, "domain": domain, "page": page, "pages": pages, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "q": q, "query": query, "country": country, "geo_location": geo_location, "location": location, "gl": gl, "language": language, "lang": lang, "hl": hl, "interface_language": interface_language, "tld": tld, "google_domain": google_domain, "start_page": start_page, "start": start, "num_pages": num_pages, "page_count": page_count}, MeteredWebsearchSearchResult, options)

    async def serp_search(
        self,
        *,
        engine: Optional[Literal["google", "bing", "duckduckgo", "brave", "mojeek", "yandex", "baidu", "ecosia", "searxng"]] = None,
        search: Optional[str] = None,
        country: Optional[str] = None,
        language: Optional[str] = None,
        page: Optional[int] = None,
        safe: Optional[Literal["off", "moderate", "strict"]] = None,
        time_range: Optional[Literal["day", "week", "month", "year"]] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        q: Optional[str] = None,
        query: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        geo: Optional[str] = None,
        country_code: Optional[str] = None,
        gl: Optional[str] = None,
        locale: Optional[str] = None,
        lang: Optional[str] = None,
        hl: Optional[str] = None,
        safesearch: Optional[Literal["off", "moderate", "strict"]] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredSerpSearchResult:
        """One page of results of a named engine, including its side panels.

        engine: Search engine; searxng is the instance that the operator configured
        search: Search query; engines get the first 2,000 characters, or fewer if these take more than 4,000 when URL-encoded
        country: ISO 3166-1 code or English name
        language: Language of the results, if the engine supports it: a tag such as de, or a name such as German
        page: Page of results
        safe: Safe-search level, if the engine supports it
        time_range: Maximum age of results; rejected if the engine does not support it
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        q: Alias of search
        query: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        geo: Alias of country
        country_code: Alias of country
        gl: Alias of country
        locale: Alias of language
        lang: Alias of language
        hl: Alias of language
        safesearch: Alias of safe
        """
        return await self._caller.work(routes.SERP_SEARCH, {"engine": engine, "search": search, "country": country, "language": language, "page": page, "safe": safe, "time_range": time_range, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "q": q, "query": query, "keyword": keyword, "keywords": keywords, "geo": geo, "country_code": country_code, "gl": gl, "locale": locale, "lang": lang, "hl": hl, "safesearch": safesearch}, MeteredSerpSearchResult, options)

    async def appstore_app(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        country: Optional[str] = None,
        language: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        geo: Optional[str] = None,
        locale: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredAppstoreAppResult:
        """An app of either store by id or url.

        id: A number in apple, or a name such as com.example.app in play
        url: Address of the app in either store
        country: ISO 3166-1 alpha-2
        language: BCP 47
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        geo: Alias of country
        locale: Alias of language
        """
        return await self._caller.work(routes.APPSTORE_APP, {"id": id, "url": url, "country": country, "language": language, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "geo": geo, "locale": locale}, MeteredAppstoreAppResult, options)

    async def appstore_search(
        self,
        *,
        search: Optional[str] = None,
        store: Optional[Literal["apple", "play"]] = None,
        country: Optional[str] = None,
        language: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        q: Optional[str] = None,
        query: Optional[str] = None,
        term: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        per_page: Optional[int] = None,
        geo: Optional[str] = None,
        locale: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredAppstoreSearchResult:
        """Search the apps of a store.

        search: Words to search for
        store: The store to search
        country: ISO 3166-1 alpha-2
        language: BCP 47
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        q: Alias of search
        query: Alias of search
        term: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        per_page: Alias of limit
        geo: Alias of country
        locale: Alias of language
        """
        return await self._caller.work(routes.APPSTORE_SEARCH, {"search": search, "store": store, "country": country, "language": language, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "q": q, "query": query, "term": term, "keyword": keyword, "keywords": keywords, "per_page": per_page, "geo": geo, "locale": locale}, MeteredAppstoreSearchResult, options)

    async def appstore_reviews(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        country: Optional[str] = None,
        language: Optional[str] = None,
        sort: Optional[Literal["newest", "helpful"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        per_page: Optional[int] = None,
        geo: Optional[str] = None,
        locale: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredAppstoreReviewsResult:
        """Reviews of an app of either store.

        id: A number in apple, or a name such as com.example.app in play
        url: Address of the app in either store
        country: ISO 3166-1 alpha-2
        language: BCP 47
        sort: The order of the reviews
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        per_page: Alias of limit
        geo: Alias of country
        locale: Alias of language
        """
        return await self._caller.work(routes.APPSTORE_REVIEWS, {"id": id, "url": url, "country": country, "language": language, "sort": sort, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "per_page": per_page, "geo": geo, "locale": locale}, MeteredAppstoreReviewsResult, options)

    async def appstore_developer(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        country: Optional[str] = None,
        language: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        per_page: Optional[int] = None,
        geo: Optional[str] = None,
        locale: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredAppstoreDeveloperResult:
        """A developer of either store and their apps.

        id: Number of the developer, or the name that some have in play
        url: Address of the developer in either store
        country: ISO 3166-1 alpha-2
        language: BCP 47
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        per_page: Alias of limit
        geo: Alias of country
        locale: Alias of language
        """
        return await self._caller.work(routes.APPSTORE_DEVELOPER, {"id": id, "url": url, "country": country, "language": language, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "per_page": per_page, "geo": geo, "locale": locale}, MeteredAppstoreDeveloperResult, options)

    async def codehost_repo(
        self,
        *,
        full_name: Optional[str] = None,
        owner: Optional[str] = None,
        repo: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        name: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredCodehostRepoResult:
        """Public repository detail.

        full_name: Owner and name, such as octocat/hello-world
        owner: The login of the owner; requires repo
        repo: The name, together with owner; or owner/name as in full_name
        url: Address of the repository
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        name: Alias of full_name
        """
        return await self._caller.work(routes.CODEHOST_REPO, {"full_name": full_name, "owner": owner, "repo": repo, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "name": name}, MeteredCodehostRepoResult, options)

    async def codehost_repos(
        self,
        *,
        username: Optional[str] = None,
        url: Optional[str] = None,
        page: Optional[int] = None,
        type: Optional[Literal["owner", "all", "member"]] = None,
        sort: Optional[Literal["full_name", "created", "updated", "pushed"]] = None,
        direction: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        login: Optional[str] = None,
        user: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredCodehostReposResult:
        """A user's public repositories, one page per request.

        username: The login, with or without @
        url: Address of the profile
        page: Number of the page, by limit; cursor takes precedence
        type: owner: their own; member: those they contribute to; all: both
        sort: The order of the repositories
        direction: By default asc for full_name, else desc
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        login: Alias of username
        user: Alias of username
        per_page: Alias of limit
        """
        return await self._caller.work(routes.CODEHOST_REPOS, {"username": username, "url": url, "page": page, "type": type, "sort": sort, "direction": direction, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "login": login, "user": user, "per_page": per_page}, MeteredCodehostReposResult, options)

    async def codehost_user(
        self,
        *,
        username: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        login: Optional[str] = None,
        user: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredCodehostUserResult:
        """Public user profile.

        username: The login, with or without @
        url: Address of the profile
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        login: Alias of username
        user: Alias of username
        """
        return await self._caller.work(routes.CODEHOST_USER, {"username": username, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "login": login, "user": user}, MeteredCodehostUserResult, options)

    async def forum_post(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        subreddit: Optional[str] = None,
        sort: Optional[Literal["best", "top", "new", "controversial", "old", "qa"]] = None,
        comment_limit: Optional[int] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredForumPostResult:
        """A post and its top-level comments by id or url.

        id: Id of the post, `2gmzqe` or `t3_2gmzqe`; takes precedence over url
        url: Address of the post
        subreddit: Name of its community
        sort: Order of the comments
        comment_limit: Maximum number of top-level comments
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.FORUM_POST, {"id": id, "url": url, "subreddit": subreddit, "sort": sort, "comment_limit": comment_limit, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredForumPostResult, options)

    async def forum_subreddit(
        self,
        *,
        subreddit: Optional[str] = None,
        url: Optional[str] = None,
        sort: Optional[Literal["hot", "new", "top", "rising", "controversial"]] = None,
        time: Optional[Literal["hour", "day", "week", "month", "year", "all"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        name: Optional[str] = None,
        community: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredForumSubredditResult:
        """A community and its posts, one page per request.

        subreddit: Name of the community, such as `milling` or `r/milling`
        url: Address of the community
        sort: Order of the posts
        time: Period of the ranking; only for sort=top and sort=controversial
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        name: Alias of subreddit
        community: Alias of subreddit
        per_page: Alias of limit
        """
        return await self._caller.work(routes.FORUM_SUBREDDIT, {"subreddit": subreddit, "url": url, "sort": sort, "time": time, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "name": name, "community": community, "per_page": per_page}, MeteredForumSubredditResult, options)

    async def forum_user(
        self,
        *,
        username: Optional[str] = None,
        url: Optional[str] = None,
        sort: Optional[Literal["new", "hot", "top", "controversial"]] = None,
        time: Optional[Literal["hour", "day", "week", "month", "year", "all"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredForumUserResult:
        """A person's profile, posts and comments, one page per request.

        username: User name, such as `ilse_miller` or `u/ilse_miller`
        url: Address of the profile
        sort: Order of posts and comments
        time: Period of the ranking; only for sort=top and sort=controversial
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        per_page: Alias of limit
        """
        return await self._caller.work(routes.FORUM_USER, {"username": username, "url": url, "sort": sort, "time": time, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "per_page": per_page}, MeteredForumUserResult, options)

    async def homestay_search(
        self,
        *,
        location: Optional[str] = None,
        check_in: Optional[str] = None,
        check_out: Optional[str] = None,
        adults: Optional[int] = None,
        children: Optional[int] = None,
        infants: Optional[int] = None,
        pets: Optional[int] = None,
        currency: Optional[str] = None,
        locale: Optional[str] = None,
        price_min: Optional[int] = None,
        price_max: Optional[int] = None,
        place_id: Optional[str] = None,
        ne_lat: Optional[float] = None,
        ne_lng: Optional[float] = None,
        sw_lat: Optional[float] = None,
        sw_lng: Optional[float] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        search: Optional[str] = None,
        query: Optional[str] = None,
        q: Optional[str] = None,
        checkin: Optional[str] = None,
        checkout: Optional[str] = None,
        language: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredHomestaySearchResult:
        """Search homes for rent around a place, one page of results per request.

        location: Name of a place, such as Lisbon or Harrow, United Kingdom
        check_in: Day of arrival; requires check_out
        check_out: Day of departure; requires check_in
        adults: Number of adults
        children: Number of children
        infants: Number of infants
        pets: Number of pets
        currency: ISO 4217
        locale: Language of texts, BCP 47
        price_min: Minimum price per night
        price_max: Maximum price per night
        place_id: The id of the place on the site
        ne_lat: Latitude of the north-east corner of the map; requires the other three coordinates
        ne_lng: Its longitude
        sw_lat: Latitude of the south-west corner of the map
        sw_lng: Its longitude
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        search: Alias of location
        query: Alias of location
        q: Alias of location
        checkin: Alias of check_in
        checkout: Alias of check_out
        language: Alias of locale
        """
        return await self._caller.work(routes.HOMESTAY_SEARCH, {"location": location, "check_in": check_in, "check_out": check_out, "adults": adults, "children": children, "infants": infants, "pets": pets, "currency": currency, "locale": locale, "price_min": price_min, "price_max": price_max, "place_id": place_id, "ne_lat": ne_lat, "ne_lng": ne_lng, "sw_lat": sw_lat, "sw_lng": sw_lng, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "search": search, "query": query, "q": q, "checkin": checkin, "checkout": checkout, "language": language}, MeteredHomestaySearchResult, options)

    async def homestay_listing(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        check_in: Optional[str] = None,
        check_out: Optional[str] = None,
        adults: Optional[int] = None,
        children: Optional[int] = None,
        infants: Optional[int] = None,
        pets: Optional[int] = None,
        currency: Optional[str] = None,
        locale: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        checkin: Optional[str] = None,
        checkout: Optional[str] = None,
        language: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredHomestayListingResult:
        """A home for rent by id or url, with the price of a stay if its days are given.

        id: The number of the home, or its address; takes precedence over url
        url: Address of the home
        check_in: Day of arrival; requires check_out
        check_out: Day of departure; requires check_in
        adults: Number of adults
        children: Number of children
        infants: Number of infants
        pets: Number of pets
        currency: ISO 4217
        locale: Language of texts, BCP 47
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        checkin: Alias of check_in
        checkout: Alias of check_out
        language: Alias of locale
        """
        return await self._caller.work(routes.HOMESTAY_LISTING, {"id": id, "url": url, "check_in": check_in, "check_out": check_out, "adults": adults, "children": children, "infants": infants, "pets": pets, "currency": currency, "locale": locale, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "checkin": checkin, "checkout": checkout, "language": language}, MeteredHomestayListingResult, options)

    async def homestay_reviews(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        locale: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        language: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredHomestayReviewsResult:
        """Guest reviews of a home, in a browser session.

        id: The number of the home, or its address; takes precedence over url
        url: Address of the home
        locale: Language of texts, BCP 47
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        language: Alias of locale
        per_page: Alias of limit
        """
        return await self._caller.work(routes.HOMESTAY_REVIEWS, {"id": id, "url": url, "locale": locale, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "language": language, "per_page": per_page}, MeteredHomestayReviewsResult, options)

    async def jobs_d_jobs(
        self,
        *,
        keywords: Optional[str] = None,
        location: Optional[str] = None,
        radius: Optional[int] = None,
        remote: Optional[bool] = None,
        employment_type: Optional[Literal["full_time", "part_time", "contract", "third_party"]] = None,
        posted_within_days: Optional[int] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        search: Optional[str] = None,
        query: Optional[str] = None,
        q: Optional[str] = None,
        keyword: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredJobsDJobsResult:
        """Search jobs of jobs-d by keywords and place.

        keywords: Words to search for
        location: A city, region or country
        radius: Radius around `location` in miles
        remote: Only jobs that can be done from anywhere
        employment_type: Only jobs with this type of employment
        posted_within_days: 1, 3 or 7
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        search: Alias of keywords
        query: Alias of keywords
        q: Alias of keywords
        keyword: Alias of keywords
        per_page: Alias of limit
        """
        return await self._caller.work(routes.JOBS_D_JOBS, {"keywords": keywords, "location": location, "radius": radius, "remote": remote, "employment_type": employment_type, "posted_within_days": posted_within_days, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "search": search, "query": query, "q": q, "keyword": keyword, "per_page": per_page}, MeteredJobsDJobsResult, options)

    async def jobs_d_job(
        self,
        *,
        job_id: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        id: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredJobsDJobResult:
        """One job of jobs-d by its job_id or url.

        job_id: The job_id of a search result
        url: Address of the job
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        id: Alias of job_id
        """
        return await self._caller.work(routes.JOBS_D_JOB, {"job_id": job_id, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "id": id}, MeteredJobsDJobResult, options)

    async def jobs_b_jobs(
        self,
        *,
        keywords: Optional[str] = None,
        remote: Optional[bool] = None,
        posted_within_days: Optional[int] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        search: Optional[str] = None,
        query: Optional[str] = None,
        q: Optional[str] = None,
        keyword: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredJobsBJobsResult:
        """Search jobs by keywords.

        keywords: Words to search for
        remote: Only jobs that can be done from anywhere
        posted_within_days: 1, 3, 7 or 30
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        search: Alias of keywords
        query: Alias of keywords
        q: Alias of keywords
        keyword: Alias of keywords
        per_page: Alias of limit
        """
        return await self._caller.work(routes.JOBS_B_JOBS, {"keywords": keywords, "remote": remote, "posted_within_days": posted_within_days, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "search": search, "query": query, "q": q, "keyword": keyword, "per_page": per_page}, MeteredJobsBJobsResult, options)

    async def jobs_b_job(
        self,
        *,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        job_url: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredJobsBJobResult:
        """One job by its url.

        url: Address of the job, as returned by a search
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        job_url: Alias of url
        """
        return await self._caller.work(routes.JOBS_B_JOB, {"url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "job_url": job_url}, MeteredJobsBJobResult, options)

    async def jobs_s_jobs(
        self,
        *,
        keywords: Optional[str] = None,
        location: Optional[str] = None,
        radius: Optional[int] = None,
        posted_within_days: Optional[int] = None,
        sort: Optional[Literal["relevance", "date"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        search: Optional[str] = None,
        query: Optional[str] = None,
        q: Optional[str] = None,
        keyword: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredJobsSJobsResult:
        """Search jobs of jobs-s by keywords and place.

        keywords: Words to search for
        location: A city, region or country
        radius: Radius around `location` in miles
        posted_within_days: Maximum age in days
        sort: The order of the jobs
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        search: Alias of keywords
        query: Alias of keywords
        q: Alias of keywords
        keyword: Alias of keywords
        per_page: Alias of limit
        """
        return await self._caller.work(routes.JOBS_S_JOBS, {"keywords": keywords, "location": location, "radius": radius, "posted_within_days": posted_within_days, "sort": sort, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "search": search, "query": query, "q": q, "keyword": keyword, "per_page": per_page}, MeteredJobsSJobsResult, options)

    async def jobs_s_job(
        self,
        *,
        job_id: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        id: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredJobsSJobResult:
        """One job of jobs-s by its job_id or url.

        job_id: The job_id of a search result
        url: Address of the job
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        id: Alias of job_id
        """
        return await self._caller.work(routes.JOBS_S_JOB, {"job_id": job_id, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "id": id}, MeteredJobsSJobResult, options)

    async def launches_leaderboard(
        self,
        *,
        period: Optional[Literal["daily", "weekly", "monthly", "yearly"]] = None,
        date: Optional[str] = None,
        year: Optional[int] = None,
        month: Optional[int] = None,
        week: Optional[int] = None,
        day: Optional[int] = None,
        topic: Optional[str] = None,
        featured: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredLaunchesLeaderboardResult:
        """The top launches of a day, week, month or year.

        period: Period of the leaderboard
        date: Any day of the period, in Pacific time; by default today
        year: Year, instead of date; with month and day, week, or month
        month: Month; requires year
        week: ISO week; requires year
        day: Day; requires year and month
        topic: Only launches of this topic
        featured: Only launches that the site features
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.LAUNCHES_LEADERBOARD, {"period": period, "date": date, "year": year, "month": month, "week": week, "day": day, "topic": topic, "featured": featured, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredLaunchesLeaderboardResult, options)

    async def launches_product(
        self,
        *,
        slug: Optional[str] = None,
        id: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        product: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredLaunchesProductResult:
        """A product with its makers and launches.

        slug: The last segment of the product's address
        id: The number of one of its launches; takes precedence over slug and url
        url: Address of the product, or of one of its launches
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        product: Alias of slug
        """
        return await self._caller.work(routes.LAUNCHES_PRODUCT, {"slug": slug, "id": id, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "product": product}, MeteredLaunchesProductResult, options)

    async def launches_maker(
        self,
        *,
        username: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredLaunchesMakerResult:
        """A person with the products that they made.

        username: With or without @; takes precedence over url
        url: Address of the profile
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.LAUNCHES_MAKER, {"username": username, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredLaunchesMakerResult, options)

    async def microblog_profile(
        self,
        *,
        username: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        handle: Optional[str] = None,
        user: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredMicroblogProfileResult:
        """An account on a network of short posts (X, Bluesky, Mastodon).

        username: A name (harrow), a name with its domain (harrow.example), or a name at a server (harrow@mills.example)
        url: Address of the profile; username takes precedence
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        handle: Alias of username
        user: Alias of username
        """
        return await self._caller.work(routes.MICROBLOG_PROFILE, {"username": username, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "handle": handle, "user": user}, MeteredMicroblogProfileResult, options)

    async def microblog_posts(
        self,
        *,
        username: Optional[str] = None,
        url: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        handle: Optional[str] = None,
        user: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredMicroblogPostsResult:
        """The posts of an account on a network of short posts (X, Bluesky, Mastodon).

        username: A name (harrow), a name with its domain (harrow.example), or a name at a server (harrow@mills.example)
        url: Address of the profile; username takes precedence
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        handle: Alias of username
        user: Alias of username
        per_page: Alias of limit
        """
        return await self._caller.work(routes.MICROBLOG_POSTS, {"username": username, "url": url, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "handle": handle, "user": user, "per_page": per_page}, MeteredMicroblogPostsResult, options)

    async def microblog_post(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredMicroblogPostResult:
        """A short post (X, Bluesky, Mastodon).

        id: A number, an at:// URI, or the address of the post; takes precedence over url
        url: Address of the post
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.MICROBLOG_POST, {"id": id, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredMicroblogPostResult, options)

    async def microblog_search(
        self,
        *,
        search: Optional[str] = None,
        network: Optional[Literal["bluesky", "mastodon", "x"]] = None,
        sort: Optional[Literal["top", "latest"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        q: Optional[str] = None,
        query: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredMicroblogSearchResult:
        """Short posts by words or hashtags (Bluesky, Mastodon, X).

        search: Words to search for; on mastodon a single hashtag
        network: Network to search; x shows results only after login, so it often fails with target_blocked
        sort: The order of the results; mastodon always returns the latest first
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        q: Alias of search
        query: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        per_page: Alias of limit
        """
        return await self._caller.work(routes.MICROBLOG_SEARCH, {"search": search, "network": network, "sort": sort, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "q": q, "query": query, "keyword": keyword, "keywords": keywords, "per_page": per_page}, MeteredMicroblogSearchResult, options)

    async def musiccatalog_album(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        country: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        geo: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredMusiccatalogAlbumResult:
        """Album of musiccatalog with its tracklist, by id or url.

        id: The number or the address; takes precedence over url
        url: Address of the page
        country: Storefront, ISO 3166-1 code; by default that of the address, or US
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        geo: Alias of country
        """
        return await self._caller.work(routes.MUSICCATALOG_ALBUM, {"id": id, "url": url, "country": country, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "geo": geo}, MeteredMusiccatalogAlbumResult, options)

    async def musiccatalog_artist(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        country: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        geo: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredMusiccatalogArtistResult:
        """Artist detail, albums and top songs by id or url.

        id: The number or the address; takes precedence over url
        url: Address of the page
        country: Storefront, ISO 3166-1 code; by default that of the address, or US
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        geo: Alias of country
        """
        return await self._caller.work(routes.MUSICCATALOG_ARTIST, {"id": id, "url": url, "country": country, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "geo": geo}, MeteredMusiccatalogArtistResult, options)

    async def musiccatalog_search(
        self,
        *,
        search: Optional[str] = None,
        type: Optional[Sequence[Literal["song", "album", "artist", "playlist"]]] = None,
        country: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        q: Optional[str] = None,
        query: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        geo: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredMusiccatalogSearchResult:
        """Search songs, albums, artists or playlists.

        search: Words to search for
        type: Types of results; with several types, each page lists its results type by type
        country: Storefront, ISO 3166-1
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        q: Alias of search
        query: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        geo: Alias of country
        per_page: Alias of limit
        """
        return await self._caller.work(routes.MUSICCATALOG_SEARCH, {"search": search, "type": type, "country": country, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "q": q, "query": query, "keyword": keyword, "keywords": keywords, "geo": geo, "per_page": per_page}, MeteredMusiccatalogSearchResult, options)

    async def musiccatalog_track(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        country: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        geo: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredMusiccatalogTrackResult:
        """Song detail by id or url.

        id: The number or the address; takes precedence over url
        url: Address of the page
        country: Storefront, ISO 3166-1 code; by default that of the address, or US
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        geo: Alias of country
        """
        return await self._caller.work(routes.MUSICCATALOG_TRACK, {"id": id, "url": url, "country": country, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "geo": geo}, MeteredMusiccatalogTrackResult, options)

    async def musicstream_album(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        language: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        locale: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredMusicstreamAlbumResult:
        """Album of musicstream with its tracklist, by id or url.

        id: Id of 22 letters and digits, a URI or an address; takes precedence over url
        url: Address of the page
        language: Language of names and texts, BCP 47
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        locale: Alias of language
        """
        return await self._caller.work(routes.MUSICSTREAM_ALBUM, {"id": id, "url": url, "language": language, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "locale": locale}, MeteredMusicstreamAlbumResult, options)

    async def musicstream_artist(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        language: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        locale: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredMusicstreamArtistResult:
        """Artist overview by id or url.

        id: Id of 22 letters and digits, a URI or an address; takes precedence over url
        url: Address of the page
        language: Language of names and texts, BCP 47
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        locale: Alias of language
        """
        return await self._caller.work(routes.MUSICSTREAM_ARTIST, {"id": id, "url": url, "language": language, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "locale": locale}, MeteredMusicstreamArtistResult, options)

    async def musicstream_playlist(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        language: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        locale: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredMusicstreamPlaylistResult:
        """Playlist detail and its tracks, one page per request.

        id: Id of 22 letters and digits, a URI or an address; takes precedence over url
        url: Address of the page
        language: Language of names and texts, BCP 47
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        locale: Alias of language
        per_page: Alias of limit
        """
        return await self._caller.work(routes.MUSICSTREAM_PLAYLIST, {"id": id, "url": url, "language": language, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "locale": locale, "per_page": per_page}, MeteredMusicstreamPlaylistResult, options)

    async def musicstream_podcast(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        language: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        locale: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredMusicstreamPodcastResult:
        """Podcast detail and its episodes, one page per request.

        id: Id of 22 letters and digits, a URI or an address; takes precedence over url
        url: Address of the page
        language: Language of names and texts, BCP 47
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        locale: Alias of language
        per_page: Alias of limit
        """
        return await self._caller.work(routes.MUSICSTREAM_PODCAST, {"id": id, "url": url, "language": language, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "locale": locale, "per_page": per_page}, MeteredMusicstreamPodcastResult, options)

    async def musicstream_search(
        self,
        *,
        search: Optional[str] = None,
        type: Optional[Sequence[Literal["track", "artist", "album", "playlist", "podcast", "episode"]]] = None,
        language: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        q: Optional[str] = None,
        query: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        locale: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredMusicstreamSearchResult:
        """Search tracks, artists, albums, playlists, podcasts and episodes.

        search: Words to search for
        type: Types of results; each has its own list
        language: Language of names and texts, BCP 47
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        q: Alias of search
        query: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        locale: Alias of language
        per_page: Alias of limit
        """
        return await self._caller.work(routes.MUSICSTREAM_SEARCH, {"search": search, "type": type, "language": language, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "q": q, "query": query, "keyword": keyword, "keywords": keywords, "locale": locale, "per_page": per_page}, MeteredMusicstreamSearchResult, options)

    async def musicstream_track(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        language: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        locale: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredMusicstreamTrackResult:
        """Track detail by id or url.

        id: Id of 22 letters and digits, a URI or an address; takes precedence over url
        url: Address of the page
        language: Language of names and texts, BCP 47
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        locale: Alias of language
        """
        return await self._caller.work(routes.MUSICSTREAM_TRACK, {"id": id, "url": url, "language": language, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "locale": locale}, MeteredMusicstreamTrackResult, options)

    async def pinboard_profile(
        self,
        *,
        username: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredPinboardProfileResult:
        """An account by username or url.

        username: The name in the address of the account, with or without @
        url: Address of the account
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.PINBOARD_PROFILE, {"username": username, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredPinboardProfileResult, options)

    async def pinboard_pins(
        self,
        *,
        username: Optional[str] = None,
        url: Optional[str] = None,
        type: Optional[Literal["created", "saved"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredPinboardPinsResult:
        """Pins of an account.

        username: The name in the address of the account, with or without @
        url: Address of the account
        type: Pins that the account created, or all pins on its boards
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        per_page: Alias of limit
        """
        return await self._caller.work(routes.PINBOARD_PINS, {"username": username, "url": url, "type": type, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "per_page": per_page}, MeteredPinboardPinsResult, options)

    async def pinboard_pin(
        self,
        *,
        url: Optional[str] = None,
        id: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredPinboardPinResult:
        """One pin by its url or id.

        url: Address of the pin, short or full
        id: Number of the pin
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.PINBOARD_PIN, {"url": url, "id": id, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredPinboardPinResult, options)

    async def pinboard_search(
        self,
        *,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        q: Optional[str] = None,
        query: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredPinboardSearchResult:
        """Search pins by keyword.

        search: Words to search for
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        q: Alias of search
        query: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        per_page: Alias of limit
        """
        return await self._caller.work(routes.PINBOARD_SEARCH, {"search": search, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "q": q, "query": query, "keyword": keyword, "keywords": keywords, "per_page": per_page}, MeteredPinboardSearchResult, options)

    async def retail_search(
        self,
        *,
        search: Optional[str] = None,
        url: Optional[str] = None,
        page: Optional[int] = None,
        sort: Optional[Literal["relevance", "featured", "price_asc", "price_desc", "rating", "bestselling", "newest"]] = None,
        store_id: Optional[str] = None,
        zip: Optional[str] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        q: Optional[str] = None,
        query: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredRetailSearchResult:
        """Products of a chain of shops by words, or of a category by its address.

        search: Words to search for at the first chain
        url: Address of a category of the furniture chain, instead of search
        page: Number of the result page
        sort: The order of the products
        store_id: The number of a store, as returned by /stores
        zip: ZIP code of the buyer
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        q: Alias of search
        query: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        """
        return await self._caller.work(routes.RETAIL_SEARCH, {"search": search, "url": url, "page": page, "sort": sort, "store_id": store_id, "zip": zip, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "q": q, "query": query, "keyword": keyword, "keywords": keywords}, MeteredRetailSearchResult, options)

    async def retail_product(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        store_id: Optional[str] = None,
        zip: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredRetailProductResult:
        """A product of a chain of shops, by its number or address.

        id: The number of a product of the first chain, or an address; takes precedence over url
        url: Address of a product of any of the chains
        store_id: The number of a store, as returned by /stores
        zip: ZIP code of the buyer
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.RETAIL_PRODUCT, {"id": id, "url": url, "store_id": store_id, "zip": zip, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredRetailProductResult, options)

    async def retail_stores(
        self,
        *,
        query: Optional[str] = None,
        zip: Optional[str] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredRetailStoresResult:
        """The stores of a chain around a place, nearest first.

        query: City, region or address to search around
        zip: ZIP code of the buyer
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.RETAIL_STORES, {"query": query, "zip": zip, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredRetailStoresResult, options)

    async def retail_availability(
        self,
        id: str,
        *,
        store_id: Optional[str] = None,
        zip: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredRetailAvailabilityResult:
        """Whether a product is in stock: shipped, or picked up at a store.

        id: The number of the product, or its address
        store_id: The number of a store, as returned by /stores
        zip: ZIP code of the buyer
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.RETAIL_AVAILABILITY, {"id": id, "store_id": store_id, "zip": zip, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredRetailAvailabilityResult, options)

    async def shop_a_product(
        self,
        *,
        asin: Optional[str] = None,
        url: Optional[str] = None,
        domain: Optional[Literal["com", "co.uk", "de", "fr", "it", "es", "co.jp", "ca", "com.au", "in", "com.mx", "com.br", "nl", "se", "pl", "com.tr", "ae", "sa", "sg", "eg", "com.be"]] = None,
        language: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        id: Optional[str] = None,
        product_code: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredShopAProductResult:
        """A product by product code or URL.

        asin: Product code of ten characters; takes precedence over url
        url: Address of the product
        domain: Marketplace; by default that of url, or com
        language: Language of the page, if the marketplace supports it
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        id: Alias of asin
        product_code: Alias of asin
        """
        return await self._caller.work(routes.SHOP_A_PRODUCT, {"asin": asin, "url": url, "domain": domain, "language": language, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "id": id, "product_code": product_code}, MeteredShopAProductResult, options)

    async def shop_a_pricing(
        self,
        *,
        asin: Optional[str] = None,
        url: Optional[str] = None,
        domain: Optional[Literal["com", "co.uk", "de", "fr", "it", "es", "co.jp", "ca", "com.au", "in", "com.mx", "com.br", "nl", "se", "pl", "com.tr", "ae", "sa", "sg", "eg", "com.be"]] = None,
        language: Optional[str] = None,
        condition: Optional[Literal["any", "new", "used"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        id: Optional[str] = None,
        product_code: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredShopAPricingResult:
        """The current offers of a product.

        asin: Product code of ten characters; takes precedence over url
        url: Address of the product
        domain: Marketplace; by default that of url, or com
        language: Language of the page, if the marketplace supports it
        condition: Only offers in that state
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        id: Alias of asin
        product_code: Alias of asin
        """
        return await self._caller.work(routes.SHOP_A_PRICING, {"asin": asin, "url": url, "domain": domain, "language": language, "condition": condition, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "id": id, "product_code": product_code}, MeteredShopAPricingResult, options)

    async def shop_a_search(
        self,
        *,
        search: Optional[str] = None,
        domain: Optional[Literal["com", "co.uk", "de", "fr", "it", "es", "co.jp", "ca", "com.au", "in", "com.mx", "com.br", "nl", "se", "pl", "com.tr", "ae", "sa", "sg", "eg", "com.be"]] = None,
        page: Optional[int] = None,
        sort: Optional[Literal["relevance", "price_asc", "price_desc", "rating", "newest", "bestselling"]] = None,
        min_price: Optional[float] = None,
        max_price: Optional[float] = None,
        category: Optional[str] = None,
        language: Optional[str] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        query: Optional[str] = None,
        q: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredShopASearchResult:
        """Search products.

        search: Words to search for
        domain: Marketplace
        page: Number of the result page; cursor takes precedence
        sort: The order of the results
        min_price: At least, in the shop's currency
        max_price: At most, in the shop's currency
        category: Department, as in the site's addresses
        language: Language of the page, if the marketplace supports it
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        query: Alias of search
        q: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        """
        return await self._caller.work(routes.SHOP_A_SEARCH, {"search": search, "domain": domain, "page": page, "sort": sort, "min_price": min_price, "max_price": max_price, "category": category, "language": language, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "query": query, "q": q, "keyword": keyword, "keywords": keywords}, MeteredShopASearchResult, options)

    async def shop_w_product(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredShopWProductResult:
        """A product by its number or address.

        id: The number of the product; takes precedence over url
        url: Address of the product
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.SHOP_W_PRODUCT, {"id": id, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredShopWProductResult, options)

    async def shortvideo_profile(
        self,
        *,
        username: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        handle: Optional[str] = None,
        user: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredShortvideoProfileResult:
        """A profile by username or url.

        username: With or without @; takes precedence over url
        url: Address of the profile
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        handle: Alias of username
        user: Alias of username
        """
        return await self._caller.work(routes.SHORTVIDEO_PROFILE, {"username": username, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "handle": handle, "user": user}, MeteredShortvideoProfileResult, options)

    async def shortvideo_videos(
        self,
        *,
        username: Optional[str] = None,
        url: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        handle: Optional[str] = None,
        user: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredShortvideoVideosResult:
        """The short videos of a profile, in a browser session.

        username: With or without @; takes precedence over url
        url: Address of the profile
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        handle: Alias of username
        user: Alias of username
        per_page: Alias of limit
        """
        return await self._caller.work(routes.SHORTVIDEO_VIDEOS, {"username": username, "url": url, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "handle": handle, "user": user, "per_page": per_page}, MeteredShortvideoVideosResult, options)

    async def shortvideo_video(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredShortvideoVideoResult:
        """A short video by id or url.

        id: The number of the video, or its address; takes precedence over url
        url: Address of the video
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.SHORTVIDEO_VIDEO, {"id": id, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredShortvideoVideoResult, options)

    async def shortvideo_comments(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredShortvideoCommentsResult:
        """The comments on a short video, in a browser session.

        id: The number of the video, or its address; takes precedence over url
        url: Address of the video
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        per_page: Alias of limit
        """
        return await self._caller.work(routes.SHORTVIDEO_COMMENTS, {"id": id, "url": url, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "per_page": per_page}, MeteredShortvideoCommentsResult, options)

    async def shortvideo_search(
        self,
        *,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        q: Optional[str] = None,
        query: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredShortvideoSearchResult:
        """Search short videos, in a browser session.

        search: Words to search for
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        q: Alias of search
        query: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        per_page: Alias of limit
        """
        return await self._caller.work(routes.SHORTVIDEO_SEARCH, {"search": search, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "q": q, "query": query, "keyword": keyword, "keywords": keywords, "per_page": per_page}, MeteredShortvideoSearchResult, options)

    async def shortvideo_hashtag(
        self,
        *,
        hashtag: Optional[str] = None,
        url: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        name: Optional[str] = None,
        tag: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredShortvideoHashtagResult:
        """A hashtag and its short videos, in a browser session.

        hashtag: With or without #; takes precedence over url
        url: Address of the hashtag
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        name: Alias of hashtag
        tag: Alias of hashtag
        per_page: Alias of limit
        """
        return await self._caller.work(routes.SHORTVIDEO_HASHTAG, {"hashtag": hashtag, "url": url, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "name": name, "tag": tag, "per_page": per_page}, MeteredShortvideoHashtagResult, options)

    async def socialnet_event(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> SocialnetEventResult:
        """An event by id or url, with its date and place.

        id: Number of the event; takes precedence over url
        url: Address of the event
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.SOCIALNET_EVENT, {"id": id, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, SocialnetEventResult, options)

    async def socialnet_events_search(
        self,
        *,
        search: Optional[str] = None,
        location: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        query: Optional[str] = None,
        q: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredSocialnetEventsSearchResult:
        """Public events by words and place.

        search: Words to search for
        location: A place to search for together with the words
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        query: Alias of search
        q: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        per_page: Alias of limit
        """
        return await self._caller.work(routes.SOCIALNET_EVENTS_SEARCH, {"search": search, "location": location, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "query": query, "q": q, "keyword": keyword, "keywords": keywords, "per_page": per_page}, MeteredSocialnetEventsSearchResult, options)

    async def socialnet_marketplace_item(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredSocialnetMarketplaceItemResult:
        """A marketplace listing by id or url.

        id: Number of the listing; takes precedence over url
        url: Address of the listing
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.SOCIALNET_MARKETPLACE_ITEM, {"id": id, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredSocialnetMarketplaceItemResult, options)

    async def socialnet_marketplace_search(
        self,
        *,
        search: Optional[str] = None,
        location: Optional[str] = None,
        latitude: Optional[float] = None,
        longitude: Optional[float] = None,
        radius_km: Optional[int] = None,
        min_price: Optional[float] = None,
        max_price: Optional[float] = None,
        condition: Optional[Sequence[Literal["new", "used_like_new", "used_good", "used_fair"]]] = None,
        days_listed: Optional[Literal[1, 7, 30]] = None,
        delivery: Optional[Literal["local", "shipping", "all"]] = None,
        sort: Optional[Literal["best", "newest", "price_asc", "price_desc", "distance"]] = None,
        exact: Optional[bool] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        query: Optional[str] = None,
        q: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredSocialnetMarketplaceSearchResult:
        """Things for sale on the marketplace, new or used: listings by words, place and filters.

        search: Words to search for
        location: Short name or number of a place on the site, such as houston; by default the site chooses one by the IP address
        latitude: Latitude of the place; requires longitude
        longitude: Longitude of the place; requires latitude
        radius_km: Radius around the place
        min_price: In whole units of the currency of the place
        max_price: In whole units of the currency of the place
        condition: Only listings in one of these states
        days_listed: Listed within that many days
        delivery: Local pickup, shipping or both
        sort: The order of the listings
        exact: Only listings with exactly these words
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        query: Alias of search
        q: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        per_page: Alias of limit
        """
        return await self._caller.work(routes.SOCIALNET_MARKETPLACE_SEARCH, {"search": search, "location": location, "latitude": latitude, "longitude": longitude, "radius_km": radius_km, "min_price": min_price, "max_price": max_price, "condition": condition, "days_listed": days_listed, "delivery": delivery, "sort": sort, "exact": exact, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "query": query, "q": q, "keyword": keyword, "keywords": keywords, "per_page": per_page}, MeteredSocialnetMarketplaceSearchResult, options)

    async def socialnet_page(
        self,
        *,
        id: Optional[str] = None,
        username: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        handle: Optional[str] = None,
        page: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredSocialnetPageResult:
        """A public page by username, id or url.

        id: Number of the page; takes precedence over the other parameters
        username: The last segment of its address, with or without @; takes precedence over url
        url: Address of the page
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        handle: Alias of username
        page: Alias of username
        """
        return await self._caller.work(routes.SOCIALNET_PAGE, {"id": id, "username": username, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "handle": handle, "page": page}, MeteredSocialnetPageResult, options)

    async def socialnet_posts(
        self,
        *,
        id: Optional[str] = None,
        username: Optional[str] = None,
        url: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        handle: Optional[str] = None,
        page: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredSocialnetPostsResult:
        """A page's most recent posts.

        id: Number of the page; takes precedence over the other parameters
        username: The last segment of its address, with or without @; takes precedence over url
        url: Address of the page
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        handle: Alias of username
        page: Alias of username
        per_page: Alias of limit
        """
        return await self._caller.work(routes.SOCIALNET_POSTS, {"id": id, "username": username, "url": url, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "handle": handle, "page": page, "per_page": per_page}, MeteredSocialnetPostsResult, options)

    async def socialnet_photos(
        self,
        *,
        id: Optional[str] = None,
        username: Optional[str] = None,
        url: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        handle: Optional[str] = None,
        page: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredSocialnetPhotosResult:
        """A page's photo grid.

        id: Number of the page; takes precedence over the other parameters
        username: The last segment of its address, with or without @; takes precedence over url
        url: Address of the page
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        handle: Alias of username
        page: Alias of username
        per_page: Alias of limit
        """
        return await self._caller.work(routes.SOCIALNET_PHOTOS, {"id": id, "username": username, "url": url, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "handle": handle, "page": page, "per_page": per_page}, MeteredSocialnetPhotosResult, options)

    async def socialnet_reels(
        self,
        *,
        id: Optional[str] = None,
        username: Optional[str] = None,
        url: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        handle: Optional[str] = None,
        page: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredSocialnetReelsResult:
        """A page's reels.

        id: Number of the page; takes precedence over the other parameters
        username: The last segment of its address, with or without @; takes precedence over url
        url: Address of the page
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        handle: Alias of username
        page: Alias of username
        per_page: Alias of limit
        """
        return await self._caller.work(routes.SOCIALNET_REELS, {"id": id, "username": username, "url": url, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "handle": handle, "page": page, "per_page": per_page}, MeteredSocialnetReelsResult, options)

    async def socialnet_post(
        self,
        url: str,
        *,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredSocialnetPostResult:
        """A post, photo, video or reel by permalink.

        url: Address of the post
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.SOCIALNET_POST, {"url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredSocialnetPostResult, options)

    async def socialnet_group(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredSocialnetGroupResult:
        """A public group by id or url.

        id: Number of the group, or the name in its address; takes precedence over url
        url: Address of the group
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.SOCIALNET_GROUP, {"id": id, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredSocialnetGroupResult, options)

    async def socialnet_group_posts(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        sort: Optional[Literal["recent", "top"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredSocialnetGroupPostsResult:
        """A group's most recent posts.

        id: Number of the group, or the name in its address; takes precedence over url
        url: Address of the group
        sort: By time, or by the site's own ranking
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        per_page: Alias of limit
        """
        return await self._caller.work(routes.SOCIALNET_GROUP_POSTS, {"id": id, "url": url, "sort": sort, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "per_page": per_page}, MeteredSocialnetGroupPostsResult, options)

    async def socialnet_ad_library_ad(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        ad_archive_id: Optional[str] = None,
        archive_id: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredSocialnetAdLibraryAdResult:
        """A single ad of the ad library by its archive id, in a browser session.

        id: Number of the ad in the library; takes precedence over url
        url: Address of the ad in the library
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        ad_archive_id: Alias of id
        archive_id: Alias of id
        """
        return await self._caller.work(routes.SOCIALNET_AD_LIBRARY_AD, {"id": id, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "ad_archive_id": ad_archive_id, "archive_id": archive_id}, MeteredSocialnetAdLibraryAdResult, options)

    async def socialnet_ad_library_search_ads(
        self,
        *,
        search: Optional[str] = None,
        search_type: Optional[Literal["keyword_unordered", "keyword_exact_phrase"]] = None,
        active_status: Optional[Literal["active", "inactive", "all"]] = None,
        country: Optional[str] = None,
        ad_type: Optional[Literal["all", "political_and_issue_ads"]] = None,
        media_type: Optional[Literal["all", "image", "video", "meme", "none"]] = None,
        platforms: Optional[Sequence[Literal["facebook", "instagram", "messenger", "audience_network", "whatsapp", "threads"]]] = None,
        languages: Optional[Sequence[str]] = None,
        start_date_min: Optional[str] = None,
        start_date_max: Optional[str] = None,
        sort: Optional[Literal["total_impressions", "relevancy_monthly_grouped"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        query: Optional[str] = None,
        q: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredSocialnetAdLibrarySearchAdsResult:
        """Advertisements of the ad library by words and filters, in a browser session.

        search: Words to search for
        search_type: Whether the words may be in any order, or must match as a phrase
        active_status: Whether the ads are still shown
        country: ISO 3166-1 code of the country where the ads are shown, or ALL
        ad_type: Only ads of this kind
        media_type: Only ads with this kind of media
        platforms: Only ads on one of these platforms
        languages: ISO 639 codes of the language of the text
        start_date_min: First shown on this day or later
        start_date_max: First shown on this day or earlier
        sort: The order of the ads
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        query: Alias of search
        q: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        per_page: Alias of limit
        """
        return await self._caller.work(routes.SOCIALNET_AD_LIBRARY_SEARCH_ADS, {"search": search, "search_type": search_type, "active_status": active_status, "country": country, "ad_type": ad_type, "media_type": media_type, "platforms": platforms, "languages": languages, "start_date_min": start_date_min, "start_date_max": start_date_max, "sort": sort, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "query": query, "q": q, "keyword": keyword, "keywords": keywords, "per_page": per_page}, MeteredSocialnetAdLibrarySearchAdsResult, options)

    async def socialnet_ad_library_company_ads(
        self,
        *,
        page_id: Optional[str] = None,
        url: Optional[str] = None,
        active_status: Optional[Literal["active", "inactive", "all"]] = None,
        country: Optional[str] = None,
        ad_type: Optional[Literal["all", "political_and_issue_ads"]] = None,
        media_type: Optional[Literal["all", "image", "video", "meme", "none"]] = None,
        platforms: Optional[Sequence[Literal["facebook", "instagram", "messenger", "audience_network", "whatsapp", "threads"]]] = None,
        languages: Optional[Sequence[str]] = None,
        start_date_min: Optional[str] = None,
        start_date_max: Optional[str] = None,
        sort: Optional[Literal["total_impressions", "relevancy_monthly_grouped"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        id: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredSocialnetAdLibraryCompanyAdsResult:
        """Every ad that one advertiser has run, in a browser session.

        page_id: Number of the advertiser's page; takes precedence over url
        url: Address of the advertiser's page
        active_status: Whether the ads are still shown
        country: ISO 3166-1 code of the country where the ads are shown, or ALL
        ad_type: Only ads of this kind
        media_type: Only ads with this kind of media
        platforms: Only ads on one of these platforms
        languages: ISO 639 codes of the language of the text
        start_date_min: First shown on this day or later
        start_date_max: First shown on this day or earlier
        sort: The order of the ads
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        id: Alias of page_id
        per_page: Alias of limit
        """
        return await self._caller.work(routes.SOCIALNET_AD_LIBRARY_COMPANY_ADS, {"page_id": page_id, "url": url, "active_status": active_status, "country": country, "ad_type": ad_type, "media_type": media_type, "platforms": platforms, "languages": languages, "start_date_min": start_date_min, "start_date_max": start_date_max, "sort": sort, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "id": id, "per_page": per_page}, MeteredSocialnetAdLibraryCompanyAdsResult, options)

    async def technews_front(
        self,
        *,
        list: Optional[Literal["top", "new", "best", "ask", "show", "job"]] = None,
        page: Optional[int] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredTechnewsFrontResult:
        """A list of stories: top, new, best, ask, show or jobs.

        list: List of the forum
        page: Number of the page, with 30 stories each; cursor takes precedence
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        per_page: Alias of limit
        """
        return await self._caller.work(routes.TECHNEWS_FRONT, {"list": list, "page": page, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "per_page": per_page}, MeteredTechnewsFrontResult, options)

    async def technews_item(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        depth: Optional[int] = None,
        comment_limit: Optional[int] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredTechnewsItemResult:
        """A story, comment, job or poll with the comments below it.

        id: The number of a story, comment, job or poll
        url: Address of the item
        depth: Maximum depth of replies; 0 for no comments
        comment_limit: Maximum number of comments
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.TECHNEWS_ITEM, {"id": id, "url": url, "depth": depth, "comment_limit": comment_limit, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredTechnewsItemResult, options)

    async def technews_user(
        self,
        *,
        username: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        id: Optional[str] = None,
        login: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredTechnewsUserResult:
        """A person of the forum by name or url.

        username: The user name, which is case-sensitive
        url: Address of the profile
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        id: Alias of username
        login: Alias of username
        """
        return await self._caller.work(routes.TECHNEWS_USER, {"username": username, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "id": id, "login": login}, MeteredTechnewsUserResult, options)

    async def technews_search(
        self,
        *,
        search: Optional[str] = None,
        sort: Optional[Literal["relevance", "date"]] = None,
        tags: Optional[Literal["story", "comment", "poll", "job", "ask_hn", "show_hn", "front_page"]] = None,
        author: Optional[str] = None,
        page: Optional[int] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        q: Optional[str] = None,
        query: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredTechnewsSearchResult:
        """Search stories and comments.

        search: Words to search for
        sort: The order of the results
        tags: Type of results; by default all
        author: User name of the author
        page: Number of the page, by limit; cursor takes precedence
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        q: Alias of search
        query: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        per_page: Alias of limit
        """
        return await self._caller.work(routes.TECHNEWS_SEARCH, {"search": search, "sort": sort, "tags": tags, "author": author, "page": page, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "q": q, "query": query, "keyword": keyword, "keywords": keywords, "per_page": per_page}, MeteredTechnewsSearchResult, options)

    async def vehicles_search(
        self,
        *,
        make: Optional[str] = None,
        model: Optional[str] = None,
        search: Optional[str] = None,
        country: Optional[Literal["DE", "AT", "BE", "ES", "FR", "IT", "LU", "NL"]] = None,
        zip: Optional[str] = None,
        radius: Optional[int] = None,
        price_min: Optional[int] = None,
        price_max: Optional[int] = None,
        year_min: Optional[int] = None,
        year_max: Optional[int] = None,
        mileage_max: Optional[int] = None,
        fuel: Optional[Literal["gasoline", "diesel", "electric", "hybrid", "diesel_hybrid", "lpg", "cng", "hydrogen", "ethanol", "other"]] = None,
        transmission: Optional[Literal["automatic", "manual", "semi_automatic"]] = None,
        condition: Optional[Literal["new", "used"]] = None,
        sort: Optional[Literal["standard", "price_asc", "price_desc", "mileage_asc", "mileage_desc", "year_asc", "year_desc", "newest"]] = None,
        page: Optional[int] = None,
        url: Optional[str] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        q: Optional[str] = None,
        query: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        geo: Optional[Literal["DE", "AT", "BE", "ES", "FR", "IT", "LU", "NL"]] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredVehiclesSearchResult:
        """Search new and used cars for sale, one page of results per request.

        make: Make, such as volkswagen or mercedes-benz
        model: Model, such as golf; requires make
        search: Words of the version, such as gti; requires make
        country: Country of the offer; by default all
        zip: Postal code of the place to search around
        radius: Kilometres around zip
        price_min: Minimum price
        price_max: Maximum price
        year_min: Earliest year of registration
        year_max: Latest year of registration
        mileage_max: Maximum mileage in kilometres
        fuel: Fuel
        transmission: Transmission
        condition: Condition
        sort: The order of the offers
        page: Number of the result page
        url: Address of a result page, instead of all other parameters but page
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        q: Alias of search
        query: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        geo: Alias of country
        """
        return await self._caller.work(routes.VEHICLES_SEARCH, {"make": make, "model": model, "search": search, "country": country, "zip": zip, "radius": radius, "price_min": price_min, "price_max": price_max, "year_min": year_min, "year_max": year_max, "mileage_max": mileage_max, "fuel": fuel, "transmission": transmission, "condition": condition, "sort": sort, "page": page, "url": url, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "q": q, "query": query, "keyword": keyword, "keywords": keywords, "geo": geo}, MeteredVehiclesSearchResult, options)

    async def vehicles_vehicle(
        self,
        *,
        id: Optional[str] = None,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredVehiclesVehicleResult:
        """A vehicle for sale by id or url.

        id: The id of the offer, or its address; takes precedence over url
        url: Address of the offer
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.VEHICLES_VEHICLE, {"id": id, "url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredVehiclesVehicleResult, options)

    async def video_videos(
        self,
        video_id: str,
        *,
        country: Optional[str] = None,
        language: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        geo: Optional[str] = None,
        locale: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredVideoVideosResult:
        """Metadata of one video.

        video_id: Id of eleven characters, or the address of the video
        country: Country of the viewer, ISO 3166-1 code
        language: Language of texts, BCP 47
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        geo: Alias of country
        locale: Alias of language
        """
        return await self._caller.work(routes.VIDEO_VIDEOS, {"video_id": video_id, "country": country, "language": language, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "geo": geo, "locale": locale}, MeteredVideoVideosResult, options)

    async def video_search(
        self,
        *,
        _360: Optional[bool] = None,
        search: Optional[str] = None,
        type: Optional[Literal["video", "channel", "playlist", "short", "all"]] = None,
        upload_date: Optional[Literal["today", "week", "month", "year"]] = None,
        duration: Optional[Literal["short", "medium", "long"]] = None,
        sort_by: Optional[Literal["relevance", "popularity", "upload_date", "rating"]] = None,
        live: Optional[bool] = None,
        hd: Optional[bool] = None,
        _4k: Optional[bool] = None,
        hdr: Optional[bool] = None,
        vr180: Optional[bool] = None,
        _3d: Optional[bool] = None,
        subtitles: Optional[bool] = None,
        creative_commons: Optional[bool] = None,
        location: Optional[bool] = None,
        purchased: Optional[bool] = None,
        country: Optional[str] = None,
        language: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        q: Optional[str] = None,
        query: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        geo: Optional[str] = None,
        locale: Optional[str] = None,
        per_page: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredVideoSearchResult:
        """Search videos, channels, playlists or shorts.

        _360: Only videos in 360 degrees
        search: Words to search for
        type: Type of results
        upload_date: Maximum age
        duration: short: under 3 minutes; medium: 3 to 20 minutes; long: over 20 minutes
        sort_by: The site sorts by relevance and popularity; by upload_date each page is sorted by itself, rating is not available
        live: Only live videos
        hd: Only high definition
        _4k: Only 4K
        hdr: Only HDR
        vr180: Only VR180
        _3d: Only 3D
        subtitles: Only videos with subtitles
        creative_commons: Only videos under a Creative Commons licence
        location: Only videos with a location
        purchased: Only purchased videos
        country: Country of the viewer, ISO 3166-1 code
        language: Language of texts, BCP 47
        limit: Most elements to return
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        q: Alias of search
        query: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        geo: Alias of country
        locale: Alias of language
        per_page: Alias of limit
        """
        return await self._caller.work(routes.VIDEO_SEARCH, {"360": _360, "search": search, "type": type, "upload_date": upload_date, "duration": duration, "sort_by": sort_by, "live": live, "hd": hd, "4k": _4k, "hdr": hdr, "vr180": vr180, "3d": _3d, "subtitles": subtitles, "creative_commons": creative_commons, "location": location, "purchased": purchased, "country": country, "language": language, "limit": limit, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "q": q, "query": query, "keyword": keyword, "keywords": keywords, "geo": geo, "locale": locale, "per_page": per_page}, MeteredVideoSearchResult, options)

    async def video_subtitles(
        self,
        *,
        video_id: Optional[str] = None,
        language: Optional[str] = None,
        origin: Optional[Literal["uploader_provided", "auto_generated", "any"]] = None,
        translate_to: Optional[str] = None,
        format: Optional[Literal["segments", "text", "srt", "vtt"]] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        id: Optional[str] = None,
        url: Optional[str] = None,
        language_code: Optional[str] = None,
        lang: Optional[str] = None,
        subtitle_origin: Optional[Literal["uploader_provided", "auto_generated", "any"]] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredVideoSubtitlesResult:
        """Subtitles of one video with their times, as plain text or as a file.

        video_id: Id of eleven characters, or the address of the video
        language: Language of the subtitles, BCP 47; otherwise the first of the uploader, else those made by the site
        origin: Origin of the subtitles; any prefers those of the uploader
        translate_to: Language to translate them to, by the site
        format: Format in addition to the plain text: segments with their times, none, or a subtitle file
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        id: Alias of video_id
        url: Alias of video_id
        language_code: Alias of language
        lang: Alias of language
        subtitle_origin: Alias of origin
        """
        return await self._caller.work(routes.VIDEO_SUBTITLES, {"video_id": video_id, "language": language, "origin": origin, "translate_to": translate_to, "format": format, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "id": id, "url": url, "language_code": language_code, "lang": lang, "subtitle_origin": subtitle_origin}, MeteredVideoSubtitlesResult, options)

    async def video_alt_search(
        self,
        *,
        search: Optional[str] = None,
        type: Optional[Literal["video", "short", "all"]] = None,
        sort: Optional[Literal["relevance", "newest", "views"]] = None,
        date: Optional[Literal["today", "week", "month", "year"]] = None,
        duration: Optional[Literal["short", "long"]] = None,
        license: Optional[Literal["now"]] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        q: Optional[str] = None,
        query: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        sort_by: Optional[Literal["relevance", "newest", "views"]] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredVideoAltSearchResult:
        """Search videos and shorts.

        search: Words to search for
        type: Type of results; others are removed from each page
        sort: The order of the videos
        date: Maximum age
        duration: Only videos of this length
        license: Only videos that can be licensed immediately
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        q: Alias of search
        query: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        sort_by: Alias of sort
        """
        return await self._caller.work(routes.VIDEO_ALT_SEARCH, {"search": search, "type": type, "sort": sort, "date": date, "duration": duration, "license": license, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "q": q, "query": query, "keyword": keyword, "keywords": keywords, "sort_by": sort_by}, MeteredVideoAltSearchResult, options)

    async def video_alt_channel_videos(
        self,
        *,
        channel: Optional[str] = None,
        url: Optional[str] = None,
        type: Optional[Literal["video", "short", "livestream", "all"]] = None,
        cursor: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredVideoAltChannelVideosResult:
        """A channel and its videos, one page per request.

        channel: Name in the address, also as @name, c/name or user/name; takes precedence over url
        url: Address of the channel
        type: List of the channel
        cursor: next_cursor of the previous response, with the same parameters
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return await self._caller.work(routes.VIDEO_ALT_CHANNEL_VIDEOS, {"channel": channel, "url": url, "type": type, "cursor": cursor, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms}, MeteredVideoAltChannelVideosResult, options)

    async def video_alt_video(
        self,
        *,
        url: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        id: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> MeteredVideoAltVideoResult:
        """One video or short by its url.

        url: Address of a video, a short or an embedded player, or the id of a video
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        id: Alias of url
        """
        return await self._caller.work(routes.VIDEO_ALT_VIDEO, {"url": url, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "id": id}, MeteredVideoAltVideoResult, options)

    def launches_leaderboard_crawl(
        self,
        *,
        period: Optional[Literal["daily", "weekly", "monthly", "yearly"]] = None,
        date: Optional[str] = None,
        year: Optional[int] = None,
        month: Optional[int] = None,
        week: Optional[int] = None,
        day: Optional[int] = None,
        topic: Optional[str] = None,
        featured: Optional[bool] = None,
        max_results: Optional[int] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        on_progress: Optional[OnProgress] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncJobRun[MeteredLaunchesLeaderboardCrawlResult, LaunchesLeaderboardCrawlItem]:
        """All launches of a day, week, month or year, as a job.

        period: Period of the leaderboard
        date: Any day of the period, in Pacific time; by default today
        year: Year, instead of date; with month and day, week, or month
        month: Month; requires year
        week: ISO week; requires year
        day: Day; requires year and month
        topic: Only launches of this topic
        featured: Only launches that the site features
        max_results: Most elements to return
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        """
        return AsyncJobRun(
            self._caller,
            routes.LAUNCHES_LEADERBOARD_CRAWL,
            (MeteredLaunchesLeaderboardCrawlResult, LaunchesLeaderboardCrawlItem),
            order={"kind": "launches.leaderboard.crawl", "input": given({"period": period, "date": date, "year": year, "month": month, "week": week, "day": day, "topic": topic, "featured": featured, "max_results": max_results, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms})},
            on_progress=on_progress,
            options=options,
        )

    def resume_launches_leaderboard_crawl(
        self,
        job_id: str,
        *,
        cursor: Optional[str] = None,
        on_progress: Optional[OnProgress] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncJobRun[MeteredLaunchesLeaderboardCrawlResult, LaunchesLeaderboardCrawlItem]:
        """Takes up a launchesLeaderboardCrawl that was submitted before, by the id of its job."""
        return AsyncJobRun(
            self._caller,
            routes.LAUNCHES_LEADERBOARD_CRAWL,
            (MeteredLaunchesLeaderboardCrawlResult, LaunchesLeaderboardCrawlItem),
            job_id=job_id,
            cursor=cursor,
            on_progress=on_progress,
            options=options,
        )

    def shop_a_search_crawl(
        self,
        *,
        search: Optional[str] = None,
        domain: Optional[Literal["com", "co.uk", "de", "fr", "it", "es", "co.jp", "ca", "com.au", "in", "com.mx", "com.br", "nl", "se", "pl", "com.tr", "ae", "sa", "sg", "eg", "com.be"]] = None,
        page: Optional[int] = None,
        sort: Optional[Literal["relevance", "price_asc", "price_desc", "rating", "newest", "bestselling"]] = None,
        min_price: Optional[float] = None,
        max_price: Optional[float] = None,
        category: Optional[str] = None,
        language: Optional[str] = None,
        max_pages: Optional[int] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        query: Optional[str] = None,
        q: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        on_progress: Optional[OnProgress] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncJobRun[MeteredShopASearchCrawlResult, ShopASearchCrawlItem]:
        """All products that a search finds, as a job.

        search: Words to search for
        domain: Marketplace
        page: Number of the result page; cursor takes precedence
        sort: The order of the results
        min_price: At least, in the shop's currency
        max_price: At most, in the shop's currency
        category: Department, as in the site's addresses
        language: Language of the page, if the marketplace supports it
        max_pages: Most pages of the site to read
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        query: Alias of search
        q: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        """
        return AsyncJobRun(
            self._caller,
            routes.SHOP_A_SEARCH_CRAWL,
            (MeteredShopASearchCrawlResult, ShopASearchCrawlItem),
            order={"kind": "shop-a.search.crawl", "input": given({"search": search, "domain": domain, "page": page, "sort": sort, "min_price": min_price, "max_price": max_price, "category": category, "language": language, "max_pages": max_pages, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "query": query, "q": q, "keyword": keyword, "keywords": keywords})},
            on_progress=on_progress,
            options=options,
        )

    def resume_shop_a_search_crawl(
        self,
        job_id: str,
        *,
        cursor: Optional[str] = None,
        on_progress: Optional[OnProgress] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncJobRun[MeteredShopASearchCrawlResult, ShopASearchCrawlItem]:
        """Takes up a shopASearchCrawl that was submitted before, by the id of its job."""
        return AsyncJobRun(
            self._caller,
            routes.SHOP_A_SEARCH_CRAWL,
            (MeteredShopASearchCrawlResult, ShopASearchCrawlItem),
            job_id=job_id,
            cursor=cursor,
            on_progress=on_progress,
            options=options,
        )

    def video_search_crawl(
        self,
        *,
        _360: Optional[bool] = None,
        search: Optional[str] = None,
        type: Optional[Literal["video", "channel", "playlist", "short", "all"]] = None,
        upload_date: Optional[Literal["today", "week", "month", "year"]] = None,
        duration: Optional[Literal["short", "medium", "long"]] = None,
        sort_by: Optional[Literal["relevance", "popularity", "upload_date", "rating"]] = None,
        live: Optional[bool] = None,
        hd: Optional[bool] = None,
        _4k: Optional[bool] = None,
        hdr: Optional[bool] = None,
        vr180: Optional[bool] = None,
        _3d: Optional[bool] = None,
        subtitles: Optional[bool] = None,
        creative_commons: Optional[bool] = None,
        location: Optional[bool] = None,
        purchased: Optional[bool] = None,
        country: Optional[str] = None,
        language: Optional[str] = None,
        max_results: Optional[int] = None,
        timeout_ms: Optional[int] = None,
        max_age_ms: Optional[int] = None,
        q: Optional[str] = None,
        query: Optional[str] = None,
        keyword: Optional[str] = None,
        keywords: Optional[str] = None,
        geo: Optional[str] = None,
        locale: Optional[str] = None,
        on_progress: Optional[OnProgress] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncJobRun[MeteredVideoSearchCrawlResult, VideoSearchCrawlItem]:
        """All videos that a search finds, as a job.

        _360: Only videos in 360 degrees
        search: Words to search for
        type: Type of results
        upload_date: Maximum age
        duration: short: under 3 minutes; medium: 3 to 20 minutes; long: over 20 minutes
        sort_by: The site sorts by relevance and popularity; by upload_date each page is sorted by itself, rating is not available
        live: Only live videos
        hd: Only high definition
        _4k: Only 4K
        hdr: Only HDR
        vr180: Only VR180
        _3d: Only 3D
        subtitles: Only videos with subtitles
        creative_commons: Only videos under a Creative Commons licence
        location: Only videos with a location
        purchased: Only purchased videos
        country: Country of the viewer, ISO 3166-1 code
        language: Language of texts, BCP 47
        max_results: Most elements to return
        timeout_ms: Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job
        max_age_ms: Maximum age of cached pages in ms; 0 always fetches
        q: Alias of search
        query: Alias of search
        keyword: Alias of search
        keywords: Alias of search
        geo: Alias of country
        locale: Alias of language
        """
        return AsyncJobRun(
            self._caller,
            routes.VIDEO_SEARCH_CRAWL,
            (MeteredVideoSearchCrawlResult, VideoSearchCrawlItem),
            order={"kind": "video.search.crawl", "input": given({"360": _360, "search": search, "type": type, "upload_date": upload_date, "duration": duration, "sort_by": sort_by, "live": live, "hd": hd, "4k": _4k, "hdr": hdr, "vr180": vr180, "3d": _3d, "subtitles": subtitles, "creative_commons": creative_commons, "location": location, "purchased": purchased, "country": country, "language": language, "max_results": max_results, "timeout_ms": timeout_ms, "max_age_ms": max_age_ms, "q": q, "query": query, "keyword": keyword, "keywords": keywords, "geo": geo, "locale": locale})},
            on_progress=on_progress,
            options=options,
        )

    def resume_video_search_crawl(
        self,
        job_id: str,
        *,
        cursor: Optional[str] = None,
        on_progress: Optional[OnProgress] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncJobRun[MeteredVideoSearchCrawlResult, VideoSearchCrawlItem]:
        """Takes up a videoSearchCrawl that was submitted before, by the id of its job."""
        return AsyncJobRun(
            self._caller,
            routes.VIDEO_SEARCH_CRAWL,
            (MeteredVideoSearchCrawlResult, VideoSearchCrawlItem),
            job_id=job_id,
            cursor=cursor,
            on_progress=on_progress,
            options=options,
        )

    async def create_hotel_b_monitor(
        self,
        check_in: str,
        check_out: str,
        *,
        property_id: Optional[str] = None,
        channels: Optional[Sequence[Mapping[str, Any]]] = None,
        adults: Optional[int] = None,
        children: Optional[Union[Sequence[int], int]] = None,
        rooms: Optional[int] = None,
        currency: Optional[str] = None,
        name: Optional[str] = None,
        cron: Optional[str] = None,
        timezone: Optional[str] = None,
        active: Optional[bool] = None,
        watch: Optional[Mapping[str, Any]] = None,
        webhook: Optional[MonitorWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredMonitor:
        """Watch the cheapest rate of a stay, on one site or on several, as hotel-b; the first run starts immediately.

        property_id: Path of the hotel, such as gb/garden-court
        channels: The property on 2 to 4 sites, instead of this site alone
        check_in: Day of arrival, in the time zone of the property
        check_out: Day of departure, 1 to 30 nights later
        adults: Number of adults
        children: The age of each child, or the number of children if their ages are unknown
        rooms: Number of rooms, at most one per adult
        currency: ISO 4217 code; by default the currency of the property
        name: Display name; default host and path of the page
        cron: Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered
        timezone: Time zone of cron
        active: Whether its schedule is active
        watch: What counts as a change, and how it is told
        webhook: Receiver of changes: a URL or an object
        """
        return await self._caller.once(routes.CREATE_HOTEL_B_MONITOR, {"property_id": property_id, "channels": channels, "check_in": check_in, "check_out": check_out, "adults": adults, "children": children, "rooms": rooms, "currency": currency, "name": name, "cron": cron, "timezone": timezone, "active": active, "watch": watch, "webhook": webhook}, AnsweredMonitor, options)

    def list_hotel_b_monitors(
        self,
        *,
        active: Optional[bool] = None,
        kind: Optional[Literal["hotel", "hotel_channels"]] = None,
        provider: Optional[Literal["hotel-a", "hotel-b"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[Monitor]:
        """Your monitors of hotel-b, newest first.

        active: Only monitors with an active (or inactive) schedule
        kind: Only monitors of this kind
        provider: Only monitors with a channel on this site
        limit: Rows per page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_HOTEL_B_MONITORS, {"active": active, "kind": kind, "provider": provider, "limit": limit, "cursor": cursor}, Monitor, options)

    async def get_hotel_b_monitor(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredMonitor:
        """One monitor of hotel-b.

        id: Id of the monitor
        """
        return await self._caller.once(routes.GET_HOTEL_B_MONITOR, {"id": id}, AnsweredMonitor, options)

    async def update_hotel_b_monitor(
        self,
        id: str,
        *,
        check_in: Optional[str] = None,
        check_out: Optional[str] = None,
        adults: Optional[int] = None,
        children: Optional[Union[Sequence[int], int]] = None,
        rooms: Optional[int] = None,
        currency: Optional[str] = None,
        name: Optional[str] = None,
        cron: Optional[str] = None,
        timezone: Optional[str] = None,
        active: Optional[bool] = None,
        watch: Optional[Mapping[str, Any]] = None,
        webhook: Optional[Union[str, Mapping[str, Any]]] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredMonitor:
        """Change a monitor of hotel-b: omitted fields keep their value, null removes, objects are merged.

        id: Id of the monitor
        check_in: Day of arrival, in the time zone of the property
        check_out: Day of departure, 1 to 30 nights later
        adults: Number of adults
        children: The age of each child, or the number of children if their ages are unknown
        rooms: Number of rooms, at most one per adult
        currency: ISO 4217 code; by default the currency of the property
        name: Display name; default host and path of the page
        cron: Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered
        timezone: Time zone of cron
        active: Whether its schedule is active
        watch: What counts as a change, and how it is told
        webhook: null removes it
        """
        return await self._caller.once(routes.UPDATE_HOTEL_B_MONITOR, {"id": id, "check_in": check_in, "check_out": check_out, "adults": adults, "children": children, "rooms": rooms, "currency": currency, "name": name, "cron": cron, "timezone": timezone, "active": active, "watch": watch, "webhook": webhook}, AnsweredMonitor, options)

    async def delete_hotel_b_monitor(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> None:
        """Delete a monitor of hotel-b with its history.

        id: Id of the monitor
        """
        await self._caller.nothing(routes.DELETE_HOTEL_B_MONITOR, {"id": id}, options)

    async def trigger_hotel_b_monitor(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredTriggerHotelBMonitorResult:
        """Run a monitor of hotel-b now and wait for it to end; waits for the active run if there is one.

        id: Id of the monitor
        """
        return await self._caller.once(routes.TRIGGER_HOTEL_B_MONITOR, {"id": id}, AnsweredTriggerHotelBMonitorResult, options)

    def list_hotel_b_runs(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[Run]:
        """Runs of a monitor of hotel-b in the last 90 days with the observed values, newest first.

        id: Id of the monitor
        limit: Rows per page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_HOTEL_B_RUNS, {"id": id, "limit": limit, "cursor": cursor}, Run, options)

    async def get_latest_hotel_b_run(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredRun:
        """The latest run of a monitor of hotel-b, in any state.

        id: Id of the monitor
        """
        return await self._caller.once(routes.GET_LATEST_HOTEL_B_RUN, {"id": id}, AnsweredRun, options)

    def list_hotel_b_changes(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[HotelChange]:
        """Changes found by a monitor of hotel-b in the last 90 days, newest first.

        id: Id of the monitor
        limit: Rows per page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_HOTEL_B_CHANGES, {"id": id, "limit": limit, "cursor": cursor}, HotelChange, options)

    async def get_latest_hotel_b_change(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredHotelChange:
        """The latest change found by a monitor of hotel-b.

        id: Id of the monitor
        """
        return await self._caller.once(routes.GET_LATEST_HOTEL_B_CHANGE, {"id": id}, AnsweredHotelChange, options)

    async def create_hotel_a_monitor(
        self,
        check_in: str,
        check_out: str,
        *,
        url: Optional[str] = None,
        channels: Optional[Sequence[Mapping[str, Any]]] = None,
        adults: Optional[int] = None,
        children: Optional[Union[Sequence[int], int]] = None,
        rooms: Optional[int] = None,
        currency: Optional[str] = None,
        name: Optional[str] = None,
        cron: Optional[str] = None,
        timezone: Optional[str] = None,
        active: Optional[bool] = None,
        watch: Optional[Mapping[str, Any]] = None,
        webhook: Optional[MonitorWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredMonitor:
        """Watch the cheapest rate of a stay, on one site or on several, as hotel-a; the first run starts immediately.

        url: URL of the property page
        channels: The property on 2 to 4 sites, instead of this site alone
        check_in: Day of arrival, in the time zone of the property
        check_out: Day of departure, 1 to 30 nights later
        adults: Number of adults
        children: The age of each child, or the number of children if their ages are unknown
        rooms: Number of rooms, at most one per adult
        currency: ISO 4217 code; by default the currency of the property
        name: Display name; default host and path of the page
        cron: Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered
        timezone: Time zone of cron
        active: Whether its schedule is active
        watch: What counts as a change, and how it is told
        webhook: Receiver of changes: a URL or an object
        """
        return await self._caller.once(routes.CREATE_HOTEL_A_MONITOR, {"url": url, "channels": channels, "check_in": check_in, "check_out": check_out, "adults": adults, "children": children, "rooms": rooms, "currency": currency, "name": name, "cron": cron, "timezone": timezone, "active": active, "watch": watch, "webhook": webhook}, AnsweredMonitor, options)

    def list_hotel_a_monitors(
        self,
        *,
        active: Optional[bool] = None,
        kind: Optional[Literal["hotel", "hotel_channels"]] = None,
        provider: Optional[Literal["hotel-a", "hotel-b"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[Monitor]:
        """Your monitors of hotel-a, newest first.

        active: Only monitors with an active (or inactive) schedule
        kind: Only monitors of this kind
        provider: Only monitors with a channel on this site
        limit: Rows per page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_HOTEL_A_MONITORS, {"active": active, "kind": kind, "provider": provider, "limit": limit, "cursor": cursor}, Monitor, options)

    async def get_hotel_a_monitor(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredMonitor:
        """One monitor of hotel-a.

        id: Id of the monitor
        """
        return await self._caller.once(routes.GET_HOTEL_A_MONITOR, {"id": id}, AnsweredMonitor, options)

    async def update_hotel_a_monitor(
        self,
        id: str,
        *,
        check_in: Optional[str] = None,
        check_out: Optional[str] = None,
        adults: Optional[int] = None,
        children: Optional[Union[Sequence[int], int]] = None,
        rooms: Optional[int] = None,
        currency: Optional[str] = None,
        name: Optional[str] = None,
        cron: Optional[str] = None,
        timezone: Optional[str] = None,
        active: Optional[bool] = None,
        watch: Optional[Mapping[str, Any]] = None,
        webhook: Optional[Union[str, Mapping[str, Any]]] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredMonitor:
        """Change a monitor of hotel-a: omitted fields keep their value, null removes, objects are merged.

        id: Id of the monitor
        check_in: Day of arrival, in the time zone of the property
        check_out: Day of departure, 1 to 30 nights later
        adults: Number of adults
        children: The age of each child, or the number of children if their ages are unknown
        rooms: Number of rooms, at most one per adult
        currency: ISO 4217 code; by default the currency of the property
        name: Display name; default host and path of the page
        cron: Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered
        timezone: Time zone of cron
        active: Whether its schedule is active
        watch: What counts as a change, and how it is told
        webhook: null removes it
        """
        return await self._caller.once(routes.UPDATE_HOTEL_A_MONITOR, {"id": id, "check_in": check_in, "check_out": check_out, "adults": adults, "children": children, "rooms": rooms, "currency": currency, "name": name, "cron": cron, "timezone": timezone, "active": active, "watch": watch, "webhook": webhook}, AnsweredMonitor, options)

    async def delete_hotel_a_monitor(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> None:
        """Delete a monitor of hotel-a with its history.

        id: Id of the monitor
        """
        await self._caller.nothing(routes.DELETE_HOTEL_A_MONITOR, {"id": id}, options)

    async def trigger_hotel_a_monitor(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredTriggerHotelAMonitorResult:
        """Run a monitor of hotel-a now and wait for it to end; waits for the active run if there is one.

        id: Id of the monitor
        """
        return await self._caller.once(routes.TRIGGER_HOTEL_A_MONITOR, {"id": id}, AnsweredTriggerHotelAMonitorResult, options)

    def list_hotel_a_runs(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[Run]:
        """Runs of a monitor of hotel-a in the last 90 days with the observed values, newest first.

        id: Id of the monitor
        limit: Rows per page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_HOTEL_A_RUNS, {"id": id, "limit": limit, "cursor": cursor}, Run, options)

    async def get_latest_hotel_a_run(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredRun:
        """The latest run of a monitor of hotel-a, in any state.

        id: Id of the monitor
        """
        return await self._caller.once(routes.GET_LATEST_HOTEL_A_RUN, {"id": id}, AnsweredRun, options)

    def list_hotel_a_changes(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[HotelChange]:
        """Changes found by a monitor of hotel-a in the last 90 days, newest first.

        id: Id of the monitor
        limit: Rows per page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_HOTEL_A_CHANGES, {"id": id, "limit": limit, "cursor": cursor}, HotelChange, options)

    async def get_latest_hotel_a_change(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredHotelChange:
        """The latest change found by a monitor of hotel-a.

        id: Id of the monitor
        """
        return await self._caller.once(routes.GET_LATEST_HOTEL_A_CHANGE, {"id": id}, AnsweredHotelChange, options)

    async def create_launch_monitor(
        self,
        *,
        slug: Optional[str] = None,
        id: Optional[str] = None,
        url: Optional[str] = None,
        product: Optional[str] = None,
        product_id: Optional[str] = None,
        name: Optional[str] = None,
        cron: Optional[str] = None,
        timezone: Optional[str] = None,
        active: Optional[bool] = None,
        watch: Optional[Mapping[str, Any]] = None,
        webhook: Optional[MonitorWebhookInput] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredMonitor:
        """Watch the upvotes of a product, as launches; the first run starts immediately.

        slug: Slug of the product in its URL
        id: Id of the product
        url: URL of the product page
        product: Alias of slug
        product_id: Alias of id
        name: Display name; default host and path of the page
        cron: Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered
        timezone: Time zone of cron
        active: Whether its schedule is active
        watch: What counts as a change, and how it is told
        webhook: Receiver of changes: a URL or an object
        """
        return await self._caller.once(routes.CREATE_LAUNCH_MONITOR, {"slug": slug, "id": id, "url": url, "product": product, "product_id": product_id, "name": name, "cron": cron, "timezone": timezone, "active": active, "watch": watch, "webhook": webhook}, AnsweredMonitor, options)

    def list_launch_monitors(
        self,
        *,
        active: Optional[bool] = None,
        kind: Optional[Literal["launch"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[Monitor]:
        """Your monitors of launches, newest first.

        active: Only monitors with an active (or inactive) schedule
        kind: Only monitors of this kind
        limit: Rows per page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_LAUNCH_MONITORS, {"active": active, "kind": kind, "limit": limit, "cursor": cursor}, Monitor, options)

    async def get_launch_monitor(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredMonitor:
        """One monitor of launches.

        id: Id of the monitor
        """
        return await self._caller.once(routes.GET_LAUNCH_MONITOR, {"id": id}, AnsweredMonitor, options)

    async def update_launch_monitor(
        self,
        id: str,
        *,
        name: Optional[str] = None,
        cron: Optional[str] = None,
        timezone: Optional[str] = None,
        active: Optional[bool] = None,
        watch: Optional[Mapping[str, Any]] = None,
        webhook: Optional[Union[str, Mapping[str, Any]]] = None,
        options: CallOptions = DEFAULT,
    ) -> AnsweredMonitor:
        """Change a monitor of launches: omitted fields keep their value, null removes, objects are merged.

        id: Id of the monitor
        name: Display name; default host and path of the page
        cron: Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered
        timezone: Time zone of cron
        active: Whether its schedule is active
        watch: What counts as a change, and how it is told
        webhook: null removes it
        """
        return await self._caller.once(routes.UPDATE_LAUNCH_MONITOR, {"id": id, "name": name, "cron": cron, "timezone": timezone, "active": active, "watch": watch, "webhook": webhook}, AnsweredMonitor, options)

    async def delete_launch_monitor(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> None:
        """Delete a monitor of launches with its history.

        id: Id of the monitor
        """
        await self._caller.nothing(routes.DELETE_LAUNCH_MONITOR, {"id": id}, options)

    async def trigger_launch_monitor(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredTriggerLaunchMonitorResult:
        """Run a monitor of launches now, in addition to its schedule; returns the active run if there is one.

        id: Id of the monitor
        """
        return await self._caller.once(routes.TRIGGER_LAUNCH_MONITOR, {"id": id}, AnsweredTriggerLaunchMonitorResult, options)

    def list_launch_runs(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[Run]:
        """Runs of a monitor of launches in the last 90 days with the observed values, newest first.

        id: Id of the monitor
        limit: Rows per page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_LAUNCH_RUNS, {"id": id, "limit": limit, "cursor": cursor}, Run, options)

    async def get_latest_launch_run(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredRun:
        """The latest run of a monitor of launches, in any state.

        id: Id of the monitor
        """
        return await self._caller.once(routes.GET_LATEST_LAUNCH_RUN, {"id": id}, AnsweredRun, options)

    def list_launch_changes(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: CallOptions = DEFAULT,
    ) -> AsyncRecordList[Change]:
        """Changes found by a monitor of launches in the last 90 days, newest first.

        id: Id of the monitor
        limit: Rows per page
        cursor: next_cursor of the previous page
        """
        return AsyncRecordList(self._caller, routes.LIST_LAUNCH_CHANGES, {"id": id, "limit": limit, "cursor": cursor}, Change, options)

    async def get_latest_launch_change(
        self,
        id: str,
        *,
        options: CallOptions = DEFAULT,
    ) -> AnsweredChange:
        """The latest change found by a monitor of launches.

        id: Id of the monitor
        """
        return await self._caller.once(routes.GET_LATEST_LAUNCH_CHANGE, {"id": id}, AnsweredChange, options)
