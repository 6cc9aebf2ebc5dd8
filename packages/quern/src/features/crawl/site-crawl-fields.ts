import { z } from 'zod';
import type { CrawlProgress } from '#features/crawl/frontier/frontier.ts';
import { type AllFileCounts, hasReadAllFiles } from '#features/crawl/run/site-files.ts';
import type { FilterPatterns } from './frontier/url-patterns.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { type Price, toUsage } from '#engine/credits/prices.ts';
import { checkFilterPattern } from '#extract/urls/url-filter.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { SCOPE_KINDS } from '#extract/urls/scope.ts';
import { ServiceError } from '#kernel/errors.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import type { Warning } from '#kernel/warnings.ts';
import { CHANGES_OUTPUT } from '#features/schema/changes-fields.ts';
import { PASSAGES_OUTPUT } from '#features/schema/passages-fields.ts';
import { SESSION_FIELD } from '#features/schema/page-fields.ts';
import { type TierNeeds, PROXY_FIELDS, chooseTiers } from '#features/schema/page-admission.ts';
import { nameSchema } from '#extract/schema/names.ts';

/** Maximum length of a pattern in a warning. */
const MAX_SHOWN_PATTERN_CHARS = 200;
const MAX_SHOWN_PATTERNS = 5;
const FILTERS = ['include', 'exclude'] as const;
/** Minimum gap between two requests to a host that QUERN_ALLOW_TARGETS does not list. */
const MIN_DELAY_MS = 50;

/** More than a section of a site usually links to, and few enough to limit the cost of a crawler trap. */
export const MAX_PER_PATTERN = 10_000;

const Patterns = z
  .array(
    z.string().superRefine((pattern, context) => {
      const problem = checkFilterPattern(pattern);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    }),
  )
  .max(100)
  .default([]);

/** Maximum number of pages of a crawl without `max_pages`, and of an inline crawl. */
export const DEFAULT_MAX_PAGES = 25;

/** The outputs of a page that has its own. Changes are compared for all pages of a call or for none. */
export const PageOutputs = z
  .array(z.enum([...OUTPUTS, 'screenshot', 'summary', PASSAGES_OUTPUT]))
  .min(1)
  .refine((names) => new Set(names).size === names.length, 'must not list a format twice');

/** The outputs of each page. */
export const CrawlOutputs = z
  .array(z.enum([...OUTPUTS, 'screenshot', 'summary', PASSAGES_OUTPUT, CHANGES_OUTPUT]))
  .min(1)
  .refine((names) => new Set(names).size === names.length, 'must not list a format twice')
  .default(['markdown'])
  .describe(
    'Formats to return; screenshot needs a browser and is stored as a file, summary needs a model, passages quotes what matches a query, changes compares each page with its last copy',
  );

/** The input fields that limit a crawl or map of a site. */
export const SITE_CRAWL_FIELDS = {
  scope: z
    .enum(SCOPE_KINDS)
    .default('host')
    .describe('Which URLs are in scope, relative to the start; any: links to other sites too'),
  include: Patterns.describe(
    'Globs on path and query, or re: and an RE2 expression, or url: and one for the whole URL; only matching links are followed',
  ),
  exclude: Patterns.describe('Patterns of the same form; matching links are skipped'),
  max_per_pattern: wholeNumber(1, 1_000_000)
    .default(MAX_PER_PATTERN)
    .describe(
      'Maximum number of links followed per path pattern, such as /maze/*, against crawler traps; URLs from sitemaps are not counted',
    ),
  ignore_query: z
    .boolean()
    .default(false)
    .describe('Treat URLs that differ only in their query as one page: the first one found is requested'),
  hash_routes: z
    .boolean()
    .default(false)
    .describe('Treat links that differ only after #/ or #! as separate pages; a browser loads every page'),
  ...PROXY_FIELDS,
  timeout_ms: wholeNumber(1)
    .optional()
    .describe("Total time limit in ms; above the plan's inline limit the call runs as a job"),
  respect_robots: z
    .boolean()
    .default(true)
    .describe('Obey robots.txt, also for redirects; a crawl does not store pages marked noindex'),
  follow_actions: z
    .boolean()
    .default(false)
    .describe(
      'With cookies, a session or a login header: also follow links that log out, delete, unsubscribe or fill a cart',
    ),
  delay_ms: wholeNumber(0, 30_000)
    .optional()
    .describe('Fixed gap between two requests to one host in ms; robots.txt may require a longer one'),
  max_credits: wholeNumber(1).optional().describe('Maximum number of credits that the call may cost'),
  ...SESSION_FIELD,
} as const;

/** The counts of a crawl that its warnings need. */
type SiteProgress = Pick<
  CrawlProgress,
  | 'unfollowedDuplicates'
  | 'unfollowedUnmatched'
  | 'overPattern'
  | 'skipped'
  | 'stored'
  | 'matched'
  | 'discovered'
  | 'hashRoute'
  | 'barren'
>;

/** The result of a crawl or map that its warnings need. */
type SiteEnd = {
  /** The other site that the seed redirects to, null for none. */
  readonly redirectedTo: string | null;
  readonly progress: SiteProgress;
  readonly files: AllFileCounts | null;
};

/** Whether a crawl skipped links that could have led to more URLs. */
export function hasSkippedLinks({ overPattern, unfollowedUnmatched, barren }: SiteProgress): boolean {
  return overPattern.links > 0 || unfollowedUnmatched > 0 || barren.pages > 0;
}

/** Headers that carry a login. */
const LOGIN_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-access-token',
]);

type LoginOptions = {
  readonly session?: string | undefined;
  readonly fetch: { readonly headers: Readonly<Record<string, string>>; readonly cookies: readonly unknown[] };
};

/** Whether the pages of a crawl are requested with a login: a session, cookies or an authorization header. */
export function hasLogin({ session, fetch: { headers, cookies } }: LoginOptions): boolean {
  if (session !== undefined || cookies.length > 0) return true;
  return Object.keys(headers).some((name) => LOGIN_HEADERS.has(name.toLowerCase()));
}

/** Whether a crawl skips links that would end its login or change something. */
export function skipsActions(input: LoginOptions & { readonly follow_actions: boolean }): boolean {
  return hasLogin(input) && !input.follow_actions;
}

/** Refuses a scope of every site for requests with a login, which other sites would receive. */
export function checkScope(
  { scope, fetch: { headers, cookies } }: LoginOptions & { readonly scope: string },
  context: z.RefinementCtx,
): void {
  if (scope !== 'any' || !hasLogin({ fetch: { headers, cookies } })) return;
  const message = 'any cannot be combined with cookies or a login header, which other sites would receive';
  context.addIssue({ code: 'custom', path: ['scope'], message });
}

/** Builds the warnings about what a crawl or map skipped. */
export function buildWarnings(
  { redirectedTo, progress, files }: SiteEnd,
  patterns: FilterPatterns,
): readonly Warning[] {
  const { unfollowedDuplicates, unfollowedUnmatched, overPattern, barren, skipped, stored } = progress;
  const warnings: Warning[] = [];
  if (redirectedTo !== null)
    warnings.push({
      code: 'scope_left',
      message: `the start URL redirects to another site, ${redirectedTo}: start there instead`,
    });
  if (stored === 0 && skipped.noindex > 0)
    warnings.push({
      code: 'left_out',
      message: `${skipped.noindex} pages are marked noindex, and no other page was stored: set respect_robots to false to store them`,
    });
  if (skipped.action > 0)
    warnings.push({
      code: 'links_not_followed',
      message: `${skipped.action} links would log out, delete, unsubscribe or fill a cart, and were skipped because the call has a login: set follow_actions to true to follow them`,
    });
  if (skipped.login > 0)
    warnings.push({
      code: 'auth_required',
      message: `${skipped.login} pages showed a login form instead of their content: renew the session, cookies or headers of the call`,
    });
  if (unfollowedDuplicates > 0)
    warnings.push({
      code: 'links_not_followed',
      message: `${unfollowedDuplicates} pages are duplicates that link to more and more new URLs, which were skipped: add a pattern for them to exclude`,
    });
  if (barren.pages > 0)
    warnings.push({
      code: 'links_not_followed',
      message: `${barren.pages} URLs, such as ${barren.url}, were skipped: only duplicates link to them, and the visited pages of their kind are duplicates too`,
    });
  if (unfollowedUnmatched > 0)
    warnings.push({
      code: 'links_not_followed',
      message: `${unfollowedUnmatched} pages that do not match include link to further URLs, which were skipped: a larger max_pages follows more of them`,
    });
  if (overPattern.links > 0)
    warnings.push({
      code: 'links_not_followed',
      message: `${overPattern.links} URLs exceed max_per_pattern of one path pattern, such as ${(overPattern.pattern ?? '').slice(0, MAX_SHOWN_PATTERN_CHARS)}, and were skipped: raise max_per_pattern, or add the pattern to exclude`,
    });
  if (progress.hashRoute !== null)
    warnings.push({
      code: 'hash_routes',
      message: `links that differ only after #, such as ${progress.hashRoute}, were not followed: set hash_routes to true to follow them in a browser`,
    });
  if (files !== null) warnings.push(...warnUnreadFiles(files));
  if (redirectedTo === null) warnings.push(...warnUnmatchedPatterns(progress, patterns));
  return warnings;
}

/** Warns about files that could have listed more pages. */
function warnUnreadFiles(files: AllFileCounts): readonly Warning[] {
  if (hasReadAllFiles(files)) return [];
  const [first] = Object.values(files)
    .flatMap(({ errors }) => errors)
    .filter(({ code }) => code !== 'not_found');
  const message =
    first === undefined
      ? 'the site has more sitemaps, or larger ones, than are read: pages listed only in the rest are missing'
      : `a sitemap or feed could not be read, so pages may be missing: ${first.url}: ${first.message}`;
  return [{ code: 'left_out', message }];
}

/** Warns about patterns that matched no URL: they may be misspelt. */
function warnUnmatchedPatterns(
  { matched, discovered }: Pick<CrawlProgress, 'matched' | 'discovered'>,
  patterns: FilterPatterns,
): readonly Warning[] {
  return FILTERS.flatMap((member): readonly Warning[] => {
    const unmatched = patterns[member].filter((_, at) => !matched[member].includes(at));
    if (unmatched.length === 0) return [];
    const shown = unmatched.slice(0, MAX_SHOWN_PATTERNS).map((pattern) => pattern.slice(0, MAX_SHOWN_PATTERN_CHARS));
    const more = unmatched.length - shown.length;
    return [
      {
        code: 'pattern_unmatched',
        message: `${member}: none of the ${discovered} URLs found matches ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}; a glob must match the whole path and query`,
      },
    ];
  });
}

/** Pages that could not be loaded. */
export const PageErrors = z
  .array(
    nameSchema(
      'PageError',
      z.object({ url: z.string(), status_code: z.int().optional(), code: z.string(), message: z.string() }),
    ),
  )
  .readonly();

/** Result of reading the files of one source. */
export const FileReport = z.object({
  read: z.int().describe('Files or pages that were read'),
  refused: z.int().describe('URLs that were skipped'),
  errors: PageErrors,
});

type SiteCrawlInput = Pick<
  z.output<z.ZodObject<typeof SITE_CRAWL_FIELDS>>,
  'proxy' | 'use_proxy' | 'delay_ms' | 'timeout_ms' | 'max_credits'
>;

/** The seeds of a crawl or map, the price of a unit (page or URL), and how many units are requested and allowed. */
type SiteCrawlRequest = {
  readonly seeds: readonly string[];
  /** The input field that has the seeds: one URL, or a list. */
  readonly seedField: 'url' | 'urls';
  readonly price: Price;
  /** Credits of each unit in addition to its price, for any tier. */
  readonly extraCredits: number;
  readonly countField: 'max_pages' | 'max_urls' | 'urls';
  readonly count: number;
  /** Null for no limit. */
  readonly maxCount: number | null;
  readonly needs: TierNeeds;
};

/**
 * Checks the options of a crawl or map against the plan and the settings. Throws `invalid_request` and
 * `plan_upgrade_required`.
 */
export function admitSiteCrawl(
  input: SiteCrawlInput,
  { plan, readTarget, isOpened }: AdmissionFacts,
  { seeds, seedField, price, extraCredits, countField, count, maxCount, needs }: SiteCrawlRequest,
): Admission {
  for (const [at, text] of seeds.entries()) {
    const url = readTarget(text, seedField === 'url' ? seedField : `${seedField}.${at}`);
    if (input.delay_ms !== undefined && input.delay_ms < MIN_DELAY_MS && !isOpened(url)) {
      throw new ServiceError(
        'invalid_request',
        `delay_ms: must be at least ${MIN_DELAY_MS} unless QUERN_ALLOW_TARGETS lists the host, and ${url.host} is not listed`,
      );
    }
  }
  if (maxCount !== null && count > maxCount) {
    throw new ServiceError('plan_upgrade_required', `${countField}: plan ${plan.name} allows ${maxCount} a call`);
  }
  const tiers = chooseTiers(input, plan, needs);
  const cheapest = toUsage(price, tiers[0] ?? 'http').credits + extraCredits;
  const maxCredits = input.max_credits ?? null;
  if (maxCredits !== null && maxCredits < cheapest) {
    throw new ServiceError(
      'invalid_request',
      `max_credits: must be at least ${cheapest}, the lowest cost of this call`,
    );
  }
  return {
    timeoutMs: input.timeout_ms ?? plan.inline_timeout_ms,
    jobTimeoutMs: input.timeout_ms ?? plan.job_timeout_ms ?? Number.MAX_SAFE_INTEGER,
    tiers,
    cheapest,
    maxCredits,
  };
}
