import { InvariantError } from '#extract/invariant-error.ts';
import type { CapturedResponse } from './captures.ts';
import { isCutShort } from '#extract/html/cut-short.ts';
import { decodeBody } from '#extract/html/decode.ts';
import { sniffKind } from '#extract/html/sniff.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { type ReadRecord, type SiteVerdict, toOutcome } from './answers.ts';
import type { SealedSource, SiteEndpoint } from './endpoint.ts';
import { retryAfterOf, type SiteView, type SourcePage } from './request.ts';
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
    if (order.body.byteLength > MAX_BYTES) return toUnusable('the page is larger than 20 MB');
    const { kind } = sniffKind(order.body, order.page.contentType);
    const body = decodeBody(order.body, order.page.contentType, kind).text;
    return judgeSource(endpoint, source, { ...order, page: { ...order.page, body, captures: order.captures } });
  };
}

/** The facts about its site that a source may use. */
export function toView(
  site: Site,
  { settings, cursor, limit }: Pick<ReadOrder, 'settings' | 'cursor' | 'limit'>,
): SiteView {
  return {
    cursor,
    limit,
    constants: { ...site.constants, ...settings.constants },
    locate: (url) => locateOnSite(site, settings, url),
  };
}

type SourceReading = Omit<ReadOrder, 'page'> & { readonly page: SourcePage };

/** First the site's word on its walls, then the status where it refuses, then the record. */
function judgeSource(endpoint: SiteEndpoint, source: SealedSource, { page, ...order }: SourceReading): SiteVerdict {
  const known = guarded(() => endpoint.site.classify?.(page) ?? null);
  if (known !== null) return toVerdict(endpoint, known);
  const refusal = byStatus(page);
  if (refusal !== null) return refusal;
  // Half of a page may hold a record that looks whole.
  if (isCutShort(page.body)) return toUnusable('the page is cut short');
  return toVerdict(
    endpoint,
    guarded(() => source.parse(page, order.input, toView(endpoint.site, order))),
  );
}

/** An exception of a parser means that the page has changed. */
function guarded(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return new Unread(error instanceof Error ? error.message : String(error));
  }
}

class Unread extends Error {}

function toVerdict(endpoint: SiteEndpoint, given: unknown): SiteVerdict {
  if (given instanceof Unread) return toUnusable(`reading it failed: ${given.message}`);
  const outcome = toOutcome(given);
  if (!('kind' in outcome)) return toRecord(endpoint, outcome);
  if (outcome.kind === 'empty') return toRecord(endpoint, { record: endpoint.nothing, next: null, lacks: [] });
  if (outcome.kind !== 'more') return outcome;
  if (outcome.without === null) return { ...outcome, without: null };
  const without = toOutcome(outcome.without);
  if ('kind' in without) return toUnusable('what stands for a further page is no record');
  const read = toRecord(endpoint, without);
  return read.kind === 'record' ? { ...outcome, without: read } : read;
}

type Unchecked = Omit<ReadRecord, 'record'> & { readonly record: unknown };

function toRecord(endpoint: SiteEndpoint, { record, next, lacks }: Unchecked): SiteVerdict {
  const checked = endpoint.check(record);
  return 'fault' in checked ? toUnusable(checked.fault) : { kind: 'record', record: checked.record, next, lacks };
}

function toUnusable(reason: string): SiteVerdict {
  return { kind: 'unusable', reason: reason.slice(0, 300), isRefusal: false };
}

/** The verdict on an error status, where the site classifies it no further. */
function byStatus({ status, headers }: SourcePage): SiteVerdict | null {
  if (status < 400) return null;
  if (status === 404 || status === 410) return toMissing(`the site answers ${status}`);
  if (status === 451) return toMissing('withheld for legal reasons');
  if (status === 429) return { kind: 'rate_limited', seconds: retryAfterOf(headers) };
  return { kind: 'unusable', reason: `the site answers ${status}`, isRefusal: true };
}

function toMissing(reason: string): SiteVerdict {
  return { kind: 'not_found', reason, isFinal: true };
}
