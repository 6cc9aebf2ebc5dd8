import { inScratch } from '#extract/html/scratch.ts';
import { isLoginPage } from '#extract/page-kind.ts';
import { readWhole } from '#extract/read-page.ts';
import type { PageSource } from '#extract/page-source.ts';
import type { FrameFindings, Link, ModelPassage, ReadRequest } from '#extract/reading.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { PAGE_BYTES } from '#extract/json/size.ts';
import type { ReadWarning } from '#extract/warnings.ts';
import { type ContentPrint, computeFingerprint } from './content-print.ts';
import { withoutAnchor, withoutFragment } from './hash-routes.ts';
import type { CrawlRules, LinkJudge } from './judging.ts';
import { type LinkColumns, toLinkColumns } from './link-columns.ts';
import { readPageLinks } from './page-links.ts';
import { isSoft404 } from './soft-404.ts';
import { isUnseen, type View } from '#extract/view/view.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { BLOCK, flagsOf } from '#extract/html/tags.ts';
import { charactersOf, previousOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';

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
  /** Whether a page may say by its robots tags that it is not to be kept, nor its links to be followed. */
  readonly obeysTags: boolean;
  /** Whether the page is asked for with a login, so that a login form in its place is worth noticing. */
  readonly hasLogin: boolean;
  /** The print of what the site shows for an address that cannot exist; null where that is not known. */
  readonly missing: ContentPrint | null;
};

/** A page as a crawl needs it, small to send: its outputs are JSON already. */
export type SitePage = {
  /** The members `metadata` and each output as UTF-8, without the braces around them; null where none are kept. */
  readonly members: Uint8Array<ArrayBuffer> | null;
  readonly title: string | null;
  /** The input of a model and the member `json` for it to complete, which `members` then lacks; null without a model. */
  readonly open: { readonly passage: ModelPassage; readonly json: JsonObject | undefined } | null;
  readonly warnings: readonly ReadWarning[];
  readonly links: LinkColumns;
  /** A link to a hash route of the site, where those are not followed; null for none. */
  readonly hashRoute: string | null;
  /** Links that are no addresses, and those beyond what is read of one page. */
  readonly invalid: number;
  readonly unread: number;
  /** RSS and Atom feeds that the page names. */
  readonly feeds: readonly string[];
  readonly print: ContentPrint;
  /** Whether a page that answered with success says that there is none. */
  readonly soft404: boolean;
  /** Whether its robots tags ask not to keep it, and are obeyed. */
  readonly noindex: boolean;
  /** Whether it is a login form and nothing else; false where it is asked for without a login. */
  readonly isLogin: boolean;
  /** The URL under which the page says that it is to be known, without fragment; null for none. */
  readonly canonical: string | null;
} & FrameFindings;

const MAX_TITLE_LENGTH = 300;

type SitePageContext = {
  /** The judges of the crawls that are under way. */
  readonly judgeBy: (rules: CrawlRules) => LinkJudge;
  /** The converted source of the page, where there is one already, as of a document. */
  readonly from?: PageSource | undefined;
};

/** Reads a page of a site. Throws as `readPage` does. */
export function readSitePage(request: SitePageRequest, means: SitePageContext): SitePage {
  return inScratch(() => readInScratch(request, means));
}

function readInScratch(request: SitePageRequest, { judgeBy, from }: SitePageContext): SitePage {
  const { url, xRobotsTag, depth, rules, wantsTitles, missing: missing } = request;
  const { reading, tree, view, plain } = readWhole(request, from, request.keeps ? PAGE_BYTES : Infinity);
  const { outputs, metadata, warnings } = reading;
  const { resolve, targetOf } = view;
  const followsRoutes = rules?.hashRoutes ?? false;
  const said = readPageLinks(tree, { url, resolve, targetOf, followsRoutes, xRobotsTag });
  const noindex = request.obeysTags && said.noindex;
  const keeps = request.keeps && !noindex;
  const links = rules === null || (noindex && said.nofollow) ? [] : judgeBy(rules).links({ url, depth }, said.links);
  const page = { title: metadata.title, text: readVisibleText({ tree, kept: plain }) };
  const print = computeFingerprint(page);
  const { json, ...others } = outputs;
  const told = reading.passage === null ? outputs : others;
  return {
    members: keeps ? toBytes(JSON.stringify({ ...told, metadata }).slice(1, -1)) : null,
    title: metadata.title,
    open: reading.passage === null ? null : { passage: reading.passage, json },
    warnings,
    links: toLinkColumns(links, wantsTitles ? listTitles(outputs.links ?? [], followsRoutes) : null),
    hashRoute: rules === null ? null : (said.routes.find((one) => judgeBy(rules).judge(one, 0).skip === null) ?? null),
    invalid: said.invalid,
    unread: said.unread,
    feeds: said.feeds,
    print,
    soft404: isSoft404({ ...page, url, print }, missing),
    noindex,
    isLogin: request.hasLogin && isLoginPage(tree),
    canonical: said.canonical,
    frames: reading.frames,
    ...(reading.frameHtml === undefined ? {} : { frameHtml: reading.frameHtml }),
  };
}

/** UTF-8 in a buffer of its own: one out of the pool of `Buffer` would be sent with all that the pool holds. */
function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** How a page calls what it links to, by address. */
function listTitles(links: readonly Link[], followsRoutes: boolean): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const { url, text } of links) {
    const address = followsRoutes ? withoutAnchor(url) : withoutFragment(url);
    if (text !== '' && !titles.has(address)) titles.set(address, text.slice(0, MAX_TITLE_LENGTH));
  }
  return titles;
}

/** The characters of what is kept of a page, as they come; a space around blocks and where a line breaks. */
function readVisibleText({ tree, kept }: Pick<View, 'tree' | 'kept'>): string {
  const parts: string[] = [];
  for (let node = 1; node < tree.count; node++) {
    if (kept[node] !== 1) continue;
    const tag = tagOf(tree, node);
    if (tag === TAG.text) {
      if (isAfterBlock(tree, node)) parts.push(' ');
      parts.push(charactersOf(tree, node));
    } else if (isUnseen(tree, node)) node = subtreeEndOf(tree, node) - 1;
    else if ((flagsOf(tag) & BLOCK) !== 0 || tag === TAG.br) parts.push(' ');
  }
  return parts.join('');
}

function isAfterBlock(tree: Tree, text: number): boolean {
  const before = previousOf(tree, text);
  return before !== 0 && (flagsOf(tagOf(tree, before)) & BLOCK) !== 0;
}
