import { copyText } from '#extract/platform/node.ts';
import { SKIP_REASONS, type SkipReason } from './link-admission.ts';
import { KEY_LENGTH } from './canonical-key.ts';
import type { ClassifiedLink } from './link-classifier.ts';

/**
 * The classified links of a page, column by column. Sending a hundred objects to another thread would cost more than
 * reading the page, and the receiver already knows most of the links.
 */
export type LinkColumns = {
  /** The keys, concatenated; all have the same length. */
  readonly keys: string;
  /** One URL per line; the following columns have one entry per line too. */
  readonly urls: string;
  readonly hosts: string;
  /** The text of each link; null if not requested. */
  readonly titles: string | null;
  readonly depths: Int32Array;
  /** The index in `SKIP_REASONS` plus 1; 0 if the link is not skipped. */
  readonly skips: Uint8Array;
};

/** A classified link and its text on the page; null if it has none. */
export type SiteLink = ClassifiedLink & { readonly title: string | null };

/** Packs classified links into columns. `titles` has the texts of links by URL; null if not requested. */
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
 * Reads the links for which `passesOver` returns false, in order. It receives the position of the link's key in `keys`.
 * The results copy their text, so that they do not keep the columns in memory until the next commit.
 */
export function readLinkColumns(
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

/** The lines of a text with the given numbers, which must be ascending. */
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
