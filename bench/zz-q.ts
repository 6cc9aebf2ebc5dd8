// zz-q.ts LABEL kind fill|ask sizes ; CPU based
import { createReadStream, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { buildOwnIndexBackend } from '#features/search/backend/own-index.ts';
import { isKeyword, splitWords } from '#features/search/words.ts';
import { getQuantile, fillIndex, TENANT } from './search/open-index.ts';
import { openPostgresIndex } from '#features/search/index/postgres-index.ts';
import { SearchIndex } from '#features/search/index/search-index.ts';
import { openSqliteIndex } from '#features/search/index/sqlite-index.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { openPostgres, PATIENT_LIMITS } from '#store/postgres.ts';
const [label = '', kind = 'sqlite', what = 'fill+ask', sizeText = '60000', rounds = '1'] = process.argv.slice(2);
const sizes = sizeText.split(',').map(Number);
const most = sizes.at(-1) ?? 0;
const pages: any[] = [];
for await (const line of createInterface({ input: createReadStream('/tmp/sg/texts.jsonl') })) {
  pages.push(JSON.parse(line));
  if (pages.length >= (what.includes('fill') ? most : 1100)) break;
}
const counts = new Map<string, number>();
for (const { body } of pages.slice(0, 1000))
  for (const word of new Set(splitWords(body))) counts.set(word, (counts.get(word) ?? 0) + 1);
const common = [...counts]
  .filter(([w]) => w.length > 2 && isKeyword(w))
  .toSorted(([, a], [, b]) => b - a)
  .slice(0, 30)
  .map(([w]) => w);
const mid = (body: string, n: number) => {
  const w = splitWords(body);
  const f = Math.floor(w.length / 2);
  return w.slice(f, f + n).join(' ');
};
const asked = pages.filter(({ body }) => splitWords(body).length >= 100).slice(0, 60);
const c = (n: number) => common[n % common.length] ?? '';
const queries = new Map<string, string[]>([
  ['title', asked.map(({ title }) => title)],
  ['six', asked.map(({ body }) => mid(body, 6))],
  ['question', asked.map(({ title }) => `What is ${title} and how do I use it?`)],
  ['phrase3', asked.map(({ body }) => `"${mid(body, 3)}"`)],
  ['common1', asked.map((_p, n) => c(n))],
  ['common3', asked.map((_p, n) => `${c(n)} ${c(n + 7)} ${c(n + 13)}`)],
]);
const signal = AbortSignal.timeout(7_200_000);
const url = readFileSync('/tmp/sg/pg.url', 'utf8');
const place = `/tmp/sg/idx-${label}.db`;
const index =
  kind === 'sqlite'
    ? new SearchIndex({ store: openSqliteIndex(place, SYSTEM_CLOCK), now: Date.now })
    : new SearchIndex({
        store: openPostgresIndex(
          openPostgres(url.replace(/postgres$/, label), {
            ...PATIENT_LIMITS,
            report: console.error,
            clock: SYSTEM_CLOCK,
          }),
        ),
        now: Date.now,
      });
function serverCpu() {
  // ms of all postgres processes of the scratch server
  if (kind === 'sqlite') return 0;
  let sum = 0;
  for (const pid of readdirSync('/proc').filter((n) => /^\d+$/.test(n))) {
    try {
      const s = readFileSync(`/proc/${pid}/stat`, 'utf8');
      if (!s.includes('(postgres)')) continue;
      const f = s.slice(s.lastIndexOf(')') + 2).split(' ');
      if (Number(f[1]) !== postmaster && Number(pid) !== postmaster) continue;
      sum += (Number(f[11]) + Number(f[12])) * 10;
      if (Number(pid) === postmaster) sum += (Number(f[13]) + Number(f[14])) * 10;
    } catch {}
  }
  return sum;
}
const postmaster = Number(existsSync('/tmp/sg/pg.pid') ? readFileSync('/tmp/sg/pg.pid', 'utf8') : 0);
const cpu = () => {
  const u = process.cpuUsage();
  return [(u.user + u.system) / 1000, serverCpu()];
};
const seen: Record<string, any> = {};
let had = 0;
console.log(`| ${label} ${kind} | ${[...queries.keys()].join(' | ')} |`);
for (const size of sizes) {
  let fill = '';
  if (what.includes('fill')) {
    const some = pages.slice(had, size);
    const [a = 0, b = 0] = cpu();
    const ms = await fillIndex(index, some, signal);
    const [x = 0, y = 0] = cpu();
    fill = `${((some.length * 1000) / ms).toFixed(0)}/s, cpu ms/page node ${((x - a) / some.length).toFixed(3)} server ${((y - b) / some.length).toFixed(3)}, MB ${((await index.bytes(signal)) / 1e6).toFixed(1)}`;
  }
  had = size;
  if (!what.includes('ask')) {
    console.log(`| ${size} | ${fill}`);
    continue;
  }
  const own = buildOwnIndexBackend({ index, sources: { listExisting: async (s) => new Set(s) } });
  const cells: string[] = [];
  await own.search(
    { search: 'warm up', country: null, language: null, page: 1 },
    { tenant: TENANT, weight: 1, signal },
  );
  for (const [name, list] of queries) {
    const times: number[] = [];
    const [a = 0, b = 0] = cpu();
    for (let r = 0; r < Number(rounds); r++)
      for (const search of list) {
        const t = performance.now();
        const got = await own.search(
          { search, country: null, language: null, page: 1 },
          { tenant: TENANT, weight: 1, signal },
        );
        times.push(performance.now() - t);
        seen[`${kind} ${size} ${name} ${search}`] = {
          total: got.total,
          hasMore: got.hasMore,
          urls: got.organic.map((o: any) => o.url),
          snip: got.organic.map((o: any) => o.description),
        };
      }
    const [x = 0, y = 0] = cpu();
    const n = list.length * Number(rounds);
    cells.push(
      `${getQuantile(times, 0.5).toFixed(1)}, ${getQuantile(times, 0.95).toFixed(1)} (cpu ${((x - a) / n).toFixed(1)}+${((y - b) / n).toFixed(1)})`,
    );
  }
  console.log(`| ${size} | ${cells.join(' | ')} | ${fill}`);
}
writeFileSync(`/tmp/sg/seen-${label}-${kind}.json`, JSON.stringify(seen));
await index.close();
process.exit(0);
