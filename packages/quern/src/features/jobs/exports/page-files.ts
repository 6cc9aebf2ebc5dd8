/** Pages as Markdown files: their names and their text. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { decodeUrlPart } from '#extract/values/web-urls.ts';

const optionalString = z.string().nullish();

/** The members of a crawled page that are written to its Markdown file. */
export const MarkdownPage = z.object({
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

export type MarkdownPage = z.output<typeof MarkdownPage>;

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
