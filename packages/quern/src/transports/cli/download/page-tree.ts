import { createHash } from 'node:crypto';
import { lstat, mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { z } from 'zod';
import { unescaped } from '#extract/values/unescaped.ts';
import { ServiceError } from '#kernel/errors.ts';
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

const said = z.string().nullish();

/** The members of a crawled page that its Markdown file holds. */
const MarkdownPage = z.object({
  url: z.string(),
  final_url: said,
  markdown: z.string(),
  fetched_at: said,
  metadata: z.object({ title: said, description: said, author: said, published_date: said, language: said }).optional(),
});

type MarkdownPage = z.output<typeof MarkdownPage>;

/** Characters that JSON leaves unescaped and YAML forbids or reads as a line break. */
const BARE = /[\u007f-\u009f\u2028\u2029\ufeff]/g;
const FIRST_LINE = /^---\nurl: (".*")\n/;

/** A page as a file: YAML front matter of what is known of it, then its markdown. */
export function toMarkdownFile({
  url,
  final_url: finalUrl,
  markdown,
  fetched_at,
  metadata = {},
}: MarkdownPage): string {
  const { title, description, author, published_date: published, language } = metadata;
  const facts = {
    url,
    final_url: finalUrl === url ? null : finalUrl,
    title,
    description,
    author,
    published,
    language,
    fetched: fetched_at,
  };
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [`${name}: ${quote(value)}`] : [],
  );
  return `---\n${lines.join('\n')}\n---\n\n${markdown}${markdown.endsWith('\n') ? '' : '\n'}`;
}

/** The URL of the page that the beginning of a file belongs to, null for a file of another origin. */
export function urlOfFile(text: string): string | null {
  const quoted = FIRST_LINE.exec(text)?.[1];
  try {
    const url: unknown = quoted === undefined ? null : JSON.parse(quoted);
    return typeof url === 'string' ? url : null;
  } catch {
    return null;
  }
}

/** A text of JSON is a double-quoted scalar of YAML 1.2 (section 1.2), but for a few characters. */
function quote(text: string): string {
  return JSON.stringify(text).replace(BARE, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
}

/** Of one name; most file systems take 255. */
const MAX_NAME_BYTES = 200;
const SUFFIX = '.md';
const SHORT_HASH = 8;
const LONG_HASH = 16;
/** Leaves room for the hashes of a query and of a collision, with their hyphens. */
const MAX_STEM_BYTES = MAX_NAME_BYTES - SUFFIX.length - (SHORT_HASH + 1) - (LONG_HASH + 1);
/** Some systems take no path of more than 1024 bytes, and the folder that is written to has one too. */
const MAX_FOLDERS = 20;
const MAX_FOLDER_BYTES = 500;

/** Characters that a file system rejects or reinterprets, and marks of text direction. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\ufeff<>:"/\\|?*]/gu;
/** Hidden files, options of commands, homes; and ends that Windows drops. */
const UNSAFE_ENDS = /^[.\-~ ]+|[. ]+$/g;
/** Devices of Windows, whatever follows the dot. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;
const HTML_SUFFIX = /(?<=.)\.x?html?$/i;

/** Candidate paths of a page: its folders, and file names in order of preference. */
type PagePath = { readonly folders: readonly string[]; readonly names: readonly string[] };

/**
 * The path of a page below a folder, after the host and path of its URL: `example.com/docs/a.md`, `index.md` for a
 * path that ends in a slash. A query is a short hash. Every name is fit for every usual file system.
 */
export function toPagePath(text: string): PagePath {
  const url = URL.parse(text);
  const segments = (url?.pathname ?? '').split('/').slice(1);
  const last = segments.pop() ?? '';
  const host = url === null ? '' : url.hostname + (url.port === '' ? '' : `_${url.port}`);
  const query = url === null || url.search === '' ? '' : `-${hashOf(url.search, SHORT_HASH)}`;
  const decoded = unescaped(last).replace(HTML_SUFFIX, '');
  const stem = (decoded === '' ? 'index' : toName(decoded, MAX_STEM_BYTES)) + query;
  return {
    folders: [toFolder(host), ...bounded(segments.map((segment) => toFolder(unescaped(segment))))],
    names: [
      stem + SUFFIX,
      `${stem}-${hashOf(text, SHORT_HASH)}${SUFFIX}`,
      `${stem}-${hashOf(text, LONG_HASH)}${SUFFIX}`,
    ],
  };
}

/** Equal for paths that the disk of some system takes for one. */
export function foldPath(path: string): string {
  return path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFC');
}

/** A folder never ends as a file of a page does, so that none is in the other's place. */
function toFolder(text: string): string {
  const name = toName(text, MAX_NAME_BYTES - 1);
  return name.toLowerCase().endsWith(SUFFIX) ? `${name}_` : name;
}

function toName(text: string, mostBytes: number): string {
  const safe = text
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(UNSAFE_ENDS, (ends) => '_'.repeat(ends.length));
  const name = RESERVED.test(safe) ? `_${safe}` : safe;
  return name === '' ? '_' : cut(name, mostBytes);
}

/** The beginning of a long name, and a hash that tells it from others that begin so. */
function cut(name: string, mostBytes: number): string {
  if (Buffer.byteLength(name) <= mostBytes) return name;
  let [kept, bytes] = ['', SHORT_HASH + 1];
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > mostBytes) break;
    kept += character;
  }
  return `${kept}-${hashOf(name, SHORT_HASH)}`;
}

/** Pages below the depth limit share one folder named by a hash. */
function bounded(folders: readonly string[]): readonly string[] {
  let [kept, bytes] = [0, 0];
  for (const folder of folders) {
    bytes += Buffer.byteLength(folder) + 1;
    if (kept === MAX_FOLDERS || bytes > MAX_FOLDER_BYTES) break;
    kept += 1;
  }
  if (kept === folders.length) return folders;
  return [...folders.slice(0, kept), hashOf(folders.slice(kept).join('/'), LONG_HASH)];
}

function hashOf(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
