/**
 * Measures time and memory of the attacks listed in the security documentation, with local servers: result, duration and
 * remaining memory: `npm run bench -- security [--only pages,tenfold]`. Results are printed as they are measured.
 */
import { parseArgs } from 'node:util';
import { createBrotliCompress, createGzip, createZstdCompress, deflateSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { Keys } from '#engine/identity/keys.ts';
import { createParserThreads } from '#engine/reading/parser-threads.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { Tenants } from '#engine/credits/tenants.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { SERVICE_OWNER } from '#kernel/fair-queue.ts';
import { ServiceError } from '#kernel/errors.ts';
import { SOURCE_WORKER } from '#features/sites/site-work.ts';
import { startDns, type DnsRecord } from '#testkit/dns.ts';
import { buildDocx, buildXlsx, buildZip } from '#testkit/office.ts';
import { buildPdf } from '#testkit/pdf.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';
import { startRawServer, startHttpServer, startSocketServer } from '#testkit/servers.ts';
import { withTemporaryStore } from './store.ts';
import { guardWith, createVisitor } from '#testkit/visitor.ts';
import { parseOnlyOption } from './command-line.ts';

const MIB = 2 ** 20;
const ROUNDS = 100;

type CaseLine = { readonly row: string; readonly answer: string; readonly ms: number; readonly rssMib: number };
type CaseLines = AsyncGenerator<CaseLine, void>;

async function runAndClassify(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'answered';
  } catch (error) {
    return error instanceof ServiceError ? error.code : String(error);
  }
}

async function measureCase(row: string, work: () => Promise<unknown>): Promise<CaseLine> {
  const before = process.memoryUsage.rss();
  const began = performance.now();
  const answer = await runAndClassify(work);
  const ms = performance.now() - began;
  return { row, answer, ms, rssMib: (process.memoryUsage.rss() - before) / MIB };
}

/** Compresses a GiB of zeros in chunks. */
function buildBomb(coder: NodeJS.ReadWriteStream): Promise<Buffer> {
  const piece = Buffer.alloc(4 * MIB);
  return buffer(Readable.from(Array.from({ length: 256 }, () => piece)).pipe(coder));
}

async function* measureNames(): CaseLines {
  const many = Array.from({ length: 1_000 }, (_, n): DnsRecord => ({
    type: 'A',
    value: `93.184.${n >> 8}.${n & 255}`,
  }));
  const zone: Readonly<Record<string, readonly DnsRecord[]>> = {
    'many.test': many,
    'private.test': [{ type: 'A', value: '10.0.0.1' }],
    'closed.test': [{ type: 'A', value: '127.0.0.3' }],
  };
  await using dns = await startDns((name, type) => zone[name]?.filter((record) => record.type === type) ?? null);
  const { guard } = guardWith({ dns: dns.server });
  await using visitor = createVisitor({ dns: dns.server, allow: '127.0.0.3' });
  const signal = new AbortController().signal;
  yield await measureCase('1,000 addresses', () => guard.resolve(new URL('http://many.test/'), signal));
  for (const host of ['missing.test', 'private.test', 'closed.test:1024']) {
    const rounds: CaseLine[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push(await measureCase(`${host}, median of ${ROUNDS}`, () => visitor.visit(`http://${host}/`)));
    }
    const middle = rounds.toSorted((a, b) => a.ms - b.ms)[ROUNDS / 2];
    if (middle !== undefined) yield middle;
  }
}

async function* measureBombs(): CaseLines {
  const coders = { gzip: createGzip, br: createBrotliCompress, zstd: createZstdCompress };
  for (const [encoding, open] of Object.entries(coders)) {
    const bytes = await buildBomb(open());
    await using site = await startHttpServer((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes),
    );
    await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
    yield await measureCase(`${bytes.byteLength} B ${encoding} of 1 GiB`, () => visitor.visit(site.origin));
  }
}

async function* measureHeaders(): CaseLines {
  await using slow = await startSocketServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-A: ');
    const timer = setInterval(() => socket.write('a'), 1_000);
    socket.once('close', () => clearInterval(timer));
  });
  await using long = await startRawServer(`HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`);
  await using hints = await startSocketServer((socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 1);
    socket.once('close', () => clearInterval(timer));
  });
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  yield await measureCase('one header byte a second', () => visitor.visit(slow.origin, { ms: 20_000 }));
  yield await measureCase('a header of 17,000 bytes', () => visitor.visit(long.origin));
  yield await measureCase('endless 103', () => visitor.visit(hints.origin));
}

const SENTENCE = 'Requires that the second gate was closed before and that nobody stands on the bridge.';
const ACCORDION = '<div><h3><button aria-expanded=false aria-controls=p>q</button></h3><div id=p hidden>';
const POST = `<div itemprop=comment class=post><div><a href=/u>rye</a> May 3, 2024</div><p>${SENTENCE}</p></div>`;

/** Expensive pages, parsed as in a parser thread with its memory limit. */
async function* measurePages(): CaseLines {
  const hostile = {
    '10,000 nested div': '<div>'.repeat(10_000),
    '1,000,000 nested div': '<div>'.repeat(1_000_000),
    '100,000 nested tables': '<table><td>'.repeat(100_000),
    '100,000 nested lists': '<ul><li>'.repeat(100_000),
    '1,000,000 hidden div': `<p>rye</p>${'<div hidden>x</div>'.repeat(1_000_000)}`,
    '100,000 cells that repeat': `<table>${`<tr><td>${SENTENCE}</td></tr>`.repeat(100_000)}</table>`,
    '10,000 nested accordions': `${ACCORDION.repeat(10_000)}rye`,
    'a forum of 5 MiB': `<meta name=generator content=Discourse><h1>Rye</h1>${POST.repeat(Math.ceil((5 * MIB) / POST.length))}`,
    '25 MiB of &amp;amp;': '&amp;amp;'.repeat(Math.floor((25 * MIB) / 9)),
    '1,000,000 open comments': '<!--'.repeat(1_000_000),
    '1,000,000 times </': '</'.repeat(1_000_000),
    '100,000 times [ (](': '[ (]('.repeat(100_000),
    'JSON of 1,000,000 levels': `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`,
  };
  const parsing = createParserThreads(SOURCE_WORKER, SYSTEM_CLOCK);
  const signal = new AbortController().signal;
  await parsing.read(buildMarkdownRequest(toBytes('<p>warm</p>')), { party: SERVICE_OWNER, signal });
  for (const [row, text] of Object.entries(hostile)) {
    const contentType = row.includes('JSON') ? 'application/json' : 'text/html';
    const request = { ...buildMarkdownRequest(toBytes(text)), contentType };
    yield await measureCase(row, () => parsing.read(request, { party: SERVICE_OWNER, signal }));
  }
  await parsing.close();
}

/** Expensive documents, each parsed in a new document thread. */
async function* measureDocuments(): CaseLines {
  const texts = 'BT /F1 9 Tf 9 9 Td (rye) Tj ET\n'.repeat(500_000);
  const packed = deflateSync(Buffer.alloc(1024 * MIB)).toString('latin1');
  const hostile: Readonly<Record<string, () => Uint8Array<ArrayBuffer>>> = {
    'PDF of 2,000 pages': () =>
      buildPdf(Array.from({ length: 2000 }, (_, at) => ({ shown: [{ text: `Page ${at}`, x: 72, y: 700 }] }))),
    'PDF, 500,000 texts on a page': () =>
      buildPdf([{ shown: [], content: 6 }], { objects: [buildPdfStream(texts, '')] }),
    'PDF, 1 GiB of a page in 1 MiB': () =>
      buildPdf([{ shown: [], content: 6 }], { objects: [buildPdfStream(packed, '/Filter /FlateDecode')] }),
    'XLSX of 1,048,576 rows': () => buildXlsx([{ name: 'Long', rows: '<row><c><v>1</v></c></row>'.repeat(1_048_576) }]),
    'DOCX of 1,000,000 paragraphs': () => buildDocx('<w:p><w:r><w:t>rye</w:t></w:r></w:p>'.repeat(1_000_000)),
    'DOCX, fields nested 1,000 deep': () => buildDocx(`<w:p>${buildNestedFields(1_000)}</w:p>`),
    'DOCX of 80 MB in 80 KB': () => buildDocx(' '.repeat(80_000_000)),
    'PPTX of 300,000 open shapes': () =>
      buildZip({ 'ppt/presentation.xml': '<p/>', 'ppt/slides/slide1.xml': '<sp>'.repeat(300_000) }),
  };
  for (const [row, make] of Object.entries(hostile)) {
    const request = { ...buildMarkdownRequest(make()), contentType: '' };
    const parsing = createParserThreads(SOURCE_WORKER, SYSTEM_CLOCK);
    yield await measureCase(row, () =>
      parsing.read(request, { party: SERVICE_OWNER, signal: new AbortController().signal }),
    );
    await parsing.close();
  }
}

/** Nested fields; only the inner half are links. */
function buildNestedFields(deep: number): string {
  const open = (at: number) => `<w:fldSimple w:instr="${at < deep / 2 ? 'PAGE' : 'HYPERLINK x'}">`;
  const opened = Array.from({ length: deep }, (_, at) => open(at)).join('');
  return `${opened}<w:r><w:t>rye</w:t></w:r>${'</w:fldSimple>'.repeat(deep)}`;
}

function buildPdfStream(content: string, members: string): string {
  return `<< /Length ${content.length} ${members} >>\nstream\n${content}\nendstream`;
}

const SMALL_BYTES = 2.5 * MIB;
/** Texts that are repeated up to 2.5 and to 25 MiB, by content type, with the text before them. */
const REPEATED_PIECES: readonly (readonly [type: string, piece: string, before?: string])[] = [
  ['text/html', '<p>Rye and <b>oats</b> for <a href="/all">all</a></p>\n'],
  ['text/html', '<div>'],
  ['text/html', '<b><p>'],
  ['text/html', '<table><td>'],
  ['text/html', '<a href=x>a'],
  ['text/html', '<p a=1 b=2 c="'],
  ['text/html', '&amp;amp;'],
  ['text/html', '<!--'],
  ['text/html', '</'],
  ['text/html', '[ (](`'],
  ['text/html', '<div><template shadowrootmode=open><slot></slot></template>'],
  ['text/html', '<img src=/blank.gif><noscript><img src=/a.jpg></noscript>'],
  ['text/html', '<ul><li>x'],
  ['text/html', '<tr><td>rye<td>12.50', '<table>'],
  ['text/html', '<tr><td rowspan=100 colspan=100>rye', '<table>'],
  ['text/html', '<br>', '<table><tr><th>a<td>x'],
  ['text/html', '&nbsp;', '<h1>x'],
  ['text/html', ' ', '<p>x<br><code>x'],
  ['text/html', '![', '<a href=/x><p><code>'],
  ['text/html', '\\', '<script type="math/tex">x'],
  ['text/html', '|', '<title>x'],
  ['text/html', '\r'],
  ['text/html', '< '],
  ['text/html; charset=utf-8', '<p>\xe9t\xe9 '],
  ['application/json', '{"a":[1,"rye"]},'],
  ['application/json', '['],
  ['text/csv', 'rye,"12,50",yes\n'],
  ['text/csv', '"rye"" and'],
  ['text/plain', 'Rye and oats\n'],
  ['text/plain', '  {rye: oats}\n'],
  ['application/rss+xml', '<item><title>Rye</title><description>&lt;b&gt;Oats</description></item>'],
  ['application/xml', '<a b="c">rye</a>'],
];

const REPETITIONS = 3;

/** The ratio of the CPU of all threads for ten times the size, minimum of three runs each; or the limit that was reached. */
async function* measureGrowth(): CaseLines {
  for (const [contentType, piece, before = ''] of REPEATED_PIECES) {
    const parsing = createParserThreads(SOURCE_WORKER, SYSTEM_CLOCK);
    const signal = new AbortController().signal;
    const readRepeated = async (size: number, name: string): Promise<CaseLine & { readonly cpuMs: number }> => {
      const body = Uint8Array.from(Buffer.from(before + piece.repeat(Math.ceil(size / piece.length)), 'latin1'));
      let least = Number.POSITIVE_INFINITY;
      let line: CaseLine = { row: name, answer: '', ms: 0, rssMib: 0 };
      for (let time = 0; time < REPETITIONS; time += 1) {
        const began = process.cpuUsage();
        line = await measureCase(name, () =>
          parsing.read({ ...buildMarkdownRequest(body.slice()), contentType }, { party: SERVICE_OWNER, signal }),
        );
        const { user, system } = process.cpuUsage(began);
        least = Math.min(least, (user + system) / 1000);
      }
      return { ...line, cpuMs: least };
    };
    await readRepeated(SMALL_BYTES / 10, 'warm');
    const small = await readRepeated(SMALL_BYTES, '');
    const large = await readRepeated(SMALL_BYTES * 10, `25 MiB of ${JSON.stringify(before + piece).slice(1, 30)}`);
    const { row, answer, ms, rssMib } = large;
    yield { row, answer: `${answer}, x${(large.cpuMs / small.cpuMs).toFixed(1)} of 2.5 MiB, CPU`, ms, rssMib };
    await parsing.close();
  }
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The time to reject a key, by how it differs from a valid one. */
async function* measureBadKeys(): CaseLines {
  yield* await withTemporaryStore(async (db) => {
    const clock = SYSTEM_CLOCK;
    const keys = new Keys({ db, clock, plans: loadPlans(null) });
    const { key } = await keys.add(await new Tenants({ db, clock }).create('bench', 'free'), 'bench');
    const candidates = {
      'first character wrong': `x${key.slice(1)}`,
      'last character wrong': `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`,
      'nothing of it right': 'x'.repeat(key.length),
    };
    const lines: CaseLine[] = [];
    for (const [name, candidate] of Object.entries(candidates)) {
      const rounds: CaseLine[] = [];
      for (let round = 0; round < 10_000; round += 1) {
        rounds.push(await measureCase(`${name}, median of 10,000`, async () => keys.findCaller(candidate)));
      }
      const middle = rounds.toSorted((a, b) => a.ms - b.ms)[rounds.length / 2];
      if (middle !== undefined) lines.push(middle);
    }
    return lines;
  });
}

const MEASURE_NAMES = ['names', 'bombs', 'headers', 'pages', 'documents', 'tenfold', 'badKeys'] as const;
const MEASURES: Readonly<Record<(typeof MEASURE_NAMES)[number], () => CaseLines>> = {
  names: measureNames,
  bombs: measureBombs,
  headers: measureHeaders,
  pages: measurePages,
  documents: measureDocuments,
  tenfold: measureGrowth,
  badKeys: measureBadKeys,
};

const { values } = parseArgs({ options: { only: { type: 'string' } } });
console.log('row'.padEnd(44), 'answer'.padEnd(36), 'ms'.padStart(9), 'RSS MiB'.padStart(9));
for (const name of parseOnlyOption(values.only, MEASURE_NAMES)) {
  for await (const { row, answer, ms, rssMib } of MEASURES[name]()) {
    const shown = [ms.toFixed(ms < 1 ? 3 : 1).padStart(9), rssMib.toFixed(1).padStart(9)];
    console.log(row.padEnd(44), answer.padEnd(36), ...shown);
  }
}
