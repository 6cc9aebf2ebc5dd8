import { joinRuns, formatListing, type PdfBlock } from './pdf-blocks.ts';
import { type PdfLine, type TextPiece, type TextRun, joinCellRuns, getRunsText, toLines } from './pdf-lines.ts';
import type { PdfPage, PdfTag } from './pdf-page.ts';

export type TaggedBlocks = {
  readonly blocks: readonly PdfBlock[];
  /** Whether headings, lists or tables are among them; tags that say nothing but text are worth less than the letters. */
  readonly hasStructure: boolean;
};

/** Of the marked letters of a page: with fewer, its tags leave too much out. */
const MIN_COVERED_SHARE = 0.9;
const BLOCK_ROLE =
  /^(?:H\d?|Title|P|L|LI|LBody|Table|TR|TOC|TOCI|Sect|Div|Art|Part|Document|BlockQuote|Caption|Note|Figure|Form|Index|Aside)$/;
const LIST_ROLE = /^(?:L|TOC)$/;
const ITEM_ROLE = /^(?:LI|TOCI)$/;
/** In points, which is what the places of untagged items are in. */
const INDENT_POINTS = 20;

/** The blocks of a page by the tags of its document; null where it has none, or they leave out visible text. */
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
  /** Characters of the marked text that tags refer to. */
  covered = 0;
  readonly #byMark: ReadonlyMap<string, readonly TextPiece[]>;
  readonly #links: PdfPage['links'];

  constructor(pieces: readonly TextPiece[], links: PdfPage['links']) {
    this.#links = links;
    this.#byMark = Map.groupBy(
      pieces.filter(({ mark }) => mark !== null),
      ({ mark }) => mark ?? '',
    );
  }

  /** Inline parts in a row are one text, up to the next block. */
  addChildren(children: readonly TagPart[], depth: number): void {
    let inLine: TagPart[] = [];
    for (const child of children) {
      if (typeof child === 'string' || !hasBlock(child)) inLine.push(child);
      else {
        this.#addText(inLine);
        inLine = [];
        this.#add(child, depth);
      }
    }
    this.#addText(inLine);
  }

  #add(tag: PdfTag, depth: number): void {
    const { role, children } = tag;
    if (role === 'Artifact') return;
    const level = /^H([1-6])$/.exec(role)?.[1];
    if (level !== undefined || role === 'H' || role === 'Title') {
      const runs = joinLineRuns(this.#linesOf(children));
      const own = role === 'Title' ? 1 : Number(level ?? 2);
      if (getRunsText(runs).trim() !== '') this.blocks.push({ kind: 'heading', level: own, runs });
    } else if (LIST_ROLE.test(role)) this.#addList(tag, depth);
    else if (role === 'Table') this.#addTable(tag);
    else this.addChildren(children, depth);
  }

  #addText(parts: readonly TagPart[]): void {
    const lines = this.#linesOf(parts);
    if (lines.length === 0) return;
    if (lines.every((line) => line.isMono)) this.blocks.push({ kind: 'code', text: formatListing(lines) });
    else this.blocks.push({ kind: 'paragraph', runs: joinLineRuns(lines) });
  }

  #addList({ children }: PdfTag, depth: number): void {
    for (const item of children) {
      if (typeof item === 'string') continue;
      if (ITEM_ROLE.test(item.role)) this.#addItem(item, depth);
      else if (LIST_ROLE.test(item.role)) this.#addList(item, depth + 1);
      else this.#add(item, depth);
    }
  }

  #addItem(item: PdfTag, depth: number): void {
    const parts = item.children.flatMap((child) =>
      typeof child !== 'string' && child.role === 'LBody' ? child.children : [child],
    );
    const label = parts.filter((part) => typeof part !== 'string' && part.role === 'Lbl');
    const lists = parts.filter((part) => typeof part !== 'string').filter(({ role }) => LIST_ROLE.test(role));
    const number = /\d{1,4}/.exec(getRunsText(joinLineRuns(this.#linesOf(label))))?.[0];
    const own = parts.filter(
      (part) => typeof part === 'string' || !(label.includes(part) || LIST_ROLE.test(part.role)),
    );
    const runs = joinLineRuns(this.#linesOf(own));
    const ordered = number === undefined ? null : Number(number);
    if (getRunsText(runs).trim() !== '') this.blocks.push({ kind: 'item', ordered, left: depth * INDENT_POINTS, runs });
    for (const list of lists) this.#addList(list, depth + 1);
  }

  #addTable(table: PdfTag): void {
    const rows = listTags(table, 'TR').map((row) =>
      row.children.filter((cell) => typeof cell !== 'string').map((cell) => joinLineRuns(this.#linesOf([cell]))),
    );
    if (rows.length > 0) this.blocks.push({ kind: 'table', rows });
  }

  #linesOf(parts: readonly TagPart[]): readonly PdfLine[] {
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
