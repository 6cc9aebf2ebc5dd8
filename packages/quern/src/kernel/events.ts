/** One attempt of one tier to fetch a page. */
export type AttemptEvent = {
  readonly type: 'attempt';
  /** The id of the request or the job that pays for it. */
  readonly call: string;
  readonly tenant: string;
  readonly host: string;
  readonly tier: string;
  readonly outcome: string;
  /** Whether the site blocked the visit. */
  readonly isBlock: boolean;
  /** The bot-protection vendor or the cause, if known. */
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
  /** The monitor that the job runs for; null for a job that the tenant created. */
  readonly owner: string | null;
  /** `again`: the job is back in the queue; `lost`: another worker has taken it over. */
  readonly outcome: 'completed' | 'failed' | 'cancelled' | 'again' | 'lost';
  readonly code: string | null;
  readonly reason: string | null;
  /** The error message of the store, if a failure of the store ended the attempt; else null. */
  readonly detail: string | null;
  /** Host of the page or site that the job is about; null for none. */
  readonly host: string | null;
  readonly attempt: number;
  readonly durationMs: number;
  /** How long the job was due before it started, ms. */
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

/** Pages of a crawl or map that were committed together, counted by their outcome. */
export type PagesEvent = {
  readonly type: 'pages';
  readonly call: string;
  readonly tenant: string;
  readonly operation: string;
  readonly fates: Readonly<Record<string, number>>;
};

/** A cache lookup for a page. */
export type CacheEvent = { readonly type: 'cache'; readonly result: 'hit' | 'miss' };

/** Credits that were charged. */
export type ChargeEvent = { readonly type: 'charge'; readonly operation: string; readonly credits: number };

/** An event in this process, for its log and its metrics. */
export type ServiceEvent = AttemptEvent | JobEvent | RunEvent | DeliveryEvent | PagesEvent | CacheEvent | ChargeEvent;

/** Receives events; never throws. */
export type ObserveEvent = (event: ServiceEvent) => void;

/** Ignores events: for commands, which have neither a log nor metrics. */
export function ignoreEvents(): void {}

/** Host and port of a URL, for logs: path and query may contain secrets. Null if the value is not a URL with a host. */
export function findUrlHost(url: unknown): string | null {
  if (typeof url !== 'string') return null;
  const host = URL.parse(url)?.host ?? '';
  return host === '' ? null : host;
}
