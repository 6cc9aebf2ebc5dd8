import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';

/** The kind of all values of a column that are not null; text if they differ. */
export type ColumnKind = 'boolean' | 'integer' | 'number' | 'text' | 'json';

/** A column: a member of the elements, or a member of one of their objects, such as `metadata.title`. */
export type Column = { readonly name: string; readonly path: readonly string[]; readonly kind: ColumnKind };

/** A cell; null where the element has no such member. */
export type Cell = string | number | boolean | null;

/** The most columns of a table. */
const MAX_COLUMNS = 1000;
/** An object with more members over all elements is one column of JSON, since pages choose such names. */
const MAX_OBJECT_MEMBERS = 64;

type Seen = { kind: ColumnKind | null; readonly members: Map<string, ColumnKind | null> | null };

/**
 * Finds the columns of a list in the order in which they first occur. Objects become a column for each of their members,
 * one level deep; what is deeper, and lists, are JSON. Throws `invalid_request` for more than a thousand columns.
 */
export async function findColumns(elements: AsyncIterable<JsonObject>): Promise<readonly Column[]> {
  const seen = new Map<string, Seen>();
  for await (const element of elements) {
    for (const [name, value] of Object.entries(element)) {
      const before = seen.get(name) ?? { kind: null, members: new Map<string, ColumnKind | null>() };
      seen.set(name, note(before, value));
    }
    if (seen.size > MAX_COLUMNS) throw createTooManyError();
  }
  const columns = [...seen].flatMap(([name, { kind, members }]): readonly Column[] => {
    if (members === null || members.size === 0) return [{ name, path: [name], kind: kind ?? 'text' }];
    return [...members].map(([member, one]) => ({
      name: `${name}.${member}`,
      path: [name, member],
      kind: one ?? 'text',
    }));
  });
  if (columns.length > MAX_COLUMNS) throw createTooManyError();
  return makeUnique(columns);
}

/** Adds a value to what is known of a member. Its `members` are null once it has other values than objects, or too many. */
function note(before: Seen, value: unknown): Seen {
  if (value === null || value === undefined) return before;
  if (before.members === null || !isJsonObject(value)) {
    const isMixed = before.members !== null && before.members.size > 0;
    return { kind: isMixed ? 'json' : joinKinds(before.kind, getKind(value)), members: null };
  }
  for (const [name, member] of Object.entries(value)) {
    const kind = before.members.get(name) ?? null;
    before.members.set(name, member === null || member === undefined ? kind : joinKinds(kind, getKind(member)));
  }
  return before.members.size > MAX_OBJECT_MEMBERS ? { kind: 'json', members: null } : before;
}

function getKind(value: unknown): ColumnKind {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number';
  return typeof value === 'string' ? 'text' : 'json';
}

function joinKinds(one: ColumnKind | null, other: ColumnKind): ColumnKind {
  if (one === null || one === other) return other;
  const kinds: readonly ColumnKind[] = [one, other];
  if (kinds.every((kind) => kind === 'integer' || kind === 'number')) return 'number';
  return 'text';
}

/** A member with a dot in its name may look like a member of an object. */
function makeUnique(columns: readonly Column[]): readonly Column[] {
  const taken = new Set<string>();
  return columns.map((column) => {
    let { name } = column;
    while (taken.has(name)) name += '_';
    taken.add(name);
    return { ...column, name };
  });
}

function createTooManyError(): ServiceError {
  return new ServiceError('invalid_request', `format: the result has more than ${MAX_COLUMNS} columns; use jsonl`);
}

/** Reads the cell of an element. Values of columns of text and JSON are texts. */
export function readCell(element: JsonObject, { path, kind }: Column): Cell {
  let value: unknown = element;
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : null;
  if (value === null || value === undefined) return null;
  if (kind === 'text' && typeof value === 'string') return value.toWellFormed();
  if (kind === 'text' || kind === 'json') return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
