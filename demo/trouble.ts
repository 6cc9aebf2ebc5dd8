import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { buildHtmlReply, buildRedirect, type Page, type PageReply, buildReply } from './layout.ts';

const MAX_DELAY_MS = 30_000;
const MAX_HOPS = 20;

/** A private address on which nothing listens. */
const PRIVATE_ADDRESS = 'http://10.0.0.1/admin';

/** Pages that behave like difficult sites. */
export function buildTroublePages(): ReadonlyMap<string, Page> {
  return new Map<string, Page>([
    ...buildStatusPages(),
    ...buildRedirectPages(),
    ...buildCharsetPages(),
    ...buildEncodedPages(),
    ...buildOddPages(),
  ]);
}

function buildStatusPages(): readonly (readonly [string, Page])[] {
  return [
    ['/blocked/403', buildRefusal(403, {})],
    ['/blocked/429', buildRefusal(429, { 'retry-after': '60' })],
    ['/blocked/999', buildRefusal(999, {})],
    ['/blocked/503', buildRefusal(503, { 'cf-mitigated': 'challenge' })],
    [
      '/broken',
      () =>
        buildHtmlReply(
          renderPage('The stones have stopped', 'A belt has come off. We are looking for the ladder.'),
          500,
        ),
    ],
    ['/busy', buildRefusal(503, { 'retry-after': '5' })],
    ['/members', () => buildHtmlReply(LOGIN_HTML, 401)],
  ];
}

function buildRefusal(status: number, headers: Readonly<Record<string, string>>): Page {
  return () => {
    const reply = buildHtmlReply('<!doctype html><title>No</title><h1>The miller says no</h1>\n', status);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  };
}

function buildRedirectPages(): readonly (readonly [string, Page])[] {
  return [
    ['/redirect/chain', ({ url }) => renderHop(Math.min(parseNumber(url.searchParams.get('left'), 3), MAX_HOPS))],
    ['/redirect/loop', () => buildRedirect('/redirect/loop-back')],
    ['/redirect/loop-back', () => buildRedirect('/redirect/loop')],
    ['/redirect/private', () => buildRedirect(PRIVATE_ADDRESS)],
    ['/redirect/file', () => buildRedirect('file:///etc/hostname')],
    [
      '/redirect/schemeless',
      ({ origin }) => buildRedirect(`${origin.slice('http:'.length)}/articles/bridge-closed-on-sunday`),
    ],
    ['/redirect/no-tls', ({ origin }) => buildRedirect(`${origin.replace('http:', 'https:')}/`)],
  ];
}

function renderHop(left: number): PageReply {
  return buildRedirect(left <= 1 ? '/articles/bridge-closed-on-sunday' : `/redirect/chain?left=${left - 1}`);
}

function buildCharsetPages(): readonly (readonly [string, Page])[] {
  const cyrillic = encodeText('windows-1251', renderPage('Ржаной хлеб', CYRILLIC_TEXT, 'ru'));
  const japanese = encodeText('shift_jis', renderPage('ライ麦パン', JAPANESE_TEXT, 'ja', '<meta charset="Shift_JIS">'));
  const wide = Buffer.from(
    `\uFEFF${renderPage('Bread in two bytes', 'Every letter of this page takes two bytes.')}`,
    'utf16le',
  );
  return [
    ['/charset/windows-1251', () => buildReply('text/html; charset=windows-1251', cyrillic)],
    ['/charset/wrong', () => buildReply('text/html; charset=utf-8', cyrillic)],
    ['/charset/none', () => buildReply('text/html', cyrillic)],
    ['/charset/shift-jis', () => buildReply('text/html', japanese)],
    ['/charset/utf-16', () => buildReply('text/html', wide)],
  ];
}

function buildEncodedPages(): readonly (readonly [string, Page])[] {
  const encoders = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync, deflate: deflateSync };
  return Object.entries(encoders).map(([name, encode]) => {
    const body = encode(renderPage(`Packed with ${name}`, 'The flour is in the bag and the bag is in the box.'));
    return [`/encoded/${name}`, () => buildReply('text/html; charset=utf-8', body, { 'content-encoding': name })];
  });
}

function buildOddPages(): readonly (readonly [string, Page])[] {
  return [
    ['/slow', ({ url }) => renderSlowPage(parseNumber(url.searchParams.get('ms'), 2_000))],
    ['/echo', ({ headers }) => buildReply('application/json', `${JSON.stringify({ headers }, null, 2)}\n`)],
    ['/empty', () => buildHtmlReply('')],
    ['/app', () => buildHtmlReply(SHELL_HTML)],
    [
      '/today',
      ({ headers }) => renderIfChanged(headers['if-none-match'], '"today-1"', 'Bread of the day: rye with walnuts.'),
    ],
    [
      '/counter',
      ({ visits }) => renderIfChanged(undefined, `"visit-${visits}"`, `You are visitor number ${visits} of this page.`),
    ],
  ];
}

function renderSlowPage(ms: number): PageReply {
  const delayMs = Math.min(ms, MAX_DELAY_MS);
  return { ...buildHtmlReply(renderPage('Slow bread', `This page rose for ${delayMs} ms.`)), delayMs };
}

function renderIfChanged(known: string | undefined, tag: string, sentence: string): PageReply {
  const reply = buildHtmlReply(renderPage('The mill today', sentence));
  const headers = { ...reply.headers, etag: tag, 'cache-control': 'no-cache' };
  return known === tag ? { status: 304, headers, body: '' } : { ...reply, headers };
}

/** Parses a number from the query; `usual` if it is missing or invalid. */
function parseNumber(text: string | null, usual: number): number {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : usual;
}

function renderPage(title: string, sentence: string, language = 'en', head = ''): string {
  return `<!doctype html>\n<html lang="${language}"><head>${head}<title>${title}</title></head><body><main><h1>${title}</h1><p>${sentence}</p></main></body></html>\n`;
}

const CYRILLIC_TEXT =
  'Ржаной хлеб пекут на закваске. Мука, вода и соль стоят ночь в тепле, утром тесто кладут в форму, и через час в печи хлеб готов. Мельница мелет рожь по средам и субботам, с девяти часов до полудня, если в реке довольно воды.';
const JAPANESE_TEXT = '水車は水曜日と土曜日に回ります。ライ麦の粉は石臼で挽きます。パンは朝に焼きます。';

const LOGIN_HTML = `<!doctype html>
<html lang="en"><head><title>Members</title></head><body><main><h1>Members only</h1>
<form method="post" action="/members"><label>Name <input name="name" autocomplete="username"></label>
<label>Password <input name="password" type="password" autocomplete="current-password"></label><button>Sign in</button></form>
</main></body></html>
`;

const SHELL_HTML = `<!doctype html>
<html lang="en"><head><title>Recipe planner</title><script type="module" src="/app.js"></script></head>
<body><div id="root"></div><noscript>This page needs JavaScript.</noscript></body></html>
`;

/** Encodes text in a charset that Node can only decode, by inverting the decoder. Throws for unsupported characters. */
function encodeText(charset: 'windows-1251' | 'shift_jis', text: string): Uint8Array {
  const encodingTable = buildEncodingTable(charset);
  const bytes: number[] = [];
  for (const character of text) {
    const found = encodingTable.get(character);
    if (found === undefined) throw new Error(`${charset} has no ${character}`);
    bytes.push(...found);
  }
  return Uint8Array.from(bytes);
}

function buildEncodingTable(charset: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(charset, { fatal: true });
  const table = new Map<string, readonly number[]>();
  const add = (bytes: readonly number[]) => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      // A byte pair can also be two single-byte characters.
      if (text.length === 1 && !table.has(text)) table.set(text, bytes);
    } catch {
      // Not every byte sequence is a character.
    }
  };
  for (let first = 0; first < 256; first++) add([first]);
  if (charset === 'windows-1251') return table;
  for (let first = 0x81; first < 0xfd; first++) for (let second = 0x40; second < 0xfd; second++) add([first, second]);
  return table;
}
