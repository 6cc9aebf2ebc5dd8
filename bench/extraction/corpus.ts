import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { z } from 'zod';

const text = z.union([z.string(), z.array(z.string()).transform((names) => names.join(', '))]).nullish();

/** The labels of a page; each suite has its own fields. */
const Gold = z.looseObject({
  text,
  html: text,
  markdown: text,
  with: z.array(z.string()).default([]),
  without: z.array(z.string()).default([]),
  title: text,
  author: text,
  byline: text,
  date: text,
  date_published: text,
  publishedTime: text,
  site: text,
  siteName: text,
  publisher: text,
  lang: text,
});

const Row = z.object({ id: z.string(), url: z.string(), type: z.string().default(''), gold: Gold });

export type Gold = z.infer<typeof Gold>;

/** A recorded page with its labels. */
export type Sample = {
  readonly suite: string;
  readonly id: string;
  readonly url: string;
  readonly type: string;
  readonly gold: Gold;
  readonly heldOut: boolean;
  readonly body: () => Uint8Array<ArrayBuffer>;
};

/** Suites with labelled main content. */
export const CONTENT_SUITES = [
  'zyte-articles',
  'wcxb',
  'trafi-segments',
  'magic-html',
  'readability-pages',
  'defuddle-fixtures',
  'webmainbench-sample',
] as const;

/** Suites with labels for dates, authors and titles only. */
export const FACT_SUITES = ['htmldate', 'metascraper-meta', 'postlight-meta'] as const;

/** The folder of labelled pages; null if QUERN_CORPUS is not set or has none. */
export function findCorpusFolder(): string | null {
  const corpus = process.env['QUERN_CORPUS'];
  if (corpus === undefined) return null;
  const folder = join(corpus, 'extraction');
  return existsSync(folder) ? folder : null;
}

/** The pages of a suite; empty if the corpus does not have it. */
export function readSuite(folder: string, suite: string): readonly Sample[] {
  const manifest = join(folder, suite, 'manifest.jsonl');
  if (!existsSync(manifest)) return [];
  const lines = readFileSync(manifest, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const row = Row.parse(JSON.parse(line));
    const file = join(folder, suite, 'pages', row.id);
    return { ...row, suite, heldOut: isHeldOut(row.url), body: () => readBody(file) };
  });
}

/** Whether a page is held out from training and tuning: one in five, selected by the hash of its URL. */
export function isHeldOut(url: string): boolean {
  return (createHash('sha256').update(url).digest()[0] ?? 0) < 51;
}

function readBody(file: string): Uint8Array<ArrayBuffer> {
  if (existsSync(`${file}.html.br`)) return new Uint8Array(brotliDecompressSync(readFileSync(`${file}.html.br`)));
  if (existsSync(`${file}.html.gz`)) return new Uint8Array(gunzipSync(readFileSync(`${file}.html.gz`)));
  return new Uint8Array(readFileSync(`${file}.html`));
}
