/** Binary search: the index of the first node greater than `node` in ascending nodes. Their length if there is none. */
export function findFirstAfter(nodes: readonly number[], node: number): number {
  let from = 0;
  let to = nodes.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((nodes[middle] ?? 0) > node) to = middle;
    else from = middle + 1;
  }
  return from;
}
