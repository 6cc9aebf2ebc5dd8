import { Piscina } from 'piscina';
import { isDocument } from '#extract/html/signature.ts';
import type { ReadRequest, Reading } from '#extract/reading.ts';
import type { SitePage, SitePageRequest } from '#extract/site/site-page.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import { settle } from '#kernel/memory.ts';
import { partOfMemory } from '#kernel/room.ts';
import { waitIn } from '#kernel/waiting-line.ts';
import type { WaitingLine } from '#kernel/waiting-line.ts';
import { untilAborted } from './deadline.ts';
import { MOST_ID, openDesk } from './desk.ts';
import type { Verdict } from './sites/answers.ts';
import type { ReadOrder } from './sites/reading.ts';

const MIB = 1024 * 1024;

export type ParsingLimits = {
  /** Heap of a thread, MiB. */
  readonly heapMb: number;
  /** Pages above this are read by a second thread, so that they do not hold up the small ones. */
  readonly largeBytes: number;
  /** Time that reading one page may take before its thread is ended, ms. */
  readonly smallBudgetMs: number;
  readonly largeBudgetMs: number;
  /** What the thread of documents may hold beside its heap, MiB: what a PDF unpacks to knows no other bound. */
  readonly outsideMb: number;
};

export const PARSING_LIMITS: ParsingLimits = {
  heapMb: partOfMemory(2, { least: 256 * MIB, most: 1024 * MIB }) / MIB,
  largeBytes: 1024 * 1024,
  smallBudgetMs: 5_000,
  largeBudgetMs: 15_000,
  outsideMb: partOfMemory(2, { least: 256 * MIB, most: 512 * MIB }) / MIB,
};

/**
 * Parser threads: started on first need, stopped after 60 s idle, ended when a page takes too long or too much. `sources`
 * is the module whose `parsePage` reads pages by the sources of endpoints.
 */
export function openParsing(sources: URL, limits: ParsingLimits = PARSING_LIMITS) {
  const { heapMb, smallBudgetMs, largeBudgetMs, outsideMb } = limits;
  /** What the pages of a load have left behind in this thread is given back when no lane has anything to read. */
  const onRest = (): void => {
    if ([small, large, walks, documents, ofSites].every((lane) => lane.load() === 0)) settle();
  };
  const pages = { heapMb, module: new URL('./parser.worker.ts', import.meta.url), atOnce: IN_FLIGHT, onRest };
  const small = openLane<Work, Read>({ ...pages, budgetMs: smallBudgetMs });
  const large = openLane<Work, Read>({ ...pages, budgetMs: largeBudgetMs, restAfter: 1 });
  /** Beside the first, for pages of walks and for calls that would wait: most of what either costs is the reading. */
  const walks = openLane<Work, Read>({ ...pages, budgetMs: smallBudgetMs });
  /** PDF and Office: their readers wait while they read, so one at a time, and their memory goes with the thread. */
  const documents = openLane<Work, Read>({ ...pages, budgetMs: largeBudgetMs, atOnce: 1, outsideMb });
  /** For pages of endpoints, whose parsers stand on a floor that this one does not see. */
  const ofSites = openLane<SourceWork, Verdict>({ ...pages, module: sources, budgetMs: largeBudgetMs });

  function laneFor({ kind, request }: Work): typeof small {
    if (isDocument(request.body)) return documents;
    if (request.body.byteLength > limits.largeBytes) return large;
    // A walk has many pages at once, and a call one: a second thread is worth its memory only once calls wait.
    const most = kind === 'site' ? 0 : IN_FLIGHT;
    return small.load() >= most && walks.load() <= small.load() ? walks : small;
  }

  async function read(work: Work, signal: AbortSignal): Promise<Read> {
    return laneFor(work).read(work, signal);
  }

  return {
    /** Reads a page; throws `content_too_large` past its budget, and the signal's reason when that fires. */
    async read(this: void, request: ReadRequest, signal: AbortSignal): Promise<Reading> {
      const reply = await read({ kind: 'page', request }, signal);
      if ('print' in reply) throw new Error('a page was read as one of a site');
      return reply;
    },
    /** Reads a page of a site that is walked through; throws the same. */
    async readOfSite(this: void, request: SitePageRequest, signal: AbortSignal): Promise<SitePage> {
      const reply = await read({ kind: 'site', request }, signal);
      if (!('print' in reply)) throw new Error('a page of a site was read as any page');
      return reply;
    },
    /** Reads a page by a source of an endpoint; throws the same. */
    async readSource(this: void, request: ReadOrder, signal: AbortSignal): Promise<Verdict> {
      return ofSites.read({ kind: 'page', request }, signal);
    },
    async close(): Promise<void> {
      await Promise.all([small, large, walks, documents, ofSites].map(async (lane) => lane.close()));
    },
  };
}

/** A page, to be read for a call or for a walk. */
export type Work =
  | { readonly kind: 'page'; readonly request: ReadRequest }
  | { readonly kind: 'site'; readonly request: SitePageRequest };
/** The page of one call, or one of the many of a walk through a site; those of calls go first. */
const KINDS = ['page', 'site'] as const;
type Kind = (typeof KINDS)[number];
type Read = Reading | SitePage;
type SourceWork = { readonly kind: 'page'; readonly request: ReadOrder };

/** What a thread is given: a piece of work by a number that is its own among those in the thread. */
export type Task<W> = { readonly id: number } & W;
/** A refusal that must cross the thread as plain data. */
export type Refusal = { readonly code: ErrorCode; readonly message: string };

type Thread = {
  readonly module: URL;
  readonly budgetMs: number;
  readonly heapMb: number;
  /** Pages that are given to the thread before it has answered. */
  readonly atOnce: number;
  /** MiB beside the heap; without it nobody looks. */
  readonly outsideMb?: number;
  /** Pages after which it gives back what they left behind; `LOAD_PAGES` unless given. */
  readonly restAfter?: number;
  /** Told when the thread has given back what a load left behind in it. */
  readonly onRest: () => void;
};

/** Pages in a thread: one is read and the next are there, so that it does not wait while this thread is busy elsewhere. */
const IN_FLIGHT = 16;

/** After so many pages, large ones one by one, and so many ms without another, a thread gives back what they left behind. */
const LOAD_PAGES = 200;
const REST_MS = 2_000;

/** What a thread at rest runs instead of reading a page. */
const SETTLE = { filename: new URL('../kernel/memory.ts', import.meta.url).href, name: settle.name };

/** How often the memory of a thread is looked at, ms. */
const LOOK_MS = 100;

/** One thread. */
type Lane<W, R> = {
  /** Pages that are in the thread, and those that wait for it. */
  readonly load: () => number;
  readonly read: (work: W, signal: AbortSignal) => Promise<R>;
  readonly close: () => Promise<void>;
};

function openLane<W extends { readonly kind: Kind }, R extends object>(bounds: Thread): Lane<W, R> {
  const { module, budgetMs, heapMb, atOnce, outsideMb = null, restAfter = LOAD_PAGES, onRest } = bounds;
  const desk = openDesk();
  const pool = new Piscina<Task<W> | null, R | Refusal>({
    filename: module.href,
    name: 'parsePage',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
    recordTiming: false,
    concurrentTasksPerWorker: atOnce,
    workerData: desk.shared,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  // With a place more than the thread takes, each kind has one and neither is there first.
  const places = fairPlaces(Math.max(2, atOnce));
  let lastId = 0;
  let inFlight = 0;
  let load = 0;
  /** The page that used up its budget. */
  let doomed = 0;
  let timer: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let resting: NodeJS.Timeout | undefined;
  let readSinceRest = 0;

  /** V8 gives room back only under need; a service that has nothing to do should be small. */
  async function rest(): Promise<void> {
    readSinceRest = 0;
    // A thread that has ended meanwhile has given back everything.
    if (pool.threads.length > 0) await pool.run(null, SETTLE).catch(() => undefined);
    onRest();
  }

  /** Looks at the page on the desk, and ends the thread when that has used up its budget. */
  function watch(): void {
    const { id, spentMs } = desk.look();
    const late = spentMs >= budgetMs;
    timer = setTimeout(watch, late ? budgetMs : budgetMs - spentMs);
    if (!late) return;
    doomed = id;
    for (const thread of pool.threads) void thread.terminate();
  }

  /** Looks at what the thread holds beside its heap, and ends it when that is too much; V8 bounds the heap alone. */
  async function weigh(most: number): Promise<void> {
    const { id } = desk.look();
    for (const thread of pool.threads) {
      // A thread that has just ended has nothing to tell.
      const held = await thread.getHeapStatistics().then(
        ({ external_memory: bytes }) => bytes,
        () => 0,
      );
      if (id !== 0 && id === desk.look().id && held > most) void thread.terminate();
    }
  }

  /** Null when the thread ended for the page before this one. */
  async function readOnce(work: W): Promise<R | Refusal | null> {
    lastId = (lastId % MOST_ID) + 1;
    const id = lastId;
    inFlight += 1;
    readSinceRest += 1;
    clearTimeout(resting);
    if (inFlight === 1) timer = setTimeout(watch, budgetMs);
    if (inFlight === 1 && outsideMb !== null) looking = setInterval(() => void weigh(outsideMb * 2 ** 20), LOOK_MS);
    try {
      return await pool.run({ id, ...work });
    } catch (error) {
      if (!isThreadDeath(error)) throw error;
      if (id !== desk.look().id) return null;
      // The thread died over this page and cannot clear its desk for the next thread.
      desk.lay(0);
      const bound = id === doomed ? `more than ${budgetMs / 1000} s` : 'more memory than is allowed';
      throw tooLarge(`reading this page takes ${bound}`, error);
    } finally {
      inFlight -= 1;
      if (inFlight === 0) {
        clearTimeout(timer);
        clearInterval(looking);
        if (readSinceRest >= restAfter) resting = setTimeout(() => void rest(), REST_MS).unref();
      }
    }
  }

  /** However many pages before it end the thread, a page that keeps its own bounds is read. */
  async function run(work: W, signal: AbortSignal): Promise<R> {
    let reply: R | Refusal | null = null;
    while (reply === null) {
      signal.throwIfAborted();
      reply = await readOnce(work);
    }
    if (isRefusal(reply)) throw new ServiceError(reply.code, reply.message);
    return reply;
  }

  return {
    load: () => load,
    async read(work: W, signal: AbortSignal): Promise<R> {
      load += 1;
      try {
        await places.take(work.kind, signal);
        const running = run(work, signal).finally(() => places.free(work.kind));
        return await untilAborted(running, signal);
      } finally {
        load -= 1;
      }
    },
    async close(): Promise<void> {
      clearTimeout(timer);
      clearInterval(looking);
      clearTimeout(resting);
      await pool.destroy();
    },
  };
}

/** No reading has a code. */
function isRefusal(reply: object): reply is Refusal {
  return 'code' in reply;
}

function tooLarge(message: string, cause: unknown): ServiceError {
  return new ServiceError('content_too_large', message, { cause });
}

/** Out of memory, or ended by the watch: the pages in the thread are lost, the one on the desk is the cause. */
function isThreadDeath(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : null;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || /^(worker exited|Terminating worker)/i.test(error.message);
}

/** So many places. Of each kind first come, first served; one place is kept for either, and pages of calls go first. */
function fairPlaces(count: number) {
  const most = count - 1;
  const taken = { page: 0, site: 0 };
  const waiting: Readonly<Record<Kind, WaitingLine>> = { page: new Set(), site: new Set() };

  function admit(): void {
    for (const kind of KINDS) {
      for (const next of waiting[kind]) {
        if (taken[kind] >= most || taken.page + taken.site >= count) break;
        waiting[kind].delete(next);
        taken[kind] += 1;
        next();
      }
    }
  }

  return {
    async take(kind: Kind, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      const turn = waitIn(waiting[kind], signal);
      admit();
      await turn;
    },
    free(kind: Kind): void {
      taken[kind] -= 1;
      admit();
    },
  };
}
