import { parseInput } from '#testkit/sites/input.ts';
import { basename, dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import { buildSending } from '#features/sites/source-request.ts';
import type { UntypedSource, SiteEndpoint } from '#sites/framework/endpoint.ts';
import type { SourceReadRequest } from '#sites/framework/source-reader.ts';
import { NO_SETTINGS, buildUrl } from '#sites/framework/site.ts';
import { findCanonicalUrl } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { readSource } from '#sites/read-source.ts';
import { toFileStem } from '#tools/sites/cases.ts';
import { listFolders, type Recording, listRecordings } from './corpus.ts';
import { CARRIED_VALUES, FURTHER_PAGES, INPUTS, OTHER_FOLDERS, OTHER_HOSTS, SITE_FOLDERS } from './corpus-inputs.ts';

export type Body = Readonly<Record<string, unknown>>;

/** One recording that an endpoint parsed: the input, the read request, and the verdict. */
export type Reading = {
  readonly read: Recording;
  readonly input: Body;
  readonly order: SourceReadRequest;
  readonly verdict: SiteVerdict;
};

/** Parses every recording of the corpus that belongs to an endpoint, with the source for its kind of page. */
export function listReadings(endpoint: SiteEndpoint): readonly Reading[] {
  const own = `${SITE_FOLDERS[endpoint.site.name] ?? endpoint.site.name}/${toFileStem(endpoint)}`;
  const others = OTHER_FOLDERS[endpoint.id] ?? [];
  const folders = listFolders().filter((folder) => folder === own || others.includes(folder));
  const recordings = folders.flatMap(listRecordings);
  return recordings.flatMap((one) => readRecording(endpoint, one, recordings) ?? []);
}

function readRecording(endpoint: SiteEndpoint, read: Recording, others: readonly Recording[]): Reading | null {
  const input = findInput(endpoint, read);
  if (input === null) return null;
  const orders = endpoint.sources.flatMap((source) => buildReadRequest(endpoint, source, { read, input }) ?? []);
  const isSame = (one: Recording): boolean => isDeepStrictEqual(findInput(endpoint, one), input);
  const all = orders.map((order) => ({
    read,
    input,
    order,
    verdict: readWithFurtherPage(order, others.filter(isSame)),
  }));
  const told = (kind: SiteVerdict['kind']) => all.find(({ verdict }) => verdict.kind === kind);
  return told('record') ?? told('not_found') ?? all[0] ?? null;
}

/** Builds the read request of a recording for a source. Null if the recording is from another host than the source's. */
function buildReadRequest(
  endpoint: SiteEndpoint,
  source: UntypedSource,
  { read, input }: { readonly read: Recording; readonly input: Body },
): SourceReadRequest | null {
  const known = readInput(endpoint, input);
  const asked = known === null ? null : buildRequestUrl(endpoint, source, known);
  if (known === null || asked === null) return null;
  // A source that requests a token first is recognized by its origin.
  const own = [asked.href, endpoint.site.origins[source.name] ?? asked.href].map((one) => new URL(one).host);
  const hosts = [...own, ...(OTHER_HOSTS[endpoint.id] ?? [])];
  if (read.url !== null && !hosts.includes(new URL(read.url).host)) return null;
  const { status, headers, contentType, body } = read;
  // JSON that a source captures in a browser was recorded as a file of its own.
  const [rule] = source.captures;
  const isTraffic = rule !== undefined && contentType.includes('json');
  return {
    endpoint: endpoint.id,
    source: source.name,
    input: known,
    page: {
      url: read.url ?? asked.href,
      requested: asked.href,
      status,
      headers,
      contentType,
      carry: CARRIED_VALUES[endpoint.id],
    },
    body: new TextEncoder().encode(isTraffic ? '' : body),
    captures: isTraffic ? [{ name: rule.name, url: asked.href, status, text: body }] : [],
    settings: { origins: {}, constants: {} },
    cursor: null,
    limit: null,
  };
}

/** Parses a page, and its further page if another recording is that page. Else returns the record without it. */
function readWithFurtherPage(order: SourceReadRequest, others: readonly Recording[] = []): SiteVerdict {
  const verdict = readSource(order);
  if (verdict.kind !== 'more') return verdict;
  const { request, without, carry } = verdict;
  const recorded = others.find(({ url }) => url !== null && new URL(url).pathname === request.path);
  if (recorded === undefined && without !== null) return { kind: 'record', ...without };
  const further = FURTHER_PAGES[order.endpoint];
  const made =
    further === undefined ? [] : listRecordings(dirname(further)).filter(({ file }) => file === basename(further));
  const body = (recorded ?? made[0])?.body ?? '';
  const read = readSource({ ...order, body: new TextEncoder().encode(body), page: { ...order.page, carry } });
  return read.kind === 'record' || without === null ? read : { kind: 'record', ...without };
}

/** Parses the page of one recording as the answer to the request of another. */
export function readAsOther({ order }: Reading, other: Reading): SiteVerdict {
  const { url: _own, ...page } = order.page;
  const { requested } = other.order.page;
  return readWithFurtherPage({ ...order, input: other.order.input, page: { ...page, url: requested, requested } });
}

function readInput(endpoint: SiteEndpoint, input: Body): Body | null {
  try {
    return parseInput(endpoint, input);
  } catch {
    return null;
  }
}

function buildRequestUrl(endpoint: SiteEndpoint, source: UntypedSource, input: Body): URL | null {
  try {
    const sending = buildSending(endpoint, NO_SETTINGS, { cursor: null, limit: null, now: 0 });
    return buildUrl(endpoint.site, NO_SETTINGS, source.request(input, sending));
  } catch {
    return null;
  }
}

/** Finds the input with which the page was requested: by the endpoint's own rule, else by the URL of the page. */
function findInput(endpoint: SiteEndpoint, read: Recording): Body | null {
  const own = INPUTS[endpoint.id];
  if (own !== undefined) return own(read);
  const url = findAddress(read);
  return url === null ? null : { url };
}

/** Finds the URL of a recording, or the canonical URL in its text. Null if there is none. */
export function findAddress({ url, body, contentType }: Recording): string | null {
  if (url !== null) return url;
  if (/html/.test(contentType)) return findCanonicalUrl(parsePage(body, 'https://page.example/'));
  return /"(?:html_url|permalink|canonical_url|share_url|url)"\s*:\s*"(https?:[^"]+)"/.exec(body)?.[1] ?? null;
}
