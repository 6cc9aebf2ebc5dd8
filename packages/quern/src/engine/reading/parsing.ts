import { isDocument } from '#extract/html/signature.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import type { PageReading, ReadRequest } from '#extract/reading.ts';
import type { SitePage, SitePageRequest } from '#extract/urls/site-page.ts';
import { ActiveTenants } from '#kernel/active-tenants.ts';
import type { Clock } from '#kernel/clock.ts';
import { partOfMemory } from '#kernel/memory-budget.ts';
import { collectGarbage } from '#kernel/memory.ts';
import { SERVICE_PARTY } from '#kernel/turns.ts';
import { type TransferredReading, type PackedReading, unpackOutputs } from './packed-outputs.ts';
import { PageCosts, MAX_IN_FLIGHT, ParserQueue, type QueueOptions, type ReadingCaller } from './parser-queue.ts';

const MIB = 1024 * 1024;

export type ParserLimits = {
  /** Heap of a thread, MiB. */
  readonly heapMb: number;
  /** Pages above this are read by a second thread, so that they do not hold up the small ones. */
  readonly largeBytes: number;
  /** Time that reading one page may take before its thread is ended, ms. */
  readonly smallBudgetMs: number;
  readonly largeBudgetMs: number;
  /** Tenants whose pages lately took longer than this are read by threads of their own, ms. */
  readonly smallSlowMs: number;
  readonly largeSlowMs: number;
  /** Memory of the document thread outside its heap, MiB: the only bound on an unpacked PDF. */
  readonly outsideMb: number;
};

export const PARSER_LIMITS: ParserLimits = {
  heapMb: partOfMemory(2, { least: 256 * MIB, most: 1024 * MIB }) / MIB,
  largeBytes: 1024 * 1024,
  smallBudgetMs: 5_000,
  largeBudgetMs: 15_000,
  smallSlowMs: 150,
  largeSlowMs: 2000,
  outsideMb: partOfMemory(2, { least: 256 * MIB, most: 512 * MIB }) / MIB,
};

export type ParserOptions = {
  /** Who has work in this process; only the pages that are read here tell unless given. */
  readonly active?: ActiveTenants;
  readonly limits?: ParserLimits;
};

/** A page that holds up other tenants this many times longer than a slow one leaves the thread. */
const YIELD_FACTOR = 5;

/**
 * Parser threads: started on first need, stopped after 60 s idle, ended when a page exceeds its time or memory. Each takes
 * the pages of tenants in turns. `sources` is the module whose `runTask` reads pages by the sources of endpoints.
 */
export function openParsing<SourceVerdict extends object>(
  sources: URL,
  clock: Clock,
  { active = new ActiveTenants(clock), limits = PARSER_LIMITS }: ParserOptions = {},
) {
  const { heapMb, smallBudgetMs, largeBudgetMs, smallSlowMs, largeSlowMs, outsideMb } = limits;
  /** Frees memory of this thread once no queue has work. */
  const onRest = (): void => {
    if ([small, large, documents, ofSites].every((lanes) => lanes.load() === 0)) collectGarbage();
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
  const slowKind = { budgetMs: largeBudgetMs, slowMs: largeSlowMs, niceness: YIELDING_NICENESS };
  /** Two threads, the second for pages of crawls and for calls that would wait: parsing is most of the cost of both. */
  const small = createPool<ParserWork, ReadResult>({
    ...pages,
    budgetMs: smallBudgetMs,
    slowMs: smallSlowMs,
    threads: 2,
  });
  const holdFor = pace.computeHoldMs.bind(pace);
  const large = createPool<ParserWork, ReadResult>({
    ...pages,
    ...slowKind,
    threads: 1,
    restAfter: 1,
    computeHoldMs: holdFor,
  });
  /** PDF and Office: their readers are asynchronous, so one at a time, and their memory is freed with the thread. */
  const documents = createPool<ParserWork, ReadResult>({
    ...pages,
    ...slowKind,
    threads: 1,
    maxInFlight: 1,
    outsideMb,
  });
  /** Pages of site endpoints, whose parsers are on a higher floor. */
  const ofSites = createPool<SourceWork, SourceVerdict>({ ...pages, ...slowKind, threads: 1, module: sources });

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
    if ('print' in reply) throw new InvariantError('a page was read as one of a site');
    return reply;
  }

  return {
    /** Reads a page; throws `content_too_large` past its budget, and the signal's reason when that fires. */
    async read(this: void, request: ReadRequest, reader: ReadingCaller): Promise<PageReading> {
      return (await readPage(request, { packs: false, reader })).reading;
    },
    /** The same for an answer: its large outputs come serialized, which takes none of the time of the event loop. */
    async readPacked(this: void, request: ReadRequest, reader: ReadingCaller): Promise<PackedReading> {
      return unpackOutputs(await readPage(request, { packs: true, reader }));
    },
    /** Reads a page of a crawl; throws the same. */
    async readOfSite(this: void, request: SitePageRequest, reader: ReadingCaller): Promise<SitePage> {
      const reply = await read({ kind: 'site', request: { fetchedAt: clock.now(), ...request } }, reader);
      if (!('print' in reply)) throw new InvariantError('a page of a site was read as any page');
      return reply;
    },
    /** Reads a page by a source of an endpoint; throws the same. */
    async readSource(this: void, request: PageBytes, reader: ReadingCaller): Promise<SourceVerdict> {
      return ofSites.read({ kind: 'page', request }, reader);
    },
    async close(): Promise<void> {
      await Promise.all([small, large, documents, ofSites].map(async (lanes) => lanes.close()));
    },
  };
}

/**
 * The niceness of threads that yield to the event loop and to small pages when processors are short: those for large pages,
 * for documents and for slow tenants. They then get about a tenth of the time (nice(1)).
 */
const YIELDING_NICENESS = 10;

/** Threads for one kind of page. */
type ParserPool<W, R> = {
  /** Reads a page, again where its thread ended for another; throws as `ParserQueue.read` does. */
  readonly read: (work: W, reader: ReadingCaller) => Promise<R>;
  /** Pages that are read or wait. */
  readonly load: () => number;
  readonly close: () => Promise<void>;
};

type PoolOptions = Omit<QueueOptions, 'costs' | 'isAlone' | 'yieldMs' | 'accepts'> & {
  readonly active: ActiveTenants;
  readonly slowMs: number;
  /** One for calls, and with two another for crawls and for calls that would wait. */
  readonly threads: 1 | 2;
};

/**
 * Threads for one kind of page, and one more for tenants whose pages lately took longer than `slowMs`: what they send holds
 * up nobody else. A page that is slow unexpectedly moves there once others wait for it.
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
  // Of a tenant whose first page turns out to be slow many more may wait already.
  const shared = { ...options, costs, isAlone };
  const quick = { ...shared, giveWayMs: slowMs * YIELD_FACTOR, admits: (tenant: string) => !isSlow(tenant) };
  const first = new ParserQueue<W, R>(quick);
  const second = threads === 2 ? new ParserQueue<W, R>(quick) : null;
  const slow = new ParserQueue<W, R>({ ...shared, niceness: YIELDING_NICENESS });
  const queues = [first, slow, ...(second === null ? [] : [second])];

  function queueFor({ kind }: W, { party }: ReadingCaller): typeof first {
    if (isSlow(party.tenant)) return slow;
    if (second === null) return first;
    // A crawl has many pages at once, a call one: a second thread is worth its memory only once calls wait.
    const most = kind === 'site' ? 0 : MAX_IN_FLIGHT;
    return first.load >= most && second.load <= first.load ? second : first;
  }

  return {
    async read(work, reader) {
      // What the service reads for itself, such as for its index, leaves a tenant alone.
      if (reader.party !== SERVICE_PARTY) active.meet(reader.party.tenant);
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

/** A page to read, for a call or for a crawl. */
export type ParserWork =
  | { readonly kind: 'page'; readonly packs: boolean; readonly request: ReadRequest }
  | { readonly kind: 'site'; readonly request: SitePageRequest };

type ReadResult = TransferredReading | SitePage;
type SourceWork = { readonly kind: 'page'; readonly request: PageBytes };
/** The bytes of a page; further members of a request are defined by the sites. */
type PageBytes = Pick<ReadRequest, 'body'>;

/**
 * Bytes of large pages that a tenant may have read in a second while others have work. Each mebibyte takes some ten
 * milliseconds of the event loop, which nothing else can share: it is received, kept, handed to a thread and answered.
 */
const BYTES_PER_SECOND = 4 * 1024 * 1024;

/** How long the place of a large page is held beyond its reading, so that its tenant keeps to a pace. */
export class BytePace {
  readonly #active: ActiveTenants;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** When the bytes of each tenant so far have had their time. */
  readonly #until = new Map<string, number>();

  constructor(active: ActiveTenants, clock: Pick<Clock, 'monotonic'>) {
    this.#active = active;
    this.#clock = clock;
  }

  /** Ms until a page of so many bytes gives back its place; 0 for the only tenant that has work. */
  computeHoldMs(tenant: string, bytes: number): number {
    const now = this.#clock.monotonic();
    for (const [one, until] of this.#until) if (until <= now) this.#until.delete(one);
    if (this.#active.isAlone(tenant)) return 0;
    const until = (this.#until.get(tenant) ?? now) + (bytes / BYTES_PER_SECOND) * 1000;
    this.#until.set(tenant, until);
    return until - now;
  }
}
