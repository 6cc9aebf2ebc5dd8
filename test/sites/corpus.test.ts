import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '#engine/sites/answers.ts';
import { sendingOf } from '#engine/sites/asked.ts';
import type { SealedSource, SiteEndpoint } from '#engine/sites/endpoint.ts';
import { hasSome } from '#engine/sites/filling.ts';
import { NO_SETTINGS, toUrl } from '#engine/sites/site.ts';
import { canonicalOf, openGraph } from '#extract/page/described.ts';
import { lineAt } from '#extract/page/elements.ts';
import { parsePage } from '#extract/page/parsed-page.ts';
import { endpoints } from '#sites/index.ts';
import { PROOFS } from '#sites/proofs.ts';
import { readSource } from '#sites/reading.ts';
import { fileOf } from '#tools/sites/cases.ts';
import { listFolders, recordingsIn } from './corpus.ts';
import type { Recording } from './corpus.ts';
import { INPUTS, OTHER_FOLDERS } from './corpus-inputs.ts';

type Row = { readonly read: Recording; readonly verdict: Verdict | null; readonly input: Body | null };
type Body = Readonly<Record<string, unknown>>;

test('every recording of the corpus is read, and what is proven by it is accepted', (t) => {
  const folders = listFolders();
  let total = 0;
  for (const endpoint of endpoints) {
    const { id } = endpoint.operation;
    const own = `${endpoint.site.name}/${fileOf(endpoint)}`;
    const rows = folders
      .filter((folder) => folder === own || OTHER_FOLDERS[id]?.includes(folder) === true)
      .flatMap((folder) => recordingsIn(folder).map((one) => tryRecording(endpoint, one)))
      .filter(({ input }) => input !== null);
    total += rows.length;
    if (rows.length === 0) continue;
    const accepted = rows.flatMap(({ read, verdict, input }) =>
      verdict?.kind === 'record' ? [{ read, record: verdict.record, input }] : [],
    );
    const filled = accepted.flatMap(({ record }) => endpoint.expected.map((path) => hasSome(record, path)));
    t.diagnostic(
      [
        id,
        `${rows.length} recordings`,
        `${accepted.length} accepted`,
        `${accepted.filter(({ read, record, input }) => isIdRight(record, read, input)).length} id right`,
        `${accepted.filter(({ read, record }) => isNameRight(record, read)).length} name right`,
        `${filled.filter((one) => one).length} of ${filled.length} expected fields filled`,
      ].join(', '),
    );
    for (const { read, verdict } of rows) {
      if (verdict === null || verdict.kind === 'record') continue;
      t.diagnostic(`  ${read.file}: ${verdict.kind} ${'reason' in verdict ? verdict.reason : ''}`.slice(0, 160));
    }
    if (PROOFS[id] === 'corpus') assert.ok(accepted.length > 0, `${id} is not proven by the corpus`);
    for (const { read, record, input } of accepted)
      assert.ok(isIdRight(record, read, input), `${id} ${read.file}: another id`);
  }
  t.diagnostic(`${total} recordings`);
});

/** Reads a recording by the source that asks for its kind of page. */
function tryRecording(endpoint: SiteEndpoint, read: Recording): Row {
  const input = inputOf(endpoint, read);
  if (input === null) return { read, verdict: null, input };
  const verdicts = endpoint.sources.flatMap((source) => verdictOf(endpoint, source, { read, input }));
  const best = verdicts.find(({ kind }) => kind === 'record') ?? verdicts[0] ?? null;
  return { read, verdict: best, input: best === null ? null : input };
}

function verdictOf(
  endpoint: SiteEndpoint,
  source: SealedSource,
  { read, input }: { readonly read: Recording; readonly input: Body },
): readonly Verdict[] {
  const settings = { origins: {}, constants: {} };
  const sending = sendingOf(endpoint, NO_SETTINGS, { cursor: null, limit: null });
  const asked = tryRequest(() => toUrl(endpoint.site, NO_SETTINGS, source.request(input, sending)));
  if (asked === null) return [];
  // An answer of one interface says nothing to the reader of another; one that asks for a token first is named by its origin.
  const hosts = [asked.href, endpoint.site.origins[source.name] ?? asked.href].map((one) => new URL(one).host);
  if (read.url !== null && !hosts.includes(new URL(read.url).host)) return [];
  const { status, headers, contentType } = read;
  const answer = (body: string, carry: unknown): Verdict =>
    readSource({
      endpoint: endpoint.operation.id,
      source: source.name,
      raw: input,
      page: { url: read.url ?? asked.href, requested: asked.href, status, headers, contentType, carry },
      body: new TextEncoder().encode(body),
      captures: [],
      settings,
      cursor: null,
      limit: null,
    });
  const verdict = answer(read.body, undefined);
  // The further page is not among the recordings: what the first one gives must do without.
  return [verdict.kind === 'more' ? answer('', verdict.carry) : verdict];
}

function tryRequest<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}

/** What would have been asked to get this page: by the endpoint's own rule, else the address that the page says it has. */
function inputOf(endpoint: SiteEndpoint, read: Recording): Body | null {
  const own = INPUTS[endpoint.operation.id];
  if (own !== undefined) return own(read);
  const url = addressOf(read);
  return url === null ? null : { url };
}

function addressOf({ url, body, contentType }: Recording): string | null {
  if (url !== null) return url;
  if (/html/.test(contentType)) return canonicalOf(parsePage(body, 'https://page.example/'));
  return /"(?:html_url|permalink|canonical_url|share_url|url)"\s*:\s*"(https?:[^"]+)"/.exec(body)?.[1] ?? null;
}

/** Whether what names the thing is in what was asked for, or in the address that the page has. */
function isIdRight(record: Body, read: Recording, input: Body | null): boolean {
  const address = `${JSON.stringify(input)} ${read.url ?? ''} ${addressOf(read) ?? ''}`.toLowerCase();
  return idsOf(record).some((id) => address.includes(id.toLowerCase()));
}

/** The texts by which a record may be asked for. */
function idsOf(record: Body): readonly string[] {
  return Object.values(record).flatMap((value) => {
    if (typeof value !== 'object' || value === null) return [];
    const known = new Map<string, unknown>(Object.entries(value));
    return ['id', 'login', 'username', 'slug', 'asin', 'full_name', 'property_id', 'url'].flatMap((name) => {
      const id = known.get(name);
      return typeof id === 'string' && id !== '' ? [id] : [];
    });
  });
}

/** Whether its name or title is what the page says of itself, or stands in its data. */
function isNameRight(record: Body, { body, contentType }: Recording): boolean {
  const names = Object.values(record).flatMap((value) => {
    if (typeof value !== 'object' || value === null) return [];
    const known = new Map<string, unknown>(Object.entries(value));
    return ['name', 'title', 'hotel_name'].flatMap((one) => known.get(one) ?? []);
  });
  const html = /html/.test(contentType) ? parsePage(body, 'https://page.example/') : null;
  const said =
    html === null
      ? body
      : `${lineAt(html, 'title') ?? ''} ${openGraph(html, 'og:title') ?? ''} ${lineAt(html, 'h1') ?? ''}`;
  const bare = toLetters(said);
  return names.some((name) => typeof name === 'string' && bare.includes(toLetters(name)));
}

function toLetters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
