import { codeOf, joinRuns } from './pdf-blocks.ts';
import type { Block } from './pdf-blocks.ts';
import { runsOf, textOf, toLines } from './pdf-lines.ts';
import type { Line, Piece, Run } from './pdf-lines.ts';
import type { PdfPage, Tag } from './pdf-page.ts';

export type Tagged = {
  readonly blocks: readonly Block[];
  /** Whether headings, lists or tables are among them; tags that say nothing but text are worth less than the letters. */
  readonly isTelling: boolean;
};

/** Of the marked letters of a page: with fewer, its tags leave too much out. */
const FEWEST_COVERED = 0.9;
const BLOCK =
  /^(?:H\d?|Title|P|L|LI|LBody|Table|TR|TOC|TOCI|Sect|Div|Art|Part|Document|BlockQuote|Caption|Note|Figure|Form|Index|Aside)$/;
const LIST = /^(?:L|TOC)$/;
const ITEM = /^(?:LI|TOCI)$/;
/** In points, which is what the places of untagged items are in. */
const INDENT = 20;

/** The blocks of a page by the tags of its document; null where it has none, or they leave out what is shown. */
export function toTaggedBlocks({ pieces, links, tags }: PdfPage): Tagged | null {
  if (tags === null) return null;
  const byMark = new Map<string, Piece[]>();
  for (const piece of pieces) {
    if (piece.mark === null) continue;
    const marked = byMark.get(piece.mark);
    if (marked === undefined) byMark.set(piece.mark, [piece]);
    else marked.push(piece);
  }
  const blocks: Block[] = [];
  let covered = 0;

  function linesOf(parts: readonly (Tag | string)[]): readonly Line[] {
    const found = marksOf(parts).flatMap((mark) => byMark.get(mark) ?? []);
    covered += found.reduce((sum, { text }) => sum + text.length, 0);
    return toLines(found, links);
  }

  function addText(parts: readonly (Tag | string)[]): void {
    const lines = linesOf(parts);
    if (lines.length === 0) return;
    if (lines.every((line) => line.isMono)) blocks.push({ kind: 'code', text: codeOf(lines) });
    else blocks.push({ kind: 'paragraph', runs: toRuns(lines) });
  }

  function addList({ children }: Tag, depth: number): void {
    for (const item of children) {
      if (typeof item === 'string') continue;
      if (ITEM.test(item.role)) addItem(item, depth);
      else if (LIST.test(item.role)) addList(item, depth + 1);
      else add(item, depth);
    }
  }

  function addItem(item: Tag, depth: number): void {
    const parts = item.children.flatMap((child) =>
      typeof child !== 'string' && child.role === 'LBody' ? child.children : [child],
    );
    const label = parts.filter((part) => typeof part !== 'string' && part.role === 'Lbl');
    const lists = parts.filter((part) => typeof part !== 'string').filter(({ role }) => LIST.test(role));
    const number = /\d{1,4}/.exec(textOf(toRuns(linesOf(label))))?.[0];
    const own = parts.filter((part) => typeof part === 'string' || !(label.includes(part) || LIST.test(part.role)));
    const runs = toRuns(linesOf(own));
    const ordered = number === undefined ? null : Number(number);
    if (textOf(runs).trim() !== '') blocks.push({ kind: 'item', ordered, left: depth * INDENT, runs });
    for (const list of lists) addList(list, depth + 1);
  }

  function addTable(table: Tag): void {
    const rows = allOf(table, 'TR').map((row) =>
      row.children.filter((cell) => typeof cell !== 'string').map((cell) => toRuns(linesOf([cell]))),
    );
    if (rows.length > 0) blocks.push({ kind: 'table', rows });
  }

  function add(tag: Tag, depth: number): void {
    const { role, children } = tag;
    if (role === 'Artifact') return;
    const level = /^H([1-6])$/.exec(role)?.[1];
    if (level !== undefined || role === 'H' || role === 'Title') {
      const runs = toRuns(linesOf(children));
      const own = role === 'Title' ? 1 : Number(level ?? 2);
      if (textOf(runs).trim() !== '') blocks.push({ kind: 'heading', level: own, runs });
    } else if (LIST.test(role)) addList(tag, depth);
    else if (role === 'Table') addTable(tag);
    else addChildren(children, depth);
  }

  /** What stands in a line together is one text, up to the next block. */
  function addChildren(children: readonly (Tag | string)[], depth: number): void {
    let inLine: (Tag | string)[] = [];
    for (const child of children) {
      if (typeof child === 'string' || !holdsBlock(child)) inLine.push(child);
      else {
        addText(inLine);
        inLine = [];
        add(child, depth);
      }
    }
    addText(inLine);
  }

  addChildren(tags.children, 0);
  const all = pieces.reduce((sum, { mark, text }) => sum + (mark === null ? 0 : text.length), 0);
  if (covered < all * FEWEST_COVERED || all === 0) return null;
  return { blocks, isTelling: blocks.some(({ kind }) => kind !== 'paragraph') };
}

function holdsBlock({ role, children }: Tag): boolean {
  return BLOCK.test(role) || children.some((child) => typeof child !== 'string' && holdsBlock(child));
}

function marksOf(parts: readonly (Tag | string)[]): readonly string[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string') return [part];
    return part.role === 'Artifact' ? [] : marksOf(part.children);
  });
}

function allOf(tag: Tag, role: string): readonly Tag[] {
  return tag.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    return child.role === role ? [child] : allOf(child, role);
  });
}

function toRuns(lines: readonly Line[]): readonly Run[] {
  const [first = [], ...rest] = lines.map(runsOf);
  return rest.reduce((runs, own) => joinRuns(runs, own, ' '), first);
}
