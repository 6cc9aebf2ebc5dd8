import { isText, type Tree } from '#extract/html/tree.ts';

const METHODS: ReadonlySet<string> = new Set(
  'GET PUT POST PATCH DELETE HEAD OPTIONS get put post patch delete head options'.split(' '),
);
/** Characters of the shortest and of the longest. */
const MIN = 3;
const MAX = 7;

/** The method of HTTP that is all that a text says, in capitals; null for another text. */
export function methodOf(tree: Tree, node: number): string | null {
  if (!isText(tree, node)) return null;
  const { source } = tree;
  let start = tree.start[node] ?? 0;
  let end = tree.end[node] ?? 0;
  while (start < end && source.charCodeAt(start) <= 32) start++;
  while (end > start && source.charCodeAt(end - 1) <= 32) end--;
  if (end - start < MIN || end - start > MAX) return null;
  const text = source.slice(start, end);
  return METHODS.has(text) ? text.toUpperCase() : null;
}
