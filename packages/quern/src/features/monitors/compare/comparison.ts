import { isJsonObject } from '#extract/values/json-object.ts';
import { getMember, setMember } from '#extract/values/json.ts';
import type { ComparedValue } from './baseline.ts';
import type { ChangeEntry } from './change-entries.ts';
import { reachesThreshold, type Threshold, computeMove } from './decimals.ts';
import { type ComparableItems, compareLists, compareMultisets, compareSets } from './list-difference.ts';
import {
  computeDigest,
  isSameTime,
  type TextCleaner,
  formatCanonicalJson,
  normalizeValue,
  normalizeText,
} from './normal-form.ts';
import type { FieldShape } from './shapes.ts';
import { getThreshold, type Watch } from './watch.ts';

/** How the values of one field are compared and differences described. Values are never null. */
export type Comparison = {
  /** Whether two values differ too little to be reported. */
  readonly isSame: (one: ComparedValue, other: ComparedValue) => boolean;
  readonly describe: (field: string, from: ComparedValue, to: ComparedValue) => readonly ChangeEntry[];
  /** Formats a value so that equal values have the same text, ignoring thresholds. */
  readonly toText: (value: unknown) => string;
};

/** How arrays of a field are compared. */
export type ArrayRule = {
  readonly compare: 'set' | 'list' | 'keyed' | 'multiset';
  readonly key: string | null;
  /** The members of rows that are compared, null for all. */
  readonly members: readonly string[] | null;
};

/**
 * Chooses the rule for an array: that of the watch, else one by its elements (keyed rows, a multiset of objects, or a
 * set of values).
 */
export function chooseArrayRule(name: string, shape: FieldShape, { array_fields: rules }: Watch): ArrayRule {
  const own = Object.hasOwn(rules, name) ? rules[name] : undefined;
  const key = own?.key ?? (shape.kind === 'rows' ? shape.key : null);
  const only = own?.fields ?? listComparedMembers(shape);
  if (own?.compare !== undefined) return { compare: own.compare, key, members: only };
  if (key !== null) return { compare: 'keyed', key, members: only };
  const ofValues = shape.kind === 'list' && shape.item !== 'any';
  return { compare: ofValues ? 'set' : 'multiset', key: null, members: only };
}

/** Lists the members of rows that are compared by default; null for all. */
function listComparedMembers(shape: FieldShape): readonly string[] | null {
  if (shape.kind !== 'rows' || shape.quiet === undefined) return null;
  const { members, quiet } = shape;
  return [...members.keys()].filter((name) => !quiet.has(name));
}

/** Builds the comparison of a field; for keyed rows, of the array as a whole. */
export function buildComparison(name: string, shape: FieldShape, watch: Watch, clean: TextCleaner): Comparison {
  if (shape.kind === 'rows' || shape.kind === 'list')
    return buildArrayComparison(shape, chooseArrayRule(name, shape, watch), clean);
  if (shape.kind === 'number' || shape.kind === 'money')
    return buildNumberComparison(getThreshold(name, watch.thresholds));
  const { kind } = shape;
  const toText = (value: unknown): string => normalizeValue(kind, value, clean);
  if (kind === 'date') {
    return {
      toText,
      describe: describeWhole,
      isSame: (one, other) => isSameTime(String(one.value), String(other.value)),
    };
  }
  const plain = { toText, describe: describeWhole, isSame: buildEquality(toText) };
  if (kind !== 'any') return plain;
  const numbers = buildNumberComparison(getThreshold(name, watch.thresholds));
  return {
    toText,
    isSame: (one, other) => (areNumbers(one, other) ? numbers : plain).isSame(one, other),
    describe: (field, from, to) => (areNumbers(from, to) ? numbers : plain).describe(field, from, to),
  };
}

/** Describes one confirmed difference as change entries. */
export function describeDifference(
  field: string,
  { from, to }: { readonly from: ComparedValue; readonly to: ComparedValue },
  comparison: Comparison,
): readonly ChangeEntry[] {
  const gone = to.value === null;
  if (!gone && from.value !== null) return comparison.describe(field, from, to);
  const currency = (gone ? from : to).currency ?? null;
  return [
    {
      field,
      previous_value: from.value,
      new_value: to.value,
      op: gone ? 'disappeared' : 'appeared',
      ...(currency === null ? {} : { currency }),
      ...(from.digest === undefined ? {} : { truncated: true as const }),
    },
  ];
}

/** Gets the member of a row by its dotted name, undefined if there is none. */
export function getMemberAt(row: unknown, name: string): unknown {
  if (isJsonObject(row) && Object.hasOwn(row, name)) return row[name];
  return name.split('.').reduce(getMember, row);
}

/** Sets the member of a row by its dotted name. Objects on the path are replaced by copies. */
export function setMemberAt(row: Record<string, unknown>, name: string, value: unknown): void {
  const [first = '', ...rest] = name.split('.');
  if (rest.length === 0) return setMember(row, first, value);
  const inner: Record<string, unknown> = { ...(isJsonObject(row[first]) ? row[first] : {}) };
  setMemberAt(inner, rest.join('.'), value);
  setMember(row, first, inner);
}

/** Formats the compared members of a row in the normal form of their kinds, so that equal rows have the same text. */
export function formatRow(row: unknown, shape: FieldShape, only: readonly string[] | null, clean: TextCleaner): string {
  const members = shape.kind === 'rows' ? shape.members : null;
  const names = only ?? (members === null ? null : [...members.keys()]);
  if (names === null || !isJsonObject(row)) return formatCanonicalJson(row, (text) => normalizeText(text, clean));
  return names
    .map((name) => {
      const kind = members?.get(name)?.kind ?? 'any';
      const value = getMemberAt(row, name) ?? null;
      return normalizeValue(kind === 'url' ? 'url' : 'any', value, clean);
    })
    .join('\n');
}

function buildNumberComparison(threshold: Threshold): Comparison {
  return {
    toText: String,
    isSame: (one, other) =>
      !haveOtherCurrencies(one, other) && !reachesThreshold(Number(one.value), Number(other.value), threshold),
    describe: describeNumbers,
  };
}

function describeNumbers(field: string, from: ComparedValue, to: ComparedValue): readonly ChangeEntry[] {
  const [before, after] = [Number(from.value), Number(to.value)];
  const entry = { field, previous_value: before, new_value: after, op: 'modified' as const };
  if (haveOtherCurrencies(from, to)) {
    return [
      entry,
      { field: `${field}.currency`, previous_value: from.currency, new_value: to.currency, op: 'modified' },
    ];
  }
  const currency = to.currency ?? from.currency ?? null;
  return [{ ...entry, diff: computeMove(before, after), ...(currency === null ? {} : { currency }) }];
}

/** Whether both prices have a currency and these differ. */
function haveOtherCurrencies(one: ComparedValue, other: ComparedValue): boolean {
  const [first, second] = [one.currency ?? null, other.currency ?? null];
  return first !== null && second !== null && first !== second;
}

function buildArrayComparison(shape: FieldShape, { compare, members }: ArrayRule, clean: TextCleaner): Comparison {
  const toItems = (value: unknown): ComparableItems =>
    (Array.isArray(value) ? value : []).map((item: unknown) => ({
      value: item,
      text:
        shape.kind === 'list' && members === null
          ? normalizeValue(shape.item, item, clean)
          : formatRow(item, shape, members, clean),
    }));
  const toText = (value: unknown): string => {
    const texts = toItems(value).map((item) => JSON.stringify(item.text));
    if (compare === 'list') return texts.join();
    return (compare === 'set' ? [...new Set(texts)] : texts).toSorted().join();
  };
  const entries = compare === 'set' ? compareSets : compare === 'list' ? compareLists : compareMultisets;
  return {
    toText,
    isSame: buildEquality(toText),
    describe(field, from, to) {
      if (from.digest !== undefined || to.digest !== undefined) return describeWhole(field, from, to);
      return entries(field, toItems(from.value), toItems(to.value));
    },
  };
}

/** Compares values by text, or by digest if a value was too large to be stored. */
function buildEquality(toText: (value: unknown) => string): Comparison['isSame'] {
  return (one, other) => {
    if (one.digest === undefined && other.digest === undefined) return toText(one.value) === toText(other.value);
    return (one.digest ?? computeDigest(toText(one.value))) === (other.digest ?? computeDigest(toText(other.value)));
  };
}

function describeWhole(field: string, from: ComparedValue, to: ComparedValue): readonly ChangeEntry[] {
  const isPart = from.digest !== undefined || to.digest !== undefined;
  return [
    {
      field,
      previous_value: from.value,
      new_value: to.value,
      op: 'modified',
      ...(isPart ? { truncated: true as const } : {}),
    },
  ];
}

function areNumbers(one: ComparedValue, other: ComparedValue): boolean {
  return [one, other].every(({ value }) => typeof value === 'number' && Number.isFinite(value));
}
