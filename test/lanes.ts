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

/** The processes of the first folders start first: those that take longest. */
export const FOLDERS: readonly Folder[] = [
  { name: 'engine', lane: 'quick', processes: 4 },
  { name: 'e2e', lane: 'all', processes: 'each' },
  { name: 'demo', lane: 'all', processes: 'each' },
  { name: 'serve', lane: 'all', processes: 'each' },
  { name: 'access/browser', lane: 'all', processes: 'each' },
  { name: 'engine/browser', lane: 'all', processes: 'each' },
  { name: 'package', lane: 'all', processes: 'each' },
  { name: 'smoke', lane: 'quick', processes: 'each' },
  { name: 'extract', lane: 'quick', processes: 2 },
  { name: 'store', lane: 'quick', processes: 1 },
  { name: 'store/postgres', lane: 'all', processes: 1 },
  { name: 'access', lane: 'quick', processes: 1 },
  { name: 'transports', lane: 'quick', processes: 1 },
  { name: 'cli', lane: 'quick', processes: 1 },
  { name: 'sites', lane: 'quick', processes: 1 },
  { name: 'tools', lane: 'quick', processes: 1 },
  { name: 'house', lane: 'quick', processes: 1 },
  { name: 'llm', lane: 'quick', processes: 1 },
  { name: 'kernel', lane: 'quick', processes: 1 },
];

/** The files that take longest in folders of one process for each file; they start first. */
export const LONGEST: readonly string[] = [
  'e2e/kill.test.ts',
  'e2e/mutations.test.ts',
  'e2e/take-over.test.ts',
  'e2e/bad-pages.test.ts',
  'e2e/browser.test.ts',
  'e2e/crawl-command.test.ts',
  'e2e/cli-jobs.test.ts',
  'e2e/adding-a-site.test.ts',
  'access/browser/egress.test.ts',
  'access/browser/rendering.test.ts',
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

/** The files of each process that a lane starts, in the order of their start. */
export function planLane(lane: Lane, files: readonly string[] = listTests()): readonly (readonly string[])[] {
  const wanted = FOLDERS.filter((folder) => lane === 'all' || folder.lane === lane);
  return wanted.flatMap((folder) => {
    const own = files.filter((file) => folderOf(file) === folder).toSorted((a, b) => rankOf(a) - rankOf(b));
    const processes = folder.processes === 'each' ? own.length : folder.processes;
    return Array.from({ length: processes }, (_, at) => own.filter((_file, index) => index % processes === at));
  });
}

function rankOf(file: string): number {
  const at = LONGEST.indexOf(relative(HERE, file));
  return at < 0 ? LONGEST.length : at;
}
