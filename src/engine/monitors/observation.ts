import { isJsonObject, memberOf, setMember } from '#extract/values/json.ts';
import { cutValue } from './cutting.ts';
import { digestOf, toPlainLines } from './normal-form.ts';
import type { Cleaning } from './normal-form.ts';
import { readAs } from './reading.ts';
import { memberAt } from './comparison.ts';
import type { Shapes } from './shapes.ts';
import type { WatchContent } from './watch.ts';

/** What the reading of one field gave besides its value. */
export type FieldMeta = {
  readonly source: 'extract' | 'record';
  /** What the answer has, where that cannot be read as the field's type. */
  readonly raw?: string;
  /** ISO 4217 code of a price; null where the source names none. */
  readonly currency?: string | null;
  readonly missing?: true;
};

/** The text that a content monitor watches; a hash of null is a page without text. */
export type Content = {
  /** SHA-256, hex, of the text in its normal form. */
  readonly hash: string | null;
  /** The normal form, one line of the page a line; null above 2 MiB. */
  readonly text: string | null;
};

/** What one completed run has seen. `values` holds JSON; null is a field that the page does not have. */
export type Observation = {
  readonly values: Readonly<Record<string, unknown>>;
  readonly field_meta: Readonly<Record<string, FieldMeta>>;
  /** Null unless the watch is of the mode `content`. */
  readonly content: Content | null;
};

type Answer = Readonly<Record<string, unknown>>;

const LONGEST_TEXT = 2 * 1024 * 1024;
const LONGEST_RAW = 1000;
/** JSON that lies deeper is not looked at. */
const DEEPEST = 64;

/** What the fields of an answer are: the asked object of a Fetch with `extract`, else the members of the record. */
export function observeFields(body: Answer, shapes: Shapes, source: FieldMeta['source']): Observation {
  const record = source === 'extract' ? memberOf(body, 'json') : body;
  const unread = source === 'extract' ? memberOf(body, 'json_unread') : undefined;
  const values: Record<string, unknown> = {};
  const meta: Record<string, FieldMeta> = {};
  for (const [name, shape] of shapes) {
    const value = memberAt(record, name);
    const unreadText = memberOf(unread, name);
    const written = isNothing(value) && unreadText !== undefined ? unreadText : value;
    const held = written === value ? readAs(shape, toShallow(value)) : undefined;
    setMember(values, name, held?.value ?? null);
    setMember(meta, name, {
      source,
      ...(held === undefined ? { raw: toRaw(written) } : {}),
      ...(held?.currency === undefined ? {} : { currency: held.currency }),
      ...(held?.value === null ? { missing: true as const } : {}),
    });
  }
  return { values, field_meta: meta, content: null };
}

/** What a content watch sees in the answer of the Fetch that `toContentFetch` asks for. */
export function observeContent(body: Answer, { of }: WatchContent, clean: Cleaning): Observation {
  const written = memberOf(body, of === 'selector' ? 'text' : of);
  const text = toPlainLines(typeof written === 'string' ? written : '', clean);
  if (text === '') return { values: {}, field_meta: {}, content: { hash: null, text: null } };
  const kept = Buffer.byteLength(text) > LONGEST_TEXT ? null : text;
  return { values: {}, field_meta: {}, content: { hash: digestOf(text), text: kept } };
}

/** The members of a Fetch that bring what a content watch compares. */
export function toContentFetch({ of, selector, ignore_selectors: ignored }: WatchContent): {
  readonly output: readonly string[];
  readonly include_selectors: readonly string[];
  readonly exclude_selectors: readonly string[];
} {
  return {
    output: [of === 'selector' ? 'text' : of],
    include_selectors: selector === undefined ? [] : [selector],
    exclude_selectors: ignored,
  };
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function toRaw(value: unknown): string {
  const cut = cutValue(toShallow(value), LONGEST_RAW);
  return typeof cut === 'string' ? cut : JSON.stringify(cut);
}

/** JSON without what lies too deep to be walked through. */
function toShallow(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return '…';
  if (Array.isArray(value)) return value.map((item) => toShallow(item, depth + 1));
  const shallow: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(isJsonObject(value) ? value : {})) {
    setMember(shallow, name, toShallow(member, depth + 1));
  }
  return shallow;
}
