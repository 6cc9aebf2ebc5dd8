import { escapeAttribute, escapeText } from 'entities';
import { ReadError, type ReadWarning } from '#extract/warnings.ts';
import { type DocumentPage, type DocumentProperties, NO_PROPERTIES, toDocumentHtml, toTableHtml } from './document.ts';
import {
  continuesAcross,
  joinRuns,
  type Outline,
  type PdfBlock,
  toBlocks,
  toOutlineKey,
  computeFontStyles,
} from './pdf-blocks.ts';
import { getRunsText, type PdfLine, type TextRun, toLines } from './pdf-lines.ts';
import { type Pdf, readPdfPage, readTaggedBlocks, type TaggedBlocks } from './pdf-page.ts';

const MAX_PAGES = 1000;
/** The most letters of all pages together. */
const MAX_LETTERS = 5_000_000;
const MAX_OUTLINE_ITEMS = 5000;

/**
 * Reads a PDF: text in reading order as headings, paragraphs, lists, tables and links. Nothing active in it takes
 * effect: no scripts, no external resources, no images, no forms. Pages above the limits, and those remaining when
 * `mayGoOn` returns false, are omitted with the warning `truncated`. Throws `unsupported_content` if it cannot be
 * opened.
 */
export async function readPdf(body: Uint8Array<ArrayBuffer>, mayGoOn: () => boolean): Promise<DocumentPage> {
  const pdf = await openPdf(body);
  try {
    const { pages, warnings } = await readPages(pdf, mayGoOn);
    const texts = removeRunningHeads(pages);
    const styles = computeFontStyles(texts);
    const outline = await readOutline(pdf);
    const hasText = texts.some((lines) => lines.length > 0);
    const isTagged = pages.some(({ tagged }) => tagged?.hasStructure === true);
    const blocks = texts.map(
      (lines, at) => (isTagged ? pages[at]?.tagged?.blocks : null) ?? toBlocks(lines, styles, outline),
    );
    return {
      html: toDocumentHtml(await readPdfProperties(pdf), renderPdfHtml(blocks)),
      mediaType: 'application/pdf',
      pageCount: pdf.numPages,
      warnings: hasText
        ? warnings
        : [...warnings, { code: 'thin_content', message: 'the PDF contains no text; its pages may be scanned images' }],
    };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function openPdf(body: Uint8Array<ArrayBuffer>): Promise<Pdf> {
  const { getDocumentProxy } = await import('unpdf');
  try {
    return await getDocumentProxy(body.slice(), {
      disableFontFace: true,
      enableXfa: false,
      isImageDecoderSupported: false,
      isOffscreenCanvasSupported: false,
      maxImageSize: 0,
      useSystemFonts: false,
      useWasm: false,
      verbosity: 0,
    });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new ReadError(
      'unsupported_content',
      isLocked ? 'the PDF is encrypted and needs a password' : 'the PDF is damaged and cannot be opened',
      { cause: error },
    );
  }
}

type PdfPages = {
  readonly pages: readonly (PageLines & { readonly tagged: TaggedBlocks | null })[];
  readonly warnings: readonly ReadWarning[];
};

async function readPages(pdf: Pdf, mayGoOn: () => boolean): Promise<PdfPages> {
  const pages: (PageLines & { readonly tagged: TaggedBlocks | null })[] = [];
  const damaged: number[] = [];
  const cut: number[] = [];
  let letters = 0;
  let number = 1;
  for (; number <= Math.min(pdf.numPages, MAX_PAGES) && letters < MAX_LETTERS && mayGoOn(); number++) {
    const page = await readPdfPage(pdf, number, mayGoOn);
    if (page === null) damaged.push(number);
    if (page?.isCut === true) cut.push(number);
    const lines = page === null ? [] : toLines(page.pieces, page.links);
    letters += lines.reduce((sum, line) => sum + line.text.length, 0);
    pages.push({ lines, height: page?.height ?? 0, tagged: page === null ? null : readTaggedBlocks(page) });
    // Frees what pdf.js caches for the pages already read.
    if (number % 20 === 0) await pdf.cleanup(true);
  }
  if (pdf.numPages > 0 && damaged.length === pages.length && pages.length > 0) {
    throw new ReadError('unsupported_content', 'the PDF is damaged: none of its pages can be read');
  }
  const rest = number <= pdf.numPages ? [`the PDF has ${pdf.numPages} pages, of which ${number - 1} were read`] : [];
  const gaps = damaged.length > 0 ? [`damaged pages were omitted: ${damaged.slice(0, 20).join(', ')}`] : [];
  const parts = cut.length > 0 ? [`pages were read only partly: ${cut.slice(0, 20).join(', ')}`] : [];
  const message = [...rest, ...gaps, ...parts].join('; ');
  return { pages, warnings: message === '' ? [] : [{ code: 'truncated', message }] };
}

type OutlineItem = { readonly title: string; readonly items: readonly OutlineItem[] };

async function readOutline(pdf: Pdf): Promise<Outline> {
  const outline = new Map<string, number>();
  const found: readonly OutlineItem[] = (await pdf.getOutline().catch(() => [])) ?? [];
  const open = found.map((item) => ({ item, level: 2 }));
  for (let at = 0; at < open.length && at < MAX_OUTLINE_ITEMS; at++) {
    const next = open[at];
    if (next === undefined) break;
    const key = toOutlineKey(next.item.title);
    if (key.length > 2 && !outline.has(key)) outline.set(key, Math.min(next.level, 6));
    open.push(...next.item.items.slice(0, MAX_OUTLINE_ITEMS).map((item) => ({ item, level: next.level + 1 })));
  }
  return outline;
}

async function readPdfProperties(pdf: Pdf): Promise<DocumentProperties> {
  const found = await pdf.getMetadata().catch(() => null);
  if (found === null) return NO_PROPERTIES;
  const info = new Map<string, unknown>(Object.entries(found.info));
  const readProperty = (name: string, xmp: string): string => {
    const own = info.get(name);
    const text: unknown = typeof own === 'string' && own.trim() !== '' ? own : found.metadata?.get(xmp);
    const joined: unknown = Array.isArray(text) ? text.join(', ') : text;
    return typeof joined === 'string' ? joined.slice(0, 2000) : '';
  };
  return {
    title: readProperty('Title', 'dc:title'),
    author: readProperty('Author', 'dc:creator'),
    description: readProperty('Subject', 'dc:description'),
    language: readProperty('Language', 'dc:language'),
    created: toIsoDate(readProperty('CreationDate', 'xmp:createdate')),
    modified: toIsoDate(readProperty('ModDate', 'xmp:modifydate')),
  };
}

/** Converts a date of ISO 32000-1, 7.9.4, to ISO 8601: `D:20240102030405+02'00'`. Other texts are unchanged. */
function toIsoDate(text: string): string {
  const found = /^(?:D:)?(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?(Z|[+-]\d\d'?(?:\d\d)?)?)?/.exec(text.trim());
  if (found === null) return text;
  const [, year, month, day, hour, minute, second = '00', zone = ''] = found;
  const date = `${year}-${month}-${day}`;
  if (hour === undefined) return date;
  const offset = zone.replace("'", '');
  return `${date}T${hour}:${minute}:${second}${offset.length > 1 ? `${offset.slice(0, 3)}:${offset.slice(3) || '00'}` : offset}`;
}

/** The most lines at the top and at the bottom of a page that may be a running header or footer. */
const MAX_MARGIN_LINES = 3;
const MIN_PAGES = 3;
/** The share of the page height that counts as margin at each end. */
const MARGIN_SHARE = 0.09;
const MAX_RUNNING_LENGTH = 150;

type PageLines = { readonly lines: readonly PdfLine[]; readonly height: number };

/**
 * Removes running headers, footers and page numbers from the lines of each page: texts that recur in the margins of at
 * least a third of the pages, ignoring numbers, and texts there that start or end with the page number.
 */
function removeRunningHeads(pages: readonly PageLines[]): readonly (readonly PdfLine[])[] {
  const margins = pages.map(listMarginLines);
  const repeated = countPages(margins.map((lines) => lines.map(toLineKey)));
  const offsets = countPages(margins.map((lines, at) => lines.flatMap(listNumbers).map((number) => number - at)));
  const fewest = Math.max(MIN_PAGES, pages.length / 3);
  const [offset = null] =
    [...offsets].filter(([, count]) => count >= fewest).toSorted((one, other) => other[1] - one[1])[0] ?? [];
  return pages.map(({ lines }, at) => {
    const running = new Set(
      margins[at]?.filter(
        (line) =>
          (repeated.get(toLineKey(line)) ?? 0) >= fewest ||
          (offset !== null && listNumbers(line).includes(at + offset)),
      ),
    );
    return lines.filter((line) => !running.has(line));
  });
}

/** The number of pages on which each item occurs. */
function countPages<T>(pages: readonly (readonly T[])[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const page of pages) {
    for (const thing of new Set(page)) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  }
  return counts;
}

function listMarginLines({ lines, height }: PageLines): readonly PdfLine[] {
  const sorted = lines.toSorted((one, other) => one.base - other.base);
  const ends = new Set([...sorted.slice(0, MAX_MARGIN_LINES), ...sorted.slice(-MAX_MARGIN_LINES)]);
  return [...ends].filter(
    ({ base, text }) =>
      text.length < MAX_RUNNING_LENGTH && (base < height * MARGIN_SHARE || base > height * (1 - MARGIN_SHARE)),
  );
}

/** A key that is equal for running headers of left and right pages, which put the number at different ends. */
function toLineKey({ text }: PdfLine): string {
  return text
    .replaceAll(/\d+|\b[ivxlc]+\b/gi, '#')
    .replaceAll(/[\s|·\u2013\u2014-]+/g, ' ')
    .trim();
}

/** The numbers at the start and end of a line. */
function listNumbers({ text }: PdfLine): readonly number[] {
  const found = [/^\D{0,6}(\d{1,4})(?:\D|$)/.exec(text), /(?:^|\D)(\d{1,4})\D{0,2}$/.exec(text)];
  return found.filter((match) => match !== null).map((match) => Number(match[1]));
}

/** Dot leaders between a title and its page number in a table of contents. */
const LEADERS = /(?:\s?[.\u2026\u00b7_]){5,}\s*/g;

/**
 * Renders pages as HTML, each as a section with its page number. A paragraph that continues on the next page is put on
 * the page where it begins.
 */
function renderPdfHtml(pages: readonly (readonly PdfBlock[])[]): string {
  return joinPages(pages)
    .map((blocks, at) => `<section id="page-${at + 1}" data-page="${at + 1}">${renderBlocks(blocks)}</section>`)
    .join('');
}

function joinPages(pages: readonly (readonly PdfBlock[])[]): readonly (readonly PdfBlock[])[] {
  const joined = pages.map((page) => [...page]);
  /** The last page with text so far. */
  let open: PdfBlock[] | null = null;
  for (const page of joined) {
    const [first] = page;
    const last = open?.at(-1);
    if (open !== null && last?.kind === 'paragraph' && first?.kind === 'paragraph') {
      const [before, after] = [last, first].map(({ runs }) => getRunsText(runs).trim());
      if (continuesAcross({ text: before ?? '' }, { text: after ?? '' })) {
        open[open.length - 1] = { ...last, runs: joinRuns(last.runs, first.runs, ' ') };
        page.shift();
      }
    }
    if (page.length > 0) open = page;
  }
  return joined;
}

function renderBlocks(blocks: readonly PdfBlock[]): string {
  const parts: string[] = [];
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at];
    if (block === undefined) break;
    if (block.kind === 'item') {
      const end = findListEnd(blocks, at);
      parts.push(renderList(blocks.slice(at, end)));
      at = end - 1;
    } else parts.push(renderBlock(block));
  }
  return parts.join('');
}

function renderBlock(block: Exclude<PdfBlock, { readonly kind: 'item' }>): string {
  if (block.kind === 'heading') return `<h${block.level}>${renderRuns(block.runs)}</h${block.level}>`;
  if (block.kind === 'paragraph') return `<p>${renderRuns(block.runs)}</p>`;
  if (block.kind === 'code') return `<pre><code>${escapeText(block.text)}</code></pre>`;
  return toTableHtml(block.rows.map((row) => row.map(renderRuns)));
}

function findListEnd(blocks: readonly PdfBlock[], start: number): number {
  let end = start;
  while (blocks[end]?.kind === 'item') end++;
  return end;
}

type ListLevel = { readonly left: number; readonly tag: 'ol' | 'ul' };

/** Renders list items; items that are indented further than the previous one form a nested list. */
function renderList(items: readonly PdfBlock[]): string {
  const parts: string[] = [];
  const levels: ListLevel[] = [];
  for (const item of items) {
    if (item.kind !== 'item') continue;
    const tag = item.ordered === null ? 'ul' : 'ol';
    while (levels.length > 1 && item.left < (levels.at(-1)?.left ?? 0) - 4) parts.push(`</li></${levels.pop()?.tag}>`);
    const level = levels.at(-1);
    if (level === undefined || (item.left > level.left + 4 && levels.length < 6)) {
      levels.push({ left: item.left, tag });
      parts.push(renderListStart(tag, item.ordered));
    } else if (level.tag === tag) parts.push('</li>');
    else {
      parts.push(`</li></${level.tag}>`, renderListStart(tag, item.ordered));
      levels[levels.length - 1] = { left: item.left, tag };
    }
    parts.push('<li>', renderRuns(item.runs));
  }
  while (levels.length > 0) parts.push(`</li></${levels.pop()?.tag}>`);
  return parts.join('');
}

function renderListStart(tag: 'ol' | 'ul', ordered: number | null): string {
  return ordered === null || ordered === 1 ? `<${tag}>` : `<${tag} start="${ordered}">`;
}

/** Renders runs; adjacent runs with the same target become one link. */
function renderRuns(runs: readonly TextRun[]): string {
  const parts: string[] = [];
  let at = 0;
  while (at < runs.length) {
    const url = runs[at]?.url ?? null;
    let text = '';
    let end = at;
    while (end < runs.length && isPartOfLink(runs, end, url)) text += runs[end++]?.text ?? '';
    const html = escapeText(text.replaceAll(LEADERS, ' \u2026 ').replaceAll(/[^\S\n]+/g, ' ')).replaceAll('\n', '<br>');
    parts.push(url === null ? html : `<a href="${escapeAttribute(url)}">${html}</a>`);
    at = end;
  }
  return parts.join('').trim();
}

/** Whether a run has the target, or is the space between two runs that do. */
function isPartOfLink(runs: readonly TextRun[], at: number, url: string | null): boolean {
  const run = runs[at];
  if (run?.url === url) return true;
  return url !== null && run?.text.trim() === '' && runs[at + 1]?.url === url;
}
