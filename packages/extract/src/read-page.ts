import { chunkMarkdown, DEFAULT_CHUNKING, MAX_CHUNKS } from './chunks/chunk-markdown.ts';
import {
  chooseHeuristicContent,
  chooseMainContent,
  type NodeRange,
  type PageContent,
  chooseWholePage,
} from './content/content.ts';
import { extractJson } from './fields/extract-json.ts';
import { formatUnmet } from './fields/fill-schema.ts';
import { MAX_DEPTH } from './html/builder.ts';
import { runInScratch } from './html/scratch.ts';
import type { SniffedContent } from './html/sniff.ts';
import { getParent, getSubtreeEnd, type Tree } from './html/tree.ts';
import { measureJsonBytes, MAX_PAGE_BYTES } from './json/size.ts';
import { readMetadata } from './metadata/metadata.ts';
import { countVisibleWords } from './metadata/word-count.ts';
import { listPageKindWarnings } from './login-or-refusal.ts';
import { buildPageReport } from './page-report.ts';
import { type PageSource, toPageSource } from './page-source.ts';
import { type FrameOptions, parsePageTree } from './page-tree.ts';
import { ReadError, type ReadWarning, formatNameList } from './warnings.ts';
import {
  MAX_LINKS,
  type ModelPassage,
  type Output,
  type PageMetadata,
  type PageReading,
  type ReadRequest,
  type StructuredData,
} from './reading.ts';
import { readAttributes } from './renderers/attributes.ts';
import type { HeadingAnchors } from './renderers/heading-anchors.ts';
import { toCleanHtml } from './renderers/clean-html.ts';
import { listImages } from './renderers/images.ts';
import { listLinks } from './renderers/links.ts';
import { toMarkdown, toPlainText } from './renderers/markdown.ts';
import { sliceTexts } from './renderers/slice.ts';
import { listTables } from './renderers/tables.ts';
import { SelectionTooCostly, PageNodes } from './select/nodes.ts';
import { selectCss } from './select/css.ts';
import { readStructuredData } from './structured/structured-data.ts';
import { toFrameHtml } from './urls/frame-html.ts';
import { buildOmittedFramesWarning } from './urls/find-frames.ts';
import { findOtherViews } from './urls/pagination.ts';
import { parseJson } from './values/json.ts';
import { replaceCharacter } from './values/portions.ts';
import { removeHiddenInline } from './view/inline-visibility.ts';
import { createResolver } from './view/resolve-reference.ts';
import { type View, buildView } from './view/view.ts';

/** Maximum steps of each selector of a page, and maximum nodes that it may select. */
const MAX_STEPS = 20_000_000;
const MAX_SELECTED = 20_000;

type ElementChoice = { readonly include: readonly string[]; readonly exclude: readonly string[] };

/**
 * Applies selectors: included elements replace the chosen content, excluded ones are removed from it. `cutShort` says
 * that the selectors exceeded their limit, so that later ones have no effect.
 */
function selectKept(tree: Tree, chosen: Uint8Array, selectors: ElementChoice): { kept: Uint8Array; cutShort: boolean } {
  const page = new PageNodes(tree, MAX_STEPS);
  const kept = selectors.include.length > 0 ? new Uint8Array(tree.count) : chosen.slice();
  try {
    for (const selector of selectors.include) includeAll(tree, kept, selectCss(page, selector, 0, MAX_SELECTED));
    for (const selector of selectors.exclude) {
      for (const node of selectCss(page, selector, 0, MAX_SELECTED)) kept.fill(0, node, getSubtreeEnd(tree, node));
    }
  } catch (error) {
    if (!(error instanceof SelectionTooCostly)) throw error;
    return { kept, cutShort: true };
  }
  return { kept, cutShort: false };
}

/** Keeps the selected elements and their ancestors. Nodes are in document order, so each node is filled once. */
function includeAll(tree: Tree, kept: Uint8Array, nodes: readonly number[]): void {
  let done = 0;
  for (const node of nodes) {
    const end = getSubtreeEnd(tree, node);
    if (end > done) kept.fill(1, node, end);
    done = Math.max(done, end);
    for (
      let ancestor = getParent(tree, node);
      ancestor !== 0 && kept[ancestor] !== 1;
      ancestor = getParent(tree, ancestor)
    ) {
      kept[ancestor] = 1;
    }
    kept[0] = 1;
  }
}

/** The media type of converted content. */
const CONVERTED_MEDIA_TYPE = 'text/html';

const FRAMESET_WARNING: ReadWarning = {
  code: 'thin_content',
  message: 'the page is a frameset: its content is at the linked URLs',
};

/**
 * Reads all requested outputs from one fetched body, with one tree. HTML is read as it is. Feeds, JSON, CSV and text
 * are first converted to HTML. `links` and `images` cover the whole page, because they are used for navigation. The
 * text outputs and `tables` cover the kept content. Throws `ReadError`: `unsupported_content` for binary content,
 * `extraction_failed` if a required member of the schema is not found.
 */
export function readPage(request: ReadRequest, from?: PageSource): PageReading {
  return runInScratch(() => readPageWithTree(request, from).reading);
}

/**
 * Like `readPage`, but also returns the tree and view. For a document, `from` is its converted source. Outputs beyond
 * `mostBytes` of JSON are left out.
 */
export function readPageWithTree(
  request: ReadRequest,
  from: PageSource = toPageSource(request),
  mostBytes = MAX_PAGE_BYTES,
): {
  readonly reading: PageReading;
  readonly tree: Tree;
  readonly view: View;
  /** The nodes by which the page is compared with others, 1 for each. */
  readonly plain: Uint8Array;
} {
  const { sniffed } = from;
  const { tree, isFrames, frames } = parsePageTree(
    from.html,
    sniffed.kind === 'html' ? sniffed.mediaType : CONVERTED_MEDIA_TYPE,
    {
      hasNul: from.hasNul,
      reading: buildFrameReading(request, from),
    },
  );
  const warnings: ReadWarning[] = [...from.warnings];
  if (request.frames === null && frames.length > 0) warnings.push(buildOmittedFramesWarning(frames));
  else if (isFrames && frames.length === 0) warnings.push(FRAMESET_WARNING);
  if (sniffed.kind === 'html') warnings.push(...listPageKindWarnings(tree));
  if (tree.flattened)
    warnings.push({ code: 'truncated', message: `nesting deeper than ${MAX_DEPTH} elements is read as one level` });
  const { kept, headline, plain } = chooseKept(tree, sniffed, { request, warnings, isFrames });
  const view = removeHiddenInline(buildView(tree, kept, createResolver(tree, request.url, from.charset)));
  const requested = new Set<Output>(request.outputs);
  const structured = readStructuredData(tree, request.url, requested.has('structured_data') || requested.has('json'));
  const metadata = buildMetadata(request, from, { view, structured });
  const anchors: HeadingAnchors | null = requested.has('chunks') ? new Map() : null;
  const texts = renderTexts(view, requested, { headline, anchors });
  const served = chooseServedTexts(texts, requested, from);
  const sliced = sliceTexts(served, request.offsetChars, request.maxChars);
  if (sliced.nextOffset !== null)
    warnings.push({ code: 'truncated', message: `cut after ${request.maxChars} characters` });
  const extracted = requested.has('json')
    ? extractRequested(request, from, { tree, structured, metadata, warnings })
    : null;
  const links = requested.has('links') ? listLinks(view, request.url) : [];
  const hasAllLinks = links.length <= MAX_LINKS;
  if (!hasAllLinks) warnings.push({ code: 'truncated', message: `links end after the first ${MAX_LINKS}` });
  const listed = readLists(request, from, { view, served, anchors, title: metadata.title });
  warnings.push(...listed.warnings);
  const made: PageReading['outputs'] = {
    ...sliced.texts,
    ...(requested.has('raw_html') ? { raw_html: removeNul(from.text) } : {}),
    ...(requested.has('links') ? { links: links.slice(0, MAX_LINKS) } : {}),
    ...(requested.has('images') ? { images: listImages(tree, view.resolve) } : {}),
    ...(requested.has('tables') ? { tables: listTables(view) } : {}),
    ...(requested.has('structured_data') ? { structured_data: structured } : {}),
    ...listed.outputs,
    ...extracted?.outputs,
  };
  const { outputs, warning: leftOut } = limitBytes(made, mostBytes);
  if (leftOut !== null) warnings.push(leftOut);
  const reading: PageReading = {
    outputs,
    metadata,
    warnings,
    truncated: sliced.nextOffset !== null || !hasAllLinks || from.warnings.some(({ code }) => code === 'truncated'),
    nextOffset: sliced.nextOffset,
    passage: buildPassage(request, { view, markdown: texts.markdown, extracted }),
    ...(request.wholeMarkdown === true ? { wholeMarkdown: served.markdown ?? renderMarkdown(view, from) } : {}),
    ...readPlainText(request, { view, headline, text: texts.text }),
    ...(request.reports === true ? { report: buildPageReport(tree, request) } : {}),
    frames,
    ...(request.isFrame === true ? { frameHtml: toFrameHtml(tree, view.resolve) } : {}),
  };
  return { reading, tree, view, plain };
}

function buildMetadata(
  { url, fetchedAt }: ReadRequest,
  { sniffed, charset, pageCount }: PageSource,
  { view, structured }: { readonly view: View; readonly structured: StructuredData },
): PageMetadata {
  return {
    ...readMetadata(view.tree, { url, charset, structured, wordCount: countVisibleWords(view), fetchedAt }),
    ...(sniffed.kind === 'html' ? findOtherViews(view.tree, url, view.findTarget) : {}),
    ...(pageCount === null ? {} : { page_count: pageCount }),
  };
}

/** A Markdown body is returned unchanged as Markdown. */
function chooseServedTexts(texts: Texts, requested: ReadonlySet<Output>, from: PageSource): Texts {
  return isMarkdown(from) && requested.has('markdown') ? { ...texts, markdown: removeNul(from.text) } : texts;
}

function isMarkdown({ sniffed }: PageSource): boolean {
  return sniffed.mediaType === 'text/markdown';
}

type ListParts = {
  readonly view: View;
  readonly served: Texts;
  /** Null if no chunks are requested. */
  readonly anchors: HeadingAnchors | null;
  readonly title: string | null;
};

type PageLists = {
  readonly outputs: Pick<PageReading['outputs'], 'attributes' | 'chunks'>;
  readonly warnings: readonly ReadWarning[];
};

/** The outputs that have options of their own. Chunks are those of the whole page, whatever slice of it was requested. */
function readLists(request: ReadRequest, from: PageSource, { view, served, anchors, title }: ListParts): PageLists {
  const { url, outputs, chunking = DEFAULT_CHUNKING } = request;
  const read = outputs.includes('attributes') ? readAttributes(view.tree, request.attributes ?? []) : null;
  const attributes = read === null ? {} : { attributes: read.attributes };
  const warnings = read?.warnings ?? [];
  if (anchors === null) return { outputs: attributes, warnings };
  const markdown = served.markdown ?? renderMarkdown(view, from, anchors);
  const { chunks, isTruncated } = chunkMarkdown({ markdown, url, title, anchors }, chunking);
  const message = `chunks end after the first ${MAX_CHUNKS}`;
  return {
    outputs: { ...attributes, chunks },
    warnings: isTruncated ? [...warnings, { code: 'truncated', message }] : warnings,
  };
}

/** The Markdown of a page for which it was not requested. */
function renderMarkdown(view: View, from: PageSource, anchors: HeadingAnchors | null = null): string {
  return isMarkdown(from) ? removeNul(from.text) : toMarkdown(view, anchors);
}

/** NUL shows nothing, and databases refuse it. The other outputs never contain one. */
function removeNul(text: string): string {
  return replaceCharacter(text, '\0', '');
}

/** How to find the frames of a page. Null if the caller cannot fetch frames, or for content other than HTML. */
function buildFrameReading({ frames, url }: ReadRequest, { sniffed, charset }: PageSource): FrameOptions | null {
  return frames === undefined || sniffed.kind !== 'html' ? null : { url, charset, placed: frames };
}

type KeptRequest = { readonly request: ReadRequest; readonly warnings: ReadWarning[]; readonly isFrames: boolean };

/** The nodes to read, the headline that only Markdown and HTML start with, and the nodes to compare pages by. */
type KeptPart = Pick<PageContent, 'kept' | 'headline' | 'plain'>;

function chooseKept(tree: Tree, { kind }: SniffedContent, { request, warnings, isFrames }: KeptRequest): KeptPart {
  const include = request.includeSelectors;
  const exclude = request.excludeSelectors;
  if (kind !== 'html') {
    if (hasSelectors(request)) warnings.push({ code: 'selectors_ignored', message: 'the target is not HTML' });
    const kept = new Uint8Array(tree.count).fill(1);
    return { kept, headline: null, plain: kept };
  }
  const content = chooseContent(tree, request);
  if (content.isThin && !isFrames) {
    warnings.push({ code: 'thin_content', message: 'the page has almost no text without a browser' });
  }
  if (!hasSelectors(request)) {
    if (content.keptShare !== null && content.keptShare < MIN_KEPT_SHARE)
      warnings.push(buildReducedWarning(content.keptShare));
    return content;
  }
  const selected = selectKept(tree, content.kept, { include, exclude });
  if (selected.cutShort)
    warnings.push({ code: 'selectors_ignored', message: 'the selectors are too costly for this page' });
  return { kept: selected.kept, headline: null, plain: selected.kept };
}

/** The outputs that contain only the main content of a page, unless the request is for all of it. */
const CONTENT_OUTPUTS: ReadonlySet<Output> = new Set(['markdown', 'chunks', 'text', 'html', 'tables']);

/** Chooses the content with the model only for readings that show it, because that is half of the time of a reading. */
function chooseContent(tree: Tree, request: ReadRequest): PageContent {
  if (!request.onlyMainContent) return chooseWholePage(tree);
  const showsContent =
    request.outputs.some((name) => CONTENT_OUTPUTS.has(name)) ||
    request.wholeMarkdown === true ||
    request.plainTextChars !== undefined ||
    request.passageChars !== null ||
    request.reports === true;
  return showsContent ? chooseMainContent(tree, request.url) : chooseHeuristicContent(tree);
}

/** If a smaller share of the main text is kept, a warning says so. */
const MIN_KEPT_SHARE = 0.88;

function buildReducedWarning(share: number): ReadWarning {
  const percent = Math.round((1 - share) * 100);
  return {
    code: 'content_reduced',
    message: `about ${percent} % of what is likely to be main text was left out; set only_main_content to false to read the whole page`,
  };
}

type Texts = { markdown?: string; text?: string; html?: string };

type TextParts = { readonly headline: NodeRange | null; readonly anchors: HeadingAnchors | null };

function renderTexts(view: View, requested: ReadonlySet<Output>, { headline, anchors }: TextParts): Texts {
  return {
    ...(requested.has('markdown') ? { markdown: toMarkdown(view, anchors) } : {}),
    ...(requested.has('text') ? { text: toPlainText(removeNodes(view, headline)) } : {}),
    ...(requested.has('html') ? { html: toCleanHtml(view) } : {}),
  };
}

type PlainTextParts = {
  readonly view: View;
  readonly headline: NodeRange | null;
  /** Plain text of the view, if it was requested. */
  readonly text: string | undefined;
};

function readPlainText(
  { plainTextChars }: ReadRequest,
  { view, headline, text }: PlainTextParts,
): Pick<PageReading, 'plainText'> {
  if (plainTextChars === undefined) return {};
  return { plainText: (text ?? toPlainText(removeNodes(view, headline))).slice(0, plainTextChars) };
}

/** The view without some nodes. Plain text has no headline unless it directly precedes the text. */
function removeNodes(view: View, nodes: NodeRange | null): View {
  return nodes === null ? view : { ...view, kept: view.kept.slice().fill(0, nodes.from, nodes.to) };
}

type JsonSources = {
  readonly tree: Tree;
  readonly structured: StructuredData;
  readonly metadata: PageMetadata;
  readonly warnings: ReadWarning[];
};

type ExtractedJson = Pick<ModelPassage, 'missing' | 'unmet'> & {
  readonly outputs: Pick<PageReading['outputs'], 'json' | 'json_unread'>;
};

/**
 * The requested object. Missing members are left to the model if it may be used. Otherwise they are an error or a
 * warning.
 */
function extractRequested(request: ReadRequest, { sniffed, text }: PageSource, sources: JsonSources): ExtractedJson {
  if (request.extract === null) return { outputs: { json: {} }, missing: [], unmet: [] };
  const { tree, structured, metadata, warnings } = sources;
  const content = sniffed.kind === 'json' ? { json: parseJson(text) } : { tree };
  const { json, missing, unmet, unread, cutShort, disagreements } = extractJson(request.extract, {
    content,
    url: request.url,
    structured,
    metadata,
  });
  for (const message of disagreements) warnings.push({ code: 'sources_disagree', message });
  if (cutShort.length > 0)
    warnings.push({ code: 'selectors_ignored', message: `too costly for this page: ${formatNameList(cutShort)}` });
  const outputs = Object.keys(unread).length === 0 ? { json } : { json, json_unread: unread };
  if (request.extract.schema === undefined) {
    const lacking = buildNotFoundWarning(
      missing.filter((path) => !cutShort.includes(path)),
      unread,
    );
    if (lacking !== null) warnings.push(lacking);
    return { outputs, missing: [], unmet: [] };
  }
  if (request.passageChars !== null) return { outputs, missing, unmet };
  if (unmet.length > 0) throw new ReadError('extraction_failed', formatUnmet(unmet));
  if (missing.length > 0) {
    warnings.push({ code: 'model_not_configured', message: `not found without a model: ${missing.join(', ')}` });
  }
  return { outputs, missing, unmet };
}

/** Whether a dotted path is of a field in the rows of a list. */
function isRowPath(path: string): boolean {
  return path.includes('[]');
}

/** Lists the fields that are null or empty, and separately those found in another form. */
function buildNotFoundWarning(
  missing: readonly string[],
  unread: Readonly<Record<string, string>>,
): ReadWarning | null {
  const isUnread = (path: string): boolean => Object.hasOwn(unread, path);
  const groups = [
    ['not found', missing.filter((path) => !isUnread(path) && !isRowPath(path))],
    ['not found, or not in every row', missing.filter((path) => !isUnread(path) && isRowPath(path))],
    ['found, but not of the requested type (see json_unread)', missing.filter(isUnread)],
  ] as const;
  const parts = groups.flatMap(([what, paths]) => (paths.length === 0 ? [] : [`${what}: ${formatNameList(paths)}`]));
  return parts.length === 0 ? null : { code: 'fields_not_found', message: parts.join('; ') };
}

function hasSelectors({ includeSelectors, excludeSelectors }: ReadRequest): boolean {
  return includeSelectors.length > 0 || excludeSelectors.length > 0;
}

type PassageParts = {
  readonly view: View;
  /** Markdown of the view, if it was requested. */
  readonly markdown: string | undefined;
  readonly extracted: ExtractedJson | null;
};

function buildPassage(request: ReadRequest, { view, markdown, extracted }: PassageParts): ModelPassage | null {
  const { passageChars } = request;
  if (passageChars === null) return null;
  const kept = (markdown ?? toMarkdown(view)).slice(0, passageChars);
  const { missing, unmet } = extracted ?? { missing: [], unmet: [] };
  const isWide = missing.length + unmet.length > 0 && request.onlyMainContent && !hasSelectors(request);
  // Facts are next to the main content as often as in it.
  const whole = isWide ? removeHiddenInline(buildView(view.tree, chooseWholePage(view.tree).kept, view.resolve)) : view;
  return { kept, wide: isWide ? toMarkdown(whole).slice(0, passageChars) : kept, missing, unmet };
}

const MIB = 1024 * 1024;

/** The outputs that fit into a response, and a warning about those left out. */
type LimitedOutputs = { readonly outputs: PageReading['outputs']; readonly warning: ReadWarning | null };

/** Leaves out the largest outputs until the others fit. Throws `ReadError` with `content_too_large` if none fits. */
function limitBytes(outputs: PageReading['outputs'], maxBytes: number): LimitedOutputs {
  if (measureJsonBytes(outputs, maxBytes) <= maxBytes) return { outputs, warning: null };
  const sized = Object.entries(outputs)
    .map(([name, value]) => ({ name, value, bytes: measureJsonBytes(value, 0) }))
    .toSorted((one, other) => one.bytes - other.bytes);
  let remaining = maxBytes;
  const kept = sized.filter(({ bytes }) => (remaining -= bytes) >= 0);
  const names = sized.slice(kept.length).map(({ name }) => name);
  const why = `a response can contain at most ${maxBytes / MIB} MiB of a page`;
  if (kept.length === 0) {
    throw new ReadError(
      'content_too_large',
      `${names.join(', ')}: ${why}; request less with max_chars, include_selectors or another output`,
    );
  }
  return {
    outputs: Object.fromEntries(kept.map(({ name, value }) => [name, value])),
    warning: {
      code: 'left_out',
      message: `${names.join(', ')}: ${why}; request it alone, or limit texts with max_chars`,
    },
  };
}
