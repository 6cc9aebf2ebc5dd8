import type { PageReading, ReadRequest } from '#extract/reading.ts';
import { collapseSpace } from '#extract/values/space.ts';
import type { Visited } from '#engine/visits/visit.ts';
import { isErrorPage } from '#access/classify/error-page.ts';
import type { Clock } from '#kernel/clock.ts';
import { waitUnlessAborted } from '#kernel/deadline.ts';
import { ServiceError } from '#kernel/errors.ts';
import { readInTime } from '#features/search/page-content.ts';
import { buildTextRequest } from '#features/search/index/page-text.ts';
import type { FusedResult } from '#features/search/backend/fusion.ts';

/** A page whose text is used for an answer. */
export type SourcePage = {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
  /** Declared language; null if the page declares none. */
  readonly language: string | null;
};

export type ReadSourcesParts = {
  /** Fetches a page; aborted by the signal. */
  readonly visit: (url: URL, signal: AbortSignal) => Promise<Pick<Visited, 'page'>>;
  readonly read: (request: ReadRequest) => Promise<PageReading>;
  readonly readTarget: (url: string) => URL;
  /** Time limit per page, in ms. */
  readonly timeoutMs: number;
  /** Aborted at the end of the call. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
};

/** The pages that were read, best first, and those that could not be read, with reasons. */
export type SourcePages = {
  readonly sources: readonly SourcePage[];
  readonly skipped: readonly SkippedSource[];
};

type SkippedSource = { readonly url: string; readonly reason: string; readonly isLate: boolean };

/** Pages read for one answer; up to twice as many are tried. */
export const MAX_SOURCES = 8;
/** Characters used of a page: the same limit as in the built-in index. */
const MAX_CHARS = 200_000;
/** After this time, another page is tried in addition to a slow one. */
const SLOW_MS = 2_000;

/** Fetches and reads the pages of search results, best first, until there are enough. Slow and failed pages are skipped. */
export async function readSources(results: readonly FusedResult[], parts: ReadSourcesParts): Promise<SourcePages> {
  const tried = results.slice(0, MAX_SOURCES * 2);
  const found = new Map<number, SourcePage>();
  const skipped = new Map<number, SkippedSource>();
  const reading = new Set<number>();
  const enough = new AbortController();
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  let next = 0;
  let expected = 0;

  function startMore(): void {
    while (next < tried.length && found.size + expected < MAX_SOURCES) start(next++);
    if (found.size >= MAX_SOURCES || reading.size === 0) resolve();
  }

  function start(at: number): void {
    const result = tried[at];
    if (result === undefined) return;
    reading.add(at);
    expected += 1;
    let isExpected = true;
    const giveUp = (): void => {
      expected -= isExpected ? 1 : 0;
      isExpected = false;
    };
    const slow = parts.clock.after(SLOW_MS, () => {
      giveUp();
      startMore();
    });
    const ended = finish(at, result).finally(() => {
      slow.close();
      giveUp();
    });
    ended.then(startMore, reject);
  }

  async function finish(at: number, result: FusedResult): Promise<void> {
    const signal = AbortSignal.any([parts.signal, enough.signal]);
    try {
      const read = await readSource(result, { ...parts, signal });
      if ('reason' in read) skipped.set(at, read);
      else found.set(at, read);
    } finally {
      reading.delete(at);
    }
  }

  startMore();
  try {
    await waitUnlessAborted(done, parts.signal);
    const late = [...reading].map(
      (at) => [at, { url: tried[at]?.url ?? '', reason: 'was slower than other sources', isLate: true }] as const,
    );
    return {
      sources: sortByPosition(found).slice(0, MAX_SOURCES),
      skipped: sortByPosition(new Map([...skipped, ...late])),
    };
  } finally {
    enough.abort();
  }
}

function sortByPosition<T>(byPlace: ReadonlyMap<number, T>): readonly T[] {
  return [...byPlace].toSorted(([one], [other]) => one - other).map(([, value]) => value);
}

async function readSource(result: FusedResult, parts: ReadSourcesParts): Promise<SourcePage | SkippedSource> {
  const { url, title, description, text, language } = result;
  if (text !== null) return { url, title, description, text: text.slice(0, MAX_CHARS), language };
  const { timeoutMs, signal, clock } = parts;
  const ending = clock.deadline(timeoutMs, signal);
  const read = await readInTime(async () => readPage(result, { ...parts, signal: ending }), { ending, signal });
  if (!(read instanceof ServiceError)) return read;
  return ending.aborted
    ? { url, reason: `did not respond within ${timeoutMs} ms`, isLate: true }
    : { url, reason: read.message, isLate: false };
}

async function readPage(
  { url, title, description, language }: FusedResult,
  { visit, read, readTarget, signal }: ReadSourcesParts,
): Promise<SourcePage | SkippedSource> {
  const { page } = await visit(readTarget(url), signal);
  if (isErrorPage(page)) return { url, reason: `returned an error page (${page.status})`, isLate: false };
  const { outputs, metadata } = await read(buildTextRequest(page));
  const body = (outputs.text ?? '').slice(0, MAX_CHARS);
  if (body.trim() === '') return { url, reason: 'has no text', isLate: false };
  return {
    url: page.url,
    title: metadata.title ?? title,
    description: collapseSpace(metadata.description ?? description).slice(0, 500),
    text: body,
    language: metadata.language ?? language,
  };
}
