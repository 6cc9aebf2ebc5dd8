import { diffArrays } from 'diff';
import type { ChangeEntry } from './change-entries.ts';

/** Elements of an array, each with a text that is the same for equal elements. */
export type ComparableItems = readonly { readonly value: unknown; readonly text: string }[];

/** Maximum number of insertions and deletions for which lists are aligned. Beyond that, order is ignored. */
const MAX_EDITS = 500;

/** Computes the set difference of two arrays as one entry; none if they are equal. */
export function compareSets(field: string, before: ComparableItems, after: ComparableItems): readonly ChangeEntry[] {
  const removed = subtractItems(removeDuplicates(before), after);
  const added = subtractItems(removeDuplicates(after), before);
  if (removed.length === 0 && added.length === 0) return [];
  return [
    {
      field,
      previous_value: { removed: removed.map(({ value }) => value) },
      new_value: { added: added.map(({ value }) => value) },
      op: 'modified',
    },
  ];
}

/** Computes the multiset difference of two arrays: equal elements are counted, order is ignored. */
export function compareMultisets(
  field: string,
  before: ComparableItems,
  after: ComparableItems,
): readonly ChangeEntry[] {
  const { onlyBefore, onlyAfter } = findUnpaired(before, after);
  return [
    ...onlyBefore.map(({ value }) => buildRemovedEntry(field, value)),
    ...onlyAfter.map(({ value }) => buildAddedEntry(field, value)),
  ];
}

/**
 * Computes the added, removed, modified and moved elements of a list by a longest common subsequence (Myers). Removed
 * elements have the index of the earlier list, all others that of the later one.
 */
export function compareLists(field: string, before: ComparableItems, after: ComparableItems): readonly ChangeEntry[] {
  const parts = diffArrays([...before], [...after], {
    comparator: (one, other) => one.text === other.text,
    maxEditLength: MAX_EDITS,
  });
  if (parts === undefined) return compareMultisets(field, before, after);
  const removed: UnsharedItem[] = [];
  const added: UnsharedItem[] = [];
  let [at, to] = [0, 0];
  let block = 0;
  for (const part of parts) {
    for (const [offset, item] of part.value.entries()) {
      if (part.removed) removed.push({ ...item, index: at + offset, block });
      else if (part.added) added.push({ ...item, index: to + offset, block });
    }
    if (!part.added) at += part.value.length;
    if (!part.removed) to += part.value.length;
    if (!part.added && !part.removed) block += 1;
  }
  return describeItems(field, removed, added);
}

/** An element that only one list has. Elements between the same shared elements form a block. */
type UnsharedItem = ComparableItems[number] & { readonly index: number; readonly block: number };

function describeItems(
  field: string,
  removed: readonly UnsharedItem[],
  added: readonly UnsharedItem[],
): readonly ChangeEntry[] {
  const moves = pairUp(removed, added, ({ text }) => text);
  const left = filterUnmatched(removed, added, moves);
  const swaps = pairUp(left.removed, left.added, ({ block }) => block);
  const rest = filterUnmatched(left.removed, left.added, swaps);
  return [
    ...moves.map(([from, to]) => ({
      field: `${field}[${to.index}]`,
      previous_value: { index: from.index, value: from.value },
      new_value: { index: to.index, value: to.value },
      op: 'reordered' as const,
    })),
    ...swaps.map(([from, to]) => ({
      field: `${field}[${to.index}]`,
      previous_value: from.value,
      new_value: to.value,
      op: 'modified' as const,
    })),
    ...rest.removed.map(({ index, value }) => buildRemovedEntry(`${field}[${index}]`, value)),
    ...rest.added.map(({ index, value }) => buildAddedEntry(`${field}[${index}]`, value)),
  ];
}

/** Pairs removed and added elements of the same kind, in order. */
function pairUp(
  removed: readonly UnsharedItem[],
  added: readonly UnsharedItem[],
  getKind: (item: UnsharedItem) => string | number,
): readonly (readonly [UnsharedItem, UnsharedItem])[] {
  const waiting = Map.groupBy(removed, getKind);
  const taken = new Map<string | number, number>();
  return added.flatMap((to) => {
    const kind = getKind(to);
    const count = taken.get(kind) ?? 0;
    const from = waiting.get(kind)?.[count];
    if (from === undefined) return [];
    taken.set(kind, count + 1);
    return [[from, to] as const];
  });
}

function filterUnmatched(
  removed: readonly UnsharedItem[],
  added: readonly UnsharedItem[],
  pairs: readonly (readonly [UnsharedItem, UnsharedItem])[],
): { readonly removed: readonly UnsharedItem[]; readonly added: readonly UnsharedItem[] } {
  const paired = new Set(pairs.flat());
  return {
    removed: removed.filter((place) => !paired.has(place)),
    added: added.filter((place) => !paired.has(place)),
  };
}

function findUnpaired(
  before: ComparableItems,
  after: ComparableItems,
): { readonly onlyBefore: ComparableItems; readonly onlyAfter: ComparableItems } {
  const counts = new Map<string, number>();
  for (const { text } of after) counts.set(text, (counts.get(text) ?? 0) + 1);
  const onlyBefore = before.filter(({ text }) => {
    const left = counts.get(text) ?? 0;
    if (left > 0) counts.set(text, left - 1);
    return left === 0;
  });
  const onlyAfter = after.toReversed().filter(({ text }) => {
    const left = counts.get(text) ?? 0;
    if (left > 0) counts.set(text, left - 1);
    return left > 0;
  });
  return { onlyBefore, onlyAfter: onlyAfter.toReversed() };
}

function removeDuplicates(items: ComparableItems): ComparableItems {
  return [...new Map(items.map((item) => [item.text, item])).values()];
}

function subtractItems(items: ComparableItems, others: ComparableItems): ComparableItems {
  const texts = new Set(others.map(({ text }) => text));
  return items.filter(({ text }) => !texts.has(text));
}

function buildRemovedEntry(field: string, value: unknown): ChangeEntry {
  return { field, previous_value: value, new_value: null, op: 'removed' };
}

function buildAddedEntry(field: string, value: unknown): ChangeEntry {
  return { field, previous_value: null, new_value: value, op: 'added' };
}
