import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import { TIERS } from '#access/page.ts';
import { readJsonFile } from '#kernel/json-file.ts';
import { NO_SETTINGS, type Site, type SiteSettings } from '#sites/framework/site.ts';

/** An unknown name in QUERN_SITES_FILE. */
class SitesFileError extends Error {}

/** The operator's settings by site name. */
export type SiteBook = { readonly of: (site: string) => SiteSettings };

const Origin = z.string().refine(isOrigin, 'must be an origin such as https://host or http://127.0.0.1:9001');
const TextMap = z.record(z.string(), z.string().max(10_000));

const Entry = z.strictObject({
  origins: z.record(z.string(), Origin).default({}),
  credentials: TextMap.default({}),
  tiers: z.array(z.enum(TIERS)).min(1).optional(),
  constants: TextMap.default({}),
  cache_seconds: z.int().min(0).max(604_800).optional(),
});
const SitesFile = z.record(z.string(), Entry);

/**
 * Loads a sites file (JSON); without a file there are no settings, and the sites are not listed. Throws `OperatorError`.
 */
export function loadSiteSettings(file: string | null, listSites: () => readonly Site[]): SiteBook {
  const entries = file === null ? {} : readSitesFile(file, listSites());
  const settled = new Map(Object.entries(entries).map(([name, entry]) => [name, toSettings(entry)]));
  return { of: (site) => settled.get(site) ?? NO_SETTINGS };
}

function readSitesFile(file: string, sites: readonly Site[]): z.output<typeof SitesFile> {
  return readJsonFile({ setting: 'QUERN_SITES_FILE', file }, (content) => {
    const entries = SitesFile.parse(content);
    for (const [name, entry] of Object.entries(entries)) assertKnownEntry(name, entry, sites);
    return entries;
  });
}

/** Rejects unknown names, because a misspelled setting would have no effect. */
function assertKnownEntry(name: string, entry: z.output<typeof Entry>, sites: readonly Site[]): void {
  const site = sites.find((candidate) => candidate.name === name);
  if (site === undefined)
    throw createUnknownNameError(
      '',
      name,
      sites.map((candidate) => candidate.name),
    );
  const families = Object.keys(site.origins).map((origin) => origin.split('.')[0] ?? origin);
  assertKnownNames(`${name}.origins.`, Object.keys(entry.origins), [...Object.keys(site.origins), ...families]);
  assertKnownNames(`${name}.constants.`, Object.keys(entry.constants), Object.keys(site.constants ?? {}));
  assertKnownNames(`${name}.credentials.`, Object.keys(entry.credentials), site.credentials ?? []);
}

function assertKnownNames(prefix: string, names: readonly string[], known: readonly string[]): void {
  for (const name of names) if (!known.includes(name)) throw createUnknownNameError(prefix, name, known);
}

function createUnknownNameError(prefix: string, name: string, known: readonly string[]): Error {
  const hint = known.length === 0 ? 'the site has none of these' : `the nearest is ${closest(name, [...known])}`;
  return new SitesFileError(`${prefix}${name}: is not known; ${hint}`);
}

function toSettings({ origins, credentials, tiers, constants, cache_seconds }: z.output<typeof Entry>): SiteSettings {
  return { origins, credentials, constants, tiers: tiers ?? null, cacheSeconds: cache_seconds ?? null };
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}
