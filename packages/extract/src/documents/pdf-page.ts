import type { getDocumentProxy } from 'unpdf';
import type { LinkArea, TextPiece } from './pdf-lines.ts';

export type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf['getPage']>>;

/** The content of a page, in points from its upper left corner, rotated as displayed. */
export type PdfPage = {
  readonly pieces: readonly TextPiece[];
  readonly links: readonly LinkArea[];
  readonly height: number;
  /** It holds more than is read of it. */
  readonly isCut: boolean;
  /** The structure tags of the page; null where the document has none. */
  readonly tags: PdfTag | null;
};

/** An element of a tagged PDF (ISO 32000-1, 14.8): its role, and the elements and marks inside it. */
export type PdfTag = { readonly role: string; readonly children: readonly (PdfTag | string)[] };

/** A matrix as PDF writes it: a b c d e f. */
type Matrix = readonly number[];

const MAX_PIECES = 50_000;
const MAX_LINKS = 5000;

/** Reads a page; null for one that is damaged. The first 50,000 pieces of text are read, or those until `mayGoOn` says no. */
export async function readPdfPage(pdf: Pdf, number: number, mayGoOn: () => boolean): Promise<PdfPage | null> {
  try {
    const page = await pdf.getPage(number);
    const view = page.getViewport({ scale: 1 });
    const { pieces, isCut } = await readPieces(page, view.transform, mayGoOn);
    const tags = pieces.some(({ mark }) => mark !== null) ? await readTags(page) : null;
    return { pieces, isCut, links: await readLinks(page, view.transform), height: view.height, tags };
  } catch {
    return null;
  }
}

type ReadPieces = Pick<PdfPage, 'pieces' | 'isCut'>;

async function readPieces(page: Page, view: Matrix, mayGoOn: () => boolean): Promise<ReadPieces> {
  const pieces: TextPiece[] = [];
  const turned: TextPiece[] = [];
  /** A font is told of once, with the first text that is set in it. */
  const mono = new Set<string>();
  const reader = page.streamTextContent({ includeMarkedContent: true }).getReader();
  const marks: (string | null)[] = [];
  while (pieces.length + turned.length < MAX_PIECES) {
    const { done, value } = await reader.read();
    if (done) return { pieces: [...pieces, ...turned], isCut: false };
    for (const [name, style] of Object.entries(value.styles)) {
      if (getProperty(style, 'fontFamily') === 'monospace') mono.add(name);
    }
    for (const item of value.items) {
      if (!('str' in item)) {
        if (item.type === 'endMarkedContent') marks.pop();
        else marks.push(item.id ?? marks.at(-1) ?? null);
        continue;
      }
      const text = removeControls(item.str);
      if (text.trim() === '') continue;
      const place = placeText(multiplyMatrices(view, item.transform.map(Number)), item.width);
      (place.isTurned ? turned : pieces).push({
        text,
        ...place.at,
        font: item.fontName,
        isMono: mono.has(item.fontName),
        mark: marks.at(-1) ?? null,
      });
    }
    if (!mayGoOn()) break;
  }
  await reader.cancel(new Error('enough is read'));
  return { pieces: [...pieces, ...turned], isCut: true };
}

type TextPlacement = {
  readonly at: Pick<TextPiece, 'left' | 'right' | 'base' | 'size'>;
  /** Whether it runs up or down the page. */
  readonly isTurned: boolean;
};

function placeText([a = 0, b = 0, c = 0, d = 0, left = 0, base = 0]: Matrix, width: number): TextPlacement {
  const size = Math.max(1, Math.min(1000, Math.hypot(c, d)));
  const isTurned = Math.abs(b) > Math.abs(a);
  const right = left + (isTurned ? size : Math.max(0, width));
  return { at: { left, right, base, size }, isTurned };
}

function multiplyMatrices(one: Matrix, other: Matrix): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = one;
  const [p = 1, q = 0, r = 0, s = 1, x = 0, y = 0] = other;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * x + c * y + e, b * x + d * y + f];
}

async function readLinks(page: Page, view: Matrix): Promise<readonly LinkArea[]> {
  const found: readonly unknown[] = await page.getAnnotations().catch(() => []);
  const links: LinkArea[] = [];
  for (const annotation of found.slice(0, MAX_LINKS)) {
    const url = getProperty(annotation, 'url');
    const area = getProperty(annotation, 'rect');
    if (typeof url !== 'string' || !Array.isArray(area)) continue;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = area.map(Number);
    const [, , , , left = 0, bottom = 0] = multiplyMatrices(view, [1, 0, 0, 1, x1, y1]);
    const [, , , , right = 0, top = 0] = multiplyMatrices(view, [1, 0, 0, 1, x2, y2]);
    links.push({
      left: Math.min(left, right),
      right: Math.max(left, right),
      top: Math.min(top, bottom),
      bottom: Math.max(top, bottom),
      url,
    });
  }
  return links;
}

async function readTags(page: Page): Promise<PdfTag | null> {
  const tree: unknown = await page.getStructTree().catch(() => null);
  return parseTag(tree, 0);
}

/** Deeper than any author nests; the library that reads the tree has a bound of its own. */
const MAX_DEPTH = 60;

function parseTag(node: unknown, depth: number): PdfTag | null {
  const children = getProperty(node, 'children');
  if (!Array.isArray(children) || depth > MAX_DEPTH) return null;
  const role = getProperty(node, 'role');
  const read = children.map((child: unknown) => {
    const id = getProperty(child, 'id');
    return getProperty(child, 'type') === 'content' && typeof id === 'string' ? id : parseTag(child, depth + 1);
  });
  return { role: typeof role === 'string' ? role : '', children: read.filter((child) => child !== null) };
}

function getProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

/** Controls show nothing, and soft hyphens only at the end of a line. */
function removeControls(text: string): string {
  return text.replaceAll(/\p{Cc}|\u00ad(?=.)/gu, '');
}
