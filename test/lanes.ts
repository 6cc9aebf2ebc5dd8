import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** The folders that hold test files. */
const TESTS = ['e2e', 'packages/extract/test', 'packages/quern/test', 'packages/sites/test', 'test'];

/** `unit` runs pure code, `quick` that and what to run at each change, `all` everything. */
export const LANES = ['unit', 'quick', 'all'] as const;

export type Lane = (typeof LANES)[number];

type Folder = {
  /** The longest name that fits a file counts. */
  readonly name: string;
  readonly lane: Lane;
  /** The number of processes that its files share, or one for each file. */
  readonly processes: number | 'each';
  /** About the seconds that one of its processes takes beside the others. */
  readonly seconds: number;
};

export const FOLDERS: readonly Folder[] = [
  { name: 'packages/quern/test/access', lane: 'quick', processes: 1, seconds: 34 },
  { name: 'packages/quern/test/access/browser', lane: 'all', processes: 4, seconds: 45 },
  { name: 'test/bench', lane: 'quick', processes: 1, seconds: 5 },
  { name: 'packages/quern/test/cli', lane: 'quick', processes: 1, seconds: 14 },
  { name: 'test/clients', lane: 'all', processes: 'each', seconds: 20 },
  { name: 'e2e/console', lane: 'all', processes: 2, seconds: 60 },
  { name: 'test/demo', lane: 'all', processes: 'each', seconds: 10 },
  { name: 'e2e', lane: 'all', processes: 6, seconds: 150 },
  { name: 'packages/quern/test/engine', lane: 'quick', processes: 4, seconds: 140 },
  { name: 'packages/quern/test/engine/browser', lane: 'all', processes: 'each', seconds: 30 },
  { name: 'packages/extract/test', lane: 'unit', processes: 2, seconds: 40 },
  { name: 'test/house', lane: 'quick', processes: 1, seconds: 9 },
  { name: 'packages/quern/test/kernel', lane: 'unit', processes: 1, seconds: 1 },
  { name: 'packages/quern/test/llm', lane: 'quick', processes: 1, seconds: 2 },
  { name: 'test/package', lane: 'all', processes: 'each', seconds: 15 },
  { name: 'packages/quern/test/search', lane: 'quick', processes: 1, seconds: 33 },
  { name: 'packages/quern/test/serve', lane: 'all', processes: 3, seconds: 60 },
  { name: 'packages/quern/test/sites', lane: 'quick', processes: 1, seconds: 15 },
  { name: 'packages/sites/test', lane: 'quick', processes: 1, seconds: 20 },
  { name: 'packages/quern/test/smoke', lane: 'quick', processes: 'each', seconds: 15 },
  { name: 'packages/quern/test/store', lane: 'quick', processes: 1, seconds: 60 },
  { name: 'packages/quern/test/store/postgres', lane: 'all', processes: 1, seconds: 8 },
  { name: 'test/tools', lane: 'unit', processes: 1, seconds: 3 },
  { name: 'packages/quern/test/transports', lane: 'quick', processes: 1, seconds: 54 },
];

/** The seconds of files with a process of their own that take far longer than others of their folder. */
export const MAX_LENGTH: Readonly<Record<string, number>> = {
  'test/demo/hour.test.ts': 160,
  'test/demo/commands.test.ts': 120,
  'test/clients/python.test.ts': 60,
  'test/clients/typescript.test.ts': 35,
};

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
  'packages/quern/test/serve/remote-operator.test.ts',
];

/** Every test file, by its path. */
export function listTests(): readonly string[] {
  return TESTS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(ROOT, folder, file)),
  )
    .filter((file) => file.endsWith('.test.ts'))
    .toSorted();
}

/** The folder that decides about a test file. */
export function folderOf(file: string): Folder | null {
  const fitting = FOLDERS.filter(({ name }) => file.startsWith(join(ROOT, name, sep)));
  return fitting.toSorted((one, other) => other.name.length - one.name.length)[0] ?? null;
}

/** The seconds of the process of those. */
const TOGETHER_SECONDS = 140;

/** The files of each process that a lane starts, those that take longest first: none is left when all others have ended. */
export function planLane(lane: Lane, files: readonly string[] = listTests()): readonly (readonly string[])[] {
  const wanted = FOLDERS.filter((folder) => LANES.indexOf(folder.lane) <= LANES.indexOf(lane));
  const filesOf = (folder: Folder): readonly string[] => files.filter((file) => folderOf(file) === folder);
  const together = wanted.flatMap(filesOf).filter(isTogether);
  const processes = wanted.flatMap((folder) =>
    deal(
      folder,
      filesOf(folder).filter((file) => !isTogether(file)),
    ),
  );
  return [{ files: together, seconds: TOGETHER_SECONDS }, ...processes]
    .filter((process) => process.files.length > 0)
    .toSorted((one, other) => other.seconds - one.seconds)
    .map((process) => process.files);
}

function isTogether(file: string): boolean {
  return TOGETHER.includes(relative(ROOT, file));
}

type TestProcess = { readonly files: readonly string[]; readonly seconds: number };

/** Deals the files of a folder into its processes. */
function deal({ processes, seconds }: Folder, files: readonly string[]): readonly TestProcess[] {
  if (processes === 'each')
    return files.map((file) => ({ files: [file], seconds: MAX_LENGTH[relative(ROOT, file)] ?? seconds }));
  return Array.from({ length: processes }, (_, at) => ({
    files: files.filter((_file, index) => index % processes === at),
    seconds,
  }));
}
