import { z } from 'zod';
import { CACHE_KEPT_MS } from '#engine/visits/page-cache.ts';
import type { WorkOperation } from '#engine/call/operation.ts';
import { buildReader } from '#engine/call/validation.ts';
import type { JsonObject } from '#kernel/json.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import { wholeNumber } from '#kernel/numbers.ts';
import type { SiteAnswer, SiteRecord } from './answers.ts';
import { describeAliases, mergeAliases } from './aliases.ts';
import type { Aliases } from './aliases.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from './request.ts';
import type { BrowserUse, Site } from './site.ts';
import { Warnings } from '#features/schema/page-outputs.ts';

/** The head of a response that decides whether it is captured. */
export type CaptureHead = { readonly url: string; readonly status: number; readonly contentType: string };

/** How a page is had and read. */
type PageAccess<I extends z.ZodObject, R extends z.ZodObject> = {
  readonly needs?: 'browser';
  readonly browser?: BrowserUse;
  /** The JSON answers of a browser's page that `parse` wants to see, in `page.captures`. */
  readonly capture?: (response: CaptureHead) => boolean;
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
  readonly when?: (site: Sending) => boolean;
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
  /** The array that pages: the endpoint takes `cursor` and answers `next_cursor`. */
  readonly list?: keyof z.output<R> & string;
  /** Elements of `list` in one answer. */
  readonly limit?: { readonly default: number; readonly most: number };
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

/** The declared properties of a source, without its types. */
export type SealedSource = {
  readonly name: string;
  readonly needs: 'browser' | null;
  readonly browser: BrowserUse;
  readonly capture: ((response: CaptureHead) => boolean) | null;
  readonly lacks: string | null;
  readonly isUsable: (site: Sending) => boolean;
};

/** A source bound to the parsed parameters of one call. */
export type BoundSource = SealedSource & {
  readonly request: (site: Sending) => SiteRequest;
  readonly parse: (page: SourcePage, site: SiteView) => unknown;
};

/** One call of an endpoint. */
export type EndpointCall = {
  /** Every parameter as it was sent, under its own name. */
  readonly raw: JsonObject;
  /** The endpoint's sources, bound to its parameters. */
  readonly sources: readonly BoundSource[];
  readonly options: CallOptions;
};

/** An endpoint of a site: an operation, and the pure half that tests and parser threads use without it. */
export type SiteEndpoint = {
  readonly site: Site;
  readonly operation: WorkOperation;
  /** Reads the parameters of a call; throws `invalid_request`. */
  readonly accept: (raw: unknown) => EndpointCall;
  readonly sources: readonly SealedSource[];
  /** Parses the endpoint's own parameters and binds every source to them; throws `invalid_request`. */
  readonly bind: (raw: JsonObject) => readonly BoundSource[];
  readonly canary: JsonObject;
  /** Every parameter and other name that may be sent. */
  readonly parameters: Readonly<Record<string, z.core.$ZodType>>;
  readonly aliases: Aliases;
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
const ENDPOINT_ERRORS: readonly ErrorCode[] = [
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

const COMMON = {
  timeout_ms: wholeNumber(1000, 300_000)
    .optional()
    .describe(
      "Wall clock of the whole call in ms; default is the plan's inline limit, above it the call becomes a job",
    ),
  max_age_ms: wholeNumber(0, CACHE_KEPT_MS)
    .optional()
    .describe('Accept cached pages at most this old; 0 is always fresh'),
};
const CURSOR = {
  cursor: z.string().min(1).max(4000).optional().describe('next_cursor of the answer before, with the same parameters'),
};

/** The parameters that endpoints share; a cursor and a limit only for those that take them. */
export type CallOptions = {
  readonly timeout_ms?: number | undefined;
  readonly max_age_ms?: number | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
};

/** Gives a function that declares the endpoints of a site. */
export function defineSite(site: Site) {
  return function endpoint<I extends z.ZodObject, R extends z.ZodObject>(
    declaration: EndpointDeclaration<I, R>,
  ): SiteEndpoint {
    const { input, record, list = null, fill, shape = 'open', expected = [] } = declaration;
    if ((input.def.checks ?? []).length > 0) throw new Error(`${site.name}: rules over several members stand in anyOf`);
    const sources = sourcesOf(declaration);
    const readOwn = buildReader(input);
    const sealed = {
      site,
      sources: sources.map(sealSource),
      bind: (raw: JsonObject) => {
        const own = readOwn(ownOf(raw, input)).input;
        return sources.map((source) => bindSource(source, own));
      },
      canary: { ...declaration.canary },
      list,
      expected,
      fill: fill === true,
      shape,
      nothing: list === null ? null : nothingOf(record, list),
      check: (given: unknown) => check(record, given),
    };
    return { ...sealed, ...sealOperation(declaration, sealed) };
  };
}

function sourcesOf<I extends z.ZodObject, R extends z.ZodObject>(
  declaration: EndpointDeclaration<I, R>,
): readonly EndpointSource<I, R>[] {
  return 'sources' in declaration ? declaration.sources : [{ ...declaration, name: 'page' }];
}

function sealSource<I extends z.ZodObject, R extends z.ZodObject>(source: EndpointSource<I, R>): SealedSource {
  const { name, needs = null, browser = {}, capture = null, lacks = null, when } = source;
  return { name, needs, browser, capture, lacks, isUsable: (site) => when?.(site) ?? true };
}

function bindSource<I extends z.ZodObject, R extends z.ZodObject>(
  source: EndpointSource<I, R>,
  input: z.output<I>,
): BoundSource {
  return {
    ...sealSource(source),
    request: (site) => source.request(input, site),
    parse: (page, site) => source.parse(page, input, site),
  };
}

/** The endpoint's own parameters. */
function ownOf(raw: JsonObject, input: z.ZodObject): JsonObject {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => Object.hasOwn(input.shape, name)));
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

type Sealed = Omit<SiteEndpoint, 'operation' | 'accept' | 'parameters' | 'aliases'>;

function sealOperation<I extends z.ZodObject, R extends z.ZodObject>(
  declaration: EndpointDeclaration<I, R>,
  sealed: Sealed,
): Pick<SiteEndpoint, 'operation' | 'accept' | 'parameters' | 'aliases'> {
  const { path, summary, record, limit, list = null, shape = 'open' } = declaration;
  const { site, canary } = sealed;
  const aliases: Aliases = { ...declaration.aliases };
  const options = {
    ...(limit === undefined ? {} : { limit: limitOf(limit) }),
    ...(list === null ? {} : CURSOR),
    ...COMMON,
  };
  const members = { ...declaration.input.shape, ...options };
  const described = { ...members, ...describeAliases(members, aliases) };
  const price = declaration.price ?? site.price ?? PRICE;
  const accept = buildCallReader({
    ...sealed,
    described,
    options: z.object({ ...COMMON, ...CURSOR, limit: options.limit ?? z.undefined().optional() }),
    aliases,
    anyOf: declaration.anyOf,
  });
  const operation: WorkOperation = {
    kind: 'work',
    id: toId(site.name, path),
    route: declaration.internal === true ? null : `GET /v1/${site.name}${path}`,
    summary,
    plan: 'starter',
    price: { base: price, cacheHit: price, perTier: false },
    errors: ENDPOINT_ERRORS,
    input: z.strictObject(described),
    output: toOutput(site.name, record, { list, shape }),
    example: canary,
    list: null,
    isLongRunning: false,
    isClosed: shape === 'closed',
    mayQueue: true,
    site: { name: site.name, verified: false },
    read(raw) {
      accept(raw);
      return { deprecated: [] };
    },
  };
  return { operation, accept, parameters: described, aliases };
}

type Parameters = Pick<SiteEndpoint, 'bind'> & {
  /** Every parameter and other name that may be sent. */
  readonly described: Readonly<Record<string, z.core.$ZodType>>;
  readonly options: z.ZodType<CallOptions>;
  readonly aliases: Aliases;
  readonly anyOf: readonly string[] | undefined;
};

/** Reads the names first, then each parameter once, under its own name. */
function buildCallReader({ bind, described, options, aliases, anyOf = [] }: Parameters): SiteEndpoint['accept'] {
  const readNames = buildNamesReader(described);
  const readOptions = buildReader(options);
  return function read(sent) {
    const raw = mergeAliases(readNames(sent).input, aliases);
    if (anyOf.length > 0 && anyOf.every((name) => raw[name] === undefined)) {
      throw new ServiceError('invalid_request', `${anyOf.join(' or ')}: one of them is required`);
    }
    return { raw, sources: bind(raw), options: readOptions(raw).input };
  };
}

/** Reads an object for its names alone; throws `invalid_request` for one that is not among the parameters. */
export function buildNamesReader(parameters: SiteEndpoint['parameters']) {
  return buildReader(
    z.strictObject(Object.fromEntries(Object.keys(parameters).map((name) => [name, z.unknown().optional()]))),
  );
}

/** `/marketplace/item` of a site is `site.marketplace.item`; parameters in the path are no part of it. */
function toId(site: string, path: string): string {
  return [site, ...path.split('/').filter((word) => word !== '' && !word.startsWith('{'))].join('.');
}

function limitOf({ default: preset, most }: { readonly default: number; readonly most: number }) {
  return wholeNumber(1, most).default(preset).describe('Elements of one answer at most');
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
