import { parseInput } from '#testkit/sites/input.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SiteVerdict, hasValueAt } from '#sites/framework/answers.ts';
import { findOpenGraph, readLineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { getMember, toList } from '#extract/values/json.ts';
import { endpoints, enginePages } from '#sites/index.ts';
import { PROOFS } from '#sites/proofs.ts';
import { readSource } from '#sites/read-source.ts';
import { type Recording, listRecordings } from '#testkit/sites/corpus.ts';
import { findAddress, type Body, readAsOther, type Reading, listReadings } from '#testkit/sites/readings.ts';

const READINGS = [...endpoints, enginePages.websearch].map((endpoint) => [endpoint, listReadings(endpoint)] as const);

test('every recording of the corpus is parsed, and verified endpoints return a record from it', (t) => {
  let total = 0;
  for (const [endpoint, rows] of READINGS) {
    const { id } = endpoint;
    total += rows.length;
    if (rows.length === 0) continue;
    const accepted = rows.flatMap(({ read, verdict, input }) =>
      verdict.kind === 'record' ? [{ read, record: verdict.record, input }] : [],
    );
    const filled = accepted.flatMap(({ record }) => endpoint.expected.map((path) => hasValueAt(record, path)));
    t.diagnostic(
      [
        id,
        `${rows.length} recordings`,
        `${accepted.length} accepted`,
        `${accepted.filter(({ read, record, input }) => hasExpectedId(record, read, input)).length} id right`,
        `${accepted.filter(({ read, record }) => hasExpectedName(record, read)).length} name right`,
        `${filled.filter((one) => one).length} of ${filled.length} expected fields filled`,
      ].join(', '),
    );
    for (const { read, verdict } of rows) {
      if (verdict.kind === 'record') continue;
      t.diagnostic(`  ${read.file}: ${verdict.kind} ${'reason' in verdict ? verdict.reason : ''}`.slice(0, 160));
    }
    if (PROOFS[id] === 'corpus') assert.ok(accepted.length > 0, `${id} is not proven by the corpus`);
    for (const { read, record, input } of accepted)
      assert.ok(hasExpectedId(record, read, input), `${id} ${read.file}: another id`);
  }
  t.diagnostic(`${total} recordings`);
});

test('no recording is accepted as the answer to the request of another recording', (t) => {
  let swaps = 0;
  for (const [endpoint, rows] of READINGS) {
    const accepted = rows.filter(({ verdict }) => verdict.kind === 'record');
    for (const [at, one] of accepted.entries()) {
      // Recordings of the same entity may be exchanged.
      const isOther = (row: Reading): boolean =>
        row.order.source === one.order.source &&
        !isSameEntity(row.verdict, one.verdict) &&
        JSON.stringify(row.input) !== JSON.stringify(one.input);
      const other = [...accepted.slice(at + 1), ...accepted].find(isOther);
      if (other === undefined) continue;
      swaps += 1;
      const { kind } = readAsOther(one, other);
      assert.notEqual(kind, 'record', `${endpoint.id} ${one.read.file} for ${other.read.file}`);
    }
  }
  t.diagnostic(`${swaps} exchanged pages`);
});

/**
 * Whether an id of the record is in the request or in the URL of the page. For a search or a list, all ids must be in the page.
 * For a leaderboard, the date must be the requested one as well.
 */
function hasExpectedId(record: Body, read: Recording, input: Body | null): boolean {
  if (input?.['date'] !== undefined && record['date'] !== input['date']) return false;
  const isList = ['reviews', 'photos', 'jobs', 'stores'].some((name) => record[name] !== undefined);
  if (isList || ['search', 'date', 'list'].some((name) => input?.[name] !== undefined))
    return listIds(record).every((id) => read.body.includes(getLastSegment(id)));
  const isFound = Array.isArray(record['results']) || input?.['search'] !== undefined;
  if (isFound || input?.['date'] !== undefined)
    return listIds(record).every((id) => read.body.includes(getLastSegment(id)));
  const address = `${JSON.stringify(input)} ${read.url ?? ''} ${findAddress(read) ?? ''}`.toLowerCase();
  return listIds(record).some((id) => address.includes(id.toLowerCase()));
}

/** Returns the last segment of an id that is a URL, as the page contains it. */
function getLastSegment(id: string): string {
  return /[=/]([^=/]+)\/?$/.exec(id)?.[1] ?? id;
}

/** Whether two records are about the same entity. A post and its only photo have different ids but the same text. */
function isSameEntity(one: SiteVerdict, other: SiteVerdict): boolean {
  if (one.kind !== 'record' || other.kind !== 'record') return false;
  const ids = listIds(other.record);
  const text = getMember(one.record['post'], 'text') ?? null;
  const isOneText = text !== null && text === getMember(other.record['post'], 'text');
  return isOneText || listIds(one.record).some((id) => ids.includes(id));
}

/** Lists the entities of a record: its fields, or the elements of its lists and their owners. */
function listEntities(record: Body): readonly unknown[] {
  return [['', record] as const, ...Object.entries(record)].flatMap(([name, value]) => {
    // A search for several types has a list for each type.
    if (!Array.isArray(value)) return name === 'results' ? Object.values(Object(value)).flatMap(toList) : [value];
    return value.flatMap((one: unknown) => [
      one,
      getMember(one, 'owner'),
      getMember(one, 'subreddit'),
      { login: getAuthorName(getMember(one, 'author')) },
    ]);
  });
}

function getAuthorName(author: unknown): unknown {
  return getMember(author, 'username') ?? getMember(author, 'name') ?? author;
}

/** Lists the ids with which the entities of a record may be requested. */
function listIds(record: Body): readonly string[] {
  return listEntities(record).flatMap((value) => {
    if (typeof value !== 'object' || value === null) return [];
    const known = new Map<string, unknown>(Object.entries(value));
    return [
      'id',
      'video_id',
      'embed_id',
      'login',
      'username',
      'slug',
      'asin',
      'full_name',
      'property_id',
      'prefixed',
      'url',
    ].flatMap((name) => {
      const id = known.get(name);
      return typeof id === 'string' && id !== '' ? [id] : [];
    });
  });
}

/** Whether the record's name or title is in the page's own titles, or in its data. For a list, anywhere in the page. */
function hasExpectedName(record: Body, { body, contentType }: Recording): boolean {
  const names = listEntities(record).flatMap((value) => {
    if (typeof value !== 'object' || value === null) return [];
    const known = new Map<string, unknown>(Object.entries(value));
    const author = [getMember(known.get('author'), 'name')];
    return [...['name', 'title', 'hotel_name'].map((one) => known.get(one)), ...author];
  });
  const isList = Object.values(record).some((value) => Array.isArray(value));
  const html = /html/.test(contentType) && !isList ? parsePage(body, 'https://page.example/') : null;
  const said =
    html === null
      ? body
      : `${readLineAt(html, 'title') ?? ''} ${findOpenGraph(html, 'og:title') ?? ''} ${readLineAt(html, 'h1') ?? ''}`;
  const bare = normalizeLetters(said);
  return names.some((name) => typeof name === 'string' && bare.includes(normalizeLetters(name)));
}

function normalizeLetters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

test('every ad library endpoint recognizes the recorded challenge page', () => {
  const recorded = listRecordings('socialnet/adLibrary');
  for (const endpoint of endpoints.filter(({ id }) => id.includes('adLibrary')))
    for (const { body } of recorded) {
      const verdict = readSource({
        endpoint: endpoint.id,
        source: endpoint.sources[0]?.name ?? '',
        input: parseInput(endpoint, endpoint.canary),
        page: {
          url: 'https://www.facebook.com/ads/library/',
          requested: 'https://www.facebook.com/ads/library/',
          status: 403,
          headers: {},
          contentType: 'text/html',
          carry: undefined,
        },
        body: new TextEncoder().encode(body),
        captures: [],
        settings: { origins: {}, constants: {} },
        cursor: null,
        limit: null,
      });
      assert.deepEqual(verdict, { kind: 'blocked', reason: 'client_challenge' });
    }
});
