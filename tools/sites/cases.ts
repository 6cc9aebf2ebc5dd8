import { parseInput } from '#testkit/sites/input.ts';
import { listSiteFolders, SITES_FOLDER } from '#testkit/sites/site-folders.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { InvariantError } from '#extract/invariant-error.ts';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import { buildSending } from '#features/sites/source-request.ts';
import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import type { SourceReadRequest } from '#sites/framework/source-reader.ts';
import { formatPostBody, type SiteRequest } from '#sites/framework/request.ts';
import { NO_SETTINGS, buildUrl } from '#sites/framework/site.ts';

const Capture = z.strictObject({ name: z.string(), url: z.string(), status: z.int().default(200), text: z.string() });

/** One page of a case. Its body is in a file next to the case, or in `body` if it is short. */
const CasePage = z.strictObject({
  /** The URL that the source must request. */
  requested: z.string(),
  /** The URL after redirects; by default `requested`. */
  url: z.string().optional(),
  post: z.string().optional(),
  status: z.int().default(200),
  headers: z.record(z.string(), z.string()).default({}),
  content_type: z.string().default('text/html; charset=utf-8'),
  file: z.string().optional(),
  body: z.string().optional(),
  captures: z.array(Capture).default([]),
});

/** A page, or several pages that are requested one after the other, and the expected verdict. */
export const Case = z.strictObject({
  /** Whether the page was written by hand in the site's format, or recorded from the site. */
  origin: z.enum(['made', 'recorded']),
  date: z.iso.date(),
  input: z.record(z.string(), z.unknown()),
  source: z.string(),
  cursor: z.string().nullable().default(null),
  limit: z.int().nullable().default(null),
  constants: z.record(z.string(), z.string()).default({}),
  pages: z.array(CasePage).min(1),
  /** The kind of the verdict and those of its members that are compared. A record is compared as a whole. */
  expect: z.looseObject({ kind: z.enum(['record', 'not_found', 'blocked', 'rate_limited', 'unusable', 'consent']) }),
});

export type Case = z.output<typeof Case>;

/** A case with the site and endpoint that it belongs to. `name` is its file name without the ending, such as `user--miller`. */
export type Fixture = { readonly site: string; readonly endpoint: string; readonly name: string; readonly case: Case };

/** Lists every case below `folder`, by default those of the project. */
export function listFixtures(folder: string = SITES_FOLDER): readonly Fixture[] {
  return [...listSiteFolders(folder)].flatMap(([site, siteFolder]) =>
    listSiteFixtures(join(siteFolder, 'fixtures'), site),
  );
}

function listSiteFixtures(folder: string, site: string): readonly Fixture[] {
  return listFiles(folder)
    .filter((file) => file.endsWith('.case.json'))
    .map((file) => {
      const name = file.slice(0, -'.case.json'.length);
      const given: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      const read = Case.safeParse(given);
      if (!read.success) throw new InvariantError(`${join(folder, file)}: ${read.error.message}`);
      return { site, endpoint: name.split('--')[0] ?? name, name, case: loadBodies(read.data, folder) };
    });
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

function loadBodies(read: Case, folder: string): Case {
  const pages = read.pages.map(({ file, ...page }) =>
    file === undefined ? page : { ...page, body: readFileSync(join(folder, file), 'utf8') },
  );
  return { ...read, pages };
}

/** Converts the id of an endpoint to the stem of its fixtures: `marketplace-item` for `socialnet.marketplace.item`. */
export function toFileStem({ site, id }: Pick<SiteEndpoint, 'site' | 'id'>): string {
  return id.slice(site.name.length + 1).replaceAll('.', '-');
}

export type ReplayResult = {
  readonly verdict: SiteVerdict;
  /** The requests in order: the URL, and the body of a POST request, else null. */
  readonly asked: readonly { readonly url: string; readonly post: string | null }[];
};

/** Builds the requests of a case and parses its pages, without network. */
export function replay(
  endpoint: SiteEndpoint,
  given: Case,
  readSource: (order: SourceReadRequest) => SiteVerdict,
): ReplayResult {
  const source = endpoint.sources.find(({ name }) => name === given.source);
  if (source === undefined) throw new InvariantError(`${endpoint.id} has no source ${given.source}`);
  const settings = { ...NO_SETTINGS, constants: given.constants };
  const { cursor, limit } = given;
  const input = parseInput(endpoint, given.input);
  let request: SiteRequest = source.request(
    input,
    buildSending(endpoint, settings, { cursor, limit, now: Date.parse(given.date) }),
  );
  let carry: unknown = undefined;
  const asked: { readonly url: string; readonly post: string | null }[] = [];
  let verdict: SiteVerdict | null = null;
  for (const page of given.pages) {
    const requested = buildUrl(endpoint.site, settings, request).href;
    asked.push({ url: requested, post: formatPostBody(request) });
    const { status, headers, content_type: contentType, body = '', captures } = page;
    verdict = readSource({
      endpoint: endpoint.id,
      source: source.name,
      input,
      page: { url: page.url ?? page.requested, requested, status, headers, contentType, carry },
      body: new TextEncoder().encode(body),
      captures,
      settings,
      cursor,
      limit,
    });
    if (verdict.kind === 'more') ({ request, carry } = verdict);
    else if (verdict.kind === 'consent') {
      const { cookies } = verdict;
      request = { ...request, cookies: { ...request.cookies, ...cookies } };
    }
  }
  if (verdict === null) throw new InvariantError('the case has no page');
  return { verdict, asked };
}
