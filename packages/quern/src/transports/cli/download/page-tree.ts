import { createHash } from 'node:crypto';
import { lstat, mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { z } from 'zod';
import { decodeUrlPart } from '#extract/values/web-urls.ts';
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

const optionalString = z.string().nullish();

/** The members of a crawled page that are written to its Markdown file. */
const MarkdownPage = z.object({
  url: z.string(),
  final_url: optionalString,
  markdown: z.string(),
  fetched_at: optionalString,
  metadata: z
    .object({
      title: optionalString,
      description: optionalString,
      author: optionalString,
      published_date: optionalString,
      language: optionalString,
    })
    .optional(),
});

type MarkdownPage = z.output<typeof MarkdownPage>;

/** Characters that JSON does not escape, but that YAML forbids or treats as line breaks. */
const UNESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff]/g;
const FIRST_LINE = /^---\nurl: (".*")\n/;

/** Formats a page as a file: YAML front matter with its metadata, then its Markdown. */
export function formatMarkdownFile({
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
    typeof value === 'string' && value !== '' ? [`${name}: ${quoteYaml(value)}`] : [],
  );
  return `---\n${lines.join('\n')}\n---\n\n${markdown}${markdown.endsWith('\n') ? '' : '\n'}`;
}

/** Parses the page URL from the start of a file; null if the file was not written by `formatMarkdownFile`. */
export function parseFileUrl(text: string): string | null {
  const quoted = FIRST_LINE.exec(text)?.[1];
  try {
    const url: unknown = quoted === undefined ? null : JSON.parse(quoted);
    return typeof url === 'string' ? url : null;
  } catch {
    return null;
  }
}

/** Quotes a text for YAML. Except for a few characters, a JSON string is a double-quoted scalar of YAML 1.2 (section 1.2). */
function quoteYaml(text: string): string {
  return JSON.stringify(text).replace(UNESCAPED, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
}

/** Limit of a file name; most file systems allow 255. */
const MAX_NAME_BYTES = 200;
const SUFFIX = '.md';
const SHORT_HASH_DIGITS = 8;
const LONG_HASH_DIGITS = 16;
/** Reserves space for the hashes of a query and of a collision, with their hyphens. */
const MAX_STEM_BYTES = MAX_NAME_BYTES - SUFFIX.length - (SHORT_HASH_DIGITS + 1) - (LONG_HASH_DIGITS + 1);
/** Limits below the output folder, since some systems allow paths of at most 1024 bytes. */
const MAX_FOLDERS = 20;
const MAX_FOLDER_BYTES = 500;

/** Characters that a file system rejects or interprets, and text direction marks. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\ufeff<>:"/\\|?*]/gu;
/** Starts of hidden files, command options and home folders; ends that Windows removes. */
const UNSAFE_ENDS = /^[.\-~ ]+|[. ]+$/g;
/** Device names of Windows, with any extension. */
const RESERVED_NAMES = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;
const HTML_SUFFIX = /(?<=.)\.x?html?$/i;

/** Candidate paths of a page: its folders, and file names in order of preference. */
type PagePath = { readonly folders: readonly string[]; readonly names: readonly string[] };

/**
 * Converts a URL to a path below a folder: `example.com/docs/a.md`, or `index.md` for a path that ends with a slash. A
 * query becomes a short hash. The names are valid on all common file systems.
 */
export function toPagePath(text: string): PagePath {
  const url = URL.parse(text);
  const segments = (url?.pathname ?? '').split('/').slice(1);
  const last = segments.pop() ?? '';
  const host = url === null ? '' : url.hostname + (url.port === '' ? '' : `_${url.port}`);
  const query = url === null || url.search === '' ? '' : `-${computeHash(url.search, SHORT_HASH_DIGITS)}`;
  const decoded = decodeUrlPart(last).replace(HTML_SUFFIX, '');
  const stem = (decoded === '' ? 'index' : toSafeName(decoded, MAX_STEM_BYTES)) + query;
  return {
    folders: [toFolderName(host), ...limitDepth(segments.map((segment) => toFolderName(decodeUrlPart(segment))))],
    names: [
      stem + SUFFIX,
      `${stem}-${computeHash(text, SHORT_HASH_DIGITS)}${SUFFIX}`,
      `${stem}-${computeHash(text, LONG_HASH_DIGITS)}${SUFFIX}`,
    ],
  };
}

/** Folds a path, so that paths which some file system treats as the same are equal. */
export function foldCase(path: string): string {
  return path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFC');
}

/** Converts a segment to a folder name that never ends like a page file, so that they cannot collide. */
function toFolderName(text: string): string {
  const name = toSafeName(text, MAX_NAME_BYTES - 1);
  return name.toLowerCase().endsWith(SUFFIX) ? `${name}_` : name;
}

function toSafeName(text: string, mostBytes: number): string {
  const safe = text
    .normalize('NFC')
    .replace(UNSAFE_CHARACTERS, '_')
    .replace(UNSAFE_ENDS, (ends) => '_'.repeat(ends.length));
  const name = RESERVED_NAMES.test(safe) ? `_${safe}` : safe;
  return name === '' ? '_' : shortenName(name, mostBytes);
}

/** Shortens a long name, and appends a hash to keep it unique. */
function shortenName(name: string, mostBytes: number): string {
  if (Buffer.byteLength(name) <= mostBytes) return name;
  let [prefix, bytes] = ['', SHORT_HASH_DIGITS + 1];
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > mostBytes) break;
    prefix += character;
  }
  return `${prefix}-${computeHash(name, SHORT_HASH_DIGITS)}`;
}

/** Replaces folders below the depth limit by one folder with a hash as its name. */
function limitDepth(folders: readonly string[]): readonly string[] {
  let [count, bytes] = [0, 0];
  for (const folder of folders) {
    bytes += Buffer.byteLength(folder) + 1;
    if (count === MAX_FOLDERS || bytes > MAX_FOLDER_BYTES) break;
    count += 1;
  }
  if (count === folders.length) return folders;
  return [...folders.slice(0, count), computeHash(folders.slice(count).join('/'), LONG_HASH_DIGITS)];
}

function computeHash(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
