import { InvariantError } from '#extract/invariant-error.ts';
import type { z } from 'zod';
import type { JsonObject } from '#extract/values/json-object.ts';
import type { SiteAnswer, SiteRecord } from './answers.ts';
import type { CaptureRule } from './captures.ts';
import type { Sending, SiteRequest, SiteContext, SourcePage } from './request.ts';
import type { BrowserUse, Site } from './site.ts';

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
    site: SiteContext,
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

type EndpointFields<I extends z.ZodObject, R extends z.ZodObject> = {
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
  readonly shape?: ResponseShape;
};

export type EndpointDeclaration<I extends z.ZodObject, R extends z.ZodObject> = EndpointFields<I, R> &
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
  parse(page: SourcePage, input: JsonObject, site: SiteContext): unknown;
};

/** The parameters of an endpoint alone. */
export type OwnParameters = {
  readonly shape: Readonly<Record<string, z.core.$ZodType>>;
  /** Other names of parameters, also of those that every endpoint takes. */
  readonly aliases: Readonly<Record<string, readonly string[] | undefined>>;
  /** Parameters of which at least one is needed. */
  readonly anyOf: readonly string[];
};

/** The sizes of one answer of a list. */
export type ListLimit = { readonly default: number; readonly most: number };

/** The members around a record: all of them, `usage` alone, or none. */
type ResponseShape = 'open' | 'plain' | 'closed';

/** An endpoint of a site: how its pages are requested, and how a page becomes a record. */
export type SiteEndpoint = {
  readonly site: Site;
  /** `/marketplace/item` of a site is `site.marketplace.item`; parameters in the path are no part of it. */
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  /** Credits of one call; null for the price of its site. */
  readonly price: number | null;
  /** Whether it has no route. */
  readonly isInternal: boolean;
  readonly own: OwnParameters;
  readonly sources: readonly SealedSource[];
  readonly record: z.ZodObject;
  readonly canary: JsonObject;
  readonly list: string | null;
  readonly limit: ListLimit | null;
  readonly expected: readonly string[];
  readonly fill: boolean;
  readonly shape: ResponseShape;
  /** The record of an empty list. */
  readonly emptyRecord: JsonObject | null;
  /** The record as it is answered, or what is wrong with it. */
  readonly check: (record: unknown) => { readonly record: JsonObject } | { readonly fault: string };
};

/** Gives a function that declares the endpoints of a site. */
export function defineSite(site: Site) {
  return function endpoint<I extends z.ZodObject, R extends z.ZodObject>(
    declaration: EndpointDeclaration<I, R>,
  ): SiteEndpoint {
    const { path, summary, input, record, canary, list = null } = declaration;
    if ((input.def.checks ?? []).length > 0)
      throw new InvariantError(`${site.name}: rules over several members stand in anyOf`);
    return {
      site,
      id: toId(site.name, path),
      path,
      summary,
      price: declaration.price ?? null,
      isInternal: declaration.internal === true,
      own: { shape: input.shape, aliases: { ...declaration.aliases }, anyOf: declaration.anyOf ?? [] },
      sources:
        'sources' in declaration
          ? declaration.sources.map(toUntypedSource)
          : [toUntypedSource({ ...declaration, name: 'page' })],
      record,
      canary: { ...canary },
      list,
      limit: declaration.limit ?? null,
      expected: declaration.expected ?? [],
      fill: declaration.fill === true,
      shape: declaration.shape ?? 'open',
      emptyRecord: list === null ? null : buildEmptyRecord(record, list),
      check: (given: unknown) => checkRecord(record, given),
    };
  };
}

function toUntypedSource<I extends z.ZodObject, R extends z.ZodObject>(source: EndpointSource<I, R>): SealedSource {
  const { name, needs = null, browser = {}, captures = [], lacks = null, when, request, parse } = source;
  return { name, needs, browser, captures, lacks, isUsable: when ?? (() => true), request, parse };
}

/** Every other member of an empty answer is null, where it may be. */
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
  return { fault: `${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'not as it should be'}` };
}

function toId(site: string, path: string): string {
  return [site, ...path.split('/').filter((word) => word !== '' && !word.startsWith('{'))].join('.');
}
