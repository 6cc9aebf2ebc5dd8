import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { encodeAs } from './charsets.ts';
import { html, moved, type Page, type Reply, typed } from './reply.ts';

const MAX_DELAY_MS = 30_000;
const MAX_HOPS = 20;

/** A private address behind which nothing of ours listens. */
const PRIVATE_ADDRESS = 'http://10.0.0.1/admin';

/** The paths that behave as difficult sites do. */
export function troublePages(): ReadonlyMap<string, Page> {
  return new Map<string, Page>([
    ...statusPages(),
    ...redirectPages(),
    ...charsetPages(),
    ...encodedPages(),
    ...oddPages(),
  ]);
}

function statusPages(): readonly (readonly [string, Page])[] {
  return [
    ['/blocked/403', refuse(403, {})],
    ['/blocked/429', refuse(429, { 'retry-after': '60' })],
    ['/blocked/999', refuse(999, {})],
    ['/blocked/503', refuse(503, { 'cf-mitigated': 'challenge' })],
    [
      '/broken',
      () => html(plain('The stones have stopped', 'A belt has come off. We are looking for the ladder.'), 500),
    ],
    ['/busy', refuse(503, { 'retry-after': '5' })],
    ['/members', () => html(LOGIN, 401)],
  ];
}

function refuse(status: number, headers: Readonly<Record<string, string>>): Page {
  return () => {
    const reply = html('<!doctype html><title>No</title><h1>The miller says no</h1>\n', status);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  };
}

function redirectPages(): readonly (readonly [string, Page])[] {
  return [
    ['/redirect/chain', ({ url }) => hop(Math.min(boundedNumber(url.searchParams.get('left'), 3), MAX_HOPS))],
    ['/redirect/loop', () => moved('/redirect/loop-back')],
    ['/redirect/loop-back', () => moved('/redirect/loop')],
    ['/redirect/private', () => moved(PRIVATE_ADDRESS)],
    ['/redirect/file', () => moved('file:///etc/hostname')],
    ['/redirect/schemeless', ({ origin }) => moved(`${origin.slice('http:'.length)}/articles/bridge-closed-on-sunday`)],
    ['/redirect/no-tls', ({ origin }) => moved(`${origin.replace('http:', 'https:')}/`)],
  ];
}

function hop(left: number): Reply {
  return moved(left <= 1 ? '/articles/bridge-closed-on-sunday' : `/redirect/chain?left=${left - 1}`);
}

function charsetPages(): readonly (readonly [string, Page])[] {
  const cyrillic = encodeAs('windows-1251', plain('Ржаной хлеб', CYRILLIC, 'ru'));
  const japanese = encodeAs('shift_jis', plain('ライ麦パン', JAPANESE, 'ja', '<meta charset="Shift_JIS">'));
  const wide = Buffer.from(
    `\uFEFF${plain('Bread in two bytes', 'Every letter of this page takes two bytes.')}`,
    'utf16le',
  );
  return [
    ['/charset/windows-1251', () => typed('text/html; charset=windows-1251', cyrillic)],
    ['/charset/wrong', () => typed('text/html; charset=utf-8', cyrillic)],
    ['/charset/none', () => typed('text/html', cyrillic)],
    ['/charset/shift-jis', () => typed('text/html', japanese)],
    ['/charset/utf-16', () => typed('text/html', wide)],
  ];
}

function encodedPages(): readonly (readonly [string, Page])[] {
  const encoders = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync, deflate: deflateSync };
  return Object.entries(encoders).map(([name, encode]) => {
    const body = encode(plain(`Packed with ${name}`, 'The flour is in the bag and the bag is in the box.'));
    return [`/encoded/${name}`, () => typed('text/html; charset=utf-8', body, { 'content-encoding': name })];
  });
}

function oddPages(): readonly (readonly [string, Page])[] {
  return [
    ['/slow', ({ url }) => slow(boundedNumber(url.searchParams.get('ms'), 2_000))],
    ['/echo', ({ headers }) => typed('application/json', `${JSON.stringify({ headers }, null, 2)}\n`)],
    ['/empty', () => html('')],
    ['/app', () => html(SHELL)],
    [
      '/today',
      ({ headers }) => whenChanged(headers['if-none-match'], '"today-1"', 'Bread of the day: rye with walnuts.'),
    ],
    [
      '/counter',
      ({ visits }) => whenChanged(undefined, `"visit-${visits}"`, `You are visitor number ${visits} of this page.`),
    ],
  ];
}

function slow(ms: number): Reply {
  const delayMs = Math.min(ms, MAX_DELAY_MS);
  return { ...html(plain('Slow bread', `This page rose for ${delayMs} ms.`)), delayMs };
}

function whenChanged(known: string | undefined, tag: string, sentence: string): Reply {
  const reply = html(plain('The mill today', sentence));
  const headers = { ...reply.headers, etag: tag, 'cache-control': 'no-cache' };
  return known === tag ? { status: 304, headers, body: '' } : { ...reply, headers };
}

/** A whole number from the query, or what is usual. */
function boundedNumber(text: string | null, usual: number): number {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : usual;
}

function plain(title: string, sentence: string, language = 'en', head = ''): string {
  return `<!doctype html>\n<html lang="${language}"><head>${head}<title>${title}</title></head><body><main><h1>${title}</h1><p>${sentence}</p></main></body></html>\n`;
}

const CYRILLIC =
  'Ржаной хлеб пекут на закваске. Мука, вода и соль стоят ночь в тепле, утром тесто кладут в форму, и через час в печи хлеб готов. Мельница мелет рожь по средам и субботам, с девяти часов до полудня, если в реке довольно воды.';
const JAPANESE = '水車は水曜日と土曜日に回ります。ライ麦の粉は石臼で挽きます。パンは朝に焼きます。';

const LOGIN = `<!doctype html>
<html lang="en"><head><title>Members</title></head><body><main><h1>Members only</h1>
<form method="post" action="/members"><label>Name <input name="name" autocomplete="username"></label>
<label>Password <input name="password" type="password" autocomplete="current-password"></label><button>Sign in</button></form>
</main></body></html>
`;

const SHELL = `<!doctype html>
<html lang="en"><head><title>Recipe planner</title><script type="module" src="/app.js"></script></head>
<body><div id="root"></div><noscript>This page needs JavaScript.</noscript></body></html>
`;
