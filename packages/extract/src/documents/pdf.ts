import { ReadError } from '#extract/read-error.ts';
import type { ReadWarning } from '#extract/warnings.ts';
import { type DocumentProperties, type DocumentPage, NO_PROPERTIES, toDocumentHtml } from './document.ts';
import { type Outline, toOutlineKey, toBlocks } from './pdf-blocks.ts';
import { renderPdfHtml } from './pdf-html.ts';
import { toLines } from './pdf-lines.ts';
import { type Pdf, readPdfPage } from './pdf-page.ts';
import { type PageLines, removeRunningHeads } from './pdf-running.ts';
import { computeFontStyles } from './pdf-styles.ts';
import { type TaggedBlocks, readTaggedBlocks } from './pdf-tags.ts';

const MAX_PAGES = 1000;
/** Of all pages, in letters. */
const MAX_LETTERS = 5_000_000;
const MAX_OUTLINE_ITEMS = 5000;

/**
 * Reads a PDF: text in the order of reading as headings, paragraphs, lists, tables and links. Nothing that a PDF can do is
 * done: no script is run, nothing external is read, no picture or form is drawn. Pages beyond the bounds, or those left
 * when `mayGoOn` says no, are left out with the warning `truncated`. Throws `unsupported_content` for what cannot be
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
        : [...warnings, { code: 'thin_content', message: 'the PDF holds no text: its pages may be scans' }],
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
    // What the library remembers of a page is needed no more.
    if (number % 20 === 0) await pdf.cleanup(true);
  }
  if (pdf.numPages > 0 && damaged.length === pages.length && pages.length > 0) {
    throw new ReadError('unsupported_content', 'the PDF is damaged: none of its pages can be read');
  }
  const rest = number <= pdf.numPages ? [`the PDF has ${pdf.numPages} pages, of which ${number - 1} were read`] : [];
  const gaps = damaged.length > 0 ? [`damaged pages are left out: ${damaged.slice(0, 20).join(', ')}`] : [];
  const parts = cut.length > 0 ? [`pages are read in part: ${cut.slice(0, 20).join(', ')}`] : [];
  const said = [...rest, ...gaps, ...parts].join('; ');
  return { pages, warnings: said === '' ? [] : [{ code: 'truncated', message: said }] };
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
  const said = (name: string, xmp: string): string => {
    const own = info.get(name);
    const text: unknown = typeof own === 'string' && own.trim() !== '' ? own : found.metadata?.get(xmp);
    const joined: unknown = Array.isArray(text) ? text.join(', ') : text;
    return typeof joined === 'string' ? joined.slice(0, 2000) : '';
  };
  return {
    title: said('Title', 'dc:title'),
    author: said('Author', 'dc:creator'),
    description: said('Subject', 'dc:description'),
    language: said('Language', 'dc:language'),
    created: toIsoDate(said('CreationDate', 'xmp:createdate')),
    modified: toIsoDate(said('ModDate', 'xmp:modifydate')),
  };
}

/** A date of ISO 32000-1, 7.9.4, as ISO 8601: `D:20240102030405+02'00'`. */
function toIsoDate(text: string): string {
  const found = /^(?:D:)?(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?(Z|[+-]\d\d'?(?:\d\d)?)?)?/.exec(text.trim());
  if (found === null) return text;
  const [, year, month, day, hour, minute, second = '00', zone = ''] = found;
  const date = `${year}-${month}-${day}`;
  if (hour === undefined) return date;
  const offset = zone.replace("'", '');
  return `${date}T${hour}:${minute}:${second}${offset.length > 1 ? `${offset.slice(0, 3)}:${offset.slice(3) || '00'}` : offset}`;
}
