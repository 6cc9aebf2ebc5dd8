import { readFileSync } from 'node:fs';

/** One request that nginx answered; begun in ms since 1970. */
export type Asked = { readonly begun: number; readonly path: string };

/** What is asked for anew by every life of a service. */
const SITE_FILES = /^\/(?:robots\.txt|sitemap[\w-]*\.xml)$/;

/** The requests for pages in the log of `serveWorld`, in the order in which they came. */
export function readAsked(file: string): readonly Asked[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(toAsked)
    .filter(({ path }) => !SITE_FILES.test(path))
    .toSorted((a, b) => a.begun - b.begun);
}

function toAsked(line: string): Asked {
  const [endedAt = '', tookSeconds = '', , path = ''] = line.split(' ');
  return { begun: (Number(endedAt) - Number(tookSeconds)) * 1000, path };
}

/** How often each path was asked for. */
export function countPaths(all: readonly Asked[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of all) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

/** Requests for a path that was asked for before, except of paths that `usual` asks for more than once too. */
export function findRepeats(all: readonly Asked[], usual: ReadonlyMap<string, number>): readonly Asked[] {
  const seen = new Set<string>();
  return all.filter(({ path }) => {
    const isRepeat = seen.has(path) && (usual.get(path) ?? 0) <= 1;
    seen.add(path);
    return isRepeat;
  });
}
