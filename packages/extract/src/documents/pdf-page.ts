import { groupBy } from '#extract/values/collections.ts';
import type { getDocumentProxy } from 'unpdf';
import { formatListing, joinRuns, type PdfBlock } from './pdf-blocks.ts';
import {
  getRunsText,
  joinCellRuns,
  type LinkArea,
  type PdfLine,
  type TextPiece,
  type TextRun,
  toLines,
} from './pdf-lines.ts';

/** An open PDF document of pdf.js. */
export type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf['getPage']>>;

/** The content of a page, in points from the top left corner of the displayed page. */
export type PdfPage = {
  readonly pieces: readonly TextPiece[];
  readonly links: readonly LinkArea[];
  readonly height: number;
  /** Whether the page has more content than was read. */
  readonly isCut: boolean;
  /** The structure tree of the page; null if the document is not tagged. */
  readonly tags: PdfTag | null;
};

/** An element of a tagged PDF (ISO 32000-1, 14.8): its role, its child elements, and the IDs of its content. */
export type PdfTag = { readonly role: string; readonly children: readonly (PdfTag | string)[] };

/** A transformation matrix in PDF order: a b c d e f. */
type Matrix = readonly number[];

const MAX_PIECES = 50_000;
const MAX_LINKS = 5000;

/** Reads a page; null if it is damaged. Reads at most 50,000 pieces of text, and stops early when `mayGoOn` returns false. */
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
  /** Fonts are reported once, together with the first text that uses them. */
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
  /** Whether the text runs up or down the page. */
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

/** Deeper than any author nests; pdf.js, which reads the tree, has a limit of its own. */
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

/** Removes control characters, which are invisible, and soft hyphens except at the end of a line. */
function removeControls(text: string): string {
  return text.replaceAll(/\p{Cc}|\u00ad(?=.)/gu, '');
}

/** The blocks of a page as its structure tags define them. */
export type TaggedBlocks = {
  readonly blocks: readonly PdfBlock[];
  /** Whether there are headings, lists or tables among the blocks. Tags with nothing but text are less useful than the layout. */
  readonly hasStructure: boolean;
};

/** The smallest share of a page's marked text that its tags must cover; with less, they omit too much. */
const MIN_COVERED_SHARE = 0.9;
const BLOCK_ROLE =
  /^(?:H\d?|Title|P|L|LI|LBody|Table|TR|TOC|TOCI|Sect|Div|Art|Part|Document|BlockQuote|Caption|Note|Figure|Form|Index|Aside)$/;
const LIST_ROLE = /^(?:L|TOC)$/;
const ITEM_ROLE = /^(?:LI|TOCI)$/;
/** The indentation per list level in points, the unit in which untagged items have their position. */
const INDENT_POINTS = 20;

/** Reads the blocks of a page from its structure tags; null if it has none, or if they omit visible text. */
export function readTaggedBlocks({ pieces, links, tags }: PdfPage): TaggedBlocks | null {
  if (tags === null) return null;
  const reader = new TagReader(pieces, links);
  reader.addChildren(tags.children, 0);
  const { blocks, covered } = reader;
  const all = pieces.reduce((sum, { mark, text }) => sum + (mark === null ? 0 : text.length), 0);
  if (covered < all * MIN_COVERED_SHARE || all === 0) return null;
  return { blocks, hasStructure: blocks.some(({ kind }) => kind !== 'paragraph') };
}

type TagPart = PdfTag | string;

/** Collects the blocks of one page from its structure tree. */
class TagReader {
  readonly blocks: PdfBlock[] = [];
  /** The number of characters that the tags refer to. */
  covered = 0;
  readonly #byMark: ReadonlyMap<string, readonly TextPiece[]>;
  readonly #links: PdfPage['links'];

  constructor(pieces: readonly TextPiece[], links: PdfPage['links']) {
    this.#links = links;
    this.#byMark = groupBy(
      pieces.filter(({ mark }) => mark !== null),
      ({ mark }) => mark ?? '',
    );
  }

  /** Adds children; consecutive inline children form one text. */
  addChildren(children: readonly TagPart[], depth: number): void {
    let inLine: TagPart[] = [];
    for (const child of children) {
      if (typeof child === 'string' || !hasBlock(child)) inLine.push(child);
      else {
        this.#addText(inLine);
        inLine = [];
        this.#addTag(child, depth);
      }
    }
    this.#addText(inLine);
  }

  #addTag(tag: PdfTag, depth: number): void {
    const { role, children } = tag;
    if (role === 'Artifact') return;
    const level = /^H([1-6])$/.exec(role)?.[1];
    if (level !== undefined || role === 'H' || role === 'Title') {
      const runs = joinLineRuns(this.#readLines(children));
      const own = role === 'Title' ? 1 : Number(level ?? 2);
      if (getRunsText(runs).trim() !== '') this.blocks.push({ kind: 'heading', level: own, runs });
    } else if (LIST_ROLE.test(role)) this.#addList(tag, depth);
    else if (role === 'Table') this.#addTable(tag);
    else this.addChildren(children, depth);
  }

  #addText(parts: readonly TagPart[]): void {
    const lines = this.#readLines(parts);
    if (lines.length === 0) return;
    if (lines.every((line) => line.isMono)) this.blocks.push({ kind: 'code', text: formatListing(lines) });
    else this.blocks.push({ kind: 'paragraph', runs: joinLineRuns(lines) });
  }

  #addList({ children }: PdfTag, depth: number): void {
    for (const item of children) {
      if (typeof item === 'string') continue;
      if (ITEM_ROLE.test(item.role)) this.#addItem(item, depth);
      else if (LIST_ROLE.test(item.role)) this.#addList(item, depth + 1);
      else this.#addTag(item, depth);
    }
  }

  #addItem(item: PdfTag, depth: number): void {
    const parts = item.children.flatMap((child) =>
      typeof child !== 'string' && child.role === 'LBody' ? child.children : [child],
    );
    const label = parts.filter((part) => typeof part !== 'string' && part.role === 'Lbl');
    const lists = parts.filter((part) => typeof part !== 'string').filter(({ role }) => LIST_ROLE.test(role));
    const number = /\d{1,4}/.exec(getRunsText(joinLineRuns(this.#readLines(label))))?.[0];
    const own = parts.filter(
      (part) => typeof part === 'string' || !(label.includes(part) || LIST_ROLE.test(part.role)),
    );
    const runs = joinLineRuns(this.#readLines(own));
    const ordered = number === undefined ? null : Number(number);
    if (getRunsText(runs).trim() !== '') this.blocks.push({ kind: 'item', ordered, left: depth * INDENT_POINTS, runs });
    for (const list of lists) this.#addList(list, depth + 1);
  }

  #addTable(table: PdfTag): void {
    const rows = listTags(table, 'TR').map((row) =>
      row.children.filter((cell) => typeof cell !== 'string').map((cell) => joinLineRuns(this.#readLines([cell]))),
    );
    if (rows.length > 0) this.blocks.push({ kind: 'table', rows });
  }

  #readLines(parts: readonly TagPart[]): readonly PdfLine[] {
    const found = listMarks(parts).flatMap((mark) => this.#byMark.get(mark) ?? []);
    this.covered += found.reduce((sum, { text }) => sum + text.length, 0);
    return toLines(found, this.#links);
  }
}

function hasBlock({ role, children }: PdfTag): boolean {
  return BLOCK_ROLE.test(role) || children.some((child) => typeof child !== 'string' && hasBlock(child));
}

function listMarks(parts: readonly (PdfTag | string)[]): readonly string[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string') return [part];
    return part.role === 'Artifact' ? [] : listMarks(part.children);
  });
}

function listTags(tag: PdfTag, role: string): readonly PdfTag[] {
  return tag.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    return child.role === role ? [child] : listTags(child, role);
  });
}

function joinLineRuns(lines: readonly PdfLine[]): readonly TextRun[] {
  const [first = [], ...rest] = lines.map(joinCellRuns);
  return rest.reduce((runs, own) => joinRuns(runs, own, ' '), first);
}
