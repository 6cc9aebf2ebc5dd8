import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export type Recording = { readonly name: string; readonly body: Uint8Array<ArrayBuffer> };

/** About `most` recorded pages, evenly chosen from the corpus. None without a corpus. */
export function recordedPages(most: number): readonly Recording[] {
  const corpus = process.env['QUERN_CORPUS'];
  if (corpus === undefined) return [];
  const root = join(corpus, 'extraction');
  const files = readdirSync(root).flatMap((suite) => listPages(join(root, suite, 'pages')));
  const step = Math.max(1, Math.floor(files.length / most));
  return files.filter((_, at) => at % step === 0).map((file) => ({ name: file.slice(root.length), body: read(file) }));
}

function listPages(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.html(\.br|\.gz)?$/.test(name))
    .map((name) => join(folder, name));
}

function read(file: string): Uint8Array<ArrayBuffer> {
  const bytes = readFileSync(file);
  if (file.endsWith('.br')) return new Uint8Array(brotliDecompressSync(bytes));
  return new Uint8Array(file.endsWith('.gz') ? gunzipSync(bytes) : bytes);
}
