import type { z } from 'zod';
import { InvariantError } from '#extract/invariant-error.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import type { SiteAnswer, SiteRecord } from './answers.ts';
import type { CaptureRule, RequestContext, SiteContext, SiteRequest, SourcePage } from './request.ts';
import { type BrowserActions, describeSite, type Site, type SiteDescription } from './site.ts';

/** How a page is requested and parsed. */
type PageAccess<I extends z.ZodObject, R extends z.ZodObject> = {
  readonly needs?: 'browser';
  readonly browser?: BrowserActions;
  /** Rules for the responses that the page loads in a browser. `parse` gets them in `page.captures`. */
  readonly captures?: readonly CaptureRule[];
  /** Builds the request. Pure. Throws `invalid_request` with `refuseParameter` if a parameter does not belong to the site. */
  readonly request: (input: z.output<I>, site: RequestContext) => SiteRequest;
  /** Parses the page. Pure. Returns an answer for an unexpected page; an exception counts as `unusable`. */
  readonly parse: (
    page: SourcePage,
    input: z.output<I>,
    site: SiteContext,
  ) => NoInfer<z.input<R> | SiteRecord<z.input<R>> | SiteAnswer>;
};

/** One of several ways to get the same data. */
export type EndpointSource<I extends z.ZodObject, R extends z.ZodObject> = PageAccess<I, R> & {
  readonly name: string;
  /** What the records of this source lack, as a sentence. Such answers are marked `partial`. */
  readonly lacks?: string;
  /** Whether the source can be used for this input. If not, it is skipped. By default always. */
  readonly when?: (site: RequestContext, input: z.output<I>) => boolean;
};

type EndpointFields<I extends z.ZodObject, R extends z.ZodObject> = {
  /** The path below `/v1/<site>`. `{name}` is a parameter of the input. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** The endpoint's own parameters. Rules about several parameters belong in `anyOf` or `request`. */
  readonly input: I;
  /** The fields of the response besides `provider` and `request_id`. A page without a non-nullable field is unusable. */
  readonly record: R;
  /** The input for a public, long-lived entity. The docs use it as the example, and `quern sites check` requests it. */
  readonly canary: z.input<I>;
  /** Alternative names of parameters. */
  readonly aliases?: Readonly<Partial<Record<keyof z.input<I> & string, readonly string[]>>> & {
    limit?: readonly string[];
  };
  /** Parameters of which at least one is required. */
  readonly anyOf?: readonly (keyof z.input<I> & string)[];
  /**
   * The field with the paginated array, or with an object of several arrays that are paginated together. The endpoint takes
   * `cursor` and returns `next_cursor`.
   */
  readonly list?: keyof z.output<R> & string;
  /** How many elements of `list` one response may have. */
  readonly limit?: ListLimit;
  /** Dotted paths of fields that are nearly always present. If their fill rate drops, the site has changed. */
  readonly expected?: readonly string[];
  /** Whether later sources are tried to fill the null fields of the first record. */
  readonly fill?: true;
  readonly price?: number;
  /** Whether the endpoint has no route and is only used by jobs and monitors. */
  readonly internal?: true;
  /** `open` (default): with `provider`, `request_id` and `usage`; `plain`: the record and `usage`; `closed`: the record only. */
  readonly shape?: ResponseShape;
};

export type EndpointDeclaration<I extends z.ZodObject, R extends z.ZodObject> = EndpointFields<I, R> &
  (PageAccess<I, R> | { readonly sources: readonly EndpointSource<I, R>[] });

/** A source without its type parameters. Its input must have been parsed by the endpoint's schema. */
export type UntypedSource = {
  readonly name: string;
  readonly needs: 'browser' | null;
  readonly browser: BrowserActions;
  readonly captures: readonly CaptureRule[];
  readonly lacks: string | null;
  // Methods, because method parameters are bivariant: a source with a narrower input type can be assigned.
  isUsable(site: RequestContext, input: JsonObject): boolean;
  request(input: JsonObject, site: RequestContext): SiteRequest;
  parse(page: SourcePage, input: JsonObject, site: SiteContext): unknown;
};

/** The endpoint's own parameters, without those that every endpoint takes. */
export type EndpointParameters = {
  readonly shape: Readonly<Record<string, z.core.$ZodType>>;
  /** The names in `shape`. */
  readonly names: readonly string[];
  /** Alternative names of parameters, including those that every endpoint takes. */
  readonly aliases: Readonly<Record<string, readonly string[] | undefined>>;
  /** Parameters of which at least one is required. */
  readonly anyOf: readonly string[];
};

/** How many elements one page of a list has by default and at most. */
export type ListLimit = { readonly default: number; readonly max: number };

/** Which fields surround the record in a response: all of them, only `usage`, or none. */
type ResponseShape = 'open' | 'plain' | 'closed';

/** An endpoint of a site: how its pages are requested, and how a page becomes a record. */
export type SiteEndpoint = {
  readonly site: Site;
  readonly about: SiteDescription;
  /** The site name and the path with dots: `socialnet.marketplace.item` for `/marketplace/item`. Parameters are left out. */
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  /** Credits per call; null for the default price of sites. */
  readonly price: number | null;
  /** Whether the endpoint has no route. */
  readonly isInternal: boolean;
  readonly parameters: EndpointParameters;
  readonly sources: readonly UntypedSource[];
  readonly record: z.ZodObject;
  readonly canary: JsonObject;
  readonly list: string | null;
  readonly limit: ListLimit | null;
  readonly expected: readonly string[];
  readonly canFill: boolean;
  readonly shape: ResponseShape;
  /** The record of an empty list; null if the endpoint is not a list. */
  readonly emptyRecord: JsonObject | null;
  /** Validates a record. Returns it as it is sent to the caller, or a description of the first fault. */
  readonly check: (record: unknown) => { readonly record: JsonObject } | { readonly fault: string };
};

/** Declares a site. Returns the function that declares its endpoints. */
export function defineSite(site: Site) {
  return function endpoint<I extends z.ZodObject, R extends z.ZodObject>(
    declaration: EndpointDeclaration<I, R>,
  ): SiteEndpoint {
    const { path, summary, input, record, canary, list = null } = declaration;
    if ((input.def.checks ?? []).length > 0)
      throw new InvariantError(`${site.name}: declare rules about several parameters in anyOf`);
    for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g))
      if (!Object.hasOwn(input.shape, name)) throw new InvariantError(`${site.name}${path}: ${name} is no parameter`);
    return {
      site,
      about: describeSite(site),
      id: toId(site.name, path),
      path,
      summary,
      price: declaration.price ?? site.price ?? null,
      isInternal: declaration.internal === true,
      parameters: {
        shape: input.shape,
        names: Object.keys(input.shape),
        aliases: { ...declaration.aliases },
        anyOf: declaration.anyOf ?? [],
      },
      sources:
        'sources' in declaration
          ? declaration.sources.map(toUntypedSource)
          : [toUntypedSource({ ...declaration, name: 'page' })],
      record,
      canary: { ...canary },
      list,
      limit: declaration.limit ?? null,
      expected: declaration.expected ?? [],
      canFill: declaration.fill === true,
      shape: declaration.shape ?? 'open',
      emptyRecord: list === null ? null : buildEmptyRecord(record, list),
      check: (given: unknown) => checkRecord(record, given),
    };
  };
}

function toUntypedSource<I extends z.ZodObject, R extends z.ZodObject>(source: EndpointSource<I, R>): UntypedSource {
  const { name, needs = null, browser = {}, captures = [], lacks = null, when, request, parse } = source;
  return { name, needs, browser, captures, lacks, isUsable: when ?? (() => true), request, parse };
}

/** Builds the record of an empty list: `[]`, and null for all other fields. */
function buildEmptyRecord(record: z.ZodObject, list: string): JsonObject {
  return Object.fromEntries(Object.keys(record.shape).map((name) => [name, name === list ? [] : null]));
}

function checkRecord(
  record: z.ZodObject,
  given: unknown,
): { readonly record: JsonObject } | { readonly fault: string } {
  const read = record.safeParse(given);
  if (read.success) return { record: { ...read.data } };
  const [issue] = read.error.issues;
  return { fault: `${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'invalid value'}` };
}

function toId(site: string, path: string): string {
  return [site, ...path.split('/').filter((word) => word !== '' && !word.startsWith('{'))].join('.');
}

/** The parameter that limits a list crawl: by elements, or by pages of the site. */
export type CrawlLimit = { readonly name: 'max_results' | 'max_pages'; readonly default: number; readonly max: number };

type ListCrawlDeclaration = {
  readonly method: 'GET' | 'POST';
  readonly summary: string;
  /** The field that identifies an element. Elements with the same value are stored once. */
  readonly by: string;
  readonly bound: CrawlLimit;
};

/** A job that collects the whole list of a paginated endpoint. */
export type ListCrawl = ListCrawlDeclaration & { readonly endpoint: SiteEndpoint; readonly list: string };

/** Declares the crawl of an endpoint's list. The crawl uses the parser of the endpoint. */
export function declareListCrawl(endpoint: SiteEndpoint, declaration: ListCrawlDeclaration): ListCrawl {
  const { id, list } = endpoint;
  if (list === null) throw new InvariantError(`${id}: only a paginated list can be crawled`);
  return { ...declaration, endpoint, list };
}
