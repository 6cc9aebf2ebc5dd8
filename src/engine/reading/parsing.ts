import { isDocument } from '#extract/html/signature.ts';
import type { PageReading, ReadRequest } from '#extract/reading.ts';
import type { SitePage, SitePageRequest } from '#extract/urls/site-page.ts';
import type { Clock } from '#kernel/clock.ts';
import { collectGarbage } from '#kernel/memory.ts';
import { partOfMemory } from '#kernel/memory-budget.ts';
import { IN_FLIGHT, ParserQueue } from './parser-queue.ts';

const MIB = 1024 * 1024;

export type ParsingLimits = {
  /** Heap of a thread, MiB. */
  readonly heapMb: number;
  /** Pages above this are read by a second thread, so that they do not hold up the small ones. */
  readonly largeBytes: number;
  /** Time that reading one page may take before its thread is ended, ms. */
  readonly smallBudgetMs: number;
  readonly largeBudgetMs: number;
  /** Memory of the document thread outside its heap, MiB: the only bound on an unpacked PDF. */
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
 * Parser threads: started on first need, stopped after 60 s idle, ended when a page exceeds its time or memory. `sources`
 * is the module whose `runTask` reads pages by the sources of endpoints.
 */
export function openParsing<SourceVerdict extends object>(
  sources: URL,
  clock: Clock,
  limits: ParsingLimits = PARSING_LIMITS,
) {
  const { heapMb, smallBudgetMs, largeBudgetMs, outsideMb } = limits;
  /** Frees memory of this thread once no queue has work. */
  const onRest = (): void => {
    if ([small, large, crawls, documents, ofSites].every((queue) => queue.load === 0)) collectGarbage();
  };
  const pages = { heapMb, module: new URL('./parser.worker.ts', import.meta.url), atOnce: IN_FLIGHT, onRest, clock };
  const small = new ParserQueue<ParserWork, Read>({ ...pages, budgetMs: smallBudgetMs });
  const large = new ParserQueue<ParserWork, Read>({ ...pages, budgetMs: largeBudgetMs, restAfter: 1 });
  /** A second thread for pages of crawls and for calls that would wait: parsing is most of the cost of both. */
  const crawls = new ParserQueue<ParserWork, Read>({ ...pages, budgetMs: smallBudgetMs });
  /** PDF and Office: their readers are asynchronous, so one at a time, and their memory is freed with the thread. */
  const documents = new ParserQueue<ParserWork, Read>({ ...pages, budgetMs: largeBudgetMs, atOnce: 1, outsideMb });
  /** Pages of site endpoints, whose parsers are on a higher floor. */
  const ofSites = new ParserQueue<SourceWork, SourceVerdict>({ ...pages, module: sources, budgetMs: largeBudgetMs });

  function queueFor({ kind, request }: ParserWork): typeof small {
    if (isDocument(request.body)) return documents;
    if (request.body.byteLength > limits.largeBytes) return large;
    // A crawl has many pages at once, a call one: a second thread is worth its memory only once calls wait.
    const most = kind === 'site' ? 0 : IN_FLIGHT;
    return small.load >= most && crawls.load <= small.load ? crawls : small;
  }

  async function read(work: ParserWork, signal: AbortSignal): Promise<Read> {
    return queueFor(work).read(work, signal);
  }

  return {
    /** Reads a page; throws `content_too_large` past its budget, and the signal's reason when that fires. */
    async read(this: void, request: ReadRequest, signal: AbortSignal): Promise<PageReading> {
      const reply = await read({ kind: 'page', request: { fetchedAt: clock.now(), ...request } }, signal);
      if ('print' in reply) throw new Error('a page was read as one of a site');
      return reply;
    },
    /** Reads a page of a crawl; throws the same. */
    async readOfSite(this: void, request: SitePageRequest, signal: AbortSignal): Promise<SitePage> {
      const reply = await read({ kind: 'site', request: { fetchedAt: clock.now(), ...request } }, signal);
      if (!('print' in reply)) throw new Error('a page of a site was read as any page');
      return reply;
    },
    /** Reads a page by a source of an endpoint; throws the same. */
    async readSource(this: void, request: PageBytes, signal: AbortSignal): Promise<SourceVerdict> {
      return ofSites.read({ kind: 'page', request }, signal);
    },
    async close(): Promise<void> {
      await Promise.all([small, large, crawls, documents, ofSites].map(async (queue) => queue.close()));
    },
  };
}

/** A page to read, for a call or for a crawl. */
export type ParserWork =
  | { readonly kind: 'page'; readonly request: ReadRequest }
  | { readonly kind: 'site'; readonly request: SitePageRequest };

type Read = PageReading | SitePage;
type SourceWork = { readonly kind: 'page'; readonly request: PageBytes };
/** The bytes of a page; further members of a request are defined by the sites. */
type PageBytes = Pick<ReadRequest, 'body'>;
