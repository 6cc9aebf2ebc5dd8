import { InvariantError } from '#extract/invariant-error.ts';
import type { CapturedResponse } from './captures.ts';
import { isCutShort } from '#extract/html/cut-short.ts';
import { decodeBody } from '#extract/html/decode.ts';
import { sniffKind } from '#extract/html/sniff.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { type ReadRecord, type SiteVerdict, toOutcome } from './answers.ts';
import type { SealedSource, SiteEndpoint } from './endpoint.ts';
import { parseRetryAfterSeconds, type SiteContext, type SourcePage } from './request.ts';
import { locateOnSite, type Site, type SiteSettings } from './site.ts';

/** The order to read one page; plain data, so that it can cross a thread. */
export type ReadOrder = {
  /** The id of the endpoint's operation. */
  readonly endpoint: string;
  /** The name of one of its sources. */
  readonly source: string;
  /** The endpoint's own parameters, as its reader gives them. */
  readonly input: JsonObject;
  readonly page: Omit<SourcePage, 'body' | 'captures'>;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly captures: readonly CapturedResponse[];
  readonly settings: Pick<SiteSettings, 'origins' | 'constants'>;
  readonly cursor: string | null;
  readonly limit: number | null;
};

/** Decoded bytes that are read. */
const MAX_BYTES = 20_000_000;

/** Gives the pure half of all endpoints: a page to a verdict, whatever the page holds. */
export function buildSourceReader(endpoints: readonly SiteEndpoint[]): (order: ReadOrder) => SiteVerdict {
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

/** The facts about its site that a source may use. */
export function toView(
  site: Site,
  { settings, cursor, limit }: Pick<ReadOrder, 'settings' | 'cursor' | 'limit'>,
): SiteContext {
  return {
    cursor,
    limit,
    constants: { ...site.constants, ...settings.constants },
    locate: (url) => locateOnSite(site, settings, url),
  };
}

type DecodedRequest = Omit<ReadOrder, 'page'> & { readonly page: SourcePage };

/** First the site's word on its walls, then the status where it refuses, then the record. */
function readPage(endpoint: SiteEndpoint, source: SealedSource, { page, ...order }: DecodedRequest): SiteVerdict {
  const known = catchParserError(() => endpoint.site.classify?.(page) ?? null);
  if (known !== null) return toVerdict(endpoint, known);
  const refusal = classifyStatus(page);
  if (refusal !== null) return refusal;
  // Half of a page may hold a record that looks whole.
  if (isCutShort(page.body)) return buildUnusable('the page is cut short');
  return toVerdict(
    endpoint,
    catchParserError(() => source.parse(page, order.input, toView(endpoint.site, order))),
  );
}

/** An exception of a parser means that the page has changed. */
function catchParserError(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return new ParserError(error instanceof Error ? error.message : String(error));
  }
}

class ParserError extends Error {}

function toVerdict(endpoint: SiteEndpoint, given: unknown): SiteVerdict {
  if (given instanceof ParserError) return buildUnusable(`reading it failed: ${given.message}`);
  const outcome = toOutcome(given);
  if (!('kind' in outcome)) return checkRecord(endpoint, outcome);
  if (outcome.kind === 'empty') return checkRecord(endpoint, { record: endpoint.emptyRecord, next: null, lacks: [] });
  if (outcome.kind !== 'more') return outcome;
  if (outcome.without === null) return { ...outcome, without: null };
  const without = toOutcome(outcome.without);
  if ('kind' in without) return buildUnusable('what stands for a further page is no record');
  const read = checkRecord(endpoint, without);
  return read.kind === 'record' ? { ...outcome, without: read } : read;
}

type UncheckedRecord = Omit<ReadRecord, 'record'> & { readonly record: unknown };

function checkRecord(endpoint: SiteEndpoint, { record, next, lacks }: UncheckedRecord): SiteVerdict {
  const checked = endpoint.check(record);
  return 'fault' in checked ? buildUnusable(checked.fault) : { kind: 'record', record: checked.record, next, lacks };
}

function buildUnusable(reason: string): SiteVerdict {
  return { kind: 'unusable', reason: reason.slice(0, 300), isRefusal: false };
}

/** The verdict on an error status, where the site classifies it no further. */
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
