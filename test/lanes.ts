import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const HERE = import.meta.dirname;

/** `quick` runs at each change, `all` runs everything. */
export type Lane = 'quick' | 'all';

type Folder = {
  /** Below test/; the longest name that fits a file counts. */
  readonly name: string;
  readonly lane: Lane;
  /** The number of processes that its files share, or one for each file. */
  readonly processes: number | 'each';
};

/** Folders with processes that files share start in this order: those that take longest first. */
export const FOLDERS: readonly Folder[] = [
  { name: 'engine', lane: 'quick', processes: 4 },
  { name: 'e2e', lane: 'all', processes: 6 },
  { name: 'access/browser', lane: 'all', processes: 4 },
  { name: 'serve', lane: 'all', processes: 3 },
  { name: 'extract', lane: 'quick', processes: 2 },
  { name: 'access', lane: 'quick', processes: 1 },
  { name: 'store', lane: 'quick', processes: 1 },
  { name: 'transports', lane: 'quick', processes: 1 },
  { name: 'store/postgres', lane: 'all', processes: 1 },
  { name: 'sites', lane: 'quick', processes: 1 },
  { name: 'search', lane: 'quick', processes: 1 },
  { name: 'house', lane: 'quick', processes: 1 },
  { name: 'tools', lane: 'quick', processes: 1 },
  { name: 'bench', lane: 'quick', processes: 1 },
  { name: 'cli', lane: 'quick', processes: 1 },
  { name: 'llm', lane: 'quick', processes: 1 },
  { name: 'kernel', lane: 'quick', processes: 1 },
  { name: 'demo', lane: 'all', processes: 'each' },
  { name: 'clients', lane: 'all', processes: 'each' },
  { name: 'console', lane: 'all', processes: 1 },
  { name: 'engine/browser', lane: 'all', processes: 'each' },
  { name: 'package', lane: 'all', processes: 'each' },
  { name: 'smoke', lane: 'quick', processes: 'each' },
];

/** Of the files with a process each those that take longest; they start first. */
export const LONGEST: readonly string[] = [
  'demo/commands.test.ts',
  'demo/hour.test.ts',
  'engine/browser/interact-hostile.test.ts',
  'engine/browser/interact.test.ts',
  'engine/browser/prompt.test.ts',
  'clients/python.test.ts',
  'clients/typescript.test.ts',
  'demo/demo.test.ts',
];

/** Files that run the service in their own process, and load the whole program for it: they share one process. */
export const TOGETHER: readonly string[] = [
  'e2e/ladder.test.ts',
  'e2e/mcp.test.ts',
  'e2e/jobs-edges.test.ts',
  'e2e/plans.test.ts',
  'e2e/cli-commands.test.ts',
  'e2e/sites.test.ts',
  'e2e/outputs.test.ts',
  'e2e/fetch-robots.test.ts',
  'e2e/jobs.test.ts',
  'serve/remote-operator.test.ts',
];

/** Every test file, by its path. */
export function listTests(): readonly string[] {
  return readdirSync(HERE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(HERE, file))
    .toSorted();
}

/** The folder that decides about a test file. */
export function folderOf(file: string): Folder | null {
  const fitting = FOLDERS.filter(({ name }) => file.startsWith(join(HERE, name, sep)));
  return fitting.toSorted((one, other) => other.name.length - one.name.length)[0] ?? null;
}

/** Files that start with a process of their own for each process that files share. */
const OWN_BESIDE_SHARED = 2;

/**
 * The files of each process that a lane starts, in the order of their start. A process of its own mostly waits, for a
 * service or a browser, and one that files share computes: side by side they leave no core idle.
 */
export function planLane(lane: Lane, files: readonly string[] = listTests()): readonly (readonly string[])[] {
  const wanted = FOLDERS.filter((folder) => lane === 'all' || folder.lane === lane);
  const filesOf = (folder: Folder): readonly string[] => files.filter((file) => folderOf(file) === folder);
  const together = wanted.flatMap(filesOf).filter(isTogether);
  const apart = wanted.flatMap((folder) =>
    folder.processes === 'each'
      ? []
      : share(
          filesOf(folder).filter((file) => !isTogether(file)),
          folder.processes,
        ),
  );
  const shared = together.length === 0 ? apart : [together, ...apart];
  const own = wanted
    .flatMap((folder) => (folder.processes === 'each' ? filesOf(folder) : []))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((file) => [file]);
  const begin = shared.flatMap((members, at) => [
    members,
    ...own.slice(OWN_BESIDE_SHARED * at, OWN_BESIDE_SHARED * (at + 1)),
  ]);
  return [...begin, ...own.slice(OWN_BESIDE_SHARED * shared.length)];
}

function isTogether(file: string): boolean {
  return TOGETHER.includes(relative(HERE, file));
}

function share(files: readonly string[], processes: number): readonly (readonly string[])[] {
  return Array.from({ length: processes }, (_, at) => files.filter((_file, index) => index % processes === at));
}

function rankOf(file: string): number {
  const at = LONGEST.indexOf(relative(HERE, file));
  return at < 0 ? LONGEST.length : at;
}
