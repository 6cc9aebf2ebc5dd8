import { InvariantError } from '#extract/invariant-error.ts';
import { type CapturedResponse, parseRetryAfterSeconds, type SiteContext, type SourcePage } from './request.ts';
import { isTruncatedPage } from '#extract/html/truncated-page.ts';
import { decodeBody } from '#extract/html/decode.ts';
import { sniffKind } from '#extract/html/sniff.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { type ParsedRecord, type SiteVerdict, toOutcome } from './answers.ts';
import type { UntypedSource, SiteEndpoint } from './endpoint.ts';
import { locateOnSite, type Site, type SiteSettings } from './site.ts';

/** The request to parse one page of a source. Plain data, so that it can be sent to a worker thread. */
export type SourceReadRequest = {
  /** The id of the endpoint. */
  readonly endpoint: string;
  /** The name of one of the endpoint's sources. */
  readonly source: string;
  /** The endpoint's own parameters, parsed by its schema. */
  readonly input: JsonObject;
  readonly page: Omit<SourcePage, 'body' | 'captures'>;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly captures: readonly CapturedResponse[];
  readonly settings: Pick<SiteSettings, 'origins' | 'constants'>;
  readonly cursor: string | null;
  readonly limit: number | null;
};

/** The maximum size of a page, after content decoding. */
const MAX_BYTES = 20_000_000;

/** Creates the function that parses one page with a source of an endpoint. It never throws because of the page's content. */
export function buildSourceReader(endpoints: readonly SiteEndpoint[]): (order: SourceReadRequest) => SiteVerdict {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return function readSource(order) {
    const endpoint = byId.get(order.endpoint);
    const source = endpoint?.sources.find(({ name }) => name === order.source);
    if (endpoint === undefined || source === undefined)
      throw new InvariantError(`no source ${order.endpoint} ${order.source}`);
    if (order.body.byteLength > MAX_BYTES) return buildUnusable('the page is larger than 20 MB');
    const { kind } = sniffKind(order.body, order.page.contentType);
    const body = decodeBody(order.body, order.page.contentType, kind).text;
    return readPage(endpoint, source, { ...order, page: { ...order.page, body, captures: order.captures } });
  };
}

/** Builds the data that a parser may use besides the page and the input. */
export function buildSiteContext(
  site: Site,
  { settings, cursor, limit }: Pick<SourceReadRequest, 'settings' | 'cursor' | 'limit'>,
): SiteContext {
  return {
    cursor,
    limit,
    constants: { ...site.constants, ...settings.constants },
    locate: (url) => locateOnSite(site, settings, url),
  };
}

type DecodedRequest = Omit<SourceReadRequest, 'page'> & { readonly page: SourcePage };

/** Applies, in this order, the site's `classify`, the rules for error statuses, and the parser of the source. */
function readPage(endpoint: SiteEndpoint, source: UntypedSource, { page, ...request }: DecodedRequest): SiteVerdict {
  const known = catchParserError(() => endpoint.site.classify?.(page) ?? null);
  if (known !== null) return toVerdict(endpoint, known);
  const refusal = classifyStatus(page);
  if (refusal !== null) return refusal;
  // The first half of a page could contain a record that looks complete.
  if (isTruncatedPage(page.body)) return buildUnusable('the page is cut short');
  return toVerdict(
    endpoint,
    catchParserError(() => source.parse(page, request.input, buildSiteContext(endpoint.site, request))),
  );
}

/** Returns an exception of a parser as a value: the page has a layout that the parser does not know. */
function catchParserError(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return new ParserError(error instanceof Error ? error.message : String(error));
  }
}

class ParserError extends Error {}

function toVerdict(endpoint: SiteEndpoint, given: unknown): SiteVerdict {
  if (given instanceof ParserError) return buildUnusable(`the parser failed: ${given.message}`);
  const outcome = toOutcome(given);
  if (!('kind' in outcome)) return checkRecord(endpoint, outcome);
  if (outcome.kind === 'empty') return checkRecord(endpoint, { record: endpoint.emptyRecord, next: null, lacks: [] });
  if (outcome.kind !== 'more') return outcome;
  if (outcome.without === null) return { ...outcome, without: null };
  const without = toOutcome(outcome.without);
  if ('kind' in without) return buildUnusable('the result without the further page is not a record');
  const read = checkRecord(endpoint, without);
  return read.kind === 'record' ? { ...outcome, without: read } : read;
}

type UncheckedRecord = Omit<ParsedRecord, 'record'> & { readonly record: unknown };

function checkRecord(endpoint: SiteEndpoint, { record, next, lacks }: UncheckedRecord): SiteVerdict {
  const checked = endpoint.check(record);
  return 'fault' in checked ? buildUnusable(checked.fault) : { kind: 'record', record: checked.record, next, lacks };
}

function buildUnusable(reason: string): SiteVerdict {
  return { kind: 'unusable', reason: reason.slice(0, 300), isRefusal: false };
}

/** Classifies an error status that the site's `classify` does not explain. Null for a status below 400. */
function classifyStatus({ status, headers }: SourcePage): SiteVerdict | null {
  if (status < 400) return null;
  if (status === 404 || status === 410) return buildNotFound(`the site answers ${status}`);
  if (status === 451) return buildNotFound('withheld for legal reasons');
  if (status === 429) return { kind: 'rate_limited', seconds: parseRetryAfterSeconds(headers) };
  return { kind: 'unusable', reason: `the site answers ${status}`, isRefusal: true };
}

function buildNotFound(reason: string): SiteVerdict {
  return { kind: 'not_found', reason, isFinal: true };
}
