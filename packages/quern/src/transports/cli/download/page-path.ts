import { createHash } from 'node:crypto';
import { unescaped } from '#extract/values/unescaped.ts';

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
export type PagePath = { readonly folders: readonly string[]; readonly names: readonly string[] };

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
