import { InvariantError } from '#extract/invariant-error.ts';
import { ATTRIBUTE_NAMES, TAG_NAMES } from './tag-names.ts';

/** Limit of tag ids, including custom names of a page. Further names are read as span. */
export const MAX_TAGS = 4096;

/** Categories of tags in the HTML standard, as bits of {@link TAG_FLAGS}. */
export const VOID = 1;
/** The content is raw text up to the matching end tag. */
export const RAW = 2;
/** Like RAW, but with character references. */
export const RCDATA = 4;
/** In the "special" category: end tags of ordinary elements do not reach beyond it. */
export const SPECIAL = 8;
/** Ends the search for an open element ("has an element in scope"). */
export const SCOPE = 16;
/** The end tag may be omitted. */
export const IMPLIED_END = 32;
/** h1 to h6. */
export const HEADING = 64;
/** Content inserted here is foster-parented. */
export const FOSTER = 128;
/** Its start tag ends foreign content. */
export const BREAKOUT = 256;
/** Caption, column, section, row or cell. */
export const TABLE_PART = 512;
/** Starts a block of text for reading, whatever the tree construction does with it. */
export const BLOCK = 1024;
/** Its text does not belong to the text of the page. */
export const INVISIBLE = 2048;

const FLAGS: readonly (readonly [number, string])[] = [
  [VOID, 'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'],
  [RAW, 'style script noframes noembed iframe xmp'],
  [RCDATA, 'textarea title'],
  [
    SPECIAL,
    'address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script search section select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp',
  ],
  [SCOPE, 'applet caption html table td th marquee object select template'],
  [IMPLIED_END, 'dd dt li optgroup option p rb rp rt rtc'],
  [HEADING, 'h1 h2 h3 h4 h5 h6'],
  [FOSTER, 'table tbody tfoot thead tr'],
  [
    BREAKOUT,
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
  ],
  [TABLE_PART, 'caption col colgroup tbody td tfoot th thead tr'],
  [
    BLOCK,
    'html body address article aside blockquote caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr iframe legend li listing main menu nav ol optgroup option p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp',
  ],
  [INVISIBLE, 'script style head template noframes title datalist'],
];

/** The flags of each known tag. Custom tags have none. */
export const TAG_FLAGS: Uint16Array = buildFlags();

/** The flags of a tag id, 0 for a custom name of the page. */
export function getTagFlags(tag: number): number {
  return TAG_FLAGS[tag] ?? 0;
}

/** A table with one value per known tag, from lists of names. Tags in no list get `rest`. */
export function buildTagTable<T>(rest: T, entries: readonly (readonly [string, T])[]): readonly T[] {
  const table = TAG_NAMES.map(() => rest);
  for (const [names, value] of entries) {
    for (const name of names.split(' ')) table[getTagId(name)] = value;
  }
  return table;
}

/** A table with 1 for each of the named tags. */
export function buildTagSet(names: string): Uint8Array {
  const set = new Uint8Array(MAX_TAGS);
  for (const name of names.split(' ')) set[getTagId(name)] = 1;
  return set;
}

function buildFlags(): Uint16Array {
  const flags = new Uint16Array(MAX_TAGS);
  for (const [bit, names] of FLAGS) {
    for (const name of names.split(' ')) flags[getTagId(name)] = (flags[getTagId(name)] ?? 0) | bit;
  }
  return flags;
}

function getTagId(name: string): number {
  const id = TAG_NAMES.indexOf(name);
  if (id < 0) throw new InvariantError(`unknown tag ${name}`);
  return id;
}

const TAG_TABLE = buildNameTable(TAG_NAMES);
const ATTRIBUTE_TABLE = buildNameTable(ATTRIBUTE_NAMES);

/** The id of the tag name at `source[start, end)` in any case, or -1. `hash` is its hash by `extendHash`. */
export function findTag(source: string, start: number, end: number, hash: number): number {
  return findName(TAG_TABLE, source, start, end, hash);
}

/** The id of the attribute name at `source[start, end)` in any case, or 0. */
export function findAttribute(source: string, start: number, end: number, hash: number): number {
  return Math.max(0, findName(ATTRIBUTE_TABLE, source, start, end, hash));
}

/** A fixed list of lower-case names that can be looked up without cutting them out of a source. */
type NameTable = { readonly names: readonly string[]; readonly slots: Int16Array; readonly mask: number };

/** Open addressing: the slot of a name is its hash, or the next free one. At most a quarter of the slots is used. */
function buildNameTable(names: readonly string[]): NameTable {
  const size = 2 ** Math.ceil(Math.log2(names.length * 4));
  const mask = size - 1;
  const slots = new Int16Array(size).fill(-1);
  for (const [id, name] of names.entries()) {
    let hash = 0;
    for (let at = 0; at < name.length; at++) hash = extendHash(hash, name.charCodeAt(at));
    let slot = hash & mask;
    while ((slots[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
    slots[slot] = id;
  }
  return { names, slots, mask };
}

/** The hash of a name extended by one lower-case character. The hash of an empty name is 0. */
export function extendHash(hash: number, code: number): number {
  return (hash * 31 + code) | 0;
}

/** The character code with ASCII letters in lower case. */
export function toLowerCode(code: number): number {
  return code >= 65 && code <= 90 ? code | 32 : code;
}

/** The index of the name at `source[start, end)` in any case, or -1. `hash` is its hash by {@link extendHash}. */
function findName(table: NameTable, source: string, start: number, end: number, hash: number): number {
  const { names, slots, mask } = table;
  let slot = hash & mask;
  for (;;) {
    const id = slots[slot] ?? -1;
    if (id < 0) return -1;
    const known = names[id] ?? '';
    if (known.length === end - start && isSameName(known, source, start)) return id;
    slot = (slot + 1) & mask;
  }
}

function isSameName(known: string, source: string, start: number): boolean {
  for (let at = 0; at < known.length; at++) {
    if (known.charCodeAt(at) !== toLowerCode(source.charCodeAt(start + at))) return false;
  }
  return true;
}
