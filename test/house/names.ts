import type { Source } from './house.ts';

/** Files whose exports are met by another's rule: members of one namespace, and the entries that a pool of threads calls by name. */
const FREE_TO_NAME = /(?:^extract\/html\/tag-ids|\.worker)\.ts$/;

/** Files that may declare a type of one name. */
const MOST_FILES = 3;

/** Every name that several files export, with these files; a schema and its inferred type of one file count once. */
export function exportedTwice(sources: readonly Source[]): Readonly<Record<string, readonly string[]>> {
  return gather(sources, EXPORTED, 1);
}

/** Every type name, exported or not, that more than three files declare, with these files. */
export function declaredOften(sources: readonly Source[]): Readonly<Record<string, readonly string[]>> {
  return gather(sources, TYPE, MOST_FILES);
}

const EXPORTED = /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|type|enum) (\w+)/gm;
const TYPE = /^(?:export )?type (\w+)/gm;

function gather(
  sources: readonly Source[],
  pattern: RegExp,
  most: number,
): Readonly<Record<string, readonly string[]>> {
  const places = new Map<string, Set<string>>();
  for (const { file, text } of sources) {
    if (FREE_TO_NAME.test(file)) continue;
    for (const [, name = ''] of text.matchAll(pattern)) places.set(name, (places.get(name) ?? new Set()).add(file));
  }
  const found = [...places]
    .filter(([, files]) => files.size > most)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(found.map(([name, files]) => [name, [...files]]));
}
