import { decodeHTML } from 'entities';
import { readMoment } from '#extract/values/dates.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { toPlainUrl, toWebUrl } from '#extract/values/web-urls.ts';
import type { FoundResult } from './backend.ts';

/** A result as an engine or an API writes it; texts may hold tags. */
export type RawResult = {
  readonly title: string | null;
  readonly url: string | null;
  readonly description: string | null;
  readonly published?: string | null;
  readonly language?: string | null;
  readonly imageUrl?: string | null;
};

/** Results and the number of those that were left out. */
export type ReadResults = { readonly results: readonly FoundResult[]; readonly dropped: number };

const MAX_RESULTS = 100;
const MAX_TITLE = 500;
const MAX_DESCRIPTION = 2000;
const MAX_URL = 4000;
const TAGS = /<\/?[a-z][^<>]*>/gi;

/** Reads results as they come; one without a title or with an address that nobody may visit is dropped and counted. */
export function readFoundResults(raw: readonly RawResult[], mayVisit: (url: string) => boolean): ReadResults {
  const results: FoundResult[] = [];
  let dropped = Math.max(0, raw.length - MAX_RESULTS);
  for (const one of raw.slice(0, MAX_RESULTS)) {
    const url = one.url === null || one.url.length > MAX_URL ? null : toPlainUrl(one.url, one.url);
    const title = toPlainText(one.title ?? '').slice(0, MAX_TITLE);
    if (url === null || title === '' || !mayVisit(url)) {
      dropped += 1;
      continue;
    }
    const moment = one.published ? readMoment(one.published, 'en-US') : null;
    results.push({
      title,
      url,
      description: toPlainText(one.description ?? '').slice(0, MAX_DESCRIPTION),
      publishedAt: moment?.instant ?? moment?.day ?? null,
      language: one.language?.slice(0, 35) ?? null,
      imageUrl: one.imageUrl ? toWebUrl(one.imageUrl, url) : null,
      text: null,
    });
  }
  return { results, dropped };
}

/** Text of an API that may mark words by tags and write characters as entities. */
function toPlainText(text: string): string {
  return collapseSpace(decodeHTML(text.replaceAll(TAGS, '')));
}
