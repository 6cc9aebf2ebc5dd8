import { diffArrays } from 'diff';
import type { ChangeEntry } from './change.ts';

/** Elements of an array, each with the text by which it equals others. */
export type Items = readonly { readonly value: unknown; readonly text: string }[];

/** Insertions and deletions up to which lists are aligned; beyond, they are compared without regard to order. */
const MOST_EDITS = 500;

/** What two arrays do not share, repeats and order aside: one entry, nothing where they are equal. */
export function compareSets(field: string, before: Items, after: Items): readonly ChangeEntry[] {
  const removed = without(distinct(before), after);
  const added = without(distinct(after), before);
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

/** The elements that came and went, order aside; of equal ones as many as came or went. */
export function compareMultisets(field: string, before: Items, after: Items): readonly ChangeEntry[] {
  const { onlyBefore, onlyAfter } = unpaired(before, after);
  return [
    ...onlyBefore.map(({ value }) => toRemoved(field, value)),
    ...onlyAfter.map(({ value }) => toAdded(field, value)),
  ];
}

/**
 * What came, went, stands changed in the same place, or has moved, by a longest common subsequence (Myers). Indexes of
 * removed elements are those of the earlier list, all others those of the later one.
 */
export function compareLists(field: string, before: Items, after: Items): readonly ChangeEntry[] {
  const parts = diffArrays([...before], [...after], {
    comparator: (one, other) => one.text === other.text,
    maxEditLength: MOST_EDITS,
  });
  if (parts === undefined) return compareMultisets(field, before, after);
  const removed: Place[] = [];
  const added: Place[] = [];
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
  return describe(field, removed, added);
}

/** An element that is not in both lists; those between the same shared ones are of one block. */
type Place = Items[number] & { readonly index: number; readonly block: number };

function describe(field: string, removed: readonly Place[], added: readonly Place[]): readonly ChangeEntry[] {
  const moves = pairUp(removed, added, ({ text }) => text);
  const left = unmatched(removed, added, moves);
  const swaps = pairUp(left.removed, left.added, ({ block }) => block);
  const rest = unmatched(left.removed, left.added, swaps);
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
    ...rest.removed.map(({ index, value }) => toRemoved(`${field}[${index}]`, value)),
    ...rest.added.map(({ index, value }) => toAdded(`${field}[${index}]`, value)),
  ];
}

/** Removed and added elements of one kind, in order, two by two. */
function pairUp(
  removed: readonly Place[],
  added: readonly Place[],
  kindOf: (place: Place) => string | number,
): readonly (readonly [Place, Place])[] {
  const waiting = Map.groupBy(removed, kindOf);
  const taken = new Map<string | number, number>();
  return added.flatMap((to) => {
    const kind = kindOf(to);
    const count = taken.get(kind) ?? 0;
    const from = waiting.get(kind)?.[count];
    if (from === undefined) return [];
    taken.set(kind, count + 1);
    return [[from, to] as const];
  });
}

function unmatched(
  removed: readonly Place[],
  added: readonly Place[],
  pairs: readonly (readonly [Place, Place])[],
): { readonly removed: readonly Place[]; readonly added: readonly Place[] } {
  const paired = new Set(pairs.flat());
  return {
    removed: removed.filter((place) => !paired.has(place)),
    added: added.filter((place) => !paired.has(place)),
  };
}

function unpaired(before: Items, after: Items): { readonly onlyBefore: Items; readonly onlyAfter: Items } {
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

function distinct(items: Items): Items {
  return [...new Map(items.map((item) => [item.text, item])).values()];
}

function without(items: Items, others: Items): Items {
  const texts = new Set(others.map(({ text }) => text));
  return items.filter(({ text }) => !texts.has(text));
}

function toRemoved(field: string, value: unknown): ChangeEntry {
  return { field, previous_value: value, new_value: null, op: 'removed' };
}

function toAdded(field: string, value: unknown): ChangeEntry {
  return { field, previous_value: null, new_value: value, op: 'added' };
}
