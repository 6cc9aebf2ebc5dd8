import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { countTokens } from './tokens.ts';

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
  const kept = countFitting(lines);
  if (kept < lines.length) sections.unshift(['more', lines.splice(kept).join('\n')]);
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
