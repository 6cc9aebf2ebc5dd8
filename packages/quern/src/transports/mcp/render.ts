import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';

/** Longer texts and lists get a section of their own. */
const MAX_LINE_CHARS = 300;
/** Longer objects (as JSON) get a section of their own. */
const MAX_OBJECT_CHARS = 1500;

/** Maximum tokens of all lines; further lines become a section. */
const MAX_LINES_TOKENS = 800;

/** A file that an answer references. */
export type NamedFile = {
  readonly name: string;
  readonly id: string;
  readonly type: string;
  readonly bytes: number;
};

/** An answer as text: short members as lines, others as sections, which may be cut, and the referenced files. */
export type RenderedAnswer = {
  readonly lines: readonly string[];
  readonly sections: string;
  readonly files: readonly NamedFile[];
};

/** Renders an answer as text; members without a value are left out. */
export function renderAnswer(shown: JsonObject): RenderedAnswer {
  const lines: string[] = [];
  const sections: [string, string][] = [];
  for (const [name, value] of Object.entries(shown).flatMap(listEntries)) {
    if (isEmptyValue(value) || readFileReference(name, value) !== null) continue;
    const text = formatValue(value);
    const isLong = text.includes('\n') || text.length > (isJsonObject(value) ? MAX_OBJECT_CHARS : MAX_LINE_CHARS);
    if (isLong) sections.push([name, text]);
    else lines.push(`${name}: ${text}`);
  }
  const fitting = countFitting(lines);
  if (fitting < lines.length) sections.unshift(['more', lines.splice(fitting).join('\n')]);
  const [first] = sections;
  const isOne = sections.length === 1 && first !== undefined && typeof shown[first[0]] === 'string';
  return {
    lines,
    sections: isOne ? first[1] : sections.map(([name, text]) => `## ${name}\n\n${text}`).join('\n\n'),
    files: [...findFiles('file', shown)],
  };
}

/** Counts the lines that fit before the sections; these are never cut. */
function countFitting(lines: readonly string[]): number {
  let tokens = 0;
  const over = lines.findIndex((line) => (tokens += countTokens(line) + 1) > MAX_LINES_TOKENS);
  return over === -1 ? lines.length : over;
}

/** Expands an object that contains multi-line texts or files into its members, since its JSON would be hard to read. */
function listEntries([name, value]: readonly [string, unknown]): readonly (readonly [string, unknown])[] {
  if (!isJsonObject(value) || readFileReference(name, value) !== null) return [[name, value]];
  const members = Object.entries(value);
  const isOpened = members.some(
    ([inner, one]) => (typeof one === 'string' && one.includes('\n')) || readFileReference(inner, one) !== null,
  );
  return isOpened ? members.map(([inner, one]) => [`${name}.${inner}`, one] as const) : [[name, value]];
}

function isEmptyValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '';
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return formatJson(value);
  return value.map((one: unknown) => (typeof one === 'string' ? one : formatJson(one))).join('\n');
}

/** Formats JSON without null members. */
function formatJson(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) =>
    isJsonObject(one) ? Object.fromEntries(Object.entries(one).filter(([, member]) => member !== null)) : one,
  );
}

/** Finds file references at any depth. */
function* findFiles(name: string, value: unknown): Generator<NamedFile> {
  const file = readFileReference(name, value);
  if (file !== null) yield file;
  else if (Array.isArray(value)) for (const one of value) yield* findFiles(name, one);
  else if (isJsonObject(value)) for (const [inner, one] of Object.entries(value)) yield* findFiles(inner, one);
}

function readFileReference(name: string, value: unknown): NamedFile | null {
  if (!isJsonObject(value)) return null;
  const { id, content_type: type, bytes } = value;
  const isFile = typeof id === 'string' && typeof type === 'string' && typeof bytes === 'number';
  return isFile ? { name, id, type, bytes } : null;
}

/** Maximum tokens of one answer, unless the caller sets `max_tokens`. */
export const MAX_TOKENS = 8000;

/** ASCII characters per token. Current tokenizers reach 3.5 to 4.5, so counts err high. */
const ASCII_CHARS_PER_TOKEN = 3.2;

/** Estimates the tokens of a text, erring high: 3.2 ASCII characters are one token, every other character is one. */
export function countTokens(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) others += 1;
  return Math.ceil((text.length - others) / ASCII_CHARS_PER_TOKEN + others);
}

/** Returns the part of a text from `offset` that fits `tokens`; `next` is the offset of the rest, null at the end. */
export function sliceTokens(
  text: string,
  offset: number,
  tokens: number,
): { readonly part: string; readonly next: number | null } {
  let left = tokens;
  let end = offset;
  while (end < text.length) {
    left -= text.charCodeAt(end) > 127 ? 1 : 1 / ASCII_CHARS_PER_TOKEN;
    if (left < 0) break;
    end += 1;
  }
  if (end >= text.length) return { part: text.slice(offset), next: null };
  const cut = findBreak(text, offset, Math.max(end, offset + 1));
  return { part: text.slice(offset, cut), next: cut };
}

/** Finds a position to cut: the end of a paragraph, or else of a line, in the last third of the part; else between two characters. */
function findBreak(text: string, from: number, end: number): number {
  const least = from + ((end - from) * 2) / 3;
  for (const mark of ['\n\n', '\n']) {
    const at = text.lastIndexOf(mark, end - mark.length);
    if (at >= least) return at + mark.length;
  }
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end - 1 > from;
  return isSplit ? end - 1 : end;
}
