import { inScratch } from '#extract/html/scratch.ts';
import { readWhole } from '#extract/read-page.ts';
import type { Source } from '#extract/read-page.ts';
import type { Link, Passage, ReadRequest } from '#extract/reading.ts';
import type { JsonObject } from '#extract/values/json.ts';
import { visibleTextOf } from '#extract/facts/visible-text.ts';
import { PAGE_BYTES } from '#kernel/answer-size.ts';
import type { Warning } from '#kernel/warnings.ts';
import { contentPrintOf } from './content-print.ts';
import type { ContentPrint } from './content-print.ts';
import type { CrawlRules, Judge } from './judging.ts';
import { toColumns } from './link-columns.ts';
import type { LinkColumns } from './link-columns.ts';
import { readPageLinks } from './page-links.ts';
import { isSoft404 } from './soft-404.ts';

/** One page of a site that is walked through. */
export type SitePageRequest = ReadRequest & {
  /** Of the answer, `''` for none. */
  readonly xRobotsTag: string;
  readonly depth: number;
  /** By what its links are judged; null where nobody follows them. */
  readonly rules: CrawlRules | null;
  /** Whether the links say how the page calls what they lead to. */
  readonly wantsTitles: boolean;
  /** Whether its outputs are kept. */
  readonly keeps: boolean;
  /** The print of what the site shows for an address that cannot exist; null where that is not known. */
  readonly missing: ContentPrint | null;
};

/** What a walk through a site needs of a page, small to send: its outputs are JSON already. */
export type SitePage = {
  /** The members `metadata` and each output as UTF-8, without the braces around them; null where none are kept. */
  readonly members: Uint8Array<ArrayBuffer> | null;
  readonly title: string | null;
  /** What a model may read, and the member `json` for it to complete, which `members` then lacks; null where none will. */
  readonly open: { readonly passage: Passage; readonly json: JsonObject | undefined } | null;
  readonly warnings: readonly Warning[];
  readonly links: LinkColumns;
  /** Links that are no addresses, and those beyond what is read of one page. */
  readonly invalid: number;
  readonly unread: number;
  /** RSS and Atom feeds that the page names. */
  readonly feeds: readonly string[];
  readonly print: ContentPrint;
  /** Whether a page that answered with success says that there is none. */
  readonly soft404: boolean;
};

const LONGEST_TITLE = 300;

type Means = {
  /** The judges of the crawls that are under way. */
  readonly judgeBy: (rules: CrawlRules) => Judge;
  /** What the page is read from where that is made already, as of a document. */
  readonly from?: Source | undefined;
};

/** Reads a page of a site. Throws as `readPage` does. */
export function readSitePage(request: SitePageRequest, means: Means): SitePage {
  return inScratch(() => readInScratch(request, means));
}

function readInScratch(request: SitePageRequest, { judgeBy, from }: Means): SitePage {
  const { url, xRobotsTag, depth, rules, wantsTitles, keeps, missing } = request;
  const { reading, tree, view, plain } = readWhole(request, from, keeps ? PAGE_BYTES : Infinity);
  const { outputs, metadata, warnings } = reading;
  const said = readPageLinks(tree, { url, resolve: view.resolve, targetOf: view.targetOf, xRobotsTag });
  const links = rules === null ? [] : judgeBy(rules).links({ url, depth }, said.links);
  const page = { title: metadata.title, text: visibleTextOf({ tree, kept: plain }) };
  const print = contentPrintOf(page);
  const { json, ...others } = outputs;
  const told = reading.passage === null ? outputs : others;
  return {
    members: keeps ? toBytes(JSON.stringify({ ...told, metadata }).slice(1, -1)) : null,
    title: metadata.title,
    open: reading.passage === null ? null : { passage: reading.passage, json },
    warnings,
    links: toColumns(links, wantsTitles ? titlesIn(outputs.links ?? []) : null),
    invalid: said.invalid,
    unread: said.unread,
    feeds: said.feeds,
    print,
    soft404: isSoft404({ ...page, url, print }, missing),
  };
}

/** UTF-8 in a buffer of its own: one out of the pool of `Buffer` would be sent with all that the pool holds. */
function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** How a page calls what it links to, by address. */
function titlesIn(links: readonly Link[]): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const { url, text } of links) {
    const address = url.replace(/#.*$/s, '');
    if (text !== '' && !titles.has(address)) titles.set(address, text.slice(0, LONGEST_TITLE));
  }
  return titles;
}
