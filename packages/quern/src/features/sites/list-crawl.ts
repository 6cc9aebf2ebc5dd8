import { z } from 'zod';
import type { WorkOperation } from '#engine/call/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { getMember } from '#extract/values/json.ts';
import type { CrawlLimit, ListCrawl } from '#sites/framework/endpoint.ts';
import { buildEndpointOperation, type ServedEndpoint, toServedEndpoint } from './endpoint.ts';
import { COMMON_FIELDS, type EndpointCall } from '#features/schema/parameters.ts';

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

/** A crawl of the whole list of an endpoint as a job: its operation, and the list endpoint it reads. */
export type ServedListCrawl = Pick<ListCrawl, 'by' | 'list'> & {
  readonly operation: ServedEndpoint['operation'];
  readonly endpoint: ServedEndpoint;
};

/** The page limit of crawls that are limited by `max_results`. */
export const DEFAULT_MAX_PAGES = 200;

/** Converts a list crawl to an operation. */
export function toServedCrawl(
  { endpoint, method, summary, by, bound, list }: ListCrawl,
  isVerified: boolean,
): ServedListCrawl {
  const served = toServedEndpoint(endpoint, isVerified);
  const { plan, errors, price, site } = served.operation;
  const operation = buildEndpointOperation(
    {
      ...buildName(served.operation, method),
      summary,
      plan,
      price: { ...price, per: 'page' },
      errors,
      example: { ...endpoint.canary, [bound.name]: bound.default },
      canQueue: true,
      list,
      isLongRunning: true,
      ...(site === undefined ? {} : { site }),
    },
    {
      parameters: endpoint.parameters,
      shared: [],
      buildFields: () => buildFields(bound),
      buildOutput: () => buildOutput(served.operation, list),
    },
  );
  return { by, list, endpoint: served, operation };
}

function buildFields({ name, default: preset, max }: CrawlLimit): z.ZodRawShape {
  const number = wholeNumber(1, max).default(preset);
  return name === 'max_results'
    ? { max_results: number.describe('Most elements to return'), ...COMMON_FIELDS }
    : { max_pages: number.describe('Most pages of the site to read'), ...COMMON_FIELDS };
}

/** Names a crawl after its list. A list without a route exists only for its crawl and shares its id. */
function buildName({ id, route }: WorkOperation, method: ListCrawl['method']): Pick<WorkOperation, 'id' | 'route'> {
  if (route === null) return { id, route: `${method} /v1/${id.replaceAll('.', '/')}` };
  return { id: `${id}.crawl`, route: `${method} /${route.slice(route.indexOf('/') + 1)}/crawl` };
}

/** Admits a list crawl: it may use the job timeout of the plan, and credits are reserved page by page. */
export function admitListCrawl(
  admitted: Admission,
  { options }: EndpointCall,
  { plan }: Pick<AdmissionFacts, 'plan'>,
): Admission {
  const jobTimeoutMs = options.timeout_ms ?? plan.job_timeout_ms ?? Number.MAX_SAFE_INTEGER;
  return { ...admitted, jobTimeoutMs };
}

function buildOutput({ output }: ServedEndpoint['operation'], list: string): z.ZodObject {
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
