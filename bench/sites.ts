/**
 * Measures the CPU time of parsing a page for each site endpoint, on recordings of the corpus or else on test cases, and prints for
 * each endpoint the recordings, how many are parsed, how much of the record is filled, and whether it is verified:
 * `npm run bench -- sites`. Exits with 1 if parsing takes longer than the goal.
 */
import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import type { SourceReadRequest } from '#sites/framework/source-reader.ts';
import { hasValueAt } from '#sites/framework/answers.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { endpoints, allEndpoints } from '#sites/index.ts';
import { PROOFS } from '#sites/proofs.ts';
import { readSource } from '#sites/read-source.ts';
import { toFileStem, listFixtures, replay } from '#tools/sites/cases.ts';
import { type Reading, listReadings } from '#testkit/sites/readings.ts';

const MIN_TIME_MS = 200;
const MAX_RUNS = 500;
/** The size up to which a page is enlarged by repeating its content. */
const LARGE_BYTES = 3_000_000;
/** Goals for parsing recordings, ms of CPU: median, and at 3 MB. */
const GOALS_MS = { median: 15, large: 60 };

const fixtures = listFixtures();
const tables = allEndpoints.map((endpoint) => {
  const rows = listReadings(endpoint);
  return {
    cost: measureCost(endpoint, rows),
    row: endpoints.includes(endpoint) ? buildProofRow(endpoint, rows) : null,
  };
});

console.log('| endpoint | pages | median | slowest | its size | largest grown to 3 MB | over the goal |');
console.log('|---|---|---|---|---|---|---|');
for (const { cost } of tables) console.log(cost.text);
console.log('');
console.log('| endpoint | verified | recordings | accepted | expected filled | members filled | never filled |');
console.log('|---|---|---|---|---|---|---|');
for (const { row } of tables) if (row !== null) console.log(row);
if (tables.some(({ cost }) => cost.isOver)) process.exitCode = 1;

/** One row, after warm-up. Without recordings it uses the test cases, which are small. */
function measureCost(
  endpoint: SiteEndpoint,
  rows: readonly Reading[],
): { readonly text: string; readonly isOver: boolean } {
  const hasRecordings = rows.length > 0;
  const orders = hasRecordings ? rows.map(({ order }) => order) : listCaseOrders(endpoint);
  for (const order of [...orders, ...orders]) readSource(order);
  const timed = orders.map((order) => ({ bytes: order.body.byteLength, ms: measureTimeMs(order) }));
  const sorted = timed.toSorted((one, other) => one.ms - other.ms);
  const slowest = sorted.at(-1) ?? { ms: 0, bytes: 0 };
  const median = sorted[Math.floor(sorted.length / 2)]?.ms ?? 0;
  const [largest] = orders.toSorted((one, other) => other.body.byteLength - one.body.byteLength);
  const large = largest === undefined || !hasRecordings ? null : measureTimeMs(growPage(largest));
  const over = [...(median > GOALS_MS.median ? ['median'] : []), ...((large ?? 0) > GOALS_MS.large ? ['3 MB'] : [])];
  const cells = [
    endpoint.id,
    hasRecordings ? `${rows.length} recorded` : `${orders.length} made`,
    formatMs(median),
    formatMs(slowest.ms),
    `${Math.ceil(slowest.bytes / 1024)} KiB`,
    large === null ? '' : formatMs(large),
    over.join(', '),
  ];
  return { text: `| ${cells.join(' | ')} |`, isOver: over.length > 0 };
}

/** All pages of an endpoint's test cases, as its source receives them. */
function listCaseOrders(endpoint: SiteEndpoint): readonly SourceReadRequest[] {
  const orders: SourceReadRequest[] = [];
  for (const fixture of fixtures)
    if (fixture.site === endpoint.site.name && fixture.endpoint === toFileStem(endpoint))
      replay(endpoint, fixture.case, (order) => {
        orders.push(order);
        return readSource(order);
      });
  return orders;
}

/** CPU of this thread for parsing once, ms. It measures several runs, because the clock is too coarse for one. */
function measureTimeMs(order: SourceReadRequest): number {
  const start = process.threadCpuUsage();
  for (let runs = 1; ; runs++) {
    readSource(order);
    const { user, system } = process.threadCpuUsage(start);
    const spent = (user + system) / 1000;
    if (spent >= MIN_TIME_MS || runs >= MAX_RUNS) return spent / runs;
  }
}

/** JSON has only one root, so its content is repeated in the elements of a list. */
function growPage(order: SourceReadRequest): SourceReadRequest {
  const text = new TextDecoder().decode(order.body);
  const copies = Math.ceil(LARGE_BYTES / Math.max(1, text.length));
  const isJson = /json|javascript/.test(order.page.contentType);
  const whole = isJson ? `[${Array.from({ length: copies }, () => text).join(',')}]` : text.repeat(copies);
  return { ...order, body: new TextEncoder().encode(whole) };
}

/** Counts the filled fields of an endpoint's recordings. The expected paths are those that determine its health. */
function buildProofRow({ id, expected, list }: SiteEndpoint, rows: readonly Reading[]): string {
  const records = rows.flatMap(({ verdict }) => (verdict.kind === 'record' ? [verdict.record] : []));
  const members = new Map<string, number>();
  for (const record of records)
    for (const [path, isFilled] of listMembers(record, ''))
      members.set(path, (members.get(path) ?? 0) + (isFilled ? 1 : 0) / records.length);
  const never = [...members].filter(([, rate]) => rate === 0).map(([path]) => path);
  // A list that the site reports as empty has no fields.
  const full = records.filter((record) => list === null || !isEmptyList(record[list]));
  const wanted = full.flatMap((record) => expected.map((path) => (hasValueAt(record, path) ? 1 : 0)));
  const cells = [
    id,
    PROOFS[id] ?? 'unverified',
    rows.length,
    records.length,
    formatShare(wanted),
    formatShare([...members.values()]),
    never.join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function formatShare(rates: readonly number[]): string {
  return rates.length === 0 ? '' : `${Math.round((rates.reduce((sum, rate) => sum + rate, 0) / rates.length) * 100)} %`;
}

/** Whether each field of a record has a value, by path; of a list only the first element. */
function listMembers(value: unknown, path: string): readonly (readonly [string, boolean])[] {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(one)) return path === '' ? [] : [[path, value !== null && value !== undefined]];
  return Object.entries(one).flatMap(([name, inner]) => listMembers(inner, path === '' ? name : `${path}.${name}`));
}

function formatMs(ms: number): string {
  return `${ms.toFixed(1)} ms`;
}
