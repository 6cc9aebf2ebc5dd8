import { PAGE_BYTES } from '#kernel/answer-size.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';
import { toCleanHtml } from '#extract/formats/clean-html.ts';
import { mainContent, wholePage } from '#extract/content/content.ts';
import type { Content, NodeRange } from '#extract/content/content.ts';
import { csvToHtml } from '#extract/kinds/csv-page.ts';
import { MAX_DEPTH } from '#extract/html/builder.ts';
import { decodeBody, holdsNul } from '#extract/html/decode.ts';
import { extractJson } from '#extract/fields/extract-json.ts';
import { unmetSchema } from '#extract/fields/fill-schema.ts';
import { feedToHtml } from '#extract/kinds/feed.ts';
import { imagesOf } from '#extract/formats/images.ts';
import { prettyJson } from '#extract/kinds/json-page.ts';
import { parseJson } from '#extract/values/json.ts';
import { linksOf } from '#extract/formats/links.ts';
import { toMarkdown, toText } from '#extract/formats/markdown.ts';
import { toMetadata } from '#extract/facts/metadata.ts';
import { toPageTree } from './page-tree.ts';
import { MOST_LINKS } from './reading.ts';
import type { Metadata, Output, Passage, Reading, ReadRequest, StructuredData } from './reading.ts';
import { resolverOf } from '#extract/content/resolve.ts';
import { inScratch } from '#extract/html/scratch.ts';
import { selectKept } from '#extract/select/selection.ts';
import { sliceTexts } from '#extract/formats/slice.ts';
import { sniffKind } from '#extract/html/sniff.ts';
import type { Sniffed } from '#extract/html/sniff.ts';
import { toStructuredData } from '#extract/structured/structured-data.ts';
import { otherViewsOf } from '#extract/site/other-views.ts';
import { tablesOf } from '#extract/formats/tables.ts';
import type { SetPage } from '#extract/kinds/set-page.ts';
import { codeToHtml, textToHtml } from '#extract/kinds/text-page.ts';
import type { Tree } from '#extract/html/tree.ts';
import { viewOf } from '#extract/content/view.ts';
import { countVisibleWords } from '#extract/facts/words.ts';
import { replaceEach } from '#extract/values/portions.ts';
import type { View } from '#extract/content/view.ts';
import { withinBytes } from './within-bytes.ts';

/** A body as an HTML page, so that every kind is read by the same outputs. */
export type Source = {
  readonly sniffed: Sniffed;
  readonly html: string;
  /** Whether `html` holds a NUL, where that is known. */
  readonly hasNul?: boolean;
  /** What was sent, as text; `''` for a document. */
  readonly text: string;
  readonly charset: string | null;
  readonly pageCount: number | null;
  readonly warnings: readonly Warning[];
};

/** What other kinds are set as. */
const SET = 'text/html';

const FRAMES: Warning = {
  code: 'thin_content',
  message: 'the page is a set of frames: what they show lies at the addresses that it links to',
};

/**
 * Reads every requested output out of one fetched body, from one tree. HTML is read as it is; feeds, JSON, CSV and text
 * are first set as HTML. `links` and `images` cover the whole page, because they are asked for to navigate; the text
 * outputs and `tables` cover what is kept. Throws `unsupported_content` for what is no text and `extraction_failed`
 * when a required member of the asked schema stays empty.
 */
export function readPage(request: ReadRequest, from?: Source): Reading {
  return inScratch(() => readWhole(request, from).reading);
}

/** The same, with what it was read from; a document is made a source beforehand, and outputs beyond `mostBytes` of JSON are left out. */
export function readWhole(
  request: ReadRequest,
  from: Source = toSource(request),
  mostBytes = PAGE_BYTES,
): {
  readonly reading: Reading;
  readonly tree: Tree;
  readonly view: View;
  /** What the page is compared with others by, 1 for each node. */
  readonly plain: Uint8Array;
} {
  const { sniffed, text: source } = from;
  const { tree, isFrames } = toPageTree(from.html, sniffed.kind === 'html' ? sniffed.mediaType : SET, from.hasNul);
  const warnings: Warning[] = [...from.warnings];
  if (isFrames) warnings.push(FRAMES);
  if (tree.flattened)
    warnings.push({ code: 'truncated', message: `nesting deeper than ${MAX_DEPTH} elements is read as one level` });
  const { kept, headline, plain } = chooseKept(tree, sniffed, { request, warnings });
  const view = viewOf(tree, kept, resolverOf(tree, request.url));
  const wanted = new Set<Output>(request.outputs);
  const structured = toStructuredData(tree, request.url, wanted.has('structured_data') || wanted.has('json'));
  const facts = { url: request.url, charset: from.charset, structured, wordCount: countVisibleWords(view) };
  const metadata = {
    ...toMetadata(tree, facts),
    ...(sniffed.kind === 'html' ? otherViewsOf(tree, request.url, view.targetOf) : {}),
    ...(from.pageCount === null ? {} : { page_count: from.pageCount }),
  };
  const texts = textsOf(view, wanted, headline);
  // Markdown served as Markdown is its own reading.
  const given =
    sniffed.mediaType === 'text/markdown' && wanted.has('markdown')
      ? { ...texts, markdown: withoutNul(source) }
      : texts;
  const sliced = sliceTexts(given, request.offsetChars, request.maxChars);
  if (sliced.nextOffset !== null)
    warnings.push({ code: 'truncated', message: `cut after ${request.maxChars} characters` });
  const extracted = wanted.has('json')
    ? readJson(request, { tree, source, sniffed, structured, metadata, warnings })
    : null;
  const links = wanted.has('links') ? linksOf(view, request.url) : [];
  const hasAllLinks = links.length <= MOST_LINKS;
  if (!hasAllLinks) warnings.push({ code: 'truncated', message: `links end after the first ${MOST_LINKS}` });
  const made: Reading['outputs'] = {
    ...sliced.texts,
    ...(wanted.has('raw_html') ? { raw_html: withoutNul(source) } : {}),
    ...(wanted.has('links') ? { links: links.slice(0, MOST_LINKS) } : {}),
    ...(wanted.has('images') ? { images: imagesOf(tree, view.resolve) } : {}),
    ...(wanted.has('tables') ? { tables: tablesOf(view) } : {}),
    ...(wanted.has('structured_data') ? { structured_data: structured } : {}),
    ...extracted?.outputs,
  };
  const { outputs, warning: leftOut } = withinBytes(made, mostBytes);
  if (leftOut !== null) warnings.push(leftOut);
  const reading: Reading = {
    outputs,
    metadata,
    warnings,
    truncated: sliced.nextOffset !== null || !hasAllLinks || from.warnings.some(({ code }) => code === 'truncated'),
    nextOffset: sliced.nextOffset,
    passage: passageOf(request, { view, markdown: texts.markdown, extracted }),
  };
  return { reading, tree, view, plain };
}

/** NUL shows nothing, and stores and databases refuse it; the other outputs never hold one. */
function withoutNul(text: string): string {
  return replaceEach(text, '\0', '');
}

function unsupported({ mediaType }: Sniffed): ServiceError {
  return new ServiceError('unsupported_content', `nothing here reads ${mediaType}`);
}

function toSource({ body, contentType }: ReadRequest): Source {
  const sniffed = sniffKind(body, contentType);
  if (sniffed.kind === 'binary' || sniffed.kind === 'document') throw unsupported(sniffed);
  const { text, charset, warnings } = decodeBody(body, contentType, sniffed.kind);
  const { html, cut } = toHtml(text, sniffed);
  const cuts: readonly Warning[] = cut === null ? [] : [{ code: 'truncated', message: cut }];
  const source = { sniffed, html, text, charset, pageCount: null, warnings: [...warnings, ...cuts] };
  return html === text ? { ...source, hasNul: holdsNul(body, text) } : source;
}

function toHtml(source: string, { kind, mediaType }: Sniffed): SetPage {
  if (kind === 'html') return asWhole(source);
  if (kind === 'feed') return feedToHtml(source) ?? asWhole(codeToHtml(source, 'xml'));
  if (kind === 'xml') return asWhole(codeToHtml(source, 'xml'));
  if (kind === 'json') return asWhole(codeToHtml(prettyJson(source), 'json'));
  if (kind === 'csv') return csvToHtml(source, mediaType);
  return asWhole(
    mediaType === 'text/plain' || mediaType === 'text/markdown'
      ? textToHtml(source)
      : codeToHtml(source, languageOf(mediaType)),
  );
}

function asWhole(html: string): SetPage {
  return { html, cut: null };
}

/** The language of code served as what it is: `text/css` is css. */
function languageOf(mediaType: string): string {
  return (mediaType.split('/')[1] ?? '').replace(/^(?:x-|vnd\.)/, '');
}

type Choice = { readonly request: ReadRequest; readonly warnings: Warning[] };

/** What is read of a page, the headline that only a document starts with, and what the page is compared by. */
type Kept = Pick<Content, 'kept' | 'headline' | 'plain'>;

function chooseKept(tree: Tree, { kind }: Sniffed, { request, warnings }: Choice): Kept {
  const include = request.includeSelectors;
  const exclude = request.excludeSelectors;
  if (kind !== 'html') {
    if (selects(request)) warnings.push({ code: 'selectors_ignored', message: 'the target is not HTML' });
    const kept = new Uint8Array(tree.count).fill(1);
    return { kept, headline: null, plain: kept };
  }
  const content: Content = request.onlyMainContent ? mainContent(tree, request.url) : wholePage(tree);
  if (content.thin && !warnings.includes(FRAMES)) {
    warnings.push({ code: 'thin_content', message: 'the page shows next to no text without a browser' });
  }
  if (!selects(request)) return content;
  const selected = selectKept(tree, content.kept, { include, exclude });
  if (selected.cutShort)
    warnings.push({ code: 'selectors_ignored', message: 'the selectors are too costly for this page' });
  return { kept: selected.kept, headline: null, plain: selected.kept };
}

type Texts = { markdown?: string; text?: string; html?: string };

function textsOf(view: View, wanted: ReadonlySet<Output>, headline: NodeRange | null): Texts {
  return {
    ...(wanted.has('markdown') ? { markdown: toMarkdown(view) } : {}),
    ...(wanted.has('text') ? { text: toText(withoutNodes(view, headline)) } : {}),
    ...(wanted.has('html') ? { html: toCleanHtml(view) } : {}),
  };
}

/** The view without some nodes: running text has no headline, unless it follows that directly. */
function withoutNodes(view: View, nodes: NodeRange | null): View {
  return nodes === null ? view : { ...view, kept: view.kept.slice().fill(0, nodes.from, nodes.to) };
}

type JsonSources = {
  readonly tree: Tree;
  readonly source: string;
  readonly sniffed: Sniffed;
  readonly structured: StructuredData;
  readonly metadata: Metadata;
  readonly warnings: Warning[];
};

type Extracted = Pick<Passage, 'missing' | 'unmet'> & {
  readonly outputs: Pick<Reading['outputs'], 'json' | 'json_unread'>;
};

/** The asked object; what it lacks is the model's to find where one may read, and else an error or a warning. */
function readJson(request: ReadRequest, sources: JsonSources): Extracted {
  if (request.extract === null) return { outputs: { json: {} }, missing: [], unmet: [] };
  const { tree, source, sniffed, structured, metadata, warnings } = sources;
  const content = sniffed.kind === 'json' ? { json: parseJson(source) } : { tree };
  const { json, missing, unmet, unread, cutShort } = extractJson(request.extract, {
    content,
    url: request.url,
    structured,
    metadata,
  });
  if (cutShort.length > 0)
    warnings.push({ code: 'selectors_ignored', message: `too costly for this page: ${namesOf(cutShort)}` });
  const outputs = Object.keys(unread).length === 0 ? { json } : { json, json_unread: unread };
  if (request.extract.schema === undefined) return { outputs, missing: [], unmet: [] };
  if (request.passageChars !== null) return { outputs, missing, unmet };
  if (unmet.length > 0) throw unmetSchema(unmet);
  if (missing.length > 0) {
    warnings.push({ code: 'model_not_configured', message: `not found without a model: ${missing.join(', ')}` });
  }
  return { outputs, missing, unmet };
}

const MOST_NAMES = 10;

function namesOf(paths: readonly string[]): string {
  const more = paths.length > MOST_NAMES ? ` and ${paths.length - MOST_NAMES} more` : '';
  return `${paths.slice(0, MOST_NAMES).join(', ')}${more}`;
}

function selects({ includeSelectors, excludeSelectors }: ReadRequest): boolean {
  return includeSelectors.length > 0 || excludeSelectors.length > 0;
}

type PassageParts = {
  readonly view: View;
  /** Of the view, where it was asked for. */
  readonly markdown: string | undefined;
  readonly extracted: Extracted | null;
};

function passageOf(request: ReadRequest, { view, markdown, extracted }: PassageParts): Passage | null {
  const { passageChars: most } = request;
  if (most === null) return null;
  const kept = (markdown ?? toMarkdown(view)).slice(0, most);
  const { missing, unmet } = extracted ?? { missing: [], unmet: [] };
  const isWide = missing.length + unmet.length > 0 && request.onlyMainContent && !selects(request);
  // Facts stand beside the main content as often as in it.
  const whole = isWide ? viewOf(view.tree, wholePage(view.tree).kept, view.resolve) : view;
  return { kept, wide: isWide ? toMarkdown(whole).slice(0, most) : kept, missing, unmet };
}
