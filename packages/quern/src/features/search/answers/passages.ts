import type { PageReading, ReadRequest } from '#extract/reading.ts';
import { collapseSpace } from '#extract/values/space.ts';
import type { Visited } from '#engine/visits/visit.ts';
import { isErrorPage } from '#access/classify/error-page.ts';
import type { Clock } from '#kernel/clock.ts';
import { untilAborted } from '#kernel/deadline.ts';
import { ServiceError } from '#kernel/errors.ts';
import { toTextRequest } from '#features/search/index/page-text.ts';
import type { FusedResult } from '#features/search/backend/fusion.ts';

/** A page that was read for an answer. */
export type ReadSource = {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
  /** As the page says it, null where it does not. */
  readonly language: string | null;
};

export type PassageParts = {
  /** Gets a page until the signal fires. */
  readonly visit: (url: URL, signal: AbortSignal) => Promise<Pick<Visited, 'page'>>;
  readonly read: (request: ReadRequest) => Promise<PageReading>;
  readonly readTarget: (url: string) => URL;
  /** The time of one page, ms. */
  readonly withinMs: number;
  /** The end of the call. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
};

/** The pages that were read, best first, and those that were tried in vain, with the reasons. */
export type ReadSources = {
  readonly sources: readonly ReadSource[];
  readonly leftOut: readonly LeftOut[];
};

type LeftOut = { readonly url: string; readonly reason: string; readonly isLate: boolean };

/** Pages of one answer that are read, of at most twice as many that are tried. */
export const MAX_PAGES = 8;
/** Characters of a page that are looked through, as many as the own index has of one. */
const MAX_CHARS = 200_000;
/** A page that has not come after this time is no longer counted on, and another is tried beside it, ms. */
const SLOW_MS = 2_000;

/** Reads the pages of results, best first, until enough have come; one that is late or cannot be had is left out. */
export async function readSources(results: readonly FusedResult[], parts: PassageParts): Promise<ReadSources> {
  const tried = results.slice(0, MAX_PAGES * 2);
  const found = new Map<number, ReadSource>();
  const leftOut = new Map<number, LeftOut>();
  const reading = new Set<number>();
  const enough = new AbortController();
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  let next = 0;
  let expected = 0;

  function goOn(): void {
    while (next < tried.length && found.size + expected < MAX_PAGES) start(next++);
    if (found.size >= MAX_PAGES || reading.size === 0) resolve();
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
      goOn();
    });
    const ended = finish(at, result).finally(() => {
      slow.close();
      giveUp();
    });
    ended.then(goOn, reject);
  }

  async function finish(at: number, result: FusedResult): Promise<void> {
    const signal = AbortSignal.any([parts.signal, enough.signal]);
    try {
      const read = await readSource(result, { ...parts, signal });
      if ('reason' in read) leftOut.set(at, read);
      else found.set(at, read);
    } finally {
      reading.delete(at);
    }
  }

  goOn();
  try {
    await untilAborted(done, parts.signal);
    const late = [...reading].map(
      (at) => [at, { url: tried[at]?.url ?? '', reason: 'was slower than the others', isLate: true }] as const,
    );
    return {
      sources: inOrder(found).slice(0, MAX_PAGES),
      leftOut: inOrder(new Map([...leftOut, ...late])),
    };
  } finally {
    enough.abort();
  }
}

function inOrder<T>(byPlace: ReadonlyMap<number, T>): readonly T[] {
  return [...byPlace].toSorted(([one], [other]) => one - other).map(([, value]) => value);
}

async function readSource(result: FusedResult, parts: PassageParts): Promise<ReadSource | LeftOut> {
  const { url, title, description, text, language } = result;
  if (text !== null) return { url, title, description, text: text.slice(0, MAX_CHARS), language };
  const { withinMs, signal, clock } = parts;
  const own = clock.deadline(withinMs, signal);
  try {
    return await untilAborted(readPage(result, { ...parts, signal: own }), own);
  } catch (error) {
    // The time of the whole call ends it; a page alone does not.
    signal.throwIfAborted();
    if (own.aborted) return { url, reason: `did not answer within ${withinMs} ms`, isLate: true };
    if (error instanceof ServiceError) return { url, reason: error.message, isLate: false };
    throw error;
  }
}

async function readPage(
  { url, title, description, language }: FusedResult,
  { visit, read, readTarget, signal }: PassageParts,
): Promise<ReadSource | LeftOut> {
  const { page } = await visit(readTarget(url), signal);
  if (isErrorPage(page)) return { url, reason: `answers with an error (${page.status})`, isLate: false };
  const { outputs, metadata } = await read(toTextRequest(page));
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
