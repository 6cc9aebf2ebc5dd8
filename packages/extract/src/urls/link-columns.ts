import { copyText } from '#extract/values/copy-text.ts';
import { SKIP_REASONS, type SkipReason } from './admission.ts';
import { KEY_LENGTH } from './canonical-key.ts';
import type { ClassifiedLink } from './judging.ts';

/**
 * The judged links of a page, a text for each column: a hundred objects cost more to send to another thread than the
 * reading of the page, and most of these links are known there already.
 */
export type LinkColumns = {
  /** Keys one after the other, all of one length. */
  readonly keys: string;
  /** A line each, as is each of the others: an address holds no line break. */
  readonly urls: string;
  readonly hosts: string;
  /** The text of each link; null where it was not asked for. */
  readonly titles: string | null;
  readonly depths: Int32Array;
  /** Numbers of `SKIP_REASONS`, one more than their place; 0 for none. */
  readonly skips: Uint8Array;
};

/** A judged link, and how the page calls it; null for not at all. */
export type SiteLink = ClassifiedLink & { readonly title: string | null };

export function toLinkColumns(
  links: readonly ClassifiedLink[],
  titles: ReadonlyMap<string, string> | null,
): LinkColumns {
  return {
    keys: links.map(({ key }) => key).join(''),
    urls: links.map(({ url }) => url).join('\n'),
    hosts: links.map(({ host }) => host).join('\n'),
    titles: titles === null ? null : links.map(({ url }) => toSingleLine(titles.get(url) ?? '')).join('\n'),
    depths: Int32Array.from(links, ({ depth }) => depth),
    skips: Uint8Array.from(links, ({ skip }) => (skip === null ? 0 : SKIP_REASONS.indexOf(skip) + 1)),
  };
}

/**
 * The links that are not passed over, in order; asked with the place in `keys` where the key of a link stands. They keep
 * nothing of the columns: a crawl waits with them for its next commit, and they are few.
 */
export function fromColumns(
  columns: LinkColumns,
  passesOver: (at: number, skip: SkipReason | null, depth: number) => boolean,
): readonly SiteLink[] {
  const { keys, depths, skips } = columns;
  const skipAt = (at: number): SkipReason | null => SKIP_REASONS[(skips[at] ?? 0) - 1] ?? null;
  const unknown: number[] = [];
  for (let at = 0; at < depths.length; at++) {
    if (!passesOver(at * KEY_LENGTH, skipAt(at), depths[at] ?? 0)) unknown.push(at);
  }
  if (unknown.length === 0) return [];
  const urls = listLines(columns.urls, unknown);
  const hosts = listLines(columns.hosts, unknown);
  const titles = columns.titles?.split('\n') ?? [];
  return unknown.map((at, place) => ({
    url: copyText(urls[place] ?? ''),
    key: copyText(keys.slice(at * KEY_LENGTH, (at + 1) * KEY_LENGTH)),
    host: copyText(hosts[place] ?? ''),
    depth: depths[at] ?? 0,
    skip: skipAt(at),
    title: titles[at] === undefined || titles[at] === '' ? null : titles[at],
  }));
}

/** Some lines of a text, by their numbers in rising order. */
function listLines(text: string, numbers: readonly number[]): readonly string[] {
  let line = 0;
  let start = 0;
  return numbers.map((number) => {
    for (; line < number; line++) start = text.indexOf('\n', start) + 1;
    const end = text.indexOf('\n', start);
    return text.slice(start, end < 0 ? text.length : end);
  });
}

function toSingleLine(title: string): string {
  return title.replaceAll('\n', ' ');
}
