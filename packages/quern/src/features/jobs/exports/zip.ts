import type { JsonObject } from '#extract/values/json-object.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { foldCase, formatMarkdownFile, MarkdownPage, toPagePath } from './page-files.ts';
import { writeZipArchive, type ZipFile } from './zip-archive.ts';

/**
 * Writes a ZIP archive with a Markdown file for each page, named as `quern crawl --out FOLDER` names it. Pages without
 * Markdown, such as those that failed, have no file.
 */
export function writeZip(list: () => AsyncIterable<JsonObject>): AsyncGenerator<Uint8Array, void> {
  return writeZipArchive(listFiles(list()));
}

async function* listFiles(list: AsyncIterable<JsonObject>): AsyncGenerator<ZipFile, void> {
  const taken = new Set<string>();
  for await (const element of list) {
    const { success, data: page } = MarkdownPage.safeParse(element);
    if (!success) continue;
    const content = Buffer.from(formatMarkdownFile(page).toWellFormed());
    yield { path: choosePath(page.url, taken), content, at: toTime(page.fetched_at) };
  }
}

function choosePath(url: string, taken: Set<string>): string {
  const { folders, names } = toPagePath(url);
  for (const name of names) {
    const path = [...folders, name].join('/');
    const key = foldCase(path);
    if (taken.has(key)) continue;
    taken.add(key);
    return path;
  }
  throw new InvariantError(`every name for ${url} is taken`);
}

/** Files of pages without a time are as old as the format allows. */
function toTime(text: string | null | undefined): Date {
  const time = new Date(text ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? new Date(Date.UTC(1980, 0, 1)) : time;
}
