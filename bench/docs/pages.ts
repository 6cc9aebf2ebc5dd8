import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { readPage } from '#extract/read-page.ts';
import type { PageMetadata } from '#extract/reading.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';
import { type DocsSet, NON_CONTENT_PAGES } from './sets.ts';

/** A page of a set, and what was extracted from it. */
export type DocsPage = {
  readonly path: string;
  readonly html: string;
  readonly url: string;
  readonly markdown: string;
  readonly metadata: PageMetadata;
  readonly warnings: readonly string[];
};

const DOCS_ORIGIN = 'https://docs.example/';
/** Longer pages are skipped: they contain a whole book. */
const MAX_CHARACTERS = 400_000;

/** Reads the pages of a set below `root`, breadth first from its start page. Throws if it is not installed. */
export function* readPages(set: DocsSet, root: string, most: number): Generator<DocsPage> {
  const folder = realpathSync(join(root, set.folder));
  const waiting = [set.start];
  const known = new Set(waiting);
  let read = 0;
  for (const path of waiting) {
    const file = findFile(folder, path);
    if (file === null) continue;
    const body = new Uint8Array(readFileSync(file));
    const url = new URL(path, DOCS_ORIGIN).href;
    const asked = { ...buildMarkdownRequest(body, url), contentType: 'text/html' };
    const { outputs, metadata, warnings } = readPage({ ...asked, outputs: ['markdown', 'links'] });
    for (const link of outputs.links ?? []) {
      const next = toPagePath(link.url);
      if (next === null || known.has(next)) continue;
      known.add(next);
      waiting.push(next);
    }
    const html = new TextDecoder().decode(body);
    if (html.length > MAX_CHARACTERS) continue;
    yield { path, html, url, markdown: outputs.markdown ?? '', metadata, warnings: warnings.map(({ code }) => code) };
    read += 1;
    if (read === most) return;
  }
}

export function isInstalled({ folder }: DocsSet, root: string): boolean {
  return existsSync(join(root, folder));
}

/** The path of the page that a link points to; null for other sites and for pages without prose. */
function toPagePath(link: string): string | null {
  const url = URL.parse(link);
  if (url === null || !url.href.startsWith(DOCS_ORIGIN)) return null;
  const path = decodePath(url.pathname.slice(1));
  const page = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  return page.endsWith('.html') && !NON_CONTENT_PAGES.test(page) ? page : null;
}

/** Decodes a path; returns it unchanged if the link was not encoded. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The file of a page; null if it does not exist or is outside of the set. */
function findFile(folder: string, path: string): string | null {
  const file = join(folder, path);
  if (!existsSync(file) || !statSync(file).isFile()) return null;
  const real = realpathSync(file);
  return file.startsWith(folder + sep) ? real : null;
}
