/** A fixed list of lower-case names that can be found in a source without cutting them out of it. */
export type NameTable = { readonly names: readonly string[]; readonly slots: Int16Array; readonly mask: number };

/** Open addressing: the slot of a name is its hash, or the next free one; at most a quarter of the slots is taken. */
export function toNameTable(names: readonly string[]): NameTable {
  const size = 2 ** Math.ceil(Math.log2(names.length * 4));
  const mask = size - 1;
  const slots = new Int16Array(size).fill(-1);
  for (const [id, name] of names.entries()) {
    let hash = 0;
    for (let at = 0; at < name.length; at++) hash = hashStep(hash, name.charCodeAt(at));
    let slot = hash & mask;
    while ((slots[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
    slots[slot] = id;
  }
  return { names, slots, mask };
}

/** The rolling hash of a name after one more lower-case character; it starts at 0. */
export function hashStep(hash: number, code: number): number {
  return (hash * 31 + code) | 0;
}

/** The code with ASCII letters in lower case. */
export function lower(code: number): number {
  return code >= 65 && code <= 90 ? code | 32 : code;
}

/** The place in the list of the name at `source[start, end)`, whatever its case, or -1; `hash` as {@link hashStep} makes it. */
export function findName(table: NameTable, source: string, start: number, end: number, hash: number): number {
  const { names, slots, mask } = table;
  let slot = hash & mask;
  for (;;) {
    const id = slots[slot] ?? -1;
    if (id < 0) return -1;
    const known = names[id] ?? '';
    if (known.length === end - start && sameName(known, source, start)) return id;
    slot = (slot + 1) & mask;
  }
}

function sameName(known: string, source: string, start: number): boolean {
  for (let at = 0; at < known.length; at++) {
    if (known.charCodeAt(at) !== lower(source.charCodeAt(start + at))) return false;
  }
  return true;
}
