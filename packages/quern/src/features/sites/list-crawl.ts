import { InvariantError } from '#extract/invariant-error.ts';
import { z } from 'zod';
import { type InputReader, defineWork, type WorkOperation } from '#engine/call/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { getMember } from '#extract/values/json.ts';
import type { CrawlLimit, ListCrawl } from '#sites/framework/endpoint.ts';
import { type ServedEndpoint, toServedEndpoint } from './endpoint.ts';
import { type CallOptions, COMMON_FIELDS, type EndpointCall, buildEndpointInput } from '#features/schema/parameters.ts';

/** Why a list crawl ended. */
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

type CrawlOptions = Pick<CallOptions, 'timeout_ms' | 'max_age_ms'> & {
  readonly max_results?: number;
  readonly max_pages?: number;
};

/** The validated input of a list crawl: that of the list without cursor and limit, and its bound. */
export type ListCrawlCall = EndpointCall<CrawlOptions>;

/** A crawl of the whole list of an endpoint as a job: its operation, and the list endpoint it reads. */
export type ServedListCrawl = Pick<ListCrawl, 'by'> & {
  readonly operation: WorkOperation & { readonly list: string };
  readonly endpoint: ServedEndpoint;
  /** Validates the parameters of a call. Throws `invalid_request`. */
  readonly read: InputReader<ListCrawlCall>;
};

/** The page limit of crawls that are limited by `max_results`. */
export const DEFAULT_MAX_PAGES = 200;

/** Converts a list crawl to an operation. */
export function toServedCrawl(
  { endpoint, method, summary, by, bound, list }: ListCrawl,
  isVerified: boolean,
): ServedListCrawl {
  const served = toServedEndpoint(endpoint, isVerified);
  const { operation: page } = served;
  const { schema, read } = buildEndpointInput(endpoint.parameters, buildOptions(bound));
  const operation = defineWork(
    {
      ...page,
      ...buildName(page, method),
      summary,
      price: { ...page.price, per: 'page' },
      input: schema,
      output: buildOutput(page, list),
      example: { ...endpoint.canary, [bound.name]: bound.default },
      list,
      isLongRunning: true,
    },
    read,
  );
  return { by, endpoint: served, operation: { ...operation, list }, read };
}

function buildOptions({ name, default: preset, max }: CrawlLimit): z.ZodObject & z.ZodType<CrawlOptions> {
  const number = wholeNumber(1, max).default(preset);
  return name === 'max_results'
    ? z.strictObject({ max_results: number.describe('Most elements to return'), ...COMMON_FIELDS })
    : z.strictObject({ max_pages: number.describe('Most pages of the site to read'), ...COMMON_FIELDS });
}

/** Names a crawl after its list. A list without a route exists only for its crawl and shares its id. */
function buildName({ id, route }: WorkOperation, method: ListCrawl['method']): Pick<WorkOperation, 'id' | 'route'> {
  if (route === null) return { id, route: `${method} /v1/${id.replaceAll('.', '/')}` };
  return { id: `${id}.crawl`, route: `${method} /${route.slice(route.indexOf('/') + 1)}/crawl` };
}

/** Admits a list crawl: it may use the job timeout of the plan, and credits are reserved page by page. */
export function admitListCrawl(
  admitted: Admission,
  { options }: ListCrawlCall,
  { plan }: Pick<AdmissionFacts, 'plan'>,
): Admission {
  const jobTimeoutMs = options.timeout_ms ?? plan.job_timeout_ms ?? Number.MAX_SAFE_INTEGER;
  return { ...admitted, jobTimeoutMs };
}

function buildOutput(operation: WorkOperation, list: string): z.ZodObject {
  const { output } = operation;
  if (!(output instanceof z.ZodObject)) throw new InvariantError(`${operation.id}: the output of a list is an object`);
  const { next_cursor: _, ...members } = output.shape;
  return z.object({
    ...members,
    pages_fetched: z.int().describe(`Number of site pages read for ${list}`),
    truncated: z.boolean().describe('Whether the list of the site may have more elements'),
    exhausted: z.boolean().describe('Whether the list of the site was read to its end'),
    stop_reason: z.enum(LIST_STOP_REASONS),
  });
}

/** Returns the list elements of a record. */
export function getElements(record: JsonObject, list: string): readonly unknown[] {
  const elements = record[list];
  return Array.isArray(elements) ? elements : [];
}

/** Returns the identifying value of an element; null if it has none. */
export function getElementName(element: unknown, by: string): string | null {
  const name = getMember(element, by);
  return typeof name === 'string' || typeof name === 'number' ? String(name) : null;
}
