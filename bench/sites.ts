/**
 * Prints what CPU reading a page costs each endpoint of a site, over its cases and the recordings of the corpus, and how much
 * of its record the recordings fill: `npm run bench -- sites`.
 */
import type { SiteEndpoint } from '#features/sites/endpoint.ts';
import type { ReadOrder } from '#features/sites/reading.ts';
import { isJsonObject } from '#kernel/json.ts';
import { readEndpoints } from '#sites/index.ts';
import { readSource } from '#sites/reading.ts';
import { fileOf, listFixtures, replay } from '#tools/sites/cases.ts';
import { readingsOf } from '#testkit/sites/readings.ts';

const ENOUGH_MS = 200;
const MOST_RUNS = 500;
/** The size that a page is grown to, by its own content over and over. */
const LARGE = 3_000_000;
/** What is smaller says nothing of large pages. */
const SMALL = 100_000;

const fixtures = listFixtures();

console.log('| endpoint | pages | median | slowest | its size | largest grown to 3 MB |');
console.log('|---|---|---|---|---|---|');
for (const endpoint of readEndpoints) console.log(costOf(endpoint));
console.log('');
console.log('| endpoint | recordings | accepted | members filled | never filled |');
console.log('|---|---|---|---|---|');
for (const endpoint of readEndpoints) console.log(fillOf(endpoint));

/** One row, after readings that warm the code. */
function costOf(endpoint: SiteEndpoint): string {
  const orders = [...casesOf(endpoint), ...readingsOf(endpoint).map(({ order }) => order)];
  for (const order of [...orders, ...orders]) readSource(order);
  const timed = orders.map((order) => ({ bytes: order.body.byteLength, ms: timeOf(order) }));
  const sorted = timed.toSorted((one, other) => one.ms - other.ms);
  const slowest = sorted.at(-1) ?? { ms: 0, bytes: 0 };
  const [largest] = orders.toSorted((one, other) => other.body.byteLength - one.body.byteLength);
  const cells = [
    endpoint.operation.id,
    orders.length,
    inMs(sorted[Math.floor(sorted.length / 2)]?.ms ?? 0),
    inMs(slowest.ms),
    `${Math.ceil(slowest.bytes / 1024)} KiB`,
    largest === undefined || largest.body.byteLength < SMALL ? '' : inMs(timeOf(grown(largest))),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Every page of the cases of an endpoint, as its source is given it. */
function casesOf(endpoint: SiteEndpoint): readonly ReadOrder[] {
  const orders: ReadOrder[] = [];
  for (const fixture of fixtures)
    if (fixture.site === endpoint.site.name && fixture.endpoint === fileOf(endpoint))
      replay(endpoint, fixture.case, (order) => {
        orders.push(order);
        return readSource(order);
      });
  return orders;
}

/** CPU of this thread for one reading, ms: the clock is too coarse for a single one. */
function timeOf(order: ReadOrder): number {
  const start = process.threadCpuUsage();
  for (let runs = 1; ; runs++) {
    readSource(order);
    const { user, system } = process.threadCpuUsage(start);
    const spent = (user + system) / 1000;
    if (spent >= ENOUGH_MS || runs >= MOST_RUNS) return spent / runs;
  }
}

/** JSON has no second root, so its content goes into the elements of a list. */
function grown(order: ReadOrder): ReadOrder {
  const text = new TextDecoder().decode(order.body);
  const copies = Math.ceil(LARGE / Math.max(1, text.length));
  const isJson = /json|javascript/.test(order.page.contentType);
  const whole = isJson ? `[${Array.from({ length: copies }, () => text).join(',')}]` : text.repeat(copies);
  return { ...order, body: new TextEncoder().encode(whole) };
}

function fillOf(endpoint: SiteEndpoint): string {
  const rows = readingsOf(endpoint);
  const records = rows.flatMap(({ verdict }) => (verdict.kind === 'record' ? [verdict.record] : []));
  const members = new Map<string, number>();
  for (const record of records)
    for (const [path, isFilled] of membersOf(record, ''))
      members.set(path, (members.get(path) ?? 0) + (isFilled ? 1 : 0) / records.length);
  const rates = [...members.values()];
  const share = rates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, rates.length);
  const never = [...members].filter(([, rate]) => rate === 0).map(([path]) => path);
  const filled = records.length === 0 ? '' : `${Math.round(share * 100)} %`;
  return `| ${[endpoint.operation.id, rows.length, records.length, filled, never.join(', ')].join(' | ')} |`;
}

/** The members of a record by their paths, and whether there is something; of a list its first element. */
function membersOf(value: unknown, path: string): readonly (readonly [string, boolean])[] {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(one)) return path === '' ? [] : [[path, value !== null && value !== undefined]];
  return Object.entries(one).flatMap(([name, inner]) => membersOf(inner, path === '' ? name : `${path}.${name}`));
}

function inMs(ms: number): string {
  return `${ms.toFixed(1)} ms`;
}
