import { hashStep, lower } from '#extract/html/name-table.ts';
import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import type { Tree } from '#extract/html/tree.ts';

/** Attributes in which a page names its parts: class, id, role and itemprop. */
const NAMING = new Uint8Array(256);
for (const id of [ATTRIBUTE.class, ATTRIBUTE.id, ATTRIBUTE.role, ATTRIBUTE.itemprop]) NAMING[id] = 1;

/** Characters of one attribute, attributes of one element and words of one attribute that are looked at. */
const MAX_NAMES_LENGTH = 160;
export const MAX_ATTRIBUTES = 50;
const MAX_WORDS = 16;

/** Called with the place of a word and its hash in lower case. */
export type VisitWord = (start: number, end: number, hash: number) => void;

/** Visits the words of all names of an element. */
export function visitNameWords(tree: Tree, node: number, visit: VisitWord): void {
  const first = tree.attributeStart[node] ?? 0;
  const end = first + Math.min(tree.attributeCount[node] ?? 0, MAX_ATTRIBUTES);
  for (let at = first; at < end; at++) visitNames(tree, at, visit);
}

/**
 * Visits the words of one attribute, if that is one that names: its letters, split at case changes and at all that is no
 * letter, three letters and more.
 */
export function visitNames({ source, attributeId, valueStart, valueEnd }: Tree, at: number, visit: VisitWord): void {
  if (NAMING[attributeId[at] ?? 0] !== 1) return;
  const first = valueStart[at] ?? 0;
  const end = Math.min(valueEnd[at] ?? 0, first + MAX_NAMES_LENGTH);
  let words = 0;
  let start = first;
  while (start < end && words < MAX_WORDS) {
    const code = source.charCodeAt(start);
    let next = start + 1;
    let hash = hashStep(0, lower(code));
    if (isSmall(code) || (isCapital(code) && next < end && isSmall(source.charCodeAt(next)))) {
      for (; next < end && isSmall(source.charCodeAt(next)); next++) hash = hashStep(hash, source.charCodeAt(next));
    } else if (isCapital(code)) {
      for (; next < end && isCapital(source.charCodeAt(next)); next++)
        hash = hashStep(hash, lower(source.charCodeAt(next)));
    }
    if (next - start >= 3) {
      visit(start, next, hash);
      words++;
    }
    start = next;
  }
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}
