import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** The folders that hold test files. */
const TESTS = ['e2e', 'packages/extract/test', 'packages/quern/test', 'packages/sites/test', 'test'];

/** `unit` runs tests of pure code, `quick` also the tests to run on each change, `all` everything. */
export const LANES = ['unit', 'quick', 'all'] as const;

export type Lane = (typeof LANES)[number];

type Folder = {
  /** The longest matching prefix applies. */
  readonly name: string;
  readonly lane: Lane;
  /** Number of processes that share its files, or one process per file. */
  readonly processes: number | 'each';
  /** Approximate duration of one of its processes in seconds. */
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

/** Durations in seconds of files that take far longer than others of their folder. */
export const MAX_LENGTH: Readonly<Record<string, number>> = {
  'test/demo/hour.test.ts': 160,
  'test/demo/commands.test.ts': 120,
  'test/clients/python.test.ts': 60,
  'test/clients/typescript.test.ts': 35,
};

/** Files that load the whole service into the test process; they share one process. */
export const SHARED_PROCESS: readonly string[] = [
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

/** All test files, by path. */
export function listTests(): readonly string[] {
  return TESTS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(ROOT, folder, file)),
  )
    .filter((file) => file.endsWith('.test.ts'))
    .toSorted();
}

/** The entry that applies to a test file. */
export function findFolder(file: string): Folder | null {
  const fitting = FOLDERS.filter(({ name }) => file.startsWith(join(ROOT, name, sep)));
  return fitting.toSorted((one, other) => other.name.length - one.name.length)[0] ?? null;
}

/** The duration of their process in seconds. */
const SHARED_PROCESS_SECONDS = 140;

/** Plans the processes of a lane and their files, longest first, so that all end at about the same time. */
export function planLane(lane: Lane, files: readonly string[] = listTests()): readonly (readonly string[])[] {
  const wanted = FOLDERS.filter((folder) => LANES.indexOf(folder.lane) <= LANES.indexOf(lane));
  const listFiles = (folder: Folder): readonly string[] => files.filter((file) => findFolder(file) === folder);
  const together = wanted.flatMap(listFiles).filter(sharesProcess);
  const processes = wanted.flatMap((folder) =>
    assignTests(
      folder,
      listFiles(folder).filter((file) => !sharesProcess(file)),
    ),
  );
  return [{ files: together, seconds: SHARED_PROCESS_SECONDS }, ...processes]
    .filter((process) => process.files.length > 0)
    .toSorted((one, other) => other.seconds - one.seconds)
    .map((process) => process.files);
}

function sharesProcess(file: string): boolean {
  return SHARED_PROCESS.includes(relative(ROOT, file));
}

type TestProcess = { readonly files: readonly string[]; readonly seconds: number };

/** Assigns the files of a folder to its processes. */
function assignTests({ processes, seconds }: Folder, files: readonly string[]): readonly TestProcess[] {
  if (processes === 'each')
    return files.map((file) => ({ files: [file], seconds: MAX_LENGTH[relative(ROOT, file)] ?? seconds }));
  return Array.from({ length: processes }, (_, at) => ({
    files: files.filter((_file, index) => index % processes === at),
    seconds,
  }));
}
