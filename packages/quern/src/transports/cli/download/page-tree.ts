import { lstat, mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import {
  foldCase,
  formatMarkdownFile,
  MarkdownPage,
  parseFileUrl,
  toPagePath,
} from '#features/jobs/exports/page-files.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Sink } from './sinks.ts';
import {
  type DownloadState,
  isNotFound,
  openProgressFile,
  throwOutputError,
  replaceFile,
  getSystemErrorCode,
} from './state-file.ts';

const STATE_FILE = '.quern-crawl.json';
/** A page is written to this file first and then renamed, so that a kill leaves no partial file. */
const TEMPORARY_FILE = '.quern-page.new';
/** Enough for the front matter, which begins with a URL of at most 8192 characters. */
const MAX_HEAD_BYTES = 64 * 1024;

/** Returns the path of the state file inside a folder. */
export function getTreeStatePath(folder: string): string {
  return join(folder, STATE_FILE);
}

/**
 * Opens a folder that gets one Markdown file for each page, at the host and path of its URL. Two pages never share a file,
 * even on case-insensitive disks, and nothing is written through symbolic links. Throws `invalid_request` if the folder
 * is not empty, unless a download is resumed.
 */
export async function openPageTree(
  folder: string,
  { operation, state }: { readonly operation: string; readonly state: DownloadState | null },
): Promise<Sink> {
  const isMade = state === null && (await createFolder(folder));
  if (state === null) await assertEmptyFolder(folder);
  const taken = state === null ? new Set<string>() : await listPages(folder);
  const placing = createPagePlacer(folder, taken);
  const progress = openProgressFile(getTreeStatePath(folder), { operation, format: 'markdown', state });

  async function clear(): Promise<void> {
    await rm(join(folder, TEMPORARY_FILE), { force: true });
    await progress.forget();
  }

  return {
    ...progress.ofSink,
    async write(elements, next) {
      for (const element of elements) {
        const page = MarkdownPage.parse(element);
        const file = await placing.place(page.url);
        await replaceFile(file, { beside: join(folder, TEMPORARY_FILE), text: formatMarkdownFile(page) });
      }
      await progress.note({ count: elements.length, bytes: 0 }, next);
    },
    finish: clear,
    close: async () => undefined,
    async discard() {
      await clear();
      if (isMade) await rmdir(folder).catch(ignoreNotEmpty);
    },
  };
}

/** Assigns each page a file of its own. */
function createPagePlacer(root: string, taken: Set<string>) {
  const safe = new Set<string>();

  /** Creates the parent folders. Throws if one of them is a symbolic link or a file. */
  async function enter(folders: readonly string[]): Promise<string> {
    let here = root;
    for (const name of folders) {
      here = join(here, name);
      if (safe.has(here)) continue;
      await mkdir(here).catch(ignoreExisting);
      if (!(await lstat(here)).isDirectory()) {
        throw new ServiceError(
          'invalid_request',
          `--out: ${here} is not a real folder; nothing is written through links`,
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
        const key = foldCase([...folders, name].join('/'));
        // A page that was written just before a kill, but not recorded, gets the same file again.
        if ((taken.has(key) || (await fileExists(file))) && (await readPageUrl(file)) !== url) continue;
        taken.add(key);
        return file;
      }
      throw new ServiceError('invalid_request', `--out: every name for ${url} is taken in ${folder}`);
    },
  };
}

/** Creates a folder; returns false if it existed. */
async function createFolder(folder: string): Promise<boolean> {
  const made = await mkdir(folder, { recursive: true }).catch((error: unknown) => throwOutputError(folder, error));
  return made !== undefined;
}

async function assertEmptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (getSystemErrorCode(error) !== 'ENOTDIR') throw error;
    throw new ServiceError('invalid_request', `--out: ${folder} is not a folder; pages go to FILE.jsonl or a folder`);
  });
  // Hidden entries, such as a repository, do not conflict with pages.
  if (names.every((name) => name.startsWith('.') && name !== STATE_FILE)) return;
  throw new ServiceError(
    'invalid_request',
    `--out: ${folder} is not empty: choose another folder, or resume with --resume`,
  );
}

/** Lists the case-folded paths of all files below a folder; links are not followed. */
async function listPages(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return new Set(
    files.map(({ parentPath, name }) =>
      foldCase(join(parentPath, name).slice(join(folder, sep).length).replaceAll(sep, '/')),
    ),
  );
}

async function fileExists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Reads the page URL from the front matter of a file; null for any other file. */
async function readPageUrl(file: string): Promise<string | null> {
  if (!(await fileExists(file)) || !(await lstat(file)).isFile()) return null;
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_HEAD_BYTES), 0, MAX_HEAD_BYTES, 0);
    return parseFileUrl(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await handle.close();
  }
}

function ignoreExisting(error: unknown): void {
  if (getSystemErrorCode(error) !== 'EEXIST') throw error;
}

function ignoreNotEmpty(error: unknown): void {
  const code = getSystemErrorCode(error);
  if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
}
