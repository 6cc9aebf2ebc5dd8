import { lstat, mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ServiceError } from '#kernel/errors.ts';
import { MarkdownPage, toMarkdownFile, urlOfFile } from './front-matter.ts';
import { foldPath, toPagePath } from './page-path.ts';
import type { Sink } from './sinks.ts';
import { type DownloadState, isMissing, openProgress, refuseNew, replaceFile, systemErrorCode } from './state-file.ts';

const STATE_FILE = '.quern-crawl.json';
/** A page is written here first, so that a kill leaves no half of one. */
const BESIDE = '.quern-page.new';
/** The front matter of a file begins with its URL, of at most 8192 characters. */
const HEAD_BYTES = 64 * 1024;

/** The path of a folder's state: inside it. */
export function stateOfTree(folder: string): string {
  return join(folder, STATE_FILE);
}

/**
 * A folder with a file of markdown for each page, below the host and path of its URL. No page takes the file of another,
 * also where the disk knows no upper and lower case, and nothing is written through a link in the folder. Throws
 * `invalid_request` for a folder that holds something, unless it is gone on with.
 */
export async function openPageTree(
  folder: string,
  { operation, state }: { readonly operation: string; readonly state: DownloadState | null },
): Promise<Sink> {
  const isMade = state === null && (await make(folder));
  if (state === null) await refuseFull(folder);
  const taken = state === null ? new Set<string>() : await listPages(folder);
  const placing = buildPlacing(folder, taken);
  const progress = openProgress(stateOfTree(folder), { operation, format: 'markdown', state });

  async function clear(): Promise<void> {
    await rm(join(folder, BESIDE), { force: true });
    await progress.forget();
  }

  return {
    ...progress.ofSink,
    async write(elements, next) {
      for (const element of elements) {
        const page = MarkdownPage.parse(element);
        const file = await placing.place(page.url);
        await replaceFile(file, { beside: join(folder, BESIDE), text: toMarkdownFile(page) });
      }
      await progress.note({ count: elements.length, bytes: 0 }, next);
    },
    finish: clear,
    close: async () => undefined,
    async discard() {
      await clear();
      if (isMade) await rmdir(folder).catch(ignoreFull);
    },
  };
}

/** Finds each page a file that belongs to no other. */
function buildPlacing(root: string, taken: Set<string>) {
  const safe = new Set<string>();

  /** Makes the folders on the way; each must be one, and no link to one. */
  async function enter(folders: readonly string[]): Promise<string> {
    let here = root;
    for (const name of folders) {
      here = join(here, name);
      if (safe.has(here)) continue;
      await mkdir(here).catch(ignoreThere);
      if (!(await lstat(here)).isDirectory()) {
        throw new ServiceError(
          'invalid_request',
          `--out: ${here} is no folder of its own; nothing is written through it`,
        );
      }
      safe.add(here);
    }
    return here;
  }

  return {
    async place(url: string): Promise<string> {
      const { folders, names } = toPagePath(url);
      const folder = await enter(folders);
      for (const name of names) {
        const file = join(folder, name);
        const key = foldPath([...folders, name].join('/'));
        // A page that was written just before a kill, and not counted, finds its own file.
        if ((taken.has(key) || (await isThere(file))) && (await readUrl(file)) !== url) continue;
        taken.add(key);
        return file;
      }
      throw new ServiceError('invalid_request', `--out: every name for ${url} is taken in ${folder}`);
    },
  };
}

/** Whether there was none. */
async function make(folder: string): Promise<boolean> {
  const made = await mkdir(folder, { recursive: true }).catch((error: unknown) => refuseNew(folder, error));
  return made !== undefined;
}

async function refuseFull(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemErrorCode(error) !== 'ENOTDIR') throw error;
    throw new ServiceError('invalid_request', `--out: ${folder} is no folder; pages go to FILE.jsonl or a folder`);
  });
  // Hidden entries, such as a repository, do not conflict with pages.
  if (names.every((name) => name.startsWith('.') && name !== STATE_FILE)) return;
  throw new ServiceError(
    'invalid_request',
    `--out: ${folder} is not empty: name another folder, or go on with what it has by --resume`,
  );
}

/** The folded paths of all files below a folder; links are not followed. */
async function listPages(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return new Set(
    files.map(({ parentPath, name }) =>
      foldPath(join(parentPath, name).slice(join(folder, sep).length).replaceAll(sep, '/')),
    ),
  );
}

async function isThere(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** The URL of the page in a file, null for anything else. */
async function readUrl(file: string): Promise<string | null> {
  if (!(await isThere(file)) || !(await lstat(file)).isFile()) return null;
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return urlOfFile(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await handle.close();
  }
}

function ignoreThere(error: unknown): void {
  if (systemErrorCode(error) !== 'EEXIST') throw error;
}

function ignoreFull(error: unknown): void {
  const code = systemErrorCode(error);
  if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
}
