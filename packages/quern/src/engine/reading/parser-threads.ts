import { isDocument } from '#extract/html/sniff.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import type { PageReading, ReadRequest } from '#extract/reading.ts';
import type { SitePage, SitePageRequest } from '#extract/urls/site-page.ts';
import { ActiveTenants } from '#kernel/active-tenants.ts';
import type { Clock } from '#kernel/clock.ts';
import { computeMemoryLimit, collectGarbage } from '#kernel/memory-budget.ts';
import { SERVICE_OWNER } from '#kernel/fair-queue.ts';
import { type TransferredReading, type PackedReading, unpackOutputs } from './packed-outputs.ts';
import { PageCosts, MAX_IN_FLIGHT, ParserQueue, type QueueOptions, type ReadingCaller } from './parser-queue.ts';

const MIB = 1024 * 1024;

export type ParserLimits = {
  /** Heap of a thread, MiB. */
  readonly heapMb: number;
  /** Larger pages are parsed by a separate thread, so that they do not delay small ones. */
  readonly largeBytes: number;
  /** Time limit of one page, after which its thread is terminated, ms. */
  readonly smallBudgetMs: number;
  readonly largeBudgetMs: number;
  /** Tenants whose recent pages took longer than this are moved to a separate thread, ms. */
  readonly smallSlowMs: number;
  readonly largeSlowMs: number;
  /** Memory of the document thread outside its heap, MiB. It is the only limit for an unpacked PDF. */
  readonly outsideMb: number;
};

export const PARSER_LIMITS: ParserLimits = {
  heapMb: computeMemoryLimit(2, { least: 256 * MIB, most: 1024 * MIB }) / MIB,
  largeBytes: 1024 * 1024,
  smallBudgetMs: 5_000,
  largeBudgetMs: 15_000,
  smallSlowMs: 150,
  largeSlowMs: 2000,
  outsideMb: computeMemoryLimit(2, { least: 256 * MIB, most: 512 * MIB }) / MIB,
};

export type ParserOptions = {
  /** The tenants with work in this process. Default: those with pages to parse. */
  readonly active?: ActiveTenants;
  readonly limits?: ParserLimits;
};

/** A page is stopped for waiting tenants after this many times the duration of a slow page. */
const YIELD_FACTOR = 5;

/**
 * Creates parser threads. They start on demand, stop after 60 s idle, and are terminated if a page exceeds its time or
 * memory. Each takes pages of tenants in turns. `sources` is the module whose `runTask` parses pages for site
 * endpoints.
 */
export function createParserThreads<SourceVerdict extends object>(
  sources: URL,
  clock: Clock,
  { active = new ActiveTenants(clock), limits = PARSER_LIMITS }: ParserOptions = {},
) {
  const { heapMb, smallBudgetMs, largeBudgetMs, smallSlowMs, largeSlowMs, outsideMb } = limits;
  /** Frees memory of the main thread once no queue has work. */
  const onRest = (): void => {
    if ([small, large, documents, ofSites].every((pool) => pool.load() === 0)) collectGarbage();
  };
  const pace = new BytePace(active, clock);
  const pages = {
    active,
    heapMb,
    module: new URL('./parser.worker.ts', import.meta.url),
    maxInFlight: MAX_IN_FLIGHT,
    onRest,
    clock,
  };
  const slowKind = { budgetMs: largeBudgetMs, slowMs: largeSlowMs, niceness: YIELDING_NICENESS, threads: 1 } as const;
  /** Two threads, the second for pages of crawls and for calls that would wait. */
  const smallKind = { budgetMs: smallBudgetMs, slowMs: smallSlowMs, threads: 2 } as const;
  const small = createPool<ParserWork, ReadResult>({ ...pages, ...smallKind });
  const computeHoldMs = pace.computeHoldMs.bind(pace);
  const large = createPool<ParserWork, ReadResult>({ ...pages, ...slowKind, restAfter: 1, computeHoldMs });
  /** PDF and Office documents are read asynchronously, so one at a time. Their memory is freed with the thread. */
  const documents = createPool<ParserWork, ReadResult>({ ...pages, ...slowKind, maxInFlight: 1, outsideMb });
  /** Pages of site endpoints, whose parsers are in packages/sites. */
  const ofSites = createPool<SourceWork, SourceVerdict>({ ...pages, ...slowKind, module: sources });

  async function read(work: ParserWork, reader: ReadingCaller): Promise<ReadResult> {
    const { body } = work.request;
    if (isDocument(body)) return documents.read(work, reader);
    return (body.byteLength > limits.largeBytes ? large : small).read(work, reader);
  }

  async function readPage(
    request: ReadRequest,
    { packs, reader }: { readonly packs: boolean; readonly reader: ReadingCaller },
  ): Promise<TransferredReading> {
    const reply = await read({ kind: 'page', packs, request: { fetchedAt: clock.now(), ...request } }, reader);
    if ('print' in reply) throw new InvariantError('the page of a call was parsed as a page of a crawl');
    return reply;
  }

  return {
    /** Parses a page. Throws `content_too_large` beyond its limits, and the abort reason of the signal. */
    async read(this: void, request: ReadRequest, reader: ReadingCaller): Promise<PageReading> {
      return (await readPage(request, { packs: false, reader })).reading;
    },
    /** Like `read`, with large outputs serialized in the thread to save time on the event loop. */
    async readPacked(this: void, request: ReadRequest, reader: ReadingCaller): Promise<PackedReading> {
      return unpackOutputs(await readPage(request, { packs: true, reader }));
    },
    /** Parses a page of a crawl. Throws like `read`. */
    async readOfSite(this: void, request: SitePageRequest, reader: ReadingCaller): Promise<SitePage> {
      const reply = await read({ kind: 'site', request: { fetchedAt: clock.now(), ...request } }, reader);
      if (!('print' in reply)) throw new InvariantError('the page of a crawl was parsed as the page of a call');
      return reply;
    },
    /** Parses a page for a site endpoint. Throws like `read`. */
    async readSource(this: void, request: PageBytes, reader: ReadingCaller): Promise<SourceVerdict> {
      return ofSites.read({ kind: 'page', request }, reader);
    },
    async close(): Promise<void> {
      await Promise.all([small, large, documents, ofSites].map(async (pool) => pool.close()));
    },
  };
}

/**
 * The niceness of threads for large pages, documents and slow tenants. When processors are busy they get about a tenth
 * of the time (nice(1)).
 */
const YIELDING_NICENESS = 10;

/** Threads for one kind of page. */
type ParserPool<W, R> = {
  /** Parses a page, and repeats it if its thread ended because of another page. Throws like `ParserQueue.read`. */
  readonly read: (work: W, reader: ReadingCaller) => Promise<R>;
  /** The number of pages being parsed or waiting. */
  readonly load: () => number;
  readonly close: () => Promise<void>;
};

type PoolOptions = Omit<QueueOptions, 'costs' | 'isAlone' | 'yieldMs' | 'accepts'> & {
  readonly active: ActiveTenants;
  readonly slowMs: number;
  /** 1: one thread for everything. 2: a second thread for crawls and for calls that would wait. */
  readonly threads: 1 | 2;
};

/**
 * Creates threads for one kind of page, and one more for tenants whose recent pages took longer than `slowMs`, so that
 * they delay nobody else. An unexpectedly slow page moves there once others wait for it.
 */
function createPool<W extends ParserWork | SourceWork, R extends object>({
  active,
  slowMs,
  threads,
  ...options
}: PoolOptions): ParserPool<W, R> {
  const costs = new PageCosts(options.clock);
  const isAlone = active.isAlone.bind(active);
  const isSlow = (tenant: string): boolean => (costs.get(tenant) ?? 0) > slowMs && !isAlone(tenant);
  // Checked again for each page, because many pages may wait already when the first one turns out to be slow.
  const shared = { ...options, costs, isAlone };
  const quick = { ...shared, yieldMs: slowMs * YIELD_FACTOR, accepts: (tenant: string) => !isSlow(tenant) };
  const first = new ParserQueue<W, R>(quick);
  const second = threads === 2 ? new ParserQueue<W, R>(quick) : null;
  const slow = new ParserQueue<W, R>({ ...shared, niceness: YIELDING_NICENESS });
  const queues = [first, slow, ...(second === null ? [] : [second])];

  function queueFor({ kind }: W, { party }: ReadingCaller): typeof first {
    if (isSlow(party.tenant)) return slow;
    if (second === null) return first;
    // A crawl has many pages at once, a call only one. For calls a second thread is only worth its memory once they wait.
    const most = kind === 'site' ? 0 : MAX_IN_FLIGHT;
    return first.load >= most && second.load <= first.load ? second : first;
  }

  return {
    async read(work, reader) {
      // Pages parsed for the service itself, such as for its index, do not count as work of a tenant.
      if (reader.party !== SERVICE_OWNER) active.noteActivity(reader.party.tenant);
      let reply: R | null = null;
      while (reply === null) {
        reader.signal.throwIfAborted();
        reply = await queueFor(work, reader).read(work, reader);
      }
      return reply;
    },
    load: () => queues.reduce((sum, { load }) => sum + load, 0),
    async close() {
      await Promise.all(queues.map(async (queue) => queue.close()));
    },
  };
}

/** A page to parse, for a call or for a crawl. */
export type ParserWork =
  | { readonly kind: 'page'; readonly packs: boolean; readonly request: ReadRequest }
  | { readonly kind: 'site'; readonly request: SitePageRequest };

type ReadResult = TransferredReading | SitePage;
type SourceWork = { readonly kind: 'page'; readonly request: PageBytes };
/** The bytes of a page. Further fields are defined by packages/sites. */
type PageBytes = Pick<ReadRequest, 'body'>;

/**
 * Bytes of large pages that are parsed per second for a tenant while others have work. Each MiB takes about 10 ms of
 * the event loop to receive, store, pass to a thread and send.
 */
const BYTES_PER_SECOND = 4 * 1024 * 1024;

/**
 * Computes how long the slot of a large page stays taken after parsing, to limit the bytes per second of its tenant.
 */
export class BytePace {
  readonly #active: ActiveTenants;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** When the bytes of each tenant so far have used up their time. */
  readonly #until = new Map<string, number>();

  constructor(active: ActiveTenants, clock: Pick<Clock, 'monotonic'>) {
    this.#active = active;
    this.#clock = clock;
  }

  /** Computes the ms until a page of `bytes` releases its slot; 0 if no other tenant has work. */
  computeHoldMs(tenant: string, bytes: number): number {
    const now = this.#clock.monotonic();
    for (const [one, until] of this.#until) if (until <= now) this.#until.delete(one);
    if (this.#active.isAlone(tenant)) return 0;
    const until = (this.#until.get(tenant) ?? now) + (bytes / BYTES_PER_SECOND) * 1000;
    this.#until.set(tenant, until);
    return until - now;
  }
}
