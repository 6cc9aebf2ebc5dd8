import { type Block, type BlockKind, findBlocks, type Lines, openContainer } from './markdown-blocks.ts';
import { type CountTokens, findPortionEnd } from './tokens.ts';

/** What a chunk consists of: one kind of block, or text of several kinds. */
export const CHUNK_KINDS = ['text', 'code', 'table', 'list'] as const;

export type ChunkKind = (typeof CHUNK_KINDS)[number];

/** How well a text can be cut before a unit; a better place is preferred. */
export const RANK = { portion: 0, word: 1, line: 2, inner: 3, item: 4, block: 5, heading: 6 } as const;

/** What each part of a code block or table needs around it. */
export type Wrap = {
  /** The line that opens the code, or the header of the table. */
  readonly before: string;
  /** The line that closes the code. Empty for a table. */
  readonly after: string;
  readonly beforeSize: number;
  readonly afterSize: number;
};

/** A part of the Markdown that is not cut any further. Units follow each other without gaps. */
export type Unit = {
  readonly from: number;
  readonly to: number;
  readonly kind: ChunkKind | 'heading';
  /** How well the text can be cut before it. */
  readonly rank: number;
  /** In the tokens of the chunker. */
  readonly size: number;
  /** Whether it is a part of something that is too large for a chunk. */
  readonly isCut: boolean;
  /** The code or table that it is a part of, null for other units. */
  readonly wrap: Wrap | null;
  /** Whether it is the first and the last part of that code or table. */
  readonly opens: boolean;
  readonly closes: boolean;
};

/** How units are made: their largest size, and how it is counted. */
export type UnitMaker = { readonly limit: number; readonly count: CountTokens };

/** Containers that are nested deeper are cut like text. */
const MAX_DEPTH = 16;

type Place = {
  readonly kind: ChunkKind | 'heading';
  readonly rank: number;
  readonly isCut: boolean;
  readonly depth: number;
};

type Context = { readonly maker: UnitMaker; readonly units: Unit[] };

/** The kind of chunk that a block makes. */
export const KINDS: Readonly<Record<BlockKind, Unit['kind']>> = {
  heading: 'heading',
  text: 'text',
  code: 'code',
  table: 'table',
  item: 'list',
  quote: 'text',
  note: 'text',
  formula: 'text',
};

/** Adds the units of a block: the block itself, or its parts if it is too large. */
export function addUnits(lines: Lines, block: Block, context: Context): void {
  const rank = block.kind === 'heading' ? RANK.heading : block.joins ? RANK.item : RANK.block;
  addBlock(lines, block, { context, place: { kind: KINDS[block.kind], rank, isCut: false, depth: 0 } });
}

type Task = { readonly context: Context; readonly place: Place };

function addBlock(lines: Lines, block: Block, task: Task): void {
  const { context, place } = task;
  const { maker, units } = context;
  const { from, to, kind } = block;
  const size = measure(maker, lines.text.slice(from, to));
  if (size <= maker.limit) units.push(buildUnit(from, to, { ...place, size }));
  else if (kind === 'code') addCode(lines, block, task);
  else if (kind === 'table') addTable(lines, block, task);
  else if (kind === 'formula') addWords(lines.text, { from, to }, { ...task, place: { ...place, isCut: true } });
  else if ((kind === 'item' || kind === 'quote' || kind === 'note') && place.depth < MAX_DEPTH)
    addInner(lines, block, task);
  else addSentences(lines.text, { from, to }, task);
}

/** The size of a block; without the white space at its end if it only fits a chunk of its own. */
function measure({ count, limit }: UnitMaker, text: string): number {
  const size = count(text);
  return size > limit && size <= limit + MAX_END_SIZE ? count(text.trimEnd()) : size;
}

/** More white space at the end of a block is counted as part of it. */
const MAX_END_SIZE = 16;

function buildUnit(
  from: number,
  to: number,
  { kind, rank, isCut, size }: Pick<Unit, 'kind' | 'rank' | 'isCut' | 'size'>,
): Unit {
  return { from, to, kind, rank, size, isCut, wrap: null, opens: true, closes: true };
}

/** Adds the blocks of a container. The first one starts with the marker of the container. */
function addInner(lines: Lines, block: Block, { context, place }: Task): void {
  const inside = openContainer(lines, block);
  const isCut = place.isCut || block.kind === 'item';
  for (const [at, inner] of findBlocks(inside).entries()) {
    const rank = at === 0 ? place.rank : RANK.inner;
    addBlock(inside, inner, { context, place: { kind: place.kind, rank, isCut, depth: place.depth + 1 } });
  }
}

/** Adds the lines of a code block. Each part becomes a code block of its own, if the fences are short. */
function addCode(lines: Lines, block: Block, task: Task): void {
  const { maker } = task.context;
  const opening = readLine(lines, block.first);
  const isFenced = /^[\s>]*(?:[-*+:]\s|\d{1,9}[.)]\s)*\s*(?:`{3,}|~{3,})/.test(opening);
  const closing = readLine(lines, findLastLine(lines, block));
  const wrap = isFenced ? buildWrap(maker, toContinuation(opening), closing) : null;
  addParts(lines, block, { task, wrap, whole: wrap === null ? 0 : 1 });
}

/** Adds the rows of a table. Each part repeats the header, if it is short. */
function addTable(lines: Lines, block: Block, task: Task): void {
  const header = `${toContinuation(readLine(lines, block.first))}\n${readLine(lines, block.first + 1)}`;
  const wrap = buildWrap(task.context.maker, header, '');
  addParts(lines, block, { task, wrap, whole: wrap === null ? 0 : 2 });
}

/** The most of a chunk that repeated lines may take. */
const MAX_WRAP_SHARE = 0.5;

function buildWrap({ count, limit }: UnitMaker, before: string, after: string): Wrap | null {
  const beforeSize = count(`${before}\n`);
  const afterSize = after === '' ? 0 : count(`\n${after}`);
  return beforeSize + afterSize > limit * MAX_WRAP_SHARE ? null : { before, after, beforeSize, afterSize };
}

/** A line without the marker of the item that it starts, as the further lines of the item are written. */
function toContinuation(line: string): string {
  const marks = /^(?:[\s>]*(?:[-*+:]|\d{1,9}[.)])[ \t]+)+(?=[`~|])/.exec(line)?.[0] ?? '';
  return marks.replaceAll(/[^\s>]/g, ' ') + line.slice(marks.length);
}

function readLine({ text, start, end }: Lines, line: number): string {
  return text.slice(start[line], end[line]);
}

function findLastLine({ start, end, text }: Lines, { first, last }: Block): number {
  let line = last - 1;
  while (line > first && text.slice(start[line], end[line]).trim() === '') line--;
  return line;
}

type Parts = {
  readonly task: Task;
  readonly wrap: Wrap | null;
  /** How many lines at the start are one unit: the fence, or the header with its delimiters. */
  readonly whole: number;
};

function addParts(lines: Lines, block: Block, { task, wrap, whole }: Parts): void {
  const { context, place } = task;
  const { units, maker } = context;
  const { text, start } = lines;
  const before = units.length;
  const room = maker.limit - (wrap === null ? 0 : wrap.beforeSize + wrap.afterSize);
  const lastLine = findLastLine(lines, block);
  // Units that fit a chunk, but not with what is repeated.
  const alone = new Set<number>();
  let line = block.first;
  while (line < block.last) {
    const isFirst = line === block.first;
    const next = isFirst ? line + Math.max(1, whole) : line + 1;
    const from = isFirst ? block.from : (start[line] ?? 0);
    const to = next >= block.last || line >= lastLine ? block.to : (start[next] ?? block.to);
    // Neither the first line after a fence or header nor a closing fence is cut off.
    const isTied = wrap !== null && (line === block.first + whole || (line === lastLine && wrap.after !== ''));
    const part = { ...place, rank: isFirst ? place.rank : isTied ? RANK.portion : RANK.line, isCut: true };
    const size = maker.count(text.slice(from, to));
    if (size <= room) units.push(buildUnit(from, to, { ...part, size }));
    else if (measure(maker, text.slice(from, to)) <= maker.limit)
      alone.add(units.push(buildUnit(from, to, { ...part, size })) - 1);
    else addWords(text, { from, to }, { place: part, context: { units, maker: { ...maker, limit: room } } });
    line = to === block.to ? block.last : next;
  }
  if (wrap === null) return;
  for (let at = before; at < units.length; at++) {
    const unit = units[at];
    if (unit !== undefined && !alone.has(at))
      units[at] = { ...unit, wrap, opens: at === before, closes: at === units.length - 1 };
  }
}

type Range = { readonly from: number; readonly to: number };

/** Inline content that is not cut: code, formulas, links and images. */
const PROTECTED =
  /`[^`]{1,1000}`|(?<!\\)\$\$[^$]{1,8000}\$\$|(?<![\\$])\$(?=\S)[^$\n]{1,1000}(?<=\S)\$(?!\d)|\[[^[\]\n]{0,500}\]\([^()\s]{0,2000}\)/g;
const SENTENCE_END = /[.!?…]["'”’)\]*_]*\s+(?=\S)|[。！？]["'”’）」』]*\s*/g;
const WORD_END = /\s+/g;

function addSentences(text: string, { from, to }: Range, task: Task): void {
  const { context, place } = task;
  const own = text.slice(from, to);
  const spans = findProtected(own);
  let start = 0;
  for (const end of [...findEnds(own, SENTENCE_END, spans), own.length]) {
    if (end <= start) continue;
    const sentence = own.slice(start, end);
    const size = context.maker.count(sentence);
    const rank = start === 0 ? place.rank : RANK.line;
    if (size <= context.maker.limit) context.units.push(buildUnit(from + start, from + end, { ...place, rank, size }));
    else addWords(text, { from: from + start, to: from + end }, { context, place: { ...place, rank, isCut: true } });
    start = end;
  }
}

/** Adds the words of a text, in groups; words that are too long are cut, as is inline content. */
function addWords(text: string, { from, to }: Range, { context, place }: Task): void {
  const { maker, units } = context;
  const own = text.slice(from, to);
  const length = Math.min(MAX_GROUP_LENGTH, Math.max(1, Math.floor(maker.limit / MAX_TOKENS_PER_CHARACTER)));
  const spans = findProtected(own);
  let start = 0;
  const addUntil = (end: number): void => {
    if (end <= start) return;
    const rank = start === 0 ? place.rank : RANK.word;
    const size = maker.count(own.slice(start, end));
    if (size <= maker.limit) units.push(buildUnit(from + start, from + end, { ...place, rank, size }));
    else addPortions(text, { from: from + start, to: from + end }, { context, place: { ...place, rank } });
    start = end;
  };
  for (const end of findEnds(own, WORD_END, spans)) if (end - start >= length) addUntil(end);
  addUntil(own.length);
}

/** Words are grouped to about this many characters, so that a long text has few units. */
const MAX_GROUP_LENGTH = 64;
/** A UTF-16 unit has at most three bytes in UTF-8, and a token has at least one. */
const MAX_TOKENS_PER_CHARACTER = 3;

function addPortions(text: string, { from, to }: Range, { context, place }: Task): void {
  const { maker, units } = context;
  const length = Math.max(1, Math.floor(maker.limit / MAX_TOKENS_PER_CHARACTER));
  const own = text.slice(from, to);
  for (let start = 0; start < own.length;) {
    const end = findPortionEnd(own, start, Math.min(length, MAX_GROUP_LENGTH));
    const rank = start === 0 ? place.rank : RANK.portion;
    units.push(buildUnit(from + start, from + end, { ...place, rank, size: maker.count(own.slice(start, end)) }));
    start = end;
  }
}

function findProtected(text: string): readonly Range[] {
  const spans: Range[] = [];
  for (const { index, 0: span } of text.matchAll(PROTECTED)) spans.push({ from: index, to: index + span.length });
  return spans;
}

/** Where a pattern ends in a text, except within protected spans. */
function findEnds(text: string, pattern: RegExp, spans: readonly Range[]): readonly number[] {
  const ends: number[] = [];
  let next = 0;
  for (const { index, 0: found } of text.matchAll(pattern)) {
    const end = index + found.length;
    while (next < spans.length && (spans[next]?.to ?? 0) <= index) next++;
    const span = spans[next];
    if (span === undefined || span.from >= end) ends.push(end);
  }
  return ends;
}
