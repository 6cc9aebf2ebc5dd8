import { computeSha256 } from '#extract/platform/node.ts';
import type { HeadingAnchors } from '#extract/renderers/heading-anchors.ts';
import { type Block, findBlocks, type Lines, splitLines } from './markdown-blocks.ts';
import { packUnits } from './packing.ts';
import { readHeading } from './heading-text.ts';
import { type CountTokens, createTokenCounter, keepPair, type Tokenizer } from './tokens.ts';
import { addUnits, type ChunkKind, KINDS, type Unit } from './units.ts';

/** How a page is cut into chunks. */
export type Chunking = {
  /** Maximum size of `text`, in tokens of the tokenizer. */
  readonly maxTokens: number;
  /** How much of the chunk before it a chunk repeats, if both are of one section. At most half of `maxTokens`. */
  readonly overlapTokens: number;
  readonly tokenizer: Tokenizer;
  /** The deepest level of headings that start a chunk. */
  readonly headingDepth: number;
  /** Whether `text` starts with the title of the page and the headings. */
  readonly contextual: boolean;
};

/** A part of a page for an index. */
export type Chunk = {
  /** Stays the same while the text of the chunk is edited. */
  readonly id: string;
  readonly text: string;
  /** The headings above the text, from the outermost on, as plain text. */
  readonly heading_path: readonly string[];
  /** The URL of the page, with the anchor of the innermost of these headings that has one. */
  readonly url: string;
  /** The index in the list. */
  readonly position: number;
  readonly tokens: number;
  /** The SHA-256 of `text`, in base64url. */
  readonly content_hash: string;
  readonly kind: ChunkKind;
  /** Present if the text contains a part of something that is too large for one chunk. */
  readonly split?: true;
};

/** How a page is cut unless the caller says otherwise. */
export const DEFAULT_CHUNKING: Chunking = {
  maxTokens: 512,
  overlapTokens: 0,
  tokenizer: 'o200k_base',
  headingDepth: 3,
  contextual: false,
};

/** Maximum chunks of a page. */
export const MAX_CHUNKS = 50_000;

/** The limits of `maxTokens`. */
export const MIN_CHUNK_TOKENS = 16;
export const MAX_CHUNK_TOKENS = 100_000;

/** Completes options of a caller. Throws `RangeError` for numbers out of range, which the service has refused before. */
export function completeChunking(options: Partial<Chunking>): Chunking {
  const chunking = { ...DEFAULT_CHUNKING, ...options };
  const { maxTokens, overlapTokens, headingDepth } = chunking;
  checkRange('maxTokens', maxTokens, [MIN_CHUNK_TOKENS, MAX_CHUNK_TOKENS]);
  checkRange('overlapTokens', overlapTokens, [0, Math.floor(maxTokens / 2)]);
  checkRange('headingDepth', headingDepth, [1, 6]);
  return chunking;
}

function checkRange(name: string, value: number, [least, most]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new RangeError(`chunking.${name} must be a whole number from ${least} to ${most}`);
}

/** A Markdown text and what is known of its page. */
export type ChunkSource = {
  readonly markdown: string;
  /** The URL of the page. */
  readonly url: string;
  readonly title: string | null;
  readonly anchors: HeadingAnchors;
};

/** The chunks of a page; `isTruncated` says that there are more than fit. */
export type ChunkList = { readonly chunks: readonly Chunk[]; readonly isTruncated: boolean };

/**
 * Cuts Markdown into chunks: at headings, else between blocks, items and rows, else between sentences. Without overlap
 * each word is in one chunk, except that parts of a table repeat its header. Linear in the text for texts of ordinary
 * sections.
 */
export function chunkMarkdown(source: ChunkSource, chunking: Chunking): ChunkList {
  const count = createTokenCounter(chunking.tokenizer);
  const lines = splitLines(source.markdown);
  const writer: ChunkWriter = {
    source,
    chunking,
    count,
    page: removeFragment(source.url),
    chunks: [],
    sections: new Map(),
    ids: new Map(),
  };
  for (const section of listSections(lines, source, chunking.headingDepth)) {
    writeSection(writer, lines, section);
    if (writer.chunks.length > MAX_CHUNKS) return { chunks: writer.chunks.slice(0, MAX_CHUNKS), isTruncated: true };
  }
  return { chunks: writer.chunks, isTruncated: false };
}

type ChunkWriter = {
  readonly source: ChunkSource;
  readonly chunking: Chunking;
  readonly count: CountTokens;
  /** The URL of the page without a fragment. */
  readonly page: string;
  readonly chunks: Chunk[];
  /** How many sections had each heading path, and how many chunks each ID. */
  readonly sections: Map<string, number>;
  readonly ids: Map<string, number>;
};

type Heading = { readonly level: number; readonly text: string; readonly anchor: string | null };

/** The blocks under a heading, with the heading itself and those above it that have no text. */
type Section = { readonly path: readonly Heading[]; readonly blocks: readonly Block[] };

/** Groups blocks by the headings of at most the given level. */
function* listSections(lines: Lines, { markdown, anchors }: ChunkSource, depth: number): Generator<Section> {
  const seen = new Map<string, number>();
  let path: readonly Heading[] = [];
  let blocks: Block[] = [];
  let hasText = false;
  for (const block of findBlocks(lines)) {
    if (block.level === 0 || block.level > depth) hasText = true;
    else {
      const line = markdown.slice(block.from, block.to).trim();
      const at = seen.get(line) ?? 0;
      seen.set(line, at + 1);
      const isBelow = block.level > (path.at(-1)?.level ?? 0);
      if (blocks.length > 0 && (hasText || !isBelow)) {
        yield { path, blocks };
        blocks = [];
        hasText = false;
      }
      const heading = { level: block.level, text: readHeading(line), anchor: anchors.get(line)?.[at] ?? null };
      path = [...path.filter(({ level }) => level < block.level), heading];
    }
    blocks.push(block);
  }
  if (blocks.length > 0) yield { path, blocks };
}

function writeSection(writer: ChunkWriter, lines: Lines, { path, blocks }: Section): void {
  const { chunking, count, source, page, sections, chunks } = writer;
  const headings = path.map(({ text }) => text).filter((text) => text !== '');
  const context = chunking.contextual ? buildContext(writer, headings) : '';
  const room = chunking.maxTokens - (context === '' ? 0 : count(context));
  const key = JSON.stringify(headings);
  const occurrence = sections.get(key) ?? 0;
  sections.set(key, occurrence + 1);
  const anchor = path.findLast((heading) => heading.anchor !== null)?.anchor ?? null;
  const part: SectionPart = {
    context,
    headings,
    key: `${page}\n${key}\n${occurrence}`,
    url: anchor === null ? page : `${page}#${encodeAnchor(anchor)}`,
  };
  const body = trimBlock(source.markdown.slice(blocks[0]?.from, blocks.at(-1)?.to));
  if (body === '') return;
  // A longer text hardly ever fits, so it is only counted in parts.
  const tokens = body.length > room * MAX_CHARACTERS_PER_TOKEN ? Infinity : count(body);
  if (tokens <= room) {
    const kinds = blocks.map(({ kind }) => KINDS[kind]);
    const text = context + body;
    addChunk(writer, part, {
      id: part.key,
      text,
      kinds,
      isSplit: false,
      tokens: context === '' ? tokens : count(text),
    });
    return;
  }
  const limit = Math.max(1, room - chunking.overlapTokens);
  const units: Unit[] = [];
  for (const block of blocks) addUnits(lines, block, { maker: { limit, count }, units });
  let before: readonly Unit[] | null = null;
  for (const { units: own, size } of fitUnits(writer, units, limit)) {
    writeUnits(writer, part, { own, size, before });
    before = own;
    if (chunks.length > MAX_CHUNKS) return;
  }
}

/** Most texts have tokens of about four characters. */
const MAX_CHARACTERS_PER_TOKEN = 5;

/** Units that become a chunk, and the tokens of their text. */
type PackedUnits = { readonly units: readonly Unit[]; readonly size: number };

/** Packs the units; if their text has more tokens than fit, they are packed again, in less space. */
function fitUnits(writer: ChunkWriter, units: readonly Unit[], limit: number): readonly PackedUnits[] {
  const { markdown } = writer.source;
  const pack = (list: readonly Unit[], most: number): readonly PackedUnits[] =>
    packUnits(markdown, list, most).map(({ from, to }) => {
      const own = list.slice(from, to);
      return { units: own, size: countUnits(writer, own) };
    });
  return pack(units, limit).flatMap((packed) => {
    const excess = packed.size - limit;
    return packed.units.length < 2 || excess <= 0 ? [packed] : pack(packed.units, Math.max(1, limit - 2 * excess));
  });
}

/** The tokens of the text of some units. Counts add up at the start of most lines. */
function countUnits({ source: { markdown }, count }: ChunkWriter, units: readonly Unit[]): number {
  const addsUp = units.every(({ from, wrap }, at) => {
    const isLineStart = at === 0 || markdown.charAt(from - 1) === '\n';
    return wrap === null && isLineStart && !/[\s/]/.test(markdown.charAt(from));
  });
  const last = units.at(-1);
  if (!addsUp || last === undefined) return count(renderUnits(markdown, units));
  const end = count(trimBlock(markdown.slice(last.from, last.to)));
  return units.slice(0, -1).reduce((sum, { size }) => sum + size, end);
}

type SectionPart = {
  /** What `text` starts with; empty for nothing. */
  readonly context: string;
  readonly headings: readonly string[];
  /** What the IDs of the section are made of. */
  readonly key: string;
  readonly url: string;
};

/** The units of a chunk, and those of the chunk before it in the section. */
type ChunkUnits = { readonly own: readonly Unit[]; readonly size: number; readonly before: readonly Unit[] | null };

function writeUnits(writer: ChunkWriter, part: SectionPart, { own, size, before }: ChunkUnits): void {
  const { source, count } = writer;
  const body = renderUnits(source.markdown, own);
  if (body === '') return;
  const overlap = before === null ? '' : buildOverlap(writer, before, own);
  const text = part.context + overlap + body;
  addChunk(writer, part, {
    id: before === null ? part.key : `${part.key}\n${readStart(source.markdown, own)}`,
    text,
    kinds: own.map(({ kind }) => kind),
    isSplit: own.some(({ isCut }) => isCut),
    tokens: text === body ? size : count(text),
  });
}

type ChunkParts = Pick<Chunk, 'text' | 'tokens'> & {
  /** What the ID is made of. */
  readonly id: string;
  readonly kinds: readonly Unit['kind'][];
  readonly isSplit: boolean;
};

function addChunk(
  writer: ChunkWriter,
  { headings, url }: SectionPart,
  { id, text, kinds, isSplit, tokens }: ChunkParts,
): void {
  const { chunks } = writer;
  const own = new Set(kinds.filter((kind) => kind !== 'heading'));
  const [kind = 'text'] = own;
  chunks.push({
    id: buildId(writer, id),
    text,
    heading_path: headings,
    url,
    position: chunks.length,
    tokens,
    content_hash: computeSha256(text),
    kind: own.size === 1 ? kind : 'text',
    ...(isSplit ? { split: true } : {}),
  });
}

/** The Markdown of some units; parts of code get fences, and parts of a table its header. */
function renderUnits(markdown: string, units: readonly Unit[]): string {
  const first = units[0];
  const last = units.at(-1);
  if (first === undefined || last === undefined) return '';
  const own = markdown.slice(first.from, last.to);
  const body = first.wrap === null || first.opens ? trimBlock(own) : own.trimEnd();
  const before = first.wrap === null || first.opens ? '' : `${first.wrap.before}\n`;
  const after = last.wrap === null || last.closes || last.wrap.after === '' ? '' : `\n${last.wrap.after}`;
  return before + body + after;
}

/** Removes white space at the end, and empty lines at the start. */
function trimBlock(text: string): string {
  return text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
}

/** The characters at the start of a chunk that make its ID, if it is not the first one of its section. */
const ID_START = 200;

function readStart(markdown: string, units: readonly Unit[]): string {
  const { from = 0, to = 0 } = units[0] ?? {};
  return markdown.slice(from, Math.min(to, from + ID_START)).trim();
}

/** The characters of an ID: 132 bits. */
const ID_LENGTH = 22;

/** An ID from a key; further chunks with the same key are numbered. */
function buildId({ ids }: ChunkWriter, key: string): string {
  const digest = computeSha256(key).slice(0, ID_LENGTH);
  const number = ids.get(digest) ?? 0;
  ids.set(digest, number + 1);
  return `chk_${number === 0 ? digest : computeSha256(`${key}\n${number}`).slice(0, ID_LENGTH)}`;
}

/** The most of a chunk that its context may take. */
const MAX_CONTEXT_SHARE = 0.25;

/** The title and the headings on a line, without those at the start that do not fit. */
function buildContext({ source: { title }, chunking, count }: ChunkWriter, headings: readonly string[]): string {
  const names = title === null || title === headings[0] ? headings : [title, ...headings];
  for (let from = 0; from < names.length; from++) {
    const line = `${names.slice(from).join(' > ')}\n\n`;
    if (count(line) <= chunking.maxTokens * MAX_CONTEXT_SHARE) return line;
  }
  return '';
}

/** Tokens have on average fewer characters, so an overlap starts within this many of them for each token. */
const OVERLAP_CHARACTERS = 8;
const SENTENCE_START = /\n+|[.!?…]["'”’)\]*_]*\s+(?=\S)|[。！？]["'”’）」』]*\s*/g;
const WORD_START = /\s+/g;

/**
 * The end of the text before a chunk, from the first sentence, else word, else character that fits, and what separates
 * it from the chunk. Empty without overlap, and next to parts of code and tables.
 */
function buildOverlap({ source, chunking, count }: ChunkWriter, before: readonly Unit[], own: readonly Unit[]): string {
  const { overlapTokens, tokenizer } = chunking;
  const isWrapped =
    before.at(-1)?.kind === 'code' || before.at(-1)?.kind === 'table' || (own[0]?.wrap ?? null) !== null;
  if (overlapTokens === 0 || isWrapped) return '';
  const { markdown } = source;
  const end = own[0]?.from ?? 0;
  const reach = tokenizer === 'characters' ? overlapTokens : overlapTokens * OVERLAP_CHARACTERS;
  const from = keepPair(markdown, Math.max(before[0]?.from ?? end, end - reach));
  const tail = markdown.slice(from, end);
  const isLineEnd = tail.endsWith('\n');
  const separator = isLineEnd ? '\n\n' : ' ';
  const room = overlapTokens - count(separator);
  const fits = (start: number): boolean => count(tail.slice(start).trim()) <= room;
  for (const pattern of [SENTENCE_START, WORD_START]) {
    const starts = Array.from(tail.matchAll(pattern), ({ index, 0: found }) => index + found.length);
    const start = findFirst(starts, fits);
    if (start !== undefined && tail.slice(start).trim() !== '') return tail.slice(start).trim() + separator;
  }
  return '';
}

/** The first place that fits, where all later places fit as well. */
function findFirst(places: readonly number[], fits: (place: number) => boolean): number | undefined {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(places[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return places[low];
}

function removeFragment(url: string): string {
  const at = url.indexOf('#');
  return at < 0 ? url : url.slice(0, at);
}

/** An anchor as a fragment of a URL. */
function encodeAnchor(anchor: string): string {
  return encodeURI(anchor.toWellFormed()).replaceAll('#', '%23');
}
