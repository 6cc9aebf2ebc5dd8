import { z } from 'zod';
import type { CrawlProgress } from '#features/crawl/frontier/frontier.ts';
import { type AllFileCounts, hasReadAllFiles } from '#features/crawl/run/site-files.ts';
import type { FilterPatterns } from './frontier/url-patterns.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { type Price, toUsage } from '#engine/credits/prices.ts';
import { checkFilterPattern } from '#extract/urls/filters.ts';
import { SCOPE_KINDS } from '#extract/urls/scope.ts';
import { ServiceError } from '#kernel/errors.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import type { Warning } from '#kernel/warnings.ts';
import { SESSION_FIELD } from '#features/schema/page-fields.ts';
import { type Needs, PROXY_FIELDS, toReach } from '#features/schema/reach.ts';
import { named } from '#extract/schema/names.ts';

/** Characters of a pattern that a warning names. */
const MAX_SHOWN_PATTERN_CHARS = 200;
const MAX_SHOWN_PATTERNS = 5;
const FILTERS = ['include', 'exclude'] as const;
/** Shortest gap between two starts at a host that the settings do not open. */
const MIN_DELAY_MS = 50;

/** More than a section without a sitemap usually links to, and few enough that a maze costs little. */
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

/** The members by which a caller bounds a crawl or map of a site. */
export const SITE_CRAWL_FIELDS = {
  scope: z.enum(SCOPE_KINDS).default('host').describe('How far from the start'),
  include: Patterns.describe('Globs on path and query, or re: and an RE2 expression; only these are followed'),
  exclude: Patterns.describe('The same for what is left out'),
  max_per_pattern: wholeNumber(1, 1_000_000)
    .default(MAX_PER_PATTERN)
    .describe(
      'Links of one pattern of paths, such as /maze/*, that are followed, against sites without end; what sitemaps name is not counted',
    ),
  hash_routes: z
    .boolean()
    .default(false)
    .describe('Follow links that differ only behind #/ or #! as pages of their own; a browser shows every page'),
  ...PROXY_FIELDS,
  timeout_ms: wholeNumber(1)
    .optional()
    .describe("Wall clock in ms; above the plan's inline limit the call becomes a job"),
  respect_robots: z
    .boolean()
    .default(true)
    .describe('Obey robots.txt, also where a redirect leads; a crawl stores no page that says noindex'),
  follow_actions: z
    .boolean()
    .default(false)
    .describe(
      'With cookies, a session or a login in headers: follow links that log out, delete, unsubscribe or fill a cart',
    ),
  delay_ms: wholeNumber(0, 30_000)
    .optional()
    .describe('Fixed gap between two starts at one host in ms; robots.txt may ask for a longer one'),
  max_credits: wholeNumber(1).optional().describe('Ceiling for what the call may cost'),
  ...SESSION_FIELD,
} as const;

/** The counts of a crawl that its warnings are about. */
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

/** What the warnings about the end of a crawl or map are made from. */
type SiteEnd = {
  /** The other site that the start leads to, null for none. */
  readonly redirectedTo: string | null;
  readonly progress: SiteProgress;
  readonly files: AllFileCounts | null;
};

/** Whether a crawl left out links that would have led to more addresses. */
export function hasSkippedLinks({ overPattern, unfollowedUnmatched, barren }: SiteProgress): boolean {
  return overPattern.links > 0 || unfollowedUnmatched > 0 || barren.pages > 0;
}

/** Headers by which a caller logs in. */
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

/** Whether the pages of a crawl are asked for with a login: a session, cookies or a header that carries one. */
export function hasLogin({ session, fetch: { headers, cookies } }: LoginOptions): boolean {
  if (session !== undefined || cookies.length > 0) return true;
  return Object.keys(headers).some((name) => LOGIN_HEADERS.has(name.toLowerCase()));
}

/** Whether a crawl leaves out links that would end its login or change something. */
export function skipsActions(input: LoginOptions & { readonly follow_actions: boolean }): boolean {
  return hasLogin(input) && !input.follow_actions;
}

/** Warnings about what a site crawl left out: another site, pages that say noindex, links further into an endless space. */
export function buildWarnings(
  { redirectedTo, progress, files }: SiteEnd,
  patterns: FilterPatterns,
): readonly Warning[] {
  const { unfollowedDuplicates, unfollowedUnmatched, overPattern, barren, skipped, stored } = progress;
  const warnings: Warning[] = [];
  if (redirectedTo !== null)
    warnings.push({
      code: 'scope_left',
      message: `the start leads to another site, ${redirectedTo}: ask for that one instead`,
    });
  if (stored === 0 && skipped.noindex > 0)
    warnings.push({
      code: 'left_out',
      message: `${skipped.noindex} pages say noindex, and none else was stored: respect_robots: false keeps such pages`,
    });
  if (skipped.action > 0)
    warnings.push({
      code: 'links_not_followed',
      message: `${skipped.action} links would log out, delete, unsubscribe or fill a cart, and were left out because the call has a login: follow_actions: true follows them`,
    });
  if (skipped.login > 0)
    warnings.push({
      code: 'auth_required',
      message: `${skipped.login} pages showed a login form instead of their content: renew the session, cookies or headers of the call`,
    });
  if (unfollowedDuplicates > 0)
    warnings.push({
      code: 'links_not_followed',
      message: `${unfollowedDuplicates} addresses repeat stored pages and link to ever new ones, which were left out; exclude can name such addresses`,
    });
  if (barren.pages > 0)
    warnings.push({
      code: 'links_not_followed',
      message: `${barren.pages} addresses that only pages without new content link to, such as ${barren.url}, were left out: those visited of their kind repeat stored pages`,
    });
  if (unfollowedUnmatched > 0)
    warnings.push({
      code: 'links_not_followed',
      message: `${unfollowedUnmatched} pages that include does not match link to further addresses, which were left out: a larger max_pages follows more of them`,
    });
  if (overPattern.links > 0)
    warnings.push({
      code: 'links_not_followed',
      message: `${overPattern.links} addresses are more than max_per_pattern of one pattern, such as ${(overPattern.pattern ?? '').slice(0, MAX_SHOWN_PATTERN_CHARS)}, and were left out: raise it, or let exclude name them`,
    });
  if (progress.hashRoute !== null)
    warnings.push({
      code: 'hash_routes',
      message: `pages of the site differ only behind #, such as ${progress.hashRoute}, and were not followed: hash_routes: true follows them, by a browser`,
    });
  if (files !== null) warnings.push(...warnUnreadFiles(files));
  if (redirectedTo === null) warnings.push(...warnUnmatchedPatterns(progress, patterns));
  return warnings;
}

/** A warning about files that could have named more pages. */
function warnUnreadFiles(files: AllFileCounts): readonly Warning[] {
  if (hasReadAllFiles(files)) return [];
  const [first] = Object.values(files)
    .flatMap(({ errors }) => errors)
    .filter(({ code }) => code !== 'not_found');
  const message =
    first === undefined
      ? 'the site has more sitemaps, or larger ones, than are read: pages that only the rest names are missing'
      : `a file that names pages could not be read, so some may be missing: ${first.url}: ${first.message}`;
  return [{ code: 'left_out', message }];
}

/** Warnings about patterns that matched no address: they may be misspelt. */
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
        message: `${member}: none of the ${discovered} addresses found matches ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}; a glob is matched against the whole of path and query`,
      },
    ];
  });
}

/** Pages that a site crawl could not get. */
export const PageErrors = z
  .array(
    named(
      'PageError',
      z.object({ url: z.string(), status_code: z.int().optional(), code: z.string(), message: z.string() }),
    ),
  )
  .readonly();

/** What came of the files of one source. */
export const FileReport = z.object({
  read: z.int().describe('Files or pages that were read'),
  refused: z.int().describe('Addresses that were left out'),
  errors: PageErrors,
});

type SiteCrawlInput = z.output<z.ZodObject<typeof SITE_CRAWL_FIELDS>>;

/** The seeds of a site crawl, the price of its unit, and how many units are requested and allowed. */
type SiteCrawlRequest = {
  readonly seeds: readonly string[];
  /** The member that named them: one address, or a list. */
  readonly seedField: 'url' | 'urls';
  readonly price: Price;
  /** Credits of each unit in addition to its price, whichever tier serves it. */
  readonly extraCredits: number;
  readonly countField: 'max_pages' | 'max_urls';
  readonly count: number;
  /** Null for no limit. */
  readonly maxCount: number | null;
  readonly needs: Needs;
};

/** The option gate of a crawl or map that starts at `seeds`. Throws `invalid_request` and `plan_upgrade_required`. */
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
        `delay_ms: below ${MIN_DELAY_MS} only where QUERN_ALLOW_TARGETS names the host, and ${url.host} is not in it`,
      );
    }
  }
  if (maxCount !== null && count > maxCount) {
    throw new ServiceError('plan_upgrade_required', `${countField}: plan ${plan.name} allows ${maxCount} a call`);
  }
  const tiers = toReach(input, plan, needs);
  const cheapest = toUsage(price, tiers[0] ?? 'http').credits + extraCredits;
  const maxCredits = input.max_credits ?? null;
  if (maxCredits !== null && maxCredits < cheapest) {
    throw new ServiceError('invalid_request', `max_credits: the cheapest outcome of this call costs ${cheapest}`);
  }
  return {
    timeoutMs: input.timeout_ms ?? plan.inline_timeout_ms,
    jobTimeoutMs: input.timeout_ms ?? plan.job_timeout_ms ?? Number.MAX_SAFE_INTEGER,
    tiers,
    cheapest,
    maxCredits,
  };
}
