import { z } from 'zod';
import { CACHE_KEPT_MS } from '#engine/page-cache.ts';
import type { Plan } from '#engine/plans.ts';
import type { AcceptedWork, Admission, AdmissionFacts, WorkOperation } from '#engine/operation.ts';
import { buildReader } from '#engine/validation.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import { wholeNumber } from '#kernel/numbers.ts';
import type { Answer, Result } from './answers.ts';
import { describeAliases, mergeAliases } from './aliases.ts';
import type { Aliases } from './aliases.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from './request.ts';
import { toOutput } from './output.ts';
import type { Shape } from './output.ts';
import { admitEndpoint, runEndpoint } from './running.ts';
import type { BrowserUse, Site } from './site.ts';

/** What of an answer that a page loads decides whether it is captured. */
export type CaptureHead = { readonly url: string; readonly status: number; readonly contentType: string };

/** How a page is had and read. */
type Way<I extends z.ZodObject, R extends z.ZodObject> = {
  readonly needs?: 'browser';
  readonly browser?: BrowserUse;
  /** The JSON answers of a browser's page that `parse` wants to see, in `page.captures`. */
  readonly capture?: (response: CaptureHead) => boolean;
  /** Pure; throws `invalid_request` by `refuse` for a parameter that is none of the site's. */
  readonly request: (input: z.output<I>, site: Sending) => SiteRequest;
  /** Pure; a page that is not as expected is an answer, and what throws is `unusable`. */
  readonly parse: (
    page: SourcePage,
    input: z.output<I>,
    site: SiteView,
  ) => NoInfer<z.input<R> | Result<z.input<R>> | Answer>;
};

/** One of several ways to the same data. */
export type Source<I extends z.ZodObject, R extends z.ZodObject> = Way<I, R> & {
  readonly name: string;
  /** What the answers of this source leave out, a sentence; they are `partial`. */
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
  readonly shape?: Shape;
};

export type EndpointDeclaration<I extends z.ZodObject, R extends z.ZodObject> = Common<I, R> &
  (Way<I, R> | { readonly sources: readonly Source<I, R>[] });

type Body = Readonly<Record<string, unknown>>;

/** A source without its types; `raw` is input that passed validation. */
export type SealedSource = {
  readonly name: string;
  readonly needs: 'browser' | null;
  readonly browser: BrowserUse;
  readonly capture: ((response: CaptureHead) => boolean) | null;
  readonly lacks: string | null;
  readonly isUsable: (site: Sending) => boolean;
  readonly request: (raw: Body, site: Sending) => SiteRequest;
  readonly parse: (page: SourcePage, raw: Body, site: SiteView) => unknown;
};

/** One endpoint of a site: an operation, and the pure half that tests and parser threads use by itself. */
export type SiteEndpoint = {
  readonly site: Site;
  readonly operation: WorkOperation;
  readonly sources: readonly SealedSource[];
  readonly canary: Body;
  readonly list: string | null;
  readonly expected: readonly string[];
  readonly fill: boolean;
  readonly shape: Shape;
  /** What is given when the site says that there is nothing. */
  readonly nothing: Body | null;
  /** The record as it is answered, or what is wrong with it. */
  readonly check: (record: unknown) => { readonly record: Body } | { readonly fault: string };
};

/** What every dedicated endpoint can fail with beyond what every call can. */
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
const Wishes = z.object({ ...COMMON, ...CURSOR, limit: z.int().optional() });

/** What every endpoint understands, as it was sent. */
export type Wishes = z.output<typeof Wishes>;

/** Gives a function that declares the endpoints of a site. */
export function defineSite(site: Site) {
  return function endpoint<I extends z.ZodObject, R extends z.ZodObject>(
    declaration: EndpointDeclaration<I, R>,
  ): SiteEndpoint {
    const { input, record, list = null, fill, shape = 'open', expected = [] } = declaration;
    if ((input.def.checks ?? []).length > 0) throw new Error(`${site.name}: rules over several members stand in anyOf`);
    const sealed = {
      site,
      sources: waysOf(declaration).map((way) => sealSource(way, input)),
      canary: { ...declaration.canary },
      list,
      expected,
      fill: fill === true,
      shape,
      nothing: list === null ? null : nothingOf(record, list),
      check: (given: unknown) => check(record, given),
    };
    const operation = sealOperation(declaration, sealed);
    return { ...sealed, operation };
  };
}

function waysOf<I extends z.ZodObject, R extends z.ZodObject>(
  declaration: EndpointDeclaration<I, R>,
): readonly Source<I, R>[] {
  return 'sources' in declaration ? declaration.sources : [{ ...declaration, name: 'page' }];
}

function sealSource<I extends z.ZodObject, R extends z.ZodObject>(source: Source<I, R>, input: I): SealedSource {
  const { name, needs = null, browser = {}, capture = null, lacks = null, when, request, parse } = source;
  return {
    name,
    needs,
    browser,
    capture,
    lacks,
    isUsable: (site) => when?.(site) ?? true,
    request: (raw, site) => request(input.parse(ownOf(raw, input)), site),
    parse: (page, raw, site) => parse(page, input.parse(ownOf(raw, input)), site),
  };
}

/** The endpoint's own parameters. */
function ownOf(raw: Body, input: z.ZodObject): Body {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => Object.hasOwn(input.shape, name)));
}

/** Every other member of an empty answer is null, where it may be. */
function nothingOf(record: z.ZodObject, list: string): Body {
  return Object.fromEntries(Object.keys(record.shape).map((name) => [name, name === list ? [] : null]));
}

function check(record: z.ZodObject, given: unknown): { readonly record: Body } | { readonly fault: string } {
  const read = record.safeParse(given);
  if (read.success) return { record: { ...read.data } };
  const [issue] = read.error.issues;
  return { fault: `${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'not as it should be'}` };
}

type Sealed = Omit<SiteEndpoint, 'operation'>;

function sealOperation<I extends z.ZodObject, R extends z.ZodObject>(
  declaration: EndpointDeclaration<I, R>,
  sealed: Sealed,
): WorkOperation {
  const { path, summary, record, limit, list = null, shape = 'open' } = declaration;
  const { site, canary } = sealed;
  const aliases: Aliases = { ...declaration.aliases };
  const members = {
    ...declaration.input.shape,
    ...(limit === undefined ? {} : { limit: limitOf(limit) }),
    ...(list === null ? {} : CURSOR),
    ...COMMON,
  };
  const input = z.strictObject({ ...members, ...describeAliases(members, aliases) });
  const read = buildReader(input);
  const readOwn = buildReader(declaration.input);
  const price = declaration.price ?? site.price ?? PRICE;
  const operation: WorkOperation = {
    kind: 'work',
    id: toId(site.name, path),
    route: declaration.internal === true ? null : `GET /v1/${site.name}${path}`,
    summary,
    plan: 'starter',
    price: { base: price, cacheHit: price, perTier: false },
    errors: ENDPOINT_ERRORS,
    input,
    output: toOutput(site.name, record, { list, shape }),
    example: canary,
    list: null,
    walks: false,
    isClosed: shape === 'closed',
    mayQueue: true,
    read(raw): AcceptedWork {
      read(raw);
      const merged = mergeAliases(raw, aliases);
      demandOne(merged, declaration.anyOf);
      readOwn(ownOf(merged, declaration.input));
      const wishes = Wishes.parse(merged);
      const asked = { raw: merged, wishes: { ...wishes, limit: wishes.limit ?? limit?.default } };
      const endpoint = { ...sealed, operation };
      return {
        deprecated: [],
        admit: (facts: AdmissionFacts): Admission => admitEndpoint(endpoint, asked, facts),
        queue: (plan: Plan) => (wishes.timeout_ms ?? 0) > plan.inline_timeout_ms,
        run: async (context) => runEndpoint(endpoint, asked, context),
      };
    },
  };
  return operation;
}

/** Throws `invalid_request` when none of the parameters came of which one is needed. */
function demandOne(raw: Body, names: readonly string[] = []): void {
  if (names.length === 0 || names.some((name) => raw[name] !== undefined)) return;
  throw new ServiceError('invalid_request', `${names.join(' or ')}: one of them is needed`);
}

/** `/marketplace/item` of a site is `site.marketplace.item`; parameters in the path are no part of it. */
function toId(site: string, path: string): string {
  return [site, ...path.split('/').filter((word) => word !== '' && !word.startsWith('{'))].join('.');
}

function limitOf({ default: preset, most }: { readonly default: number; readonly most: number }) {
  return wholeNumber(1, most).default(preset).describe('Elements of one answer at most');
}
