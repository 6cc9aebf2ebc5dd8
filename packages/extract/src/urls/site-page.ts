import { runInScratch } from '#extract/html/scratch.ts';
import { isLoginPage } from '#extract/login-or-refusal.ts';
import { readPageWithTree } from '#extract/read-page.ts';
import type { PageSource } from '#extract/page-source.ts';
import type { FrameResults, Link, ModelPassage, ReadRequest } from '#extract/reading.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { MAX_PAGE_BYTES } from '#extract/json/size.ts';
import type { ReadWarning } from '#extract/warnings.ts';
import { type ContentFingerprint, computeFingerprint } from './content-fingerprint.ts';
import { removeAnchor, removeFragment } from './url-parts.ts';
import type { CrawlRules, LinkClassifier } from './link-classifier.ts';
import { type LinkColumns, toLinkColumns } from './link-columns.ts';
import { readPageLinks } from './page-links.ts';
import { isSoft404 } from './soft-404.ts';
import { isUnseen, type View } from '#extract/view/view.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { BLOCK, getTagFlags } from '#extract/html/tags.ts';
import { readCharacters, getPreviousSibling, getSubtreeEnd, getTag, type Tree } from '#extract/html/tree.ts';

/** A page to read during a crawl. */
export type SitePageRequest = ReadRequest & {
  /** The `X-Robots-Tag` header of the response; `''` if there is none. */
  readonly xRobotsTag: string;
  readonly depth: number;
  /** The rules for classifying its links; null if links are not followed. */
  readonly rules: CrawlRules | null;
  /** Whether the links include their texts. */
  readonly wantsTitles: boolean;
  /** Whether to produce the outputs of the page. */
  readonly keeps: boolean;
  /** Whether to obey the robots directives of the page (`noindex`, `nofollow`). */
  readonly obeysTags: boolean;
  /** Whether the page was fetched with a login, so that a login form in its place should be detected. */
  readonly hasLogin: boolean;
  /** The fingerprint of the site's response to a URL that cannot exist; null if unknown. */
  readonly missing: ContentFingerprint | null;
};

/** The result of reading a page for a crawl. Outputs are serialized as JSON, so that it is cheap to send to another thread. */
export type SitePage = {
  /** `metadata` and each output as JSON members in UTF-8, without the enclosing braces; null if the outputs are not stored. */
  readonly members: Uint8Array<ArrayBuffer> | null;
  readonly title: string | null;
  /**
   * The input for a language model and the `json` output for it to complete, which `members` then lacks; null if no
   * model is needed.
   */
  readonly open: { readonly passage: ModelPassage; readonly json: JsonObject | undefined } | null;
  /** The whole Markdown and output `json`, if the request has `wholeMarkdown`. */
  readonly tracked?: { readonly markdown: string; readonly json: JsonObject | null };
  /** The plain text, if the request has `plainTextChars`. */
  readonly plainText?: string;
  readonly warnings: readonly ReadWarning[];
  readonly links: LinkColumns;
  /** A link to a hash route of the site, if these are not followed; null if there is none. */
  readonly hashRoute: string | null;
  /** The number of malformed links; `unread` counts those beyond the limit. */
  readonly invalid: number;
  readonly unread: number;
  /** The RSS and Atom feeds that the page declares. */
  readonly feeds: readonly string[];
  readonly print: ContentFingerprint;
  /** Whether the page says "not found" although its status reports success. */
  readonly soft404: boolean;
  /** Whether its robots directives forbid storing it, and are obeyed. */
  readonly noindex: boolean;
  /** Whether it is only a login form; false if it was fetched without a login. */
  readonly isLogin: boolean;
  /** The canonical URL that the page declares, without a fragment; null if none. */
  readonly canonical: string | null;
} & FrameResults;

const MAX_TITLE_LENGTH = 300;

type SitePageContext = {
  /** Returns the classifier of a running crawl. */
  readonly judgeBy: (rules: CrawlRules) => LinkClassifier;
  /** The already converted source of the page, if there is one, as for documents. */
  readonly from?: PageSource | undefined;
};

/** Reads a page for a crawl. Throws like `readPage`. */
export function readSitePage(request: SitePageRequest, context: SitePageContext): SitePage {
  return runInScratch(() => readInScratch(request, context));
}

function readInScratch(request: SitePageRequest, { judgeBy, from }: SitePageContext): SitePage {
  const { url, xRobotsTag, depth, rules, wantsTitles, missing } = request;
  const { reading, tree, view, plain } = readPageWithTree(request, from, request.keeps ? MAX_PAGE_BYTES : Infinity);
  const { outputs, metadata, warnings } = reading;
  const { resolve, findTarget } = view;
  const followsRoutes = rules?.hashRoutes ?? false;
  const pageLinks = readPageLinks(tree, { url, resolve, targetOf: findTarget, followsRoutes, xRobotsTag });
  const noindex = request.obeysTags && pageLinks.noindex;
  const keeps = request.keeps && !noindex;
  const links =
    rules === null || (noindex && pageLinks.nofollow) ? [] : judgeBy(rules).links({ url, depth }, pageLinks.links);
  const page = { title: metadata.title, text: readVisibleText({ tree, kept: plain }) };
  const print = computeFingerprint(page);
  const { json, ...others } = outputs;
  const completeOutputs = reading.passage === null ? outputs : others;
  return {
    members: keeps ? toBytes(JSON.stringify({ ...completeOutputs, metadata }).slice(1, -1)) : null,
    title: metadata.title,
    open: reading.passage === null ? null : { passage: reading.passage, json },
    ...(reading.wholeMarkdown === undefined || !keeps
      ? {}
      : { tracked: { markdown: reading.wholeMarkdown, json: json ?? null } }),
    ...(reading.plainText === undefined || !keeps ? {} : { plainText: reading.plainText }),
    warnings,
    links: toLinkColumns(links, wantsTitles ? listTitles(outputs.links ?? [], followsRoutes) : null),
    hashRoute:
      rules === null ? null : (pageLinks.routes.find((one) => judgeBy(rules).judge(one, 0).skip === null) ?? null),
    invalid: pageLinks.invalid,
    unread: pageLinks.unread,
    feeds: pageLinks.feeds,
    print,
    soft404: isSoft404({ ...page, url, print }, missing),
    noindex,
    isLogin: request.hasLogin && isLoginPage(tree),
    canonical: pageLinks.canonical,
    frames: reading.frames,
    ...(reading.frameHtml === undefined ? {} : { frameHtml: reading.frameHtml }),
  };
}

/** Encodes as UTF-8 in its own buffer: a buffer from the pool of `Buffer` would be sent together with the whole pool. */
function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The texts of a page's links by URL. */
function listTitles(links: readonly Link[], followsRoutes: boolean): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const { url, text } of links) {
    const address = followsRoutes ? removeAnchor(url) : removeFragment(url);
    if (text !== '' && !titles.has(address)) titles.set(address, text.slice(0, MAX_TITLE_LENGTH));
  }
  return titles;
}

/** The text of the included nodes of a page in document order, with a space at blocks and line breaks. */
function readVisibleText({ tree, kept }: Pick<View, 'tree' | 'kept'>): string {
  const parts: string[] = [];
  for (let node = 1; node < tree.count; node++) {
    if (kept[node] !== 1) continue;
    const tag = getTag(tree, node);
    if (tag === TAG.text) {
      if (isAfterBlock(tree, node)) parts.push(' ');
      parts.push(readCharacters(tree, node));
    } else if (isUnseen(tree, node)) node = getSubtreeEnd(tree, node) - 1;
    else if ((getTagFlags(tag) & BLOCK) !== 0 || tag === TAG.br) parts.push(' ');
  }
  return parts.join('');
}

function isAfterBlock(tree: Tree, text: number): boolean {
  const before = getPreviousSibling(tree, text);
  return before !== 0 && (getTagFlags(getTag(tree, before)) & BLOCK) !== 0;
}
