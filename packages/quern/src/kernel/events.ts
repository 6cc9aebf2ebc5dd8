/** One try of one tier to get a page. */
export type AttemptEvent = {
  readonly type: 'attempt';
  /** The id of the request or the job that pays for it. */
  readonly call: string;
  readonly tenant: string;
  readonly host: string;
  readonly tier: string;
  readonly outcome: string;
  /** Whether the site turned the visit away. */
  readonly isBlock: boolean;
  /** The vendor or the cause, where one is known. */
  readonly reason: string | null;
  readonly status: number | null;
  readonly durationMs: number;
  readonly bytes: number;
};

/** The end of one attempt of a job. */
export type JobEvent = {
  readonly type: 'job';
  readonly id: string;
  readonly tenant: string;
  readonly operation: string;
  /** The monitor whose run it is, null for a job of its tenant. */
  readonly owner: string | null;
  /** `again`: it is back in the queue; `lost`: another worker has it. */
  readonly outcome: 'completed' | 'failed' | 'cancelled' | 'again' | 'lost';
  readonly code: string | null;
  readonly reason: string | null;
  /** What the store of the service said, where its failure ended the attempt; null otherwise. */
  readonly detail: string | null;
  /** Of the page or site that it is about, null for none. */
  readonly host: string | null;
  readonly attempt: number;
  readonly durationMs: number;
  /** How long it was due before it began. */
  readonly waitedMs: number;
};

/** The end of a run of a monitor. */
export type RunEvent = {
  readonly type: 'run';
  readonly id: string;
  readonly monitor: string;
  readonly tenant: string;
  readonly status: string;
  readonly code: string | null;
};

/** One attempt to deliver an event to a webhook. */
export type DeliveryEvent = {
  readonly type: 'delivery';
  readonly id: string;
  /** The monitor or job that the event is about. */
  readonly owner: string;
  /** The type of the event that is delivered. */
  readonly sent: string;
  readonly host: string | null;
  /** The state of the delivery after it. */
  readonly outcome: string;
  readonly status: number | null;
  readonly reason: string | null;
  readonly attempt: number;
  readonly durationMs: number;
};

/** Pages of a crawl or map that were committed together, by their fate. */
export type PagesEvent = {
  readonly type: 'pages';
  readonly call: string;
  readonly tenant: string;
  readonly operation: string;
  readonly fates: Readonly<Record<string, number>>;
};

/** A page that was looked for in the cache. */
export type CacheEvent = { readonly type: 'cache'; readonly result: 'hit' | 'miss' };

/** Credits that were charged. */
export type ChargeEvent = { readonly type: 'charge'; readonly operation: string; readonly credits: number };

/** Something that happened in this process, for its log and its metrics. */
export type ServiceEvent = AttemptEvent | JobEvent | RunEvent | DeliveryEvent | PagesEvent | CacheEvent | ChargeEvent;

/** Takes note of an event; never throws. */
export type Observe = (event: ServiceEvent) => void;

/** Takes note of nothing: for a command, which has neither a log nor metrics. */
export function ignoreEvents(): void {}

/** The host of a URL with its port, for logs: never its path or query, which may hold secrets. */
export function hostOf(url: unknown): string | null {
  if (typeof url !== 'string') return null;
  const host = URL.parse(url)?.host ?? '';
  return host === '' ? null : host;
}
