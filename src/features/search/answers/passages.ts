import type { PageReading, ReadRequest } from '#extract/reading.ts';
import { collapseSpace } from '#extract/values/space.ts';
import type { Visited } from '#engine/visits/visit.ts';
import { isErrorPage } from '#access/classify/error-page.ts';
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
  readonly visit: (url: URL) => Promise<Pick<Visited, 'page'>>;
  readonly read: (request: ReadRequest) => Promise<PageReading>;
  readonly readTarget: (url: string) => URL;
};

/** Pages of one answer that are read, of at most twice as many that are tried. */
export const MOST_PAGES = 8;
/** Characters of a page that are looked through, as many as the own index has of one. */
const MOST_CHARS = 200_000;
const AT_ONCE = 4;

/** Reads the pages of results, best first; those that cannot be had are passed over. */
export async function readSources(
  results: readonly FusedResult[],
  parts: PassageParts,
): Promise<readonly ReadSource[]> {
  const found: ReadSource[] = [];
  for (let at = 0; at < results.length && at < MOST_PAGES * 2 && found.length < MOST_PAGES; at += AT_ONCE) {
    const some = await Promise.all(results.slice(at, at + AT_ONCE).map(async (result) => readSource(result, parts)));
    found.push(...some.filter((one) => one !== null));
  }
  return found.slice(0, MOST_PAGES);
}

async function readSource(
  { url, title, description, text, language }: FusedResult,
  { visit, read, readTarget }: PassageParts,
): Promise<ReadSource | null> {
  if (text !== null) return { url, title, description, text: text.slice(0, MOST_CHARS), language };
  try {
    const { page } = await visit(readTarget(url));
    if (isErrorPage(page)) return null;
    const { outputs, metadata } = await read(toTextRequest(page));
    const body = (outputs.text ?? '').slice(0, MOST_CHARS);
    if (body.trim() === '') return null;
    return {
      url: page.url,
      title: metadata.title ?? title,
      description: collapseSpace(metadata.description ?? description).slice(0, 500),
      text: body,
      language: metadata.language ?? language,
    };
  } catch (error) {
    // The time of the whole call ends it; a page alone does not.
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
