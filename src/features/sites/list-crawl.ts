import { z } from 'zod';
import type { WorkOperation } from '#engine/call/operation.ts';
import { buildReader } from '#engine/call/validation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import type { JsonObject } from '#kernel/json.ts';
import { wholeNumber } from '#kernel/numbers.ts';
import { memberOf } from '#extract/values/json.ts';
import { buildNamesReader } from './endpoint.ts';
import type { EndpointCall, SiteEndpoint } from './endpoint.ts';

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

/** One call of a crawl of a list. */
export type ListCrawlCall = {
  /** The call of the list without a cursor or a limit. */
  readonly asked: EndpointCall;
  readonly mostResults: number;
  readonly mostPages: number;
};

/** A crawl of the whole list of an endpoint, as a job: its operation, and the list that it reads page by page. */
export type ListCrawl = Pick<ListCrawlDeclaration, 'by'> & {
  readonly operation: WorkOperation & { readonly list: string };
  readonly endpoint: SiteEndpoint;
  /** Reads the parameters of a call; throws `invalid_request`. */
  readonly accept: (raw: unknown) => ListCrawlCall;
};

/** Pages of the site that are read where a crawl is bounded by its results. */
const MOST_PAGES = 200;
/** Parameters of a list that choose a part of it. */
const OF_PARTS: ReadonlySet<string> = new Set(['cursor', 'limit']);

/** Declares the crawl of the list that an endpoint gives page by page; it has no parsing of its own. */
export function crawlOf(endpoint: SiteEndpoint, declaration: ListCrawlDeclaration): ListCrawl {
  const { operation: page, list } = endpoint;
  if (list === null || page.route === null) throw new Error(`${page.id}: only a list that pages can be crawled`);
  const { method, summary, by, bound } = declaration;
  const ofBound = { [bound.name]: wholeNumber(1, bound.most).default(bound.default).describe(sayBound(bound)) };
  const parameters = { ...parametersOf(endpoint), ...ofBound };
  const readNames = buildNamesReader(parameters);
  const readBound = buildReader(z.object(ofBound));
  const accept = (raw: unknown): ListCrawlCall => {
    const { [bound.name]: asked, ...rest } = readNames(raw).input;
    const most = Number(readBound({ [bound.name]: asked }).input[bound.name]);
    return {
      asked: endpoint.accept(rest),
      mostResults: bound.name === 'max_results' ? most : Number.MAX_SAFE_INTEGER,
      mostPages: bound.name === 'max_pages' ? most : MOST_PAGES,
    };
  };
  return {
    by,
    endpoint,
    accept,
    operation: {
      ...page,
      id: `${page.id}.crawl`,
      route: `${method} /${page.route.slice(page.route.indexOf('/') + 1)}/crawl`,
      summary,
      price: { ...page.price, per: 'page' },
      input: z.strictObject(parameters),
      output: toOutput(endpoint, list),
      example: { ...endpoint.canary, [bound.name]: bound.default },
      list,
      isLongRunning: true,
      isClosed: false,
      mayQueue: true,
      read(raw) {
        accept(raw);
        return { deprecated: [] };
      },
    },
  };
}

/** The option gate: credits are set aside page by page, and a job has the time of its plan. */
export function admitListCrawl(
  admitted: Admission,
  { asked }: ListCrawlCall,
  { plan }: Pick<AdmissionFacts, 'plan'>,
): Admission {
  const jobTimeoutMs = asked.options.timeout_ms ?? plan.job_timeout_ms ?? Number.MAX_SAFE_INTEGER;
  return { ...admitted, jobTimeoutMs };
}

function sayBound({ name }: Bound): string {
  return name === 'max_results' ? 'Elements to return at most' : 'Pages of the site to read at most';
}

/** The parameters of a list but those of its parts, other names of them included. */
function parametersOf({ parameters, aliases }: SiteEndpoint): SiteEndpoint['parameters'] {
  const left = new Set([...OF_PARTS, ...[...OF_PARTS].flatMap((name) => aliases[name] ?? [])]);
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !left.has(name)));
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
