import { isJsonObject, setMember } from '#extract/values/json.ts';
import type { FieldBaseline, RowBaseline } from './baseline.ts';
import type { ChangeEntry } from './change.ts';
import { describeStep, memberAt, rowText, toComparison } from './comparison.ts';
import type { ArrayRule, Comparison } from './comparison.ts';
import { sizeOf } from './cutting.ts';
import { digestOf, toPlain } from './normal-form.ts';
import type { Cleaning } from './normal-form.ts';
import { readAs } from './reading.ts';
import { settle } from './settle.ts';
import type { Shape } from './shapes.ts';
import type { Watch } from './watch.ts';

type RowBaselines = Readonly<Record<string, RowBaseline>>;

/** The rows of one array, and how they are compared. */
export type RowsCall = {
  readonly name: string;
  readonly shape: Shape;
  readonly rule: ArrayRule;
  readonly watch: Watch;
  readonly clean: Cleaning;
};

/** Where the rows of an array stand after a run; `unreported` as for single fields. */
export type SettledRows = {
  readonly next: RowBaselines;
  readonly unreported: RowBaselines;
  readonly entries: readonly ChangeEntry[];
  /** Keys that more than one row has; the last of these rows counts. */
  readonly repeated: readonly string[];
};

/** A row by what tells it from others; rows without a key by what is in them. */
type Identity = { /** Of the baseline. */ readonly id: string; readonly key: string | null; readonly path: string };

type Row = Identity & { readonly row: unknown };

/** Characters of JSON that the baselines of all rows may have, and what one costs besides its value. */
const MOST_SIZE = 1024 * 1024;
const BASELINE_SIZE = 24;
const LONGEST_KEY = 200;
const HASH_LENGTH = 16;

/** Takes rows that are told apart by a key one run further, member by member, so that each has its own baseline. */
export class RowComparison {
  readonly #call: RowsCall;
  readonly #comparisons = new Map<string, Comparison>();

  constructor(call: RowsCall) {
    this.#call = call;
  }

  /** What the next run compares with, of rows seen for the first time. */
  start(rows: readonly unknown[]): RowBaselines {
    return toRecord(rows.map((row) => [this.#identityOf(row).id, { fields: this.#fieldsOf(row) }]));
  }

  settle(known: RowBaselines, rows: readonly unknown[]): SettledRows {
    const next: [string, RowBaseline][] = [];
    const unreported: [string, RowBaseline][] = [];
    const entries: ChangeEntry[] = [];
    const found = rows.map((row): Row => ({ ...this.#identityOf(row), row }));
    // One row for each identity, in the order of first sight.
    const now = new Map(found.map((row) => [row.id, row]));
    for (const one of now.values()) {
      const before = Object.hasOwn(known, one.id) ? known[one.id] : undefined;
      const step =
        before === undefined || before.pending?.is === 'new' ? this.#come(before, one) : this.#stay(before, one);
      next.push([one.id, step.next]);
      unreported.push([one.id, step.unreported]);
      entries.push(...step.entries);
    }
    for (const [id, before] of Object.entries(known)) {
      if (now.has(id) || before.pending?.is === 'new') continue;
      const step = this.#go(id, before);
      if (step.next !== null) next.push([id, step.next]);
      if (step.unreported !== null) unreported.push([id, step.unreported]);
      entries.push(...step.entries);
    }
    return { next: toRecord(next), unreported: toRecord(unreported), entries, repeated: repeatedKeys(found) };
  }

  /** Whether so many rows can each have a baseline. */
  fits(rows: readonly unknown[]): boolean {
    const members = rows.reduce<number>((sum, row) => sum + this.#membersOf(row).length + 1, 0);
    return sizeOf(rows) + members * BASELINE_SIZE <= MOST_SIZE;
  }

  /** The rows again, as they were when their baselines were taken. */
  rebuild(rows: RowBaselines): readonly unknown[] {
    const known = Object.entries(rows).filter(([, { pending }]) => pending?.is !== 'new');
    return known.map(([id, { fields }]) => this.#rowOf(id, fields));
  }

  #come(before: RowBaseline | undefined, { key, path, row }: Row) {
    const fields = this.#fieldsOf(row);
    const count = (before?.pending?.count ?? 0) + 1;
    const waiting: RowBaseline = { fields, pending: { is: 'new', count } };
    if (count < this.#call.watch.confirm_runs) return { next: waiting, unreported: waiting, entries: [] };
    const entry = { field: path, previous_value: null, new_value: row, op: 'added' as const, ...keyOf(key) };
    return { next: { fields }, unreported: this.#follows() ? { fields } : waiting, entries: [entry] };
  }

  #go(id: string, { fields, pending }: RowBaseline) {
    const count = (pending?.count ?? 0) + 1;
    const waiting: RowBaseline = { fields, pending: { is: 'gone', count } };
    if (count < this.#call.watch.confirm_runs) return { next: waiting, unreported: waiting, entries: [] };
    const key = id.startsWith('k:') ? id.slice(2) : null;
    const path = this.#pathOf(key, id);
    const entry = {
      field: path,
      previous_value: this.#rowOf(id, fields),
      new_value: null,
      op: 'removed' as const,
      ...keyOf(key),
    };
    return { next: null, unreported: this.#follows() ? null : waiting, entries: [entry] };
  }

  #stay(before: RowBaseline, { key, path, row }: Row) {
    const entries: ChangeEntry[] = [];
    const next: [string, FieldBaseline][] = [];
    const unreported: [string, FieldBaseline][] = [];
    for (const [name, shape] of this.#membersOf(row)) {
      const known = Object.hasOwn(before.fields, name) ? before.fields[name] : undefined;
      const seen = readAs(shape, memberAt(row, name));
      const comparison = this.#comparison(name, shape);
      const settled =
        known === undefined || seen === undefined
          ? still(known ?? { held: seen ?? { value: null } })
          : settle(known, seen, comparison.isSame, this.#call.watch);
      next.push([name, settled.next]);
      unreported.push([name, settled.unreported]);
      if (settled.passed === null) continue;
      const said = describeStep(`${path}.${name}`, settled.passed, comparison);
      entries.push(...said.map((entry) => ({ ...entry, ...keyOf(key) })));
    }
    return { next: { fields: toRecord(next) }, unreported: { fields: toRecord(unreported) }, entries };
  }

  /** A row again from its members and its key, prices with their currency. */
  #rowOf(id: string, fields: RowBaseline['fields']): unknown {
    const { rule } = this.#call;
    const row: Record<string, unknown> = {};
    if (rule.key !== null && id.startsWith('k:')) setAt(row, rule.key, id.slice(2));
    for (const [name, { held }] of Object.entries(fields)) {
      setAt(row, name, held.currency === undefined ? held.value : { amount: held.value, currency: held.currency });
    }
    return row;
  }

  #follows(): boolean {
    return this.#call.watch.baseline === 'previous_run';
  }

  #fieldsOf(row: unknown): Readonly<Record<string, FieldBaseline>> {
    return toRecord(
      this.#membersOf(row).map(([name, shape]) => [
        name,
        { held: readAs(shape, memberAt(row, name)) ?? { value: null } },
      ]),
    );
  }

  #membersOf(row: unknown): readonly (readonly [string, Shape])[] {
    const { shape, rule } = this.#call;
    const known: readonly (readonly [string, Shape])[] =
      shape.kind === 'rows'
        ? [...shape.members]
        : Object.keys(isJsonObject(row) ? row : {}).map((name) => [name, { kind: 'any' }] as const);
    return rule.only === null ? known : known.filter(([name]) => rule.only?.includes(name));
  }

  #comparison(member: string, shape: Shape): Comparison {
    const { name, watch, clean } = this.#call;
    const comparison = this.#comparisons.get(member) ?? toComparison(`${name}.${member}`, shape, watch, clean);
    this.#comparisons.set(member, comparison);
    return comparison;
  }

  #identityOf(row: unknown): Identity {
    const { rule, shape, clean } = this.#call;
    const value = rule.key === null ? undefined : memberAt(row, rule.key);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      const key = shorten(toPlain(String(value), (text) => text));
      if (key !== '') return { id: `k:${key}`, key, path: this.#pathOf(key, '') };
    }
    const id = `h:${digestOf(rowText(row, shape, rule.only, clean)).slice(0, HASH_LENGTH)}`;
    return { id, key: null, path: this.#pathOf(null, id) };
  }

  #pathOf(key: string | null, id: string): string {
    const { name } = this.#call;
    if (key === null) return `${name}[hash=${id.slice(2)}]`;
    return `${name}[key=${key.replaceAll(/[\\\]]/g, String.raw`\$&`)}]`;
  }
}

function still(field: FieldBaseline): ReturnType<typeof settle> {
  return { next: field, unreported: field, passed: null };
}

function repeatedKeys(rows: readonly Identity[]): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { id, key } of rows) {
    if (key !== null && seen.has(id)) repeated.add(key);
    seen.add(id);
  }
  return [...repeated];
}

function keyOf(key: string | null): { readonly key?: string } {
  return key === null ? {} : { key };
}

/** A key that is too long is known by its beginning and a digest. */
function shorten(key: string): string {
  if (key.length <= LONGEST_KEY) return key;
  return `${key.slice(0, LONGEST_KEY - HASH_LENGTH).toWellFormed()}…${digestOf(key).slice(0, HASH_LENGTH)}`;
}

/** Sets a member by its dotted name. */
function setAt(row: Record<string, unknown>, name: string, value: unknown): void {
  const [first = '', ...rest] = name.split('.');
  if (rest.length === 0) return setMember(row, first, value);
  const inner: Record<string, unknown> = { ...(isJsonObject(row[first]) ? row[first] : {}) };
  setAt(inner, rest.join('.'), value);
  setMember(row, first, inner);
}

function toRecord<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries);
}
