import { buildSite, type Generator } from './build.ts';
import { markdownTruth, type Truth } from './scores.ts';
import type { Source } from './sources.ts';
import { serveFolder } from './static-site.ts';

/** A site that is served on this machine. */
export type OpenedSite = {
  /** Where a crawl of it starts. */
  readonly url: string;
  /** The sources that it has pages of. */
  readonly sources: readonly Source[];
  /** The source that an address shows; null for any other page. */
  readonly sourceAt: (url: string) => Source | null;
  /** What the page of a source says; null where the site does not have it. */
  readonly truthOf: (source: Source, url: string) => Promise<Truth | null>;
  readonly close: () => Promise<void>;
};

/** A kind of site: opens one of the sources, with what it needs below the folder; null where that cannot be installed. */
export type Site = (sources: readonly Source[], cache: string) => Promise<OpenedSite | null>;

/** The site that a generator makes of files, whose pages are named like their sources in whatever folder. */
export function generatedSite(name: string, generate: (sources: readonly Source[]) => Generator): Site {
  return async (sources, cache) => {
    const folder = buildSite(name, generate(sources), cache);
    if (folder === null) return null;
    const { origin, close } = await serveFolder(folder);
    const known = new Map(sources.map((source) => [source.slug, source]));
    return {
      url: `${origin}/`,
      sources,
      sourceAt: (url) => known.get(lastPart(url)) ?? null,
      truthOf: async (source, url) => markdownTruth(source, url),
      close,
    };
  };
}

/** The last part of the path of an address, without its ending. */
function lastPart(url: string): string {
  const parts = new URL(url).pathname.split('/').filter((part) => part !== '');
  return (parts.at(-1) ?? '').replace(/\.html$/, '');
}
