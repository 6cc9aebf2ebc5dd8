/** Groups items by a key, in the order of the first item of each group. `Map.groupBy` exists in Node from version 21 on. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  getKey: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = getKey(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The number of items that two sets share. `Set.prototype.intersection` exists in Node from version 22 on. */
export function countShared<Item>(one: ReadonlySet<Item>, other: ReadonlySet<Item>): number {
  let count = 0;
  for (const item of one) if (other.has(item)) count += 1;
  return count;
}
