import { extendHash, toLowerCode } from '#extract/html/tags.ts';
import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import type { Tree } from '#extract/html/tree.ts';

/** Attributes with names of page parts: class, id, role and itemprop. */
const NAMING_ATTRIBUTES = new Uint8Array(256);
for (const id of [ATTRIBUTE.class, ATTRIBUTE.id, ATTRIBUTE.role, ATTRIBUTE.itemprop]) NAMING_ATTRIBUTES[id] = 1;

/** Maximum characters of an attribute, attributes of an element, and words of an attribute that are read. */
const MAX_NAMES_LENGTH = 160;
/** Maximum attributes of an element that are read. */
export const MAX_ATTRIBUTES = 50;
const MAX_WORDS = 16;

/** Called with the position of a word in the source and the hash of its lower-case form. */
export type WordVisitor = (start: number, end: number, hash: number) => void;

/** Visits the words in all names of an element. */
export function visitNameWords(tree: Tree, node: number, visit: WordVisitor): void {
  const first = tree.attributeStart[node] ?? 0;
  const end = first + Math.min(tree.attributeCount[node] ?? 0, MAX_ATTRIBUTES);
  for (let at = first; at < end; at++) visitAttributeWords(tree, at, visit);
}

/**
 * Visits the words of an attribute if it has names. Words are split at case changes and at characters other than ASCII
 * letters. Words with fewer than three letters are skipped.
 */
export function visitAttributeWords(
  { source, attributeId, valueStart, valueEnd }: Tree,
  at: number,
  visit: WordVisitor,
): void {
  if (NAMING_ATTRIBUTES[attributeId[at] ?? 0] !== 1) return;
  const first = valueStart[at] ?? 0;
  const end = Math.min(valueEnd[at] ?? 0, first + MAX_NAMES_LENGTH);
  let words = 0;
  let start = first;
  while (start < end && words < MAX_WORDS) {
    const code = source.charCodeAt(start);
    let next = start + 1;
    let hash = extendHash(0, toLowerCode(code));
    if (isLowerCase(code) || (isUpperCase(code) && next < end && isLowerCase(source.charCodeAt(next)))) {
      for (; next < end && isLowerCase(source.charCodeAt(next)); next++)
        hash = extendHash(hash, source.charCodeAt(next));
    } else if (isUpperCase(code)) {
      for (; next < end && isUpperCase(source.charCodeAt(next)); next++)
        hash = extendHash(hash, toLowerCode(source.charCodeAt(next)));
    }
    if (next - start >= 3) {
      visit(start, next, hash);
      words++;
    }
    start = next;
  }
}

function isLowerCase(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isUpperCase(code: number): boolean {
  return code >= 65 && code <= 90;
}
