import { isJsonObject } from '#extract/values/json-object.ts';
import { type FieldBaseline, type RowBaseline, advanceBaseline, buildUnchanged } from './baseline.ts';
import { type ChangeEntry, countJsonChars } from './change-entries.ts';
import {
  type ArrayRule,
  type Comparison,
  describeDifference,
  getMemberAt,
  formatRow,
  setMemberAt,
  buildComparison,
} from './comparison.ts';
import { computeDigest, type TextCleaner, normalizeText, readValue } from './normal-form.ts';
import type { FieldShape } from './shapes.ts';
import type { Watch } from './watch.ts';

type RowBaselines = Readonly<Record<string, RowBaseline>>;

/** An array field, and how its rows are compared. */
export type RowComparisonOptions = {
  readonly name: string;
  readonly shape: FieldShape;
  readonly rule: ArrayRule;
  readonly watch: Watch;
  readonly clean: TextCleaner;
};

/** The baselines of rows after a run. `unreported` is as in `AdvancedBaseline`. */
export type AdvancedRows = {
  readonly next: RowBaselines;
  readonly unreported: RowBaselines;
  readonly entries: readonly ChangeEntry[];
  /** Keys that several rows have; the last row counts. */
  readonly repeated: readonly string[];
};

/** The identity of a row: its key, or a hash of its content. */
type Identity = { /** Key of its baseline. */ readonly id: string; readonly key: string | null; readonly path: string };

type IdentifiedRow = Identity & { readonly row: unknown };

/** Maximum JSON size of all row baselines, and the overhead of one. */
const MAX_BASELINES_CHARS = 1024 * 1024;
const BASELINE_OVERHEAD_CHARS = 24;
const MAX_KEY_LENGTH = 200;
const HASH_LENGTH = 16;

/** Compares rows by key, with a baseline for each member of each row. */
export class RowComparison {
  readonly #options: RowComparisonOptions;
  readonly #comparisons = new Map<string, Comparison>();

  constructor(options: RowComparisonOptions) {
    this.#options = options;
  }

  /** Builds the first baselines of rows. */
  startBaselines(rows: readonly unknown[]): RowBaselines {
    return toObject(rows.map((row) => [this.#identify(row).id, { fields: this.#readFields(row) }]));
  }

  advance(known: RowBaselines, rows: readonly unknown[]): AdvancedRows {
    const next: [string, RowBaseline][] = [];
    const unreported: [string, RowBaseline][] = [];
    const entries: ChangeEntry[] = [];
    const identified = rows.map((row): IdentifiedRow => ({ ...this.#identify(row), row }));
    // One row per identity, in order of first occurrence.
    const now = new Map(identified.map((row) => [row.id, row]));
    for (const identifiedRow of now.values()) {
      const before = Object.hasOwn(known, identifiedRow.id) ? known[identifiedRow.id] : undefined;
      const advanced =
        before === undefined || before.pending?.is === 'new'
          ? this.#appear(before, identifiedRow)
          : this.#continue(before, identifiedRow);
      next.push([identifiedRow.id, advanced.next]);
      unreported.push([identifiedRow.id, advanced.unreported]);
      entries.push(...advanced.entries);
    }
    for (const [id, before] of Object.entries(known)) {
      if (now.has(id) || before.pending?.is === 'new') continue;
      const advanced = this.#disappear(id, before);
      if (advanced.next !== null) next.push([id, advanced.next]);
      if (advanced.unreported !== null) unreported.push([id, advanced.unreported]);
      entries.push(...advanced.entries);
    }
    return { next: toObject(next), unreported: toObject(unreported), entries, repeated: findRepeatedKeys(identified) };
  }

  /** Whether rows are few enough to have a baseline each. */
  fits(rows: readonly unknown[]): boolean {
    const members = rows.reduce<number>((sum, row) => sum + this.#listMembers(row).length + 1, 0);
    return countJsonChars(rows) + members * BASELINE_OVERHEAD_CHARS <= MAX_BASELINES_CHARS;
  }

  /** Keeps the last row of each key, in order of first occurrence. */
  keepLastPerKey(rows: readonly unknown[]): readonly unknown[] {
    return [...new Map(rows.map((row) => [this.#identify(row).id, row])).values()];
  }

  /** Rebuilds the rows from their baselines. */
  rebuildRows(rows: RowBaselines): readonly unknown[] {
    const known = Object.entries(rows).filter(([, { pending }]) => pending?.is !== 'new');
    return known.map(([id, { fields }]) => this.#rebuildRow(id, fields));
  }

  #appear(before: RowBaseline | undefined, { key, path, row }: IdentifiedRow) {
    const fields = this.#readFields(row);
    const count = (before?.pending?.count ?? 0) + 1;
    const waiting: RowBaseline = { fields, pending: { is: 'new', count } };
    if (count < this.#options.watch.confirm_runs) return { next: waiting, unreported: waiting, entries: [] };
    const entry = { field: path, previous_value: null, new_value: row, op: 'added' as const, ...toKeyMember(key) };
    return { next: { fields }, unreported: this.#comparesWithPreviousRun() ? { fields } : waiting, entries: [entry] };
  }

  #disappear(id: string, { fields, pending }: RowBaseline) {
    const count = (pending?.count ?? 0) + 1;
    const waiting: RowBaseline = { fields, pending: { is: 'gone', count } };
    if (count < this.#options.watch.confirm_runs) return { next: waiting, unreported: waiting, entries: [] };
    const key = id.startsWith('k:') ? id.slice(2) : null;
    const path = this.#formatPath(key, id);
    const entry = {
      field: path,
      previous_value: this.#rebuildRow(id, fields),
      new_value: null,
      op: 'removed' as const,
      ...toKeyMember(key),
    };
    return { next: null, unreported: this.#comparesWithPreviousRun() ? null : waiting, entries: [entry] };
  }

  #continue(before: RowBaseline, { key, path, row }: IdentifiedRow) {
    const entries: ChangeEntry[] = [];
    const next: [string, FieldBaseline][] = [];
    const unreported: [string, FieldBaseline][] = [];
    for (const [name, shape] of this.#listMembers(row)) {
      const known = Object.hasOwn(before.fields, name) ? before.fields[name] : undefined;
      const seen = readValue(shape, getMemberAt(row, name));
      const comparison = this.#getComparison(name, shape);
      const advanced =
        known === undefined || seen === undefined
          ? buildUnchanged(known ?? { held: seen ?? { value: null } })
          : advanceBaseline(known, seen, comparison.isSame, this.#options.watch);
      next.push([name, advanced.next]);
      unreported.push([name, advanced.unreported]);
      if (advanced.confirmed === null) continue;
      const entriesOfMember = describeDifference(`${path}.${name}`, advanced.confirmed, comparison);
      entries.push(...entriesOfMember.map((entry) => ({ ...entry, ...toKeyMember(key) })));
    }
    return { next: { fields: toObject(next) }, unreported: { fields: toObject(unreported) }, entries };
  }

  /** Rebuilds a row from its member baselines and its key, prices with their currency. */
  #rebuildRow(id: string, fields: RowBaseline['fields']): unknown {
    const { rule } = this.#options;
    const row: Record<string, unknown> = {};
    if (rule.key !== null && id.startsWith('k:')) setMemberAt(row, rule.key, id.slice(2));
    for (const [name, { held: confirmed }] of Object.entries(fields)) {
      setMemberAt(
        row,
        name,
        confirmed.currency === undefined ? confirmed.value : { amount: confirmed.value, currency: confirmed.currency },
      );
    }
    return row;
  }

  #comparesWithPreviousRun(): boolean {
    return this.#options.watch.baseline === 'previous_run';
  }

  #readFields(row: unknown): Readonly<Record<string, FieldBaseline>> {
    return toObject(
      this.#listMembers(row).map(([name, shape]) => [
        name,
        { held: readValue(shape, getMemberAt(row, name)) ?? { value: null } },
      ]),
    );
  }

  #listMembers(row: unknown): readonly (readonly [string, FieldShape])[] {
    const { shape, rule } = this.#options;
    const known: readonly (readonly [string, FieldShape])[] =
      shape.kind === 'rows'
        ? [...shape.members]
        : Object.keys(isJsonObject(row) ? row : {}).map((name) => [name, { kind: 'any' }] as const);
    return rule.members === null ? known : known.filter(([name]) => rule.members?.includes(name));
  }

  #getComparison(member: string, shape: FieldShape): Comparison {
    const { name, watch, clean } = this.#options;
    const comparison = this.#comparisons.get(member) ?? buildComparison(`${name}.${member}`, shape, watch, clean);
    this.#comparisons.set(member, comparison);
    return comparison;
  }

  #identify(row: unknown): Identity {
    const { rule, shape, clean } = this.#options;
    const value = rule.key === null ? undefined : getMemberAt(row, rule.key);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      const key = shortenKey(normalizeText(String(value), (text) => text));
      if (key !== '') return { id: `k:${key}`, key, path: this.#formatPath(key, '') };
    }
    const id = `h:${computeDigest(formatRow(row, shape, rule.members, clean)).slice(0, HASH_LENGTH)}`;
    return { id, key: null, path: this.#formatPath(null, id) };
  }

  #formatPath(key: string | null, id: string): string {
    const { name } = this.#options;
    if (key === null) return `${name}[hash=${id.slice(2)}]`;
    return `${name}[key=${key.replaceAll(/[\\\]]/g, String.raw`\$&`)}]`;
  }
}

function findRepeatedKeys(rows: readonly Identity[]): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { id, key } of rows) {
    if (key !== null && seen.has(id)) repeated.add(key);
    seen.add(id);
  }
  return [...repeated];
}

function toKeyMember(key: string | null): { readonly key?: string } {
  return key === null ? {} : { key };
}

/** Shortens a long key to its beginning and a digest. */
function shortenKey(key: string): string {
  if (key.length <= MAX_KEY_LENGTH) return key;
  return `${key.slice(0, MAX_KEY_LENGTH - HASH_LENGTH).toWellFormed()}…${computeDigest(key).slice(0, HASH_LENGTH)}`;
}

function toObject<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries);
}
