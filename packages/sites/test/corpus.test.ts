import { parseInput } from '#testkit/sites/input.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import { hasSome } from '#sites/framework/fill-nulls.ts';
import { openGraph } from '#extract/dom/described.ts';
import { lineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { memberOf, toList } from '#extract/values/json.ts';
import { endpoints, enginePages } from '#sites/index.ts';
import { PROOFS } from '#sites/proofs.ts';
import { readSource } from '#sites/reading.ts';
import { type Recording, listRecordings } from '#testkit/sites/corpus.ts';
import { findAddress, type Body, readAsOther, type Reading, readingsOf } from '#testkit/sites/readings.ts';

const READINGS = [...endpoints, enginePages.websearch].map((endpoint) => [endpoint, readingsOf(endpoint)] as const);

test('every recording of the corpus is read, and what is proven by it is accepted', (t) => {
  let total = 0;
  for (const [endpoint, rows] of READINGS) {
    const { id } = endpoint;
    total += rows.length;
    if (rows.length === 0) continue;
    const accepted = rows.flatMap(({ read, verdict, input }) =>
      verdict.kind === 'record' ? [{ read, record: verdict.record, input }] : [],
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
      if (verdict.kind === 'record') continue;
      t.diagnostic(`  ${read.file}: ${verdict.kind} ${'reason' in verdict ? verdict.reason : ''}`.slice(0, 160));
    }
    if (PROOFS[id] === 'corpus') assert.ok(accepted.length > 0, `${id} is not proven by the corpus`);
    for (const { read, record, input } of accepted)
      assert.ok(isIdRight(record, read, input), `${id} ${read.file}: another id`);
  }
  t.diagnostic(`${total} recordings`);
});

test('no recording is taken for the record of another that was asked for', (t) => {
  let swaps = 0;
  for (const [endpoint, rows] of READINGS) {
    const accepted = rows.filter(({ verdict }) => verdict.kind === 'record');
    for (const [at, one] of accepted.entries()) {
      // Recordings of one thing may stand for each other.
      const isOther = (row: Reading): boolean =>
        row.order.source === one.order.source &&
        !isSame(row.verdict, one.verdict) &&
        JSON.stringify(row.input) !== JSON.stringify(one.input);
      const other = [...accepted.slice(at + 1), ...accepted].find(isOther);
      if (other === undefined) continue;
      swaps += 1;
      const { kind } = readAsOther(one, other);
      assert.notEqual(kind, 'record', `${endpoint.id} ${one.read.file} for ${other.read.file}`);
    }
  }
  t.diagnostic(`${swaps} pages in the place of others`);
});

/**
 * Whether what names the thing is in what was asked for, or in the address that the page has; of a search or a list, all of
 * it in the page; of a day, its day too.
 */
function isIdRight(record: Body, read: Recording, input: Body | null): boolean {
  if (input?.['date'] !== undefined && record['date'] !== input['date']) return false;
  const isList = ['reviews', 'photos', 'jobs', 'stores'].some((name) => record[name] !== undefined);
  if (isList || ['search', 'date', 'list'].some((name) => input?.[name] !== undefined))
    return idsOf(record).every((id) => read.body.includes(plainOf(id)));
  const isFound = Array.isArray(record['results']) || input?.['search'] !== undefined;
  if (isFound || input?.['date'] !== undefined) return idsOf(record).every((id) => read.body.includes(plainOf(id)));
  const address = `${JSON.stringify(input)} ${read.url ?? ''} ${findAddress(read) ?? ''}`.toLowerCase();
  return idsOf(record).some((id) => address.includes(id.toLowerCase()));
}

/** An id as a page has it; an address is made of the id that stands beside it. */
function plainOf(id: string): string {
  return /[=/]([^=/]+)\/?$/.exec(id)?.[1] ?? id;
}

/** Whether two records are about one thing: a post and its only photo have numbers of their own and one text. */
function isSame(one: SiteVerdict, other: SiteVerdict): boolean {
  if (one.kind !== 'record' || other.kind !== 'record') return false;
  const ids = idsOf(other.record);
  const text = memberOf(one.record['post'], 'text') ?? null;
  const isOneText = text !== null && text === memberOf(other.record['post'], 'text');
  return isOneText || idsOf(one.record).some((id) => ids.includes(id));
}

/** What a record is about; of a list its elements, and whose they are. */
function thingsOf(record: Body): readonly unknown[] {
  return [['', record] as const, ...Object.entries(record)].flatMap(([name, value]) => {
    // A search of several kinds has a list for each.
    if (!Array.isArray(value)) return name === 'results' ? Object.values(Object(value)).flatMap(toList) : [value];
    return value.flatMap((one: unknown) => [
      one,
      memberOf(one, 'owner'),
      memberOf(one, 'subreddit'),
      { login: nameOfAuthor(memberOf(one, 'author')) },
    ]);
  });
}

function nameOfAuthor(author: unknown): unknown {
  return memberOf(author, 'username') ?? memberOf(author, 'name') ?? author;
}

/** The texts by which a record may be asked for. */
function idsOf(record: Body): readonly string[] {
  return thingsOf(record).flatMap((value) => {
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

/** Whether its name or title is what the page says of itself, or stands in its data; of a list, in the page. */
function isNameRight(record: Body, { body, contentType }: Recording): boolean {
  const names = thingsOf(record).flatMap((value) => {
    if (typeof value !== 'object' || value === null) return [];
    const known = new Map<string, unknown>(Object.entries(value));
    const author = [memberOf(known.get('author'), 'name')];
    return [...['name', 'title', 'hotel_name'].map((one) => known.get(one)), ...author];
  });
  const isList = Object.values(record).some((value) => Array.isArray(value));
  const html = /html/.test(contentType) && !isList ? parsePage(body, 'https://page.example/') : null;
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

test('the recorded challenge of the ad library is a wall to each of its endpoints', () => {
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
