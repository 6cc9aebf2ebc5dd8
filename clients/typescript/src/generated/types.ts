// Generated from the OpenAPI document by tools/generate-clients.ts; changes here are lost.

export type AccountUsage = {
  readonly plan: string;
  readonly cycle: {
    readonly start: string;
    readonly end: string;
  };
  /** Null when the plan sets no limit */
  readonly credits_granted: number | null;
  readonly credits_topped_up: number;
  readonly credits_used: number;
  /** Reserved by running calls */
  readonly credits_reserved: number;
  readonly credits_remaining: number | null;
  readonly daily_cap: number | null;
  readonly daily_used: number;
  readonly daily_resets_at: string;
  /** Of browsers, parsers and models that calls took and ended free; falls by unpaid_seconds_per_hour of the plan */
  readonly unpaid_seconds: number;
  /** Of results of ended jobs that are kept, packed */
  readonly result_bytes: number;
  /** Beyond it your oldest results go; null when the plan sets no limit */
  readonly kept_result_bytes: number | null;
  /** Of files made of pages that are kept */
  readonly file_bytes: number;
  /** Beyond it your oldest files go; null when the plan sets no limit */
  readonly kept_file_bytes: number | null;
};

export type Action = {
  readonly type: "goto";
  readonly url: string;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "click";
  readonly target: Target;
  readonly count?: number;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "type";
  readonly target: Target;
  /** {{name}} is filled in from variables */
  readonly text: string;
  /** Replace what the field holds */
  readonly clear?: boolean;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "press";
  /** Such as Enter or Control+A */
  readonly key: string;
  readonly target?: Target;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "select";
  readonly target: Target;
  readonly value?: string;
  readonly label?: string;
  readonly index?: number;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "check";
  readonly target: Target;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "uncheck";
  readonly target: Target;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "hover";
  readonly target: Target;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "drag";
  readonly from: Target;
  readonly to: Target;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "upload";
  readonly target: Target;
  readonly name: string;
  readonly content_base64: string;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "scroll";
  /** Alone: what is scrolled into view; with to: what is scrolled itself */
  readonly target?: Target;
  /** end or top of the page, or of target; or a target that is scrolled into view */
  readonly to?: "end" | "top" | Target;
  readonly times?: number;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "content";
  /** The member of extracted that gets what it brings; a name used again becomes an array */
  readonly name: string;
  readonly output: "markdown" | "text" | "html" | "raw_html" | "links" | "images" | "metadata" | "tables" | "structured_data";
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "extract";
  /** The member of extracted that gets what it brings; a name used again becomes an array */
  readonly name: string;
  readonly fields: Extract;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "screenshot";
  /** The member of extracted that gets what it brings; a name used again becomes an array */
  readonly name: string;
  readonly target?: Target;
  readonly full_page?: boolean;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "pdf";
  /** The member of extracted that gets what it brings; a name used again becomes an array */
  readonly name: string;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "evaluate";
  /** The member of extracted that gets what it brings; a name used again becomes an array */
  readonly name: string;
  /** An expression, whose awaited value is the result */
  readonly script: string;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "back";
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "reload";
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "dialog";
  readonly accept: boolean;
  readonly text?: string;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "wait";
  readonly for?: "load" | "idle" | Target;
  /** Until the address holds this */
  readonly url?: string;
  readonly text?: string;
  readonly ms?: number;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "switch";
  /** From 0 */
  readonly tab?: "last" | number;
  readonly frame?: "main" | Target;
  /** Time for this action, ms */
  readonly timeout_ms?: number;
  /** Go on when it fails */
  readonly optional?: boolean;
} | {
  readonly type: "repeat";
  readonly times?: number;
  /** As long as it can be seen, at most 100 times */
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
  /** Country to ask from: ISO 3166-1 code or English name */
  readonly geo?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Time that one source may take; the answer goes on without one that is late, and warnings has it */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type AnswerenginePromptResult = {
  readonly provider: "answerengine";
  readonly prompt: string;
  /** The pages that were left out, and why */
  readonly warnings: readonly Warning[];
  /** What wrote the answer; extractive-1 puts together sentences of the sources */
  readonly model: string;
  /** [1] names the first of the sources */
  readonly answer_markdown: string;
  readonly related_queries: readonly string[];
  readonly sources: readonly {
    readonly url: string;
    readonly title: string;
    /** Name of the site */
    readonly source: string;
  }[];
};

export type AppstoreAppInput = {
  /** A number of apple, or a name such as com.example.app of play */
  readonly id?: string;
  /** The page of the app in either store */
  readonly url?: string;
  /** ISO 3166-1 alpha-2 */
  readonly country?: string;
  /** BCP 47 */
  readonly language?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of country */
  readonly geo?: string;
  /** Alias of language */
  readonly locale?: string;
};

export type AppstoreAppJobInput = {
  readonly kind: "appstore.app";
  readonly input: AppstoreAppInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type AppstoreAppResult = {
  readonly provider: "appstore";
  readonly app: {
    /** A number of apple, a name such as com.example.app of play */
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
    /** At least */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type AppstoreDeveloperInput = {
  /** A number, or the name that play has for some */
  readonly id?: string;
  /** The page of the developer in either store */
  readonly url?: string;
  /** ISO 3166-1 alpha-2 */
  readonly country?: string;
  /** BCP 47 */
  readonly language?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** A number of apple, a name such as com.example.app of play */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type AppstoreReviewsInput = {
  /** A number of apple, or a name such as com.example.app of play */
  readonly id?: string;
  /** The page of the app in either store */
  readonly url?: string;
  /** ISO 3166-1 alpha-2 */
  readonly country?: string;
  /** BCP 47 */
  readonly language?: string;
  /** The order of the reviews */
  readonly sort?: "newest" | "helpful";
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** The version of the app that it is about */
    readonly version: string | null;
    readonly created_at: string | null;
    readonly helpful_count: number | null;
    readonly vote_count: number | null;
    /** What the developer answered */
    readonly reply: {
      readonly text: string;
      readonly created_at: string | null;
    } | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type AppstoreSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** The store that is searched */
  readonly store?: "apple" | "play";
  /** ISO 3166-1 alpha-2 */
  readonly country?: string;
  /** BCP 47 */
  readonly language?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type AppstoreSearchResult = {
  readonly provider: "appstore";
  readonly results: readonly ({
    /** A number of apple, a name such as com.example.app of play */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type Artifact = {
  readonly id: string;
  /** Where its bytes are read with the same key */
  readonly url: string;
  readonly content_type: "image/png" | "image/jpeg" | "image/webp" | "application/pdf" | "application/octet-stream";
  readonly bytes: number;
  /** Of an image, in pixels */
  readonly width?: number;
  readonly height?: number;
  readonly expires_at: string;
};

export type AssistantPromptInput = {
  /** The question */
  readonly prompt: string;
  /** Country to ask from: ISO 3166-1 code or English name */
  readonly geo?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Time that one source may take; the answer goes on without one that is late, and warnings has it */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type AssistantPromptResult = {
  readonly provider: "assistant";
  readonly prompt: string;
  /** The pages that were left out, and why */
  readonly warnings: readonly Warning[];
  /** What wrote the answer; extractive-1 puts together sentences of the sources */
  readonly model: string;
  /** The answer without Markdown */
  readonly response_text: string;
  /** [1] names the first of the citations */
  readonly markdown_text: string;
  readonly citations: readonly {
    readonly url: string;
    /** The passage of the answer that the page supports */
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
  /** Received on the wire, headers aside */
  readonly bytes: number;
};

export type Capabilities = {
  readonly version: string;
  readonly operations: readonly ({
    readonly id: string;
    /** Null for what is asked for as a job or by a monitor only */
    readonly route: string | null;
    /** Of an endpoint of a site: whether it was proven on a page that the site sent */
    readonly verified?: boolean;
    readonly plan: "free" | "starter";
    /** Null for operations that cost nothing */
    readonly price: {
      readonly base: number;
      readonly per: "call" | "page" | "URL";
      readonly cache_hit: number;
      /** What an answer of 400 and above, or one without a body, costs where such is delivered */
      readonly error_page?: 0;
      readonly per_tier: boolean;
      /** Added for each output that a model made */
      readonly per_model_output: number;
    } | null;
  })[];
  readonly tiers: Readonly<Record<string, TierState>>;
  readonly outputs: readonly ("markdown" | "text" | "html" | "raw_html" | "links" | "images" | "metadata" | "tables" | "structured_data" | "json" | "screenshot" | "pdf" | "summary")[];
  readonly browser: TierState;
  readonly model: TierState;
  readonly search: {
    readonly available: boolean;
    readonly reason?: string;
    /** What a search asks, in this order */
    readonly engines: readonly string[];
    /** What /v1/websearch asks, in this order */
    readonly websearch: readonly string[];
    /** What writes the answers: sonar, responses, rag or extractive */
    readonly answers: {
      readonly answerengine: string;
      readonly assistant: string;
      readonly chatassistant: string;
    };
  };
  readonly limits: {
    readonly credits_per_month: number | null;
    readonly daily_cap: number | null;
    readonly inline_timeout_ms: number;
    readonly concurrent_requests: number | null;
    readonly requests_per_minute: number | null;
    readonly queued_jobs: number | null;
    /** Jobs that run at once, runs of monitors included */
    readonly running_jobs: number | null;
    /** Of the input of a job, and of the body of a monitor, as JSON */
    readonly input_bytes: number | null;
    /** Jobs submitted in results_kept_days */
    readonly kept_jobs: number | null;
    /** Of the inputs of these jobs */
    readonly kept_input_bytes: number | null;
    /** Of answers that are kept for idempotency keys */
    readonly kept_answer_bytes: number | null;
    /** Of results of ended jobs, packed; beyond it the oldest go */
    readonly kept_result_bytes: number | null;
    /** Of files made of pages; beyond it the oldest go */
    readonly kept_file_bytes: number | null;
    /** Of the own index of searches, while there is too little room for all */
    readonly index_bytes: number | null;
    readonly job_timeout_ms: number | null;
    readonly results_kept_days: number;
    readonly active_monitors: number | null;
    /** Those that are not active included */
    readonly monitors: number | null;
    readonly monitor_interval_ms: number;
    readonly crawl_pages: number | null;
    readonly map_urls: number | null;
    /** Of browsers, parsers and models, for calls that end free */
    readonly unpaid_seconds_per_hour: number | null;
    /** Its part of shared time while several tenants wait for it */
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
  /** Of the kind parity: the prices of the channels are too far apart */
  readonly alert?: RateParityAlert;
  /** Whether a webhook was, or will be, sent for it; with watch.digest from the end of its window on */
  readonly notified: boolean;
  readonly delivery_ids: readonly string[];
};

export type ChangeList = {
  readonly data: readonly Change[];
  readonly next_cursor: string | null;
};

export type ChatassistantPromptInput = {
  /** The question */
  readonly prompt: string;
  /** Country to ask from: ISO 3166-1 code or English name */
  readonly geo?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Time that one source may take; the answer goes on without one that is late, and warnings has it */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type ChatassistantPromptResult = {
  readonly provider: "chatassistant";
  readonly prompt: string;
  /** The pages that were left out, and why */
  readonly warnings: readonly Warning[];
  /** What wrote the answer; extractive-1 puts together sentences of the sources */
  readonly model: string;
  /** The answer without Markdown */
  readonly response_text: string;
  /** [1] names the first of the citations */
  readonly markdown_text: string;
  readonly citations: readonly {
    readonly url: string;
    /** The passage of the answer that the page supports */
    readonly text: string;
    readonly title: string;
    readonly description: string;
  }[];
};

export type CodehostRepoInput = {
  /** Owner and name, as octocat/hello-world */
  readonly full_name?: string;
  /** The login of the owner; with repo */
  readonly owner?: string;
  /** The name; with owner, or owner/name as in full_name */
  readonly repo?: string;
  /** The page of the repository */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of full_name */
  readonly name?: string;
};

export type CodehostRepoJobInput = {
  readonly kind: "codehost.repo";
  readonly input: CodehostRepoInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** People who are told of what happens there; stars are no watchers */
    readonly watchers: number | null;
    /** Of a fork, where it was made from */
    readonly parent_full_name: string | null;
  };
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type CodehostReposInput = {
  /** The login, with or without @ */
  readonly username?: string;
  /** The profile */
  readonly url?: string;
  /** Which page of that many; cursor wins */
  readonly page?: number;
  /** Their own, those they work on, or both */
  readonly type?: "owner" | "all" | "member";
  /** The order of the repositories */
  readonly sort?: "full_name" | "created" | "updated" | "pushed";
  /** asc for full_name, else desc */
  readonly direction?: "asc" | "desc";
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type CodehostUserInput = {
  /** The login, with or without @ */
  readonly username?: string;
  /** The profile */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly login?: string;
  /** Alias of username */
  readonly user?: string;
};

export type CodehostUserJobInput = {
  readonly kind: "codehost.user";
  readonly input: CodehostUserInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
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

export type CrawlInput = {
  /** Where the crawl starts */
  readonly url?: string;
  /** A list of pages instead, without following links */
  readonly urls?: readonly string[];
  /** Pages to store at most; 25 unless given, and more become a job */
  readonly max_pages?: number;
  /** Links to follow from the start; null for any */
  readonly max_depth?: number | null;
  /** Read the site's sitemaps beside its links, not at all (skip), or instead of them (only) */
  readonly sitemap?: "include" | "skip" | "only";
  /** Formats to return; summary needs a model */
  readonly output?: readonly ("markdown" | "text" | "html" | "raw_html" | "links" | "images" | "metadata" | "tables" | "structured_data" | "json" | "summary")[];
  /** How far from the start */
  readonly scope?: "path" | "host" | "subdomains" | "domain";
  /** Globs on path and query, or re: and an RE2 expression; only these are followed */
  readonly include?: readonly string[];
  /** The same for what is left out */
  readonly exclude?: readonly string[];
  /** Links of one pattern of paths, such as /maze/*, that are followed, against sites without end; what sitemaps name is not counted */
  readonly max_per_pattern?: number;
  /** Follow links that differ only behind #/ or #! as pages of their own; a browser shows every page */
  readonly hash_routes?: boolean;
  /** How far to escalate: basic never uses a proxy, auto climbs as needed (default on paid plans), stealth goes straight to the hardened browser */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Wall clock in ms; above the plan's inline limit the call becomes a job */
  readonly timeout_ms?: number;
  /** Obey robots.txt, also where a redirect leads; a crawl stores no page that says noindex */
  readonly respect_robots?: boolean;
  /** With cookies, a session or a login in headers: follow links that log out, delete, unsubscribe or fill a cart */
  readonly follow_actions?: boolean;
  /** Fixed gap between two starts at one host in ms; robots.txt may ask for a longer one */
  readonly delay_ms?: number;
  /** Ceiling for what the call may cost */
  readonly max_credits?: number;
  /** Name of a session: its cookies and local storage are sent and kept, so that a login lasts; made on first use */
  readonly session?: string;
  /** With included, everything in scope is followed and only what include matches is stored; other pages are free */
  readonly store?: "all" | "included";
  /** How each page is asked for and read */
  readonly fetch?: {
    /** Leave navigation, footers and the like out of text formats */
    readonly only_main_content?: boolean;
    /** CSS selectors of the only parts to keep */
    readonly include_selectors?: readonly string[];
    /** CSS selectors of parts to leave out */
    readonly exclude_selectors?: readonly string[];
    /** What to pull out for output json */
    readonly extract?: Extract;
    /** Read the documents of frames, srcdoc and embedded PDFs as parts of the page, in their places */
    readonly frames?: boolean;
    /** Request headers; dropped on a redirect to another origin */
    readonly headers?: Readonly<Record<string, string>>;
    /** Request cookies; dropped on a redirect to another origin */
    readonly cookies?: readonly {
      readonly name: string;
      readonly value: string;
    }[];
    /** CSS selector that must match before the page is taken, by a browser */
    readonly wait_for_selector?: string;
    /** Time that a browser lets pass before it takes the page, within timeout_ms */
    readonly wait_ms?: number;
    /** Go to the end of the page in a browser, for what loads only then */
    readonly scroll?: boolean;
    /** What the page is asked for and shown as */
    readonly device?: "desktop" | "mobile";
    /** Ask from this country (ISO 3166, two letters), by a proxy */
    readonly country?: string;
    /** Language and region that the page is asked for in (BCP 47), such as de-AT */
    readonly locale?: string;
    /** Slice of each text format, cut at block boundaries */
    readonly max_chars?: number;
    /** Where the slice starts: next_offset of the answer before */
    readonly offset_chars?: number;
  };
  /** Keep every exchange with the site as WARC, for format=warc of the result; the crawl becomes a job */
  readonly archive?: boolean;
  /** Leave out pages whose content is stored already, free */
  readonly dedupe_content?: boolean;
};

export type CrawlJobInput = {
  readonly kind: "crawl";
  readonly input: CrawlInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type CrawlPageRow = {
  /** Its number in the order of discovery */
  readonly seq: number;
  readonly url: string;
  readonly state: "waiting" | "visiting" | "stored" | "failed" | "skipped";
  readonly depth: number;
  readonly status_code: number | null;
  readonly title: string | null;
  /** Of what the result has of it */
  readonly bytes: number | null;
  readonly near_duplicate: boolean;
  /** Why it failed or was skipped */
  readonly code: string | null;
  readonly message: string | null;
  /** By which jobs.page reads it; null for a page that is not stored */
  readonly place: string | null;
};

export type CrawlPageRowList = {
  readonly data: readonly CrawlPageRow[];
  readonly next_cursor: string | null;
};

export type CrawlResult = {
  readonly url: string;
  /** Whether nothing in reach was left out */
  readonly complete: boolean;
  /** What ended it; answer_full: an answer has no room for more, a job has; blocked: the hosts that are left refused or did not answer 25 visits in a row; login_required: pages became login forms, so the login of the call has ended; interrupted: it could not go on */
  readonly stop_reason: "exhausted" | "max_pages" | "answer_full" | "max_depth" | "timeout" | "max_credits" | "credits_exhausted" | "daily_cap" | "cancelled" | "interrupted" | "robots" | "blocked" | "login_required";
  readonly pages: readonly CrawledPage[];
  /** Pages that failed, free; the first thousand */
  readonly errors: readonly PageError[];
  /** Addresses that were not stored, free, by reason */
  readonly skipped: Readonly<Record<string, number>>;
  /** The sitemaps that robots.txt names (robots, with robots.txt itself), and those at the usual places */
  readonly sources: Readonly<Record<string, {
    /** URLs of the crawl that they name */
    readonly found: number;
    /** Files or pages that were read */
    readonly read: number;
    /** Addresses that were left out */
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

export type CrawlTree = {
  readonly job_id: string;
  readonly prefix: string;
  /** Of the pages below the prefix */
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
  /** The thousand with the most pages, by name */
  readonly children: readonly {
    /** Empty for the page of the prefix itself */
    readonly name: string;
    /** What opens it, and what jobs.pages takes */
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
  readonly json?: Readonly<Record<string, unknown>>;
  /** What the page has where a member of json is empty because it cannot be read as its type */
  readonly json_unread?: Readonly<Record<string, string>>;
  /** What the page says in a few sentences; empty where the model declined */
  readonly summary?: string;
  /** What the model had a part in, where it was asked */
  readonly model?: ModelUse;
  readonly metadata: Metadata;
  readonly tier: "cache" | "http" | "browser" | "proxy" | "proxy_browser";
  readonly credits: number;
  /** A page stored before that says nearly the same */
  readonly near_duplicate_of?: string;
  /** The page came with success and says that there is none */
  readonly soft_404?: boolean;
  readonly warnings: readonly Warning[];
};

export type CreateHotelAMonitorInput = {
  /** The page of the property */
  readonly url?: string;
  /** The property on 2 to 4 sites, in place of the one here */
  readonly channels?: readonly ({
    readonly provider: "hotel-a" | "hotel-b";
    /** As the site identifies it: the address of its page on hotel-a */
    readonly property_id: string;
  })[];
  /** First day, as the property counts days */
  readonly check_in: string;
  /** Last day, 1 to 30 nights later */
  readonly check_out: string;
  /** How many adults stay */
  readonly adults?: number;
  /** The age of each child, or how many of unknown age */
  readonly children?: readonly number[] | number;
  /** At most one for each adult */
  readonly rooms?: number;
  /** ISO 4217; default that of the property */
  readonly currency?: string;
  /** What people call it; default host and path of the page */
  readonly name?: string;
  /** Five fields or a macro such as @hourly; null runs only when triggered */
  readonly cron?: string | null;
  /** The zone whose clocks cron is read by */
  readonly timezone?: string;
  /** Whether it runs by its schedule */
  readonly active?: boolean;
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** How far the prices of the channels may be apart */
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
  /** Where changes are sent: a URL, or an object */
  readonly webhook?: MonitorWebhookInput | null;
};

export type CreateHotelBMonitorInput = {
  /** The segment of the hotel path: gb/garden-court */
  readonly property_id?: string;
  /** The property on 2 to 4 sites, in place of the one here */
  readonly channels?: readonly ({
    readonly provider: "hotel-a" | "hotel-b";
    /** As the site identifies it: the address of its page on hotel-a */
    readonly property_id: string;
  })[];
  /** First day, as the property counts days */
  readonly check_in: string;
  /** Last day, 1 to 30 nights later */
  readonly check_out: string;
  /** How many adults stay */
  readonly adults?: number;
  /** The age of each child, or how many of unknown age */
  readonly children?: readonly number[] | number;
  /** At most one for each adult */
  readonly rooms?: number;
  /** ISO 4217; default that of the property */
  readonly currency?: string;
  /** What people call it; default host and path of the page */
  readonly name?: string;
  /** Five fields or a macro such as @hourly; null runs only when triggered */
  readonly cron?: string | null;
  /** The zone whose clocks cron is read by */
  readonly timezone?: string;
  /** Whether it runs by its schedule */
  readonly active?: boolean;
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** How far the prices of the channels may be apart */
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
  /** Where changes are sent: a URL, or an object */
  readonly webhook?: MonitorWebhookInput | null;
};

export type CreateKeyInput = {
  /** What people call it */
  readonly name?: string;
  /** When the key expires, ISO 8601 UTC; never unless given */
  readonly expires_at?: string;
};

export type CreateKeyResult = {
  readonly id: string;
  readonly tenant_id: string;
  /** The key itself, shown this once */
  readonly key: string;
  readonly expires_at: string | null;
};

export type CreateLaunchMonitorInput = {
  /** The word of the product in its address */
  readonly slug?: string;
  /** The id of the product */
  readonly id?: string;
  /** The page of the product */
  readonly url?: string;
  /** Alias of slug */
  readonly product?: string;
  /** Alias of id */
  readonly product_id?: string;
  /** What people call it; default host and path of the page */
  readonly name?: string;
  /** Five fields or a macro such as @hourly; null runs only when triggered */
  readonly cron?: string | null;
  /** The zone whose clocks cron is read by */
  readonly timezone?: string;
  /** Whether it runs by its schedule */
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
  /** Where changes are sent: a URL, or an object */
  readonly webhook?: MonitorWebhookInput | null;
};

export type CreateMonitorInput = {
  /** What people call it; default host and path of the page */
  readonly name?: string;
  /** The http or https page to watch */
  readonly url?: string;
  /** The values to watch, as Fetch takes them; at most 50 */
  readonly extract?: Extract;
  /** An operation to watch in place of url and extract */
  readonly target?: {
    /** Id of a priced operation, such as fetch */
    readonly operation: string;
    /** Its input, validated by its own rules */
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
  /** Five fields or a macro such as @hourly; null runs only when triggered */
  readonly cron?: string | null;
  /** The zone whose clocks cron is read by */
  readonly timezone?: string;
  /** Whether it runs by its schedule */
  readonly active?: boolean;
  /** How far to escalate: basic never uses a proxy, auto climbs as needed (default on paid plans), stealth goes straight to the hardened browser */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Wall clock of one visit in ms, as Fetch takes it */
  readonly timeout_ms?: number;
  /** Name of a session: its cookies and local storage are sent and kept, so that a login lasts; made on first use */
  readonly session?: string;
  /** Given back in webhooks */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Where changes are sent: a URL, or an object */
  readonly webhook?: MonitorWebhookInput | null;
};

export type CreateTenantInput = {
  /** For people; need not be unique */
  readonly name: string;
  /** The name of a plan, as GET /v1/admin/plans lists them */
  readonly plan: string;
};

export type CreateTenantResult = {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly created_at: string;
  /** Since when its calls are refused and its jobs and monitors rest; null unless they are */
  readonly suspended_at: string | null;
  /** Of the running month; null when the plan sets no limit */
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
  /** Values of its query are masked */
  readonly url: string;
  /** failed: will be tried again; exhausted: will not; suspended: the webhook is disabled */
  readonly status: "pending" | "delivering" | "succeeded" | "failed" | "exhausted" | "suspended" | "cancelled";
  readonly attempts: readonly ({
    readonly n: number;
    readonly at: string;
    readonly duration_ms: number;
    readonly status_code: number | null;
    /** status, redirect, timeout, unreachable, tls_error or malformed; null when it succeeded */
    readonly error: string | null;
    /** The beginning of the answer without control characters */
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
  /** Values of its query are masked */
  readonly url: string;
  /** failed: will be tried again; exhausted: will not; suspended: the webhook is disabled */
  readonly status: "pending" | "delivering" | "succeeded" | "failed" | "exhausted" | "suspended" | "cancelled";
  readonly attempts: readonly ({
    readonly n: number;
    readonly at: string;
    readonly duration_ms: number;
    readonly status_code: number | null;
    /** status, redirect, timeout, unreachable, tls_error or malformed; null when it succeeded */
    readonly error: string | null;
    /** The beginning of the answer without control characters */
    readonly response_excerpt: string | null;
    readonly next_attempt_at: string | null;
  })[];
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  /** What is sent; the time and the signature differ by attempt, and headers of your own are masked */
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

export type Download = {
  readonly id: string;
  /** Where its bytes are read with the same key */
  readonly url: string;
  readonly content_type: "image/png" | "image/jpeg" | "image/webp" | "application/pdf" | "application/octet-stream";
  readonly bytes: number;
  /** Of an image, in pixels */
  readonly width?: number;
  readonly height?: number;
  readonly expires_at: string;
  /** The name that the page gave the file */
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
  /** Fields to try: what their selectors match, and what a fetch would answer */
  readonly extract?: Extract;
  /** How far to escalate: basic never uses a proxy, auto climbs as needed (default on paid plans), stealth goes straight to the hardened browser */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Total time limit in ms; the default is the inline limit of the plan */
  readonly timeout_ms?: number;
  /** Request headers; dropped on a redirect to another origin */
  readonly headers?: Readonly<Record<string, string>>;
  /** Request cookies; dropped on a redirect to another origin */
  readonly cookies?: readonly {
    readonly name: string;
    readonly value: string;
  }[];
  /** CSS selector that must match before the page is taken, by a browser */
  readonly wait_for_selector?: string;
  /** Time that a browser lets pass before it takes the page, within timeout_ms */
  readonly wait_ms?: number;
  /** Go to the end of the page in a browser, for what loads only then */
  readonly scroll?: boolean;
  /** What the page is asked for and shown as */
  readonly device?: "desktop" | "mobile";
  /** Ask from this country (ISO 3166, two letters), by a proxy */
  readonly country?: string;
  /** Language and region that the page is asked for in (BCP 47), such as de-AT */
  readonly locale?: string;
  /** Name of a session: its cookies and local storage are sent and kept, so that a login lasts; made on first use */
  readonly session?: string;
  /** Accept a cached page at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Obey robots.txt */
  readonly respect_robots?: boolean;
  /** Ceiling for what this call may cost */
  readonly max_credits?: number;
};

export type ExplainPageJobInput = {
  readonly kind: "explain";
  readonly input: ExplainPageInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type ExplainedPage = {
  readonly url: string;
  readonly final_url: string;
  readonly status_code: number;
  readonly content_type: string;
  readonly title: string | null;
  /** Null for a page without text, or with too much of it */
  readonly explanation: Explanation | null;
  /** The same as an HTML page without scripts or anything from elsewhere */
  readonly picture: string | null;
  /** The first 2,000 visible elements with text of their own, in the order of the page */
  readonly elements: readonly ({
    /** Selects this one alone */
    readonly selector: string | null;
    /** Selects it with those like it */
    readonly similar: string | null;
    /** Elements that similar matches */
    readonly matches: number;
    readonly tag: string;
    readonly text: string;
    readonly depth: number;
  })[];
  /** By the names of extract */
  readonly fields: Readonly<Record<string, {
    /** Null for a field without a selector */
    readonly matches: number | null;
    /** The texts of the first twenty */
    readonly values: readonly string[];
    /** What a fetch with this extract answers */
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
  /** shell: scripts fill the page, and nothing is kept; whole: nothing was chosen, so all of it is kept */
  readonly outcome: "chosen" | "shell" | "whole";
  /** What the page reads like, each from 0 to 1 */
  readonly kinds: Readonly<Record<string, number>>;
  /** Of what is likely to be main text, the share that is kept */
  readonly share: number | null;
  /** The score from which on blocks are kept */
  readonly threshold: number;
  /** Blocks that the page has */
  readonly count: number;
  readonly blocks: readonly ({
    readonly text: string;
    readonly words: number;
    /** The elements that it stands in */
    readonly place: string;
    readonly selector: string | null;
    readonly verdict: "kept" | "low_score" | "comment" | "consent" | "hidden" | "related" | "repeated" | "island" | "shell" | "chrome";
    readonly score: number;
    /** What told most, and the score without it */
    readonly because: {
      readonly group: string;
      readonly otherwise: number;
    } | null;
  })[];
  /** What tells each member of the metadata */
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
    /** Attribute of the selected element to read in place of its text */
    readonly attribute?: string;
    readonly type?: "string" | "integer" | "number" | "boolean" | "money" | "date" | "datetime" | "url" | "html" | "string[]" | "integer[]" | "number[]" | "boolean[]" | "money[]" | "date[]" | "datetime[]" | "url[]" | "html[]";
    /** Every match, as an array */
    readonly many?: boolean;
    /** Members of an object, each a field in turn */
    readonly fields?: Readonly<Record<string, unknown>>;
    /** The member that identifies a row of `fields` with `many` */
    readonly key?: string;
    /** Words to look for where no selector is given */
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
};

export type FastSearch = {
  readonly meta_data: {
    readonly search: string;
    readonly country_code: string;
    readonly language: string;
    readonly page: number;
    readonly engines: readonly SearchEngine[];
    /** The engines whose results these are */
    readonly served_by: readonly string[];
    readonly total_estimate: number | null;
    readonly has_more: boolean;
    readonly took_ms: number;
    /** Whether an engine failed */
    readonly partial: boolean;
  };
  readonly organic_results: readonly FastResult[];
  readonly news_results: readonly FastNews[];
  /** What of the input was adjusted; absent where nothing was */
  readonly warnings?: readonly Warning[];
};

export type FastSearchInput = {
  /** What is looked for; "words in quotes" stand together; engines get its first 2,000 characters */
  readonly search?: string;
  /** Country whose results come first */
  readonly country_code?: string;
  /** Language of the results: a tag such as de or pt-BR, or a name such as German */
  readonly language?: string;
  /** Page of results; below 1 is the first, beyond the last is empty */
  readonly page?: number;
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type FetchInput = {
  /** The http or https page to retrieve */
  readonly url: string;
  /** Formats to return; screenshot and pdf are made by a browser and kept as files, summary by the model of the operator */
  readonly output?: readonly ("markdown" | "text" | "html" | "raw_html" | "links" | "images" | "metadata" | "tables" | "structured_data" | "json" | "screenshot" | "pdf" | "summary")[];
  readonly screenshot?: ScreenshotInput;
  /** How far to escalate: basic never uses a proxy, auto climbs as needed (default on paid plans), stealth goes straight to the hardened browser */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Leave navigation, footers and the like out of text formats */
  readonly only_main_content?: boolean;
  /** CSS selectors of the only parts to keep */
  readonly include_selectors?: readonly string[];
  /** CSS selectors of parts to leave out */
  readonly exclude_selectors?: readonly string[];
  /** What to pull out for output json */
  readonly extract?: Extract;
  /** Read the documents of frames, srcdoc and embedded PDFs as parts of the page, in their places */
  readonly frames?: boolean;
  /** Request headers; dropped on a redirect to another origin */
  readonly headers?: Readonly<Record<string, string>>;
  /** Request cookies; dropped on a redirect to another origin */
  readonly cookies?: readonly {
    readonly name: string;
    readonly value: string;
  }[];
  /** CSS selector that must match before the page is taken, by a browser */
  readonly wait_for_selector?: string;
  /** Time that a browser lets pass before it takes the page, within timeout_ms */
  readonly wait_ms?: number;
  /** Go to the end of the page in a browser, for what loads only then */
  readonly scroll?: boolean;
  /** What the page is asked for and shown as */
  readonly device?: "desktop" | "mobile";
  /** Ask from this country (ISO 3166, two letters), by a proxy */
  readonly country?: string;
  /** Language and region that the page is asked for in (BCP 47), such as de-AT */
  readonly locale?: string;
  /** Slice of each text format, cut at block boundaries */
  readonly max_chars?: number;
  /** Where the slice starts: next_offset of the answer before */
  readonly offset_chars?: number;
  /** Name of a session: its cookies and local storage are sent and kept, so that a login lasts; made on first use */
  readonly session?: string;
  /** Accept a cached page at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Obey robots.txt: an address that it forbids, also one that a redirect leads to, is target_blocked */
  readonly respect_robots?: boolean;
  /** Ceiling for what this call may cost */
  readonly max_credits?: number;
};

export type FetchJobInput = {
  readonly kind: "fetch";
  readonly input: FetchInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type FieldChange = {
  readonly field: string;
  readonly previous_value: unknown;
  readonly new_value: unknown;
  readonly op: string;
};

export type ForumPostInput = {
  /** Number of the post, `2gmzqe` or `t3_2gmzqe`; wins over url */
  readonly id?: string;
  /** Address of the post */
  readonly url?: string;
  /** The community that it is in */
  readonly subreddit?: string;
  /** Order of the comments */
  readonly sort?: "best" | "top" | "new" | "controversial" | "old" | "qa";
  /** Top-level comments that are asked for */
  readonly comment_limit?: number;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type ForumPostJobInput = {
  readonly kind: "forum.post";
  readonly input: ForumPostInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type ForumPostResult = {
  readonly provider: "forum";
  readonly post: {
    readonly id: string;
    readonly fullname: string;
    readonly title: string;
    /** Its permalink */
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
  /** Top-level comments; null where the source has none */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ForumSubredditInput = {
  /** Name of the community, `milling` or `r/milling` */
  readonly subreddit?: string;
  /** Address of the community */
  readonly url?: string;
  /** Order of the posts */
  readonly sort?: "hot" | "new" | "top" | "rising" | "controversial";
  /** Of what time the posts are; for top and controversial alone */
  readonly time?: "hour" | "day" | "week" | "month" | "year" | "all";
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Readers who are there now */
    readonly active_users: number | null;
    readonly created_at: string | null;
    readonly is_nsfw: boolean | null;
    readonly icon_url: string | null;
  } | null;
  readonly posts: readonly ({
    readonly id: string;
    readonly fullname: string;
    readonly title: string;
    /** Its permalink */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ForumUserInput = {
  /** The name, `ilse_miller` or `u/ilse_miller` */
  readonly username?: string;
  /** Address of the profile */
  readonly url?: string;
  /** Order of posts and comments */
  readonly sort?: "new" | "hot" | "top" | "controversial";
  /** Of what time the posts are; for top and controversial alone */
  readonly time?: "hour" | "day" | "week" | "month" | "year" | "all";
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of limit */
  readonly per_page?: number;
};

export type ForumUserJobInput = {
  readonly kind: "forum.user";
  readonly input: ForumUserInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type ForumUserResult = {
  readonly provider: "forum";
  /** Null on the pages after the first, and where the source does not tell */
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
    /** Its permalink */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
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
  /** Of the data folder; null where it cannot be read */
  readonly disk: {
    readonly data_dir: string;
    readonly free_bytes: number;
    readonly total_bytes: number;
  } | null;
  /** Bytes of cached pages and of results at the last round of upkeep; null before the first */
  readonly kept: {
    readonly cache: number;
    readonly results: number;
  } | null;
  /** Services and workers on the store that reported lately */
  readonly processes: readonly {
    readonly id: string;
    readonly seen_at: string;
  }[];
};

export type GetJobResultResult = {
  /** As the inline call answers it; null while nothing was charged */
  readonly usage?: Readonly<Record<string, unknown>> | null;
  /** Of results with a long list: where it goes on, null at its end; a job that runs may add to it */
  readonly next_cursor?: string | null;
};

export type GetQueueResult = {
  readonly queued: number;
  readonly running: number;
  /** There are more jobs than were counted */
  readonly cut?: true;
  /** The job that has been due for the longest time; null where none is due */
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
  /** The hundred tenants with the most jobs */
  readonly by_tenant: readonly {
    readonly tenant_id: string;
    readonly queued: number;
    readonly running: number;
  }[];
  /** The hundred that began first */
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
  /** The error code, null when the call succeeded */
  readonly code: string | null;
  readonly credits: number;
  readonly tier: "cache" | "http" | "browser" | "proxy" | "proxy_browser" | null;
  readonly duration_ms: number;
  /** What the model read for it, failed calls included; 0 where it was not asked */
  readonly input_tokens: number;
  /** What the model wrote for it */
  readonly output_tokens: number;
  /** Of a failed call: the URL that it asked for, without secrets */
  readonly url: string | null;
  /** Of a failed call: the message of its error, without secrets in its URLs */
  readonly message: string | null;
  readonly attempts: readonly Attempt[];
};

export type GetTenantResult = {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly created_at: string;
  /** Since when its calls are refused and its jobs and monitors rest; null unless they are */
  readonly suspended_at: string | null;
  /** Of the running month; null when the plan sets no limit */
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
  /** Of the rounds of this process */
  readonly state: "started" | "running" | "idle";
  /** The last run of each round in the process that answers */
  readonly rounds: readonly ({
    readonly name: string;
    readonly started_at: string;
    readonly duration_ms: number;
    readonly outcome: "done" | "failed";
  })[];
};

export type HomestayListingInput = {
  /** The number of the home, or its address; wins over url */
  readonly id?: string;
  /** The page of the home */
  readonly url?: string;
  /** With check_out */
  readonly check_in?: string;
  /** With check_in */
  readonly check_out?: string;
  /** How many adults stay */
  readonly adults?: number;
  /** How many children stay */
  readonly children?: number;
  /** How many infants stay */
  readonly infants?: number;
  /** How many pets stay */
  readonly pets?: number;
  /** ISO 4217 */
  readonly currency?: string;
  /** Language of texts, BCP 47 */
  readonly locale?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Of a stay between two days */
    readonly price: {
      readonly total: number | null;
      readonly nightly: number | null;
      readonly currency: string | null;
      readonly text: string | null;
    } | null;
  };
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type HomestayReviewsInput = {
  /** The number of the home, or its address; wins over url */
  readonly id?: string;
  /** The page of the home */
  readonly url?: string;
  /** Language of texts, BCP 47 */
  readonly locale?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of locale */
  readonly language?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type HomestayReviewsJobInput = {
  readonly kind: "homestay.reviews";
  readonly input: HomestayReviewsInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type HomestaySearchInput = {
  /** A place, as Lisbon or Harrow, United Kingdom */
  readonly location?: string;
  /** With check_out */
  readonly check_in?: string;
  /** With check_in */
  readonly check_out?: string;
  /** How many adults stay */
  readonly adults?: number;
  /** How many children stay */
  readonly children?: number;
  /** How many infants stay */
  readonly infants?: number;
  /** How many pets stay */
  readonly pets?: number;
  /** ISO 4217 */
  readonly currency?: string;
  /** Language of texts, BCP 47 */
  readonly locale?: string;
  /** The lowest price of a night */
  readonly price_min?: number;
  /** The highest price of a night */
  readonly price_max?: number;
  /** The site’s own name of the place */
  readonly place_id?: string;
  /** A corner of the map; with the other three */
  readonly ne_lat?: number;
  /** Its longitude */
  readonly ne_lng?: number;
  /** The corner across */
  readonly sw_lat?: number;
  /** Its longitude */
  readonly sw_lng?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type HomestaySearchResult = {
  readonly provider: "homestay";
  readonly listings: readonly ({
    readonly id: string;
    readonly url: string;
    /** What it is, and where */
    readonly title: string | null;
    /** Its name, as who lets it gave it */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type HotelARateInput = {
  /** The page of the property */
  readonly url: string;
  /** First day, as the property counts days */
  readonly check_in: string;
  /** Last day, 1 to 30 nights later */
  readonly check_out: string;
  /** How many adults stay */
  readonly adults?: number;
  /** The age of each child, or how many of unknown age */
  readonly children?: readonly number[] | number;
  /** At most one for each adult */
  readonly rooms?: number;
  /** ISO 4217; default that of the property */
  readonly currency?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type HotelARateJobInput = {
  readonly kind: "hotel-a.rate";
  readonly input: HotelARateInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type HotelBRateInput = {
  /** The segment of the hotel path, with or without its country, or its address */
  readonly property_id: string;
  /** First day, as the property counts days */
  readonly check_in: string;
  /** Last day, 1 to 30 nights later */
  readonly check_out: string;
  /** How many adults stay */
  readonly adults?: number;
  /** The age of each child, or how many of unknown age */
  readonly children?: readonly number[] | number;
  /** At most one for each adult */
  readonly rooms?: number;
  /** ISO 4217; default that of the property */
  readonly currency?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type HotelBRateJobInput = {
  readonly kind: "hotel-b.rate";
  readonly input: HotelBRateInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Null where one of the prices is */
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
  /** Whether a webhook was, or will be, sent for it; with watch.digest from the end of its window on */
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
    /** As the site identifies it: the address of its page on hotel-a */
    readonly property_id: string;
  })[];
  /** First day, as the property counts days */
  readonly check_in: string;
  /** Last day, 1 to 30 nights later */
  readonly check_out: string;
  /** How many adults stay */
  readonly adults?: number;
  /** The age of each child, or how many of unknown age */
  readonly children?: readonly number[] | number;
  /** At most one for each adult */
  readonly rooms?: number;
  /** ISO 4217; default that of the property */
  readonly currency?: string;
};

export type HotelsRatesJobInput = {
  readonly kind: "hotels.rates";
  readonly input: HotelsRatesInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type Image = {
  readonly url: string;
  readonly alt: string | null;
  readonly width: number | null;
  readonly height: number | null;
};

export type ImportSessionInput = {
  /** The session, which is made where there is none of that name */
  readonly name: string;
  /** Cookies to add, as Playwright’s storageState or the extension of a browser writes them */
  readonly cookies?: readonly ({
    readonly name: string;
    readonly value: string;
    /** Begins with a dot where it is for the hosts below too */
    readonly domain: string;
    readonly path?: string;
    /** Seconds since 1970; -1 or absent where it ends with the session */
    readonly expires?: number;
    /** The same */
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
  /** Days that it is kept after its last use, within what the operator allows */
  readonly idle_days?: number;
};

export type InteractInput = {
  /** The page to begin with */
  readonly url: string;
  /** What is to be reached, in words; a model chooses the actions */
  readonly prompt?: string;
  /** What is to be done, in order: at most 200 actions, those that are repeated counted each time */
  readonly actions?: readonly Action[];
  /** Formats of the page at the end */
  readonly output?: readonly ("markdown" | "text" | "html" | "raw_html" | "links" | "images" | "metadata" | "tables" | "structured_data" | "json" | "screenshot" | "pdf")[];
  /** What to pull out of the page at the end, for output json */
  readonly extract?: Extract;
  /** How far to escalate: basic never uses a proxy, auto climbs as needed (default on paid plans), stealth goes straight to the hardened browser */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Wall clock of the whole session in ms; default is the plan's inline limit, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Request headers; dropped on a redirect to another origin */
  readonly headers?: Readonly<Record<string, string>>;
  /** Request cookies; dropped on a redirect to another origin */
  readonly cookies?: readonly {
    readonly name: string;
    readonly value: string;
  }[];
  /** Name of a session: its cookies and local storage are sent and kept, so that a login lasts; made on first use */
  readonly session?: string;
  /** What the page is asked for and shown as */
  readonly device?: "desktop" | "mobile";
  /** Ask from this country (ISO 3166, two letters), by a proxy */
  readonly country?: string;
  /** Language and region that the page is asked for in (BCP 47), such as de-AT */
  readonly locale?: string;
  /** Where all requests of the session may go, with all below; unless given its pages keep to the site of url */
  readonly allowed_domains?: readonly string[];
  /** Values for {{name}} in typed text; never logged */
  readonly variables?: Readonly<Record<string, string>>;
  /** Actions at most; with prompt 20 unless given, and at most 60 */
  readonly max_steps?: number;
};

export type InteractJobInput = {
  readonly kind: "interact";
  readonly input: InteractInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type InteractResult = {
  readonly mode: "actions" | "prompt";
  readonly url: string;
  readonly final_url: string;
  /** Whether every action that is not optional was done */
  readonly completed: boolean;
  /** Index of the step that ended it */
  readonly failed_step?: number;
  readonly steps: readonly InteractStep[];
  /** What named actions brought */
  readonly extracted?: Readonly<Record<string, unknown>>;
  readonly markdown?: string;
  readonly text?: string;
  readonly html?: string;
  readonly raw_html?: string;
  readonly links?: readonly Link[];
  readonly images?: readonly Image[];
  readonly tables?: readonly Table[];
  readonly structured_data?: StructuredData;
  readonly json?: Readonly<Record<string, unknown>>;
  /** What the page has where a member of json is empty because it cannot be read as its type */
  readonly json_unread?: Readonly<Record<string, string>>;
  readonly metadata?: Metadata;
  /** The screenshot; null where the target is nothing that a browser shows */
  readonly screenshot?: Artifact | null;
  /** The page as PDF; null where the target is nothing that a browser shows */
  readonly pdf?: Artifact | null;
  /** With prompt: what came of it, in the words of the model */
  readonly result?: string | null;
  /** With prompt and extract: what was asked for, as its schema says */
  readonly data?: Readonly<Record<string, unknown>> | null;
  /** With prompt: what the model read and wrote */
  readonly model?: {
    readonly input_tokens: number;
    readonly output_tokens: number;
  };
  readonly warnings: readonly Warning[];
};

export type InteractStep = {
  readonly index: number;
  readonly type: string;
  /** skipped: it failed, and was optional */
  readonly status: "ok" | "failed" | "skipped";
  readonly duration_ms: number;
  /** Where the page was after it, without a fragment */
  readonly url: string;
  readonly error?: {
    readonly code: string;
    readonly message: string;
  };
  /** What the window showed when it failed */
  readonly screenshot?: Artifact;
  /** The files that pages began to download in it */
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
    /** Addresses that a crawl or map still has to look at */
    readonly pending?: number;
  };
  /** How often the job was begun; at most 5 */
  readonly attempt: number;
  readonly cancel_requested: boolean;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** When the result goes; null until the job has ended */
  readonly expires_at: string | null;
  readonly stop_reason?: string;
  /** Of a queued job that the service's own store put back: it goes on by itself, and the attempt does not count */
  readonly waiting?: JobWait;
  /** Why the result went before its time: the plan keeps no more bytes of results, or the disk of the service was full */
  readonly evicted_for?: "plan" | "disk";
  readonly error: {
    readonly code: string;
    readonly message: string;
  } | null;
  readonly result_url: string;
  /** Of a completed job: up to 256 KiB whole; of a longer list its first elements and next_cursor; else at result_url */
  readonly result?: Readonly<Record<string, unknown>>;
  /** Null until something was charged */
  readonly usage: Usage | null;
  /** True in a list whose input is cut, because it is long; the job itself has it whole */
  readonly summarized?: boolean;
  /** Of a job that was submitted with one */
  readonly webhook?: Webhook;
  /** In the answer to the submission: what of the input was changed */
  readonly warnings?: readonly Warning[];
};

export type JobCompletedEvent = {
  /** Equals webhook-id; the same at every attempt */
  readonly id: string;
  readonly type: "job.completed";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly job_id: string;
  /** The body was too long: lists and texts of data are cut */
  readonly truncated?: true;
  /** With truncated: the path of the complete record */
  readonly url?: string;
  readonly data: Job;
};

export type JobFailedEvent = {
  /** Equals webhook-id; the same at every attempt */
  readonly id: string;
  readonly type: "job.failed";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly job_id: string;
  /** The body was too long: lists and texts of data are cut */
  readonly truncated?: true;
  /** With truncated: the path of the complete record */
  readonly url?: string;
  readonly data: Job;
};

export type JobList = {
  readonly data: readonly Job[];
  readonly next_cursor: string | null;
};

export type JobWait = {
  /** What could not be read or written: the database, or the store of results */
  readonly for: "database" | "results";
  readonly since: string;
  /** Attempts that ended so since then */
  readonly tries: number;
  /** When it is tried again; after an hour the attempts count as any others */
  readonly next_at: string;
};

export type JobWebhookInput = string | {
  /** Where events are sent; https, or http for hosts in QUERN_ALLOW_TARGETS */
  readonly url: string;
  /** The signing secret of events; made here and shown once unless given */
  readonly secret?: string;
  /** Sent with each event, such as authorization; kept sealed and masked in every answer */
  readonly headers?: Readonly<Record<string, string>>;
  /** The events that are sent; null for all */
  readonly events?: readonly ("job.completed" | "job.failed")[] | null;
};

export type JobsBJobInput = {
  /** The page of the job, as a search gives it */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of url */
  readonly job_url?: string;
};

export type JobsBJobJobInput = {
  readonly kind: "jobs-b.job";
  readonly input: JobsBJobInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type JobsBJobResult = {
  readonly provider: "jobs-b";
  readonly job: {
    readonly id: string;
    /** What job is asked for by; null where that is the url */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
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
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type JobsBJobsResult = {
  readonly provider: "jobs-b";
  readonly jobs: readonly ({
    readonly id: string;
    /** What job is asked for by; null where that is the url */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type JobsDJobInput = {
  /** As the search gives it */
  readonly job_id?: string;
  /** The page of the job */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of job_id */
  readonly id?: string;
};

export type JobsDJobJobInput = {
  readonly kind: "jobs-d.job";
  readonly input: JobsDJobInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type JobsDJobResult = {
  readonly provider: "jobs-d";
  readonly job: {
    readonly id: string;
    /** What job is asked for by; null where that is the url */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type JobsDJobsInput = {
  /** Words to search for */
  readonly keywords?: string;
  /** A place in words */
  readonly location?: string;
  /** Miles around location */
  readonly radius?: number;
  /** Only jobs that can be done from anywhere */
  readonly remote?: boolean;
  /** Only jobs of this form of employment */
  readonly employment_type?: "full_time" | "part_time" | "contract" | "third_party";
  /** 1, 3 or 7 */
  readonly posted_within_days?: number;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type JobsDJobsResult = {
  readonly provider: "jobs-d";
  readonly jobs: readonly ({
    readonly id: string;
    /** What job is asked for by; null where that is the url */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type JobsPageResult = Readonly<Record<string, unknown>>;

export type JobsSJobInput = {
  /** As the search gives it */
  readonly job_id?: string;
  /** The page of the job */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of job_id */
  readonly id?: string;
};

export type JobsSJobJobInput = {
  readonly kind: "jobs-s.job";
  readonly input: JobsSJobInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type JobsSJobResult = {
  readonly provider: "jobs-s";
  readonly job: {
    readonly id: string;
    /** What job is asked for by; null where that is the url */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type JobsSJobsInput = {
  /** Words to search for */
  readonly keywords?: string;
  /** A place in words */
  readonly location?: string;
  /** Miles around location */
  readonly radius?: number;
  /** Days since it was posted */
  readonly posted_within_days?: number;
  /** The order of the jobs */
  readonly sort?: "relevance" | "date";
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type JobsSJobsResult = {
  readonly provider: "jobs-s";
  readonly jobs: readonly ({
    readonly id: string;
    /** What job is asked for by; null where that is the url */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type LaunchesLeaderboardCrawlInput = {
  /** What a leaderboard is of */
  readonly period?: "daily" | "weekly" | "monthly" | "yearly";
  /** Any day of it, Pacific time; the present one unless given */
  readonly date?: string;
  /** Instead of date, with month and day, week, or month */
  readonly year?: number;
  /** With year */
  readonly month?: number;
  /** ISO week */
  readonly week?: number;
  /** With year and month */
  readonly day?: number;
  /** Only launches of this topic */
  readonly topic?: string;
  /** Only what the site features */
  readonly featured?: boolean;
  /** Elements to return at most */
  readonly max_results?: number;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type LaunchesLeaderboardCrawlJobInput = {
  readonly kind: "launches.leaderboard.crawl";
  readonly input: LaunchesLeaderboardCrawlInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type LaunchesLeaderboardCrawlResult = {
  readonly provider: "launches";
  readonly period: "daily" | "weekly" | "monthly" | "yearly";
  /** Its first day */
  readonly date: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly topic: string | null;
  /** Whether we left out other topics, or the site did */
  readonly topic_filter: "client" | "site" | null;
  readonly url: string;
  readonly products: readonly ({
    /** On this leaderboard; null while the site shuffles */
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
    /** Leads to the site of the product */
    readonly redirect_url: string | null;
  })[];
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
  /** Pages of the site that products were read from */
  readonly pages_fetched: number;
  /** Whether the list of the site may have more than was returned */
  readonly truncated: boolean;
  /** Whether the list of the site was read to its end */
  readonly exhausted: boolean;
  readonly stop_reason: "exhausted" | "max_results" | "max_pages" | "max_credits" | "credits_exhausted" | "daily_cap" | "failed" | "timeout" | "cancelled" | "interrupted";
};

export type LaunchesLeaderboardInput = {
  /** What a leaderboard is of */
  readonly period?: "daily" | "weekly" | "monthly" | "yearly";
  /** Any day of it, Pacific time; the present one unless given */
  readonly date?: string;
  /** Instead of date, with month and day, week, or month */
  readonly year?: number;
  /** With year */
  readonly month?: number;
  /** ISO week */
  readonly week?: number;
  /** With year and month */
  readonly day?: number;
  /** Only launches of this topic */
  readonly topic?: string;
  /** Only what the site features */
  readonly featured?: boolean;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type LaunchesLeaderboardJobInput = {
  readonly kind: "launches.leaderboard";
  readonly input: LaunchesLeaderboardInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type LaunchesLeaderboardResult = {
  readonly provider: "launches";
  readonly period: "daily" | "weekly" | "monthly" | "yearly";
  /** Its first day */
  readonly date: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly topic: string | null;
  /** Whether we left out other topics, or the site did */
  readonly topic_filter: "client" | "site" | null;
  readonly url: string;
  readonly products: readonly ({
    /** On this leaderboard; null while the site shuffles */
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
    /** Leads to the site of the product */
    readonly redirect_url: string | null;
  })[];
  /** The first launches alone; launches/leaderboard/crawl has all */
  readonly truncated: true;
  readonly count: number;
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type LaunchesMakerInput = {
  /** With or without @; wins over url */
  readonly username?: string;
  /** The profile */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type LaunchesMakerJobInput = {
  readonly kind: "launches.maker";
  readonly input: LaunchesMakerInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
      /** website, or the site that it is on */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type LaunchesProductInput = {
  /** The last part of its address */
  readonly slug?: string;
  /** The number of one of its launches; wins over slug and url */
  readonly id?: string;
  /** Its page, or that of one of its launches */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of slug */
  readonly product?: string;
};

export type LaunchesProductJobInput = {
  readonly kind: "launches.product";
  readonly input: LaunchesProductInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
      /** website, or the site that it is on */
      readonly type: string;
      readonly url: string;
    }[] | null;
  };
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
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
    /** The first characters after qk_; null of a key that was given, or is older than this */
    readonly prefix: string | null;
    /** Whether it opens /v1/admin */
    readonly operator: boolean;
    readonly created_at: string;
    /** Within a minute or so; null where it was not used */
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
    /** The first characters after qk_; null of a key that was given, or is older than this */
    readonly prefix: string | null;
    /** Whether it opens /v1/admin */
    readonly operator: boolean;
    readonly created_at: string;
    /** Within a minute or so; null where it was not used */
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
    /** Empty where it is not set and has no default; secrets are masked */
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
    /** Its name */
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
    /** Since when its calls are refused and its jobs and monitors rest; null unless they are */
    readonly suspended_at: string | null;
    /** Of the running month; null when the plan sets no limit */
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
  /** Values of its query are masked */
  readonly url: string;
  readonly secret_set: true;
  /** failing: the last attempt failed; disabled: it answered 410, or failed for 5 days; a change enables it */
  readonly status: "active" | "failing" | "disabled";
  /** Names; the values are masked */
  readonly headers?: Readonly<Record<string, string>>;
  /** null for all */
  readonly events: readonly string[] | null;
  /** The id of the monitor or job that it belongs to */
  readonly owner_id: string;
  readonly monitor_id?: string;
  readonly job_id?: string;
  /** Of the monitor */
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
  /** The error code, null when the call succeeded */
  readonly code: string | null;
  readonly credits: number;
  readonly tier: "cache" | "http" | "browser" | "proxy" | "proxy_browser" | null;
  readonly duration_ms: number;
  /** What the model read for it, failed calls included; 0 where it was not asked */
  readonly input_tokens: number;
  /** What the model wrote for it */
  readonly output_tokens: number;
  /** Of a failed call: the URL that it asked for, without secrets */
  readonly url: string | null;
  /** Of a failed call: the message of its error, without secrets in its URLs */
  readonly message: string | null;
};

export type LoggedRequestList = {
  readonly data: readonly LoggedRequest[];
  readonly next_cursor: string | null;
};

export type MapInput = {
  /** Where the map starts */
  readonly url: string;
  /** URLs to return at most; above 100 the call becomes a job */
  readonly max_urls?: number;
  /** Words to rank by: more URLs are gathered than returned, and those that fit best come first */
  readonly search?: string;
  /** Where to look: the sitemaps that robots.txt names (robots), else those at the usual places (sitemap), feeds, and the links of pages */
  readonly sources?: readonly ("sitemap" | "robots" | "feed" | "links")[];
  /** Links to follow from the start; the pages of one listing are equally deep */
  readonly max_depth?: number;
  /** Add titles: those of pages that were read, else what a feed or a link calls them */
  readonly include_metadata?: boolean;
  /** How each page is asked for */
  readonly fetch?: {
    /** Request headers; dropped on a redirect to another origin */
    readonly headers?: Readonly<Record<string, string>>;
    /** Request cookies; dropped on a redirect to another origin */
    readonly cookies?: readonly {
      readonly name: string;
      readonly value: string;
    }[];
  };
  /** How far from the start */
  readonly scope?: "path" | "host" | "subdomains" | "domain";
  /** Globs on path and query, or re: and an RE2 expression; only these are followed */
  readonly include?: readonly string[];
  /** The same for what is left out */
  readonly exclude?: readonly string[];
  /** Links of one pattern of paths, such as /maze/*, that are followed, against sites without end; what sitemaps name is not counted */
  readonly max_per_pattern?: number;
  /** Follow links that differ only behind #/ or #! as pages of their own; a browser shows every page */
  readonly hash_routes?: boolean;
  /** How far to escalate: basic never uses a proxy, auto climbs as needed (default on paid plans), stealth goes straight to the hardened browser */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Wall clock in ms; above the plan's inline limit the call becomes a job */
  readonly timeout_ms?: number;
  /** Obey robots.txt, also where a redirect leads; a crawl stores no page that says noindex */
  readonly respect_robots?: boolean;
  /** With cookies, a session or a login in headers: follow links that log out, delete, unsubscribe or fill a cart */
  readonly follow_actions?: boolean;
  /** Fixed gap between two starts at one host in ms; robots.txt may ask for a longer one */
  readonly delay_ms?: number;
  /** Ceiling for what the call may cost */
  readonly max_credits?: number;
  /** Name of a session: its cookies and local storage are sent and kept, so that a login lasts; made on first use */
  readonly session?: string;
};

export type MapJobInput = {
  readonly kind: "map";
  readonly input: MapInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type MapResult = {
  readonly url: string;
  readonly urls: readonly MappedUrl[];
  /** URLs that were found, returned or not */
  readonly total: number;
  /** Whether more were found than are returned */
  readonly truncated: boolean;
  /** Whether nothing in reach was left out, as far as pages and sitemaps tell */
  readonly complete: boolean;
  readonly stop_reason: "exhausted" | "max_urls" | "answer_full" | "max_depth" | "timeout" | "max_credits" | "credits_exhausted" | "daily_cap" | "cancelled" | "interrupted" | "robots" | "blocked" | "login_required";
  readonly sources: Readonly<Record<string, {
    /** URLs that were met here first */
    readonly found: number;
    /** Files or pages that were read */
    readonly read: number;
    /** Addresses that were left out */
    readonly refused: number;
    readonly errors: readonly PageError[];
  }>>;
  readonly warnings: readonly Warning[];
};

export type MappedUrl = {
  readonly url: string;
  readonly title?: string;
  /** A day or an instant, as a sitemap or feed says */
  readonly lastmod?: string;
  /** Where the URL was met first */
  readonly source: "seed" | "sitemap" | "robots" | "feed" | "links";
  /** Links from the start, where it was met as a link */
  readonly depth?: number;
};

export type Metadata = {
  readonly title: string | null;
  readonly description: string | null;
  readonly language: string | null;
  readonly canonical_url: string | null;
  readonly image: string | null;
  readonly site_name: string | null;
  /** Names joined by a comma */
  readonly author: string | null;
  /** The calendar day as the source writes it */
  readonly published_date: string | null;
  /** The instant, where the source has one */
  readonly published_at: string | null;
  readonly modified_at: string | null;
  readonly charset: string | null;
  readonly word_count: number;
  /** Pages of a PDF, slides of a presentation */
  readonly page_count?: number;
  /** The page after this one, of an article or listing parted over several */
  readonly next_url?: string;
  /** The page before this one */
  readonly prev_url?: string;
  /** The AMP page of the same */
  readonly amp_url?: string;
  /** The print view of the same */
  readonly print_url?: string;
};

export type Metered = {
  /** Identifies the request */
  readonly request_id: string;
  readonly usage: Usage;
};

export type MicroblogPostInput = {
  /** A number, an at:// address, or the address of the post; wins over url */
  readonly id?: string;
  /** The page of the post */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type MicroblogPostJobInput = {
  readonly kind: "microblog.post";
  readonly input: MicroblogPostInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MicroblogPostsInput = {
  /** A name (harrow), a name with its domain (harrow.example), or a name at a server (harrow@mills.example) */
  readonly username?: string;
  /** The page of the profile; username wins over it */
  readonly url?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MicroblogProfileInput = {
  /** A name (harrow), a name with its domain (harrow.example), or a name at a server (harrow@mills.example) */
  readonly username?: string;
  /** The page of the profile; username wins over it */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly handle?: string;
  /** Alias of username */
  readonly user?: string;
};

export type MicroblogProfileJobInput = {
  readonly kind: "microblog.profile";
  readonly input: MicroblogProfileInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MicroblogSearchInput = {
  /** Words to search for; on mastodon one hashtag */
  readonly search?: string;
  /** Where to search; x shows results only to those who are logged in, and is often target_blocked */
  readonly network?: "bluesky" | "mastodon" | "x";
  /** The order; hashtags of mastodon always come latest first */
  readonly sort?: "top" | "latest";
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ModelUse = {
  /** The outputs that it made, each charged */
  readonly outputs: readonly ("json" | "summary")[];
  /** The members of json that come from it and not from the page */
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
  /** The site of a hotel monitor that watches one */
  readonly provider?: string;
  readonly property_id?: string;
  /** Of a hotel monitor that watches several sites */
  readonly channels?: readonly {
    readonly provider: string;
    readonly property_id: string;
  }[];
  readonly check_in?: string;
  readonly check_out?: string;
  readonly adults?: number;
  readonly children?: readonly number[] | number;
  readonly rooms?: number;
  /** That of the property from the first run on, where none was asked for */
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
  /** Null for a monitor that only runs when it is triggered */
  readonly cron: string | null;
  readonly timezone: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly active: boolean;
  readonly inactive_reason: "user" | "expired" | "failing" | "plan" | "credits" | null;
  readonly health: "ok" | "failing" | "waiting_first_run";
  readonly consecutive_failures: number;
  /** Ticks before this instant are skipped, because runs failed */
  readonly backoff_until: string | null;
  /** When the next run starts: a tick and its delay; null where none will */
  readonly next_run_at: string | null;
  readonly last_run_at: string | null;
  readonly last_change_at: string | null;
  readonly current_run_id: string | null;
  /** True in a list that shows a long definition cut; the monitor itself has it whole */
  readonly summarized?: boolean;
  /** Ticks of 30 days, each at the price of the last completed run */
  readonly estimated_credits_per_month: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** Its secret is shown by the answer that made it, and never again */
  readonly webhook: Webhook | null;
};

export type MonitorChangeDetectedEvent = {
  /** Equals webhook-id; the same at every attempt */
  readonly id: string;
  readonly type: "monitor.change_detected";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly monitor_id: string;
  readonly monitor: WatchingMonitor;
  /** That of the monitor */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly run_id: string;
  readonly change_id: string;
  readonly first_run?: true;
  /** The body was too long: lists and texts of data are cut */
  readonly truncated?: true;
  /** With truncated: the path of the complete record */
  readonly url?: string;
  readonly data: {
    readonly changes: readonly FieldChange[];
    readonly truncated?: true;
    readonly content?: ContentChange;
  } | {
    readonly previous_price: number | null;
    readonly current_price: number | null;
    /** Null where one of the prices is */
    readonly diff: PriceMove | null;
    readonly params: StayParams;
    readonly currency: string | null;
  };
};

export type MonitorDigestEvent = {
  /** Equals webhook-id; the same at every attempt */
  readonly id: string;
  readonly type: "monitor.digest";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly monitor_id: string;
  readonly monitor: WatchingMonitor;
  /** That of the monitor */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The body was too long: lists and texts of data are cut */
  readonly truncated?: true;
  /** With truncated: the path of the complete record */
  readonly url?: string;
  readonly data: {
    readonly period: {
      readonly from: string;
      readonly to: string;
    };
    readonly changes_count: number;
    /** The first hundred */
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
    /** There are more than items has */
    readonly truncated?: true;
  };
};

export type MonitorFailing = {
  /** Runs in a row that failed or were skipped, since it was last switched on or rescheduled */
  readonly runs_without_result: number;
  /** When the first of them ended; null where there is none */
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
  /** Equals webhook-id; the same at every attempt */
  readonly id: string;
  readonly type: "monitor.failing";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly monitor_id: string;
  readonly monitor: WatchingMonitor;
  /** That of the monitor */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly run_id: string;
  /** The body was too long: lists and texts of data are cut */
  readonly truncated?: true;
  /** With truncated: the path of the complete record */
  readonly url?: string;
  readonly data: MonitorFailing;
};

export type MonitorList = {
  readonly data: readonly Monitor[];
  readonly next_cursor: string | null;
};

export type MonitorRateParityAlertEvent = {
  /** Equals webhook-id; the same at every attempt */
  readonly id: string;
  readonly type: "monitor.rate_parity_alert";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly monitor_id: string;
  readonly monitor: WatchingMonitor;
  /** That of the monitor */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly run_id: string;
  readonly change_id: string;
  /** The body was too long: lists and texts of data are cut */
  readonly truncated?: true;
  /** With truncated: the path of the complete record */
  readonly url?: string;
  readonly data: RateParityAlert;
};

export type MonitorRecovered = {
  /** Runs in a row that failed or were skipped, since it was last switched on or rescheduled */
  readonly runs_without_result: number;
  /** When the first of them ended; null where there is none */
  readonly since: string | null;
};

export type MonitorRecoveredEvent = {
  /** Equals webhook-id; the same at every attempt */
  readonly id: string;
  readonly type: "monitor.recovered";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly monitor_id: string;
  readonly monitor: WatchingMonitor;
  /** That of the monitor */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly run_id: string;
  /** The body was too long: lists and texts of data are cut */
  readonly truncated?: true;
  /** With truncated: the path of the complete record */
  readonly url?: string;
  readonly data: MonitorRecovered;
};

export type MonitorSeries = {
  readonly monitor_id: string;
  /** Of the first run that was looked at */
  readonly from: string;
  readonly to: string;
  readonly fields: readonly ({
    readonly field: string;
    /** The currency of money */
    readonly unit: string | null;
    readonly points: readonly {
      readonly at: string;
      /** The last of the runs of this point */
      readonly value: number;
      readonly min: number;
      readonly max: number;
    }[];
  })[];
  /** The last thousand runs that found a change, saw nothing, or began the comparison anew */
  readonly marks: readonly ({
    readonly at: string;
    readonly kind: "change" | "failed" | "skipped" | "reset";
    readonly run_id: string;
  })[];
  /** Whether older runs were left out */
  readonly cut: boolean;
};

export type MonitorStopped = {
  /** failing: switched off after too many failures; expired: there is nothing to watch any more; suspended: the operator has suspended the tenant, and it goes on by itself when that ends */
  readonly reason: "failing" | "expired" | "suspended";
  /** Runs in a row that failed or were skipped, since it was last switched on or rescheduled */
  readonly runs_without_result: number;
  /** When the first of them ended; null where there is none */
  readonly since: string | null;
  /** Of the run that failed last, where that is the reason */
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly retryable: boolean;
    readonly blocked?: boolean;
    readonly timed_out?: boolean;
  } | null;
};

export type MonitorStoppedEvent = {
  /** Equals webhook-id; the same at every attempt */
  readonly id: string;
  readonly type: "monitor.stopped";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly monitor_id: string;
  readonly monitor: WatchingMonitor;
  /** That of the monitor */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The run that failed last, where that is the reason */
  readonly run_id?: string;
  /** The body was too long: lists and texts of data are cut */
  readonly truncated?: true;
  /** With truncated: the path of the complete record */
  readonly url?: string;
  readonly data: MonitorStopped;
};

export type MonitorWebhookInput = string | {
  /** Where events are sent; https, or http for hosts in QUERN_ALLOW_TARGETS */
  readonly url: string;
  /** The signing secret of events; made here and shown once unless given */
  readonly secret?: string;
  /** Sent with each event, such as authorization; kept sealed and masked in every answer */
  readonly headers?: Readonly<Record<string, string>>;
  /** The events that are sent; null for all */
  readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
};

export type MusiccatalogAlbumInput = {
  /** Its number, or its address; wins over url */
  readonly id?: string;
  /** Its address */
  readonly url?: string;
  /** Storefront, ISO 3166-1; that of the address, else US */
  readonly country?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of country */
  readonly geo?: string;
};

export type MusiccatalogAlbumJobInput = {
  readonly kind: "musiccatalog.album";
  readonly input: MusiccatalogAlbumInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** As the site says; it may hold more than tracks lists */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusiccatalogArtistInput = {
  /** Its number, or its address; wins over url */
  readonly id?: string;
  /** Its address */
  readonly url?: string;
  /** Storefront, ISO 3166-1; that of the address, else US */
  readonly country?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of country */
  readonly geo?: string;
};

export type MusiccatalogArtistJobInput = {
  readonly kind: "musiccatalog.artist";
  readonly input: MusiccatalogArtistInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type MusiccatalogArtistResult = {
  readonly provider: "musiccatalog";
  readonly artist: {
    readonly id: string;
    readonly name: string;
    readonly url: string;
    readonly genres: readonly string[] | null;
    /** From the page of the artist alone */
    readonly image_url: string | null;
    /** From the page of the artist alone */
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
      /** As the site says; it may hold more than tracks lists */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusiccatalogSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** What to look for; of several, the results of each page come type by type */
  readonly type?: readonly ("song" | "album" | "artist" | "playlist")[];
  /** Storefront, ISO 3166-1 */
  readonly country?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** As the site says; it may hold more than tracks lists */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusiccatalogTrackInput = {
  /** Its number, or its address; wins over url */
  readonly id?: string;
  /** Its address */
  readonly url?: string;
  /** Storefront, ISO 3166-1; that of the address, else US */
  readonly country?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of country */
  readonly geo?: string;
};

export type MusiccatalogTrackJobInput = {
  readonly kind: "musiccatalog.track";
  readonly input: MusiccatalogTrackInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusicstreamAlbumInput = {
  /** 22 letters and digits, a URI or an address; wins over url */
  readonly id?: string;
  /** Its address */
  readonly url?: string;
  /** Language of names and texts, BCP 47 */
  readonly language?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of language */
  readonly locale?: string;
};

export type MusicstreamAlbumJobInput = {
  readonly kind: "musicstream.album";
  readonly input: MusicstreamAlbumInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
      /** Where the request came from */
      readonly playable: boolean | null;
      readonly preview_url: string | null;
      readonly track_number: number | null;
      readonly disc_number: number | null;
      readonly play_count: number | null;
      readonly release_date: string | null;
      /** Only from the documented interface, with the operator’s application */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusicstreamArtistInput = {
  /** 22 letters and digits, a URI or an address; wins over url */
  readonly id?: string;
  /** Its address */
  readonly url?: string;
  /** Language of names and texts, BCP 47 */
  readonly language?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of language */
  readonly locale?: string;
};

export type MusicstreamArtistJobInput = {
  readonly kind: "musicstream.artist";
  readonly input: MusicstreamArtistInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Null for those who are not among the first */
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
        /** A day, a month or a year, as far as it is known */
        readonly release_date: string | null;
        readonly image_url: string | null;
        readonly total_tracks: number | null;
      } | null;
      readonly duration_ms: number | null;
      readonly explicit: boolean | null;
      /** Where the request came from */
      readonly playable: boolean | null;
      readonly preview_url: string | null;
      readonly track_number: number | null;
      readonly disc_number: number | null;
      readonly play_count: number | null;
      readonly release_date: string | null;
      /** Only from the documented interface, with the operator’s application */
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
      /** A day, a month or a year, as far as it is known */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusicstreamPlaylistInput = {
  /** 22 letters and digits, a URI or an address; wins over url */
  readonly id?: string;
  /** Its address */
  readonly url?: string;
  /** Language of names and texts, BCP 47 */
  readonly language?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of language */
  readonly locale?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type MusicstreamPlaylistJobInput = {
  readonly kind: "musicstream.playlist";
  readonly input: MusicstreamPlaylistInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type MusicstreamPlaylistResult = {
  readonly provider: "musicstream";
  /** Null where a page after the first does not tell it */
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
      /** A day, a month or a year, as far as it is known */
      readonly release_date: string | null;
      readonly image_url: string | null;
      readonly total_tracks: number | null;
    } | null;
    readonly duration_ms: number | null;
    readonly explicit: boolean | null;
    /** Where the request came from */
    readonly playable: boolean | null;
    readonly preview_url: string | null;
    readonly track_number: number | null;
    readonly disc_number: number | null;
    readonly play_count: number | null;
    readonly release_date: string | null;
    /** Only from the documented interface, with the operator’s application */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusicstreamPodcastInput = {
  /** 22 letters and digits, a URI or an address; wins over url */
  readonly id?: string;
  /** Its address */
  readonly url?: string;
  /** Language of names and texts, BCP 47 */
  readonly language?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of language */
  readonly locale?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type MusicstreamPodcastJobInput = {
  readonly kind: "musicstream.podcast";
  readonly input: MusicstreamPodcastInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type MusicstreamPodcastResult = {
  readonly provider: "musicstream";
  /** Null where a page after the first does not tell it */
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
    /** Up to 5 */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusicstreamSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** What to look for; several at once, each with a list of its own */
  readonly type?: readonly ("track" | "artist" | "album" | "playlist" | "podcast" | "episode")[];
  /** Language of names and texts, BCP 47 */
  readonly language?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type MusicstreamSearchResult = {
  readonly provider: "musicstream";
  /** A list for each type that was asked for, null for the others */
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
        /** A day, a month or a year, as far as it is known */
        readonly release_date: string | null;
        readonly image_url: string | null;
        readonly total_tracks: number | null;
      } | null;
      readonly duration_ms: number | null;
      readonly explicit: boolean | null;
      /** Where the request came from */
      readonly playable: boolean | null;
      readonly preview_url: string | null;
      readonly track_number: number | null;
      readonly disc_number: number | null;
      readonly play_count: number | null;
      readonly release_date: string | null;
      /** Only from the documented interface, with the operator’s application */
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
      /** A day, a month or a year, as far as it is known */
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
      /** Up to 5 */
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
  /** How many there are of each type */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type MusicstreamTrackInput = {
  /** 22 letters and digits, a URI or an address; wins over url */
  readonly id?: string;
  /** Its address */
  readonly url?: string;
  /** Language of names and texts, BCP 47 */
  readonly language?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of language */
  readonly locale?: string;
};

export type MusicstreamTrackJobInput = {
  readonly kind: "musicstream.track";
  readonly input: MusicstreamTrackInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
      /** A day, a month or a year, as far as it is known */
      readonly release_date: string | null;
      readonly image_url: string | null;
      readonly total_tracks: number | null;
    } | null;
    readonly duration_ms: number | null;
    readonly explicit: boolean | null;
    /** Where the request came from */
    readonly playable: boolean | null;
    readonly preview_url: string | null;
    readonly track_number: number | null;
    readonly disc_number: number | null;
    readonly play_count: number | null;
    readonly release_date: string | null;
    /** Only from the documented interface, with the operator’s application */
    readonly isrc: string | null;
    /** The widest first */
    readonly images: readonly ({
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    })[] | null;
  };
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type OwnKey = {
  readonly id: string;
  readonly name: string;
  /** The first characters after qk_; null of a key that was given */
  readonly prefix: string | null;
  /** Whether it opens /v1/admin */
  readonly operator: boolean;
  readonly created_at: string;
  /** Within a minute or so; null where it was not used */
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** Whether it is the one of this call */
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
  readonly json?: Readonly<Record<string, unknown>>;
  /** What the page has where a member of json is empty because it cannot be read as its type */
  readonly json_unread?: Readonly<Record<string, string>>;
  /** The screenshot; null where the target is nothing that a browser shows */
  readonly screenshot?: Artifact | null;
  /** The page as PDF; null where the target is nothing that a browser shows */
  readonly pdf?: Artifact | null;
  /** What the page says in a few sentences; empty where the model declined */
  readonly summary?: string;
  /** What the model had a part in, where it was asked */
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

export type PageError = {
  readonly url: string;
  readonly status_code?: number;
  readonly code: string;
  readonly message: string;
};

export type PinboardPinInput = {
  /** The page of the pin, short or whole */
  readonly url?: string;
  /** Its number */
  readonly id?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type PinboardPinJobInput = {
  readonly kind: "pinboard.pin";
  readonly input: PinboardPinInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Where it leads outside of the site */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type PinboardPinsInput = {
  /** The name in the address of the account, with or without @ */
  readonly username?: string;
  /** The page of the account */
  readonly url?: string;
  /** Pins that the account made, or all that it keeps */
  readonly type?: "created" | "saved";
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of limit */
  readonly per_page?: number;
};

export type PinboardPinsJobInput = {
  readonly kind: "pinboard.pins";
  readonly input: PinboardPinsInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Where it leads outside of the site */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type PinboardProfileInput = {
  /** The name in the address of the account, with or without @ */
  readonly username?: string;
  /** The page of the account */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type PinboardProfileJobInput = {
  readonly kind: "pinboard.profile";
  readonly input: PinboardProfileInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type PinboardSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Where it leads outside of the site */
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
  /** The site does not tell how many there are */
  readonly total: null;
  /** Null at the end */
  readonly next_cursor: string | null;
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type PreviewScheduleResult = {
  readonly cron: string;
  readonly timezone: string;
  readonly next: readonly string[];
  /** The same on the clocks of the zone: 2026-11-24 09:00 */
  readonly local: readonly string[];
  /** Null where it comes once */
  readonly shortest_gap_minutes: number | null;
  /** Whether your plan lets a monitor run so often */
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
  /** Only those of this monitor */
  readonly monitor_id?: string;
  /** Only those of this job */
  readonly job_id?: string;
};

export type RedeliverAllResult = {
  readonly redelivered: number;
  /** Given up and not sent again by this call; those of disabled webhooks are not among them */
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

export type RetailAvailabilityInput = {
  /** The number of the product, or its address */
  readonly id: string;
  /** The number of a store, as /stores gives it */
  readonly store_id?: string;
  /** Where the buyer is */
  readonly zip?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type RetailAvailabilityJobInput = {
  readonly kind: "retail.availability";
  readonly input: RetailAvailabilityInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type RetailProductInput = {
  /** The number of a product of the first chain, or an address; wins over url */
  readonly id?: string;
  /** The page of a product of any of the chains */
  readonly url?: string;
  /** The number of a store, as /stores gives it */
  readonly store_id?: string;
  /** Where the buyer is */
  readonly zip?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type RetailProductJobInput = {
  readonly kind: "retail.product";
  readonly input: RetailProductInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type RetailSearchInput = {
  /** Words to search for at the first chain */
  readonly search?: string;
  /** A category of the furniture chain instead of search */
  readonly url?: string;
  /** The page of results */
  readonly page?: number;
  /** The order of the products */
  readonly sort?: "relevance" | "featured" | "price_asc" | "price_desc" | "rating" | "bestselling" | "newest";
  /** The number of a store, as /stores gives it */
  readonly store_id?: string;
  /** Where the buyer is */
  readonly zip?: string;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type RetailStoresInput = {
  /** A place */
  readonly query?: string;
  /** Where the buyer is */
  readonly zip?: string;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type RetailStoresJobInput = {
  readonly kind: "retail.stores";
  readonly input: RetailStoresInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type RotateKeyInput = {
  /** How long the old key still works */
  readonly overlap_seconds?: number;
  /** When the key expires, ISO 8601 UTC; never unless given */
  readonly expires_at?: string;
};

export type RotateKeyResult = {
  readonly id: string;
  readonly tenant_id: string;
  /** The key itself, shown this once */
  readonly key: string;
  readonly expires_at: string | null;
};

export type RotateWebhookSecretInput = {
  /** The new secret; made here and shown once unless given */
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
  /** Of a catch_up: ticks without a run, this one included */
  readonly missed_ticks?: number;
  readonly first_run: boolean;
  /** The comparison restarted, because the watched target was changed */
  readonly baseline_reset?: boolean;
  /** Prices were compared with nothing: what they include is another now */
  readonly rebased?: boolean;
  readonly changed: boolean;
  readonly change_id: string | null;
  /** Observed values by field */
  readonly values: Readonly<Record<string, unknown>>;
  readonly field_meta: Readonly<Record<string, {
    readonly source: string;
  }>>;
  readonly content_hash?: string | null;
  /** The rate of each channel, or why it has none */
  readonly channels?: readonly Readonly<Record<string, unknown>>[];
  /** The distance between the prices of the channels */
  readonly spread?: Spread | null;
  /** Why there is no spread */
  readonly reason?: "insufficient_channels" | "currency_mismatch";
  readonly warnings: readonly string[];
  readonly tier: string | null;
  readonly final_url: string | null;
  readonly http_status: number | null;
  /** Null for a run that did not complete: it is free */
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
  /** Of the rounds of this process */
  readonly state: "started" | "running" | "idle";
  /** The last run of each round in the process that answers */
  readonly rounds: readonly ({
    readonly name: string;
    readonly started_at: string;
    readonly duration_ms: number;
    readonly outcome: "done" | "failed";
  })[];
};

/** How output screenshot is taken */
export type ScreenshotInput = {
  /** All of the page instead of what a window shows of it */
  readonly full_page?: boolean;
  readonly format?: "png" | "jpeg" | "webp";
};

export type SearchEngine = {
  readonly name: string;
  readonly status: "ok" | "empty" | "blocked" | "timeout" | "error" | "skipped";
  /** Why, where the status alone does not say it */
  readonly reason: string | null;
  readonly results: number;
  /** Results whose address is none that one may visit */
  readonly dropped: number;
  readonly took_ms: number;
};

export type SerpSearchInput = {
  /** The engine; searxng is an instance of the operator */
  readonly engine?: "google" | "bing" | "duckduckgo" | "brave" | "mojeek" | "yandex" | "baidu" | "ecosia" | "searxng";
  /** What is looked for; engines get its first 2,000 characters, or as many as take 4,000 in an address */
  readonly search?: string;
  /** ISO 3166-1 code or English name */
  readonly country?: string;
  /** Language of the results, where the engine takes one: a tag such as de, or a name such as German */
  readonly language?: string;
  /** The page of results */
  readonly page?: number;
  /** How much is left out, where the engine takes that */
  readonly safe?: "off" | "moderate" | "strict";
  /** How old results may be; refused where the engine has no such choice */
  readonly time_range?: "day" | "week" | "month" | "year";
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Where it was found */
    readonly url: string;
  };
  readonly organic_results: readonly WebsearchResult[];
  readonly paid_results: readonly WebsearchResult[];
  readonly features: EngineFeatures;
  /** What of the input was adjusted; absent where nothing was */
  readonly warnings?: readonly Warning[];
};

export type Session = {
  readonly name: string;
  /** Hosts that have a cookie or storage in it */
  readonly hosts: readonly string[];
  readonly cookies: number;
  readonly storage_items: number;
  readonly bytes: number;
  /** Days that it is kept after its last use */
  readonly idle_days: number;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
};

export type SessionContents = {
  readonly name: string;
  /** Hosts that have a cookie or storage in it */
  readonly hosts: readonly string[];
  readonly cookies: number;
  readonly storage_items: number;
  readonly bytes: number;
  /** Days that it is kept after its last use */
  readonly idle_days: number;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
  /** Without the values, which nobody is shown */
  readonly cookie_list: readonly ({
    readonly name: string;
    readonly host: string;
    /** Whether it is for the hosts below too */
    readonly subdomains: boolean;
    readonly path: string;
    readonly secure: boolean;
    readonly http_only: boolean;
    readonly same_site: "strict" | "lax" | "none" | null;
    /** null where it ends with the session */
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
  /** Product code of ten characters; wins over url */
  readonly asin?: string;
  /** Address of the product */
  readonly url?: string;
  /** Marketplace; that of url, else com */
  readonly domain?: "com" | "co.uk" | "de" | "fr" | "it" | "es" | "co.jp" | "ca" | "com.au" | "in" | "com.mx" | "com.br" | "nl" | "se" | "pl" | "com.tr" | "ae" | "sa" | "sg" | "eg" | "com.be";
  /** Language of the page, as the marketplace offers it */
  readonly language?: string;
  /** Only offers in that state */
  readonly condition?: "any" | "new" | "used";
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of asin */
  readonly id?: string;
  /** Alias of asin */
  readonly product_code?: string;
};

export type ShopAPricingJobInput = {
  readonly kind: "shop-a.pricing";
  readonly input: ShopAPricingInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type ShopAPricingResult = {
  readonly provider: "shop-a";
  readonly pricing: {
    readonly asin: string;
    readonly url: string;
    readonly title: string | null;
    /** ISO 4217; that of the visitor, not of the marketplace */
    readonly currency: string | null;
    readonly buy_box: {
      readonly seller: {
        readonly id: string | null;
        readonly name: string;
      } | null;
      readonly price: number | null;
      /** 0 where it is free, null where it is not told */
      readonly shipping: number | null;
      readonly total: number | null;
      readonly condition: "new" | "used" | "refurbished" | "collectible" | null;
      readonly condition_text: string | null;
      readonly ships_from: string | null;
      readonly fulfilled_by_shop: boolean | null;
      readonly is_prime: boolean | null;
      readonly delivery_text: string | null;
      /** The site does not tell */
      readonly quantity: number | null;
    } | null;
    readonly offers: readonly ({
      readonly seller: {
        readonly id: string | null;
        readonly name: string;
      } | null;
      readonly price: number | null;
      /** 0 where it is free, null where it is not told */
      readonly shipping: number | null;
      readonly total: number | null;
      readonly condition: "new" | "used" | "refurbished" | "collectible" | null;
      readonly condition_text: string | null;
      readonly ships_from: string | null;
      readonly fulfilled_by_shop: boolean | null;
      readonly is_prime: boolean | null;
      readonly delivery_text: string | null;
      /** The site does not tell */
      readonly quantity: number | null;
    })[] | null;
    readonly offers_count: number | null;
    /** Of the buy box and the offers; on the first page alone */
    readonly lowest_new: number | null;
    /** The same */
    readonly lowest_used: number | null;
    readonly checked_at: string | null;
  };
  /** Null at the end */
  readonly next_cursor: string | null;
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShopAProductInput = {
  /** Product code of ten characters; wins over url */
  readonly asin?: string;
  /** Address of the product */
  readonly url?: string;
  /** Marketplace; that of url, else com */
  readonly domain?: "com" | "co.uk" | "de" | "fr" | "it" | "es" | "co.jp" | "ca" | "com.au" | "in" | "com.mx" | "com.br" | "nl" | "se" | "pl" | "com.tr" | "ae" | "sa" | "sg" | "eg" | "com.be";
  /** Language of the page, as the marketplace offers it */
  readonly language?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of asin */
  readonly id?: string;
  /** Alias of asin */
  readonly product_code?: string;
};

export type ShopAProductJobInput = {
  readonly kind: "shop-a.product";
  readonly input: ShopAProductInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** ISO 4217; that of the visitor, not of the marketplace */
    readonly currency: string | null;
    readonly price_text: string | null;
    readonly list_price: number | null;
    readonly savings_percent: number | null;
    /** Where in the page the price stood */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShopASearchCrawlInput = {
  /** Words to search for */
  readonly search?: string;
  /** Marketplace */
  readonly domain?: "com" | "co.uk" | "de" | "fr" | "it" | "es" | "co.jp" | "ca" | "com.au" | "in" | "com.mx" | "com.br" | "nl" | "se" | "pl" | "com.tr" | "ae" | "sa" | "sg" | "eg" | "com.be";
  /** Which page of results; cursor wins */
  readonly page?: number;
  /** The order of the results */
  readonly sort?: "relevance" | "price_asc" | "price_desc" | "rating" | "newest" | "bestselling";
  /** At least, in the shop's currency */
  readonly min_price?: number;
  /** At most, in the shop's currency */
  readonly max_price?: number;
  /** Department, as the site names it in addresses */
  readonly category?: string;
  /** Language of the page, as the marketplace offers it */
  readonly language?: string;
  /** Pages of the site to read at most */
  readonly max_pages?: number;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Place on its page, advertisements included */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
  /** Pages of the site that results were read from */
  readonly pages_fetched: number;
  /** Whether the list of the site may have more than was returned */
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
  /** Which page of results; cursor wins */
  readonly page?: number;
  /** The order of the results */
  readonly sort?: "relevance" | "price_asc" | "price_desc" | "rating" | "newest" | "bestselling";
  /** At least, in the shop's currency */
  readonly min_price?: number;
  /** At most, in the shop's currency */
  readonly max_price?: number;
  /** Department, as the site names it in addresses */
  readonly category?: string;
  /** Language of the page, as the marketplace offers it */
  readonly language?: string;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Place on its page, advertisements included */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShopWProductInput = {
  /** The number of the product; wins over url */
  readonly id?: string;
  /** Its page */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type ShopWProductJobInput = {
  readonly kind: "shop-w.product";
  readonly input: ShopWProductInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type ShopWProductResult = {
  readonly provider: "shop-w";
  readonly product: {
    /** That of the product that the site shows, where it leads to another */
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
      /** The name that customers see */
      readonly name: string | null;
      /** The name that the seller is registered by */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShortvideoCommentsInput = {
  /** The number of the video, or its address; wins over url */
  readonly id?: string;
  /** The page of the video */
  readonly url?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of limit */
  readonly per_page?: number;
};

export type ShortvideoCommentsJobInput = {
  readonly kind: "shortvideo.comments";
  readonly input: ShortvideoCommentsInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShortvideoHashtagInput = {
  /** With or without #; wins over url */
  readonly hashtag?: string;
  /** The page of the hashtag */
  readonly url?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Of a series of pictures */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShortvideoProfileInput = {
  /** With or without @; wins over url */
  readonly username?: string;
  /** The page of the profile */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly handle?: string;
  /** Alias of username */
  readonly user?: string;
};

export type ShortvideoProfileJobInput = {
  readonly kind: "shortvideo.profile";
  readonly input: ShortvideoProfileInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShortvideoSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Of a series of pictures */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShortvideoVideoInput = {
  /** The number of the video, or its address; wins over url */
  readonly id?: string;
  /** The page of the video */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type ShortvideoVideoJobInput = {
  readonly kind: "shortvideo.video";
  readonly input: ShortvideoVideoInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Of a series of pictures */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type ShortvideoVideosInput = {
  /** With or without @; wins over url */
  readonly username?: string;
  /** The page of the profile */
  readonly url?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Of a series of pictures */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SiteHealth = {
  readonly endpoint: string;
  readonly site: string;
  /** The domains that it reads; none where backends answer */
  readonly domains: readonly string[];
  /** Whether it was proven on a page that the site sent; null where backends of the operator answer */
  readonly verified: boolean | null;
  /** Calls that were answered */
  readonly served: number;
  /** How its late calls went; unused where it was never asked */
  readonly level: "good" | "degraded" | "broken" | "unused";
  /** What its last record was read from */
  readonly source: string | null;
  readonly last_success_at: string | null;
  readonly last_failure_at: string | null;
  /** The code */
  readonly last_failure: string | null;
  readonly failed_in_row: number;
  readonly empty_in_row: number;
  /** Share of late answers that had something at each path */
  readonly fill: Readonly<Record<string, number>>;
};

export type SocialnetAdLibraryAdInput = {
  /** Number of the ad in the library; wins over url */
  readonly id?: string;
  /** Address of the ad in the library */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of id */
  readonly ad_archive_id?: string;
  /** Alias of id */
  readonly archive_id?: string;
};

export type SocialnetAdLibraryAdJobInput = {
  readonly kind: "socialnet.adLibrary.ad";
  readonly input: SocialnetAdLibraryAdInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** The last day on which it was shown; moves on while it is active */
    readonly end_date: string | null;
    readonly platforms: readonly string[] | null;
    /** As image, video, carousel, dco, dpa, text */
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
    /** Advertisements that share its text and pictures */
    readonly variants_count: number | null;
    readonly collation_id: string | null;
    readonly currency: string | null;
    readonly spend_text: string | null;
    readonly impressions_text: string | null;
    readonly reach_estimate: string | null;
    /** Who paid for it, where it is about politics */
    readonly byline: string | null;
    readonly disclaimer: string | null;
    readonly categories: readonly string[] | null;
    readonly countries: readonly string[] | null;
    readonly contains_ai_media: boolean | null;
    /** What the law of the European Union or the United Kingdom wants told; null where the page told nothing */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetAdLibraryCompanyAdsInput = {
  /** Number of the page that advertises; wins over url */
  readonly page_id?: string;
  /** Address of the page that advertises */
  readonly url?: string;
  /** Whether the ads still run */
  readonly active_status?: "active" | "inactive" | "all";
  /** ISO 3166-1 code of the country where it is shown, or ALL */
  readonly country?: string;
  /** Only ads of this kind */
  readonly ad_type?: "all" | "political_and_issue_ads";
  /** Only ads that show this */
  readonly media_type?: "all" | "image" | "video" | "meme" | "none";
  /** Only ads shown on one of these */
  readonly platforms?: readonly ("facebook" | "instagram" | "messenger" | "audience_network" | "whatsapp" | "threads")[];
  /** ISO 639 codes of the language of the text */
  readonly languages?: readonly string[];
  /** First shown on this day or later */
  readonly start_date_min?: string;
  /** First shown on this day or earlier */
  readonly start_date_max?: string;
  /** The order of the ads */
  readonly sort?: "total_impressions" | "relevancy_monthly_grouped";
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of page_id */
  readonly id?: string;
  /** Alias of limit */
  readonly per_page?: number;
};

export type SocialnetAdLibraryCompanyAdsJobInput = {
  readonly kind: "socialnet.adLibrary.company.ads";
  readonly input: SocialnetAdLibraryCompanyAdsInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetAdLibraryCompanyAdsResult = {
  readonly provider: "socialnet";
  /** How many the library says there are */
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
    /** The last day on which it was shown; moves on while it is active */
    readonly end_date: string | null;
    readonly platforms: readonly string[] | null;
    /** As image, video, carousel, dco, dpa, text */
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
    /** Advertisements that share its text and pictures */
    readonly variants_count: number | null;
    readonly collation_id: string | null;
    readonly currency: string | null;
    readonly spend_text: string | null;
    readonly impressions_text: string | null;
    readonly reach_estimate: string | null;
    /** Who paid for it, where it is about politics */
    readonly byline: string | null;
    readonly disclaimer: string | null;
    readonly categories: readonly string[] | null;
    readonly countries: readonly string[] | null;
    readonly contains_ai_media: boolean | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetAdLibrarySearchAdsInput = {
  /** Words to search for */
  readonly search?: string;
  /** Any order of the words, or as they stand */
  readonly search_type?: "keyword_unordered" | "keyword_exact_phrase";
  /** Whether the ads still run */
  readonly active_status?: "active" | "inactive" | "all";
  /** ISO 3166-1 code of the country where it is shown, or ALL */
  readonly country?: string;
  /** Only ads of this kind */
  readonly ad_type?: "all" | "political_and_issue_ads";
  /** Only ads that show this */
  readonly media_type?: "all" | "image" | "video" | "meme" | "none";
  /** Only ads shown on one of these */
  readonly platforms?: readonly ("facebook" | "instagram" | "messenger" | "audience_network" | "whatsapp" | "threads")[];
  /** ISO 639 codes of the language of the text */
  readonly languages?: readonly string[];
  /** First shown on this day or later */
  readonly start_date_min?: string;
  /** First shown on this day or earlier */
  readonly start_date_max?: string;
  /** The order of the ads */
  readonly sort?: "total_impressions" | "relevancy_monthly_grouped";
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetAdLibrarySearchAdsResult = {
  readonly provider: "socialnet";
  /** How many the library says there are */
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
    /** The last day on which it was shown; moves on while it is active */
    readonly end_date: string | null;
    readonly platforms: readonly string[] | null;
    /** As image, video, carousel, dco, dpa, text */
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
    /** Advertisements that share its text and pictures */
    readonly variants_count: number | null;
    readonly collation_id: string | null;
    readonly currency: string | null;
    readonly spend_text: string | null;
    readonly impressions_text: string | null;
    readonly reach_estimate: string | null;
    /** Who paid for it, where it is about politics */
    readonly byline: string | null;
    readonly disclaimer: string | null;
    readonly categories: readonly string[] | null;
    readonly countries: readonly string[] | null;
    readonly contains_ai_media: boolean | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetEventInput = {
  /** Number of the event; wins over url */
  readonly id?: string;
  /** Address of the event */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type SocialnetEventJobInput = {
  readonly kind: "socialnet.event";
  readonly input: SocialnetEventInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** A place, searched for together with the words */
  readonly location?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetGroupInput = {
  /** Number of the group, or the name of its address; wins over url */
  readonly id?: string;
  /** Address of the group */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type SocialnetGroupJobInput = {
  readonly kind: "socialnet.group";
  readonly input: SocialnetGroupInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetGroupPostsInput = {
  /** Number of the group, or the name of its address; wins over url */
  readonly id?: string;
  /** Address of the group */
  readonly url?: string;
  /** By the time of the post, or as the site ranks them */
  readonly sort?: "recent" | "top";
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of limit */
  readonly per_page?: number;
};

export type SocialnetGroupPostsJobInput = {
  readonly kind: "socialnet.group.posts";
  readonly input: SocialnetGroupPostsInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
      /** The site's own description of what is to be seen */
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
        /** The site's own description of what is to be seen */
        readonly alt: string | null;
      })[];
    } | null;
    readonly stats: {
      readonly reactions: number | null;
      readonly comments: number | null;
      readonly shares: number | null;
      /** Of a video */
      readonly views: number | null;
    };
    /** Whether it is kept on top of its page; null where nothing says so */
    readonly pinned: boolean | null;
    readonly counts_approximate: boolean;
    /** The group that it was written in */
    readonly group: {
      readonly id: string | null;
      readonly name: string | null;
      readonly url: string | null;
    } | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
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
    /** Whether it can be found */
    readonly visibility: "visible" | "hidden" | null;
    readonly members: number | null;
    readonly members_text: string | null;
    readonly cover_image_url: string | null;
    readonly location: string | null;
    readonly rules: readonly string[] | null;
    readonly created_at: string | null;
    readonly counts_approximate: boolean;
  };
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetMarketplaceItemInput = {
  /** Number of the listing; wins over url */
  readonly id?: string;
  /** Address of the listing */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type SocialnetMarketplaceItemJobInput = {
  readonly kind: "socialnet.marketplace.item";
  readonly input: SocialnetMarketplaceItemInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Before it was lowered */
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
    /** The site rounds it */
    readonly latitude: number | null;
    /** The site rounds it */
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
      /** The site's own description of what is to be seen */
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
      /** How many it had, in the words of the site */
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
      /** What belongs to it, in the words of the site */
      readonly includes: readonly string[] | null;
    } | null;
  };
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetMarketplaceSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** Short name or number of a place on the site, as houston; else the site decides by the network address */
  readonly location?: string;
  /** With longitude */
  readonly latitude?: number;
  /** With latitude */
  readonly longitude?: number;
  /** Around the place */
  readonly radius_km?: number;
  /** In whole units of the currency of the place */
  readonly min_price?: number;
  /** In whole units of the currency of the place */
  readonly max_price?: number;
  /** Only listings in one of these states */
  readonly condition?: readonly ("new" | "used_like_new" | "used_good" | "used_fair")[];
  /** Listed within that many days */
  readonly days_listed?: 1 | 7 | 30;
  /** How it gets to the buyer */
  readonly delivery?: "local" | "shipping" | "all";
  /** The order of the listings */
  readonly sort?: "best" | "newest" | "price_asc" | "price_desc" | "distance";
  /** Only what has the very words */
  readonly exact?: boolean;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type SocialnetMarketplaceSearchResult = {
  readonly provider: "socialnet";
  readonly items: readonly ({
    readonly id: string;
    readonly title: string;
    readonly url: string;
    readonly price: number | null;
    /** Null where the sign of the price is that of several */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetPageInput = {
  /** Number of the page; wins over the others */
  readonly id?: string;
  /** The last part of its address, with or without @; wins over url */
  readonly username?: string;
  /** Address of the page */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly handle?: string;
  /** Alias of username */
  readonly page?: string;
};

export type SocialnetPageJobInput = {
  readonly kind: "socialnet.page";
  readonly input: SocialnetPageInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Of a business */
    readonly phone: string | null;
    /** Of a business */
    readonly email: string | null;
    readonly website: string | null;
    /** Of a business */
    readonly address: string | null;
    readonly price_range: string | null;
    /** How many of those who reviewed it recommend it */
    readonly rating_percent: number | null;
    readonly review_count: number | null;
    readonly profile_image_url: string | null;
    readonly cover_image_url: string | null;
    /** Its accounts and pages elsewhere */
    readonly links: readonly string[] | null;
    readonly counts_approximate: boolean;
  };
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetPhotosInput = {
  /** Number of the page; wins over the others */
  readonly id?: string;
  /** The last part of its address, with or without @; wins over url */
  readonly username?: string;
  /** Address of the page */
  readonly url?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** The site's own description of what is to be seen */
    readonly alt: string | null;
    /** Of the album that it is shown in */
    readonly set_id: string | null;
    /** Null in a grid, which does not tell it */
    readonly created_at: string | null;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetPostInput = {
  /** Address of the post */
  readonly url: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type SocialnetPostJobInput = {
  readonly kind: "socialnet.post";
  readonly input: SocialnetPostInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
      /** The site's own description of what is to be seen */
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
        /** The site's own description of what is to be seen */
        readonly alt: string | null;
      })[];
    } | null;
    readonly stats: {
      readonly reactions: number | null;
      readonly comments: number | null;
      readonly shares: number | null;
      /** Of a video */
      readonly views: number | null;
    };
    /** Whether it is kept on top of its page; null where nothing says so */
    readonly pinned: boolean | null;
    readonly counts_approximate: boolean;
    /** The group that it was written in */
    readonly group: {
      readonly id: string | null;
      readonly name: string | null;
      readonly url: string | null;
    } | null;
    /** Those that the page shows; null where it shows none */
    readonly top_comments: readonly ({
      readonly author_name: string | null;
      readonly text: string;
    })[] | null;
  };
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetPostsInput = {
  /** Number of the page; wins over the others */
  readonly id?: string;
  /** The last part of its address, with or without @; wins over url */
  readonly username?: string;
  /** Address of the page */
  readonly url?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
      /** The site's own description of what is to be seen */
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
        /** The site's own description of what is to be seen */
        readonly alt: string | null;
      })[];
    } | null;
    readonly stats: {
      readonly reactions: number | null;
      readonly comments: number | null;
      readonly shares: number | null;
      /** Of a video */
      readonly views: number | null;
    };
    /** Whether it is kept on top of its page; null where nothing says so */
    readonly pinned: boolean | null;
    readonly counts_approximate: boolean;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type SocialnetReelsInput = {
  /** Number of the page; wins over the others */
  readonly id?: string;
  /** The last part of its address, with or without @; wins over url */
  readonly username?: string;
  /** Address of the page */
  readonly url?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
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
    /** Above the cheapest */
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

export type SubmitJobInput = FetchJobInput | ExplainPageJobInput | CrawlJobInput | MapJobInput | InteractJobInput | FastSearchJobInput | AnswerenginePromptJobInput | AssistantPromptJobInput | ChatassistantPromptJobInput | WebsearchSearchJobInput | SerpSearchJobInput | AppstoreAppJobInput | AppstoreSearchJobInput | AppstoreReviewsJobInput | AppstoreDeveloperJobInput | CodehostRepoJobInput | CodehostReposJobInput | CodehostUserJobInput | ForumPostJobInput | ForumSubredditJobInput | ForumUserJobInput | HomestaySearchJobInput | HomestayListingJobInput | HomestayReviewsJobInput | HotelARateJobInput | HotelBRateJobInput | JobsDJobsJobInput | JobsDJobJobInput | JobsBJobsJobInput | JobsBJobJobInput | JobsSJobsJobInput | JobsSJobJobInput | LaunchesLeaderboardJobInput | LaunchesProductJobInput | LaunchesMakerJobInput | MicroblogProfileJobInput | MicroblogPostsJobInput | MicroblogPostJobInput | MicroblogSearchJobInput | MusiccatalogAlbumJobInput | MusiccatalogArtistJobInput | MusiccatalogSearchJobInput | MusiccatalogTrackJobInput | MusicstreamAlbumJobInput | MusicstreamArtistJobInput | MusicstreamPlaylistJobInput | MusicstreamPodcastJobInput | MusicstreamSearchJobInput | MusicstreamTrackJobInput | PinboardProfileJobInput | PinboardPinsJobInput | PinboardPinJobInput | PinboardSearchJobInput | RetailSearchJobInput | RetailProductJobInput | RetailStoresJobInput | RetailAvailabilityJobInput | ShopAProductJobInput | ShopAPricingJobInput | ShopASearchJobInput | ShopWProductJobInput | ShortvideoProfileJobInput | ShortvideoVideosJobInput | ShortvideoVideoJobInput | ShortvideoCommentsJobInput | ShortvideoSearchJobInput | ShortvideoHashtagJobInput | SocialnetEventJobInput | SocialnetEventsSearchJobInput | SocialnetMarketplaceItemJobInput | SocialnetMarketplaceSearchJobInput | SocialnetPageJobInput | SocialnetPostsJobInput | SocialnetPhotosJobInput | SocialnetReelsJobInput | SocialnetPostJobInput | SocialnetGroupJobInput | SocialnetGroupPostsJobInput | SocialnetAdLibraryAdJobInput | SocialnetAdLibrarySearchAdsJobInput | SocialnetAdLibraryCompanyAdsJobInput | TechnewsFrontJobInput | TechnewsItemJobInput | TechnewsUserJobInput | TechnewsSearchJobInput | VehiclesSearchJobInput | VehiclesVehicleJobInput | VideoVideosJobInput | VideoSearchJobInput | VideoSubtitlesJobInput | VideoAltSearchJobInput | VideoAltChannelVideosJobInput | VideoAltVideoJobInput | LaunchesLeaderboardCrawlJobInput | ShopASearchCrawlJobInput | VideoSearchCrawlJobInput | HotelsRatesJobInput;

export type Table = {
  readonly caption: string | null;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

export type Target = string | {
  readonly css?: string;
  readonly xpath?: string;
  /** Part of the text that the element shows, in any case */
  readonly text?: string;
  /** ARIA role; name narrows it to an accessible name */
  readonly role?: "alert" | "alertdialog" | "application" | "article" | "banner" | "blockquote" | "button" | "caption" | "cell" | "checkbox" | "code" | "columnheader" | "combobox" | "complementary" | "contentinfo" | "definition" | "deletion" | "dialog" | "directory" | "document" | "emphasis" | "feed" | "figure" | "form" | "generic" | "grid" | "gridcell" | "group" | "heading" | "img" | "insertion" | "link" | "list" | "listbox" | "listitem" | "log" | "main" | "marquee" | "math" | "menu" | "menubar" | "menuitem" | "menuitemcheckbox" | "menuitemradio" | "meter" | "navigation" | "none" | "note" | "option" | "paragraph" | "presentation" | "progressbar" | "radio" | "radiogroup" | "region" | "row" | "rowgroup" | "rowheader" | "scrollbar" | "search" | "searchbox" | "separator" | "slider" | "spinbutton" | "status" | "strong" | "subscript" | "superscript" | "switch" | "tab" | "table" | "tablist" | "tabpanel" | "term" | "textbox" | "time" | "timer" | "toolbar" | "tooltip" | "tree" | "treegrid" | "treeitem";
  readonly name?: string;
  /** Label of a field */
  readonly label?: string;
  readonly placeholder?: string;
  /** data-testid */
  readonly test_id?: string;
  /** Which of several, from 0 */
  readonly nth?: number;
  /** CSS selector of the frame that the element is in */
  readonly frame?: string;
};

export type TechnewsFrontInput = {
  /** Which list of the forum */
  readonly list?: "top" | "new" | "best" | "ask" | "show" | "job";
  /** Which page of 30; cursor wins */
  readonly page?: number;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of limit */
  readonly per_page?: number;
};

export type TechnewsFrontJobInput = {
  readonly kind: "technews.front";
  readonly input: TechnewsFrontInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type TechnewsFrontResult = {
  readonly provider: "technews";
  readonly items: readonly ({
    readonly id: string;
    readonly type: "story" | "comment" | "job" | "poll" | "pollopt";
    readonly title: string | null;
    /** Its page in the forum */
    readonly url: string;
    /** Where a story leads */
    readonly link_url: string | null;
    readonly domain: string | null;
    readonly text_html: string | null;
    readonly text: string | null;
    readonly author: string | null;
    readonly score: number | null;
    /** All comments below a story */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type TechnewsItemInput = {
  /** The number of a story, comment, job or poll */
  readonly id?: string;
  /** Its page */
  readonly url?: string;
  /** Answers to answers, this deep; 0 gives no comments */
  readonly depth?: number;
  /** Comments at most */
  readonly comment_limit?: number;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type TechnewsItemJobInput = {
  readonly kind: "technews.item";
  readonly input: TechnewsItemInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type TechnewsItemResult = {
  readonly provider: "technews";
  readonly item: {
    readonly id: string;
    readonly type: "story" | "comment" | "job" | "poll" | "pollopt";
    readonly title: string | null;
    /** Its page in the forum */
    readonly url: string;
    /** Where a story leads */
    readonly link_url: string | null;
    readonly domain: string | null;
    readonly text_html: string | null;
    readonly text: string | null;
    readonly author: string | null;
    readonly score: number | null;
    /** All comments below a story */
    readonly comment_count: number | null;
    readonly created_at: string | null;
    readonly parent_id: string | null;
    readonly story_id: string | null;
    readonly story_title: string | null;
    readonly is_dead: boolean | null;
    readonly is_deleted: boolean | null;
  };
  /** In the order of the page, answers after what they answer */
  readonly comments: readonly ({
    readonly id: string;
    readonly type: "story" | "comment" | "job" | "poll" | "pollopt";
    readonly title: string | null;
    /** Its page in the forum */
    readonly url: string;
    /** Where a story leads */
    readonly link_url: string | null;
    readonly domain: string | null;
    readonly text_html: string | null;
    readonly text: string | null;
    readonly author: string | null;
    readonly score: number | null;
    /** All comments below a story */
    readonly comment_count: number | null;
    readonly created_at: string | null;
    readonly parent_id: string | null;
    readonly story_id: string | null;
    readonly story_title: string | null;
    readonly is_dead: boolean | null;
    readonly is_deleted: boolean | null;
    /** 1 answers the item itself */
    readonly depth: number;
  })[] | null;
  readonly comments_truncated: boolean | null;
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type TechnewsSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** The order of the results */
  readonly sort?: "relevance" | "date";
  /** What to look for; everything unless given */
  readonly tags?: "story" | "comment" | "poll" | "job" | "ask_hn" | "show_hn" | "front_page";
  /** Who wrote it */
  readonly author?: string;
  /** Which page of that many; cursor wins */
  readonly page?: number;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type TechnewsSearchResult = {
  readonly provider: "technews";
  readonly results: readonly ({
    readonly id: string;
    readonly type: "story" | "comment" | "job" | "poll" | "pollopt";
    readonly title: string | null;
    /** Its page in the forum */
    readonly url: string;
    /** Where a story leads */
    readonly link_url: string | null;
    readonly domain: string | null;
    readonly text_html: string | null;
    readonly text: string | null;
    readonly author: string | null;
    readonly score: number | null;
    /** All comments below a story */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type TechnewsUserInput = {
  /** The name, in capitals as it is written */
  readonly username?: string;
  /** The page of the person */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of username */
  readonly id?: string;
  /** Alias of username */
  readonly login?: string;
};

export type TechnewsUserJobInput = {
  readonly kind: "technews.user";
  readonly input: TechnewsUserInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type TestWebhookInput = Readonly<Record<string, never>>;

export type TierState = {
  readonly available: boolean;
  readonly reason?: string;
};

export type TopUpTenantInput = {
  /** They lapse with the month, as those of the plan do */
  readonly credits: number;
};

export type TopUpTenantResult = {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly created_at: string;
  /** Since when its calls are refused and its jobs and monitors rest; null unless they are */
  readonly suspended_at: string | null;
  /** Of the running month; null when the plan sets no limit */
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
  /** Of a catch_up: ticks without a run, this one included */
  readonly missed_ticks?: number;
  readonly first_run: boolean;
  /** The comparison restarted, because the watched target was changed */
  readonly baseline_reset?: boolean;
  /** Prices were compared with nothing: what they include is another now */
  readonly rebased?: boolean;
  readonly changed: boolean;
  readonly change_id: string | null;
  /** Observed values by field */
  readonly values: Readonly<Record<string, unknown>>;
  readonly field_meta: Readonly<Record<string, {
    readonly source: string;
  }>>;
  readonly content_hash?: string | null;
  /** The rate of each channel, or why it has none */
  readonly channels?: readonly Readonly<Record<string, unknown>>[];
  /** The distance between the prices of the channels */
  readonly spread?: Spread | null;
  /** Why there is no spread */
  readonly reason?: "insufficient_channels" | "currency_mismatch";
  readonly warnings: readonly string[];
  readonly tier: string | null;
  readonly final_url: string | null;
  readonly http_status: number | null;
  /** Null for a run that did not complete: it is free */
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
  /** The run was there already */
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
  /** Of a catch_up: ticks without a run, this one included */
  readonly missed_ticks?: number;
  readonly first_run: boolean;
  /** The comparison restarted, because the watched target was changed */
  readonly baseline_reset?: boolean;
  /** Prices were compared with nothing: what they include is another now */
  readonly rebased?: boolean;
  readonly changed: boolean;
  readonly change_id: string | null;
  /** Observed values by field */
  readonly values: Readonly<Record<string, unknown>>;
  readonly field_meta: Readonly<Record<string, {
    readonly source: string;
  }>>;
  readonly content_hash?: string | null;
  /** The rate of each channel, or why it has none */
  readonly channels?: readonly Readonly<Record<string, unknown>>[];
  /** The distance between the prices of the channels */
  readonly spread?: Spread | null;
  /** Why there is no spread */
  readonly reason?: "insufficient_channels" | "currency_mismatch";
  readonly warnings: readonly string[];
  readonly tier: string | null;
  readonly final_url: string | null;
  readonly http_status: number | null;
  /** Null for a run that did not complete: it is free */
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
  /** The run was there already */
  readonly deduped?: true;
};

export type TriggerLaunchMonitorInput = Readonly<Record<string, never>>;

export type TriggerLaunchMonitorResult = {
  readonly run_id: string;
  readonly status: "queued" | "running";
  /** The run was there already */
  readonly deduped?: true;
};

export type TriggerMonitorInput = Readonly<Record<string, never>>;

export type TriggerMonitorResult = {
  readonly run_id: string;
  readonly status: "queued" | "running";
  /** The run was there already */
  readonly deduped?: true;
};

export type UpdateHotelAMonitorInput = {
  /** First day, as the property counts days */
  readonly check_in?: string;
  /** Last day, 1 to 30 nights later */
  readonly check_out?: string;
  /** How many adults stay */
  readonly adults?: number;
  /** The age of each child, or how many of unknown age */
  readonly children?: readonly number[] | number;
  /** At most one for each adult */
  readonly rooms?: number;
  /** ISO 4217; default that of the property */
  readonly currency?: string;
  /** What people call it; default host and path of the page */
  readonly name?: string;
  /** Five fields or a macro such as @hourly; null runs only when triggered */
  readonly cron?: string | null;
  /** The zone whose clocks cron is read by */
  readonly timezone?: string;
  /** Whether it runs by its schedule */
  readonly active?: boolean;
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** How far the prices of the channels may be apart */
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
  /** null takes it away */
  readonly webhook?: string | {
    /** Where events are sent; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** The signing secret of events; made here and shown once unless given */
    readonly secret?: string;
    /** Sent with each event, such as authorization; kept sealed and masked in every answer */
    readonly headers?: Readonly<Record<string, string>>;
    /** The events that are sent; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type UpdateHotelBMonitorInput = {
  /** First day, as the property counts days */
  readonly check_in?: string;
  /** Last day, 1 to 30 nights later */
  readonly check_out?: string;
  /** How many adults stay */
  readonly adults?: number;
  /** The age of each child, or how many of unknown age */
  readonly children?: readonly number[] | number;
  /** At most one for each adult */
  readonly rooms?: number;
  /** ISO 4217; default that of the property */
  readonly currency?: string;
  /** What people call it; default host and path of the page */
  readonly name?: string;
  /** Five fields or a macro such as @hourly; null runs only when triggered */
  readonly cron?: string | null;
  /** The zone whose clocks cron is read by */
  readonly timezone?: string;
  /** Whether it runs by its schedule */
  readonly active?: boolean;
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** How far the prices of the channels may be apart */
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
  /** null takes it away */
  readonly webhook?: string | {
    /** Where events are sent; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** The signing secret of events; made here and shown once unless given */
    readonly secret?: string;
    /** Sent with each event, such as authorization; kept sealed and masked in every answer */
    readonly headers?: Readonly<Record<string, string>>;
    /** The events that are sent; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type UpdateLaunchMonitorInput = {
  /** What people call it; default host and path of the page */
  readonly name?: string;
  /** Five fields or a macro such as @hourly; null runs only when triggered */
  readonly cron?: string | null;
  /** The zone whose clocks cron is read by */
  readonly timezone?: string;
  /** Whether it runs by its schedule */
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
  /** null takes it away */
  readonly webhook?: string | {
    /** Where events are sent; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** The signing secret of events; made here and shown once unless given */
    readonly secret?: string;
    /** Sent with each event, such as authorization; kept sealed and masked in every answer */
    readonly headers?: Readonly<Record<string, string>>;
    /** The events that are sent; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type UpdateMonitorInput = {
  /** What people call it; default host and path of the page */
  readonly name?: string;
  /** The http or https page to watch */
  readonly url?: string;
  /** The values to watch, as Fetch takes them; at most 50 */
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
      /** Attribute of the selected element to read in place of its text */
      readonly attribute?: string;
      readonly type?: "string" | "integer" | "number" | "boolean" | "money" | "date" | "datetime" | "url" | "html" | "string[]" | "integer[]" | "number[]" | "boolean[]" | "money[]" | "date[]" | "datetime[]" | "url[]" | "html[]";
      /** Every match, as an array */
      readonly many?: boolean;
      /** Members of an object, each a field in turn */
      readonly fields?: Readonly<Record<string, unknown>>;
      /** The member that identifies a row of `fields` with `many` */
      readonly key?: string;
      /** Words to look for where no selector is given */
      readonly description?: string;
      readonly currency?: string;
      readonly locale?: string;
    }>>;
    /** A JSON Schema of type object: local references only, at most 16 levels and 200 properties, RE2 patterns. */
    readonly schema?: Readonly<Record<string, unknown>>;
    readonly [name: string]: unknown;
  };
  /** An operation to watch in place of url and extract */
  readonly target?: {
    /** Id of a priced operation, such as fetch */
    readonly operation: string;
    /** Its input, validated by its own rules */
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
  /** Five fields or a macro such as @hourly; null runs only when triggered */
  readonly cron?: string | null;
  /** The zone whose clocks cron is read by */
  readonly timezone?: string;
  /** Whether it runs by its schedule */
  readonly active?: boolean;
  /** How far to escalate: basic never uses a proxy, auto climbs as needed (default on paid plans), stealth goes straight to the hardened browser */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Wall clock of one visit in ms, as Fetch takes it */
  readonly timeout_ms?: number;
  /** Given back in webhooks */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** null takes it away */
  readonly webhook?: string | {
    /** Where events are sent; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** The signing secret of events; made here and shown once unless given */
    readonly secret?: string;
    /** Sent with each event, such as authorization; kept sealed and masked in every answer */
    readonly headers?: Readonly<Record<string, string>>;
    /** The events that are sent; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type UpdateTenantInput = {
  /** The name of a plan, as GET /v1/admin/plans lists them */
  readonly plan?: string;
  /** What people call it */
  readonly name?: string;
  /** true: all but reading is refused as tenant_suspended, and jobs and monitors rest; false: all goes on */
  readonly suspended?: boolean;
};

export type UpdateTenantResult = {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly created_at: string;
  /** Since when its calls are refused and its jobs and monitors rest; null unless they are */
  readonly suspended_at: string | null;
  /** Of the running month; null when the plan sets no limit */
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
  /** What served it; of several pages the costliest */
  readonly tier: "cache" | "http" | "browser" | "proxy" | "proxy_browser";
  /** Pages by tier, where there are several */
  readonly tiers?: Readonly<Record<string, number>>;
};

export type UsageRow = {
  /** Null when rows stand for operations */
  readonly date: string | null;
  /** Null when rows stand for days */
  readonly operation: string | null;
  readonly calls: number;
  readonly credits: number;
};

export type UsageRowList = {
  readonly data: readonly UsageRow[];
  readonly next_cursor: string | null;
};

export type VehiclesSearchInput = {
  /** As volkswagen or mercedes-benz */
  readonly make?: string;
  /** As golf; with make */
  readonly model?: string;
  /** Words of the version, as gti; with make */
  readonly search?: string;
  /** Where it is offered; all of them unless given */
  readonly country?: "DE" | "AT" | "BE" | "ES" | "FR" | "IT" | "LU" | "NL";
  /** Where they are, by its postal code */
  readonly zip?: string;
  /** Kilometres around zip */
  readonly radius?: number;
  /** The lowest price */
  readonly price_min?: number;
  /** The highest price */
  readonly price_max?: number;
  /** The first year of registration */
  readonly year_min?: number;
  /** The last year of registration */
  readonly year_max?: number;
  /** Kilometres */
  readonly mileage_max?: number;
  /** What drives them */
  readonly fuel?: "gasoline" | "diesel" | "electric" | "hybrid" | "diesel_hybrid" | "lpg" | "cng" | "hydrogen" | "ethanol" | "other";
  /** How they shift */
  readonly transmission?: "automatic" | "manual" | "semi_automatic";
  /** New, used or between */
  readonly condition?: "new" | "used";
  /** The order of the offers */
  readonly sort?: "standard" | "price_asc" | "price_desc" | "mileage_asc" | "mileage_desc" | "year_asc" | "year_desc" | "newest";
  /** The page of results */
  readonly page?: number;
  /** A page of results instead of all of these but page */
  readonly url?: string;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
      /** Of a dealer */
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
    /** Null where only the page of the vehicle has them */
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
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type VehiclesVehicleInput = {
  /** The code of the offer, or its address; wins over url */
  readonly id?: string;
  /** The page of the offer */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type VehiclesVehicleJobInput = {
  readonly kind: "vehicles.vehicle";
  readonly input: VehiclesVehicleInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
      /** Of a dealer */
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
    /** Null where only the page of the vehicle has them */
    readonly features: readonly string[] | null;
    readonly description_html: string | null;
    readonly description_text: string | null;
    readonly listed_at: string | null;
    readonly is_sponsored: boolean | null;
  };
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type VideoAltChannelVideosInput = {
  /** Its name in addresses, also as @name, c/name or user/name; wins over url */
  readonly channel?: string;
  /** Its page */
  readonly url?: string;
  /** Which of its lists */
  readonly type?: "video" | "short" | "livestream" | "all";
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
};

export type VideoAltChannelVideosJobInput = {
  readonly kind: "video-alt.channel.videos";
  readonly input: VideoAltChannelVideosInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** The first word of its address */
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
    /** Whether a count was shown shortened */
    readonly counts_approximate: boolean;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type VideoAltSearchInput = {
  /** Words to search for */
  readonly search?: string;
  /** What to keep of each page of results */
  readonly type?: "video" | "short" | "all";
  /** The order of the videos */
  readonly sort?: "relevance" | "newest" | "views";
  /** Published within */
  readonly date?: "today" | "week" | "month" | "year";
  /** Only videos that are this long */
  readonly duration?: "short" | "long";
  /** Only what can be licensed at once */
  readonly license?: "now";
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type VideoAltSearchResult = {
  readonly provider: "video-alt";
  readonly results: readonly ({
    readonly type: "video" | "short";
    /** The first word of its address */
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
    /** Whether a count was shown shortened */
    readonly counts_approximate: boolean;
  })[];
  /** Null at the end */
  readonly next_cursor: string | null;
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type VideoAltVideoInput = {
  /** Address of a video, a short or an embedded player, or the id of a video */
  readonly url?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of url */
  readonly id?: string;
};

export type VideoAltVideoJobInput = {
  readonly kind: "video-alt.video";
  readonly input: VideoAltVideoInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
  readonly webhook?: JobWebhookInput;
};

export type VideoAltVideoResult = {
  readonly provider: "video-alt";
  readonly video: {
    readonly type: "video" | "short";
    /** The first word of its address */
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
    /** Whether a count was shown shortened */
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
    /** Whether the player is given streams */
    readonly streams_available: boolean | null;
  };
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type VideoSearchCrawlInput = {
  /** Only videos in 360 degrees */
  readonly '360'?: boolean;
  /** Words to search for */
  readonly search?: string;
  /** What to look for */
  readonly type?: "video" | "channel" | "playlist" | "short" | "all";
  /** Published within */
  readonly upload_date?: "today" | "week" | "month" | "year";
  /** Under 3 minutes, 3 to 20, or above 20 */
  readonly duration?: "short" | "medium" | "long";
  /** The site sorts by relevance and popularity; by upload_date each page is sorted by itself, rating is not given */
  readonly sort_by?: "relevance" | "popularity" | "upload_date" | "rating";
  /** Only what is live */
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
  /** Only what has subtitles */
  readonly subtitles?: boolean;
  /** Only what is under a Creative Commons licence */
  readonly creative_commons?: boolean;
  /** Only what names a place */
  readonly location?: boolean;
  /** Only what was bought */
  readonly purchased?: boolean;
  /** Where the viewer is, ISO 3166-1 */
  readonly country?: string;
  /** Language of texts, BCP 47 */
  readonly language?: string;
  /** Elements to return at most */
  readonly max_results?: number;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Of a channel */
    readonly subscriber_count: number | null;
    /** Of a channel or a playlist */
    readonly video_count: number | null;
    readonly counts_approximate: boolean;
  })[];
  /** The words that the site searched for instead */
  readonly corrected_query: string | null;
  readonly estimated_results: number | null;
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
  /** Pages of the site that results were read from */
  readonly pages_fetched: number;
  /** Whether the list of the site may have more than was returned */
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
  /** What to look for */
  readonly type?: "video" | "channel" | "playlist" | "short" | "all";
  /** Published within */
  readonly upload_date?: "today" | "week" | "month" | "year";
  /** Under 3 minutes, 3 to 20, or above 20 */
  readonly duration?: "short" | "medium" | "long";
  /** The site sorts by relevance and popularity; by upload_date each page is sorted by itself, rating is not given */
  readonly sort_by?: "relevance" | "popularity" | "upload_date" | "rating";
  /** Only what is live */
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
  /** Only what has subtitles */
  readonly subtitles?: boolean;
  /** Only what is under a Creative Commons licence */
  readonly creative_commons?: boolean;
  /** Only what names a place */
  readonly location?: boolean;
  /** Only what was bought */
  readonly purchased?: boolean;
  /** Where the viewer is, ISO 3166-1 */
  readonly country?: string;
  /** Language of texts, BCP 47 */
  readonly language?: string;
  /** Elements of one answer at most */
  readonly limit?: number;
  /** next_cursor of the answer before, with the same parameters */
  readonly cursor?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Of a channel */
    readonly subscriber_count: number | null;
    /** Of a channel or a playlist */
    readonly video_count: number | null;
    readonly counts_approximate: boolean;
  })[];
  /** The words that the site searched for instead */
  readonly corrected_query: string | null;
  readonly estimated_results: number | null;
  /** Null at the end */
  readonly next_cursor: string | null;
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type VideoSubtitlesInput = {
  /** Eleven characters, or the address of the video */
  readonly video_id?: string;
  /** Language of the subtitles, BCP 47; otherwise the first of the uploader, else those made by the site */
  readonly language?: string;
  /** Who made them; of any those of the uploader first */
  readonly origin?: "uploader_provided" | "auto_generated" | "any";
  /** Language that the site translates them to */
  readonly translate_to?: string;
  /** What is answered beside the plain text: segments with their times, nothing, or a subtitle file */
  readonly format?: "segments" | "text" | "srt" | "vtt";
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
  /** Of format=segments; null of others */
  readonly segments: readonly ({
    readonly start_ms: number;
    readonly duration_ms: number | null;
    readonly text: string;
  })[] | null;
  /** All of it, a line each */
  readonly text: string;
  /** The file of format=srt and format=vtt; null of others */
  readonly content: string | null;
  /** All subtitles of the video */
  readonly available: readonly ({
    readonly language_code: string;
    readonly language_name: string | null;
    readonly origin: "uploader_provided" | "auto_generated";
    readonly is_translatable: boolean | null;
  })[] | null;
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
  readonly partial: boolean;
  readonly warnings?: readonly Warning[];
};

export type VideoVideosInput = {
  /** Eleven characters, or the address of the video */
  readonly video_id: string;
  /** Where the viewer is, ISO 3166-1 */
  readonly country?: string;
  /** Language of texts, BCP 47 */
  readonly language?: string;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
  readonly max_age_ms?: number;
  /** Alias of country */
  readonly geo?: string;
  /** Alias of language */
  readonly locale?: string;
};

export type VideoVideosJobInput = {
  readonly kind: "video.videos";
  readonly input: VideoVideosInput;
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** What of the site it was read from */
    readonly data_source: string;
  };
  /** Where it was found */
  readonly source_url: string;
  /** When the page was had, ISO 8601 UTC */
  readonly fetched_at: string;
  /** Whether something is left out that the full answer has; warnings say what */
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
  /** The site of a hotel monitor that watches one */
  readonly provider?: string;
  readonly url?: string;
};

export type Webhook = {
  /** Values of its query are masked */
  readonly url: string;
  readonly secret_set: true;
  /** Only in the answer that made it */
  readonly secret?: string;
  /** failing: the last attempt failed; disabled: it answered 410, or failed for 5 days; a change enables it */
  readonly status: "active" | "failing" | "disabled";
  /** Names; the values are masked */
  readonly headers?: Readonly<Record<string, string>>;
  /** null for all */
  readonly events: readonly string[] | null;
};

export type WebhookTestEvent = {
  /** Equals webhook-id; the same at every attempt */
  readonly id: string;
  readonly type: "webhook.test";
  /** When it happened */
  readonly timestamp: string;
  readonly api_version: string;
  readonly monitor_id: string;
  /** The body was too long: lists and texts of data are cut */
  readonly truncated?: true;
  /** With truncated: the path of the complete record */
  readonly url?: string;
  readonly data: {
    readonly message: string;
  };
};

export type WebsearchResult = {
  /** Among the results of its list, counted on over all pages */
  readonly position: number;
  /** Among organic and paid results together */
  readonly position_overall: number;
  readonly title: string;
  readonly description: string;
  readonly url: string;
  /** The address as the engine shows it */
  readonly url_shown: string;
};

export type WebsearchSearchInput = {
  /** What is looked for; engines get its first 2,000 characters, or as many as take 4,000 in an address */
  readonly search?: string;
  /** Country to search from: ISO 3166-1 code, English name, or a place that names its country last */
  readonly geo?: string;
  /** Language of the interface: a tag such as de or pt-BR, or a name such as German */
  readonly locale?: string;
  /** Top-level domain that is searched: com, de, co.uk, or google.com */
  readonly domain?: string;
  /** First page of results */
  readonly page?: number;
  /** How many pages, each for the price of one */
  readonly pages?: number;
  /** Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job */
  readonly timeout_ms?: number;
  /** Accept cached pages at most this old; 0 is always fresh */
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
  /** Ceiling for what the job may cost */
  readonly max_credits?: number;
  /** Where job.completed or job.failed is sent: a URL, or an object */
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
    /** Where the first page was found */
    readonly url: string;
  };
  readonly organic_results: readonly WebsearchResult[];
  readonly paid_results: readonly WebsearchResult[];
  /** What of the input was adjusted; absent where nothing was */
  readonly warnings?: readonly Warning[];
};

export type ListJobsRequest = {
  /** Id of the operation, such as fetch */
  readonly kind?: string;
  /** Only jobs in this state */
  readonly status?: "queued" | "running" | "completed" | "failed" | "cancelled" | "expired";
  /** Earliest instant of submission, ISO 8601 UTC */
  readonly from?: string;
  /** Latest instant of submission, ISO 8601 UTC */
  readonly to?: string;
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetJobRequest = {
  /** The id of the job */
  readonly id: string;
  /** Wait until the job has ended, at most this long */
  readonly wait_ms?: number;
};

export type CancelJobRequest = {
  /** The id of the job */
  readonly id: string;
};

export type GetJobResultRequest = {
  /** The id of the job */
  readonly id: string;
  /** Answer what is committed in whatever state the job is: the list so far, and usage; of a cancelled crawl or map with its stop_reason */
  readonly partial?: boolean;
  /** As a stream: jsonl, the elements of the whole list, one a line; warc, the archive of a crawl with archive: true */
  readonly format?: "json" | "jsonl" | "warc";
  /** Elements of one page at most, of 4 MiB at most; without it as many as fit into 256 KiB */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
  /** Instead of each element of the list its short members, the sizes of its texts (chars) and its place, by which jobs.page reads it */
  readonly outline?: boolean;
};

export type JobsPageRequest = {
  /** The id of the job */
  readonly id: string;
  /** Its place, as the outline of the result names it */
  readonly place?: string;
  /** Its address instead, asked for or final; looked for among the first 5000 elements */
  readonly url?: string;
};

export type ListJobPagesRequest = {
  /** The id of a job of the kind crawl */
  readonly id: string;
  /** skipped: found to be no page of its own, such as a duplicate */
  readonly state?: "waiting" | "stored" | "failed" | "skipped";
  /** What the target answered */
  readonly status_code?: number;
  /** Links from the first page */
  readonly depth?: number;
  /** Why they failed or were skipped */
  readonly code?: string;
  /** In address or title, in any case */
  readonly search?: string;
  /** What their addresses begin with */
  readonly prefix?: string;
  /** Only those that nearly repeat another, or only the others */
  readonly near_duplicate?: boolean;
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetJobTreeRequest = {
  /** The id of a job of the kind crawl */
  readonly id: string;
  /** The part to open; hosts unless given */
  readonly prefix?: string;
};

export type FollowJobRequest = {
  /** The id of the job */
  readonly id: string;
};

export type ListJobDeliveriesRequest = {
  /** The id of the job */
  readonly id: string;
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetArtifactRequest = {
  /** The id of the artifact */
  readonly id: string;
};

export type ListSessionsRequest = {
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
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
  /** Only those that run by their schedule, or only those that do not */
  readonly active?: boolean;
  /** Only those of this kind */
  readonly kind?: "generic" | "hotel" | "hotel_channels" | "launch";
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type UpdateMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** What people call it; default host and path of the page */
  readonly name?: string;
  /** The http or https page to watch */
  readonly url?: string;
  /** The values to watch, as Fetch takes them; at most 50 */
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
      /** Attribute of the selected element to read in place of its text */
      readonly attribute?: string;
      readonly type?: "string" | "integer" | "number" | "boolean" | "money" | "date" | "datetime" | "url" | "html" | "string[]" | "integer[]" | "number[]" | "boolean[]" | "money[]" | "date[]" | "datetime[]" | "url[]" | "html[]";
      /** Every match, as an array */
      readonly many?: boolean;
      /** Members of an object, each a field in turn */
      readonly fields?: Readonly<Record<string, unknown>>;
      /** The member that identifies a row of `fields` with `many` */
      readonly key?: string;
      /** Words to look for where no selector is given */
      readonly description?: string;
      readonly currency?: string;
      readonly locale?: string;
    }>>;
    /** A JSON Schema of type object: local references only, at most 16 levels and 200 properties, RE2 patterns. */
    readonly schema?: Readonly<Record<string, unknown>>;
    readonly [name: string]: unknown;
  };
  /** An operation to watch in place of url and extract */
  readonly target?: {
    /** Id of a priced operation, such as fetch */
    readonly operation: string;
    /** Its input, validated by its own rules */
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
  /** Five fields or a macro such as @hourly; null runs only when triggered */
  readonly cron?: string | null;
  /** The zone whose clocks cron is read by */
  readonly timezone?: string;
  /** Whether it runs by its schedule */
  readonly active?: boolean;
  /** How far to escalate: basic never uses a proxy, auto climbs as needed (default on paid plans), stealth goes straight to the hardened browser */
  readonly proxy?: "basic" | "auto" | "stealth";
  /** true means proxy stealth @deprecated */
  readonly use_proxy?: boolean;
  /** Wall clock of one visit in ms, as Fetch takes it */
  readonly timeout_ms?: number;
  /** Given back in webhooks */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** null takes it away */
  readonly webhook?: string | {
    /** Where events are sent; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** The signing secret of events; made here and shown once unless given */
    readonly secret?: string;
    /** Sent with each event, such as authorization; kept sealed and masked in every answer */
    readonly headers?: Readonly<Record<string, string>>;
    /** The events that are sent; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type DeleteMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type TriggerMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type ListRunsRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetLatestRunRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type ListChangesRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetLatestChangeRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type GetMonitorSeriesRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** Only this one, by its path, such as price or offers.0.price */
  readonly field?: string;
  /** Earliest instant, ISO 8601 UTC; 90 days ago unless given */
  readonly from?: string;
  /** Latest instant, ISO 8601 UTC */
  readonly to?: string;
  /** Points of one field at most */
  readonly points?: number;
};

export type PreviewScheduleRequest = {
  /** Five fields, such as 0 9 * * 1-5 */
  readonly cron: string;
  /** IANA name, such as Europe/Berlin */
  readonly timezone?: string;
  /** Times to answer */
  readonly count?: number;
};

export type ListMonitorDeliveriesRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type TestWebhookRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type RotateWebhookSecretRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** The new secret; made here and shown once unless given */
  readonly secret?: string;
};

export type ListWebhooksRequest = {
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type ListDeliveriesRequest = {
  /** Only those in this state */
  readonly status?: "pending" | "delivering" | "succeeded" | "failed" | "exhausted" | "suspended" | "cancelled";
  /** Only those of this monitor */
  readonly monitor_id?: string;
  /** Only those of this job */
  readonly job_id?: string;
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
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
  /** What a row stands for */
  readonly by?: "day" | "operation" | "day_and_operation";
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type ListRequestsRequest = {
  /** HTTP status that was answered */
  readonly status?: number;
  /** Operation id, such as fetch */
  readonly operation?: string;
  /** Earliest instant, ISO 8601 UTC */
  readonly from?: string;
  /** Latest instant, ISO 8601 UTC */
  readonly to?: string;
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetRequestRequest = {
  /** The request_id of its answer */
  readonly request_id: string;
};

export type ListOwnKeysRequest = {
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type ListTenantsRequest = {
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetTenantRequest = {
  /** The id of the tenant */
  readonly id: string;
};

export type UpdateTenantRequest = {
  /** The id of the tenant */
  readonly id: string;
  /** The name of a plan, as GET /v1/admin/plans lists them */
  readonly plan?: string;
  /** What people call it */
  readonly name?: string;
  /** true: all but reading is refused as tenant_suspended, and jobs and monitors rest; false: all goes on */
  readonly suspended?: boolean;
};

export type TopUpTenantRequest = {
  /** The id of the tenant */
  readonly id: string;
  /** They lapse with the month, as those of the plan do */
  readonly credits: number;
};

export type RefundTenantRequest = {
  /** The id of the tenant */
  readonly id: string;
  /** The id of the request, job or run */
  readonly charge: string;
};

export type ListAllKeysRequest = {
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type ListKeysRequest = {
  /** The id of the tenant */
  readonly id: string;
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type CreateKeyRequest = {
  /** The id of the tenant */
  readonly id: string;
  /** What people call it */
  readonly name?: string;
  /** When the key expires, ISO 8601 UTC; never unless given */
  readonly expires_at?: string;
};

export type RotateKeyRequest = {
  /** The id of the key, not its text */
  readonly id: string;
  /** How long the old key still works */
  readonly overlap_seconds?: number;
  /** When the key expires, ISO 8601 UTC; never unless given */
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
  /** Only this one */
  readonly tenant?: string;
  /** csv: all rows as one file, without limit and cursor */
  readonly format?: "json" | "csv";
  /** Rows of one page; default 100 */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type ListHotelBMonitorsRequest = {
  /** Only those that run by their schedule, or only those that do not */
  readonly active?: boolean;
  /** Only those of this kind */
  readonly kind?: "hotel" | "hotel_channels";
  /** Only those with a channel on this site */
  readonly provider?: "hotel-a" | "hotel-b";
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetHotelBMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type UpdateHotelBMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** First day, as the property counts days */
  readonly check_in?: string;
  /** Last day, 1 to 30 nights later */
  readonly check_out?: string;
  /** How many adults stay */
  readonly adults?: number;
  /** The age of each child, or how many of unknown age */
  readonly children?: readonly number[] | number;
  /** At most one for each adult */
  readonly rooms?: number;
  /** ISO 4217; default that of the property */
  readonly currency?: string;
  /** What people call it; default host and path of the page */
  readonly name?: string;
  /** Five fields or a macro such as @hourly; null runs only when triggered */
  readonly cron?: string | null;
  /** The zone whose clocks cron is read by */
  readonly timezone?: string;
  /** Whether it runs by its schedule */
  readonly active?: boolean;
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** How far the prices of the channels may be apart */
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
  /** null takes it away */
  readonly webhook?: string | {
    /** Where events are sent; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** The signing secret of events; made here and shown once unless given */
    readonly secret?: string;
    /** Sent with each event, such as authorization; kept sealed and masked in every answer */
    readonly headers?: Readonly<Record<string, string>>;
    /** The events that are sent; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type DeleteHotelBMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type TriggerHotelBMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type ListHotelBRunsRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetLatestHotelBRunRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type ListHotelBChangesRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetLatestHotelBChangeRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type ListHotelAMonitorsRequest = {
  /** Only those that run by their schedule, or only those that do not */
  readonly active?: boolean;
  /** Only those of this kind */
  readonly kind?: "hotel" | "hotel_channels";
  /** Only those with a channel on this site */
  readonly provider?: "hotel-a" | "hotel-b";
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetHotelAMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type UpdateHotelAMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** First day, as the property counts days */
  readonly check_in?: string;
  /** Last day, 1 to 30 nights later */
  readonly check_out?: string;
  /** How many adults stay */
  readonly adults?: number;
  /** The age of each child, or how many of unknown age */
  readonly children?: readonly number[] | number;
  /** At most one for each adult */
  readonly rooms?: number;
  /** ISO 4217; default that of the property */
  readonly currency?: string;
  /** What people call it; default host and path of the page */
  readonly name?: string;
  /** Five fields or a macro such as @hourly; null runs only when triggered */
  readonly cron?: string | null;
  /** The zone whose clocks cron is read by */
  readonly timezone?: string;
  /** Whether it runs by its schedule */
  readonly active?: boolean;
  /** What counts as a change, and how it is told */
  readonly watch?: {
    /** By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers */
    readonly thresholds?: Readonly<Record<string, unknown>>;
    /** How far the prices of the channels may be apart */
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
  /** null takes it away */
  readonly webhook?: string | {
    /** Where events are sent; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** The signing secret of events; made here and shown once unless given */
    readonly secret?: string;
    /** Sent with each event, such as authorization; kept sealed and masked in every answer */
    readonly headers?: Readonly<Record<string, string>>;
    /** The events that are sent; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type DeleteHotelAMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type TriggerHotelAMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type ListHotelARunsRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetLatestHotelARunRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type ListHotelAChangesRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetLatestHotelAChangeRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type ListLaunchMonitorsRequest = {
  /** Only those that run by their schedule, or only those that do not */
  readonly active?: boolean;
  /** Only those of this kind */
  readonly kind?: "launch";
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetLaunchMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type UpdateLaunchMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** What people call it; default host and path of the page */
  readonly name?: string;
  /** Five fields or a macro such as @hourly; null runs only when triggered */
  readonly cron?: string | null;
  /** The zone whose clocks cron is read by */
  readonly timezone?: string;
  /** Whether it runs by its schedule */
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
  /** null takes it away */
  readonly webhook?: string | {
    /** Where events are sent; https, or http for hosts in QUERN_ALLOW_TARGETS */
    readonly url?: string;
    /** The signing secret of events; made here and shown once unless given */
    readonly secret?: string;
    /** Sent with each event, such as authorization; kept sealed and masked in every answer */
    readonly headers?: Readonly<Record<string, string>>;
    /** The events that are sent; null for all */
    readonly events?: readonly ("monitor.change_detected" | "monitor.rate_parity_alert" | "monitor.digest" | "monitor.failing" | "monitor.recovered" | "monitor.stopped")[] | null;
  } | null;
};

export type DeleteLaunchMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type TriggerLaunchMonitorRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type ListLaunchRunsRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetLatestLaunchRunRequest = {
  /** The id of the monitor */
  readonly id: string;
};

export type ListLaunchChangesRequest = {
  /** The id of the monitor */
  readonly id: string;
  /** Rows of one page */
  readonly limit?: number;
  /** next_cursor of the page before */
  readonly cursor?: string;
};

export type GetLatestLaunchChangeRequest = {
  /** The id of the monitor */
  readonly id: string;
};

/** The body of a webhook's delivery; `type` tells which. */
export type WebhookEvent =
  | JobCompletedEvent
  | JobFailedEvent
  | MonitorChangeDetectedEvent
  | MonitorRateParityAlertEvent
  | MonitorDigestEvent
  | MonitorFailingEvent
  | MonitorRecoveredEvent
  | MonitorStoppedEvent
  | WebhookTestEvent;
