import { z } from 'zod';
import type { CaptureRule } from '#access/page.ts';
import { sealWork } from '#engine/call/operation.ts';
import type { Reader, WorkOperation } from '#engine/call/operation.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import type { SiteAnswer, SiteRecord } from './answers.ts';
import { callOptionsOf, withOptions } from '#features/schema/parameters.ts';
import type { EndpointCall, ListLimit, OwnParameters } from '#features/schema/parameters.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from './request.ts';
import { describeSite } from './site.ts';
import type { BrowserUse, Site } from './site.ts';
import { Warnings } from '#features/schema/page-outputs.ts';

/** How a page is had and read. */
type PageAccess<I extends z.ZodObject, R extends z.ZodObject> = {
  readonly needs?: 'browser';
  readonly browser?: BrowserUse;
  /** The answers that the page loads by itself in a browser and `parse` finds in `page.captures`, by name. */
  readonly captures?: readonly CaptureRule[];
  /** Pure; throws `invalid_request` by `refuseParameter` for a parameter that is none of the site's. */
  readonly request: (input: z.output<I>, site: Sending) => SiteRequest;
  /** Pure; a page that is not as expected is an answer, and what throws is `unusable`. */
  readonly parse: (
    page: SourcePage,
    input: z.output<I>,
    site: SiteView,
  ) => NoInfer<z.input<R> | SiteRecord<z.input<R>> | SiteAnswer>;
};

/** One of several ways to the same data. */
export type EndpointSource<I extends z.ZodObject, R extends z.ZodObject> = PageAccess<I, R> & {
  readonly name: string;
  /** The gap of this source's answers, a sentence; they are `partial`. */
  readonly lacks?: string;
  /** Whether the source can be used; one that cannot is passed over. */
  readonly when?: (site: Sending, input: z.output<I>) => boolean;
};

type Common<I extends z.ZodObject, R extends z.ZodObject> = {
  /** Below `/v1/<site>`; `{name}` is a member of the input. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** The parameters of the endpoint alone; rules over several stand in `anyOf` or in `request`. */
  readonly input: I;
  /** The members beside `provider` and `request_id`. What is not nullable must be found, or the page is unusable. */
  readonly record: R;
  /** One public, long-lived entity: the example of the docs, and what `quern sites check` asks for. */
  readonly canary: z.input<I>;
  /** Other names of parameters. */
  readonly aliases?: Readonly<Partial<Record<keyof z.input<I> & string, readonly string[]>>> & {
    limit?: readonly string[];
  };
  /** Parameters of which at least one is needed. */
  readonly anyOf?: readonly (keyof z.input<I> & string)[];
  /**
   * The array that pages, or an object of several that page together: the endpoint takes `cursor` and answers
   * `next_cursor`.
   */
  readonly list?: keyof z.output<R> & string;
  /** Elements of `list` in one answer. */
  readonly limit?: ListLimit;
  /** Dotted paths of what is nearly always there; their fill rate tells when a site has changed. */
  readonly expected?: readonly string[];
  /** Whether a later source may fill members that an earlier one gave as null. */
  readonly fill?: true;
  readonly price?: number;
  /** Work that has no route: jobs and monitors ask for it. */
  readonly internal?: true;
  /** `plain`: the record and `usage` alone; `closed`: the record alone. */
  readonly shape?: AnswerShape;
};

export type EndpointDeclaration<I extends z.ZodObject, R extends z.ZodObject> = Common<I, R> &
  (PageAccess<I, R> | { readonly sources: readonly EndpointSource<I, R>[] });

/** A source without its types; the input that it is given is one that its endpoint has read. */
export type SealedSource = {
  readonly name: string;
  readonly needs: 'browser' | null;
  readonly browser: BrowserUse;
  readonly captures: readonly CaptureRule[];
  readonly lacks: string | null;
  // As methods, because only such take an input of the source's own type.
  isUsable(site: Sending, input: JsonObject): boolean;
  request(input: JsonObject, site: Sending): SiteRequest;
  parse(page: SourcePage, input: JsonObject, site: SiteView): unknown;
};

/** An endpoint of a site: an operation, and the pure half that tests and parser threads use without it. */
export type SiteEndpoint = {
  readonly site: Site;
  readonly operation: WorkOperation;
  /** Reads the parameters of a call, once; throws `invalid_request`. */
  readonly read: Reader<EndpointCall>;
  readonly sources: readonly SealedSource[];
  readonly canary: JsonObject;
  readonly own: OwnParameters;
  readonly list: string | null;
  readonly expected: readonly string[];
  readonly fill: boolean;
  readonly shape: AnswerShape;
  /** The record of an empty list. */
  readonly nothing: JsonObject | null;
  /** The record as it is answered, or what is wrong with it. */
  readonly check: (record: unknown) => { readonly record: JsonObject } | { readonly fault: string };
};

/** Error codes of site endpoints beyond those of every call. */
export const ENDPOINT_ERRORS: readonly ErrorCode[] = [
  'not_found',
  'target_rate_limited',
  'target_blocked',
  'target_unreachable',
  'unusable_response',
  'content_too_large',
  'backend_unavailable',
  'timeout',
];

const PRICE = 15;

/** Gives a function that declares the endpoints of a site. */
export function defineSite(site: Site) {
  return function endpoint<I extends z.ZodObject, R extends z.ZodObject>(
    declaration: EndpointDeclaration<I, R>,
  ): SiteEndpoint {
    const { input, record, aliases, anyOf = [], limit, list = null, fill, shape = 'open', expected = [] } = declaration;
    if ((input.def.checks ?? []).length > 0) throw new Error(`${site.name}: rules over several members stand in anyOf`);
    const own = { shape: input.shape, aliases: { ...aliases }, anyOf };
    const { schema, read } = withOptions(own, callOptionsOf(list !== null, limit ?? null));
    return {
      site,
      operation: sealWork(toWork(site, declaration, schema), read),
      read,
      sources: 'sources' in declaration ? declaration.sources.map(seal) : [seal({ ...declaration, name: 'page' })],
      canary: { ...declaration.canary },
      own,
      list,
      expected,
      fill: fill === true,
      shape,
      nothing: list === null ? null : nothingOf(record, list),
      check: (given: unknown) => check(record, given),
    };
  };
}

function seal<I extends z.ZodObject, R extends z.ZodObject>(source: EndpointSource<I, R>): SealedSource {
  const { name, needs = null, browser = {}, captures = [], lacks = null, when, request, parse } = source;
  return { name, needs, browser, captures, lacks, isUsable: when ?? (() => true), request, parse };
}

/** Every other member of an empty answer is null, where it may be. */
function nothingOf(record: z.ZodObject, list: string): JsonObject {
  return Object.fromEntries(Object.keys(record.shape).map((name) => [name, name === list ? [] : null]));
}

function check(record: z.ZodObject, given: unknown): { readonly record: JsonObject } | { readonly fault: string } {
  const read = record.safeParse(given);
  if (read.success) return { record: { ...read.data } };
  const [issue] = read.error.issues;
  return { fault: `${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'not as it should be'}` };
}

/** The declaration of an endpoint's operation; its code is bound where the feature is made. */
function toWork<I extends z.ZodObject, R extends z.ZodObject>(
  site: Site,
  declaration: EndpointDeclaration<I, R>,
  input: z.ZodObject,
): Parameters<typeof sealWork>[0] {
  const { path, summary, record, canary, internal, list = null, shape = 'open' } = declaration;
  const price = declaration.price ?? site.price ?? PRICE;
  return {
    id: toId(site.name, path),
    route: internal === true ? null : `GET /v1/${site.name}${path}`,
    summary,
    plan: 'starter',
    price: { base: price, cacheHit: price, perTier: false },
    errors: ENDPOINT_ERRORS,
    input,
    output: toOutput(site.name, record, { list, shape }),
    example: canary,
    list: null,
    isLongRunning: false,
    mayQueue: true,
    site: { ...describeSite(site), verified: false },
  };
}

/** `/marketplace/item` of a site is `site.marketplace.item`; parameters in the path are no part of it. */
function toId(site: string, path: string): string {
  return [site, ...path.split('/').filter((word) => word !== '' && !word.startsWith('{'))].join('.');
}

/** The members around a record: all of them, `usage` alone, or none. */
type AnswerShape = 'open' | 'plain' | 'closed';

/** The output schema of an endpoint, without `request_id` and `usage`. */
function toOutput(
  provider: string,
  record: z.ZodObject,
  { list, shape }: { readonly list: string | null; readonly shape: AnswerShape },
): z.ZodObject {
  const members = { provider: z.literal(provider), ...record.shape };
  if (shape === 'closed') return z.strictObject(members);
  if (shape === 'plain') return z.object(members);
  return z.object({
    ...members,
    ...(list === null ? {} : { next_cursor: z.string().nullable().describe('Null at the end') }),
    source_url: z.string().describe('Where it was found'),
    fetched_at: z.string().describe('When the page was had, ISO 8601 UTC'),
    partial: z.boolean().describe('Whether something is left out that the full answer has; warnings say what'),
    warnings: Warnings.optional(),
  });
}
