// Generated from the OpenAPI document by tools/generate-clients.ts; changes here are lost.

export type AccountUsage = {
  readonly plan: string;
  readonly cycle: {
    readonly start: string;
    readonly end: string;
  };
  /** Null if the plan sets no limit */
  readonly credits_granted: number | null;
  readonly credits_topped_up: number;
  readonly credits_used: number;
  /** Reserved by running calls */
  readonly credits_reserved: number;
  readonly credits_remaining: number | null;
  readonly daily_cap: number | null;
  readonly daily_used: number;
  readonly daily_resets_at: string;
  /** Seconds of browsers, parsers and models used by uncharged calls; falls by unpaid_seconds_per_hour of the plan */
  readonly unpaid_seconds: number;
  /** Compressed bytes of stored results */
  readonly result_bytes: number;
  /** Beyond this your oldest results are deleted; null if the plan sets no limit */
  readonly kept_result_bytes: number | null;
  /** Bytes of stored files */
  readonly file_bytes: number;
  /** Beyond this your oldest files are deleted; null if the plan sets no limit */
  readonly kept_file_bytes: number | null;
};

export type Action = {
  readonly type: "goto";
  readonly url: string;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "click";
  readonly target: Target;
  readonly count?: number;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "type";
  readonly target: Target;
  /** {{name}} is replaced by the value from variables */
  readonly text: string;
  /** Clear the field before typing */
  readonly clear?: boolean;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "press";
  /** Key, such as Enter or Control+A */
  readonly key: string;
  readonly target?: Target;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "select";
  readonly target: Target;
  readonly value?: string;
  readonly label?: string;
  readonly index?: number;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "check";
  readonly target: Target;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "uncheck";
  readonly target: Target;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "hover";
  readonly target: Target;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "drag";
  readonly from: Target;
  readonly to: Target;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "upload";
  readonly target: Target;
  readonly name: string;
  readonly content_base64: string;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "scroll";
  /** Without to: element to scroll into view; with to: element whose content is scrolled */
  readonly target?: Target;
  /** end or top of the page (or of target); or a target to scroll into view */
  readonly to?: "end" | "top" | Target;
  readonly times?: number;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "content";
  /** Field of extracted that receives the value; a name used several times gets an array */
  readonly name: string;
  readonly output: "markdown" | "text" | "html" | "raw_html" | "links" | "images" | "metadata" | "tables" | "structured_data" | "chunks";
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "extract";
  /** Field of extracted that receives the value; a name used several times gets an array */
  readonly name: string;
  readonly fields: Extract;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "screenshot";
  /** Field of extracted that receives the value; a name used several times gets an array */
  readonly name: string;
  readonly target?: Target;
  readonly full_page?: boolean;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "pdf";
  /** Field of extracted that receives the value; a name used several times gets an array */
  readonly name: string;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "evaluate";
  /** Field of extracted that receives the value; a name used several times gets an array */
  readonly name: string;
  /** A JavaScript expression; its awaited value is the result */
  readonly script: string;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "back";
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "reload";
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "dialog";
  readonly accept: boolean;
  readonly text?: string;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "wait";
  readonly for?: "load" | "idle" | Target;
  /** Wait until the URL contains this */
  readonly url?: string;
  readonly text?: string;
  readonly ms?: number;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "switch";
  /** From 0 */
  readonly tab?: "last" | number;
  readonly frame?: "main" | Target;
  /** Time limit of this action in ms */
  readonly timeout_ms?: number;
  /** Continue with the next action if it fails */
  readonly optional?: boolean;
} | {
  readonly type: "repeat";
  readonly times?: number;
  /** Repeat while this is visible, at most 100 times */
  readonly while?: Target;
  readonly actions: readonly Readonly<Record<string, unknown>>[];
} | {
  readonly type: "if";
  readonly exists?: Target;
  readonly missing?: Target;
  readonly then: readonly Readonly<Record<string, unknown>>[];
  readonly else?: readonly Readonly<Record<string, unknown>>[];
};

export type Answered = {
  /** Identifies the request */
  readonly request_id: string;
};

export type AnswerenginePromptInput = {
  /** The question */
  readonly prompt: string;
  /** Country of the person asking: ISO 3166-1 code or English name */
  readonly geo?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Time limit per source in ms; a slower source is skipped and listed in warnings */
  readonly source_timeout_ms?: number;
  /** Alias of geo */
  readonly country?: string;
  /** Alias of geo */
  readonly country_code?: string;
  /** Alias of geo */
  readonly geo_location?: string;
};

export type AnswerenginePromptJobInput = {
  readonly kind: "answerengine.prompt";
  readonly input: AnswerenginePromptInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type AnswerenginePromptResult = {
  readonly provider: "answerengine";
  readonly prompt: string;
  /** Pages that were skipped, with the reason */
  readonly warnings: readonly Warning[];
  /** Model that wrote the answer; extractive-1 quotes sentences of the sources without a model */
  readonly model: string;
  /** Markers such as [1] refer to sources, counted from 1 */
  readonly answer_markdown: string;
  readonly related_queries: readonly string[];
  readonly sources: readonly {
    readonly url: string;
    readonly title: string;
    /** Registrable domain of the page */
    readonly source: string;
  }[];
};

export type AppstoreAppInput = {
  /** A number in apple, or a name such as com.example.app in play */
  readonly id?: string;
  /** Address of the app in either store */
  readonly url?: string;
  /** ISO 3166-1 alpha-2 */
  readonly country?: string;
  /** BCP 47 */
  readonly language?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of country */
  readonly geo?: string;
  /** Alias of language */
  readonly locale?: string;
};

export type AppstoreAppJobInput = {
  readonly kind: "appstore.app";
  readonly input: AppstoreAppInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type AppstoreAppResult = {
  readonly provider: "appstore";
  readonly app: {
    /** A number in apple, a name such as com.example.app in play */
    readonly id: string;
    readonly store: "apple" | "play";
    readonly url: string;
    readonly title: string;
    readonly summary: string | null;
    readonly developer: {
      readonly id: string | null;
      readonly name: string | null;
      readonly url: string | null;
      readonly website_url: string | null;
    } | null;
    readonly icon_url: string | null;
    readonly screenshots: readonly string[] | null;
    readonly price: number | null;
    readonly currency: string | null;
    readonly price_text: string | null;
    readonly is_free: boolean | null;
    readonly rating: number | null;
    readonly rating_count: number | null;
    readonly category: string | null;
    readonly bundle_id: string | null;
    readonly description_html: string | null;
    readonly description_text: string | null;
    readonly video_url: string | null;
    readonly has_in_app_purchases: boolean | null;
    readonly in_app_price_text: string | null;
    readonly review_count: number | null;
    /** Ratings of 1 to 5 stars */
    readonly histogram: readonly number[] | null;
    /** Lower bound of the number of installations */
    readonly installs: number | null;
    readonly installs_text: string | null;
    readonly categories: readonly string[] | null;
    readonly content_rating: string | null;
    readonly version: string | null;
    readonly minimum_os: string | null;
    readonly size_bytes: number | null;
    readonly languages: readonly string[] | null;
    readonly released_at: string | null;
    readonly updated_at: string | null;
    readonly release_notes: string | null;
    readonly privacy_url: string | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type AppstoreDeveloperInput = {
  /** Number of the developer, or the name that some have in play */
  readonly id?: string;
  /** Address of the developer in either store */
  readonly url?: string;
  /** ISO 3166-1 alpha-2 */
  readonly country?: string;
  /** BCP 47 */
  readonly language?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of limit */
  readonly per_page?: number;
  /** Alias of country */
  readonly geo?: string;
  /** Alias of language */
  readonly locale?: string;
};

export type AppstoreDeveloperJobInput = {
  readonly kind: "appstore.developer";
  readonly input: AppstoreDeveloperInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type AppstoreDeveloperResult = {
  readonly provider: "appstore";
  readonly developer: {
    readonly id: string;
    readonly store: "apple" | "play";
    readonly name: string | null;
    readonly url: string;
  } | null;
  readonly apps: readonly ({
    /** A number in apple, a name such as com.example.app in play */
    readonly id: string;
    readonly store: "apple" | "play";
    readonly url: string;
    readonly title: string;
    readonly summary: string | null;
    readonly developer: {
      readonly id: string | null;
      readonly name: string | null;
      readonly url: string | null;
      readonly website_url: string | null;
    } | null;
    readonly icon_url: string | null;
    readonly screenshots: readonly string[] | null;
    readonly price: number | null;
    readonly currency: string | null;
    readonly price_text: string | null;
    readonly is_free: boolean | null;
    readonly rating: number | null;
    readonly rating_count: number | null;
    readonly category: string | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type AppstoreReviewsInput = {
  /** A number in apple, or a name such as com.example.app in play */
  readonly id?: string;
  /** Address of the app in either store */
  readonly url?: string;
  /** ISO 3166-1 alpha-2 */
  readonly country?: string;
  /** BCP 47 */
  readonly language?: string;
  /** The order of the reviews */
  readonly sort?: "newest" | "helpful";
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of limit */
  readonly per_page?: number;
  /** Alias of country */
  readonly geo?: string;
  /** Alias of language */
  readonly locale?: string;
};

export type AppstoreReviewsJobInput = {
  readonly kind: "appstore.reviews";
  readonly input: AppstoreReviewsInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type AppstoreReviewsResult = {
  readonly provider: "appstore";
  readonly reviews: readonly ({
    readonly id: string;
    readonly title: string | null;
    readonly text: string | null;
    readonly rating: number;
    readonly author: string | null;
    /** The reviewed version of the app */
    readonly version: string | null;
    readonly created_at: string | null;
    readonly helpful_count: number | null;
    readonly vote_count: number | null;
    /** Reply of the developer */
    readonly reply: {
      readonly text: string;
      readonly created_at: string | null;
    } | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type AppstoreSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** The store to search */
  readonly store?: "apple" | "play";
  /** ISO 3166-1 alpha-2 */
  readonly country?: string;
  /** BCP 47 */
  readonly language?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly term?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
  /** Alias of limit */
  readonly per_page?: number;
  /** Alias of country */
  readonly geo?: string;
  /** Alias of language */
  readonly locale?: string;
};

export type AppstoreSearchJobInput = {
  readonly kind: "appstore.search";
  readonly input: AppstoreSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type AppstoreSearchResult = {
  readonly provider: "appstore";
  readonly results: readonly ({
    /** A number in apple, a name such as com.example.app in play */
    readonly id: string;
    readonly store: "apple" | "play";
    readonly url: string;
    readonly title: string;
    readonly summary: string | null;
    readonly developer: {
      readonly id: string | null;
      readonly name: string | null;
      readonly url: string | null;
      readonly website_url: string | null;
    } | null;
    readonly icon_url: string | null;
    readonly screenshots: readonly string[] | null;
    readonly price: number | null;
    readonly currency: string | null;
    readonly price_text: string | null;
    readonly is_free: boolean | null;
    readonly rating: number | null;
    readonly rating_count: number | null;
    readonly category: string | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type Artifact = {
  readonly id: string;
  /** URL of its bytes, for the same API key */
  readonly url: string;
  readonly content_type: "image/png" | "image/jpeg" | "image/webp" | "application/pdf" | "application/octet-stream";
  readonly bytes: number;
  /** Width of an image in pixels */
  readonly width?: number;
  readonly height?: number;
  readonly expires_at: string;
};

export type AssistantPromptInput = {
  /** The question */
  readonly prompt: string;
  /** Country of the person asking: ISO 3166-1 code or English name */
  readonly geo?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Time limit per source in ms; a slower source is skipped and listed in warnings */
  readonly source_timeout_ms?: number;
  /** Alias of geo */
  readonly country?: string;
  /** Alias of geo */
  readonly country_code?: string;
  /** Alias of geo */
  readonly geo_location?: string;
};

export type AssistantPromptJobInput = {
  readonly kind: "assistant.prompt";
  readonly input: AssistantPromptInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type AssistantPromptResult = {
  readonly provider: "assistant";
  readonly prompt: string;
  /** Pages that were skipped, with the reason */
  readonly warnings: readonly Warning[];
  /** Model that wrote the answer; extractive-1 quotes sentences of the sources without a model */
  readonly model: string;
  /** The answer without Markdown */
  readonly response_text: string;
  /** Markers such as [1] refer to citations, counted from 1 */
  readonly markdown_text: string;
  readonly citations: readonly {
    readonly url: string;
    /** Passage of the answer that cites the page */
    readonly text: string;
    readonly title: string;
    readonly description: string;
  }[];
};

export type Attempt = {
  readonly tier: "http" | "browser" | "proxy" | "proxy_browser";
  readonly outcome: "ok" | "thin" | "js_required" | "challenge" | "blocked" | "rate_limited" | "auth_required" | "geo_or_legal" | "not_found" | "http_error" | "unreachable" | "tls_error" | "timeout" | "proxy_error" | "render_failed" | "too_large" | "unusable";
  readonly status_code?: number;
  readonly reason?: string;
  readonly duration_ms: number;
  /** Bytes received, without headers */
  readonly bytes: number;
};

export type AttributeQuery = {
  /** CSS selector of the elements */
  readonly selector: string;
  /** Name of the attribute */
  readonly attribute: string;
};

export type AttributeValues = {
  readonly selector: string;
  readonly attribute: string;
  readonly values: readonly string[];
};

export type BatchError = {
  readonly code: string;
  readonly message: string;
};

/** A page with options of its own, which replace those of the call */
export type BatchPage = {
  readonly url: string;
  readonly output?: readonly ("markdown" | "text" | "html" | "raw_html" | "links" | "images" | "metadata" | "tables" | "structured_data" | "attributes" | "chunks" | "json" | "screenshot" | "summary" | "passages")[];
  readonly screenshot?: ScreenshotInput;
  readonly passages?: PassagesInput;
  readonly only_main_content?: boolean;
  readonly include_selectors?: readonly string[];
  readonly exclude_selectors?: readonly string[];
  readonly extract?: Extract;
  readonly attributes?: readonly AttributeQuery[];
  readonly chunking?: ChunkingInput;
  readonly frames?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly RequestCookie[];
  readonly wait_for_selector?: string;
  readonly wait_ms?: number;
  readonly scroll?: boolean;
  readonly block?: readonly ("ads" | "images" | "fonts" | "media")[];
  readonly device?: "desktop" | "mobile";
  readonly locale?: string;
  readonly max_chars?: number;
  readonly offset_chars?: number;
};

export type BatchResult = {
  /** The URL as sent, normalized */
  readonly url: string;
  /** Index in urls, from 0, of the first of equal pages */
  readonly index: number;
  readonly final_url?: string;
  /** Absent if the target did not answer */
  readonly status_code?: number;
  readonly fetched_at?: string;
  readonly content_type?: string;
  readonly markdown?: string;
  readonly text?: string;
  readonly html?: string;
  readonly raw_html?: string;
  readonly links?: readonly Link[];
  readonly images?: readonly Image[];
  readonly tables?: readonly Table[];
  readonly structured_data?: StructuredData;
  /** For each query the values as written in the page, in document order */
  readonly attributes?: readonly AttributeValues[];
  /** Parts of the Markdown for an index, in order */
  readonly chunks?: readonly Chunk[];
  readonly json?: Readonly<Record<string, unknown>>;
  /** The original text of json fields that are empty because it could not be converted to their type */
  readonly json_unread?: Readonly<Record<string, string>>;
  /** The screenshot; null if a browser cannot display the target, or nothing visible matches its selector */
  readonly screenshot?: Artifact | null;
  /** Summary of the page in a few sentences; empty if the model declined */
  readonly summary?: string;
  /** Answer of the model to passages.query; null if there is no model, or it finds no answer */
  readonly answer?: string | null;
  /** What the model contributed, if it was used */
  readonly model?: ModelUse;
  /** Null for an error page, which is not compared */
  readonly changes?: PageChanges | null;
  /** The sentences of the main text that match the query best, in the order of the page; empty if none does */
  readonly passages?: readonly string[];
  readonly metadata?: Metadata;
  readonly tier?: "cache" | "http" | "browser" | "proxy" | "proxy_browser";
  /** Why the page was not fetched; then there are no outputs, and it is free */
  readonly error?: BatchError;
  readonly credits: number;
  readonly warnings: readonly Warning[];
};

export type Capabilities = {
  readonly version: string;
  readonly operations: readonly ({
    readonly id: string;
    /** Null if it runs only as a job or in a monitor */
    readonly route: string | null;
    /** For site endpoints: whether the parser was verified against a real page of the site */
    readonly verified?: boolean;
    readonly plan: "free" | "starter";
    /** Null for free operations */
    readonly price: {
      readonly base: number;
      readonly per: "call" | "page";
      readonly cache_hit: number;
      /** Price of an error page (status 400 and above, or no body), if those are returned */
      readonly error_page?: 0;
      readonly per_tier: boolean;
      /** Added for each started hundred URLs that are returned */
      readonly per_hundred_urls: number;
      /** Added for each output made by a language model */
      readonly per_model_output: number;
    } | null;
  })[];
  readonly tiers: Readonly<Record<string, TierState>>;
  readonly outputs: readonly ("markdown" | "text" | "html" | "raw_html" | "links" | "images" | "metadata" | "tables" | "structured_data" | "attributes" | "chunks" | "json" | "screenshot" | "pdf" | "summary" | "passages" | "changes")[];
  readonly browser: TierState;
  readonly model: TierState;
  readonly search: {
    readonly available: boolean;
    readonly reason?: string;
    /** Search engines, in the order they are used */
    readonly engines: readonly string[];
    /** Backends of /v1/websearch, in the order they are used */
    readonly websearch: readonly string[];
    /** Backend that writes the answers: sonar, responses, rag or extractive */
    readonly answers: {
      readonly answerengine: string;
      readonly assistant: string;
      readonly chatassistant: string;
    };
  };
  /** Interfaces of other services, for their clients */
  readonly interfaces: readonly {
    readonly name: string;
    readonly title: string;
    /** Address to paste into a client; without QUERN_PUBLIC_URL a path to append to the address of the service */
    readonly base_url: string;
    /** Paths below the address; * at the end stands for any further path */
    readonly paths: readonly string[];
  }[];
  readonly limits: {
    readonly credits_per_month: number | null;
    readonly daily_cap: number | null;
    readonly inline_timeout_ms: number;
    readonly concurrent_requests: number | null;
    readonly requests_per_minute: number | null;
    readonly queued_jobs: number | null;
    /** Jobs running at once, including monitor runs */
    readonly running_jobs: number | null;
    /** Size of the input of a job or the definition of a monitor, as JSON */
    readonly input_bytes: number | null;
    /** Jobs submitted in results_kept_days */
    readonly kept_jobs: number | null;
    /** Bytes of the inputs of these jobs */
    readonly kept_input_bytes: number | null;
    /** Bytes of responses stored for idempotency keys */
    readonly kept_answer_bytes: number | null;
    /** Compressed bytes of results of ended jobs; beyond this the oldest are deleted */
    readonly kept_result_bytes: number | null;
    /** Bytes of files; beyond this the oldest are deleted */
    readonly kept_file_bytes: number | null;
    /** Bytes of your search index while disk space is short */
    readonly index_bytes: number | null;
    readonly job_timeout_ms: number | null;
    readonly results_kept_days: number;
    readonly active_monitors: number | null;
    /** Including inactive monitors */
    readonly monitors: number | null;
    readonly monitor_interval_ms: number;
    readonly crawl_pages: number | null;
    readonly map_urls: number | null;
    /** Seconds of browsers, parsers and models that uncharged calls may use per hour */
    readonly unpaid_seconds_per_hour: number | null;
    /** Scheduling weight while several tenants wait */
    readonly turn_weight: number;
  };
};

export type Change = {
  readonly id: string;
  readonly monitor_id: string;
  readonly run_id: string;
  readonly previous_run_id: string | null;
  readonly baseline_run_id: string | null;
  readonly detected_at: string;
  readonly kind: string;
  readonly changes: readonly FieldChange[];
  readonly truncated: boolean;
  readonly content: ContentChange | null;
  /** For kind parity: the prices of the channels differ too much */
  readonly alert?: RateParityAlert;
  /** Whether a webhook event was or will be sent; with watch.digest only after the end of the period */
  readonly notified: boolean;
  readonly delivery_ids: readonly string[];
};

export type ChangeList = {
  readonly data: readonly Change[];
  readonly next_cursor: string | null;
};

/** Options of output changes */
export type ChangesInput = {
  /** Name of a separate series of copies, such as one for other options */
  readonly tag?: string;
  /** Include the lines of the Markdown that differ */
  readonly diff?: boolean;
  /** Compare the fields of output json, too */
  readonly fields?: boolean;
};

export type ChatassistantPromptInput = {
  /** The question */
  readonly prompt: string;
  /** Country of the person asking: ISO 3166-1 code or English name */
  readonly geo?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Time limit per source in ms; a slower source is skipped and listed in warnings */
  readonly source_timeout_ms?: number;
  /** Alias of geo */
  readonly country?: string;
  /** Alias of geo */
  readonly country_code?: string;
  /** Alias of geo */
  readonly geo_location?: string;
};

export type ChatassistantPromptJobInput = {
  readonly kind: "chatassistant.prompt";
  readonly input: ChatassistantPromptInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ChatassistantPromptResult = {
  readonly provider: "chatassistant";
  readonly prompt: string;
  /** Pages that were skipped, with the reason */
  readonly warnings: readonly Warning[];
  /** Model that wrote the answer; extractive-1 quotes sentences of the sources without a model */
  readonly model: string;
  /** The answer without Markdown */
  readonly response_text: string;
  /** Markers such as [1] refer to citations, counted from 1 */
  readonly markdown_text: string;
  readonly citations: readonly {
    readonly url: string;
    /** Passage of the answer that cites the page */
    readonly text: string;
    readonly title: string;
    readonly description: string;
  }[];
};

export type Chunk = {
  /** Stays the same while the text of the chunk is edited */
  readonly id: string;
  /** Markdown */
  readonly text: string;
  /** Headings above the text, from the outermost on */
  readonly heading_path: readonly string[];
  /** The page, with the anchor of the innermost heading that has one */
  readonly url: string;
  /** Index among the chunks of the page, from 0 */
  readonly position: number;
  readonly tokens: number;
  /** SHA-256 of text, in base64url */
  readonly content_hash: string;
  /** text also for several kinds */
  readonly kind: "text" | "code" | "table" | "list";
  /** The text contains a part of a block that is too large for one chunk */
  readonly split?: true;
};

export type ChunkingInput = {
  /** Maximum tokens of a chunk, overlap and context included */
  readonly max_tokens?: number;
  /** Tokens of the chunk before it that a chunk repeats within a section; at most half of max_tokens */
  readonly overlap_tokens?: number;
  /** What is counted; characters are those of UTF-16 */
  readonly tokenizer?: "o200k_base" | "cl100k_base" | "characters";
  /** Deepest level of headings that start a chunk */
  readonly heading_depth?: number;
  /** Start each text with the title of the page and the headings above it */
  readonly contextual?: boolean;
};

export type CodehostRepoInput = {
  /** Owner and name, such as octocat/hello-world */
  readonly full_name?: string;
  /** The login of the owner; requires repo */
  readonly owner?: string;
  /** The name, together with owner; or owner/name as in full_name */
  readonly repo?: string;
  /** Address of the repository */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of full_name */
  readonly name?: string;
};

export type CodehostRepoJobInput = {
  readonly kind: "codehost.repo";
  readonly input: CodehostRepoInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type CodehostRepoResult = {
  readonly provider: "codehost";
  readonly repo: {
    readonly id: string | null;
    readonly name: string;
    readonly full_name: string;
    readonly url: string;
    readonly description: string | null;
    readonly homepage: string | null;
    readonly owner: {
      readonly login: string;
      readonly type: string | null;
      readonly url: string;
      readonly avatar_url: string | null;
    };
    readonly stars: number | null;
    readonly forks: number | null;
    readonly open_issues: number | null;
    readonly language: string | null;
    readonly topics: readonly string[] | null;
    readonly license: {
      readonly key: string | null;
      readonly name: string | null;
      readonly spdx_id: string | null;
    } | null;
    readonly default_branch: string | null;
    readonly is_fork: boolean | null;
    readonly is_archived: boolean | null;
    readonly is_template: boolean | null;
    readonly visibility: string | null;
    readonly size_kb: number | null;
    readonly created_at: string | null;
    readonly updated_at: string | null;
    readonly pushed_at: string | null;
    readonly counts_approximate: boolean;
    /** Accounts that get notifications about the repository, which differs from stars */
    readonly watchers: number | null;
    /** Only of a fork: the repository that it was forked from */
    readonly parent_full_name: string | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type CodehostReposInput = {
  /** The login, with or without @ */
  readonly username?: string;
  /** Address of the profile */
  readonly url?: string;
  /** Number of the page, by limit; cursor takes precedence */
  readonly page?: number;
  /** owner: their own; member: those they contribute to; all: both */
  readonly type?: "owner" | "all" | "member";
  /** The order of the repositories */
  readonly sort?: "full_name" | "created" | "updated" | "pushed";
  /** By default asc for full_name, else desc */
  readonly direction?: "asc" | "desc";
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly login?: string;
  /** Alias of username */
  readonly user?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type CodehostReposJobInput = {
  readonly kind: "codehost.repos";
  readonly input: CodehostReposInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type CodehostReposResult = {
  readonly provider: "codehost";
  readonly repos: readonly ({
    readonly id: string | null;
    readonly name: string;
    readonly full_name: string;
    readonly url: string;
    readonly description: string | null;
    readonly homepage: string | null;
    readonly owner: {
      readonly login: string;
      readonly type: string | null;
      readonly url: string;
      readonly avatar_url: string | null;
    };
    readonly stars: number | null;
    readonly forks: number | null;
    readonly open_issues: number | null;
    readonly language: string | null;
    readonly topics: readonly string[] | null;
    readonly license: {
      readonly key: string | null;
      readonly name: string | null;
      readonly spdx_id: string | null;
    } | null;
    readonly default_branch: string | null;
    readonly is_fork: boolean | null;
    readonly is_archived: boolean | null;
    readonly is_template: boolean | null;
    readonly visibility: string | null;
    readonly size_kb: number | null;
    readonly created_at: string | null;
    readonly updated_at: string | null;
    readonly pushed_at: string | null;
    readonly counts_approximate: boolean;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type CodehostUserInput = {
  /** The login, with or without @ */
  readonly username?: string;
  /** Address of the profile */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly login?: string;
  /** Alias of username */
  readonly user?: string;
};

export type CodehostUserJobInput = {
  readonly kind: "codehost.user";
  readonly input: CodehostUserInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type CodehostUserResult = {
  readonly provider: "codehost";
  readonly user: {
    readonly id: string | null;
    readonly login: string;
    readonly name: string | null;
    readonly type: "User" | "Organization" | null;
    readonly url: string;
    readonly avatar_url: string | null;
    readonly bio: string | null;
    readonly company: string | null;
    readonly location: string | null;
    readonly blog_url: string | null;
    readonly followers: number | null;
    readonly following: number | null;
    readonly public_repos: number | null;
    readonly public_gists: number | null;
    readonly hireable: boolean | null;
    readonly created_at: string | null;
    readonly updated_at: string | null;
    readonly counts_approximate: boolean;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ContentChange = {
  readonly previous_hash: string | null;
  readonly new_hash: string | null;
  readonly added_lines: number;
  readonly removed_lines: number;
  readonly unified_diff: string | null;
  readonly diff_truncated: boolean;
};

/** The other members are those of a page in the result */
export type CrawlEventPage = {
  /** Number of the page in its crawl */
  readonly seq: number;
  readonly state: "stored" | "failed";
  readonly url: string;
  readonly status_code?: number;
  /** Why it failed */
  readonly error?: {
    readonly code: string;
    readonly message: string;
  };
  /** Path of the stored page */
  readonly result_url?: string;
  /** The page is too long: its outputs and perhaps its metadata are left out */
  readonly truncated?: true;
};

export type CrawlInput = {
  /** URL at which the crawl starts */
  readonly url?: string;
  /** A list of URLs to crawl instead; their links are not followed */
  readonly urls?: readonly string[];
  /** Maximum number of pages to store, default 25; a larger crawl runs as a job */
  readonly max_pages?: number;
  /** Maximum link depth from the start; null for no limit */
  readonly max_depth?: number | null;
  /** Read the site's sitemaps in addition to its links, not at all (skip), or instead of them (only) */
  readonly sitemap?: "include" | "skip" | "only";
  /** Formats to return; screenshot needs a browser and is stored as a file, summary needs a model, passages quotes what matches a query, changes compares each page with its last copy */
  readonly output?: readonly ("markdown" | "text" | "html" | "raw_html" | "links" | "images" | "metadata" | "tables" | "structured_data" | "attributes" | "chunks" | "json" | "screenshot" | "summary" | "passages" | "changes")[];
  readonly screenshot?: ScreenshotInput;
  /** Which URLs are in scope, relative to the start; any: links to other sites too */
  readonly scope?: "path" | "host" | "subdomains" | "domain" | "any";
  /** Globs on path and query, or re: and an RE2 expression, or url: and one for the whole URL; only matching links are followed */
  readonly include?: readonly string[];
  /** Patterns of the same form; matching links are skipped */
  readonly exclude?: readonly string[];
  /** Maximum number of links followed per path pattern, such as /maze/*, against crawler traps; URLs from sitemaps are not counted */
  readonly max_per_pattern?: number;
  /** Treat URLs that differ only in their query as one page: the first one found is requested */
  readonly ignore_query?: boolean;
  /** Treat links that differ only after #/ or #! as separate pages; a browser loads every page */
  readonly hash_routes?: boolean;
  /** How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Total time limit in ms; above the plan's inline limit the call runs as a job */
  readonly timeout_ms?: number;
  /** Obey robots.txt, also for redirects; a crawl does not store pages marked noindex */
  readonly respect_robots?: boolean;
  /** With cookies, a session or a login header: also follow links that log out, delete, unsubscribe or fill a cart */
  readonly follow_actions?: boolean;
  /** Fixed gap between two requests to one host in ms; robots.txt may require a longer one */
  readonly delay_ms?: number;
  /** Maximum number of credits that the call may cost */
  readonly max_credits?: number;
  /** Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use */
  readonly session?: string;
  /** included: follow everything in scope, but store only pages that match include; other pages are free */
  readonly store?: "all" | "included";
  /** How each page is requested and read */
  readonly fetch?: {
    /** Remove navigation, footers and similar parts from text formats */
    readonly only_main_content?: boolean;
    /** CSS selectors of the parts to keep; default everything */
    readonly include_selectors?: readonly string[];
    /** CSS selectors of parts to remove */
    readonly exclude_selectors?: readonly string[];
    /** Fields to extract for output json */
    readonly extract?: Extract;
    /** Attributes of elements to read for output attributes */
    readonly attributes?: readonly AttributeQuery[];
    /** How the page is cut for output chunks */
    readonly chunking?: ChunkingInput;
    /** Include the documents of frames, srcdoc and embedded PDFs in the page */
    readonly frames?: boolean;
    /** Request headers; dropped on a redirect to another origin */
    readonly headers?: Readonly<Record<string, string>>;
    /** Request cookies; dropped on a redirect to another origin */
    readonly cookies?: readonly RequestCookie[];
    /** Wait in a browser until this CSS selector matches */
    readonly wait_for_selector?: string;
    /** Time to wait in a browser before the page is captured, within timeout_ms */
    readonly wait_ms?: number;
    /** Scroll to the end of the page in a browser, to load lazy content */
    readonly scroll?: boolean;
    /** Requests that a page in a browser cannot make; ads are a list of third-party domains */
    readonly block?: readonly ("ads" | "images" | "fonts" | "media")[];
    /** Device to emulate */
    readonly device?: "desktop" | "mobile";
    /** Request the page from this country (ISO 3166, two letters) through a proxy */
    readonly country?: string;
    /** Language and region to request (BCP 47), such as de-AT */
    readonly locale?: string;
    /** Most characters of each text format, cut at block boundaries */
    readonly max_chars?: number;
    /** Where to continue a long page: next_offset of the previous response */
    readonly offset_chars?: number;
    readonly changes?: ChangesInput;
    readonly passages?: PassagesInput;
    /** Accept any certificate of the target; the operator must allow it with QUERN_ALLOW_INSECURE_TLS */
    readonly insecure_tls?: boolean;
  };
  /** Archive every HTTP exchange as WARC, available with format=warc of the result; the crawl runs as a job */
  readonly archive?: boolean;
  /** Skip pages whose content is already stored; skipped pages are free */
  readonly dedupe_content?: boolean;
};

export type CrawlJobInput = {
  readonly kind: "crawl";
  readonly input: CrawlInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type CrawlPageEvent = {
  /** Equals webhook-id; the same for every attempt */
  readonly id: string;
  readonly type: "crawl.page";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly job_id: string;
  /** crawl or fetch.batch */
  readonly kind: string;
  /** The body was too long: lists and texts in data are truncated */
  readonly truncated?: true;
  /** If truncated: path of the complete record */
  readonly url?: string;
  readonly data: {
    readonly pages: readonly CrawlEventPage[];
  };
};

export type CrawlPageRow = {
  /** Number in order of discovery */
  readonly seq: number;
  readonly url: string;
  readonly state: "waiting" | "visiting" | "stored" | "failed" | "skipped";
  readonly depth: number;
  readonly status_code: number | null;
  readonly title: string | null;
  /** Size of its part of the result */
  readonly bytes: number | null;
  readonly near_duplicate: boolean;
  /** Code of the failure or of the reason why it was skipped */
  readonly code: string | null;
  readonly message: string | null;
  /** Place for jobs.page; null if the page is not stored */
  readonly place: string | null;
};

export type CrawlPageRowList = {
  readonly data: readonly CrawlPageRow[];
  readonly next_cursor: string | null;
};

export type CrawlResult = {
  readonly url: string;
  /** Whether no page in reach was missed */
  readonly complete: boolean;
  /** Why it ended; answer_full: the answer has no space for more pages, a job has; blocked: the remaining hosts refused or did not answer 25 visits in a row; login_required: pages became login forms, so the login has expired; interrupted: it could not continue */
  readonly stop_reason: "exhausted" | "max_pages" | "answer_full" | "max_depth" | "timeout" | "max_credits" | "credits_exhausted" | "daily_cap" | "cancelled" | "interrupted" | "robots" | "blocked" | "login_required";
  readonly pages: readonly CrawledPage[];
  /** Pages that failed (free of charge), the first thousand; removed: gone, and its copy for changes deleted */
  readonly errors: readonly PageError[];
  /** URLs that were not stored (free of charge), by reason */
  readonly skipped: Readonly<Record<string, number>>;
  /** robots: robots.txt and the sitemaps that it lists; sitemap: those at the usual paths */
  readonly sources: Readonly<Record<string, {
    /** URLs in scope that they list */
    readonly found: number;
    /** Files or pages that were read */
    readonly read: number;
    /** URLs that were skipped */
    readonly refused: number;
    readonly errors: readonly PageError[];
  }>>;
  readonly stats: {
    readonly discovered: number;
    readonly fetched: number;
    readonly failed: number;
    readonly skipped: number;
    readonly pending: number;
    readonly duration_ms: number;
  };
  readonly warnings: readonly Warning[];
};

export type CrawlStartedEvent = {
  /** Equals webhook-id; the same for every attempt */
  readonly id: string;
  readonly type: "crawl.started";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly job_id: string;
  /** crawl or fetch.batch */
  readonly kind: string;
  /** The body was too long: lists and texts in data are truncated */
  readonly truncated?: true;
  /** If truncated: path of the complete record */
  readonly url?: string;
  readonly data: {
    /** Number of URLs that it starts with */
    readonly urls: number;
  };
};

export type CrawlTree = {
  readonly job_id: string;
  readonly prefix: string;
  /** Counts of the pages below the prefix */
  readonly counts: {
    readonly total: number;
    readonly stored: number;
    readonly failed: number;
    readonly skipped: number;
    readonly waiting: number;
    readonly near_duplicates: number;
    readonly by_code: readonly {
      readonly code: string;
      readonly count: number;
    }[];
    readonly by_depth: readonly {
      readonly depth: number;
      readonly count: number;
    }[];
    readonly by_status: readonly {
      readonly status_code: number;
      readonly count: number;
    }[];
  };
  /** The 1,000 children with the most pages, sorted by name */
  readonly children: readonly {
    /** Empty for the page of the prefix itself */
    readonly name: string;
    /** Prefix for the next level, and for jobs.pages */
    readonly prefix: string;
    readonly is_leaf: boolean;
    readonly stored: number;
    readonly failed: number;
    readonly skipped: number;
    readonly waiting: number;
  }[];
  /** Whether there are more children */
  readonly cut: boolean;
};

export type CrawledPage = {
  readonly url: string;
  readonly final_url: string;
  readonly status_code: number;
  readonly fetched_at: string;
  readonly depth: number;
  readonly parent_url: string | null;
  readonly content_type: string;
  readonly markdown?: string;
  readonly text?: string;
  readonly html?: string;
  readonly raw_html?: string;
  readonly links?: readonly Link[];
  readonly images?: readonly Image[];
  readonly tables?: readonly Table[];
  readonly structured_data?: StructuredData;
  /** For each query the values as written in the page, in document order */
  readonly attributes?: readonly AttributeValues[];
  /** Parts of the Markdown for an index, in order */
  readonly chunks?: readonly Chunk[];
  readonly json?: Readonly<Record<string, unknown>>;
  /** The original text of json fields that are empty because it could not be converted to their type */
  readonly json_unread?: Readonly<Record<string, string>>;
  /** The screenshot; null if a browser cannot display the target, or nothing visible matches its selector */
  readonly screenshot?: Artifact | null;
  /** Summary of the page in a few sentences; empty if the model declined */
  readonly summary?: string;
  /** Answer of the model to passages.query; null if there is no model, or it finds no answer */
  readonly answer?: string | null;
  /** What the model contributed, if it was used */
  readonly model?: ModelUse;
  /** Null for an error page, which is not compared */
  readonly changes?: PageChanges | null;
  /** The sentences of the main text that match the query best, in the order of the page; empty if none does */
  readonly passages?: readonly string[];
  readonly metadata: Metadata;
  readonly tier: "cache" | "http" | "browser" | "proxy" | "proxy_browser";
  readonly credits: number;
  /** URL of a stored page with nearly the same content */
  readonly near_duplicate_of?: string;
  /** The status is a success, but the page says that it does not exist */
  readonly soft_404?: boolean;
  readonly warnings: readonly Warning[];
};

export type CreateHotelAMonitorInput = {
  /** URL of the property page */
  readonly url?: string;
  /** The property on 2 to 4 sites, instead of this site alone */
  readonly channels?: readonly ({
    readonly provider: "hotel-a" | "hotel-b";
    /** Property id of the site; for hotel-a the URL of its page */
    readonly property_id: string;
  })[];
  /** Day of arrival, in the time zone of the property */
  readonly check_in: string;
  /** Day of departure, 1 to 30 nights later */
  readonly check_out: string;
  /** Number of adults */
  readonly adults?: number;
  /** The age of each child, or the number of children if their ages are unknown */
  readonly children?: readonly number[] | number;
  /** Number of rooms, at most one per adult */
  readonly rooms?: number;
  /** ISO 4217 code; by default the currency of the property */
  readonly currency?: string;
  /** Display name; default host and path of the page */
  readonly name?: string;
  /** Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered */
  readonly cron?: string | null;
  /** Time zone of cron */
  readonly timezone?: string;
  /** Whether its schedule is active */
  readonly active?: boolean;
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** How much the prices of the channels may differ */
    readonly parity_threshold?: {
      /** Reached by a change of at least this much */
      readonly abs?: number;
      /** Reached by a change of at least this share of the earlier value, in % */
      readonly pct?: number;
    };
    readonly digest?: {
      /** Minutes between two digests */
      readonly interval_minutes: number;
      /** Time of day from which the windows are counted, in the time zone of the monitor */
      readonly at?: string;
    } | null;
    /** Report the values of the first completed run as a change */
    readonly notify_on_first_run?: boolean;
    /** Compare with the value last reported, or with that of the run before */
    readonly baseline?: "last_change" | "previous_run";
    /** Runs in a row without a result, failed or skipped, after which monitor.failing is sent; default 3 */
    readonly failing_after?: number;
  };
  /** Receiver of changes: a URL or an object */
  readonly webhook?: MonitorWebhookInput | null;
};

export type CreateHotelBMonitorInput = {
  /** Path of the hotel, such as gb/garden-court */
  readonly property_id?: string;
  /** The property on 2 to 4 sites, instead of this site alone */
  readonly channels?: readonly ({
    readonly provider: "hotel-a" | "hotel-b";
    /** Property id of the site; for hotel-a the URL of its page */
    readonly property_id: string;
  })[];
  /** Day of arrival, in the time zone of the property */
  readonly check_in: string;
  /** Day of departure, 1 to 30 nights later */
  readonly check_out: string;
  /** Number of adults */
  readonly adults?: number;
  /** The age of each child, or the number of children if their ages are unknown */
  readonly children?: readonly number[] | number;
  /** Number of rooms, at most one per adult */
  readonly rooms?: number;
  /** ISO 4217 code; by default the currency of the property */
  readonly currency?: string;
  /** Display name; default host and path of the page */
  readonly name?: string;
  /** Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered */
  readonly cron?: string | null;
  /** Time zone of cron */
  readonly timezone?: string;
  /** Whether its schedule is active */
  readonly active?: boolean;
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** How much the prices of the channels may differ */
    readonly parity_threshold?: {
      /** Reached by a change of at least this much */
      readonly abs?: number;
      /** Reached by a change of at least this share of the earlier value, in % */
      readonly pct?: number;
    };
    readonly digest?: {
      /** Minutes between two digests */
      readonly interval_minutes: number;
      /** Time of day from which the windows are counted, in the time zone of the monitor */
      readonly at?: string;
    } | null;
    /** Report the values of the first completed run as a change */
    readonly notify_on_first_run?: boolean;
    /** Compare with the value last reported, or with that of the run before */
    readonly baseline?: "last_change" | "previous_run";
    /** Runs in a row without a result, failed or skipped, after which monitor.failing is sent; default 3 */
    readonly failing_after?: number;
  };
  /** Receiver of changes: a URL or an object */
  readonly webhook?: MonitorWebhookInput | null;
};

export type CreateKeyInput = {
  /** Display name */
  readonly name?: string;
  /** When the key expires, ISO 8601 UTC; default never */
  readonly expires_at?: string;
};

export type CreateKeyResult = {
  readonly id: string;
  readonly tenant_id: string;
  /** The key; only shown once */
  readonly key: string;
  readonly expires_at: string | null;
};

export type CreateLaunchMonitorInput = {
  /** Slug of the product in its URL */
  readonly slug?: string;
  /** Id of the product */
  readonly id?: string;
  /** URL of the product page */
  readonly url?: string;
  /** Alias of slug */
  readonly product?: string;
  /** Alias of id */
  readonly product_id?: string;
  /** Display name; default host and path of the page */
  readonly name?: string;
  /** Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered */
  readonly cron?: string | null;
  /** Time zone of cron */
  readonly timezone?: string;
  /** Whether its schedule is active */
  readonly active?: boolean;
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** Report the values of the first completed run as a change */
    readonly notify_on_first_run?: boolean;
    readonly digest?: {
      /** Minutes between two digests */
      readonly interval_minutes: number;
      /** Time of day from which the windows are counted, in the time zone of the monitor */
      readonly at?: string;
    } | null;
    /** Runs in a row without a result, failed or skipped, after which monitor.failing is sent; default 3 */
    readonly failing_after?: number;
  };
  /** Receiver of changes: a URL or an object */
  readonly webhook?: MonitorWebhookInput | null;
};

export type CreateMonitorInput = {
  /** Display name; default host and path of the page */
  readonly name?: string;
  /** The http or https page to watch */
  readonly url?: string;
  /** The values to watch, as in fetch; at most 50 */
  readonly extract?: Extract;
  /** An operation to watch instead of url and extract */
  readonly target?: {
    /** Id of a priced operation, such as fetch */
    readonly operation: string;
    /** Input of the operation */
    readonly input: Readonly<Record<string, unknown>>;
  };
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** The compared fields; a name stands for all its members */
    readonly fields?: readonly string[];
    /** Whether one changed field is enough, or all must have changed */
    readonly on?: "any" | "all";
    /** Compare fields, or the text of the page */
    readonly mode?: "fields" | "content";
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** How arrays are compared, by field */
    readonly array_fields?: Readonly<Record<string, {
      /** Whether order counts, or rows are identified by a key; default by type */
      readonly compare?: "set" | "list" | "keyed";
      /** The member that identifies a row */
      readonly key?: string;
      /** The compared members of rows; default all */
      readonly fields?: readonly string[];
    }>>;
    /** The watched content in mode content; default the Markdown of the page */
    readonly content?: {
      /** The watched content of the page */
      readonly of?: "markdown" | "text" | "html" | "selector";
      /** CSS selector of the watched parts, compared as text */
      readonly selector?: string;
      /** CSS selectors of parts left out */
      readonly ignore_selectors?: readonly string[];
    };
    /** RE2 expressions; their matches in texts are not compared */
    readonly ignore_patterns?: readonly string[];
    readonly digest?: {
      /** Minutes between two digests */
      readonly interval_minutes: number;
      /** Time of day from which the windows are counted, in the time zone of the monitor */
      readonly at?: string;
    } | null;
    /** Report the values of the first completed run as a change */
    readonly notify_on_first_run?: boolean;
    /** Compare with the value last reported, or with that of the run before */
    readonly baseline?: "last_change" | "previous_run";
    /** Completed runs in a row that must see a new value before it is reported */
    readonly confirm_runs?: number;
    /** A value that disappears or appears: reported after at least two runs, like any change, or never */
    readonly null_policy?: "confirm" | "change" | "ignore";
    /** Runs in a row without a result, failed or skipped, after which monitor.failing is sent; default 3 */
    readonly failing_after?: number;
  };
  /** Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered */
  readonly cron?: string | null;
  /** Time zone of cron */
  readonly timezone?: string;
  /** Whether its schedule is active */
  readonly active?: boolean;
  /** How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Time limit of one visit in ms, as in fetch */
  readonly timeout_ms?: number;
  /** Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use */
  readonly session?: string;
  /** Returned in webhooks */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Receiver of changes: a URL or an object */
  readonly webhook?: MonitorWebhookInput | null;
};

export type CreateTenantInput = {
  /** Display name; need not be unique */
  readonly name: string;
  /** Name of a plan; GET /v1/admin/plans lists them */
  readonly plan: string;
};

export type CreateTenantResult = {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly created_at: string;
  /** When it was suspended; null if it is not */
  readonly suspended_at: string | null;
  /** Credits of the current month; null if the plan sets no limit */
  readonly credits_granted: number | null;
  readonly credits_topped_up: number;
  readonly credits_used: number;
  /** Reserved by running calls */
  readonly credits_reserved: number;
  readonly credits_remaining: number | null;
  readonly daily_cap: number | null;
  readonly daily_used: number;
};

export type Delivery = {
  readonly id: string;
  /** The webhook-id of every attempt */
  readonly event_id: string;
  readonly type: string;
  readonly monitor_id?: string;
  readonly job_id?: string;
  /** Query values are masked */
  readonly url: string;
  /** failed: will be retried; exhausted: will not be retried; suspended: the webhook is disabled */
  readonly status: "pending" | "delivering" | "succeeded" | "failed" | "exhausted" | "suspended" | "cancelled";
  readonly attempts: readonly ({
    readonly n: number;
    readonly at: string;
    readonly duration_ms: number;
    readonly status_code: number | null;
    /** status, redirect, timeout, unreachable, tls_error or malformed; null when it succeeded */
    readonly error: string | null;
    /** Beginning of the response body without control characters */
    readonly response_excerpt: string | null;
    readonly next_attempt_at: string | null;
  })[];
  readonly next_attempt_at: string | null;
  readonly created_at: string;
};

export type DeliveryDetails = {
  readonly id: string;
  /** The webhook-id of every attempt */
  readonly event_id: string;
  readonly type: string;
  readonly monitor_id?: string;
  readonly job_id?: string;
  /** Query values are masked */
  readonly url: string;
  /** failed: will be retried; exhausted: will not be retried; suspended: the webhook is disabled */
  readonly status: "pending" | "delivering" | "succeeded" | "failed" | "exhausted" | "suspended" | "cancelled";
  readonly attempts: readonly ({
    readonly n: number;
    readonly at: string;
    readonly duration_ms: number;
    readonly status_code: number | null;
    /** status, redirect, timeout, unreachable, tls_error or malformed; null when it succeeded */
    readonly error: string | null;
    /** Beginning of the response body without control characters */
    readonly response_excerpt: string | null;
    readonly next_attempt_at: string | null;
  })[];
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  /** The request; its time and signature differ by attempt, and your own headers are masked */
  readonly request: {
    readonly method: "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
};

export type DeliveryList = {
  readonly data: readonly Delivery[];
  readonly next_cursor: string | null;
};

export type DiffHunk = {
  readonly old_start: number;
  readonly old_lines: number;
  readonly new_start: number;
  readonly new_lines: number;
  readonly lines: readonly ({
    readonly op: "same" | "removed" | "added";
    readonly text: string;
  })[];
};

export type Download = {
  readonly id: string;
  /** URL of its bytes, for the same API key */
  readonly url: string;
  readonly content_type: "image/png" | "image/jpeg" | "image/webp" | "application/pdf" | "application/octet-stream";
  readonly bytes: number;
  /** Width of an image in pixels */
  readonly width?: number;
  readonly height?: number;
  readonly expires_at: string;
  /** File name that the page suggested */
  readonly name: string;
};

export type EngineFeatures = {
  readonly people_also_ask: readonly string[] | null;
  readonly related_searches: readonly string[] | null;
  readonly knowledge_panel: {
    readonly title: string;
    readonly subtitle: string | null;
    readonly description: string | null;
  } | null;
  readonly top_stories: readonly ({
    readonly title: string;
    readonly url: string;
    /** Publisher or site */
    readonly source: string | null;
  })[] | null;
  readonly videos: readonly ({
    readonly title: string;
    readonly url: string;
    /** Publisher or site */
    readonly source: string | null;
  })[] | null;
  readonly local_results: readonly ({
    readonly title: string;
    readonly details: string | null;
  })[] | null;
  readonly ai_overview: {
    readonly text: string;
    readonly sources: readonly ({
      readonly title: string;
      readonly url: string;
      /** Publisher or site */
      readonly source: string | null;
    })[];
  } | null;
};

export type ExplainPageInput = {
  /** The http or https page to explain */
  readonly url: string;
  /** Fields to try: shows what their selectors match and what a fetch would return */
  readonly extract?: Extract;
  /** How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Total time limit in ms; the default is the inline limit of the plan */
  readonly timeout_ms?: number;
  /** Request headers; dropped on a redirect to another origin */
  readonly headers?: Readonly<Record<string, string>>;
  /** Request cookies; dropped on a redirect to another origin */
  readonly cookies?: readonly RequestCookie[];
  /** Wait in a browser until this CSS selector matches */
  readonly wait_for_selector?: string;
  /** Time to wait in a browser before the page is captured, within timeout_ms */
  readonly wait_ms?: number;
  /** Scroll to the end of the page in a browser, to load lazy content */
  readonly scroll?: boolean;
  /** Device to emulate */
  readonly device?: "desktop" | "mobile";
  /** Request the page from this country (ISO 3166, two letters) through a proxy */
  readonly country?: string;
  /** Language and region to request (BCP 47), such as de-AT */
  readonly locale?: string;
  /** Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use */
  readonly session?: string;
  /** Maximum age of a cached page in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Obey robots.txt */
  readonly respect_robots?: boolean;
  /** Most credits that this call may cost */
  readonly max_credits?: number;
};

export type ExplainPageJobInput = {
  readonly kind: "explain";
  readonly input: ExplainPageInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ExplainedPage = {
  readonly url: string;
  readonly final_url: string;
  readonly status_code: number;
  readonly content_type: string;
  readonly title: string | null;
  /** Null for a page without text, or with too much text */
  readonly explanation: Explanation | null;
  /** The explanation as a self-contained HTML page without scripts */
  readonly picture: string | null;
  /** The first 2,000 visible elements with their own text, in document order */
  readonly elements: readonly ({
    /** Selects only this element */
    readonly selector: string | null;
    /** Selects it and similar elements */
    readonly similar: string | null;
    /** Number of elements matched by similar */
    readonly matches: number;
    readonly tag: string;
    readonly text: string;
    readonly depth: number;
  })[];
  /** By field name of extract */
  readonly fields: Readonly<Record<string, {
    /** Null for a field without a selector */
    readonly matches: number | null;
    /** Texts of the first 20 matches */
    readonly values: readonly string[];
    /** What a fetch with this extract returns */
    readonly value: unknown;
  }>>;
  readonly cache: {
    readonly hit: boolean;
    readonly age_ms?: number;
  };
  readonly attempts: readonly Attempt[];
  readonly warnings: readonly Warning[];
};

export type Explanation = {
  /** shell: the page is filled by scripts, so nothing is kept; whole: no main content was found, so everything is kept */
  readonly outcome: "chosen" | "shell" | "whole";
  /** Likelihood of each kind of page, 0 to 1 */
  readonly kinds: Readonly<Record<string, number>>;
  /** Share of the likely main text that is kept */
  readonly share: number | null;
  /** The score from which blocks are kept */
  readonly threshold: number;
  /** Number of blocks of the page */
  readonly count: number;
  readonly blocks: readonly ({
    readonly text: string;
    readonly words: number;
    /** The elements that contain it */
    readonly place: string;
    readonly selector: string | null;
    readonly verdict: "kept" | "low_score" | "comment" | "consent" | "hidden" | "related" | "repeated" | "island" | "shell" | "chrome";
    readonly score: number;
    /** The most influential features, and the score without them */
    readonly because: {
      readonly group: string;
      readonly otherwise: number;
    } | null;
  })[];
  /** The source of each metadata field */
  readonly facts: readonly ({
    readonly fact: string;
    readonly value: string;
    readonly by: string;
    readonly place: string | null;
    readonly also: readonly string[];
  })[];
};

/** Exactly one of `fields` and `schema`. A bare map of field names reads as `fields`, a bare JSON Schema (`type: object` with `properties`) as `schema`. */
export type Extract = {
  /** Named values: `"name": "type"`, `"name": "type[]"`, or the long form. */
  readonly fields?: Readonly<Record<string, "string" | "integer" | "number" | "boolean" | "money" | "date" | "datetime" | "url" | "html" | "string[]" | "integer[]" | "number[]" | "boolean[]" | "money[]" | "date[]" | "datetime[]" | "url[]" | "html[]" | {
    /** CSS selector of the elements that hold the value */
    readonly selector?: string;
    /** XPath of the nodes or attributes that hold the value */
    readonly xpath?: string;
    /** JSONPath into a JSON page or the JSON embedded in a page */
    readonly json_path?: string;
    /** RE2 expression over the text; the first group is the value */
    readonly regex?: string;
    /** Attribute of the selected element to read instead of its text */
    readonly attribute?: string;
    readonly type?: "string" | "integer" | "number" | "boolean" | "money" | "date" | "datetime" | "url" | "html" | "string[]" | "integer[]" | "number[]" | "boolean[]" | "money[]" | "date[]" | "datetime[]" | "url[]" | "html[]";
    /** All matches, as an array */
    readonly many?: boolean;
    /** Members of an object; each one is a field */
    readonly fields?: Readonly<Record<string, unknown>>;
    /** The member that identifies a row; requires `fields` and `many` */
    readonly key?: string;
    /** Words to search for if the field has no selector */
    readonly description?: string;
    readonly currency?: string;
    readonly locale?: string;
  }>>;
  /** A JSON Schema of type object: local references only, at most 16 levels and 200 properties, RE2 patterns. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
};

export type Failure = {
  readonly request_id: string;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: readonly string[];
  };
  readonly diagnostics?: {
    readonly outcome: "failed";
    readonly retryable: boolean;
    readonly blocked?: boolean;
    readonly timed_out?: boolean;
  };
};

export type FastNews = {
  readonly position: number;
  readonly title: string;
  readonly url: string;
  /** Registrable domain */
  readonly source: string;
  readonly description: string;
  readonly published_at: string | null;
  readonly image_url: string | null;
  readonly engines: readonly string[];
};

export type FastResult = {
  readonly position: number;
  readonly title: string;
  readonly url: string;
  readonly url_shown: string;
  readonly description: string;
  /** Registrable domain */
  readonly source: string;
  readonly published_at: string | null;
  readonly language: string | null;
  readonly engines: readonly string[];
  /** The page of the result, if content was requested and the page was read */
  readonly content?: SearchPageContent;
  /** Why the page was not read; such a page is free */
  readonly content_error?: SearchPageError;
};

export type FastSearch = {
  readonly meta_data: {
    readonly search: string;
    readonly country_code: string;
    readonly language: string;
    readonly page: number;
    readonly engines: readonly SearchEngine[];
    /** Engines that returned results */
    readonly served_by: readonly string[];
    readonly total_estimate: number | null;
    readonly has_more: boolean;
    readonly took_ms: number;
    /** True if an engine failed */
    readonly partial: boolean;
  };
  readonly organic_results: readonly FastResult[];
  readonly news_results: readonly FastNews[];
  /** Adjustments of the input; absent if there are none */
  readonly warnings?: readonly Warning[];
};

export type FastSearchInput = {
  /** Search query; "words in quotes" are a phrase; engines get the first 2,000 characters */
  readonly search?: string;
  /** Country whose results come first */
  readonly country_code?: string;
  /** Language of the results: a tag such as de or pt-BR, or a name such as German */
  readonly language?: string;
  /** Page of results; below 1 is the first, beyond the last is empty */
  readonly page?: number;
  /** Also read the pages of the first results, and return their content */
  readonly content?: {
    /** Formats of each page */
    readonly output?: readonly ("markdown" | "text" | "html" | "links")[];
    /** How many results to read, best first; each costs what fetch costs */
    readonly pages?: number;
    /** Most characters of each text format of a page */
    readonly max_chars?: number;
    /** Remove navigation, footers and similar parts from text formats */
    readonly only_main_content?: boolean;
    /** Obey robots.txt: a disallowed page has a content_error */
    readonly respect_robots?: boolean;
  };
  /** Most credits that this call may cost; fewer pages are read if needed */
  readonly max_credits?: number;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly query?: string;
  /** Alias of country_code */
  readonly country?: string;
  /** Alias of country_code */
  readonly geo?: string;
  /** Alias of language */
  readonly lang?: string;
  /** Alias of language */
  readonly locale?: string;
  /** Alias of language */
  readonly language_code?: string;
  /** Alias of language */
  readonly hl?: string;
  /** Alias of page */
  readonly page_number?: number;
  /** Alias of page */
  readonly start_page?: number;
};

export type FastSearchJobInput = {
  readonly kind: "fast-search";
  readonly input: FastSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type FetchBatchInput = {
  /** The http or https pages to fetch: URLs, or objects with url and options; equal ones are fetched once */
  readonly urls: readonly (string | BatchPage)[];
  /** Skip invalid URLs and list them in invalid_urls; otherwise they are refused */
  readonly ignore_invalid_urls?: boolean;
  /** Formats to return; screenshot needs a browser and is stored as a file, summary needs a model, passages quotes what matches a query, changes compares each page with its last copy */
  readonly output?: readonly ("markdown" | "text" | "html" | "raw_html" | "links" | "images" | "metadata" | "tables" | "structured_data" | "attributes" | "chunks" | "json" | "screenshot" | "summary" | "passages" | "changes")[];
  readonly screenshot?: ScreenshotInput;
  /** How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Total time limit in ms; above the plan's inline limit the call runs as a job */
  readonly timeout_ms?: number;
  /** Remove navigation, footers and similar parts from text formats */
  readonly only_main_content?: boolean;
  /** CSS selectors of the parts to keep; default everything */
  readonly include_selectors?: readonly string[];
  /** CSS selectors of parts to remove */
  readonly exclude_selectors?: readonly string[];
  /** Fields to extract for output json */
  readonly extract?: Extract;
  /** Attributes of elements to read for output attributes */
  readonly attributes?: readonly AttributeQuery[];
  /** How the page is cut for output chunks */
  readonly chunking?: ChunkingInput;
  /** Include the documents of frames, srcdoc and embedded PDFs in the page */
  readonly frames?: boolean;
  /** Request headers; dropped on a redirect to another origin */
  readonly headers?: Readonly<Record<string, string>>;
  /** Request cookies; dropped on a redirect to another origin */
  readonly cookies?: readonly RequestCookie[];
  /** Wait in a browser until this CSS selector matches */
  readonly wait_for_selector?: string;
  /** Time to wait in a browser before the page is captured, within timeout_ms */
  readonly wait_ms?: number;
  /** Scroll to the end of the page in a browser, to load lazy content */
  readonly scroll?: boolean;
  /** Requests that a page in a browser cannot make; ads are a list of third-party domains */
  readonly block?: readonly ("ads" | "images" | "fonts" | "media")[];
  /** Device to emulate */
  readonly device?: "desktop" | "mobile";
  /** Request the page from this country (ISO 3166, two letters) through a proxy */
  readonly country?: string;
  /** Language and region to request (BCP 47), such as de-AT */
  readonly locale?: string;
  /** Most characters of each text format, cut at block boundaries */
  readonly max_chars?: number;
  /** Where to continue a long page: next_offset of the previous response */
  readonly offset_chars?: number;
  readonly changes?: ChangesInput;
  readonly passages?: PassagesInput;
  /** Accept any certificate of the target; the operator must allow it with QUERN_ALLOW_INSECURE_TLS */
  readonly insecure_tls?: boolean;
  /** Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use */
  readonly session?: string;
  /** Obey robots.txt: a disallowed URL or redirect target fails with target_blocked */
  readonly respect_robots?: boolean;
  /** Fixed gap between two requests to one host in ms; robots.txt may require a longer one */
  readonly delay_ms?: number;
  /** Maximum number of pages fetched at once; default: as many as their hosts allow */
  readonly max_concurrency?: number;
  /** Maximum number of credits that the call may cost */
  readonly max_credits?: number;
};

export type FetchBatchJobInput = {
  readonly kind: "fetch.batch";
  readonly input: FetchBatchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type FetchBatchResult = {
  /** Whether every URL has a result, an error included */
  readonly complete: boolean;
  /** Why it ended; exhausted: every URL has a result. The others are as in a crawl */
  readonly stop_reason: "exhausted" | "max_pages" | "answer_full" | "max_depth" | "timeout" | "max_credits" | "credits_exhausted" | "daily_cap" | "cancelled" | "interrupted" | "robots" | "blocked" | "login_required";
  /** One result per URL, in the order in which they ended */
  readonly results: readonly BatchResult[];
  /** Skipped invalid URLs, the first thousand */
  readonly invalid_urls: readonly {
    /** Index in urls, from 0 */
    readonly index: number;
    readonly url: string;
    readonly message: string;
  }[];
  readonly stats: {
    /** URLs in the request */
    readonly requested: number;
    readonly invalid: number;
    /** URLs equal to an earlier one, which were fetched once */
    readonly duplicates: number;
    readonly fetched: number;
    readonly failed: number;
    /** URLs without a result, because the batch ended before */
    readonly pending: number;
    readonly duration_ms: number;
  };
  readonly warnings: readonly Warning[];
};

export type FetchInput = {
  /** The http or https page to retrieve */
  readonly url: string;
  /** Formats to return; screenshot and pdf need a browser and are stored as files, summary needs a language model, passages quotes what matches a query, changes compares the page with its last copy */
  readonly output?: readonly ("markdown" | "text" | "html" | "raw_html" | "links" | "images" | "metadata" | "tables" | "structured_data" | "attributes" | "chunks" | "json" | "screenshot" | "pdf" | "summary" | "passages" | "changes")[];
  readonly screenshot?: ScreenshotInput;
  /** How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Request method; any but GET is sent without a browser, and at most once unless headers has Idempotency-Key */
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Request body, one of json, form and text, up to 1 MiB; not with method GET */
  readonly body?: {
    /** Object or list, sent as JSON */
    readonly json?: Readonly<Record<string, unknown>> | readonly unknown[];
    /** Form fields by name, sent URL-encoded */
    readonly form?: Readonly<Record<string, string>>;
    /** Text, sent as it is with content_type */
    readonly text?: string;
    /** Media type of the body; required with text, by default application/json or application/x-www-form-urlencoded */
    readonly content_type?: string;
  };
  readonly changes?: ChangesInput;
  readonly passages?: PassagesInput;
  /** Remove navigation, footers and similar parts from text formats */
  readonly only_main_content?: boolean;
  /** CSS selectors of the parts to keep; default everything */
  readonly include_selectors?: readonly string[];
  /** CSS selectors of parts to remove */
  readonly exclude_selectors?: readonly string[];
  /** Fields to extract for output json */
  readonly extract?: Extract;
  /** Attributes of elements to read for output attributes */
  readonly attributes?: readonly AttributeQuery[];
  /** How the page is cut for output chunks */
  readonly chunking?: ChunkingInput;
  /** Include the documents of frames, srcdoc and embedded PDFs in the page */
  readonly frames?: boolean;
  /** Request headers; dropped on a redirect to another origin */
  readonly headers?: Readonly<Record<string, string>>;
  /** Request cookies; dropped on a redirect to another origin */
  readonly cookies?: readonly RequestCookie[];
  /** Wait in a browser until this CSS selector matches */
  readonly wait_for_selector?: string;
  /** Time to wait in a browser before the page is captured, within timeout_ms */
  readonly wait_ms?: number;
  /** Scroll to the end of the page in a browser, to load lazy content */
  readonly scroll?: boolean;
  /** Requests that a page in a browser cannot make; ads are a list of third-party domains */
  readonly block?: readonly ("ads" | "images" | "fonts" | "media")[];
  /** Device to emulate */
  readonly device?: "desktop" | "mobile";
  /** Request the page from this country (ISO 3166, two letters) through a proxy */
  readonly country?: string;
  /** Language and region to request (BCP 47), such as de-AT */
  readonly locale?: string;
  /** Most characters of each text format, cut at block boundaries */
  readonly max_chars?: number;
  /** Where to continue a long page: next_offset of the previous response */
  readonly offset_chars?: number;
  /** Accept any certificate of the target; the operator must allow it with QUERN_ALLOW_INSECURE_TLS */
  readonly insecure_tls?: boolean;
  /** Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use */
  readonly session?: string;
  /** Maximum age of a cached page in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Obey robots.txt: a disallowed URL or redirect target fails with target_blocked */
  readonly respect_robots?: boolean;
  /** Most credits that this call may cost */
  readonly max_credits?: number;
};

export type FetchJobInput = {
  readonly kind: "fetch";
  readonly input: FetchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type FieldChange = {
  readonly field: string;
  readonly previous_value: unknown;
  readonly new_value: unknown;
  readonly op: string;
};

export type FieldDifference = {
  readonly field: string;
  readonly previous: unknown;
  readonly current: unknown;
};

export type ForumPostInput = {
  /** Id of the post, `2gmzqe` or `t3_2gmzqe`; takes precedence over url */
  readonly id?: string;
  /** Address of the post */
  readonly url?: string;
  /** Name of its community */
  readonly subreddit?: string;
  /** Order of the comments */
  readonly sort?: "best" | "top" | "new" | "controversial" | "old" | "qa";
  /** Maximum number of top-level comments */
  readonly comment_limit?: number;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type ForumPostJobInput = {
  readonly kind: "forum.post";
  readonly input: ForumPostInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ForumPostResult = {
  readonly provider: "forum";
  readonly post: {
    readonly id: string;
    readonly fullname: string;
    readonly title: string;
    /** Permalink of the post */
    readonly url: string;
    readonly author: {
      readonly name: string;
      readonly id: string | null;
    } | null;
    readonly subreddit: {
      readonly name: string;
      readonly id: string | null;
      readonly prefixed: string;
      readonly subscribers: number | null;
    } | null;
    readonly created_at: string | null;
    readonly edited_at: string | null;
    readonly score: number | null;
    readonly upvote_ratio: number | null;
    readonly comment_count: number | null;
    readonly flair: string | null;
    readonly type: "text" | "link" | "image" | "gallery" | "video" | "poll" | "crosspost" | null;
    readonly text_html: string | null;
    readonly text: string | null;
    readonly link_url: string | null;
    readonly domain: string | null;
    readonly media: readonly ({
      readonly type: "image" | "video";
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[] | null;
    readonly is_nsfw: boolean | null;
    readonly is_spoiler: boolean | null;
    readonly is_locked: boolean | null;
    readonly is_stickied: boolean | null;
    readonly is_archived: boolean | null;
    readonly is_removed: boolean | null;
    readonly crosspost_parent: string | null;
    readonly award_count: number | null;
  };
  /** Top-level comments; null if the source has none */
  readonly comments: readonly ({
    readonly id: string;
    readonly fullname: string;
    readonly author: string | null;
    readonly created_at: string | null;
    readonly edited_at: string | null;
    readonly score: number | null;
    readonly score_hidden: boolean | null;
    readonly text_html: string | null;
    readonly text: string | null;
    readonly depth: number | null;
    readonly permalink: string | null;
    readonly reply_count: number | null;
    readonly is_op: boolean | null;
    readonly is_stickied: boolean | null;
    readonly distinguished: string | null;
  })[] | null;
  /** Whether there are more than these */
  readonly comments_truncated: boolean;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ForumSubredditInput = {
  /** Name of the community, such as `milling` or `r/milling` */
  readonly subreddit?: string;
  /** Address of the community */
  readonly url?: string;
  /** Order of the posts */
  readonly sort?: "hot" | "new" | "top" | "rising" | "controversial";
  /** Period of the ranking; only for sort=top and sort=controversial */
  readonly time?: "hour" | "day" | "week" | "month" | "year" | "all";
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of subreddit */
  readonly name?: string;
  /** Alias of subreddit */
  readonly community?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type ForumSubredditJobInput = {
  readonly kind: "forum.subreddit";
  readonly input: ForumSubredditInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ForumSubredditResult = {
  readonly provider: "forum";
  /** Null on the pages after the first */
  readonly subreddit: {
    readonly name: string;
    readonly id: string | null;
    readonly title: string | null;
    readonly description: string | null;
    readonly subscribers: number | null;
    /** Number of users who are online now */
    readonly active_users: number | null;
    readonly created_at: string | null;
    readonly is_nsfw: boolean | null;
    readonly icon_url: string | null;
  } | null;
  readonly posts: readonly ({
    readonly id: string;
    readonly fullname: string;
    readonly title: string;
    /** Permalink of the post */
    readonly url: string;
    readonly author: {
      readonly name: string;
      readonly id: string | null;
    } | null;
    readonly subreddit: {
      readonly name: string;
      readonly id: string | null;
      readonly prefixed: string;
      readonly subscribers: number | null;
    } | null;
    readonly created_at: string | null;
    readonly edited_at: string | null;
    readonly score: number | null;
    readonly upvote_ratio: number | null;
    readonly comment_count: number | null;
    readonly flair: string | null;
    readonly type: "text" | "link" | "image" | "gallery" | "video" | "poll" | "crosspost" | null;
    readonly text_html: string | null;
    readonly text: string | null;
    readonly link_url: string | null;
    readonly domain: string | null;
    readonly media: readonly ({
      readonly type: "image" | "video";
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[] | null;
    readonly is_nsfw: boolean | null;
    readonly is_spoiler: boolean | null;
    readonly is_locked: boolean | null;
    readonly is_stickied: boolean | null;
    readonly is_archived: boolean | null;
    readonly is_removed: boolean | null;
    readonly crosspost_parent: string | null;
    readonly award_count: number | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ForumUserInput = {
  /** User name, such as `ilse_miller` or `u/ilse_miller` */
  readonly username?: string;
  /** Address of the profile */
  readonly url?: string;
  /** Order of posts and comments */
  readonly sort?: "new" | "hot" | "top" | "controversial";
  /** Period of the ranking; only for sort=top and sort=controversial */
  readonly time?: "hour" | "day" | "week" | "month" | "year" | "all";
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of limit */
  readonly per_page?: number;
};

export type ForumUserJobInput = {
  readonly kind: "forum.user";
  readonly input: ForumUserInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ForumUserResult = {
  readonly provider: "forum";
  /** Null on pages after the first, and if the source does not have it */
  readonly user: {
    readonly name: string;
    readonly id: string | null;
    readonly created_at: string | null;
    readonly link_karma: number | null;
    readonly comment_karma: number | null;
    readonly total_karma: number | null;
    readonly is_moderator: boolean | null;
    readonly is_employee: boolean | null;
    readonly is_suspended: boolean | null;
    readonly icon_url: string | null;
  } | null;
  readonly items: readonly ({
    readonly id: string;
    readonly fullname: string;
    readonly title: string;
    /** Permalink of the post */
    readonly url: string;
    readonly author: {
      readonly name: string;
      readonly id: string | null;
    } | null;
    readonly subreddit: {
      readonly name: string;
      readonly id: string | null;
      readonly prefixed: string;
      readonly subscribers: number | null;
    } | null;
    readonly created_at: string | null;
    readonly edited_at: string | null;
    readonly score: number | null;
    readonly upvote_ratio: number | null;
    readonly comment_count: number | null;
    readonly flair: string | null;
    readonly type: "text" | "link" | "image" | "gallery" | "video" | "poll" | "crosspost" | null;
    readonly text_html: string | null;
    readonly text: string | null;
    readonly link_url: string | null;
    readonly domain: string | null;
    readonly media: readonly ({
      readonly type: "image" | "video";
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[] | null;
    readonly is_nsfw: boolean | null;
    readonly is_spoiler: boolean | null;
    readonly is_locked: boolean | null;
    readonly is_stickied: boolean | null;
    readonly is_archived: boolean | null;
    readonly is_removed: boolean | null;
    readonly crosspost_parent: string | null;
    readonly award_count: number | null;
    readonly kind: "post";
  } | {
    readonly id: string;
    readonly fullname: string;
    readonly author: string | null;
    readonly created_at: string | null;
    readonly edited_at: string | null;
    readonly score: number | null;
    readonly score_hidden: boolean | null;
    readonly text_html: string | null;
    readonly text: string | null;
    readonly depth: number | null;
    readonly permalink: string | null;
    readonly reply_count: number | null;
    readonly is_op: boolean | null;
    readonly is_stickied: boolean | null;
    readonly distinguished: string | null;
    readonly kind: "comment";
    readonly subreddit: string | null;
    readonly post_title: string | null;
    readonly post_url: string | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type GetInstanceResult = {
  readonly version: string;
  readonly node: string;
  readonly started_at: string;
  readonly store: {
    readonly kind: "sqlite" | "postgres";
    /** The number of the last migration */
    readonly schema: number;
    readonly bytes: number;
  };
  /** The disk of the data folder; null if it cannot be read */
  readonly disk: {
    readonly data_dir: string;
    readonly free_bytes: number;
    readonly total_bytes: number;
  } | null;
  /** Bytes of cached pages and results at the last upkeep; null before the first */
  readonly kept: {
    readonly cache: number;
    readonly results: number;
  } | null;
  /** Live services and workers on the store */
  readonly processes: readonly {
    readonly id: string;
    readonly seen_at: string;
  }[];
};

export type GetJobResultResult = {
  /** As in the inline response; null if nothing was charged yet */
  readonly usage?: Readonly<Record<string, unknown>> | null;
  /** For results with a long list: cursor of the next page, null at the end; a running job may add to the list */
  readonly next_cursor?: string | null;
};

export type GetQueueResult = {
  readonly queued: number;
  readonly running: number;
  /** Set if there are more jobs than were counted */
  readonly cut?: true;
  /** The job that has been due longest; null if none is due */
  readonly oldest: {
    readonly id: string;
    readonly tenant_id: string;
    readonly kind: string;
    readonly waits_ms: number;
  } | null;
  readonly by_kind: readonly {
    readonly kind: string;
    readonly queued: number;
    readonly running: number;
  }[];
  /** The 100 tenants with the most jobs */
  readonly by_tenant: readonly {
    readonly tenant_id: string;
    readonly queued: number;
    readonly running: number;
  }[];
  /** The 100 oldest running jobs */
  readonly running_jobs: readonly ({
    readonly id: string;
    readonly tenant_id: string;
    readonly kind: string;
    readonly worker: string | null;
    readonly attempt: number;
    readonly started_at: string | null;
  })[];
};

export type GetRequestResult = {
  readonly id: string;
  readonly at: string;
  readonly operation: string;
  readonly status: number;
  /** The error code; null if the call succeeded */
  readonly code: string | null;
  readonly credits: number;
  readonly tier: "cache" | "http" | "browser" | "proxy" | "proxy_browser" | null;
  readonly duration_ms: number;
  /** Tokens read by the language model; 0 if it was not used */
  readonly input_tokens: number;
  /** Tokens written by the language model */
  readonly output_tokens: number;
  /** For failed calls: the requested URL, without secrets */
  readonly url: string | null;
  /** For failed calls: the error message, without secrets in URLs */
  readonly message: string | null;
  readonly attempts: readonly Attempt[];
};

export type GetTenantResult = {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly created_at: string;
  /** When it was suspended; null if it is not */
  readonly suspended_at: string | null;
  /** Credits of the current month; null if the plan sets no limit */
  readonly credits_granted: number | null;
  readonly credits_topped_up: number;
  readonly credits_used: number;
  /** Reserved by running calls */
  readonly credits_reserved: number;
  readonly credits_remaining: number | null;
  readonly daily_cap: number | null;
  readonly daily_used: number;
};

export type GetUpkeepResult = {
  /** State of the rounds of this process */
  readonly state: "started" | "running" | "idle";
  /** The last run of each round in the responding process */
  readonly rounds: readonly ({
    readonly name: string;
    readonly started_at: string;
    readonly duration_ms: number;
    readonly outcome: "done" | "failed";
  })[];
};

export type HomestayListingInput = {
  /** The number of the home, or its address; takes precedence over url */
  readonly id?: string;
  /** Address of the home */
  readonly url?: string;
  /** Day of arrival; requires check_out */
  readonly check_in?: string;
  /** Day of departure; requires check_in */
  readonly check_out?: string;
  /** Number of adults */
  readonly adults?: number;
  /** Number of children */
  readonly children?: number;
  /** Number of infants */
  readonly infants?: number;
  /** Number of pets */
  readonly pets?: number;
  /** ISO 4217 */
  readonly currency?: string;
  /** Language of texts, BCP 47 */
  readonly locale?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of check_in */
  readonly checkin?: string;
  /** Alias of check_out */
  readonly checkout?: string;
  /** Alias of locale */
  readonly language?: string;
};

export type HomestayListingJobInput = {
  readonly kind: "homestay.listing";
  readonly input: HomestayListingInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type HomestayListingResult = {
  readonly provider: "homestay";
  readonly listing: {
    readonly id: string;
    readonly url: string;
    readonly title: string;
    readonly description_html: string | null;
    readonly description_text: string | null;
    readonly room_type: string | null;
    readonly property_type: string | null;
    readonly person_capacity: number | null;
    readonly bedrooms: number | null;
    readonly beds: number | null;
    readonly bathrooms: number | null;
    readonly overview: readonly string[];
    readonly amenities: readonly ({
      readonly group: string | null;
      readonly title: string;
      readonly available: boolean;
    })[] | null;
    readonly images: readonly string[];
    readonly host: {
      readonly id: string | null;
      readonly name: string | null;
      readonly is_superhost: boolean | null;
      readonly url: string | null;
    } | null;
    readonly latitude: number | null;
    readonly longitude: number | null;
    readonly location_text: string | null;
    readonly rating: number | null;
    readonly review_count: number | null;
    readonly ratings: {
      readonly cleanliness: number | null;
      readonly accuracy: number | null;
      readonly check_in: number | null;
      readonly communication: number | null;
      readonly location: number | null;
      readonly value: number | null;
    };
    readonly house_rules: readonly string[] | null;
    /** For the stay from check_in to check_out; null without these days */
    readonly price: {
      readonly total: number | null;
      readonly nightly: number | null;
      readonly currency: string | null;
      readonly text: string | null;
    } | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type HomestayReviewsInput = {
  /** The number of the home, or its address; takes precedence over url */
  readonly id?: string;
  /** Address of the home */
  readonly url?: string;
  /** Language of texts, BCP 47 */
  readonly locale?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of locale */
  readonly language?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type HomestayReviewsJobInput = {
  readonly kind: "homestay.reviews";
  readonly input: HomestayReviewsInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type HomestayReviewsResult = {
  readonly provider: "homestay";
  readonly reviews: readonly ({
    readonly id: string;
    readonly text: string | null;
    readonly rating: number | null;
    readonly created_at: string | null;
    readonly date_text: string | null;
    readonly language: string | null;
    readonly author_name: string | null;
    readonly author_location: string | null;
    readonly response: string | null;
  })[];
  readonly review_count: number | null;
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type HomestaySearchInput = {
  /** Name of a place, such as Lisbon or Harrow, United Kingdom */
  readonly location?: string;
  /** Day of arrival; requires check_out */
  readonly check_in?: string;
  /** Day of departure; requires check_in */
  readonly check_out?: string;
  /** Number of adults */
  readonly adults?: number;
  /** Number of children */
  readonly children?: number;
  /** Number of infants */
  readonly infants?: number;
  /** Number of pets */
  readonly pets?: number;
  /** ISO 4217 */
  readonly currency?: string;
  /** Language of texts, BCP 47 */
  readonly locale?: string;
  /** Minimum price per night */
  readonly price_min?: number;
  /** Maximum price per night */
  readonly price_max?: number;
  /** The id of the place on the site */
  readonly place_id?: string;
  /** Latitude of the north-east corner of the map; requires the other three coordinates */
  readonly ne_lat?: number;
  /** Its longitude */
  readonly ne_lng?: number;
  /** Latitude of the south-west corner of the map */
  readonly sw_lat?: number;
  /** Its longitude */
  readonly sw_lng?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of location */
  readonly search?: string;
  /** Alias of location */
  readonly query?: string;
  /** Alias of location */
  readonly q?: string;
  /** Alias of check_in */
  readonly checkin?: string;
  /** Alias of check_out */
  readonly checkout?: string;
  /** Alias of locale */
  readonly language?: string;
};

export type HomestaySearchJobInput = {
  readonly kind: "homestay.search";
  readonly input: HomestaySearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type HomestaySearchResult = {
  readonly provider: "homestay";
  readonly listings: readonly ({
    readonly id: string;
    readonly url: string;
    /** The type of the home and its place */
    readonly title: string | null;
    /** The name that the host chose */
    readonly name: string | null;
    readonly room_type: string | null;
    readonly rating: number | null;
    readonly review_count: number | null;
    readonly latitude: number | null;
    readonly longitude: number | null;
    readonly price: {
      readonly total: number | null;
      readonly nightly: number | null;
      readonly currency: string | null;
      readonly text: string | null;
    };
    readonly badges: readonly string[];
    readonly images: readonly string[];
    readonly is_superhost: boolean | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type HotelARateInput = {
  /** Address of the property */
  readonly url: string;
  /** Day of arrival, in the time zone of the property */
  readonly check_in: string;
  /** Day of departure, 1 to 30 nights later */
  readonly check_out: string;
  /** Number of adults */
  readonly adults?: number;
  /** The age of each child, or the number of children if their ages are unknown */
  readonly children?: readonly number[] | number;
  /** Number of rooms, at most one per adult */
  readonly rooms?: number;
  /** ISO 4217 code; by default the currency of the property */
  readonly currency?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type HotelARateJobInput = {
  readonly kind: "hotel-a.rate";
  readonly input: HotelARateInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type HotelBRateInput = {
  /** The segment of the hotel path, with or without its country, or its address */
  readonly property_id: string;
  /** Day of arrival, in the time zone of the property */
  readonly check_in: string;
  /** Day of departure, 1 to 30 nights later */
  readonly check_out: string;
  /** Number of adults */
  readonly adults?: number;
  /** The age of each child, or the number of children if their ages are unknown */
  readonly children?: readonly number[] | number;
  /** Number of rooms, at most one per adult */
  readonly rooms?: number;
  /** ISO 4217 code; by default the currency of the property */
  readonly currency?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type HotelBRateJobInput = {
  readonly kind: "hotel-b.rate";
  readonly input: HotelBRateInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type HotelChange = {
  readonly id: string;
  readonly monitor_id: string;
  readonly run_id: string;
  readonly previous_run_id: string | null;
  readonly baseline_run_id: string | null;
  readonly detected_at: string;
  readonly kind: string;
  readonly provider: string;
  readonly channel: string;
  readonly previous_price: number | null;
  readonly current_price: number | null;
  /** Null if one of the prices is */
  readonly diff: PriceMove | null;
  readonly currency: string | null;
  readonly available_before: boolean | null;
  readonly available_after: boolean;
  readonly room_name?: string;
  readonly rate_plan?: {
    readonly board: "room_only" | "breakfast" | "half_board" | "full_board" | "all_inclusive" | null;
    readonly cancellation: "free" | "non_refundable" | "partial" | null;
  };
  readonly params: StayParams;
  /** Whether a webhook event was or will be sent; with watch.digest only after the end of the period */
  readonly notified: boolean;
  readonly delivery_ids: readonly string[];
};

export type HotelChangeList = {
  readonly data: readonly HotelChange[];
  readonly next_cursor: string | null;
};

export type HotelsRatesInput = {
  readonly channels: readonly ({
    readonly provider: "hotel-a" | "hotel-b";
    /** Property id of the site; for hotel-a the URL of its page */
    readonly property_id: string;
  })[];
  /** Day of arrival, in the time zone of the property */
  readonly check_in: string;
  /** Day of departure, 1 to 30 nights later */
  readonly check_out: string;
  /** Number of adults */
  readonly adults?: number;
  /** The age of each child, or the number of children if their ages are unknown */
  readonly children?: readonly number[] | number;
  /** Number of rooms, at most one per adult */
  readonly rooms?: number;
  /** ISO 4217 code; by default the currency of the property */
  readonly currency?: string;
};

export type HotelsRatesJobInput = {
  readonly kind: "hotels.rates";
  readonly input: HotelsRatesInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type Image = {
  readonly url: string;
  readonly alt: string | null;
  readonly width: number | null;
  readonly height: number | null;
};

export type ImportSessionInput = {
  /** Name of the session, which is created if it does not exist */
  readonly name: string;
  /** Cookies to add, as exported by Playwright’s storageState or a browser extension */
  readonly cookies?: readonly ({
    readonly name: string;
    readonly value: string;
    /** Starts with a dot if it is also sent to subdomains */
    readonly domain: string;
    readonly path?: string;
    /** Seconds since 1970; -1 or absent for a session cookie */
    readonly expires?: number;
    /** Alternative name of expires */
    readonly expirationDate?: number;
    readonly secure?: boolean;
    readonly httpOnly?: boolean;
    readonly sameSite?: string | null;
    readonly hostOnly?: boolean;
  })[];
  /** Local storage to add, by origin */
  readonly origins?: readonly {
    readonly origin: string;
    readonly localStorage?: readonly {
      readonly name: string;
      readonly value: string;
    }[];
  }[];
  /** Days until it expires after its last use; the operator sets the maximum */
  readonly idle_days?: number;
};

export type InteractInput = {
  /** Start page */
  readonly url: string;
  /** The task in words; a model chooses the actions */
  readonly prompt?: string;
  /** Actions in order, at most 200; repeated actions count each time */
  readonly actions?: readonly Action[];
  /** Formats of the page at the end */
  readonly output?: readonly ("markdown" | "text" | "html" | "raw_html" | "links" | "images" | "metadata" | "tables" | "structured_data" | "chunks" | "json" | "screenshot" | "pdf")[];
  /** What to extract from the page at the end, for output json */
  readonly extract?: Extract;
  /** How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Total time limit of the session in ms; default is the plan's inline limit; with a higher value the call becomes a job */
  readonly timeout_ms?: number;
  /** Request headers; dropped on a redirect to another origin */
  readonly headers?: Readonly<Record<string, string>>;
  /** Request cookies; dropped on a redirect to another origin */
  readonly cookies?: readonly RequestCookie[];
  /** Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use */
  readonly session?: string;
  /** Device to emulate */
  readonly device?: "desktop" | "mobile";
  /** Request the page from this country (ISO 3166, two letters) through a proxy */
  readonly country?: string;
  /** Language and region to request (BCP 47), such as de-AT */
  readonly locale?: string;
  /** Hosts, including subdomains, to which the session may send requests; default: its pages stay on the site of url */
  readonly allowed_domains?: readonly string[];
  /** Values for {{name}} in typed text; never logged */
  readonly variables?: Readonly<Record<string, string>>;
  /** Maximum number of actions; with prompt the default is 20 and the limit 60 */
  readonly max_steps?: number;
};

export type InteractJobInput = {
  readonly kind: "interact";
  readonly input: InteractInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type InteractResult = {
  readonly mode: "actions" | "prompt";
  readonly url: string;
  readonly final_url: string;
  /** True if every action that is not optional succeeded */
  readonly completed: boolean;
  /** Index of the step that ended the session */
  readonly failed_step?: number;
  readonly steps: readonly InteractStep[];
  /** Values of named actions */
  readonly extracted?: Readonly<Record<string, unknown>>;
  readonly markdown?: string;
  readonly text?: string;
  readonly html?: string;
  readonly raw_html?: string;
  readonly links?: readonly Link[];
  readonly images?: readonly Image[];
  readonly tables?: readonly Table[];
  readonly structured_data?: StructuredData;
  /** For each query the values as written in the page, in document order */
  readonly attributes?: readonly AttributeValues[];
  /** Parts of the Markdown for an index, in order */
  readonly chunks?: readonly Chunk[];
  readonly json?: Readonly<Record<string, unknown>>;
  /** The original text of json fields that are empty because it could not be converted to their type */
  readonly json_unread?: Readonly<Record<string, string>>;
  readonly metadata?: Metadata;
  /** The screenshot; null if a browser cannot display the target, or nothing visible matches its selector */
  readonly screenshot?: Artifact | null;
  /** The page as PDF; null if a browser cannot display the target */
  readonly pdf?: Artifact | null;
  /** With prompt: the outcome, in the words of the model */
  readonly result?: string | null;
  /** With prompt and extract: the extracted data, in the form of the schema */
  readonly data?: Readonly<Record<string, unknown>> | null;
  /** With prompt: tokens that the model read and wrote */
  readonly model?: {
    readonly input_tokens: number;
    readonly output_tokens: number;
  };
  readonly warnings: readonly Warning[];
};

export type InteractStep = {
  readonly index: number;
  readonly type: string;
  /** skipped: it failed but was optional */
  readonly status: "ok" | "failed" | "skipped";
  readonly duration_ms: number;
  /** URL of the page afterwards, without fragment */
  readonly url: string;
  readonly error?: {
    readonly code: string;
    readonly message: string;
  };
  /** Screenshot at the time of the failure */
  readonly screenshot?: Artifact;
  /** Files whose download began during this step */
  readonly downloads?: readonly Download[];
};

export type Job = {
  readonly id: string;
  /** The operation that runs */
  readonly kind: string;
  /** Secrets masked; null when the job is deleted or expired */
  readonly input: Readonly<Record<string, unknown>> | null;
  readonly status: "queued" | "running" | "completed" | "failed" | "cancelled" | "expired";
  readonly progress: {
    readonly discovered: number;
    readonly completed: number;
    readonly failed: number;
    /** Absent while it is not known */
    readonly total?: number;
    /** URLs that a crawl or map still has to visit */
    readonly pending?: number;
  };
  /** Number of attempts, at most 5 */
  readonly attempt: number;
  readonly cancel_requested: boolean;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** When the result is deleted; null until the job has ended */
  readonly expires_at: string | null;
  readonly stop_reason?: string;
  /** Set for a queued job that waits for the store of the service. It continues automatically, and the attempt does not count */
  readonly waiting?: JobWait;
  /** Why the result was deleted early: the plan keeps no more bytes of results, or the disk of the service was full */
  readonly evicted_for?: "plan" | "disk";
  readonly error: {
    readonly code: string;
    readonly message: string;
  } | null;
  readonly result_url: string;
  /** For a completed job: the result if it has up to 256 KiB; for a longer list the first elements and next_cursor; otherwise see result_url */
  readonly result?: Readonly<Record<string, unknown>>;
  /** Null if nothing was charged yet */
  readonly usage: Usage | null;
  /** True in lists if a long input is truncated; the job itself has the full input */
  readonly summarized?: boolean;
  /** The webhook of the job, if it was submitted with one */
  readonly webhook?: Webhook;
  /** Only in the response to the submission: changes made to the input */
  readonly warnings?: readonly Warning[];
};

export type JobCompletedEvent = {
  /** Equals webhook-id; the same for every attempt */
  readonly id: string;
  readonly type: "job.completed";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly job_id: string;
  /** The body was too long: lists and texts in data are truncated */
  readonly truncated?: true;
  /** If truncated: path of the complete record */
  readonly url?: string;
  readonly data: Job;
};

export type JobFailedEvent = {
  /** Equals webhook-id; the same for every attempt */
  readonly id: string;
  readonly type: "job.failed";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly job_id: string;
  /** The body was too long: lists and texts in data are truncated */
  readonly truncated?: true;
  /** If truncated: path of the complete record */
  readonly url?: string;
  readonly data: Job;
};

export type JobList = {
  readonly data: readonly Job[];
  readonly next_cursor: string | null;
};

export type JobWait = {
  /** What is unavailable: the database, or the store of results */
  readonly for: "database" | "results";
  readonly since: string;
  /** Attempts that failed for this reason since then */
  readonly tries: number;
  /** When it is retried; after an hour the attempts count like any others */
  readonly next_at: string;
};

export type JobWebhookInput = string | {
  /** URL that receives events; https, or http for hosts in QUERN_ALLOW_TARGETS */
  readonly url: string;
  /** Signing secret; generated and shown once if omitted */
  readonly secret?: string;
  /** Sent with each event, such as authorization; stored encrypted and masked in responses */
  readonly headers?: Readonly<Record<string, string>>;
  /** Events to send; null for job.completed and job.failed; crawl.started and crawl.page are of crawls and batches only */
  readonly events?: readonly ("job.completed" | "job.failed" | "crawl.started" | "crawl.page")[] | null;
  /** Whether crawl.page contains the outputs of the pages; without it only their metadata */
  readonly page_outputs?: boolean;
  /** Maximum number of pages in a crawl.page, default 64 */
  readonly pages_per_event?: number;
  /** Repeated in each event */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The form of events and signatures of another service, such as firecrawl; omit it for that of Quern */
  readonly format?: string;
};

export type JobsBJobInput = {
  /** Address of the job, as returned by a search */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of url */
  readonly job_url?: string;
};

export type JobsBJobJobInput = {
  readonly kind: "jobs-b.job";
  readonly input: JobsBJobInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type JobsBJobResult = {
  readonly provider: "jobs-b";
  readonly job: {
    readonly id: string;
    /** The id to request the job with; null if the site has only URLs */
    readonly job_id: string | null;
    readonly url: string;
    readonly title: string;
    readonly company: {
      readonly name: string | null;
      readonly url: string | null;
      readonly logo_url: string | null;
    } | null;
    readonly location_text: string | null;
    readonly locations: readonly ({
      readonly city: string | null;
      readonly region: string | null;
      readonly country: string | null;
      readonly postal_code: string | null;
      readonly latitude: number | null;
      readonly longitude: number | null;
    })[] | null;
    readonly workplace: "remote" | "hybrid" | "onsite" | null;
    /** full_time, part_time, contract, third_party, temporary, internship and others */
    readonly employment_types: readonly string[] | null;
    readonly salary: {
      readonly min: number | null;
      readonly max: number | null;
      readonly currency: string | null;
      readonly period: "hour" | "day" | "week" | "month" | "year" | null;
      readonly text: string | null;
      /** Whether the site estimated it */
      readonly is_estimate: boolean | null;
    } | null;
    readonly posted_at: string | null;
    readonly posted_text: string | null;
    readonly summary: string | null;
    readonly easy_apply: boolean | null;
    readonly sponsored: boolean | null;
    readonly description_html: string | null;
    readonly description_text: string | null;
    readonly benefits: readonly string[] | null;
    readonly skills: readonly string[] | null;
    readonly qualifications: readonly string[] | null;
    readonly experience_months: number | null;
    readonly education: string | null;
    readonly industries: readonly string[] | null;
    readonly valid_through: string | null;
    readonly apply_url: string | null;
    readonly direct_apply: boolean | null;
    readonly is_expired: boolean | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type JobsBJobsInput = {
  /** Words to search for */
  readonly keywords?: string;
  /** Only jobs that can be done from anywhere */
  readonly remote?: boolean;
  /** 1, 3, 7 or 30 */
  readonly posted_within_days?: number;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of keywords */
  readonly search?: string;
  /** Alias of keywords */
  readonly query?: string;
  /** Alias of keywords */
  readonly q?: string;
  /** Alias of keywords */
  readonly keyword?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type JobsBJobsJobInput = {
  readonly kind: "jobs-b.jobs";
  readonly input: JobsBJobsInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type JobsBJobsResult = {
  readonly provider: "jobs-b";
  readonly jobs: readonly ({
    readonly id: string;
    /** The id to request the job with; null if the site has only URLs */
    readonly job_id: string | null;
    readonly url: string;
    readonly title: string;
    readonly company: {
      readonly name: string | null;
      readonly url: string | null;
      readonly logo_url: string | null;
    } | null;
    readonly location_text: string | null;
    readonly locations: readonly ({
      readonly city: string | null;
      readonly region: string | null;
      readonly country: string | null;
      readonly postal_code: string | null;
      readonly latitude: number | null;
      readonly longitude: number | null;
    })[] | null;
    readonly workplace: "remote" | "hybrid" | "onsite" | null;
    /** full_time, part_time, contract, third_party, temporary, internship and others */
    readonly employment_types: readonly string[] | null;
    readonly salary: {
      readonly min: number | null;
      readonly max: number | null;
      readonly currency: string | null;
      readonly period: "hour" | "day" | "week" | "month" | "year" | null;
      readonly text: string | null;
      /** Whether the site estimated it */
      readonly is_estimate: boolean | null;
    } | null;
    readonly posted_at: string | null;
    readonly posted_text: string | null;
    readonly summary: string | null;
    readonly easy_apply: boolean | null;
    readonly sponsored: boolean | null;
  })[];
  readonly total: number | null;
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type JobsDJobInput = {
  /** The job_id of a search result */
  readonly job_id?: string;
  /** Address of the job */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of job_id */
  readonly id?: string;
};

export type JobsDJobJobInput = {
  readonly kind: "jobs-d.job";
  readonly input: JobsDJobInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type JobsDJobResult = {
  readonly provider: "jobs-d";
  readonly job: {
    readonly id: string;
    /** The id to request the job with; null if the site has only URLs */
    readonly job_id: string | null;
    readonly url: string;
    readonly title: string;
    readonly company: {
      readonly name: string | null;
      readonly url: string | null;
      readonly logo_url: string | null;
    } | null;
    readonly location_text: string | null;
    readonly locations: readonly ({
      readonly city: string | null;
      readonly region: string | null;
      readonly country: string | null;
      readonly postal_code: string | null;
      readonly latitude: number | null;
      readonly longitude: number | null;
    })[] | null;
    readonly workplace: "remote" | "hybrid" | "onsite" | null;
    /** full_time, part_time, contract, third_party, temporary, internship and others */
    readonly employment_types: readonly string[] | null;
    readonly salary: {
      readonly min: number | null;
      readonly max: number | null;
      readonly currency: string | null;
      readonly period: "hour" | "day" | "week" | "month" | "year" | null;
      readonly text: string | null;
      /** Whether the site estimated it */
      readonly is_estimate: boolean | null;
    } | null;
    readonly posted_at: string | null;
    readonly posted_text: string | null;
    readonly summary: string | null;
    readonly easy_apply: boolean | null;
    readonly sponsored: boolean | null;
    readonly description_html: string | null;
    readonly description_text: string | null;
    readonly benefits: readonly string[] | null;
    readonly skills: readonly string[] | null;
    readonly qualifications: readonly string[] | null;
    readonly experience_months: number | null;
    readonly education: string | null;
    readonly industries: readonly string[] | null;
    readonly valid_through: string | null;
    readonly apply_url: string | null;
    readonly direct_apply: boolean | null;
    readonly is_expired: boolean | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type JobsDJobsInput = {
  /** Words to search for */
  readonly keywords?: string;
  /** A city, region or country */
  readonly location?: string;
  /** Radius around `location` in miles */
  readonly radius?: number;
  /** Only jobs that can be done from anywhere */
  readonly remote?: boolean;
  /** Only jobs with this type of employment */
  readonly employment_type?: "full_time" | "part_time" | "contract" | "third_party";
  /** 1, 3 or 7 */
  readonly posted_within_days?: number;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of keywords */
  readonly search?: string;
  /** Alias of keywords */
  readonly query?: string;
  /** Alias of keywords */
  readonly q?: string;
  /** Alias of keywords */
  readonly keyword?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type JobsDJobsJobInput = {
  readonly kind: "jobs-d.jobs";
  readonly input: JobsDJobsInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type JobsDJobsResult = {
  readonly provider: "jobs-d";
  readonly jobs: readonly ({
    readonly id: string;
    /** The id to request the job with; null if the site has only URLs */
    readonly job_id: string | null;
    readonly url: string;
    readonly title: string;
    readonly company: {
      readonly name: string | null;
      readonly url: string | null;
      readonly logo_url: string | null;
    } | null;
    readonly location_text: string | null;
    readonly locations: readonly ({
      readonly city: string | null;
      readonly region: string | null;
      readonly country: string | null;
      readonly postal_code: string | null;
      readonly latitude: number | null;
      readonly longitude: number | null;
    })[] | null;
    readonly workplace: "remote" | "hybrid" | "onsite" | null;
    /** full_time, part_time, contract, third_party, temporary, internship and others */
    readonly employment_types: readonly string[] | null;
    readonly salary: {
      readonly min: number | null;
      readonly max: number | null;
      readonly currency: string | null;
      readonly period: "hour" | "day" | "week" | "month" | "year" | null;
      readonly text: string | null;
      /** Whether the site estimated it */
      readonly is_estimate: boolean | null;
    } | null;
    readonly posted_at: string | null;
    readonly posted_text: string | null;
    readonly summary: string | null;
    readonly easy_apply: boolean | null;
    readonly sponsored: boolean | null;
  })[];
  readonly total: number | null;
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type JobsPageResult = Readonly<Record<string, unknown>>;

export type JobsSJobInput = {
  /** The job_id of a search result */
  readonly job_id?: string;
  /** Address of the job */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of job_id */
  readonly id?: string;
};

export type JobsSJobJobInput = {
  readonly kind: "jobs-s.job";
  readonly input: JobsSJobInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type JobsSJobResult = {
  readonly provider: "jobs-s";
  readonly job: {
    readonly id: string;
    /** The id to request the job with; null if the site has only URLs */
    readonly job_id: string | null;
    readonly url: string;
    readonly title: string;
    readonly company: {
      readonly name: string | null;
      readonly url: string | null;
      readonly logo_url: string | null;
    } | null;
    readonly location_text: string | null;
    readonly locations: readonly ({
      readonly city: string | null;
      readonly region: string | null;
      readonly country: string | null;
      readonly postal_code: string | null;
      readonly latitude: number | null;
      readonly longitude: number | null;
    })[] | null;
    readonly workplace: "remote" | "hybrid" | "onsite" | null;
    /** full_time, part_time, contract, third_party, temporary, internship and others */
    readonly employment_types: readonly string[] | null;
    readonly salary: {
      readonly min: number | null;
      readonly max: number | null;
      readonly currency: string | null;
      readonly period: "hour" | "day" | "week" | "month" | "year" | null;
      readonly text: string | null;
      /** Whether the site estimated it */
      readonly is_estimate: boolean | null;
    } | null;
    readonly posted_at: string | null;
    readonly posted_text: string | null;
    readonly summary: string | null;
    readonly easy_apply: boolean | null;
    readonly sponsored: boolean | null;
    readonly description_html: string | null;
    readonly description_text: string | null;
    readonly benefits: readonly string[] | null;
    readonly skills: readonly string[] | null;
    readonly qualifications: readonly string[] | null;
    readonly experience_months: number | null;
    readonly education: string | null;
    readonly industries: readonly string[] | null;
    readonly valid_through: string | null;
    readonly apply_url: string | null;
    readonly direct_apply: boolean | null;
    readonly is_expired: boolean | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type JobsSJobsInput = {
  /** Words to search for */
  readonly keywords?: string;
  /** A city, region or country */
  readonly location?: string;
  /** Radius around `location` in miles */
  readonly radius?: number;
  /** Maximum age in days */
  readonly posted_within_days?: number;
  /** The order of the jobs */
  readonly sort?: "relevance" | "date";
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of keywords */
  readonly search?: string;
  /** Alias of keywords */
  readonly query?: string;
  /** Alias of keywords */
  readonly q?: string;
  /** Alias of keywords */
  readonly keyword?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type JobsSJobsJobInput = {
  readonly kind: "jobs-s.jobs";
  readonly input: JobsSJobsInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type JobsSJobsResult = {
  readonly provider: "jobs-s";
  readonly jobs: readonly ({
    readonly id: string;
    /** The id to request the job with; null if the site has only URLs */
    readonly job_id: string | null;
    readonly url: string;
    readonly title: string;
    readonly company: {
      readonly name: string | null;
      readonly url: string | null;
      readonly logo_url: string | null;
    } | null;
    readonly location_text: string | null;
    readonly locations: readonly ({
      readonly city: string | null;
      readonly region: string | null;
      readonly country: string | null;
      readonly postal_code: string | null;
      readonly latitude: number | null;
      readonly longitude: number | null;
    })[] | null;
    readonly workplace: "remote" | "hybrid" | "onsite" | null;
    /** full_time, part_time, contract, third_party, temporary, internship and others */
    readonly employment_types: readonly string[] | null;
    readonly salary: {
      readonly min: number | null;
      readonly max: number | null;
      readonly currency: string | null;
      readonly period: "hour" | "day" | "week" | "month" | "year" | null;
      readonly text: string | null;
      /** Whether the site estimated it */
      readonly is_estimate: boolean | null;
    } | null;
    readonly posted_at: string | null;
    readonly posted_text: string | null;
    readonly summary: string | null;
    readonly easy_apply: boolean | null;
    readonly sponsored: boolean | null;
  })[];
  readonly total: number | null;
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type LaunchesLeaderboardCrawlInput = {
  /** Period of the leaderboard */
  readonly period?: "daily" | "weekly" | "monthly" | "yearly";
  /** Any day of the period, in Pacific time; by default today */
  readonly date?: string;
  /** Year, instead of date; with month and day, week, or month */
  readonly year?: number;
  /** Month; requires year */
  readonly month?: number;
  /** ISO week; requires year */
  readonly week?: number;
  /** Day; requires year and month */
  readonly day?: number;
  /** Only launches of this topic */
  readonly topic?: string;
  /** Only launches that the site features */
  readonly featured?: boolean;
  /** Most elements to return */
  readonly max_results?: number;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type LaunchesLeaderboardCrawlJobInput = {
  readonly kind: "launches.leaderboard.crawl";
  readonly input: LaunchesLeaderboardCrawlInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type LaunchesLeaderboardCrawlResult = {
  readonly provider: "launches";
  readonly period: "daily" | "weekly" | "monthly" | "yearly";
  /** First day of the leaderboard */
  readonly date: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly topic: string | null;
  /** Whether other topics were removed from each page (client), or by the site */
  readonly topic_filter: "client" | "site" | null;
  readonly url: string;
  readonly products: readonly ({
    /** Rank on this leaderboard; null while the site shuffles the order */
    readonly rank: number | null;
    /** Whether the leaderboard has ended */
    readonly rank_is_final: boolean;
    readonly id: string;
    readonly name: string;
    readonly tagline: string | null;
    readonly slug: string;
    readonly url: string;
    readonly product: {
      readonly id: string | null;
      readonly slug: string;
      readonly url: string;
    } | null;
    readonly upvotes: number | null;
    readonly launch_day_upvotes: number | null;
    /** Whether the site shows no counts yet */
    readonly upvotes_hidden: boolean | null;
    readonly comment_count: number | null;
    readonly topics: readonly {
      readonly name: string;
      readonly slug: string;
    }[] | null;
    readonly thumbnail_url: string | null;
    readonly launched_at: string | null;
    readonly is_featured: boolean | null;
    readonly daily_rank: number | null;
    readonly weekly_rank: number | null;
    readonly monthly_rank: number | null;
    /** Address that redirects to the site of the product */
    readonly redirect_url: string | null;
  })[];
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
  /** Number of site pages read for products */
  readonly pages_fetched: number;
  /** Whether the list of the site may have more elements */
  readonly truncated: boolean;
  /** Whether the list of the site was read to its end */
  readonly exhausted: boolean;
  readonly stop_reason: "exhausted" | "max_results" | "max_pages" | "max_credits" | "credits_exhausted" | "daily_cap" | "failed" | "timeout" | "cancelled" | "interrupted";
};

export type LaunchesLeaderboardInput = {
  /** Period of the leaderboard */
  readonly period?: "daily" | "weekly" | "monthly" | "yearly";
  /** Any day of the period, in Pacific time; by default today */
  readonly date?: string;
  /** Year, instead of date; with month and day, week, or month */
  readonly year?: number;
  /** Month; requires year */
  readonly month?: number;
  /** ISO week; requires year */
  readonly week?: number;
  /** Day; requires year and month */
  readonly day?: number;
  /** Only launches of this topic */
  readonly topic?: string;
  /** Only launches that the site features */
  readonly featured?: boolean;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type LaunchesLeaderboardJobInput = {
  readonly kind: "launches.leaderboard";
  readonly input: LaunchesLeaderboardInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type LaunchesLeaderboardResult = {
  readonly provider: "launches";
  readonly period: "daily" | "weekly" | "monthly" | "yearly";
  /** First day of the leaderboard */
  readonly date: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly topic: string | null;
  /** Whether other topics were removed from each page (client), or by the site */
  readonly topic_filter: "client" | "site" | null;
  readonly url: string;
  readonly products: readonly ({
    /** Rank on this leaderboard; null while the site shuffles the order */
    readonly rank: number | null;
    /** Whether the leaderboard has ended */
    readonly rank_is_final: boolean;
    readonly id: string;
    readonly name: string;
    readonly tagline: string | null;
    readonly slug: string;
    readonly url: string;
    readonly product: {
      readonly id: string | null;
      readonly slug: string;
      readonly url: string;
    } | null;
    readonly upvotes: number | null;
    readonly launch_day_upvotes: number | null;
    /** Whether the site shows no counts yet */
    readonly upvotes_hidden: boolean | null;
    readonly comment_count: number | null;
    readonly topics: readonly {
      readonly name: string;
      readonly slug: string;
    }[] | null;
    readonly thumbnail_url: string | null;
    readonly launched_at: string | null;
    readonly is_featured: boolean | null;
    readonly daily_rank: number | null;
    readonly weekly_rank: number | null;
    readonly monthly_rank: number | null;
    /** Address that redirects to the site of the product */
    readonly redirect_url: string | null;
  })[];
  /** Always true: only the first launches; launches/leaderboard/crawl returns all */
  readonly truncated: true;
  readonly count: number;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type LaunchesMakerInput = {
  /** With or without @; takes precedence over url */
  readonly username?: string;
  /** Address of the profile */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type LaunchesMakerJobInput = {
  readonly kind: "launches.maker";
  readonly input: LaunchesMakerInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type LaunchesMakerResult = {
  readonly provider: "launches";
  readonly maker: {
    readonly id: string | null;
    readonly username: string;
    readonly name: string;
    readonly headline: string | null;
    readonly about: string | null;
    readonly url: string;
    readonly avatar_url: string | null;
    readonly followers: number | null;
    readonly following: number | null;
    readonly links: readonly {
      /** website, or the name of the linked site */
      readonly type: string;
      readonly url: string;
    }[] | null;
    readonly products: readonly ({
      readonly id: string;
      readonly name: string;
      readonly slug: string;
      readonly tagline: string | null;
      readonly url: string;
      readonly upvotes: number | null;
      readonly launched_at: string | null;
    })[] | null;
    readonly joined_at: string | null;
    readonly badges: readonly string[] | null;
    readonly streak_days: number | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type LaunchesProductInput = {
  /** The last segment of the product's address */
  readonly slug?: string;
  /** The number of one of its launches; takes precedence over slug and url */
  readonly id?: string;
  /** Address of the product, or of one of its launches */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of slug */
  readonly product?: string;
};

export type LaunchesProductJobInput = {
  readonly kind: "launches.product";
  readonly input: LaunchesProductInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type LaunchesProductResult = {
  readonly provider: "launches";
  readonly product: {
    readonly id: string | null;
    readonly name: string;
    readonly slug: string;
    readonly url: string;
    readonly tagline: string | null;
    readonly description: string | null;
    readonly website_url: string | null;
    readonly upvotes: number | null;
    readonly launch_day_upvotes: number | null;
    readonly followers: number | null;
    readonly review_count: number | null;
    readonly rating: number | null;
    readonly topics: readonly {
      readonly name: string;
      readonly slug: string;
    }[] | null;
    readonly categories: readonly {
      readonly name: string;
      readonly slug: string;
    }[] | null;
    readonly makers: readonly ({
      readonly id: string | null;
      readonly username: string;
      readonly name: string | null;
      readonly headline: string | null;
      readonly avatar_url: string | null;
      readonly url: string;
    })[] | null;
    readonly hunter: {
      readonly id: string | null;
      readonly username: string;
      readonly name: string | null;
      readonly headline: string | null;
      readonly avatar_url: string | null;
      readonly url: string;
    } | null;
    readonly launched_at: string | null;
    readonly launches: readonly ({
      readonly id: string;
      readonly name: string;
      readonly tagline: string | null;
      readonly slug: string;
      readonly launched_at: string | null;
      readonly upvotes: number | null;
      readonly comment_count: number | null;
      readonly daily_rank: number | null;
    })[] | null;
    readonly comment_count: number | null;
    readonly thumbnail_url: string | null;
    readonly media: readonly ({
      readonly type: "image" | "video";
      readonly url: string;
    })[] | null;
    readonly links: readonly {
      /** website, or the name of the linked site */
      readonly type: string;
      readonly url: string;
    }[] | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type Link = {
  readonly url: string;
  readonly text: string;
  readonly rel: string | null;
  readonly internal: boolean;
  readonly nofollow: boolean;
};

export type ListAllKeysResult = {
  readonly data: readonly ({
    readonly id: string;
    readonly tenant_id: string;
    readonly name: string;
    /** The first characters after qk_; null for a key that was chosen by the operator or is very old */
    readonly prefix: string | null;
    /** Whether it allows /v1/admin */
    readonly operator: boolean;
    readonly created_at: string;
    /** Accurate to about a minute; null if never used */
    readonly last_used_at: string | null;
    readonly expires_at: string | null;
    readonly revoked_at: string | null;
  })[];
  readonly next_cursor: string | null;
};

export type ListKeysResult = {
  readonly data: readonly ({
    readonly id: string;
    readonly tenant_id: string;
    readonly name: string;
    /** The first characters after qk_; null for a key that was chosen by the operator or is very old */
    readonly prefix: string | null;
    /** Whether it allows /v1/admin */
    readonly operator: boolean;
    readonly created_at: string;
    /** Accurate to about a minute; null if never used */
    readonly last_used_at: string | null;
    readonly expires_at: string | null;
    readonly revoked_at: string | null;
  })[];
  readonly next_cursor: string | null;
};

export type ListPlansResult = {
  readonly data: readonly {
    readonly name: string;
  }[];
};

export type ListSettingsResult = {
  readonly version: string;
  readonly data: readonly ({
    readonly name: string;
    /** Empty if it is not set and has no default; secrets are masked */
    readonly value: string;
    readonly source: "environment" | ".env" | "default";
    readonly about: string;
  })[];
};

export type ListSiteHealthResult = {
  readonly data: readonly SiteHealth[];
};

export type ListTenantUsageResult = {
  readonly data: readonly {
    /** Day in UTC */
    readonly date: string;
    readonly tenant_id: string;
    /** Name of the tenant */
    readonly tenant: string;
    readonly operation: string;
    readonly calls: number;
    readonly credits: number;
  }[];
  readonly next_cursor: string | null;
};

export type ListTenantsResult = {
  readonly data: readonly ({
    readonly id: string;
    readonly name: string;
    readonly plan: string;
    readonly created_at: string;
    /** When it was suspended; null if it is not */
    readonly suspended_at: string | null;
    /** Credits of the current month; null if the plan sets no limit */
    readonly credits_granted: number | null;
    readonly credits_topped_up: number;
    readonly credits_used: number;
    /** Reserved by running calls */
    readonly credits_reserved: number;
    readonly credits_remaining: number | null;
    readonly daily_cap: number | null;
    readonly daily_used: number;
  })[];
  readonly next_cursor: string | null;
};

export type ListedWebhook = {
  /** Query values are masked */
  readonly url: string;
  readonly secret_set: true;
  /** failing: the last attempt failed; disabled: it answered 410, or failed for 5 days; changing it enables it again */
  readonly status: "active" | "failing" | "disabled";
  /** Header names; the values are masked */
  readonly headers?: Readonly<Record<string, string>>;
  /** null for all, but not crawl.started and crawl.page */
  readonly events: readonly string[] | null;
  readonly page_outputs?: boolean;
  readonly pages_per_event?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly format?: string;
  /** Id of the monitor or job that it belongs to */
  readonly owner_id: string;
  readonly monitor_id?: string;
  readonly job_id?: string;
  /** Name of the monitor */
  readonly name: string | null;
  readonly created_at: string;
  readonly last_delivery: {
    readonly id: string;
    readonly status: "pending" | "delivering" | "succeeded" | "failed" | "exhausted" | "suspended" | "cancelled";
    readonly created_at: string;
  } | null;
};

export type ListedWebhookList = {
  readonly data: readonly ListedWebhook[];
  readonly next_cursor: string | null;
};

export type LoggedRequest = {
  readonly id: string;
  readonly at: string;
  readonly operation: string;
  readonly status: number;
  /** The error code; null if the call succeeded */
  readonly code: string | null;
  readonly credits: number;
  readonly tier: "cache" | "http" | "browser" | "proxy" | "proxy_browser" | null;
  readonly duration_ms: number;
  /** Tokens read by the language model; 0 if it was not used */
  readonly input_tokens: number;
  /** Tokens written by the language model */
  readonly output_tokens: number;
  /** For failed calls: the requested URL, without secrets */
  readonly url: string | null;
  /** For failed calls: the error message, without secrets in URLs */
  readonly message: string | null;
};

export type LoggedRequestList = {
  readonly data: readonly LoggedRequest[];
  readonly next_cursor: string | null;
};

export type MapInput = {
  /** URL at which the map starts */
  readonly url: string;
  /** Maximum number of URLs to return; above 100 the call runs as a job */
  readonly max_urls?: number;
  /** Words to search for: only URLs whose path, query or title has one of them are returned, best first */
  readonly search?: string;
  /** Where to look: the sitemaps listed in robots.txt (robots), else those at the usual paths (sitemap), feeds, pages of the site that you have fetched before (known), and the links of pages */
  readonly sources?: readonly ("sitemap" | "robots" | "feed" | "known" | "links")[];
  /** Follow links; otherwise links are followed only if no other source has a URL. An inline call without timeout_ms follows them for 10 seconds */
  readonly walk?: boolean;
  /** Maximum link depth from the start; the pages of a paginated list have the same depth */
  readonly max_depth?: number;
  /** Add titles: of the page if it was read, else of the feed entry or link */
  readonly include_metadata?: boolean;
  /** How each page is requested */
  readonly fetch?: {
    /** Request headers; dropped on a redirect to another origin */
    readonly headers?: Readonly<Record<string, string>>;
    /** Request cookies; dropped on a redirect to another origin */
    readonly cookies?: readonly RequestCookie[];
  };
  /** Which URLs are in scope, relative to the start; any: links to other sites too */
  readonly scope?: "path" | "host" | "subdomains" | "domain" | "any";
  /** Globs on path and query, or re: and an RE2 expression, or url: and one for the whole URL; only matching links are followed */
  readonly include?: readonly string[];
  /** Patterns of the same form; matching links are skipped */
  readonly exclude?: readonly string[];
  /** Maximum number of links followed per path pattern, such as /maze/*, against crawler traps; URLs from sitemaps are not counted */
  readonly max_per_pattern?: number;
  /** Treat URLs that differ only in their query as one page: the first one found is requested */
  readonly ignore_query?: boolean;
  /** Treat links that differ only after #/ or #! as separate pages; a browser loads every page */
  readonly hash_routes?: boolean;
  /** How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Total time limit in ms; above the plan's inline limit the call runs as a job */
  readonly timeout_ms?: number;
  /** Obey robots.txt, also for redirects; a crawl does not store pages marked noindex */
  readonly respect_robots?: boolean;
  /** With cookies, a session or a login header: also follow links that log out, delete, unsubscribe or fill a cart */
  readonly follow_actions?: boolean;
  /** Fixed gap between two requests to one host in ms; robots.txt may require a longer one */
  readonly delay_ms?: number;
  /** Maximum number of credits that the call may cost */
  readonly max_credits?: number;
  /** Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use */
  readonly session?: string;
};

export type MapJobInput = {
  readonly kind: "map";
  readonly input: MapInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type MapResult = {
  readonly url: string;
  readonly urls: readonly MappedUrl[];
  /** Number of URLs found, with search those that match, returned or not */
  readonly total: number;
  /** Whether more URLs were found than are returned */
  readonly truncated: boolean;
  /** Whether no URL in reach was missed, judging by sitemaps and the pages visited */
  readonly complete: boolean;
  readonly stop_reason: "exhausted" | "max_urls" | "answer_full" | "max_depth" | "timeout" | "max_credits" | "credits_exhausted" | "daily_cap" | "cancelled" | "interrupted" | "robots" | "blocked" | "login_required";
  readonly sources: Readonly<Record<string, {
    /** URLs that were found here first */
    readonly found: number;
    /** Files or pages that were read */
    readonly read: number;
    /** URLs that were skipped */
    readonly refused: number;
    readonly errors: readonly PageError[];
  }>>;
  readonly warnings: readonly Warning[];
};

export type MappedUrl = {
  readonly url: string;
  readonly title?: string;
  /** A date or timestamp, as given by a sitemap or feed */
  readonly lastmod?: string;
  /** Where the URL was found first */
  readonly source: "seed" | "sitemap" | "robots" | "feed" | "known" | "links";
  /** Link depth from the start, if it was found as a link */
  readonly depth?: number;
};

export type MarkdownDiff = {
  readonly added_lines: number;
  readonly removed_lines: number;
  /** Unified diff; null if too many lines differ, or a page is too long */
  readonly text: string | null;
  /** The same lines, parsed */
  readonly hunks: readonly DiffHunk[] | null;
  readonly truncated: boolean;
};

export type Metadata = {
  readonly title: string | null;
  readonly description: string | null;
  readonly language: string | null;
  readonly canonical_url: string | null;
  readonly image: string | null;
  readonly site_name: string | null;
  /** Names, separated by commas */
  readonly author: string | null;
  /** The calendar day as written by the source */
  readonly published_date: string | null;
  /** The exact time, if the source has one */
  readonly published_at: string | null;
  readonly modified_at: string | null;
  readonly charset: string | null;
  /** Words of the main content; without an output that shows text, words outside navigation */
  readonly word_count: number;
  /** Pages of a PDF, slides of a presentation */
  readonly page_count?: number;
  /** The next page of a paginated article or list */
  readonly next_url?: string;
  /** The previous page */
  readonly prev_url?: string;
  /** The AMP version of the page */
  readonly amp_url?: string;
  /** The print version of the page */
  readonly print_url?: string;
};

export type Metered = {
  /** Identifies the request */
  readonly request_id: string;
  readonly usage: Usage;
};

export type MicroblogPostInput = {
  /** A number, an at:// URI, or the address of the post; takes precedence over url */
  readonly id?: string;
  /** Address of the post */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type MicroblogPostJobInput = {
  readonly kind: "microblog.post";
  readonly input: MicroblogPostInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type MicroblogPostResult = {
  readonly provider: "microblog";
  readonly post: {
    readonly id: string;
    readonly url: string;
    readonly text: string | null;
    readonly author: {
      readonly id: string | null;
      readonly username: string;
      readonly name: string | null;
      readonly verified: boolean | null;
      readonly avatar_url: string | null;
    };
    readonly created_at: string | null;
    readonly language: string | null;
    readonly reply_count: number | null;
    readonly repost_count: number | null;
    readonly quote_count: number | null;
    readonly like_count: number | null;
    readonly view_count: number | null;
    readonly bookmark_count: number | null;
    readonly media: readonly ({
      readonly type: "image" | "video" | "gif" | "audio";
      readonly url: string;
      readonly thumbnail_url: string | null;
      readonly width: number | null;
      readonly height: number | null;
      readonly duration_ms: number | null;
      readonly description: string | null;
    })[];
    readonly links: readonly string[];
    readonly hashtags: readonly string[];
    readonly mentions: readonly string[];
    readonly quoted_post: {
      readonly id: string;
      readonly url: string;
      readonly text: string | null;
      readonly author: {
        readonly id: string | null;
        readonly username: string;
        readonly name: string | null;
        readonly verified: boolean | null;
        readonly avatar_url: string | null;
      };
    } | null;
    readonly in_reply_to: {
      readonly id: string | null;
      readonly username: string | null;
    } | null;
    /** Whether the account of the list reposted it */
    readonly is_repost: boolean;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MicroblogPostsInput = {
  /** A name (harrow), a name with its domain (harrow.example), or a name at a server (harrow@mills.example) */
  readonly username?: string;
  /** Address of the profile; username takes precedence */
  readonly url?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly handle?: string;
  /** Alias of username */
  readonly user?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type MicroblogPostsJobInput = {
  readonly kind: "microblog.posts";
  readonly input: MicroblogPostsInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type MicroblogPostsResult = {
  readonly provider: "microblog";
  readonly posts: readonly ({
    readonly id: string;
    readonly url: string;
    readonly text: string | null;
    readonly author: {
      readonly id: string | null;
      readonly username: string;
      readonly name: string | null;
      readonly verified: boolean | null;
      readonly avatar_url: string | null;
    };
    readonly created_at: string | null;
    readonly language: string | null;
    readonly reply_count: number | null;
    readonly repost_count: number | null;
    readonly quote_count: number | null;
    readonly like_count: number | null;
    readonly view_count: number | null;
    readonly bookmark_count: number | null;
    readonly media: readonly ({
      readonly type: "image" | "video" | "gif" | "audio";
      readonly url: string;
      readonly thumbnail_url: string | null;
      readonly width: number | null;
      readonly height: number | null;
      readonly duration_ms: number | null;
      readonly description: string | null;
    })[];
    readonly links: readonly string[];
    readonly hashtags: readonly string[];
    readonly mentions: readonly string[];
    readonly quoted_post: {
      readonly id: string;
      readonly url: string;
      readonly text: string | null;
      readonly author: {
        readonly id: string | null;
        readonly username: string;
        readonly name: string | null;
        readonly verified: boolean | null;
        readonly avatar_url: string | null;
      };
    } | null;
    readonly in_reply_to: {
      readonly id: string | null;
      readonly username: string | null;
    } | null;
    /** Whether the account of the list reposted it */
    readonly is_repost: boolean;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MicroblogProfileInput = {
  /** A name (harrow), a name with its domain (harrow.example), or a name at a server (harrow@mills.example) */
  readonly username?: string;
  /** Address of the profile; username takes precedence */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly handle?: string;
  /** Alias of username */
  readonly user?: string;
};

export type MicroblogProfileJobInput = {
  readonly kind: "microblog.profile";
  readonly input: MicroblogProfileInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type MicroblogProfileResult = {
  readonly provider: "microblog";
  readonly profile: {
    readonly id: string;
    readonly username: string;
    readonly name: string | null;
    readonly url: string;
    readonly network: "x" | "bluesky" | "mastodon";
    readonly description: string | null;
    readonly location: string | null;
    readonly website: string | null;
    readonly followers: number | null;
    readonly following: number | null;
    readonly post_count: number | null;
    readonly created_at: string | null;
    readonly verified: boolean | null;
    readonly avatar_url: string | null;
    readonly banner_url: string | null;
    readonly is_protected: boolean | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MicroblogSearchInput = {
  /** Words to search for; on mastodon a single hashtag */
  readonly search?: string;
  /** Network to search; x shows results only after login, so it often fails with target_blocked */
  readonly network?: "bluesky" | "mastodon" | "x";
  /** The order of the results; mastodon always returns the latest first */
  readonly sort?: "top" | "latest";
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type MicroblogSearchJobInput = {
  readonly kind: "microblog.search";
  readonly input: MicroblogSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type MicroblogSearchResult = {
  readonly provider: "microblog";
  readonly results: readonly ({
    readonly id: string;
    readonly url: string;
    readonly text: string | null;
    readonly author: {
      readonly id: string | null;
      readonly username: string;
      readonly name: string | null;
      readonly verified: boolean | null;
      readonly avatar_url: string | null;
    };
    readonly created_at: string | null;
    readonly language: string | null;
    readonly reply_count: number | null;
    readonly repost_count: number | null;
    readonly quote_count: number | null;
    readonly like_count: number | null;
    readonly view_count: number | null;
    readonly bookmark_count: number | null;
    readonly media: readonly ({
      readonly type: "image" | "video" | "gif" | "audio";
      readonly url: string;
      readonly thumbnail_url: string | null;
      readonly width: number | null;
      readonly height: number | null;
      readonly duration_ms: number | null;
      readonly description: string | null;
    })[];
    readonly links: readonly string[];
    readonly hashtags: readonly string[];
    readonly mentions: readonly string[];
    readonly quoted_post: {
      readonly id: string;
      readonly url: string;
      readonly text: string | null;
      readonly author: {
        readonly id: string | null;
        readonly username: string;
        readonly name: string | null;
        readonly verified: boolean | null;
        readonly avatar_url: string | null;
      };
    } | null;
    readonly in_reply_to: {
      readonly id: string | null;
      readonly username: string | null;
    } | null;
    /** Whether the account of the list reposted it */
    readonly is_repost: boolean;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ModelUse = {
  /** Outputs that the model made; each is charged */
  readonly outputs: readonly ("json" | "summary" | "answer")[];
  /** Fields of json that the model filled instead of the page */
  readonly members: readonly string[];
  readonly input_tokens: number;
  readonly output_tokens: number;
};

export type Monitor = {
  readonly id: string;
  readonly kind: "generic" | "hotel" | "hotel_channels" | "launch";
  readonly name: string;
  readonly url?: string;
  readonly extract?: Readonly<Record<string, unknown>>;
  /** Site of a hotel monitor that watches a single site */
  readonly provider?: string;
  readonly property_id?: string;
  /** Channels of a hotel monitor that watches several sites */
  readonly channels?: readonly {
    readonly provider: string;
    readonly property_id: string;
  }[];
  readonly check_in?: string;
  readonly check_out?: string;
  readonly adults?: number;
  readonly children?: readonly number[] | number;
  readonly rooms?: number;
  /** If omitted, the currency of the property from the first run on */
  readonly currency?: string;
  readonly slug?: string;
  readonly product_id?: string;
  readonly target?: {
    readonly operation: string;
    /** Secrets masked */
    readonly input: Readonly<Record<string, unknown>>;
  };
  readonly proxy?: string;
  readonly use_proxy?: boolean;
  readonly timeout_ms?: number;
  readonly session?: string;
  readonly watch: Readonly<Record<string, unknown>>;
  /** Null for a monitor that only runs when triggered */
  readonly cron: string | null;
  readonly timezone: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly active: boolean;
  readonly inactive_reason: "user" | "expired" | "failing" | "plan" | "credits" | null;
  readonly health: "ok" | "failing" | "waiting_first_run";
  readonly consecutive_failures: number;
  /** Scheduled runs before this time are skipped because runs failed */
  readonly backoff_until: string | null;
  /** When the next run starts, including its delay; null if none will */
  readonly next_run_at: string | null;
  readonly last_run_at: string | null;
  readonly last_change_at: string | null;
  readonly current_run_id: string | null;
  /** True in lists if a long definition is truncated */
  readonly summarized?: boolean;
  /** Scheduled runs of 30 days at the price of the last completed run */
  readonly estimated_credits_per_month: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** Its secret is only shown in the response that created it */
  readonly webhook: Webhook | null;
};

export type MonitorChangeDetectedEvent = {
  /** Equals webhook-id; the same for every attempt */
  readonly id: string;
  readonly type: "monitor.change_detected";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly monitor_id: string;
  readonly monitor: WatchingMonitor;
  /** Metadata of the monitor */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly run_id: string;
  readonly change_id: string;
  readonly first_run?: true;
  /** The body was too long: lists and texts in data are truncated */
  readonly truncated?: true;
  /** If truncated: path of the complete record */
  readonly url?: string;
  readonly data: {
    readonly changes: readonly FieldChange[];
    readonly truncated?: true;
    readonly content?: ContentChange;
  } | {
    readonly previous_price: number | null;
    readonly current_price: number | null;
    /** Null if one of the prices is */
    readonly diff: PriceMove | null;
    readonly params: StayParams;
    readonly currency: string | null;
  };
};

export type MonitorDigestEvent = {
  /** Equals webhook-id; the same for every attempt */
  readonly id: string;
  readonly type: "monitor.digest";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly monitor_id: string;
  readonly monitor: WatchingMonitor;
  /** Metadata of the monitor */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The body was too long: lists and texts in data are truncated */
  readonly truncated?: true;
  /** If truncated: path of the complete record */
  readonly url?: string;
  readonly data: {
    readonly period: {
      readonly from: string;
      readonly to: string;
    };
    readonly changes_count: number;
    /** The first hundred changes */
    readonly items: readonly ({
      readonly change_id: string;
      readonly run_id: string;
      readonly detected_at: string;
      readonly changes: readonly FieldChange[];
      readonly content?: {
        readonly previous_hash: string | null;
        readonly new_hash: string | null;
        readonly added_lines: number;
        readonly removed_lines: number;
      };
    })[];
    /** There are more changes than items lists */
    readonly truncated?: true;
  };
};

export type MonitorFailing = {
  /** Runs in a row that failed or were skipped since the monitor was switched on or rescheduled */
  readonly runs_without_result: number;
  /** When the first of them ended; null if there is none */
  readonly since: string | null;
  /** Of the last of them */
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly retryable: boolean;
    readonly blocked?: boolean;
    readonly timed_out?: boolean;
  };
  /** Of the last of them */
  readonly status: "failed" | "skipped";
  readonly skipped_reason?: "overlap" | "credits_exhausted" | "daily_cap" | "plan" | "backend_unavailable";
  readonly next_run_at: string | null;
};

export type MonitorFailingEvent = {
  /** Equals webhook-id; the same for every attempt */
  readonly id: string;
  readonly type: "monitor.failing";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly monitor_id: string;
  readonly monitor: WatchingMonitor;
  /** Metadata of the monitor */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly run_id: string;
  /** The body was too long: lists and texts in data are truncated */
  readonly truncated?: true;
  /** If truncated: path of the complete record */
  readonly url?: string;
  readonly data: MonitorFailing;
};

export type MonitorList = {
  readonly data: readonly Monitor[];
  readonly next_cursor: string | null;
};

export type MonitorRateParityAlertEvent = {
  /** Equals webhook-id; the same for every attempt */
  readonly id: string;
  readonly type: "monitor.rate_parity_alert";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly monitor_id: string;
  readonly monitor: WatchingMonitor;
  /** Metadata of the monitor */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly run_id: string;
  readonly change_id: string;
  /** The body was too long: lists and texts in data are truncated */
  readonly truncated?: true;
  /** If truncated: path of the complete record */
  readonly url?: string;
  readonly data: RateParityAlert;
};

export type MonitorRecovered = {
  /** Runs in a row that failed or were skipped since the monitor was switched on or rescheduled */
  readonly runs_without_result: number;
  /** When the first of them ended; null if there is none */
  readonly since: string | null;
};

export type MonitorRecoveredEvent = {
  /** Equals webhook-id; the same for every attempt */
  readonly id: string;
  readonly type: "monitor.recovered";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly monitor_id: string;
  readonly monitor: WatchingMonitor;
  /** Metadata of the monitor */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly run_id: string;
  /** The body was too long: lists and texts in data are truncated */
  readonly truncated?: true;
  /** If truncated: path of the complete record */
  readonly url?: string;
  readonly data: MonitorRecovered;
};

export type MonitorSeries = {
  readonly monitor_id: string;
  /** Time of the oldest run included */
  readonly from: string;
  readonly to: string;
  readonly fields: readonly ({
    readonly field: string;
    /** Currency, for money */
    readonly unit: string | null;
    readonly points: readonly {
      readonly at: string;
      /** Value of the last run of this point */
      readonly value: number;
      readonly min: number;
      readonly max: number;
    }[];
  })[];
  /** The last thousand runs that found a change, failed or were skipped, or restarted the comparison */
  readonly marks: readonly ({
    readonly at: string;
    readonly kind: "change" | "failed" | "skipped" | "reset";
    readonly run_id: string;
  })[];
  /** Whether older runs were omitted */
  readonly cut: boolean;
};

export type MonitorStopped = {
  /** failing: switched off after too many failures; expired: there is nothing left to watch; suspended: the tenant is suspended, and the monitor resumes by itself afterwards */
  readonly reason: "failing" | "expired" | "suspended";
  /** Runs in a row that failed or were skipped since the monitor was switched on or rescheduled */
  readonly runs_without_result: number;
  /** When the first of them ended; null if there is none */
  readonly since: string | null;
  /** Error of the last failed run, if failures are the reason */
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly retryable: boolean;
    readonly blocked?: boolean;
    readonly timed_out?: boolean;
  } | null;
};

export type MonitorStoppedEvent = {
  /** Equals webhook-id; the same for every attempt */
  readonly id: string;
  readonly type: "monitor.stopped";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly monitor_id: string;
  readonly monitor: WatchingMonitor;
  /** Metadata of the monitor */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The last failed run, if failures are the reason */
  readonly run_id?: string;
  /** The body was too long: lists and texts in data are truncated */
  readonly truncated?: true;
  /** If truncated: path of the complete record */
  readonly url?: string;
  readonly data: MonitorStopped;
};

export type MonitorWebhookInput = string | {
  /** URL that receives events; https, or http for hosts in QUERN_ALLOW_TARGETS */
  readonly url: string;
  /** Signing secret; generated and shown once if omitted */
  readonly secret?: string;
  /** Sent with each event, such as authorization; stored encrypted and masked in responses */
  readonly headers?: Readonly<Record<string, string>>;
  /** Events to send; null for all */
  readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
};

export type MusiccatalogAlbumInput = {
  /** The number or the address; takes precedence over url */
  readonly id?: string;
  /** Address of the page */
  readonly url?: string;
  /** Storefront, ISO 3166-1 code; by default that of the address, or US */
  readonly country?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of country */
  readonly geo?: string;
};

export type MusiccatalogAlbumJobInput = {
  readonly kind: "musiccatalog.album";
  readonly input: MusiccatalogAlbumInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type MusiccatalogAlbumResult = {
  readonly provider: "musiccatalog";
  readonly album: {
    readonly id: string;
    readonly name: string;
    readonly url: string;
    readonly type: "album" | "single" | "ep" | "compilation";
    readonly artists: readonly ({
      readonly id: string | null;
      readonly name: string;
      readonly url: string | null;
    })[] | null;
    readonly artist_name: string | null;
    /** The day */
    readonly release_date: string | null;
    readonly genres: readonly string[] | null;
    readonly label: string | null;
    readonly upc: string | null;
    readonly copyright: string | null;
    readonly explicit: boolean | null;
    /** The site's own count, which may exceed the number of listed tracks */
    readonly track_count: number | null;
    readonly disc_count: number | null;
    readonly price: number | null;
    /** ISO 4217, of the prices of album and tracks */
    readonly currency: string | null;
    readonly artwork: {
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    } | null;
    readonly tracks: readonly ({
      readonly id: string | null;
      readonly name: string;
      readonly url: string | null;
      readonly track_number: number | null;
      readonly disc_number: number | null;
      readonly duration_ms: number | null;
      readonly explicit: boolean | null;
      readonly isrc: string | null;
      readonly composer: string | null;
      readonly preview_url: string | null;
      readonly artist_name: string | null;
      readonly price: number | null;
      readonly streamable: boolean | null;
    })[];
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusiccatalogArtistInput = {
  /** The number or the address; takes precedence over url */
  readonly id?: string;
  /** Address of the page */
  readonly url?: string;
  /** Storefront, ISO 3166-1 code; by default that of the address, or US */
  readonly country?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of country */
  readonly geo?: string;
};

export type MusiccatalogArtistJobInput = {
  readonly kind: "musiccatalog.artist";
  readonly input: MusiccatalogArtistInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type MusiccatalogArtistResult = {
  readonly provider: "musiccatalog";
  readonly artist: {
    readonly id: string;
    readonly name: string;
    readonly url: string;
    readonly genres: readonly string[] | null;
    /** Only from the page of the artist */
    readonly image_url: string | null;
    /** Only from the page of the artist */
    readonly biography: string | null;
    /** The newest first */
    readonly albums: readonly ({
      readonly id: string;
      readonly name: string;
      readonly url: string;
      readonly type: "album" | "single" | "ep" | "compilation";
      readonly artists: readonly ({
        readonly id: string | null;
        readonly name: string;
        readonly url: string | null;
      })[] | null;
      readonly artist_name: string | null;
      /** The day */
      readonly release_date: string | null;
      readonly genres: readonly string[] | null;
      readonly copyright: string | null;
      readonly explicit: boolean | null;
      /** The site's own count, which may exceed the number of listed tracks */
      readonly track_count: number | null;
      readonly price: number | null;
      /** ISO 4217, of the prices of album and tracks */
      readonly currency: string | null;
      readonly artwork: {
        readonly url: string;
        readonly width: number | null;
        readonly height: number | null;
      } | null;
    })[] | null;
    readonly top_songs: readonly ({
      readonly id: string;
      readonly name: string;
      readonly url: string | null;
      readonly track_number: number | null;
      readonly disc_number: number | null;
      readonly duration_ms: number | null;
      readonly explicit: boolean | null;
      readonly isrc: string | null;
      readonly composer: string | null;
      readonly preview_url: string | null;
      readonly artist_name: string | null;
      readonly price: number | null;
      readonly streamable: boolean | null;
      readonly album: {
        readonly id: string | null;
        readonly name: string;
        readonly url: string | null;
      } | null;
      readonly genres: readonly string[] | null;
      /** The day */
      readonly release_date: string | null;
      /** ISO 4217 */
      readonly currency: string | null;
      readonly artwork: {
        readonly url: string;
        readonly width: number | null;
        readonly height: number | null;
      } | null;
    })[] | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusiccatalogSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** Types of results; with several types, each page lists its results type by type */
  readonly type?: readonly ("song" | "album" | "artist" | "playlist")[];
  /** Storefront, ISO 3166-1 */
  readonly country?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
  /** Alias of country */
  readonly geo?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type MusiccatalogSearchJobInput = {
  readonly kind: "musiccatalog.search";
  readonly input: MusiccatalogSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type MusiccatalogSearchResult = {
  readonly provider: "musiccatalog";
  readonly results: readonly ({
    readonly id: string;
    readonly name: string;
    readonly url: string | null;
    readonly track_number: number | null;
    readonly disc_number: number | null;
    readonly duration_ms: number | null;
    readonly explicit: boolean | null;
    readonly isrc: string | null;
    readonly composer: string | null;
    readonly preview_url: string | null;
    readonly artist_name: string | null;
    readonly price: number | null;
    readonly streamable: boolean | null;
    readonly album: {
      readonly id: string | null;
      readonly name: string;
      readonly url: string | null;
    } | null;
    readonly genres: readonly string[] | null;
    /** The day */
    readonly release_date: string | null;
    /** ISO 4217 */
    readonly currency: string | null;
    readonly artwork: {
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    } | null;
    readonly type: "song";
  } | {
    readonly id: string;
    readonly name: string;
    readonly url: string;
    readonly type: "album";
    readonly artists: readonly ({
      readonly id: string | null;
      readonly name: string;
      readonly url: string | null;
    })[] | null;
    readonly artist_name: string | null;
    /** The day */
    readonly release_date: string | null;
    readonly genres: readonly string[] | null;
    readonly copyright: string | null;
    readonly explicit: boolean | null;
    /** The site's own count, which may exceed the number of listed tracks */
    readonly track_count: number | null;
    readonly price: number | null;
    /** ISO 4217, of the prices of album and tracks */
    readonly currency: string | null;
    readonly artwork: {
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    } | null;
    readonly album_type: "album" | "single" | "ep" | "compilation";
  } | {
    readonly type: "artist";
    readonly id: string;
    readonly name: string;
    readonly url: string;
    readonly genres: readonly string[] | null;
  } | {
    readonly type: "playlist";
    readonly id: string;
    readonly name: string;
    readonly url: string;
    readonly curator: string | null;
    readonly artwork_url: string | null;
    readonly track_count: number | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusiccatalogTrackInput = {
  /** The number or the address; takes precedence over url */
  readonly id?: string;
  /** Address of the page */
  readonly url?: string;
  /** Storefront, ISO 3166-1 code; by default that of the address, or US */
  readonly country?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of country */
  readonly geo?: string;
};

export type MusiccatalogTrackJobInput = {
  readonly kind: "musiccatalog.track";
  readonly input: MusiccatalogTrackInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type MusiccatalogTrackResult = {
  readonly provider: "musiccatalog";
  readonly track: {
    readonly id: string;
    readonly name: string;
    readonly url: string | null;
    readonly track_number: number | null;
    readonly disc_number: number | null;
    readonly duration_ms: number | null;
    readonly explicit: boolean | null;
    readonly isrc: string | null;
    readonly composer: string | null;
    readonly preview_url: string | null;
    readonly artist_name: string | null;
    readonly price: number | null;
    readonly streamable: boolean | null;
    readonly album: {
      readonly id: string | null;
      readonly name: string;
      readonly url: string | null;
    } | null;
    readonly genres: readonly string[] | null;
    /** The day */
    readonly release_date: string | null;
    /** ISO 4217 */
    readonly currency: string | null;
    readonly artwork: {
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    } | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusicstreamAlbumInput = {
  /** Id of 22 letters and digits, a URI or an address; takes precedence over url */
  readonly id?: string;
  /** Address of the page */
  readonly url?: string;
  /** Language of names and texts, BCP 47 */
  readonly language?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of language */
  readonly locale?: string;
};

export type MusicstreamAlbumJobInput = {
  readonly kind: "musicstream.album";
  readonly input: MusicstreamAlbumInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type MusicstreamAlbumResult = {
  readonly provider: "musicstream";
  readonly album: {
    readonly id: string;
    readonly uri: string;
    readonly url: string;
    readonly name: string;
    readonly type: "album" | "single" | "compilation" | "ep" | null;
    readonly artists: readonly ({
      readonly id: string | null;
      readonly uri: string | null;
      readonly name: string;
      readonly url: string | null;
    })[] | null;
    /** A day, a month or a year */
    readonly release_date: string | null;
    readonly release_date_precision: "day" | "month" | "year" | null;
    readonly label: string | null;
    readonly copyrights: readonly ({
      /** C of the work, P of the recording */
      readonly type: string | null;
      readonly text: string;
    })[] | null;
    readonly total_tracks: number | null;
    readonly discs: number | null;
    /** The widest first */
    readonly images: readonly ({
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[] | null;
    readonly tracks: readonly ({
      readonly id: string;
      readonly uri: string;
      readonly url: string;
      readonly name: string;
      readonly artists: readonly ({
        readonly id: string | null;
        readonly uri: string | null;
        readonly name: string;
        readonly url: string | null;
      })[] | null;
      readonly duration_ms: number | null;
      readonly explicit: boolean | null;
      /** Whether it is playable in the country of the request */
      readonly playable: boolean | null;
      readonly preview_url: string | null;
      readonly track_number: number | null;
      readonly disc_number: number | null;
      readonly play_count: number | null;
      readonly release_date: string | null;
      /** Only from the documented interface, with the operator's credentials */
      readonly isrc: string | null;
      /** The widest first */
      readonly images: readonly ({
        readonly url: string;
        readonly width: number | null;
        readonly height: number | null;
      })[] | null;
    })[] | null;
    /** Whether the album has more tracks than are listed */
    readonly tracks_truncated: boolean | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusicstreamArtistInput = {
  /** Id of 22 letters and digits, a URI or an address; takes precedence over url */
  readonly id?: string;
  /** Address of the page */
  readonly url?: string;
  /** Language of names and texts, BCP 47 */
  readonly language?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of language */
  readonly locale?: string;
};

export type MusicstreamArtistJobInput = {
  readonly kind: "musicstream.artist";
  readonly input: MusicstreamArtistInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type MusicstreamArtistResult = {
  readonly provider: "musicstream";
  readonly artist: {
    readonly id: string;
    readonly uri: string;
    readonly url: string;
    readonly name: string;
    readonly verified: boolean | null;
    readonly biography: string | null;
    readonly followers: number | null;
    readonly monthly_listeners: number | null;
    /** Null for artists without a rank */
    readonly world_rank: number | null;
    /** The widest first */
    readonly images: readonly ({
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[] | null;
    readonly header_image_url: string | null;
    readonly external_links: readonly ({
      readonly name: string | null;
      readonly url: string;
    })[] | null;
    readonly top_cities: readonly ({
      readonly city: string;
      readonly country: string | null;
      readonly listeners: number | null;
    })[] | null;
    readonly top_tracks: readonly ({
      readonly id: string;
      readonly uri: string;
      readonly url: string;
      readonly name: string;
      readonly artists: readonly ({
        readonly id: string | null;
        readonly uri: string | null;
        readonly name: string;
        readonly url: string | null;
      })[] | null;
      readonly album: {
        readonly id: string | null;
        readonly uri: string | null;
        readonly name: string | null;
        readonly url: string | null;
        readonly type: "album" | "single" | "compilation" | "ep" | null;
        /** A day, a month or a year, depending on what is known */
        readonly release_date: string | null;
        readonly image_url: string | null;
        readonly total_tracks: number | null;
      } | null;
      readonly duration_ms: number | null;
      readonly explicit: boolean | null;
      /** Whether it is playable in the country of the request */
      readonly playable: boolean | null;
      readonly preview_url: string | null;
      readonly track_number: number | null;
      readonly disc_number: number | null;
      readonly play_count: number | null;
      readonly release_date: string | null;
      /** Only from the documented interface, with the operator's credentials */
      readonly isrc: string | null;
      /** The widest first */
      readonly images: readonly ({
        readonly url: string;
        readonly width: number | null;
        readonly height: number | null;
      })[] | null;
    })[] | null;
    readonly popular_releases: readonly ({
      readonly id: string | null;
      readonly uri: string | null;
      readonly name: string | null;
      readonly url: string | null;
      readonly type: "album" | "single" | "compilation" | "ep" | null;
      /** A day, a month or a year, depending on what is known */
      readonly release_date: string | null;
      readonly image_url: string | null;
      readonly total_tracks: number | null;
    })[] | null;
    readonly albums_total: number | null;
    readonly singles_total: number | null;
    readonly related_artists: readonly ({
      readonly id: string | null;
      readonly uri: string | null;
      readonly name: string;
      readonly url: string | null;
    })[] | null;
    readonly counts_approximate: boolean;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusicstreamPlaylistInput = {
  /** Id of 22 letters and digits, a URI or an address; takes precedence over url */
  readonly id?: string;
  /** Address of the page */
  readonly url?: string;
  /** Language of names and texts, BCP 47 */
  readonly language?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of language */
  readonly locale?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type MusicstreamPlaylistJobInput = {
  readonly kind: "musicstream.playlist";
  readonly input: MusicstreamPlaylistInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type MusicstreamPlaylistResult = {
  readonly provider: "musicstream";
  /** Null on later pages if they do not have it */
  readonly playlist: {
    readonly id: string;
    readonly uri: string;
    readonly url: string;
    readonly name: string;
    readonly description: string | null;
    readonly owner: {
      readonly id: string | null;
      readonly name: string | null;
      readonly url: string | null;
    } | null;
    readonly followers: number | null;
    /** The widest first */
    readonly images: readonly ({
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[] | null;
    readonly total_tracks: number | null;
  } | null;
  readonly tracks: readonly ({
    readonly id: string | null;
    readonly uri: string;
    readonly url: string | null;
    readonly name: string;
    readonly artists: readonly ({
      readonly id: string | null;
      readonly uri: string | null;
      readonly name: string;
      readonly url: string | null;
    })[] | null;
    readonly album: {
      readonly id: string | null;
      readonly uri: string | null;
      readonly name: string | null;
      readonly url: string | null;
      readonly type: "album" | "single" | "compilation" | "ep" | null;
      /** A day, a month or a year, depending on what is known */
      readonly release_date: string | null;
      readonly image_url: string | null;
      readonly total_tracks: number | null;
    } | null;
    readonly duration_ms: number | null;
    readonly explicit: boolean | null;
    /** Whether it is playable in the country of the request */
    readonly playable: boolean | null;
    readonly preview_url: string | null;
    readonly track_number: number | null;
    readonly disc_number: number | null;
    readonly play_count: number | null;
    readonly release_date: string | null;
    /** Only from the documented interface, with the operator's credentials */
    readonly isrc: string | null;
    /** The widest first */
    readonly images: readonly ({
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[] | null;
    readonly type: "track" | "episode" | "local";
    readonly added_at: string | null;
  })[] | null;
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusicstreamPodcastInput = {
  /** Id of 22 letters and digits, a URI or an address; takes precedence over url */
  readonly id?: string;
  /** Address of the page */
  readonly url?: string;
  /** Language of names and texts, BCP 47 */
  readonly language?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of language */
  readonly locale?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type MusicstreamPodcastJobInput = {
  readonly kind: "musicstream.podcast";
  readonly input: MusicstreamPodcastInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type MusicstreamPodcastResult = {
  readonly provider: "musicstream";
  /** Null on later pages if they do not have it */
  readonly podcast: {
    readonly id: string;
    readonly uri: string;
    readonly url: string;
    readonly name: string;
    readonly publisher: string | null;
    readonly description: string | null;
    /** Sanitised */
    readonly html_description: string | null;
    readonly explicit: boolean | null;
    /** audio, video or mixed */
    readonly media_type: string | null;
    readonly topics: readonly string[] | null;
    /** From 0 to 5 */
    readonly rating: number | null;
    readonly rating_count: number | null;
    /** The widest first */
    readonly images: readonly ({
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[] | null;
    readonly total_episodes: number | null;
  } | null;
  /** The newest first */
  readonly episodes: readonly ({
    readonly id: string;
    readonly uri: string;
    readonly url: string;
    readonly name: string;
    readonly description: string | null;
    readonly release_date: string | null;
    readonly duration_ms: number | null;
    readonly explicit: boolean | null;
    readonly playable: boolean | null;
    /** The widest first */
    readonly images: readonly ({
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[] | null;
  })[] | null;
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusicstreamSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** Types of results; each has its own list */
  readonly type?: readonly ("track" | "artist" | "album" | "playlist" | "podcast" | "episode")[];
  /** Language of names and texts, BCP 47 */
  readonly language?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
  /** Alias of language */
  readonly locale?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type MusicstreamSearchJobInput = {
  readonly kind: "musicstream.search";
  readonly input: MusicstreamSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type MusicstreamSearchResult = {
  readonly provider: "musicstream";
  /** A list for each requested type; null for the others */
  readonly results: {
    readonly tracks: readonly ({
      readonly id: string;
      readonly uri: string;
      readonly url: string;
      readonly name: string;
      readonly artists: readonly ({
        readonly id: string | null;
        readonly uri: string | null;
        readonly name: string;
        readonly url: string | null;
      })[] | null;
      readonly album: {
        readonly id: string | null;
        readonly uri: string | null;
        readonly name: string | null;
        readonly url: string | null;
        readonly type: "album" | "single" | "compilation" | "ep" | null;
        /** A day, a month or a year, depending on what is known */
        readonly release_date: string | null;
        readonly image_url: string | null;
        readonly total_tracks: number | null;
      } | null;
      readonly duration_ms: number | null;
      readonly explicit: boolean | null;
      /** Whether it is playable in the country of the request */
      readonly playable: boolean | null;
      readonly preview_url: string | null;
      readonly track_number: number | null;
      readonly disc_number: number | null;
      readonly play_count: number | null;
      readonly release_date: string | null;
      /** Only from the documented interface, with the operator's credentials */
      readonly isrc: string | null;
      /** The widest first */
      readonly images: readonly ({
        readonly url: string;
        readonly width: number | null;
        readonly height: number | null;
      })[] | null;
    })[] | null;
    readonly artists: readonly ({
      readonly id: string;
      readonly uri: string;
      readonly url: string;
      readonly name: string;
      readonly verified: boolean | null;
      /** The widest first */
      readonly images: readonly ({
        readonly url: string;
        readonly width: number | null;
        readonly height: number | null;
      })[] | null;
    })[] | null;
    readonly albums: readonly ({
      readonly id: string | null;
      readonly uri: string | null;
      readonly name: string | null;
      readonly url: string | null;
      readonly type: "album" | "single" | "compilation" | "ep" | null;
      /** A day, a month or a year, depending on what is known */
      readonly release_date: string | null;
      readonly image_url: string | null;
      readonly total_tracks: number | null;
      readonly artists: readonly ({
        readonly id: string | null;
        readonly uri: string | null;
        readonly name: string;
        readonly url: string | null;
      })[] | null;
    })[] | null;
    readonly playlists: readonly ({
      readonly id: string;
      readonly uri: string;
      readonly url: string;
      readonly name: string;
      readonly description: string | null;
      readonly owner: {
        readonly id: string | null;
        readonly name: string | null;
        readonly url: string | null;
      } | null;
      readonly followers: number | null;
      /** The widest first */
      readonly images: readonly ({
        readonly url: string;
        readonly width: number | null;
        readonly height: number | null;
      })[] | null;
      readonly total_tracks: number | null;
    })[] | null;
    readonly podcasts: readonly ({
      readonly id: string;
      readonly uri: string;
      readonly url: string;
      readonly name: string;
      readonly publisher: string | null;
      readonly description: string | null;
      /** Sanitised */
      readonly html_description: string | null;
      readonly explicit: boolean | null;
      /** audio, video or mixed */
      readonly media_type: string | null;
      readonly topics: readonly string[] | null;
      /** From 0 to 5 */
      readonly rating: number | null;
      readonly rating_count: number | null;
      /** The widest first */
      readonly images: readonly ({
        readonly url: string;
        readonly width: number | null;
        readonly height: number | null;
      })[] | null;
      readonly total_episodes: number | null;
    })[] | null;
    readonly episodes: readonly ({
      readonly id: string;
      readonly uri: string;
      readonly url: string;
      readonly name: string;
      readonly description: string | null;
      readonly release_date: string | null;
      readonly duration_ms: number | null;
      readonly explicit: boolean | null;
      readonly playable: boolean | null;
      /** The widest first */
      readonly images: readonly ({
        readonly url: string;
        readonly width: number | null;
        readonly height: number | null;
      })[] | null;
      readonly podcast: {
        readonly id: string | null;
        readonly uri: string | null;
        readonly name: string | null;
        readonly url: string | null;
      } | null;
    })[] | null;
  };
  /** Total number of results of each type */
  readonly totals: {
    readonly tracks: number | null;
    readonly artists: number | null;
    readonly albums: number | null;
    readonly playlists: number | null;
    readonly podcasts: number | null;
    readonly episodes: number | null;
  };
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusicstreamTrackInput = {
  /** Id of 22 letters and digits, a URI or an address; takes precedence over url */
  readonly id?: string;
  /** Address of the page */
  readonly url?: string;
  /** Language of names and texts, BCP 47 */
  readonly language?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of language */
  readonly locale?: string;
};

export type MusicstreamTrackJobInput = {
  readonly kind: "musicstream.track";
  readonly input: MusicstreamTrackInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type MusicstreamTrackResult = {
  readonly provider: "musicstream";
  readonly track: {
    readonly id: string;
    readonly uri: string;
    readonly url: string;
    readonly name: string;
    readonly artists: readonly ({
      readonly id: string | null;
      readonly uri: string | null;
      readonly name: string;
      readonly url: string | null;
    })[] | null;
    readonly album: {
      readonly id: string | null;
      readonly uri: string | null;
      readonly name: string | null;
      readonly url: string | null;
      readonly type: "album" | "single" | "compilation" | "ep" | null;
      /** A day, a month or a year, depending on what is known */
      readonly release_date: string | null;
      readonly image_url: string | null;
      readonly total_tracks: number | null;
    } | null;
    readonly duration_ms: number | null;
    readonly explicit: boolean | null;
    /** Whether it is playable in the country of the request */
    readonly playable: boolean | null;
    readonly preview_url: string | null;
    readonly track_number: number | null;
    readonly disc_number: number | null;
    readonly play_count: number | null;
    readonly release_date: string | null;
    /** Only from the documented interface, with the operator's credentials */
    readonly isrc: string | null;
    /** The widest first */
    readonly images: readonly ({
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[] | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type OwnKey = {
  readonly id: string;
  readonly name: string;
  /** The first characters after qk_; null for a key that was chosen by the operator */
  readonly prefix: string | null;
  /** Whether it allows /v1/admin */
  readonly operator: boolean;
  readonly created_at: string;
  /** Accurate to about a minute; null if never used */
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** Whether this call used it */
  readonly current: boolean;
};

export type OwnKeyList = {
  readonly data: readonly OwnKey[];
  readonly next_cursor: string | null;
};

export type Page = {
  readonly url: string;
  readonly final_url: string;
  readonly status_code: number;
  readonly content_type: string;
  readonly markdown?: string;
  readonly text?: string;
  readonly html?: string;
  readonly raw_html?: string;
  readonly links?: readonly Link[];
  readonly images?: readonly Image[];
  readonly tables?: readonly Table[];
  readonly structured_data?: StructuredData;
  /** For each query the values as written in the page, in document order */
  readonly attributes?: readonly AttributeValues[];
  /** Parts of the Markdown for an index, in order */
  readonly chunks?: readonly Chunk[];
  readonly json?: Readonly<Record<string, unknown>>;
  /** The original text of json fields that are empty because it could not be converted to their type */
  readonly json_unread?: Readonly<Record<string, string>>;
  /** The screenshot; null if a browser cannot display the target, or nothing visible matches its selector */
  readonly screenshot?: Artifact | null;
  /** The page as PDF; null if a browser cannot display the target */
  readonly pdf?: Artifact | null;
  /** Null for an error page, which is not compared */
  readonly changes?: PageChanges | null;
  /** The sentences of the main text that match the query best, in the order of the page; empty if none does */
  readonly passages?: readonly string[];
  /** Summary of the page in a few sentences; empty if the model declined */
  readonly summary?: string;
  /** Answer of the model to passages.query; null if there is no model, or it finds no answer */
  readonly answer?: string | null;
  /** What the model contributed, if it was used */
  readonly model?: ModelUse;
  readonly metadata: Metadata;
  readonly truncated: boolean;
  readonly next_offset?: number;
  readonly cache: {
    readonly hit: boolean;
    readonly age_ms?: number;
  };
  readonly attempts: readonly Attempt[];
  readonly warnings: readonly Warning[];
};

export type PageChanges = {
  /** removed: the target answers 404 or 410, and the copy was deleted */
  readonly status: "new" | "same" | "changed" | "removed";
  /** When the last copy was fetched */
  readonly previous_at: string | null;
  /** With changes.diff; null unless the Markdown differs */
  readonly diff?: MarkdownDiff | null;
  /** With changes.fields; null if the last copy has none */
  readonly fields?: readonly FieldDifference[] | null;
};

export type PageError = {
  readonly url: string;
  readonly status_code?: number;
  readonly code: string;
  readonly message: string;
};

/** Options of output passages */
export type PassagesInput = {
  /** A question, or words to look for */
  readonly query: string;
  /** Most characters of all passages together */
  readonly max_chars?: number;
  /** Also answer the query from the passages with the language model, in one or two sentences */
  readonly answer?: boolean;
};

export type PinboardPinInput = {
  /** Address of the pin, short or full */
  readonly url?: string;
  /** Number of the pin */
  readonly id?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type PinboardPinJobInput = {
  readonly kind: "pinboard.pin";
  readonly input: PinboardPinInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type PinboardPinResult = {
  readonly provider: "pinboard";
  readonly pin: {
    readonly id: string;
    readonly url: string;
    readonly title: string | null;
    readonly description: string | null;
    readonly alt_text: string | null;
    /** The external link of the pin */
    readonly link: string | null;
    readonly domain: string | null;
    readonly created_at: string | null;
    readonly dominant_color: string | null;
    readonly is_video: boolean;
    readonly is_promoted: boolean | null;
    readonly is_repin: boolean | null;
    readonly images: readonly ({
      readonly size: string;
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[];
    readonly image_url: string | null;
    readonly video: {
      readonly url: string | null;
      readonly hls_url: string | null;
      readonly thumbnail_url: string | null;
      readonly duration_ms: number | null;
      readonly width: number | null;
      readonly height: number | null;
    } | null;
    readonly carousel: readonly ({
      readonly title: string | null;
      readonly link: string | null;
      readonly image_url: string | null;
    })[] | null;
    readonly pinner: {
      readonly id: string | null;
      readonly username: string | null;
      readonly name: string | null;
      readonly url: string | null;
      readonly followers: number | null;
      readonly image_url: string | null;
    } | null;
    readonly board: {
      readonly id: string | null;
      readonly name: string | null;
      readonly url: string | null;
    } | null;
    readonly stats: {
      readonly saves: number | null;
      readonly comments: number | null;
      readonly reactions: number | null;
      readonly shares: number | null;
    };
    readonly tags: readonly string[] | null;
    readonly product: {
      readonly price: number | null;
      readonly currency: string | null;
      readonly price_text: string | null;
      readonly availability: string | null;
    } | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type PinboardPinsInput = {
  /** The name in the address of the account, with or without @ */
  readonly username?: string;
  /** Address of the account */
  readonly url?: string;
  /** Pins that the account created, or all pins on its boards */
  readonly type?: "created" | "saved";
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of limit */
  readonly per_page?: number;
};

export type PinboardPinsJobInput = {
  readonly kind: "pinboard.pins";
  readonly input: PinboardPinsInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type PinboardPinsResult = {
  readonly provider: "pinboard";
  readonly pins: readonly ({
    readonly id: string;
    readonly url: string;
    readonly title: string | null;
    readonly description: string | null;
    readonly alt_text: string | null;
    /** The external link of the pin */
    readonly link: string | null;
    readonly domain: string | null;
    readonly created_at: string | null;
    readonly dominant_color: string | null;
    readonly is_video: boolean;
    readonly is_promoted: boolean | null;
    readonly is_repin: boolean | null;
    readonly images: readonly ({
      readonly size: string;
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[];
    readonly image_url: string | null;
    readonly video: {
      readonly url: string | null;
      readonly hls_url: string | null;
      readonly thumbnail_url: string | null;
      readonly duration_ms: number | null;
      readonly width: number | null;
      readonly height: number | null;
    } | null;
    readonly carousel: readonly ({
      readonly title: string | null;
      readonly link: string | null;
      readonly image_url: string | null;
    })[] | null;
    readonly pinner: {
      readonly id: string | null;
      readonly username: string | null;
      readonly name: string | null;
      readonly url: string | null;
      readonly followers: number | null;
      readonly image_url: string | null;
    } | null;
    readonly board: {
      readonly id: string | null;
      readonly name: string | null;
      readonly url: string | null;
    } | null;
    readonly stats: {
      readonly saves: number | null;
      readonly comments: number | null;
      readonly reactions: number | null;
      readonly shares: number | null;
    };
    readonly tags: readonly string[] | null;
    readonly product: {
      readonly price: number | null;
      readonly currency: string | null;
      readonly price_text: string | null;
      readonly availability: string | null;
    } | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type PinboardProfileInput = {
  /** The name in the address of the account, with or without @ */
  readonly username?: string;
  /** Address of the account */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type PinboardProfileJobInput = {
  readonly kind: "pinboard.profile";
  readonly input: PinboardProfileInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type PinboardProfileResult = {
  readonly provider: "pinboard";
  readonly profile: {
    readonly id: string | null;
    readonly username: string;
    readonly name: string | null;
    readonly url: string;
    readonly about: string | null;
    readonly website_url: string | null;
    readonly domain_verified: boolean | null;
    readonly followers: number | null;
    readonly following: number | null;
    readonly pins: number | null;
    readonly boards: number | null;
    readonly monthly_views: number | null;
    readonly image_url: string | null;
    readonly cover_image_url: string | null;
    readonly is_partner: boolean | null;
    readonly is_verified_merchant: boolean | null;
    readonly is_private: boolean | null;
    readonly last_pin_saved_at: string | null;
    readonly seo_title: string | null;
    readonly country: string | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type PinboardSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type PinboardSearchJobInput = {
  readonly kind: "pinboard.search";
  readonly input: PinboardSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type PinboardSearchResult = {
  readonly provider: "pinboard";
  readonly results: readonly ({
    readonly id: string;
    readonly url: string;
    readonly title: string | null;
    readonly description: string | null;
    readonly alt_text: string | null;
    /** The external link of the pin */
    readonly link: string | null;
    readonly domain: string | null;
    readonly created_at: string | null;
    readonly dominant_color: string | null;
    readonly is_video: boolean;
    readonly is_promoted: boolean | null;
    readonly is_repin: boolean | null;
    readonly images: readonly ({
      readonly size: string;
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[];
    readonly image_url: string | null;
    readonly video: {
      readonly url: string | null;
      readonly hls_url: string | null;
      readonly thumbnail_url: string | null;
      readonly duration_ms: number | null;
      readonly width: number | null;
      readonly height: number | null;
    } | null;
    readonly carousel: readonly ({
      readonly title: string | null;
      readonly link: string | null;
      readonly image_url: string | null;
    })[] | null;
    readonly pinner: {
      readonly id: string | null;
      readonly username: string | null;
      readonly name: string | null;
      readonly url: string | null;
      readonly followers: number | null;
      readonly image_url: string | null;
    } | null;
    readonly board: {
      readonly id: string | null;
      readonly name: string | null;
      readonly url: string | null;
    } | null;
    readonly stats: {
      readonly saves: number | null;
      readonly comments: number | null;
      readonly reactions: number | null;
      readonly shares: number | null;
    };
    readonly tags: readonly string[] | null;
    readonly product: {
      readonly price: number | null;
      readonly currency: string | null;
      readonly price_text: string | null;
      readonly availability: string | null;
    } | null;
  })[];
  /** Always null: the site does not show the total */
  readonly total: null;
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type PreviewScheduleResult = {
  readonly cron: string;
  readonly timezone: string;
  readonly next: readonly string[];
  /** The same times in the time zone, such as 2026-11-24 09:00 */
  readonly local: readonly string[];
  /** Null if there is only one run */
  readonly shortest_gap_minutes: number | null;
  /** Whether your plan allows such a short interval */
  readonly allowed: boolean;
};

export type PriceMove = {
  readonly abs: number;
  readonly pct: number | null;
  readonly direction: "up" | "down";
};

export type RateParityAlert = {
  readonly provider_low: string;
  readonly provider_high: string;
  readonly spread: {
    readonly abs: number;
    readonly pct: number | null;
  };
  readonly threshold: {
    /** Reached by a change of at least this much */
    readonly abs?: number;
    /** Reached by a change of at least this share of the earlier value, in % */
    readonly pct?: number;
  };
  readonly previous_spread: {
    readonly abs: number;
    readonly pct: number | null;
  } | null;
  readonly prices: readonly ({
    readonly provider: string;
    readonly price: number;
    readonly currency: string | null;
  })[];
  readonly params: StayParams;
};

export type RedeliverAllInput = {
  /** Only deliveries of this monitor */
  readonly monitor_id?: string;
  /** Only deliveries of this job */
  readonly job_id?: string;
};

export type RedeliverAllResult = {
  readonly redelivered: number;
  /** Exhausted deliveries that this call did not retry, without those of disabled webhooks */
  readonly left: number;
};

export type RedeliverInput = Readonly<Record<string, never>>;

export type RefundTenantInput = {
  /** The id of the request, job or run */
  readonly charge: string;
};

export type RefundTenantResult = {
  readonly tenant_id: string;
  readonly charge: string;
  readonly credits: number;
};

export type RequestCookie = {
  readonly name: string;
  readonly value: string;
};

export type RetailAvailabilityInput = {
  /** The number of the product, or its address */
  readonly id: string;
  /** The number of a store, as returned by /stores */
  readonly store_id?: string;
  /** ZIP code of the buyer */
  readonly zip?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type RetailAvailabilityJobInput = {
  readonly kind: "retail.availability";
  readonly input: RetailAvailabilityInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type RetailAvailabilityResult = {
  readonly provider: "retail";
  readonly availability: {
    readonly id: string;
    readonly shipping: "in_stock" | "limited" | "out_of_stock" | "preorder" | "unavailable" | null;
    readonly shipping_quantity: number | null;
    readonly delivery: "in_stock" | "limited" | "out_of_stock" | "preorder" | "unavailable" | null;
    readonly stores: readonly ({
      readonly id: string;
      readonly name: string | null;
      readonly quantity: number | null;
      readonly pickup: "in_stock" | "limited" | "out_of_stock" | "preorder" | "unavailable" | null;
      readonly in_store: "in_stock" | "limited" | "out_of_stock" | "preorder" | "unavailable" | null;
    })[] | null;
    readonly sold_out_everywhere: boolean | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type RetailProductInput = {
  /** The number of a product of the first chain, or an address; takes precedence over url */
  readonly id?: string;
  /** Address of a product of any of the chains */
  readonly url?: string;
  /** The number of a store, as returned by /stores */
  readonly store_id?: string;
  /** ZIP code of the buyer */
  readonly zip?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type RetailProductJobInput = {
  readonly kind: "retail.product";
  readonly input: RetailProductInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type RetailProductResult = {
  readonly provider: "retail";
  readonly product: {
    readonly id: string;
    readonly url: string;
    readonly title: string;
    readonly brand: string | null;
    readonly price: {
      readonly current: number | null;
      readonly regular: number | null;
      readonly currency: string | null;
      readonly text: string | null;
    };
    readonly rating: number | null;
    readonly review_count: number | null;
    readonly images: readonly string[];
    readonly description: string | null;
    readonly variants: readonly ({
      readonly id: string;
      readonly title: string | null;
      readonly price: {
        readonly current: number | null;
        readonly regular: number | null;
        readonly currency: string | null;
        readonly text: string | null;
      };
      readonly availability: "in_stock" | "limited" | "out_of_stock" | "preorder" | "unavailable" | null;
    })[] | null;
    readonly availability: {
      readonly shipping: "in_stock" | "limited" | "out_of_stock" | "preorder" | "unavailable" | null;
      readonly pickup: "in_stock" | "limited" | "out_of_stock" | "preorder" | "unavailable" | null;
      readonly in_store: "in_stock" | "limited" | "out_of_stock" | "preorder" | "unavailable" | null;
    };
    readonly specs: readonly {
      readonly name: string;
      readonly value: string;
    }[] | null;
    readonly breadcrumbs: readonly string[] | null;
    readonly gtin: string | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type RetailSearchInput = {
  /** Words to search for at the first chain */
  readonly search?: string;
  /** Address of a category of the furniture chain, instead of search */
  readonly url?: string;
  /** Number of the result page */
  readonly page?: number;
  /** The order of the products */
  readonly sort?: "relevance" | "featured" | "price_asc" | "price_desc" | "rating" | "bestselling" | "newest";
  /** The number of a store, as returned by /stores */
  readonly store_id?: string;
  /** ZIP code of the buyer */
  readonly zip?: string;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
};

export type RetailSearchJobInput = {
  readonly kind: "retail.search";
  readonly input: RetailSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type RetailSearchResult = {
  readonly provider: "retail";
  readonly results: readonly ({
    readonly id: string;
    readonly url: string;
    readonly title: string;
    readonly brand: string | null;
    readonly price: {
      readonly current: number | null;
      readonly regular: number | null;
      readonly currency: string | null;
      readonly text: string | null;
    };
    readonly rating: number | null;
    readonly review_count: number | null;
    readonly images: readonly string[];
  })[];
  readonly total_results: number | null;
  readonly page: number | null;
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type RetailStoresInput = {
  /** City, region or address to search around */
  readonly query?: string;
  /** ZIP code of the buyer */
  readonly zip?: string;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type RetailStoresJobInput = {
  readonly kind: "retail.stores";
  readonly input: RetailStoresInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type RetailStoresResult = {
  readonly provider: "retail";
  readonly stores: readonly ({
    readonly id: string;
    readonly name: string;
    readonly address: string | null;
    readonly city: string | null;
    readonly region: string | null;
    readonly zip: string | null;
    readonly country: string | null;
    readonly phone: string | null;
    readonly distance_miles: number | null;
    readonly latitude: number | null;
    readonly longitude: number | null;
    readonly status: string | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type RotateKeyInput = {
  /** How long the old key stays valid */
  readonly overlap_seconds?: number;
  /** When the key expires, ISO 8601 UTC; default never */
  readonly expires_at?: string;
};

export type RotateKeyResult = {
  readonly id: string;
  readonly tenant_id: string;
  /** The key; only shown once */
  readonly key: string;
  readonly expires_at: string | null;
};

export type RotateWebhookSecretInput = {
  /** The new secret; generated and shown once if omitted */
  readonly secret?: string;
};

export type RotateWebhookSecretResult = {
  readonly webhook: Webhook;
};

export type Run = {
  readonly id: string;
  readonly monitor_id: string;
  readonly trigger: "schedule" | "manual" | "create" | "catch_up";
  readonly status: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled" | "skipped";
  readonly skipped_reason?: "overlap" | "credits_exhausted" | "daily_cap" | "plan" | "backend_unavailable";
  readonly scheduled_for: string;
  readonly queued_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly attempt: number;
  /** For catch_up: number of missed ticks including this one */
  readonly missed_ticks?: number;
  readonly first_run: boolean;
  /** The comparison restarted because the watched target was changed */
  readonly baseline_reset?: boolean;
  /** Prices were not compared because what they include has changed */
  readonly rebased?: boolean;
  readonly changed: boolean;
  readonly change_id: string | null;
  /** Observed values by field */
  readonly values: Readonly<Record<string, unknown>>;
  readonly field_meta: Readonly<Record<string, {
    readonly source: string;
  }>>;
  readonly content_hash?: string | null;
  /** The rate of each channel, or why there is none */
  readonly channels?: readonly Readonly<Record<string, unknown>>[];
  /** Spread of the prices of the channels */
  readonly spread?: Spread | null;
  /** Why there is no spread */
  readonly reason?: "insufficient_channels" | "currency_mismatch";
  readonly warnings: readonly string[];
  readonly tier: string | null;
  readonly final_url: string | null;
  readonly http_status: number | null;
  /** Null for a run that did not complete, which is free */
  readonly usage: Usage | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly retryable: boolean;
    readonly blocked?: boolean;
    readonly timed_out?: boolean;
  } | null;
};

export type RunList = {
  readonly data: readonly Run[];
  readonly next_cursor: string | null;
};

export type RunUpkeepInput = Readonly<Record<string, never>>;

export type RunUpkeepResult = {
  /** State of the rounds of this process */
  readonly state: "started" | "running" | "idle";
  /** The last run of each round in the responding process */
  readonly rounds: readonly ({
    readonly name: string;
    readonly started_at: string;
    readonly duration_ms: number;
    readonly outcome: "done" | "failed";
  })[];
};

/** Options of output screenshot */
export type ScreenshotInput = {
  /** Capture the whole page instead of the visible part */
  readonly full_page?: boolean;
  readonly format?: "png" | "jpeg" | "webp";
  /** Quality of jpeg and webp, default 85 */
  readonly quality?: number;
  /** Size of the visible part in CSS pixels; default that of the device */
  readonly viewport?: {
    readonly width: number;
    readonly height: number;
  };
  /** The part of the page to show, in CSS pixels from its top left corner */
  readonly clip?: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
  /** Show the first visible element that this CSS selector matches */
  readonly selector?: string;
};

export type SearchEngine = {
  readonly name: string;
  readonly status: "ok" | "empty" | "blocked" | "timeout" | "error" | "skipped";
  /** Reason, if the status alone does not explain it */
  readonly reason: string | null;
  readonly results: number;
  /** Results dropped because their URL may not be visited */
  readonly dropped: number;
  readonly took_ms: number;
};

export type SearchPageContent = {
  readonly final_url: string;
  readonly status_code: number;
  readonly markdown?: string;
  readonly text?: string;
  readonly html?: string;
  readonly links?: readonly Link[];
  /** Whether max_chars cut a text */
  readonly truncated: boolean;
};

export type SearchPageError = {
  readonly code: string;
  readonly message: string;
};

export type SerpSearchInput = {
  /** Search engine; searxng is the instance that the operator configured */
  readonly engine?: "google" | "bing" | "duckduckgo" | "brave" | "mojeek" | "yandex" | "baidu" | "ecosia" | "searxng";
  /** Search query; engines get the first 2,000 characters, or fewer if these take more than 4,000 when URL-encoded */
  readonly search?: string;
  /** ISO 3166-1 code or English name */
  readonly country?: string;
  /** Language of the results, if the engine supports it: a tag such as de, or a name such as German */
  readonly language?: string;
  /** Page of results */
  readonly page?: number;
  /** Safe-search level, if the engine supports it */
  readonly safe?: "off" | "moderate" | "strict";
  /** Maximum age of results; rejected if the engine does not support it */
  readonly time_range?: "day" | "week" | "month" | "year";
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
  /** Alias of country */
  readonly geo?: string;
  /** Alias of country */
  readonly country_code?: string;
  /** Alias of country */
  readonly gl?: string;
  /** Alias of language */
  readonly locale?: string;
  /** Alias of language */
  readonly lang?: string;
  /** Alias of language */
  readonly hl?: string;
  /** Alias of safe */
  readonly safesearch?: "off" | "moderate" | "strict";
};

export type SerpSearchJobInput = {
  readonly kind: "serp.search";
  readonly input: SerpSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type SerpSearchResult = {
  readonly provider: "serp";
  readonly query_context: {
    readonly engine: "google" | "bing" | "duckduckgo" | "brave" | "mojeek" | "yandex" | "baidu" | "ecosia" | "searxng";
    readonly search: string;
    readonly country: string;
    readonly language: string;
    readonly page: number;
  };
  readonly meta_data: {
    readonly page: number;
    /** URL of the result page */
    readonly url: string;
  };
  readonly organic_results: readonly WebsearchResult[];
  readonly paid_results: readonly WebsearchResult[];
  readonly features: EngineFeatures;
  /** Adjustments of the input; absent if there are none */
  readonly warnings?: readonly Warning[];
};

export type Session = {
  readonly name: string;
  /** Hosts with cookies or storage in the session */
  readonly hosts: readonly string[];
  readonly cookies: number;
  readonly storage_items: number;
  readonly bytes: number;
  /** Days until it expires after its last use */
  readonly idle_days: number;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
};

export type SessionContents = {
  readonly name: string;
  /** Hosts with cookies or storage in the session */
  readonly hosts: readonly string[];
  readonly cookies: number;
  readonly storage_items: number;
  readonly bytes: number;
  /** Days until it expires after its last use */
  readonly idle_days: number;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
  /** Cookies without values */
  readonly cookie_list: readonly ({
    readonly name: string;
    readonly host: string;
    /** Whether it is also sent to subdomains */
    readonly subdomains: boolean;
    readonly path: string;
    readonly secure: boolean;
    readonly http_only: boolean;
    readonly same_site: "strict" | "lax" | "none" | null;
    /** Null for a session cookie */
    readonly expires_at: string | null;
    readonly bytes: number;
  })[];
  readonly storage_list: readonly {
    readonly origin: string;
    readonly items: number;
    readonly bytes: number;
  }[];
};

export type SessionList = {
  readonly data: readonly Session[];
  readonly next_cursor: string | null;
};

export type ShopAPricingInput = {
  /** Product code of ten characters; takes precedence over url */
  readonly asin?: string;
  /** Address of the product */
  readonly url?: string;
  /** Marketplace; by default that of url, or com */
  readonly domain?: "com" | "co.uk" | "de" | "fr" | "it" | "es" | "co.jp" | "ca" | "com.au" | "in" | "com.mx" | "com.br" | "nl" | "se" | "pl" | "com.tr" | "ae" | "sa" | "sg" | "eg" | "com.be";
  /** Language of the page, if the marketplace supports it */
  readonly language?: string;
  /** Only offers in that state */
  readonly condition?: "any" | "new" | "used";
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of asin */
  readonly id?: string;
  /** Alias of asin */
  readonly product_code?: string;
};

export type ShopAPricingJobInput = {
  readonly kind: "shop-a.pricing";
  readonly input: ShopAPricingInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ShopAPricingResult = {
  readonly provider: "shop-a";
  readonly pricing: {
    readonly asin: string;
    readonly url: string;
    readonly title: string | null;
    /** ISO 4217 code of the visitor's currency, which may differ from the marketplace's */
    readonly currency: string | null;
    readonly buy_box: {
      readonly seller: {
        readonly id: string | null;
        readonly name: string;
      } | null;
      readonly price: number | null;
      /** 0 if it is free; null if the page does not show it */
      readonly shipping: number | null;
      readonly total: number | null;
      readonly condition: "new" | "used" | "refurbished" | "collectible" | null;
      readonly condition_text: string | null;
      readonly ships_from: string | null;
      readonly fulfilled_by_shop: boolean | null;
      readonly is_prime: boolean | null;
      readonly delivery_text: string | null;
      /** Always null: the site does not show it */
      readonly quantity: number | null;
    } | null;
    readonly offers: readonly ({
      readonly seller: {
        readonly id: string | null;
        readonly name: string;
      } | null;
      readonly price: number | null;
      /** 0 if it is free; null if the page does not show it */
      readonly shipping: number | null;
      readonly total: number | null;
      readonly condition: "new" | "used" | "refurbished" | "collectible" | null;
      readonly condition_text: string | null;
      readonly ships_from: string | null;
      readonly fulfilled_by_shop: boolean | null;
      readonly is_prime: boolean | null;
      readonly delivery_text: string | null;
      /** Always null: the site does not show it */
      readonly quantity: number | null;
    })[] | null;
    readonly offers_count: number | null;
    /** Lowest price of the buy box and the offers; only on the first page */
    readonly lowest_new: number | null;
    /** Lowest price of used offers; only on the first page */
    readonly lowest_used: number | null;
    readonly checked_at: string | null;
  };
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShopAProductInput = {
  /** Product code of ten characters; takes precedence over url */
  readonly asin?: string;
  /** Address of the product */
  readonly url?: string;
  /** Marketplace; by default that of url, or com */
  readonly domain?: "com" | "co.uk" | "de" | "fr" | "it" | "es" | "co.jp" | "ca" | "com.au" | "in" | "com.mx" | "com.br" | "nl" | "se" | "pl" | "com.tr" | "ae" | "sa" | "sg" | "eg" | "com.be";
  /** Language of the page, if the marketplace supports it */
  readonly language?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of asin */
  readonly id?: string;
  /** Alias of asin */
  readonly product_code?: string;
};

export type ShopAProductJobInput = {
  readonly kind: "shop-a.product";
  readonly input: ShopAProductInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ShopAProductResult = {
  readonly provider: "shop-a";
  readonly product: {
    readonly asin: string;
    readonly parent_asin: string | null;
    readonly title: string;
    readonly url: string;
    readonly brand: string | null;
    readonly byline: string | null;
    readonly description: string | null;
    readonly features: readonly string[] | null;
    readonly images: readonly ({
      readonly url: string;
      readonly thumbnail_url: string | null;
      readonly variant: string | null;
    })[] | null;
    readonly main_image_url: string | null;
    readonly categories: readonly string[] | null;
    readonly rating: number | null;
    readonly ratings_count: number | null;
    readonly availability: "in_stock" | "low_stock" | "out_of_stock" | "unavailable" | "preorder" | null;
    readonly availability_text: string | null;
    readonly price: number | null;
    /** ISO 4217 code of the visitor's currency, which may differ from the marketplace's */
    readonly currency: string | null;
    readonly price_text: string | null;
    readonly list_price: number | null;
    readonly savings_percent: number | null;
    /** The element of the page with the price */
    readonly price_source: string | null;
    readonly seller: {
      readonly id: string | null;
      readonly name: string;
    } | null;
    readonly ships_from: string | null;
    readonly fulfilled_by_shop: boolean | null;
    readonly delivery_text: string | null;
    readonly condition: string | null;
    readonly is_prime: boolean | null;
    readonly coupon_text: string | null;
    readonly specifications: readonly {
      readonly name: string;
      readonly value: string;
    }[];
    readonly bestseller_ranks: readonly {
      readonly rank: number;
      readonly category: string;
    }[] | null;
    readonly variants: readonly {
      readonly asin: string;
      readonly values: readonly string[];
    }[] | null;
    readonly dimensions: readonly string[] | null;
    readonly delivery_location_text: string | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShopASearchCrawlInput = {
  /** Words to search for */
  readonly search?: string;
  /** Marketplace */
  readonly domain?: "com" | "co.uk" | "de" | "fr" | "it" | "es" | "co.jp" | "ca" | "com.au" | "in" | "com.mx" | "com.br" | "nl" | "se" | "pl" | "com.tr" | "ae" | "sa" | "sg" | "eg" | "com.be";
  /** Number of the result page; cursor takes precedence */
  readonly page?: number;
  /** The order of the results */
  readonly sort?: "relevance" | "price_asc" | "price_desc" | "rating" | "newest" | "bestselling";
  /** At least, in the shop's currency */
  readonly min_price?: number;
  /** At most, in the shop's currency */
  readonly max_price?: number;
  /** Department, as in the site's addresses */
  readonly category?: string;
  /** Language of the page, if the marketplace supports it */
  readonly language?: string;
  /** Most pages of the site to read */
  readonly max_pages?: number;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
};

export type ShopASearchCrawlJobInput = {
  readonly kind: "shop-a.search.crawl";
  readonly input: ShopASearchCrawlInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ShopASearchCrawlResult = {
  readonly provider: "shop-a";
  readonly search: string;
  readonly page: number;
  /** As the site counts them, often rounded */
  readonly total_results: number | null;
  readonly total_results_text: string | null;
  /** The last page that the site offers */
  readonly last_page: number | null;
  readonly results: readonly ({
    /** Position on its page, including ads */
    readonly position: number;
    readonly asin: string;
    readonly title: string;
    readonly url: string;
    readonly image_url: string | null;
    readonly price: number | null;
    readonly currency: string | null;
    readonly price_text: string | null;
    readonly list_price: number | null;
    readonly rating: number | null;
    readonly ratings_count: number | null;
    readonly counts_approximate: boolean;
    readonly sponsored: boolean;
    readonly badge: string | null;
    readonly is_prime: boolean | null;
    readonly delivery_text: string | null;
    readonly bought_text: string | null;
    readonly coupon_text: string | null;
  })[];
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
  /** Number of site pages read for results */
  readonly pages_fetched: number;
  /** Whether the list of the site may have more elements */
  readonly truncated: boolean;
  /** Whether the list of the site was read to its end */
  readonly exhausted: boolean;
  readonly stop_reason: "exhausted" | "max_results" | "max_pages" | "max_credits" | "credits_exhausted" | "daily_cap" | "failed" | "timeout" | "cancelled" | "interrupted";
};

export type ShopASearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** Marketplace */
  readonly domain?: "com" | "co.uk" | "de" | "fr" | "it" | "es" | "co.jp" | "ca" | "com.au" | "in" | "com.mx" | "com.br" | "nl" | "se" | "pl" | "com.tr" | "ae" | "sa" | "sg" | "eg" | "com.be";
  /** Number of the result page; cursor takes precedence */
  readonly page?: number;
  /** The order of the results */
  readonly sort?: "relevance" | "price_asc" | "price_desc" | "rating" | "newest" | "bestselling";
  /** At least, in the shop's currency */
  readonly min_price?: number;
  /** At most, in the shop's currency */
  readonly max_price?: number;
  /** Department, as in the site's addresses */
  readonly category?: string;
  /** Language of the page, if the marketplace supports it */
  readonly language?: string;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
};

export type ShopASearchJobInput = {
  readonly kind: "shop-a.search";
  readonly input: ShopASearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ShopASearchResult = {
  readonly provider: "shop-a";
  readonly search: string;
  readonly page: number;
  /** As the site counts them, often rounded */
  readonly total_results: number | null;
  readonly total_results_text: string | null;
  /** The last page that the site offers */
  readonly last_page: number | null;
  readonly results: readonly ({
    /** Position on its page, including ads */
    readonly position: number;
    readonly asin: string;
    readonly title: string;
    readonly url: string;
    readonly image_url: string | null;
    readonly price: number | null;
    readonly currency: string | null;
    readonly price_text: string | null;
    readonly list_price: number | null;
    readonly rating: number | null;
    readonly ratings_count: number | null;
    readonly counts_approximate: boolean;
    readonly sponsored: boolean;
    readonly badge: string | null;
    readonly is_prime: boolean | null;
    readonly delivery_text: string | null;
    readonly bought_text: string | null;
    readonly coupon_text: string | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShopWProductInput = {
  /** The number of the product; takes precedence over url */
  readonly id?: string;
  /** Address of the product */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type ShopWProductJobInput = {
  readonly kind: "shop-w.product";
  readonly input: ShopWProductInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ShopWProductResult = {
  readonly provider: "shop-w";
  readonly product: {
    /** Id of the shown product, which differs if the site redirected to another */
    readonly id: string;
    readonly product_id: string | null;
    readonly title: string;
    readonly url: string;
    readonly brand: string | null;
    readonly description: string | null;
    readonly long_description: string | null;
    readonly images: readonly {
      readonly url: string;
    }[] | null;
    readonly main_image_url: string | null;
    readonly category_path: readonly string[] | null;
    readonly type: string | null;
    readonly price: number | null;
    readonly currency: string | null;
    readonly price_text: string | null;
    readonly was_price: number | null;
    readonly list_price: number | null;
    readonly unit_price_text: string | null;
    readonly savings: number | null;
    readonly price_min: number | null;
    readonly price_max: number | null;
    readonly availability: "in_stock" | "low_stock" | "out_of_stock" | "unavailable" | "preorder" | null;
    readonly seller: {
      readonly id: string | null;
      /** The displayed name */
      readonly name: string | null;
      /** The registered name of the seller */
      readonly legal_name: string | null;
      readonly type: string | null;
    } | null;
    readonly rating: number | null;
    readonly ratings_count: number | null;
    readonly upc: string | null;
    readonly model: string | null;
    readonly specifications: readonly {
      readonly name: string;
      readonly value: string;
    }[] | null;
    readonly order_limit: number | null;
    readonly variants: readonly ({
      readonly id: string;
      readonly values: readonly string[];
      readonly availability: "in_stock" | "low_stock" | "out_of_stock" | "unavailable" | "preorder" | null;
      readonly price: number | null;
    })[] | null;
    readonly reviews_summary: {
      readonly average: number | null;
      readonly count: number | null;
      readonly distribution: {
        readonly '1': number | null;
        readonly '2': number | null;
        readonly '3': number | null;
        readonly '4': number | null;
        readonly '5': number | null;
      };
      readonly recommended_percent: number | null;
      readonly summary: string | null;
    } | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShortvideoCommentsInput = {
  /** The number of the video, or its address; takes precedence over url */
  readonly id?: string;
  /** Address of the video */
  readonly url?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of limit */
  readonly per_page?: number;
};

export type ShortvideoCommentsJobInput = {
  readonly kind: "shortvideo.comments";
  readonly input: ShortvideoCommentsInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ShortvideoCommentsResult = {
  readonly provider: "shortvideo";
  readonly comments: readonly ({
    readonly id: string;
    readonly video_id: string | null;
    readonly text: string | null;
    readonly author: {
      readonly id: string | null;
      readonly username: string | null;
      readonly name: string | null;
      readonly verified: boolean | null;
      readonly avatar_url: string | null;
    };
    readonly created_at: string | null;
    readonly language: string | null;
    readonly like_count: number | null;
    readonly reply_count: number | null;
    readonly is_pinned: boolean | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShortvideoHashtagInput = {
  /** With or without #; takes precedence over url */
  readonly hashtag?: string;
  /** Address of the hashtag */
  readonly url?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of hashtag */
  readonly name?: string;
  /** Alias of hashtag */
  readonly tag?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type ShortvideoHashtagJobInput = {
  readonly kind: "shortvideo.hashtag";
  readonly input: ShortvideoHashtagInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ShortvideoHashtagResult = {
  readonly provider: "shortvideo";
  readonly hashtag: {
    readonly id: string | null;
    readonly name: string;
    readonly description: string | null;
    readonly view_count: number | null;
    readonly video_count: number | null;
  } | null;
  readonly videos: readonly ({
    readonly id: string;
    readonly url: string;
    readonly type: "video" | "photos";
    readonly description: string | null;
    readonly author: {
      readonly id: string | null;
      readonly username: string | null;
      readonly name: string | null;
      readonly verified: boolean | null;
      readonly avatar_url: string | null;
    };
    readonly created_at: string | null;
    readonly duration_ms: number | null;
    readonly width: number | null;
    readonly height: number | null;
    readonly cover_url: string | null;
    readonly video_url: string | null;
    /** Pictures of a slide show */
    readonly images: readonly string[];
    readonly music: {
      readonly id: string | null;
      readonly title: string | null;
      readonly author: string | null;
      readonly duration_ms: number | null;
      readonly is_original: boolean | null;
    } | null;
    readonly view_count: number | null;
    readonly like_count: number | null;
    readonly comment_count: number | null;
    readonly share_count: number | null;
    readonly save_count: number | null;
    readonly repost_count: number | null;
    readonly hashtags: readonly string[];
    readonly mentions: readonly string[];
    readonly subtitles: readonly ({
      readonly language: string;
      readonly format: string | null;
      readonly url: string;
    })[] | null;
    readonly language: string | null;
    readonly country: string | null;
    readonly is_ad: boolean | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShortvideoProfileInput = {
  /** With or without @; takes precedence over url */
  readonly username?: string;
  /** Address of the profile */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly handle?: string;
  /** Alias of username */
  readonly user?: string;
};

export type ShortvideoProfileJobInput = {
  readonly kind: "shortvideo.profile";
  readonly input: ShortvideoProfileInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ShortvideoProfileResult = {
  readonly provider: "shortvideo";
  readonly profile: {
    readonly id: string;
    readonly username: string;
    readonly name: string | null;
    readonly url: string;
    readonly description: string | null;
    readonly website: string | null;
    readonly avatar_url: string | null;
    readonly verified: boolean | null;
    readonly is_private: boolean | null;
    readonly language: string | null;
    readonly followers: number | null;
    readonly following: number | null;
    readonly like_count: number | null;
    readonly video_count: number | null;
    readonly created_at: string | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShortvideoSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type ShortvideoSearchJobInput = {
  readonly kind: "shortvideo.search";
  readonly input: ShortvideoSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ShortvideoSearchResult = {
  readonly provider: "shortvideo";
  readonly results: readonly ({
    readonly id: string;
    readonly url: string;
    readonly type: "video" | "photos";
    readonly description: string | null;
    readonly author: {
      readonly id: string | null;
      readonly username: string | null;
      readonly name: string | null;
      readonly verified: boolean | null;
      readonly avatar_url: string | null;
    };
    readonly created_at: string | null;
    readonly duration_ms: number | null;
    readonly width: number | null;
    readonly height: number | null;
    readonly cover_url: string | null;
    readonly video_url: string | null;
    /** Pictures of a slide show */
    readonly images: readonly string[];
    readonly music: {
      readonly id: string | null;
      readonly title: string | null;
      readonly author: string | null;
      readonly duration_ms: number | null;
      readonly is_original: boolean | null;
    } | null;
    readonly view_count: number | null;
    readonly like_count: number | null;
    readonly comment_count: number | null;
    readonly share_count: number | null;
    readonly save_count: number | null;
    readonly repost_count: number | null;
    readonly hashtags: readonly string[];
    readonly mentions: readonly string[];
    readonly subtitles: readonly ({
      readonly language: string;
      readonly format: string | null;
      readonly url: string;
    })[] | null;
    readonly language: string | null;
    readonly country: string | null;
    readonly is_ad: boolean | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShortvideoVideoInput = {
  /** The number of the video, or its address; takes precedence over url */
  readonly id?: string;
  /** Address of the video */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type ShortvideoVideoJobInput = {
  readonly kind: "shortvideo.video";
  readonly input: ShortvideoVideoInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ShortvideoVideoResult = {
  readonly provider: "shortvideo";
  readonly video: {
    readonly id: string;
    readonly url: string;
    readonly type: "video" | "photos";
    readonly description: string | null;
    readonly author: {
      readonly id: string | null;
      readonly username: string | null;
      readonly name: string | null;
      readonly verified: boolean | null;
      readonly avatar_url: string | null;
    };
    readonly created_at: string | null;
    readonly duration_ms: number | null;
    readonly width: number | null;
    readonly height: number | null;
    readonly cover_url: string | null;
    readonly video_url: string | null;
    /** Pictures of a slide show */
    readonly images: readonly string[];
    readonly music: {
      readonly id: string | null;
      readonly title: string | null;
      readonly author: string | null;
      readonly duration_ms: number | null;
      readonly is_original: boolean | null;
    } | null;
    readonly view_count: number | null;
    readonly like_count: number | null;
    readonly comment_count: number | null;
    readonly share_count: number | null;
    readonly save_count: number | null;
    readonly repost_count: number | null;
    readonly hashtags: readonly string[];
    readonly mentions: readonly string[];
    readonly subtitles: readonly ({
      readonly language: string;
      readonly format: string | null;
      readonly url: string;
    })[] | null;
    readonly language: string | null;
    readonly country: string | null;
    readonly is_ad: boolean | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShortvideoVideosInput = {
  /** With or without @; takes precedence over url */
  readonly username?: string;
  /** Address of the profile */
  readonly url?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly handle?: string;
  /** Alias of username */
  readonly user?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type ShortvideoVideosJobInput = {
  readonly kind: "shortvideo.videos";
  readonly input: ShortvideoVideosInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type ShortvideoVideosResult = {
  readonly provider: "shortvideo";
  readonly videos: readonly ({
    readonly id: string;
    readonly url: string;
    readonly type: "video" | "photos";
    readonly description: string | null;
    readonly author: {
      readonly id: string | null;
      readonly username: string | null;
      readonly name: string | null;
      readonly verified: boolean | null;
      readonly avatar_url: string | null;
    };
    readonly created_at: string | null;
    readonly duration_ms: number | null;
    readonly width: number | null;
    readonly height: number | null;
    readonly cover_url: string | null;
    readonly video_url: string | null;
    /** Pictures of a slide show */
    readonly images: readonly string[];
    readonly music: {
      readonly id: string | null;
      readonly title: string | null;
      readonly author: string | null;
      readonly duration_ms: number | null;
      readonly is_original: boolean | null;
    } | null;
    readonly view_count: number | null;
    readonly like_count: number | null;
    readonly comment_count: number | null;
    readonly share_count: number | null;
    readonly save_count: number | null;
    readonly repost_count: number | null;
    readonly hashtags: readonly string[];
    readonly mentions: readonly string[];
    readonly subtitles: readonly ({
      readonly language: string;
      readonly format: string | null;
      readonly url: string;
    })[] | null;
    readonly language: string | null;
    readonly country: string | null;
    readonly is_ad: boolean | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SiteHealth = {
  readonly endpoint: string;
  readonly site: string;
  /** Domains that it fetches; empty if the operator configures the backend */
  readonly domains: readonly string[];
  /** Whether its parser was verified against a real page; null if the operator configures the backend */
  readonly verified: boolean | null;
  /** Number of successful calls */
  readonly served: number;
  /** Health according to recent calls; unused if it was never called */
  readonly level: "good" | "degraded" | "broken" | "unused";
  /** Source of its last record */
  readonly source: string | null;
  readonly last_success_at: string | null;
  readonly last_failure_at: string | null;
  /** Error code */
  readonly last_failure: string | null;
  readonly failed_in_row: number;
  readonly empty_in_row: number;
  /** Share of recent responses with a value at each path */
  readonly fill: Readonly<Record<string, number>>;
};

export type SocialnetAdLibraryAdInput = {
  /** Number of the ad in the library; takes precedence over url */
  readonly id?: string;
  /** Address of the ad in the library */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of id */
  readonly ad_archive_id?: string;
  /** Alias of id */
  readonly archive_id?: string;
};

export type SocialnetAdLibraryAdJobInput = {
  readonly kind: "socialnet.adLibrary.ad";
  readonly input: SocialnetAdLibraryAdInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetAdLibraryAdResult = {
  readonly provider: "socialnet";
  readonly ad: {
    readonly id: string;
    readonly url: string;
    readonly page: {
      readonly id: string | null;
      readonly name: string | null;
      readonly url: string | null;
      readonly likes: number | null;
      readonly categories: readonly string[] | null;
      readonly profile_image_url: string | null;
      readonly verified: boolean | null;
    };
    readonly is_active: boolean | null;
    /** The day on which it was first shown */
    readonly start_date: string | null;
    /** The last day on which it was shown; today if it is active */
    readonly end_date: string | null;
    readonly platforms: readonly string[] | null;
    /** Such as image, video, carousel, dco, dpa or text */
    readonly display_format: string | null;
    readonly title: string | null;
    readonly text: string | null;
    readonly link_url: string | null;
    readonly link_caption: string | null;
    readonly link_description: string | null;
    readonly cta_type: string | null;
    readonly cta_text: string | null;
    readonly images: readonly ({
      readonly original_url: string | null;
      readonly resized_url: string | null;
    })[];
    readonly videos: readonly ({
      readonly hd_url: string | null;
      readonly sd_url: string | null;
      readonly preview_url: string | null;
    })[];
    readonly cards: readonly ({
      readonly title: string | null;
      readonly text: string | null;
      readonly link_url: string | null;
      readonly cta_type: string | null;
      readonly image_url: string | null;
      readonly video_hd_url: string | null;
      readonly video_sd_url: string | null;
    })[];
    /** Number of ads with the same text and pictures */
    readonly variants_count: number | null;
    readonly collation_id: string | null;
    readonly currency: string | null;
    readonly spend_text: string | null;
    readonly impressions_text: string | null;
    readonly reach_estimate: string | null;
    /** Who paid for a political ad */
    readonly byline: string | null;
    readonly disclaimer: string | null;
    readonly categories: readonly string[] | null;
    readonly countries: readonly string[] | null;
    readonly contains_ai_media: boolean | null;
    /** Data that the law of the European Union or the United Kingdom requires; null if the page has none */
    readonly transparency: {
      readonly eu: {
        readonly total_reach: number | null;
        readonly age_min: number | null;
        readonly age_max: number | null;
        readonly gender: string | null;
        readonly locations: readonly ({
          readonly name: string;
          readonly type: string | null;
          readonly excluded: boolean | null;
        })[] | null;
        readonly breakdown: readonly ({
          readonly country: string | null;
          readonly age_range: string | null;
          readonly male: number | null;
          readonly female: number | null;
          readonly unknown: number | null;
        })[] | null;
      } | null;
      readonly uk: {
        readonly total_reach: number | null;
        readonly age_min: number | null;
        readonly age_max: number | null;
        readonly gender: string | null;
        readonly locations: readonly ({
          readonly name: string;
          readonly type: string | null;
          readonly excluded: boolean | null;
        })[] | null;
        readonly breakdown: readonly ({
          readonly country: string | null;
          readonly age_range: string | null;
          readonly male: number | null;
          readonly female: number | null;
          readonly unknown: number | null;
        })[] | null;
      } | null;
      readonly payer: string | null;
      readonly beneficiary: string | null;
    } | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetAdLibraryCompanyAdsInput = {
  /** Number of the advertiser's page; takes precedence over url */
  readonly page_id?: string;
  /** Address of the advertiser's page */
  readonly url?: string;
  /** Whether the ads are still shown */
  readonly active_status?: "active" | "inactive" | "all";
  /** ISO 3166-1 code of the country where the ads are shown, or ALL */
  readonly country?: string;
  /** Only ads of this kind */
  readonly ad_type?: "all" | "political_and_issue_ads";
  /** Only ads with this kind of media */
  readonly media_type?: "all" | "image" | "video" | "meme" | "none";
  /** Only ads on one of these platforms */
  readonly platforms?: readonly ("facebook" | "instagram" | "messenger" | "audience_network" | "whatsapp" | "threads")[];
  /** ISO 639 codes of the language of the text */
  readonly languages?: readonly string[];
  /** First shown on this day or later */
  readonly start_date_min?: string;
  /** First shown on this day or earlier */
  readonly start_date_max?: string;
  /** The order of the ads */
  readonly sort?: "total_impressions" | "relevancy_monthly_grouped";
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of page_id */
  readonly id?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type SocialnetAdLibraryCompanyAdsJobInput = {
  readonly kind: "socialnet.adLibrary.company.ads";
  readonly input: SocialnetAdLibraryCompanyAdsInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetAdLibraryCompanyAdsResult = {
  readonly provider: "socialnet";
  /** The library's own count */
  readonly total_count: number | null;
  readonly ads: readonly ({
    readonly id: string;
    readonly url: string;
    readonly page: {
      readonly id: string | null;
      readonly name: string | null;
      readonly url: string | null;
      readonly likes: number | null;
      readonly categories: readonly string[] | null;
      readonly profile_image_url: string | null;
      readonly verified: boolean | null;
    };
    readonly is_active: boolean | null;
    /** The day on which it was first shown */
    readonly start_date: string | null;
    /** The last day on which it was shown; today if it is active */
    readonly end_date: string | null;
    readonly platforms: readonly string[] | null;
    /** Such as image, video, carousel, dco, dpa or text */
    readonly display_format: string | null;
    readonly title: string | null;
    readonly text: string | null;
    readonly link_url: string | null;
    readonly link_caption: string | null;
    readonly link_description: string | null;
    readonly cta_type: string | null;
    readonly cta_text: string | null;
    readonly images: readonly ({
      readonly original_url: string | null;
      readonly resized_url: string | null;
    })[];
    readonly videos: readonly ({
      readonly hd_url: string | null;
      readonly sd_url: string | null;
      readonly preview_url: string | null;
    })[];
    readonly cards: readonly ({
      readonly title: string | null;
      readonly text: string | null;
      readonly link_url: string | null;
      readonly cta_type: string | null;
      readonly image_url: string | null;
      readonly video_hd_url: string | null;
      readonly video_sd_url: string | null;
    })[];
    /** Number of ads with the same text and pictures */
    readonly variants_count: number | null;
    readonly collation_id: string | null;
    readonly currency: string | null;
    readonly spend_text: string | null;
    readonly impressions_text: string | null;
    readonly reach_estimate: string | null;
    /** Who paid for a political ad */
    readonly byline: string | null;
    readonly disclaimer: string | null;
    readonly categories: readonly string[] | null;
    readonly countries: readonly string[] | null;
    readonly contains_ai_media: boolean | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetAdLibrarySearchAdsInput = {
  /** Words to search for */
  readonly search?: string;
  /** Whether the words may be in any order, or must match as a phrase */
  readonly search_type?: "keyword_unordered" | "keyword_exact_phrase";
  /** Whether the ads are still shown */
  readonly active_status?: "active" | "inactive" | "all";
  /** ISO 3166-1 code of the country where the ads are shown, or ALL */
  readonly country?: string;
  /** Only ads of this kind */
  readonly ad_type?: "all" | "political_and_issue_ads";
  /** Only ads with this kind of media */
  readonly media_type?: "all" | "image" | "video" | "meme" | "none";
  /** Only ads on one of these platforms */
  readonly platforms?: readonly ("facebook" | "instagram" | "messenger" | "audience_network" | "whatsapp" | "threads")[];
  /** ISO 639 codes of the language of the text */
  readonly languages?: readonly string[];
  /** First shown on this day or later */
  readonly start_date_min?: string;
  /** First shown on this day or earlier */
  readonly start_date_max?: string;
  /** The order of the ads */
  readonly sort?: "total_impressions" | "relevancy_monthly_grouped";
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type SocialnetAdLibrarySearchAdsJobInput = {
  readonly kind: "socialnet.adLibrary.search.ads";
  readonly input: SocialnetAdLibrarySearchAdsInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetAdLibrarySearchAdsResult = {
  readonly provider: "socialnet";
  /** The library's own count */
  readonly total_count: number | null;
  readonly ads: readonly ({
    readonly id: string;
    readonly url: string;
    readonly page: {
      readonly id: string | null;
      readonly name: string | null;
      readonly url: string | null;
      readonly likes: number | null;
      readonly categories: readonly string[] | null;
      readonly profile_image_url: string | null;
      readonly verified: boolean | null;
    };
    readonly is_active: boolean | null;
    /** The day on which it was first shown */
    readonly start_date: string | null;
    /** The last day on which it was shown; today if it is active */
    readonly end_date: string | null;
    readonly platforms: readonly string[] | null;
    /** Such as image, video, carousel, dco, dpa or text */
    readonly display_format: string | null;
    readonly title: string | null;
    readonly text: string | null;
    readonly link_url: string | null;
    readonly link_caption: string | null;
    readonly link_description: string | null;
    readonly cta_type: string | null;
    readonly cta_text: string | null;
    readonly images: readonly ({
      readonly original_url: string | null;
      readonly resized_url: string | null;
    })[];
    readonly videos: readonly ({
      readonly hd_url: string | null;
      readonly sd_url: string | null;
      readonly preview_url: string | null;
    })[];
    readonly cards: readonly ({
      readonly title: string | null;
      readonly text: string | null;
      readonly link_url: string | null;
      readonly cta_type: string | null;
      readonly image_url: string | null;
      readonly video_hd_url: string | null;
      readonly video_sd_url: string | null;
    })[];
    /** Number of ads with the same text and pictures */
    readonly variants_count: number | null;
    readonly collation_id: string | null;
    readonly currency: string | null;
    readonly spend_text: string | null;
    readonly impressions_text: string | null;
    readonly reach_estimate: string | null;
    /** Who paid for a political ad */
    readonly byline: string | null;
    readonly disclaimer: string | null;
    readonly categories: readonly string[] | null;
    readonly countries: readonly string[] | null;
    readonly contains_ai_media: boolean | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetEventInput = {
  /** Number of the event; takes precedence over url */
  readonly id?: string;
  /** Address of the event */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type SocialnetEventJobInput = {
  readonly kind: "socialnet.event";
  readonly input: SocialnetEventInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetEventResult = {
  /** Identifies the request */
  readonly request_id: string;
  readonly provider: "socialnet";
  readonly event: {
    readonly id: string | null;
    readonly name: string | null;
    readonly url: string | null;
    readonly time_text: string | null;
    /** ISO 8601 in UTC */
    readonly start_time: string | null;
    readonly is_online: boolean | null;
    readonly is_canceled: boolean | null;
    readonly location_name: string | null;
    readonly cover_url: string | null;
    /** Always null at present: only members are shown it */
    readonly description: string | null;
    readonly stats: {
      /** Always null at present: only members are shown it */
      readonly interested: number | null;
      /** Always null at present: only members are shown it */
      readonly going: number | null;
    };
  };
};

export type SocialnetEventsSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** A place to search for together with the words */
  readonly location?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type SocialnetEventsSearchJobInput = {
  readonly kind: "socialnet.events.search";
  readonly input: SocialnetEventsSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetEventsSearchResult = {
  readonly provider: "socialnet";
  readonly events: readonly ({
    readonly id: string;
    readonly name: string;
    readonly url: string;
    readonly time_text: string | null;
    /** ISO 8601 in UTC */
    readonly start_time: string | null;
    readonly is_online: boolean | null;
    readonly is_past: boolean | null;
    readonly location_name: string | null;
    readonly location_id: string | null;
    readonly cover_url: string | null;
    readonly cover_alt: string | null;
    readonly social_text: string | null;
    readonly interested: number | null;
    readonly going: number | null;
    readonly price_text: string | null;
    readonly kind: string | null;
    readonly counts_approximate: boolean;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetGroupInput = {
  /** Number of the group, or the name in its address; takes precedence over url */
  readonly id?: string;
  /** Address of the group */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type SocialnetGroupJobInput = {
  readonly kind: "socialnet.group";
  readonly input: SocialnetGroupInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetGroupPostsInput = {
  /** Number of the group, or the name in its address; takes precedence over url */
  readonly id?: string;
  /** Address of the group */
  readonly url?: string;
  /** By time, or by the site's own ranking */
  readonly sort?: "recent" | "top";
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of limit */
  readonly per_page?: number;
};

export type SocialnetGroupPostsJobInput = {
  readonly kind: "socialnet.group.posts";
  readonly input: SocialnetGroupPostsInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetGroupPostsResult = {
  readonly provider: "socialnet";
  readonly posts: readonly ({
    readonly id: string;
    readonly url: string;
    readonly text: string | null;
    readonly author: {
      readonly id: string | null;
      readonly name: string;
      readonly url: string | null;
      readonly username: string | null;
    } | null;
    readonly created_at: string | null;
    readonly type: "post" | "photo" | "video" | "reel" | "event" | "share" | "link";
    readonly images: readonly ({
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
      /** The site's own description of the picture */
      readonly alt: string | null;
    })[];
    readonly video: {
      readonly url: string | null;
      readonly thumbnail_url: string | null;
      readonly duration_ms: number | null;
    } | null;
    readonly link: {
      readonly url: string;
      readonly title: string | null;
    } | null;
    readonly shared_post: {
      readonly id: string | null;
      readonly url: string | null;
      readonly text: string | null;
      readonly author: {
        readonly id: string | null;
        readonly name: string;
        readonly url: string | null;
        readonly username: string | null;
      } | null;
      readonly created_at: string | null;
      readonly images: readonly ({
        readonly url: string;
        readonly width: number | null;
        readonly height: number | null;
        /** The site's own description of the picture */
        readonly alt: string | null;
      })[];
    } | null;
    readonly stats: {
      readonly reactions: number | null;
      readonly comments: number | null;
      readonly shares: number | null;
      /** Only of a video */
      readonly views: number | null;
    };
    /** Whether it is pinned to the top of its page; null if unknown */
    readonly pinned: boolean | null;
    readonly counts_approximate: boolean;
    /** The group in which it was posted */
    readonly group: {
      readonly id: string | null;
      readonly name: string | null;
      readonly url: string | null;
    } | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetGroupResult = {
  readonly provider: "socialnet";
  readonly group: {
    readonly id: string | null;
    readonly name: string;
    readonly url: string;
    readonly description: string | null;
    readonly privacy: "public" | "private" | null;
    /** Whether the group appears in searches */
    readonly visibility: "visible" | "hidden" | null;
    readonly members: number | null;
    readonly members_text: string | null;
    readonly cover_image_url: string | null;
    readonly location: string | null;
    readonly rules: readonly string[] | null;
    readonly created_at: string | null;
    readonly counts_approximate: boolean;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetMarketplaceItemInput = {
  /** Number of the listing; takes precedence over url */
  readonly id?: string;
  /** Address of the listing */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type SocialnetMarketplaceItemJobInput = {
  readonly kind: "socialnet.marketplace.item";
  readonly input: SocialnetMarketplaceItemInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetMarketplaceItemResult = {
  readonly provider: "socialnet";
  readonly item: {
    readonly id: string;
    readonly title: string;
    readonly url: string;
    readonly description: string | null;
    readonly price: number | null;
    readonly currency: string | null;
    readonly price_text: string | null;
    /** Price before it was reduced */
    readonly original_price: number | null;
    readonly category_id: string | null;
    readonly category_name: string | null;
    readonly condition: "new" | "used_like_new" | "used_good" | "used_fair" | "used" | null;
    readonly attributes: readonly ({
      readonly name: string;
      readonly value: string | null;
      readonly label: string | null;
    })[] | null;
    readonly location_text: string | null;
    readonly city: string | null;
    readonly state: string | null;
    /** ISO 3166-1 alpha-2 */
    readonly country: string | null;
    /** Rounded by the site */
    readonly latitude: number | null;
    /** Rounded by the site */
    readonly longitude: number | null;
    readonly created_at: string | null;
    readonly is_sold: boolean | null;
    readonly is_pending: boolean | null;
    readonly is_live: boolean | null;
    readonly delivery_types: readonly string[] | null;
    readonly shipping_offered: boolean | null;
    readonly images: readonly ({
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
      /** The site's own description of the picture */
      readonly alt: string | null;
    })[] | null;
    readonly seller: {
      readonly id: string | null;
      readonly name: string | null;
      readonly joined_at: string | null;
      readonly rating: number | null;
      readonly rating_count: number | null;
    } | null;
    readonly vehicle: {
      readonly make: string | null;
      readonly model: string | null;
      readonly trim: string | null;
      readonly odometer_value: number | null;
      readonly odometer_unit: "kilometers" | "miles" | null;
      readonly transmission: string | null;
      readonly fuel: string | null;
      readonly exterior_color: string | null;
      readonly interior_color: string | null;
      /** Number of owners, in the words of the site */
      readonly owners: string | null;
      readonly seller_type: string | null;
      readonly vin: string | null;
    } | null;
    readonly real_estate: {
      readonly bedrooms: number | null;
      readonly bathrooms: number | null;
      readonly rooms_text: string | null;
      readonly area_text: string | null;
      readonly address: string | null;
      /** What is included, in the words of the site */
      readonly includes: readonly string[] | null;
    } | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetMarketplaceSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** Short name or number of a place on the site, such as houston; by default the site chooses one by the IP address */
  readonly location?: string;
  /** Latitude of the place; requires longitude */
  readonly latitude?: number;
  /** Longitude of the place; requires latitude */
  readonly longitude?: number;
  /** Radius around the place */
  readonly radius_km?: number;
  /** In whole units of the currency of the place */
  readonly min_price?: number;
  /** In whole units of the currency of the place */
  readonly max_price?: number;
  /** Only listings in one of these states */
  readonly condition?: readonly ("new" | "used_like_new" | "used_good" | "used_fair")[];
  /** Listed within that many days */
  readonly days_listed?: 1 | 7 | 30;
  /** Local pickup, shipping or both */
  readonly delivery?: "local" | "shipping" | "all";
  /** The order of the listings */
  readonly sort?: "best" | "newest" | "price_asc" | "price_desc" | "distance";
  /** Only listings with exactly these words */
  readonly exact?: boolean;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type SocialnetMarketplaceSearchJobInput = {
  readonly kind: "socialnet.marketplace.search";
  readonly input: SocialnetMarketplaceSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetMarketplaceSearchResult = {
  readonly provider: "socialnet";
  readonly items: readonly ({
    readonly id: string;
    readonly title: string;
    readonly url: string;
    readonly price: number | null;
    /** Null if the currency sign of the price is ambiguous */
    readonly currency: string | null;
    readonly price_text: string | null;
    readonly original_price: number | null;
    readonly location_text: string | null;
    readonly created_at: string | null;
    readonly is_sold: boolean | null;
    readonly is_pending: boolean | null;
    readonly delivery_types: readonly string[] | null;
    readonly category_id: string | null;
    readonly image_url: string | null;
    readonly seller: {
      readonly id: string | null;
      readonly name: string | null;
    } | null;
    readonly subtitles: readonly string[] | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetPageInput = {
  /** Number of the page; takes precedence over the other parameters */
  readonly id?: string;
  /** The last segment of its address, with or without @; takes precedence over url */
  readonly username?: string;
  /** Address of the page */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly handle?: string;
  /** Alias of username */
  readonly page?: string;
};

export type SocialnetPageJobInput = {
  readonly kind: "socialnet.page";
  readonly input: SocialnetPageInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetPageResult = {
  readonly provider: "socialnet";
  readonly page: {
    readonly id: string | null;
    readonly username: string | null;
    readonly name: string | null;
    readonly url: string;
    readonly category: string | null;
    readonly description: string | null;
    readonly verified: boolean | null;
    readonly likes: number | null;
    readonly followers: number | null;
    readonly talking_about: number | null;
    readonly were_here: number | null;
    /** Only of a business */
    readonly phone: string | null;
    /** Only of a business */
    readonly email: string | null;
    readonly website: string | null;
    /** Only of a business */
    readonly address: string | null;
    readonly price_range: string | null;
    /** Percentage of reviewers who recommend it */
    readonly rating_percent: number | null;
    readonly review_count: number | null;
    readonly profile_image_url: string | null;
    readonly cover_image_url: string | null;
    /** Accounts and pages on other sites */
    readonly links: readonly string[] | null;
    readonly counts_approximate: boolean;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetPhotosInput = {
  /** Number of the page; takes precedence over the other parameters */
  readonly id?: string;
  /** The last segment of its address, with or without @; takes precedence over url */
  readonly username?: string;
  /** Address of the page */
  readonly url?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly handle?: string;
  /** Alias of username */
  readonly page?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type SocialnetPhotosJobInput = {
  readonly kind: "socialnet.photos";
  readonly input: SocialnetPhotosInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetPhotosResult = {
  readonly provider: "socialnet";
  readonly photos: readonly ({
    readonly id: string;
    readonly url: string;
    readonly image_url: string;
    readonly width: number | null;
    readonly height: number | null;
    /** The site's own description of the picture */
    readonly alt: string | null;
    /** Id of its album */
    readonly set_id: string | null;
    /** Null for photos of a grid, which has no dates */
    readonly created_at: string | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetPostInput = {
  /** Address of the post */
  readonly url: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type SocialnetPostJobInput = {
  readonly kind: "socialnet.post";
  readonly input: SocialnetPostInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetPostResult = {
  readonly provider: "socialnet";
  readonly post: {
    readonly id: string;
    readonly url: string;
    readonly text: string | null;
    readonly author: {
      readonly id: string | null;
      readonly name: string;
      readonly url: string | null;
      readonly username: string | null;
    } | null;
    readonly created_at: string | null;
    readonly type: "post" | "photo" | "video" | "reel" | "event" | "share" | "link";
    readonly images: readonly ({
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
      /** The site's own description of the picture */
      readonly alt: string | null;
    })[];
    readonly video: {
      readonly url: string | null;
      readonly thumbnail_url: string | null;
      readonly duration_ms: number | null;
    } | null;
    readonly link: {
      readonly url: string;
      readonly title: string | null;
    } | null;
    readonly shared_post: {
      readonly id: string | null;
      readonly url: string | null;
      readonly text: string | null;
      readonly author: {
        readonly id: string | null;
        readonly name: string;
        readonly url: string | null;
        readonly username: string | null;
      } | null;
      readonly created_at: string | null;
      readonly images: readonly ({
        readonly url: string;
        readonly width: number | null;
        readonly height: number | null;
        /** The site's own description of the picture */
        readonly alt: string | null;
      })[];
    } | null;
    readonly stats: {
      readonly reactions: number | null;
      readonly comments: number | null;
      readonly shares: number | null;
      /** Only of a video */
      readonly views: number | null;
    };
    /** Whether it is pinned to the top of its page; null if unknown */
    readonly pinned: boolean | null;
    readonly counts_approximate: boolean;
    /** The group in which it was posted */
    readonly group: {
      readonly id: string | null;
      readonly name: string | null;
      readonly url: string | null;
    } | null;
    /** The comments that the page shows; null if it shows none */
    readonly top_comments: readonly ({
      readonly author_name: string | null;
      readonly text: string;
    })[] | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetPostsInput = {
  /** Number of the page; takes precedence over the other parameters */
  readonly id?: string;
  /** The last segment of its address, with or without @; takes precedence over url */
  readonly username?: string;
  /** Address of the page */
  readonly url?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly handle?: string;
  /** Alias of username */
  readonly page?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type SocialnetPostsJobInput = {
  readonly kind: "socialnet.posts";
  readonly input: SocialnetPostsInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetPostsResult = {
  readonly provider: "socialnet";
  readonly posts: readonly ({
    readonly id: string;
    readonly url: string;
    readonly text: string | null;
    readonly author: {
      readonly id: string | null;
      readonly name: string;
      readonly url: string | null;
      readonly username: string | null;
    } | null;
    readonly created_at: string | null;
    readonly type: "post" | "photo" | "video" | "reel" | "event" | "share" | "link";
    readonly images: readonly ({
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
      /** The site's own description of the picture */
      readonly alt: string | null;
    })[];
    readonly video: {
      readonly url: string | null;
      readonly thumbnail_url: string | null;
      readonly duration_ms: number | null;
    } | null;
    readonly link: {
      readonly url: string;
      readonly title: string | null;
    } | null;
    readonly shared_post: {
      readonly id: string | null;
      readonly url: string | null;
      readonly text: string | null;
      readonly author: {
        readonly id: string | null;
        readonly name: string;
        readonly url: string | null;
        readonly username: string | null;
      } | null;
      readonly created_at: string | null;
      readonly images: readonly ({
        readonly url: string;
        readonly width: number | null;
        readonly height: number | null;
        /** The site's own description of the picture */
        readonly alt: string | null;
      })[];
    } | null;
    readonly stats: {
      readonly reactions: number | null;
      readonly comments: number | null;
      readonly shares: number | null;
      /** Only of a video */
      readonly views: number | null;
    };
    /** Whether it is pinned to the top of its page; null if unknown */
    readonly pinned: boolean | null;
    readonly counts_approximate: boolean;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetReelsInput = {
  /** Number of the page; takes precedence over the other parameters */
  readonly id?: string;
  /** The last segment of its address, with or without @; takes precedence over url */
  readonly username?: string;
  /** Address of the page */
  readonly url?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly handle?: string;
  /** Alias of username */
  readonly page?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type SocialnetReelsJobInput = {
  readonly kind: "socialnet.reels";
  readonly input: SocialnetReelsInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetReelsResult = {
  readonly provider: "socialnet";
  readonly reels: readonly ({
    readonly id: string;
    readonly url: string;
    readonly text: string | null;
    readonly created_at: string | null;
    readonly duration_ms: number | null;
    readonly views: number | null;
    readonly likes: number | null;
    readonly comments: number | null;
    readonly shares: number | null;
    readonly thumbnail_url: string | null;
    readonly video_url: string | null;
    readonly captions: readonly ({
      readonly locale: string;
      readonly url: string | null;
    })[] | null;
    readonly author: {
      readonly id: string | null;
      readonly name: string;
      readonly url: string | null;
    } | null;
    readonly counts_approximate: boolean;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type Spread = {
  readonly min: number;
  readonly max: number;
  readonly abs: number;
  readonly pct: number | null;
  readonly cheapest: string;
  readonly dearest: string;
  readonly currency: string | null;
  readonly channels: readonly ({
    readonly provider: string;
    readonly price: number;
    /** Difference to the cheapest */
    readonly delta_abs: number;
    readonly delta_pct: number | null;
  })[];
};

export type StayParams = {
  readonly check_in: string;
  readonly check_out: string;
  readonly nights: number;
  readonly adults: number;
  readonly children: readonly number[] | number;
  readonly rooms: number;
  readonly currency: string | null;
};

export type StructuredData = {
  readonly json_ld: readonly unknown[];
  readonly microdata: readonly unknown[];
  readonly rdfa: readonly unknown[];
  readonly opengraph: Readonly<Record<string, unknown>>;
};

export type SubmitJobInput = FetchJobInput | FetchBatchJobInput | ExplainPageJobInput | CrawlJobInput | MapJobInput | InteractJobInput | FastSearchJobInput | AnswerenginePromptJobInput | AssistantPromptJobInput | ChatassistantPromptJobInput | WebsearchSearchJobInput | SerpSearchJobInput | AppstoreAppJobInput | AppstoreSearchJobInput | AppstoreReviewsJobInput | AppstoreDeveloperJobInput | CodehostRepoJobInput | CodehostReposJobInput | CodehostUserJobInput | ForumPostJobInput | ForumSubredditJobInput | ForumUserJobInput | HomestaySearchJobInput | HomestayListingJobInput | HomestayReviewsJobInput | HotelARateJobInput | HotelBRateJobInput | JobsDJobsJobInput | JobsDJobJobInput | JobsBJobsJobInput | JobsBJobJobInput | JobsSJobsJobInput | JobsSJobJobInput | LaunchesLeaderboardJobInput | LaunchesProductJobInput | LaunchesMakerJobInput | MicroblogProfileJobInput | MicroblogPostsJobInput | MicroblogPostJobInput | MicroblogSearchJobInput | MusiccatalogAlbumJobInput | MusiccatalogArtistJobInput | MusiccatalogSearchJobInput | MusiccatalogTrackJobInput | MusicstreamAlbumJobInput | MusicstreamArtistJobInput | MusicstreamPlaylistJobInput | MusicstreamPodcastJobInput | MusicstreamSearchJobInput | MusicstreamTrackJobInput | PinboardProfileJobInput | PinboardPinsJobInput | PinboardPinJobInput | PinboardSearchJobInput | RetailSearchJobInput | RetailProductJobInput | RetailStoresJobInput | RetailAvailabilityJobInput | ShopAProductJobInput | ShopAPricingJobInput | ShopASearchJobInput | ShopWProductJobInput | ShortvideoProfileJobInput | ShortvideoVideosJobInput | ShortvideoVideoJobInput | ShortvideoCommentsJobInput | ShortvideoSearchJobInput | ShortvideoHashtagJobInput | SocialnetEventJobInput | SocialnetEventsSearchJobInput | SocialnetMarketplaceItemJobInput | SocialnetMarketplaceSearchJobInput | SocialnetPageJobInput | SocialnetPostsJobInput | SocialnetPhotosJobInput | SocialnetReelsJobInput | SocialnetPostJobInput | SocialnetGroupJobInput | SocialnetGroupPostsJobInput | SocialnetAdLibraryAdJobInput | SocialnetAdLibrarySearchAdsJobInput | SocialnetAdLibraryCompanyAdsJobInput | TechnewsFrontJobInput | TechnewsItemJobInput | TechnewsUserJobInput | TechnewsSearchJobInput | VehiclesSearchJobInput | VehiclesVehicleJobInput | VideoVideosJobInput | VideoSearchJobInput | VideoSubtitlesJobInput | VideoAltSearchJobInput | VideoAltChannelVideosJobInput | VideoAltVideoJobInput | LaunchesLeaderboardCrawlJobInput | ShopASearchCrawlJobInput | VideoSearchCrawlJobInput | HotelsRatesJobInput;

export type Table = {
  readonly caption: string | null;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

export type Target = string | {
  readonly css?: string;
  readonly xpath?: string;
  /** Part of the visible text of the element, case-insensitive */
  readonly text?: string;
  /** ARIA role; name narrows it to an accessible name */
  readonly role?: "alert" | "alertdialog" | "application" | "article" | "banner" | "blockquote" | "button" | "caption" | "cell" | "checkbox" | "code" | "columnheader" | "combobox" | "complementary" | "contentinfo" | "definition" | "deletion" | "dialog" | "directory" | "document" | "emphasis" | "feed" | "figure" | "form" | "generic" | "grid" | "gridcell" | "group" | "heading" | "img" | "insertion" | "link" | "list" | "listbox" | "listitem" | "log" | "main" | "marquee" | "math" | "menu" | "menubar" | "menuitem" | "menuitemcheckbox" | "menuitemradio" | "meter" | "navigation" | "none" | "note" | "option" | "paragraph" | "presentation" | "progressbar" | "radio" | "radiogroup" | "region" | "row" | "rowgroup" | "rowheader" | "scrollbar" | "search" | "searchbox" | "separator" | "slider" | "spinbutton" | "status" | "strong" | "subscript" | "superscript" | "switch" | "tab" | "table" | "tablist" | "tabpanel" | "term" | "textbox" | "time" | "timer" | "toolbar" | "tooltip" | "tree" | "treegrid" | "treeitem";
  readonly name?: string;
  /** Label of a field */
  readonly label?: string;
  readonly placeholder?: string;
  /** data-testid */
  readonly test_id?: string;
  /** Index among several matches, from 0 */
  readonly nth?: number;
  /** CSS selector of the frame that contains the element */
  readonly frame?: string;
};

export type TechnewsFrontInput = {
  /** List of the forum */
  readonly list?: "top" | "new" | "best" | "ask" | "show" | "job";
  /** Number of the page, with 30 stories each; cursor takes precedence */
  readonly page?: number;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of limit */
  readonly per_page?: number;
};

export type TechnewsFrontJobInput = {
  readonly kind: "technews.front";
  readonly input: TechnewsFrontInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type TechnewsFrontResult = {
  readonly provider: "technews";
  readonly items: readonly ({
    readonly id: string;
    readonly type: "story" | "comment" | "job" | "poll" | "pollopt";
    readonly title: string | null;
    /** Address of the item in the forum */
    readonly url: string;
    /** The link of a story */
    readonly link_url: string | null;
    readonly domain: string | null;
    readonly text_html: string | null;
    readonly text: string | null;
    readonly author: string | null;
    readonly score: number | null;
    /** Number of all comments on a story */
    readonly comment_count: number | null;
    readonly created_at: string | null;
    readonly parent_id: string | null;
    readonly story_id: string | null;
    readonly story_title: string | null;
    readonly is_dead: boolean | null;
    readonly is_deleted: boolean | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type TechnewsItemInput = {
  /** The number of a story, comment, job or poll */
  readonly id?: string;
  /** Address of the item */
  readonly url?: string;
  /** Maximum depth of replies; 0 for no comments */
  readonly depth?: number;
  /** Maximum number of comments */
  readonly comment_limit?: number;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type TechnewsItemJobInput = {
  readonly kind: "technews.item";
  readonly input: TechnewsItemInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type TechnewsItemResult = {
  readonly provider: "technews";
  readonly item: {
    readonly id: string;
    readonly type: "story" | "comment" | "job" | "poll" | "pollopt";
    readonly title: string | null;
    /** Address of the item in the forum */
    readonly url: string;
    /** The link of a story */
    readonly link_url: string | null;
    readonly domain: string | null;
    readonly text_html: string | null;
    readonly text: string | null;
    readonly author: string | null;
    readonly score: number | null;
    /** Number of all comments on a story */
    readonly comment_count: number | null;
    readonly created_at: string | null;
    readonly parent_id: string | null;
    readonly story_id: string | null;
    readonly story_title: string | null;
    readonly is_dead: boolean | null;
    readonly is_deleted: boolean | null;
  };
  /** In the order of the page; replies follow the comment to which they reply */
  readonly comments: readonly ({
    readonly id: string;
    readonly type: "story" | "comment" | "job" | "poll" | "pollopt";
    readonly title: string | null;
    /** Address of the item in the forum */
    readonly url: string;
    /** The link of a story */
    readonly link_url: string | null;
    readonly domain: string | null;
    readonly text_html: string | null;
    readonly text: string | null;
    readonly author: string | null;
    readonly score: number | null;
    /** Number of all comments on a story */
    readonly comment_count: number | null;
    readonly created_at: string | null;
    readonly parent_id: string | null;
    readonly story_id: string | null;
    readonly story_title: string | null;
    readonly is_dead: boolean | null;
    readonly is_deleted: boolean | null;
    /** 1 for a reply to the item itself */
    readonly depth: number;
  })[] | null;
  readonly comments_truncated: boolean | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type TechnewsSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** The order of the results */
  readonly sort?: "relevance" | "date";
  /** Type of results; by default all */
  readonly tags?: "story" | "comment" | "poll" | "job" | "ask_hn" | "show_hn" | "front_page";
  /** User name of the author */
  readonly author?: string;
  /** Number of the page, by limit; cursor takes precedence */
  readonly page?: number;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type TechnewsSearchJobInput = {
  readonly kind: "technews.search";
  readonly input: TechnewsSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type TechnewsSearchResult = {
  readonly provider: "technews";
  readonly results: readonly ({
    readonly id: string;
    readonly type: "story" | "comment" | "job" | "poll" | "pollopt";
    readonly title: string | null;
    /** Address of the item in the forum */
    readonly url: string;
    /** The link of a story */
    readonly link_url: string | null;
    readonly domain: string | null;
    readonly text_html: string | null;
    readonly text: string | null;
    readonly author: string | null;
    readonly score: number | null;
    /** Number of all comments on a story */
    readonly comment_count: number | null;
    readonly created_at: string | null;
    readonly parent_id: string | null;
    readonly story_id: string | null;
    readonly story_title: string | null;
    readonly is_dead: boolean | null;
    readonly is_deleted: boolean | null;
  })[];
  readonly total: number | null;
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type TechnewsUserInput = {
  /** The user name, which is case-sensitive */
  readonly username?: string;
  /** Address of the profile */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly id?: string;
  /** Alias of username */
  readonly login?: string;
};

export type TechnewsUserJobInput = {
  readonly kind: "technews.user";
  readonly input: TechnewsUserInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type TechnewsUserResult = {
  readonly provider: "technews";
  readonly user: {
    readonly username: string;
    readonly url: string;
    readonly karma: number | null;
    readonly created_at: string | null;
    readonly about_html: string | null;
    readonly about_text: string | null;
    /** Stories, comments and votes of polls */
    readonly submission_count: number | null;
    /** The newest 100 */
    readonly submission_ids: readonly string[] | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type TestWebhookInput = Readonly<Record<string, never>>;

export type TierState = {
  readonly available: boolean;
  readonly reason?: string;
};

export type TopUpTenantInput = {
  /** They expire at the end of the month */
  readonly credits: number;
};

export type TopUpTenantResult = {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly created_at: string;
  /** When it was suspended; null if it is not */
  readonly suspended_at: string | null;
  /** Credits of the current month; null if the plan sets no limit */
  readonly credits_granted: number | null;
  readonly credits_topped_up: number;
  readonly credits_used: number;
  /** Reserved by running calls */
  readonly credits_reserved: number;
  readonly credits_remaining: number | null;
  readonly daily_cap: number | null;
  readonly daily_used: number;
};

export type TriggerHotelAMonitorInput = Readonly<Record<string, never>>;

export type TriggerHotelAMonitorResult = {
  readonly id: string;
  readonly monitor_id: string;
  readonly trigger: "schedule" | "manual" | "create" | "catch_up";
  readonly status: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled" | "skipped";
  readonly skipped_reason?: "overlap" | "credits_exhausted" | "daily_cap" | "plan" | "backend_unavailable";
  readonly scheduled_for: string;
  readonly queued_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly attempt: number;
  /** For catch_up: number of missed ticks including this one */
  readonly missed_ticks?: number;
  readonly first_run: boolean;
  /** The comparison restarted because the watched target was changed */
  readonly baseline_reset?: boolean;
  /** Prices were not compared because what they include has changed */
  readonly rebased?: boolean;
  readonly changed: boolean;
  readonly change_id: string | null;
  /** Observed values by field */
  readonly values: Readonly<Record<string, unknown>>;
  readonly field_meta: Readonly<Record<string, {
    readonly source: string;
  }>>;
  readonly content_hash?: string | null;
  /** The rate of each channel, or why there is none */
  readonly channels?: readonly Readonly<Record<string, unknown>>[];
  /** Spread of the prices of the channels */
  readonly spread?: Spread | null;
  /** Why there is no spread */
  readonly reason?: "insufficient_channels" | "currency_mismatch";
  readonly warnings: readonly string[];
  readonly tier: string | null;
  readonly final_url: string | null;
  readonly http_status: number | null;
  /** Null for a run that did not complete, which is free */
  readonly usage: Usage | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly retryable: boolean;
    readonly blocked?: boolean;
    readonly timed_out?: boolean;
  } | null;
  readonly run_id: string;
} | {
  readonly run_id: string;
  readonly status: "queued" | "running";
  /** The run already existed */
  readonly deduped?: true;
};

export type TriggerHotelBMonitorInput = Readonly<Record<string, never>>;

export type TriggerHotelBMonitorResult = {
  readonly id: string;
  readonly monitor_id: string;
  readonly trigger: "schedule" | "manual" | "create" | "catch_up";
  readonly status: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled" | "skipped";
  readonly skipped_reason?: "overlap" | "credits_exhausted" | "daily_cap" | "plan" | "backend_unavailable";
  readonly scheduled_for: string;
  readonly queued_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly attempt: number;
  /** For catch_up: number of missed ticks including this one */
  readonly missed_ticks?: number;
  readonly first_run: boolean;
  /** The comparison restarted because the watched target was changed */
  readonly baseline_reset?: boolean;
  /** Prices were not compared because what they include has changed */
  readonly rebased?: boolean;
  readonly changed: boolean;
  readonly change_id: string | null;
  /** Observed values by field */
  readonly values: Readonly<Record<string, unknown>>;
  readonly field_meta: Readonly<Record<string, {
    readonly source: string;
  }>>;
  readonly content_hash?: string | null;
  /** The rate of each channel, or why there is none */
  readonly channels?: readonly Readonly<Record<string, unknown>>[];
  /** Spread of the prices of the channels */
  readonly spread?: Spread | null;
  /** Why there is no spread */
  readonly reason?: "insufficient_channels" | "currency_mismatch";
  readonly warnings: readonly string[];
  readonly tier: string | null;
  readonly final_url: string | null;
  readonly http_status: number | null;
  /** Null for a run that did not complete, which is free */
  readonly usage: Usage | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly retryable: boolean;
    readonly blocked?: boolean;
    readonly timed_out?: boolean;
  } | null;
  readonly run_id: string;
} | {
  readonly run_id: string;
  readonly status: "queued" | "running";
  /** The run already existed */
  readonly deduped?: true;
};

export type TriggerLaunchMonitorInput = Readonly<Record<string, never>>;

export type TriggerLaunchMonitorResult = {
  readonly run_id: string;
  readonly status: "queued" | "running";
  /** The run already existed */
  readonly deduped?: true;
};

export type TriggerMonitorInput = Readonly<Record<string, never>>;

export type TriggerMonitorResult = {
  readonly run_id: string;
  readonly status: "queued" | "running";
  /** The run already existed */
  readonly deduped?: true;
};

export type UpdateHotelAMonitorInput = {
  /** Day of arrival, in the time zone of the property */
  readonly check_in?: string;
  /** Day of departure, 1 to 30 nights later */
  readonly check_out?: string;
  /** Number of adults */
  readonly adults?: number;
  /** The age of each child, or the number of children if their ages are unknown */
  readonly children?: readonly number[] | number;
  /** Number of rooms, at most one per adult */
  readonly rooms?: number;
  /** ISO 4217 code; by default the currency of the property */
  readonly currency?: string;
  /** Display name; default host and path of the page */
  readonly name?: string;
  /** Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered */
  readonly cron?: string | null;
  /** Time zone of cron */
  readonly timezone?: string;
  /** Whether its schedule is active */
  readonly active?: boolean;
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** How much the prices of the channels may differ */
    readonly parity_threshold?: {
      /** Reached by a change of at least this much */
      readonly abs?: number;
      /** Reached by a change of at least this share of the earlier value, in % */
      readonly pct?: number;
    };
    readonly digest?: {
      /** Minutes between two digests */
      readonly interval_minutes: number;
      /** Time of day from which the windows are counted, in the time zone of the monitor */
      readonly at?: string;
    } | null;
    /** Report the values of the first completed run as a change */
    readonly notify_on_first_run?: boolean;
    /** Compare with the value last reported, or with that of the run before */
    readonly baseline?: "last_change" | "previous_run";
    /** Runs in a row without a result, failed or skipped, after which monitor.failing is sent; default 3 */
    readonly failing_after?: number;
  };
  /** null removes it */
  readonly webhook?: string | {
    /** URL that receives events; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** Signing secret; generated and shown once if omitted */
    readonly secret?: string;
    /** Sent with each event, such as authorization; stored encrypted and masked in responses */
    readonly headers?: Readonly<Record<string, string>>;
    /** Events to send; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type UpdateHotelBMonitorInput = {
  /** Day of arrival, in the time zone of the property */
  readonly check_in?: string;
  /** Day of departure, 1 to 30 nights later */
  readonly check_out?: string;
  /** Number of adults */
  readonly adults?: number;
  /** The age of each child, or the number of children if their ages are unknown */
  readonly children?: readonly number[] | number;
  /** Number of rooms, at most one per adult */
  readonly rooms?: number;
  /** ISO 4217 code; by default the currency of the property */
  readonly currency?: string;
  /** Display name; default host and path of the page */
  readonly name?: string;
  /** Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered */
  readonly cron?: string | null;
  /** Time zone of cron */
  readonly timezone?: string;
  /** Whether its schedule is active */
  readonly active?: boolean;
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** How much the prices of the channels may differ */
    readonly parity_threshold?: {
      /** Reached by a change of at least this much */
      readonly abs?: number;
      /** Reached by a change of at least this share of the earlier value, in % */
      readonly pct?: number;
    };
    readonly digest?: {
      /** Minutes between two digests */
      readonly interval_minutes: number;
      /** Time of day from which the windows are counted, in the time zone of the monitor */
      readonly at?: string;
    } | null;
    /** Report the values of the first completed run as a change */
    readonly notify_on_first_run?: boolean;
    /** Compare with the value last reported, or with that of the run before */
    readonly baseline?: "last_change" | "previous_run";
    /** Runs in a row without a result, failed or skipped, after which monitor.failing is sent; default 3 */
    readonly failing_after?: number;
  };
  /** null removes it */
  readonly webhook?: string | {
    /** URL that receives events; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** Signing secret; generated and shown once if omitted */
    readonly secret?: string;
    /** Sent with each event, such as authorization; stored encrypted and masked in responses */
    readonly headers?: Readonly<Record<string, string>>;
    /** Events to send; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type UpdateLaunchMonitorInput = {
  /** Display name; default host and path of the page */
  readonly name?: string;
  /** Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered */
  readonly cron?: string | null;
  /** Time zone of cron */
  readonly timezone?: string;
  /** Whether its schedule is active */
  readonly active?: boolean;
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** Report the values of the first completed run as a change */
    readonly notify_on_first_run?: boolean;
    readonly digest?: {
      /** Minutes between two digests */
      readonly interval_minutes: number;
      /** Time of day from which the windows are counted, in the time zone of the monitor */
      readonly at?: string;
    } | null;
    /** Runs in a row without a result, failed or skipped, after which monitor.failing is sent; default 3 */
    readonly failing_after?: number;
  };
  /** null removes it */
  readonly webhook?: string | {
    /** URL that receives events; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** Signing secret; generated and shown once if omitted */
    readonly secret?: string;
    /** Sent with each event, such as authorization; stored encrypted and masked in responses */
    readonly headers?: Readonly<Record<string, string>>;
    /** Events to send; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type UpdateMonitorInput = {
  /** Display name; default host and path of the page */
  readonly name?: string;
  /** The http or https page to watch */
  readonly url?: string;
  /** The values to watch, as in fetch; at most 50 */
  readonly extract?: {
    /** Named values: `"name": "type"`, `"name": "type[]"`, or the long form. */
    readonly fields?: Readonly<Record<string, "string" | "integer" | "number" | "boolean" | "money" | "date" | "datetime" | "url" | "html" | "string[]" | "integer[]" | "number[]" | "boolean[]" | "money[]" | "date[]" | "datetime[]" | "url[]" | "html[]" | {
      /** CSS selector of the elements that hold the value */
      readonly selector?: string;
      /** XPath of the nodes or attributes that hold the value */
      readonly xpath?: string;
      /** JSONPath into a JSON page or the JSON embedded in a page */
      readonly json_path?: string;
      /** RE2 expression over the text; the first group is the value */
      readonly regex?: string;
      /** Attribute of the selected element to read instead of its text */
      readonly attribute?: string;
      readonly type?: "string" | "integer" | "number" | "boolean" | "money" | "date" | "datetime" | "url" | "html" | "string[]" | "integer[]" | "number[]" | "boolean[]" | "money[]" | "date[]" | "datetime[]" | "url[]" | "html[]";
      /** All matches, as an array */
      readonly many?: boolean;
      /** Members of an object; each one is a field */
      readonly fields?: Readonly<Record<string, unknown>>;
      /** The member that identifies a row; requires `fields` and `many` */
      readonly key?: string;
      /** Words to search for if the field has no selector */
      readonly description?: string;
      readonly currency?: string;
      readonly locale?: string;
    }>>;
    /** A JSON Schema of type object: local references only, at most 16 levels and 200 properties, RE2 patterns. */
    readonly schema?: Readonly<Record<string, unknown>>;
    readonly [name: string]: unknown;
  };
  /** An operation to watch instead of url and extract */
  readonly target?: {
    /** Id of a priced operation, such as fetch */
    readonly operation: string;
    /** Input of the operation */
    readonly input: Readonly<Record<string, unknown>>;
  };
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** The compared fields; a name stands for all its members */
    readonly fields?: readonly string[];
    /** Whether one changed field is enough, or all must have changed */
    readonly on?: "any" | "all";
    /** Compare fields, or the text of the page */
    readonly mode?: "fields" | "content";
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** How arrays are compared, by field */
    readonly array_fields?: Readonly<Record<string, {
      /** Whether order counts, or rows are identified by a key; default by type */
      readonly compare?: "set" | "list" | "keyed";
      /** The member that identifies a row */
      readonly key?: string;
      /** The compared members of rows; default all */
      readonly fields?: readonly string[];
    }>>;
    /** The watched content in mode content; default the Markdown of the page */
    readonly content?: {
      /** The watched content of the page */
      readonly of?: "markdown" | "text" | "html" | "selector";
      /** CSS selector of the watched parts, compared as text */
      readonly selector?: string;
      /** CSS selectors of parts left out */
      readonly ignore_selectors?: readonly string[];
    };
    /** RE2 expressions; their matches in texts are not compared */
    readonly ignore_patterns?: readonly string[];
    readonly digest?: {
      /** Minutes between two digests */
      readonly interval_minutes: number;
      /** Time of day from which the windows are counted, in the time zone of the monitor */
      readonly at?: string;
    } | null;
    /** Report the values of the first completed run as a change */
    readonly notify_on_first_run?: boolean;
    /** Compare with the value last reported, or with that of the run before */
    readonly baseline?: "last_change" | "previous_run";
    /** Completed runs in a row that must see a new value before it is reported */
    readonly confirm_runs?: number;
    /** A value that disappears or appears: reported after at least two runs, like any change, or never */
    readonly null_policy?: "confirm" | "change" | "ignore";
    /** Runs in a row without a result, failed or skipped, after which monitor.failing is sent; default 3 */
    readonly failing_after?: number;
  };
  /** Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered */
  readonly cron?: string | null;
  /** Time zone of cron */
  readonly timezone?: string;
  /** Whether its schedule is active */
  readonly active?: boolean;
  /** How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Time limit of one visit in ms, as in fetch */
  readonly timeout_ms?: number;
  /** Returned in webhooks */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** null removes it */
  readonly webhook?: string | {
    /** URL that receives events; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** Signing secret; generated and shown once if omitted */
    readonly secret?: string;
    /** Sent with each event, such as authorization; stored encrypted and masked in responses */
    readonly headers?: Readonly<Record<string, string>>;
    /** Events to send; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type UpdateTenantInput = {
  /** Name of a plan; GET /v1/admin/plans lists them */
  readonly plan?: string;
  /** Display name */
  readonly name?: string;
  /** true: everything but reading fails with tenant_suspended, and jobs and monitors are paused; false: resumed */
  readonly suspended?: boolean;
};

export type UpdateTenantResult = {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly created_at: string;
  /** When it was suspended; null if it is not */
  readonly suspended_at: string | null;
  /** Credits of the current month; null if the plan sets no limit */
  readonly credits_granted: number | null;
  readonly credits_topped_up: number;
  readonly credits_used: number;
  /** Reserved by running calls */
  readonly credits_reserved: number;
  readonly credits_remaining: number | null;
  readonly daily_cap: number | null;
  readonly daily_used: number;
};

export type Usage = {
  readonly credits: number;
  readonly base: number;
  readonly surcharge: number;
  /** The tier that served it; for several pages the most expensive one */
  readonly tier: "cache" | "http" | "browser" | "proxy" | "proxy_browser";
  /** Pages by tier, if there are several */
  readonly tiers?: Readonly<Record<string, number>>;
};

export type UsageRow = {
  /** Null if rows are grouped by operation */
  readonly date: string | null;
  /** Null if rows are grouped by day */
  readonly operation: string | null;
  readonly calls: number;
  readonly credits: number;
};

export type UsageRowList = {
  readonly data: readonly UsageRow[];
  readonly next_cursor: string | null;
};

export type VehiclesSearchInput = {
  /** Make, such as volkswagen or mercedes-benz */
  readonly make?: string;
  /** Model, such as golf; requires make */
  readonly model?: string;
  /** Words of the version, such as gti; requires make */
  readonly search?: string;
  /** Country of the offer; by default all */
  readonly country?: "DE" | "AT" | "BE" | "ES" | "FR" | "IT" | "LU" | "NL";
  /** Postal code of the place to search around */
  readonly zip?: string;
  /** Kilometres around zip */
  readonly radius?: number;
  /** Minimum price */
  readonly price_min?: number;
  /** Maximum price */
  readonly price_max?: number;
  /** Earliest year of registration */
  readonly year_min?: number;
  /** Latest year of registration */
  readonly year_max?: number;
  /** Maximum mileage in kilometres */
  readonly mileage_max?: number;
  /** Fuel */
  readonly fuel?: "gasoline" | "diesel" | "electric" | "hybrid" | "diesel_hybrid" | "lpg" | "cng" | "hydrogen" | "ethanol" | "other";
  /** Transmission */
  readonly transmission?: "automatic" | "manual" | "semi_automatic";
  /** Condition */
  readonly condition?: "new" | "used";
  /** The order of the offers */
  readonly sort?: "standard" | "price_asc" | "price_desc" | "mileage_asc" | "mileage_desc" | "year_asc" | "year_desc" | "newest";
  /** Number of the result page */
  readonly page?: number;
  /** Address of a result page, instead of all other parameters but page */
  readonly url?: string;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
  /** Alias of country */
  readonly geo?: "DE" | "AT" | "BE" | "ES" | "FR" | "IT" | "LU" | "NL";
};

export type VehiclesSearchJobInput = {
  readonly kind: "vehicles.search";
  readonly input: VehiclesSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type VehiclesSearchResult = {
  readonly provider: "vehicles";
  readonly results: readonly ({
    readonly id: string;
    readonly url: string;
    readonly title: string;
    readonly make: string | null;
    readonly model: string | null;
    readonly variant: string | null;
    readonly year: number | null;
    /** A month: 2012-05 */
    readonly first_registration: string | null;
    readonly mileage: {
      readonly value: number | null;
      readonly unit: "km" | "mi";
    } | null;
    readonly price: {
      readonly amount: number | null;
      readonly currency: string | null;
      readonly text: string | null;
    };
    readonly condition: "new" | "used" | "demonstration" | "pre_registered" | "employee" | "classic" | "antique" | null;
    readonly body: string | null;
    readonly fuel: string | null;
    readonly transmission: string | null;
    readonly power_kw: number | null;
    readonly power_hp: number | null;
    readonly doors: number | null;
    readonly seats: number | null;
    readonly color: string | null;
    readonly vin: string | null;
    readonly images: readonly string[];
    readonly seller: {
      readonly type: "dealer" | "private" | null;
      /** Name of the dealer; null for a private seller */
      readonly name: string | null;
      readonly rating: number | null;
      readonly location: string | null;
    };
    readonly location: {
      readonly zip: string | null;
      readonly city: string | null;
      readonly country: string | null;
      readonly latitude: number | null;
      readonly longitude: number | null;
    };
    /** Null in search results: only the page of the vehicle has them */
    readonly features: readonly string[] | null;
    readonly description_html: string | null;
    readonly description_text: string | null;
    readonly listed_at: string | null;
    readonly is_sponsored: boolean | null;
  })[];
  readonly total_results: number | null;
  readonly page: number | null;
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type VehiclesVehicleInput = {
  /** The id of the offer, or its address; takes precedence over url */
  readonly id?: string;
  /** Address of the offer */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type VehiclesVehicleJobInput = {
  readonly kind: "vehicles.vehicle";
  readonly input: VehiclesVehicleInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type VehiclesVehicleResult = {
  readonly provider: "vehicles";
  readonly vehicle: {
    readonly id: string;
    readonly url: string;
    readonly title: string;
    readonly make: string | null;
    readonly model: string | null;
    readonly variant: string | null;
    readonly year: number | null;
    /** A month: 2012-05 */
    readonly first_registration: string | null;
    readonly mileage: {
      readonly value: number | null;
      readonly unit: "km" | "mi";
    } | null;
    readonly price: {
      readonly amount: number | null;
      readonly currency: string | null;
      readonly text: string | null;
    };
    readonly condition: "new" | "used" | "demonstration" | "pre_registered" | "employee" | "classic" | "antique" | null;
    readonly body: string | null;
    readonly fuel: string | null;
    readonly transmission: string | null;
    readonly power_kw: number | null;
    readonly power_hp: number | null;
    readonly doors: number | null;
    readonly seats: number | null;
    readonly color: string | null;
    readonly vin: string | null;
    readonly images: readonly string[];
    readonly seller: {
      readonly type: "dealer" | "private" | null;
      /** Name of the dealer; null for a private seller */
      readonly name: string | null;
      readonly rating: number | null;
      readonly location: string | null;
    };
    readonly location: {
      readonly zip: string | null;
      readonly city: string | null;
      readonly country: string | null;
      readonly latitude: number | null;
      readonly longitude: number | null;
    };
    /** Null in search results: only the page of the vehicle has them */
    readonly features: readonly string[] | null;
    readonly description_html: string | null;
    readonly description_text: string | null;
    readonly listed_at: string | null;
    readonly is_sponsored: boolean | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type VideoAltChannelVideosInput = {
  /** Name in the address, also as @name, c/name or user/name; takes precedence over url */
  readonly channel?: string;
  /** Address of the channel */
  readonly url?: string;
  /** List of the channel */
  readonly type?: "video" | "short" | "livestream" | "all";
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
};

export type VideoAltChannelVideosJobInput = {
  readonly kind: "video-alt.channel.videos";
  readonly input: VideoAltChannelVideosInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type VideoAltChannelVideosResult = {
  readonly provider: "video-alt";
  readonly channel: {
    readonly slug: string;
    readonly name: string | null;
    readonly url: string;
    readonly verified: boolean | null;
    readonly follower_count: number | null;
    readonly follower_count_text: string | null;
    readonly avatar_url: string | null;
    readonly banner_url: string | null;
    readonly description: string | null;
  };
  readonly videos: readonly ({
    readonly type: "video" | "short";
    /** The part of its address before the title */
    readonly id: string;
    readonly url: string;
    readonly title: string;
    readonly channel: {
      readonly slug: string;
      readonly name: string | null;
      readonly url: string;
      readonly verified: boolean | null;
    } | null;
    readonly thumbnail_url: string | null;
    readonly duration_ms: number | null;
    readonly duration_text: string | null;
    readonly view_count: number | null;
    readonly like_count: number | null;
    readonly dislike_count: number | null;
    readonly comment_count: number | null;
    readonly published_at: string | null;
    readonly published_text: string | null;
    readonly is_live: boolean | null;
    readonly earned_amount: number | null;
    /** Whether one of the counts is rounded */
    readonly counts_approximate: boolean;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type VideoAltSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** Type of results; others are removed from each page */
  readonly type?: "video" | "short" | "all";
  /** The order of the videos */
  readonly sort?: "relevance" | "newest" | "views";
  /** Maximum age */
  readonly date?: "today" | "week" | "month" | "year";
  /** Only videos of this length */
  readonly duration?: "short" | "long";
  /** Only videos that can be licensed immediately */
  readonly license?: "now";
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
  /** Alias of sort */
  readonly sort_by?: "relevance" | "newest" | "views";
};

export type VideoAltSearchJobInput = {
  readonly kind: "video-alt.search";
  readonly input: VideoAltSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type VideoAltSearchResult = {
  readonly provider: "video-alt";
  readonly results: readonly ({
    readonly type: "video" | "short";
    /** The part of its address before the title */
    readonly id: string;
    readonly url: string;
    readonly title: string;
    readonly channel: {
      readonly slug: string;
      readonly name: string | null;
      readonly url: string;
      readonly verified: boolean | null;
    } | null;
    readonly thumbnail_url: string | null;
    readonly duration_ms: number | null;
    readonly duration_text: string | null;
    readonly view_count: number | null;
    readonly like_count: number | null;
    readonly dislike_count: number | null;
    readonly comment_count: number | null;
    readonly published_at: string | null;
    readonly published_text: string | null;
    readonly is_live: boolean | null;
    readonly earned_amount: number | null;
    /** Whether one of the counts is rounded */
    readonly counts_approximate: boolean;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type VideoAltVideoInput = {
  /** Address of a video, a short or an embedded player, or the id of a video */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of url */
  readonly id?: string;
};

export type VideoAltVideoJobInput = {
  readonly kind: "video-alt.video";
  readonly input: VideoAltVideoInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type VideoAltVideoResult = {
  readonly provider: "video-alt";
  readonly video: {
    readonly type: "video" | "short";
    /** The part of its address before the title */
    readonly id: string;
    readonly url: string;
    readonly title: string;
    readonly channel: {
      readonly slug: string;
      readonly name: string | null;
      readonly url: string;
      readonly verified: boolean | null;
    } | null;
    readonly thumbnail_url: string | null;
    readonly duration_ms: number | null;
    readonly duration_text: string | null;
    readonly view_count: number | null;
    readonly like_count: number | null;
    readonly dislike_count: number | null;
    readonly comment_count: number | null;
    readonly published_at: string | null;
    readonly published_text: string | null;
    readonly is_live: boolean | null;
    readonly earned_amount: number | null;
    /** Whether one of the counts is rounded */
    readonly counts_approximate: boolean;
    readonly embed_id: string | null;
    readonly embed_url: string | null;
    readonly video_numeric_id: string | null;
    readonly description_html: string | null;
    readonly description_text: string | null;
    readonly category: string | null;
    readonly tags: readonly string[] | null;
    readonly uploaded_at: string | null;
    readonly width: number | null;
    readonly height: number | null;
    readonly quality_text: string | null;
    readonly license: string | null;
    readonly subtitles: readonly ({
      readonly language_code: string;
      readonly name: string | null;
      readonly url: string;
    })[] | null;
    readonly live: {
      readonly status: "live" | "upcoming" | "ended";
      readonly viewers: number | null;
      readonly scheduled_at: string | null;
    } | null;
    /** Whether the player has streams */
    readonly streams_available: boolean | null;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type VideoSearchCrawlInput = {
  /** Only videos in 360 degrees */
  readonly '360'?: boolean;
  /** Words to search for */
  readonly search?: string;
  /** Type of results */
  readonly type?: "video" | "channel" | "playlist" | "short" | "all";
  /** Maximum age */
  readonly upload_date?: "today" | "week" | "month" | "year";
  /** short: under 3 minutes; medium: 3 to 20 minutes; long: over 20 minutes */
  readonly duration?: "short" | "medium" | "long";
  /** The site sorts by relevance and popularity; by upload_date each page is sorted by itself, rating is not available */
  readonly sort_by?: "relevance" | "popularity" | "upload_date" | "rating";
  /** Only live videos */
  readonly live?: boolean;
  /** Only high definition */
  readonly hd?: boolean;
  /** Only 4K */
  readonly '4k'?: boolean;
  /** Only HDR */
  readonly hdr?: boolean;
  /** Only VR180 */
  readonly vr180?: boolean;
  /** Only 3D */
  readonly '3d'?: boolean;
  /** Only videos with subtitles */
  readonly subtitles?: boolean;
  /** Only videos under a Creative Commons licence */
  readonly creative_commons?: boolean;
  /** Only videos with a location */
  readonly location?: boolean;
  /** Only purchased videos */
  readonly purchased?: boolean;
  /** Country of the viewer, ISO 3166-1 code */
  readonly country?: string;
  /** Language of texts, BCP 47 */
  readonly language?: string;
  /** Most elements to return */
  readonly max_results?: number;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
  /** Alias of country */
  readonly geo?: string;
  /** Alias of language */
  readonly locale?: string;
};

export type VideoSearchCrawlJobInput = {
  readonly kind: "video.search.crawl";
  readonly input: VideoSearchCrawlInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type VideoSearchCrawlResult = {
  readonly provider: "video";
  readonly results: readonly ({
    readonly type: "video" | "short" | "channel" | "playlist";
    readonly id: string;
    readonly url: string;
    readonly title: string;
    readonly description: string | null;
    readonly thumbnails: readonly ({
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[];
    readonly channel: {
      readonly id: string | null;
      readonly name: string | null;
      readonly handle: string | null;
      readonly url: string | null;
      readonly verified: boolean | null;
    } | null;
    readonly duration_ms: number | null;
    readonly duration_text: string | null;
    readonly view_count: number | null;
    readonly view_count_text: string | null;
    readonly published_text: string | null;
    readonly published_at: string | null;
    readonly is_live: boolean | null;
    readonly is_upcoming: boolean | null;
    readonly badges: readonly string[];
    /** Only of a channel */
    readonly subscriber_count: number | null;
    /** Only of a channel or a playlist */
    readonly video_count: number | null;
    readonly counts_approximate: boolean;
  })[];
  /** The corrected words for which the site searched instead */
  readonly corrected_query: string | null;
  readonly estimated_results: number | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
  /** Number of site pages read for results */
  readonly pages_fetched: number;
  /** Whether the list of the site may have more elements */
  readonly truncated: boolean;
  /** Whether the list of the site was read to its end */
  readonly exhausted: boolean;
  readonly stop_reason: "exhausted" | "max_results" | "max_pages" | "max_credits" | "credits_exhausted" | "daily_cap" | "failed" | "timeout" | "cancelled" | "interrupted";
};

export type VideoSearchInput = {
  /** Only videos in 360 degrees */
  readonly '360'?: boolean;
  /** Words to search for */
  readonly search?: string;
  /** Type of results */
  readonly type?: "video" | "channel" | "playlist" | "short" | "all";
  /** Maximum age */
  readonly upload_date?: "today" | "week" | "month" | "year";
  /** short: under 3 minutes; medium: 3 to 20 minutes; long: over 20 minutes */
  readonly duration?: "short" | "medium" | "long";
  /** The site sorts by relevance and popularity; by upload_date each page is sorted by itself, rating is not available */
  readonly sort_by?: "relevance" | "popularity" | "upload_date" | "rating";
  /** Only live videos */
  readonly live?: boolean;
  /** Only high definition */
  readonly hd?: boolean;
  /** Only 4K */
  readonly '4k'?: boolean;
  /** Only HDR */
  readonly hdr?: boolean;
  /** Only VR180 */
  readonly vr180?: boolean;
  /** Only 3D */
  readonly '3d'?: boolean;
  /** Only videos with subtitles */
  readonly subtitles?: boolean;
  /** Only videos under a Creative Commons licence */
  readonly creative_commons?: boolean;
  /** Only videos with a location */
  readonly location?: boolean;
  /** Only purchased videos */
  readonly purchased?: boolean;
  /** Country of the viewer, ISO 3166-1 code */
  readonly country?: string;
  /** Language of texts, BCP 47 */
  readonly language?: string;
  /** Most elements to return */
  readonly limit?: number;
  /** next_cursor of the previous response, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly query?: string;
  /** Alias of search */
  readonly keyword?: string;
  /** Alias of search */
  readonly keywords?: string;
  /** Alias of country */
  readonly geo?: string;
  /** Alias of language */
  readonly locale?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type VideoSearchJobInput = {
  readonly kind: "video.search";
  readonly input: VideoSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type VideoSearchResult = {
  readonly provider: "video";
  readonly results: readonly ({
    readonly type: "video" | "short" | "channel" | "playlist";
    readonly id: string;
    readonly url: string;
    readonly title: string;
    readonly description: string | null;
    readonly thumbnails: readonly ({
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[];
    readonly channel: {
      readonly id: string | null;
      readonly name: string | null;
      readonly handle: string | null;
      readonly url: string | null;
      readonly verified: boolean | null;
    } | null;
    readonly duration_ms: number | null;
    readonly duration_text: string | null;
    readonly view_count: number | null;
    readonly view_count_text: string | null;
    readonly published_text: string | null;
    readonly published_at: string | null;
    readonly is_live: boolean | null;
    readonly is_upcoming: boolean | null;
    readonly badges: readonly string[];
    /** Only of a channel */
    readonly subscriber_count: number | null;
    /** Only of a channel or a playlist */
    readonly video_count: number | null;
    readonly counts_approximate: boolean;
  })[];
  /** The corrected words for which the site searched instead */
  readonly corrected_query: string | null;
  readonly estimated_results: number | null;
  /** Null at the end */
  readonly next_cursor: string | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type VideoSubtitlesInput = {
  /** Id of eleven characters, or the address of the video */
  readonly video_id?: string;
  /** Language of the subtitles, BCP 47; otherwise the first of the uploader, else those made by the site */
  readonly language?: string;
  /** Origin of the subtitles; any prefers those of the uploader */
  readonly origin?: "uploader_provided" | "auto_generated" | "any";
  /** Language to translate them to, by the site */
  readonly translate_to?: string;
  /** Format in addition to the plain text: segments with their times, none, or a subtitle file */
  readonly format?: "segments" | "text" | "srt" | "vtt";
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of video_id */
  readonly id?: string;
  /** Alias of video_id */
  readonly url?: string;
  /** Alias of language */
  readonly language_code?: string;
  /** Alias of language */
  readonly lang?: string;
  /** Alias of origin */
  readonly subtitle_origin?: "uploader_provided" | "auto_generated" | "any";
};

export type VideoSubtitlesJobInput = {
  readonly kind: "video.subtitles";
  readonly input: VideoSubtitlesInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type VideoSubtitlesResult = {
  readonly provider: "video";
  readonly video_id: string;
  readonly language_code: string;
  readonly language_name: string | null;
  readonly origin: "uploader_provided" | "auto_generated";
  readonly is_translated: boolean;
  readonly format: "segments" | "text" | "srt" | "vtt";
  /** Only for format=segments, else null */
  readonly segments: readonly ({
    readonly start_ms: number;
    readonly duration_ms: number | null;
    readonly text: string;
  })[] | null;
  /** The whole text, one line per segment */
  readonly text: string;
  /** The subtitle file for format=srt and format=vtt, else null */
  readonly content: string | null;
  /** All subtitles of the video */
  readonly available: readonly ({
    readonly language_code: string;
    readonly language_name: string | null;
    readonly origin: "uploader_provided" | "auto_generated";
    readonly is_translatable: boolean | null;
  })[] | null;
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type VideoVideosInput = {
  /** Id of eleven characters, or the address of the video */
  readonly video_id: string;
  /** Country of the viewer, ISO 3166-1 code */
  readonly country?: string;
  /** Language of texts, BCP 47 */
  readonly language?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of country */
  readonly geo?: string;
  /** Alias of language */
  readonly locale?: string;
};

export type VideoVideosJobInput = {
  readonly kind: "video.videos";
  readonly input: VideoVideosInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type VideoVideosResult = {
  readonly provider: "video";
  readonly video: {
    readonly id: string;
    readonly url: string;
    readonly title: string;
    readonly description: string | null;
    readonly channel: {
      readonly id: string | null;
      readonly name: string | null;
      readonly handle: string | null;
      readonly url: string | null;
      readonly avatar_url: string | null;
      readonly subscriber_count: number | null;
      readonly subscriber_count_text: string | null;
      readonly verified: boolean | null;
    };
    readonly published_at: string | null;
    readonly uploaded_at: string | null;
    readonly duration_ms: number | null;
    readonly view_count: number | null;
    readonly like_count: number | null;
    readonly comment_count: number | null;
    readonly category: string | null;
    readonly tags: readonly string[] | null;
    readonly thumbnails: readonly ({
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[] | null;
    readonly is_live: boolean | null;
    readonly is_live_content: boolean | null;
    readonly live: {
      readonly started_at: string | null;
      readonly ended_at: string | null;
      readonly scheduled_at: string | null;
    } | null;
    readonly is_unlisted: boolean | null;
    readonly is_family_safe: boolean | null;
    readonly is_short: boolean | null;
    readonly available_countries: readonly string[] | null;
    readonly license: string | null;
    readonly chapters: readonly {
      readonly title: string;
      readonly start_ms: number;
    }[] | null;
    readonly subtitles: readonly ({
      readonly language_code: string;
      readonly name: string | null;
      readonly origin: "uploader_provided" | "auto_generated";
    })[] | null;
    readonly embeddable: boolean | null;
    readonly availability: "public" | "unlisted" | "members_only" | "paid" | "age_restricted" | "region_locked" | "upcoming" | null;
    readonly counts_approximate: boolean;
    /** The part of the site from which it was read */
    readonly data_source: string;
  };
  /** URL of the source page */
  readonly source_url: string;
  /** When the page was fetched, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether parts of the full record are missing; see warnings */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type Warning = {
  readonly code: "charset_guessed" | "content_reduced" | "fields_not_found" | "frames_left_out" | "left_out" | "login_form" | "login_page" | "model_not_configured" | "refusal_page" | "selectors_ignored" | "sources_disagree" | "thin_content" | "truncated" | "auth_required" | "deprecated" | "geo_or_legal" | "input_adjusted" | "hash_routes" | "links_not_followed" | "loop" | "model_refused" | "partial" | "partial_ladder" | "pattern_unmatched" | "redirected_home" | "scope_left" | "target_error" | "tier_unavailable" | "time_limited" | "tls_downgrade";
  readonly message: string;
};

export type WatchingMonitor = {
  readonly id: string;
  readonly name: string;
  readonly kind: "generic" | "hotel" | "hotel_channels" | "launch";
  /** Site of a hotel monitor that watches a single site */
  readonly provider?: string;
  readonly url?: string;
};

export type Webhook = {
  /** Query values are masked */
  readonly url: string;
  readonly secret_set: true;
  /** Only in the response that created it */
  readonly secret?: string;
  /** failing: the last attempt failed; disabled: it answered 410, or failed for 5 days; changing it enables it again */
  readonly status: "active" | "failing" | "disabled";
  /** Header names; the values are masked */
  readonly headers?: Readonly<Record<string, string>>;
  /** null for all, but not crawl.started and crawl.page */
  readonly events: readonly string[] | null;
  readonly page_outputs?: boolean;
  readonly pages_per_event?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly format?: string;
};

export type WebhookTestEvent = {
  /** Equals webhook-id; the same for every attempt */
  readonly id: string;
  readonly type: "webhook.test";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly monitor_id: string;
  /** The body was too long: lists and texts in data are truncated */
  readonly truncated?: true;
  /** If truncated: path of the complete record */
  readonly url?: string;
  readonly data: {
    readonly message: string;
  };
};

export type WebsearchResult = {
  /** Position in its list, counted over all pages */
  readonly position: number;
  /** Position among organic and paid results together */
  readonly position_overall: number;
  readonly title: string;
  readonly description: string;
  readonly url: string;
  /** URL as the engine displays it */
  readonly url_shown: string;
};

export type WebsearchSearchInput = {
  /** Search query; engines get the first 2,000 characters, or fewer if these take more than 4,000 when URL-encoded */
  readonly search?: string;
  /** Country to search from: ISO 3166-1 code, English name, or a place that ends with its country */
  readonly geo?: string;
  /** Language of the interface: a tag such as de or pt-BR, or a name such as German */
  readonly locale?: string;
  /** Top-level domain of the engine: com, de, co.uk, or google.com */
  readonly domain?: string;
  /** First page of results */
  readonly page?: number;
  /** Number of pages; each costs the price of one */
  readonly pages?: number;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Maximum age of cached pages in ms; 0 always fetches */
  readonly max_age_ms?: number;
  /** Alias of search */
  readonly q?: string;
  /** Alias of search */
  readonly query?: string;
  /** Alias of geo */
  readonly country?: string;
  /** Alias of geo */
  readonly geo_location?: string;
  /** Alias of geo */
  readonly location?: string;
  /** Alias of geo */
  readonly gl?: string;
  /** Alias of locale */
  readonly language?: string;
  /** Alias of locale */
  readonly lang?: string;
  /** Alias of locale */
  readonly hl?: string;
  /** Alias of locale */
  readonly interface_language?: string;
  /** Alias of domain */
  readonly tld?: string;
  /** Alias of domain */
  readonly google_domain?: string;
  /** Alias of page */
  readonly start_page?: number;
  /** Alias of page */
  readonly start?: number;
  /** Alias of pages */
  readonly num_pages?: number;
  /** Alias of pages */
  readonly page_count?: number;
};

export type WebsearchSearchJobInput = {
  readonly kind: "websearch.search";
  readonly input: WebsearchSearchInput;
  /** Most credits that the job may cost */
  readonly max_credits?: number;
  /** Where events of the job are sent: a URL or an object */
  readonly webhook?: JobWebhookInput;
};

export type WebsearchSearchResult = {
  readonly provider: "websearch";
  readonly query_context: {
    readonly search: string;
    readonly geo: string;
    readonly locale: string;
    readonly domain: string;
    readonly page: number;
  };
  readonly meta_data: {
    readonly page: number;
    /** URL of the first result page */
    readonly url: string;
  };
  readonly organic_results: readonly WebsearchResult[];
  readonly paid_results: readonly WebsearchResult[];
  /** Adjustments of the input; absent if there are none */
  readonly warnings?: readonly Warning[];
};

export type ListJobsRequest = {
  /** Id of the operation, such as fetch */
  readonly kind?: string;
  /** Only jobs in this state */
  readonly status?: "queued" | "running" | "completed" | "failed" | "cancelled" | "expired";
  /** Earliest time of submission, ISO 8601 UTC */
  readonly from?: string;
  /** Latest time of submission, ISO 8601 UTC */
  readonly to?: string;
  /** Most rows of one page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetJobRequest = {
  /** The id of the job */
  readonly id: string;
  /** Wait up to this long for the job to end */
  readonly wait_ms?: number;
};

export type CancelJobRequest = {
  /** The id of the job */
  readonly id: string;
};

export type GetJobResultRequest = {
  /** The id of the job */
  readonly id: string;
  /** Return what is committed so far, in any state of the job: the list, usage, and stop_reason of a cancelled crawl or map */
  readonly partial?: boolean;
  /** All but json stream the whole list: jsonl has one element per line, csv and parquet are tables, zip has a Markdown file for each page, llms.txt and llms-full.txt are the site for language models; warc is the archive of a crawl with archive: true */
  readonly format?: "json" | "jsonl" | "warc" | "csv" | "parquet" | "zip" | "llms.txt" | "llms-full.txt";
  /** With jsonl, csv and parquet: what a row is, an element of the list or a chunk of a page with output chunks */
  readonly rows?: "elements" | "chunks";
  /** Most elements of one page, up to 4 MiB; default as many as fit into 256 KiB */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
  /** Return each list element as an outline: its short fields, the sizes of its texts (chars), and its place for jobs.page */
  readonly outline?: boolean;
};

export type JobsPageRequest = {
  /** The id of the job */
  readonly id: string;
  /** Place of the element, from the outline of the result */
  readonly place?: string;
  /** Or its requested or final URL; the first 5000 elements are searched */
  readonly url?: string;
};

export type ListJobPagesRequest = {
  /** The id of a job of the kind crawl or fetch.batch */
  readonly id: string;
  /** skipped: not a separate page, such as a duplicate */
  readonly state?: "waiting" | "stored" | "failed" | "skipped";
  /** HTTP status of the page */
  readonly status_code?: number;
  /** Number of links from the start page */
  readonly depth?: number;
  /** Code of the failure or of the reason why it was skipped */
  readonly code?: string;
  /** Text in URL or title, case-insensitive */
  readonly search?: string;
  /** Prefix of their URLs */
  readonly prefix?: string;
  /** true: only near-duplicates; false: only other pages */
  readonly near_duplicate?: boolean;
  /** Most rows of one page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetJobTreeRequest = {
  /** The id of a job of the kind crawl or fetch.batch */
  readonly id: string;
  /** The URL prefix to list; default the hosts */
  readonly prefix?: string;
};

export type FollowJobRequest = {
  /** The id of the job */
  readonly id: string;
};

export type ListJobDeliveriesRequest = {
  /** The id of the job */
  readonly id: string;
  /** Most rows of one page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetArtifactRequest = {
  /** The id of the file */
  readonly id: string;
};

export type ListSessionsRequest = {
  /** Most rows of one page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetSessionRequest = {
  /** The name of the session */
  readonly name: string;
};

export type DeleteSessionRequest = {
  /** The name of the session */
  readonly name: string;
};

export type ListMonitorsRequest = {
  /** Only monitors with an active (or inactive) schedule */
  readonly active?: boolean;
  /** Only monitors of this kind */
  readonly kind?: "generic" | "hotel" | "hotel_channels" | "launch";
  /** Rows per page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type UpdateMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
  /** Display name; default host and path of the page */
  readonly name?: string;
  /** The http or https page to watch */
  readonly url?: string;
  /** The values to watch, as in fetch; at most 50 */
  readonly extract?: {
    /** Named values: `"name": "type"`, `"name": "type[]"`, or the long form. */
    readonly fields?: Readonly<Record<string, "string" | "integer" | "number" | "boolean" | "money" | "date" | "datetime" | "url" | "html" | "string[]" | "integer[]" | "number[]" | "boolean[]" | "money[]" | "date[]" | "datetime[]" | "url[]" | "html[]" | {
      /** CSS selector of the elements that hold the value */
      readonly selector?: string;
      /** XPath of the nodes or attributes that hold the value */
      readonly xpath?: string;
      /** JSONPath into a JSON page or the JSON embedded in a page */
      readonly json_path?: string;
      /** RE2 expression over the text; the first group is the value */
      readonly regex?: string;
      /** Attribute of the selected element to read instead of its text */
      readonly attribute?: string;
      readonly type?: "string" | "integer" | "number" | "boolean" | "money" | "date" | "datetime" | "url" | "html" | "string[]" | "integer[]" | "number[]" | "boolean[]" | "money[]" | "date[]" | "datetime[]" | "url[]" | "html[]";
      /** All matches, as an array */
      readonly many?: boolean;
      /** Members of an object; each one is a field */
      readonly fields?: Readonly<Record<string, unknown>>;
      /** The member that identifies a row; requires `fields` and `many` */
      readonly key?: string;
      /** Words to search for if the field has no selector */
      readonly description?: string;
      readonly currency?: string;
      readonly locale?: string;
    }>>;
    /** A JSON Schema of type object: local references only, at most 16 levels and 200 properties, RE2 patterns. */
    readonly schema?: Readonly<Record<string, unknown>>;
    readonly [name: string]: unknown;
  };
  /** An operation to watch instead of url and extract */
  readonly target?: {
    /** Id of a priced operation, such as fetch */
    readonly operation: string;
    /** Input of the operation */
    readonly input: Readonly<Record<string, unknown>>;
  };
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** The compared fields; a name stands for all its members */
    readonly fields?: readonly string[];
    /** Whether one changed field is enough, or all must have changed */
    readonly on?: "any" | "all";
    /** Compare fields, or the text of the page */
    readonly mode?: "fields" | "content";
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** How arrays are compared, by field */
    readonly array_fields?: Readonly<Record<string, {
      /** Whether order counts, or rows are identified by a key; default by type */
      readonly compare?: "set" | "list" | "keyed";
      /** The member that identifies a row */
      readonly key?: string;
      /** The compared members of rows; default all */
      readonly fields?: readonly string[];
    }>>;
    /** The watched content in mode content; default the Markdown of the page */
    readonly content?: {
      /** The watched content of the page */
      readonly of?: "markdown" | "text" | "html" | "selector";
      /** CSS selector of the watched parts, compared as text */
      readonly selector?: string;
      /** CSS selectors of parts left out */
      readonly ignore_selectors?: readonly string[];
    };
    /** RE2 expressions; their matches in texts are not compared */
    readonly ignore_patterns?: readonly string[];
    readonly digest?: {
      /** Minutes between two digests */
      readonly interval_minutes: number;
      /** Time of day from which the windows are counted, in the time zone of the monitor */
      readonly at?: string;
    } | null;
    /** Report the values of the first completed run as a change */
    readonly notify_on_first_run?: boolean;
    /** Compare with the value last reported, or with that of the run before */
    readonly baseline?: "last_change" | "previous_run";
    /** Completed runs in a row that must see a new value before it is reported */
    readonly confirm_runs?: number;
    /** A value that disappears or appears: reported after at least two runs, like any change, or never */
    readonly null_policy?: "confirm" | "change" | "ignore";
    /** Runs in a row without a result, failed or skipped, after which monitor.failing is sent; default 3 */
    readonly failing_after?: number;
  };
  /** Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered */
  readonly cron?: string | null;
  /** Time zone of cron */
  readonly timezone?: string;
  /** Whether its schedule is active */
  readonly active?: boolean;
  /** How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Time limit of one visit in ms, as in fetch */
  readonly timeout_ms?: number;
  /** Returned in webhooks */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** null removes it */
  readonly webhook?: string | {
    /** URL that receives events; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** Signing secret; generated and shown once if omitted */
    readonly secret?: string;
    /** Sent with each event, such as authorization; stored encrypted and masked in responses */
    readonly headers?: Readonly<Record<string, string>>;
    /** Events to send; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type DeleteMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type TriggerMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type ListRunsRequest = {
  /** Id of the monitor */
  readonly id: string;
  /** Rows per page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetLatestRunRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type ListChangesRequest = {
  /** Id of the monitor */
  readonly id: string;
  /** Rows per page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetLatestChangeRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type GetMonitorSeriesRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** Only the field with this path, such as price or offers.0.price */
  readonly field?: string;
  /** Earliest time, ISO 8601 UTC; default 90 days ago */
  readonly from?: string;
  /** Latest time, ISO 8601 UTC */
  readonly to?: string;
  /** Maximum number of points per field */
  readonly points?: number;
};

export type PreviewScheduleRequest = {
  /** Five fields, such as 0 9 * * 1-5, or words such as daily at 9:00 */
  readonly cron: string;
  /** IANA name, such as Europe/Berlin */
  readonly timezone?: string;
  /** Number of times to return */
  readonly count?: number;
};

export type ListMonitorDeliveriesRequest = {
  /** Id of the monitor */
  readonly id: string;
  /** Most rows of one page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type TestWebhookRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type RotateWebhookSecretRequest = {
  /** Id of the monitor */
  readonly id: string;
  /** The new secret; generated and shown once if omitted */
  readonly secret?: string;
};

export type ListWebhooksRequest = {
  /** Most rows of one page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type ListDeliveriesRequest = {
  /** Only deliveries with this status */
  readonly status?: "pending" | "delivering" | "succeeded" | "failed" | "exhausted" | "suspended" | "cancelled";
  /** Only deliveries of this monitor */
  readonly monitor_id?: string;
  /** Only deliveries of this job */
  readonly job_id?: string;
  /** Most rows of one page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetDeliveryRequest = {
  /** The id of the delivery */
  readonly id: string;
};

export type RedeliverRequest = {
  /** The id of the delivery */
  readonly id: string;
};

export type ListUsageRequest = {
  /** First day, UTC; default 30 days ago */
  readonly from?: string;
  /** Last day, UTC; default today */
  readonly to?: string;
  /** How rows are grouped */
  readonly by?: "day" | "operation" | "day_and_operation";
  /** Most rows of one page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type ListRequestsRequest = {
  /** HTTP status of the response */
  readonly status?: number;
  /** Operation id, such as fetch */
  readonly operation?: string;
  /** Earliest time, ISO 8601 UTC */
  readonly from?: string;
  /** Latest time, ISO 8601 UTC */
  readonly to?: string;
  /** Most rows of one page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetRequestRequest = {
  /** The request_id of its response */
  readonly request_id: string;
};

export type ListOwnKeysRequest = {
  /** Most rows of one page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type ListTenantsRequest = {
  /** Most rows of one page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetTenantRequest = {
  /** The id of the tenant */
  readonly id: string;
};

export type UpdateTenantRequest = {
  /** The id of the tenant */
  readonly id: string;
  /** Name of a plan; GET /v1/admin/plans lists them */
  readonly plan?: string;
  /** Display name */
  readonly name?: string;
  /** true: everything but reading fails with tenant_suspended, and jobs and monitors are paused; false: resumed */
  readonly suspended?: boolean;
};

export type TopUpTenantRequest = {
  /** The id of the tenant */
  readonly id: string;
  /** They expire at the end of the month */
  readonly credits: number;
};

export type RefundTenantRequest = {
  /** The id of the tenant */
  readonly id: string;
  /** The id of the request, job or run */
  readonly charge: string;
};

export type ListAllKeysRequest = {
  /** Most rows of one page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type ListKeysRequest = {
  /** The id of the tenant */
  readonly id: string;
  /** Most rows of one page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type CreateKeyRequest = {
  /** The id of the tenant */
  readonly id: string;
  /** Display name */
  readonly name?: string;
  /** When the key expires, ISO 8601 UTC; default never */
  readonly expires_at?: string;
};

export type RotateKeyRequest = {
  /** The id of the key, not its text */
  readonly id: string;
  /** How long the old key stays valid */
  readonly overlap_seconds?: number;
  /** When the key expires, ISO 8601 UTC; default never */
  readonly expires_at?: string;
};

export type RevokeKeyRequest = {
  /** The id of the key, not its text */
  readonly id: string;
};

export type ListTenantUsageRequest = {
  /** First day, UTC; default 30 days ago */
  readonly from?: string;
  /** Last day, UTC; default today */
  readonly to?: string;
  /** Only this tenant */
  readonly tenant?: string;
  /** csv: all rows in one file, without limit and cursor */
  readonly format?: "json" | "csv";
  /** Rows of one page; default 100 */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type ListHotelBMonitorsRequest = {
  /** Only monitors with an active (or inactive) schedule */
  readonly active?: boolean;
  /** Only monitors of this kind */
  readonly kind?: "hotel" | "hotel_channels";
  /** Only monitors with a channel on this site */
  readonly provider?: "hotel-a" | "hotel-b";
  /** Rows per page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetHotelBMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type UpdateHotelBMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
  /** Day of arrival, in the time zone of the property */
  readonly check_in?: string;
  /** Day of departure, 1 to 30 nights later */
  readonly check_out?: string;
  /** Number of adults */
  readonly adults?: number;
  /** The age of each child, or the number of children if their ages are unknown */
  readonly children?: readonly number[] | number;
  /** Number of rooms, at most one per adult */
  readonly rooms?: number;
  /** ISO 4217 code; by default the currency of the property */
  readonly currency?: string;
  /** Display name; default host and path of the page */
  readonly name?: string;
  /** Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered */
  readonly cron?: string | null;
  /** Time zone of cron */
  readonly timezone?: string;
  /** Whether its schedule is active */
  readonly active?: boolean;
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** How much the prices of the channels may differ */
    readonly parity_threshold?: {
      /** Reached by a change of at least this much */
      readonly abs?: number;
      /** Reached by a change of at least this share of the earlier value, in % */
      readonly pct?: number;
    };
    readonly digest?: {
      /** Minutes between two digests */
      readonly interval_minutes: number;
      /** Time of day from which the windows are counted, in the time zone of the monitor */
      readonly at?: string;
    } | null;
    /** Report the values of the first completed run as a change */
    readonly notify_on_first_run?: boolean;
    /** Compare with the value last reported, or with that of the run before */
    readonly baseline?: "last_change" | "previous_run";
    /** Runs in a row without a result, failed or skipped, after which monitor.failing is sent; default 3 */
    readonly failing_after?: number;
  };
  /** null removes it */
  readonly webhook?: string | {
    /** URL that receives events; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** Signing secret; generated and shown once if omitted */
    readonly secret?: string;
    /** Sent with each event, such as authorization; stored encrypted and masked in responses */
    readonly headers?: Readonly<Record<string, string>>;
    /** Events to send; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type DeleteHotelBMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type TriggerHotelBMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type ListHotelBRunsRequest = {
  /** Id of the monitor */
  readonly id: string;
  /** Rows per page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetLatestHotelBRunRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type ListHotelBChangesRequest = {
  /** Id of the monitor */
  readonly id: string;
  /** Rows per page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetLatestHotelBChangeRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type ListHotelAMonitorsRequest = {
  /** Only monitors with an active (or inactive) schedule */
  readonly active?: boolean;
  /** Only monitors of this kind */
  readonly kind?: "hotel" | "hotel_channels";
  /** Only monitors with a channel on this site */
  readonly provider?: "hotel-a" | "hotel-b";
  /** Rows per page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetHotelAMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type UpdateHotelAMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
  /** Day of arrival, in the time zone of the property */
  readonly check_in?: string;
  /** Day of departure, 1 to 30 nights later */
  readonly check_out?: string;
  /** Number of adults */
  readonly adults?: number;
  /** The age of each child, or the number of children if their ages are unknown */
  readonly children?: readonly number[] | number;
  /** Number of rooms, at most one per adult */
  readonly rooms?: number;
  /** ISO 4217 code; by default the currency of the property */
  readonly currency?: string;
  /** Display name; default host and path of the page */
  readonly name?: string;
  /** Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered */
  readonly cron?: string | null;
  /** Time zone of cron */
  readonly timezone?: string;
  /** Whether its schedule is active */
  readonly active?: boolean;
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** How much the prices of the channels may differ */
    readonly parity_threshold?: {
      /** Reached by a change of at least this much */
      readonly abs?: number;
      /** Reached by a change of at least this share of the earlier value, in % */
      readonly pct?: number;
    };
    readonly digest?: {
      /** Minutes between two digests */
      readonly interval_minutes: number;
      /** Time of day from which the windows are counted, in the time zone of the monitor */
      readonly at?: string;
    } | null;
    /** Report the values of the first completed run as a change */
    readonly notify_on_first_run?: boolean;
    /** Compare with the value last reported, or with that of the run before */
    readonly baseline?: "last_change" | "previous_run";
    /** Runs in a row without a result, failed or skipped, after which monitor.failing is sent; default 3 */
    readonly failing_after?: number;
  };
  /** null removes it */
  readonly webhook?: string | {
    /** URL that receives events; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** Signing secret; generated and shown once if omitted */
    readonly secret?: string;
    /** Sent with each event, such as authorization; stored encrypted and masked in responses */
    readonly headers?: Readonly<Record<string, string>>;
    /** Events to send; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type DeleteHotelAMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type TriggerHotelAMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type ListHotelARunsRequest = {
  /** Id of the monitor */
  readonly id: string;
  /** Rows per page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetLatestHotelARunRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type ListHotelAChangesRequest = {
  /** Id of the monitor */
  readonly id: string;
  /** Rows per page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetLatestHotelAChangeRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type ListLaunchMonitorsRequest = {
  /** Only monitors with an active (or inactive) schedule */
  readonly active?: boolean;
  /** Only monitors of this kind */
  readonly kind?: "launch";
  /** Rows per page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetLaunchMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type UpdateLaunchMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
  /** Display name; default host and path of the page */
  readonly name?: string;
  /** Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered */
  readonly cron?: string | null;
  /** Time zone of cron */
  readonly timezone?: string;
  /** Whether its schedule is active */
  readonly active?: boolean;
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** Report the values of the first completed run as a change */
    readonly notify_on_first_run?: boolean;
    readonly digest?: {
      /** Minutes between two digests */
      readonly interval_minutes: number;
      /** Time of day from which the windows are counted, in the time zone of the monitor */
      readonly at?: string;
    } | null;
    /** Runs in a row without a result, failed or skipped, after which monitor.failing is sent; default 3 */
    readonly failing_after?: number;
  };
  /** null removes it */
  readonly webhook?: string | {
    /** URL that receives events; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** Signing secret; generated and shown once if omitted */
    readonly secret?: string;
    /** Sent with each event, such as authorization; stored encrypted and masked in responses */
    readonly headers?: Readonly<Record<string, string>>;
    /** Events to send; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type DeleteLaunchMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type TriggerLaunchMonitorRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type ListLaunchRunsRequest = {
  /** Id of the monitor */
  readonly id: string;
  /** Rows per page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetLatestLaunchRunRequest = {
  /** Id of the monitor */
  readonly id: string;
};

export type ListLaunchChangesRequest = {
  /** Id of the monitor */
  readonly id: string;
  /** Rows per page */
  readonly limit?: number;
  /** next_cursor of the previous page */
  readonly cursor?: string;
};

export type GetLatestLaunchChangeRequest = {
  /** Id of the monitor */
  readonly id: string;
};

/** The body of a webhook's delivery; `type` tells which. */
export type WebhookEvent =
  | JobCompletedEvent
  | JobFailedEvent
  | CrawlStartedEvent
  | CrawlPageEvent
  | MonitorChangeDetectedEvent
  | MonitorRateParityAlertEvent
  | MonitorDigestEvent
  | MonitorFailingEvent
  | MonitorRecoveredEvent
  | MonitorStoppedEvent
  | WebhookTestEvent;
