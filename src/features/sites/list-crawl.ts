import { z } from 'zod';
import { sealWork } from '#engine/call/operation.ts';
import type { Reader, WorkOperation } from '#engine/call/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import type { JsonObject } from '#kernel/json.ts';
import { wholeNumber } from '#kernel/numbers.ts';
import { memberOf } from '#extract/values/json.ts';
import type { SiteEndpoint } from './endpoint.ts';
import { COMMON, withOptions } from '#features/schema/parameters.ts';
import type { CallOptions, EndpointCall } from '#features/schema/parameters.ts';

/** Why a crawl of a list ended. */
export const LIST_STOP_REASONS = [
  'exhausted',
  'max_results',
  'max_pages',
  'max_credits',
  'credits_exhausted',
  'daily_cap',
  'failed',
  'timeout',
  'cancelled',
  'interrupted',
] as const;

export type ListStopReason = (typeof LIST_STOP_REASONS)[number];

/** The bound of a crawl of a list: elements, or pages of the site. */
type Bound = { readonly name: 'max_results' | 'max_pages'; readonly default: number; readonly most: number };

export type ListCrawlDeclaration = {
  readonly method: 'GET' | 'POST';
  readonly summary: string;
  /** The member by which an element of the list is one; each is kept once. */
  readonly by: string;
  readonly bound: Bound;
};

type CrawlOptions = Pick<CallOptions, 'timeout_ms' | 'max_age_ms'> & {
  readonly max_results?: number;
  readonly max_pages?: number;
};

/** One call of a crawl of a list: that of the list without a cursor or a limit, and its bound. */
export type ListCrawlCall = EndpointCall<CrawlOptions>;

/** A crawl of the whole list of an endpoint, as a job: its operation, and the list that it reads page by page. */
export type ListCrawl = Pick<ListCrawlDeclaration, 'by'> & {
  readonly operation: WorkOperation & { readonly list: string };
  readonly endpoint: SiteEndpoint;
  /** Reads the parameters of a call, once; throws `invalid_request`. */
  readonly read: Reader<ListCrawlCall>;
};

/** Pages of the site that are read where a crawl is bounded by its results. */
export const MOST_CRAWL_PAGES = 200;
/** Declares the crawl of the list that an endpoint gives page by page; it has no parsing of its own. */
export function crawlOf(endpoint: SiteEndpoint, declaration: ListCrawlDeclaration): ListCrawl {
  const { operation: page, list } = endpoint;
  if (list === null) throw new Error(`${page.id}: only a list that pages can be crawled`);
  const { method, summary, by, bound } = declaration;
  const { schema, read } = withOptions(endpoint.own, optionsOf(bound));
  const operation = sealWork(
    {
      ...page,
      ...nameOf(page, method),
      summary,
      price: { ...page.price, per: 'page' },
      input: schema,
      output: toOutput(endpoint, list),
      example: { ...endpoint.canary, [bound.name]: bound.default },
      list,
      isLongRunning: true,
    },
    read,
  );
  return { by, endpoint, operation: { ...operation, list }, read };
}

function optionsOf({ name, default: preset, most }: Bound): z.ZodObject & z.ZodType<CrawlOptions> {
  const number = wholeNumber(1, most).default(preset);
  return name === 'max_results'
    ? z.strictObject({ max_results: number.describe('Elements to return at most'), ...COMMON })
    : z.strictObject({ max_pages: number.describe('Pages of the site to read at most'), ...COMMON });
}

/** A crawl is named after its list; a list without a route of its own is there for its crawl alone, and has its name. */
function nameOf(
  { id, route }: WorkOperation,
  method: ListCrawlDeclaration['method'],
): Pick<WorkOperation, 'id' | 'route'> {
  if (route === null) return { id, route: `${method} /v1/${id.replaceAll('.', '/')}` };
  return { id: `${id}.crawl`, route: `${method} /${route.slice(route.indexOf('/') + 1)}/crawl` };
}

/** The option gate: credits are set aside page by page, and a job has the time of its plan. */
export function admitListCrawl(
  admitted: Admission,
  { options }: ListCrawlCall,
  { plan }: Pick<AdmissionFacts, 'plan'>,
): Admission {
  const jobTimeoutMs = options.timeout_ms ?? plan.job_timeout_ms ?? Number.MAX_SAFE_INTEGER;
  return { ...admitted, jobTimeoutMs };
}

function toOutput({ operation }: SiteEndpoint, list: string): z.ZodObject {
  const { output } = operation;
  if (!(output instanceof z.ZodObject)) throw new Error(`${operation.id}: the output of a list is an object`);
  const { next_cursor: _, ...members } = output.shape;
  return z.object({
    ...members,
    pages_fetched: z.int().describe(`Pages of the site that ${list} were read from`),
    truncated: z.boolean().describe('Whether the list of the site may have more than was returned'),
    exhausted: z.boolean().describe('Whether the list of the site was read to its end'),
    stop_reason: z.enum(LIST_STOP_REASONS),
  });
}

/** The elements of one page, of the members of its record. */
export function elementsOf(record: JsonObject, list: string): readonly unknown[] {
  const given = record[list];
  return Array.isArray(given) ? given : [];
}

/** The name of an element by which it is one; null for one without. */
export function elementName(element: unknown, by: string): string | null {
  const name = memberOf(element, by);
  return typeof name === 'string' || typeof name === 'number' ? String(name) : null;
}
