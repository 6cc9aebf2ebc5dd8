import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBody, hasNul } from '#extract/html/decode.ts';
import { sniffKind } from '#extract/html/sniff.ts';

const latin = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const wide = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf16le'));
const flipped = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf16le').swap16());
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function listCodes(body: Uint8Array, contentType = ''): readonly string[] {
  return decodeBody(body, contentType, 'html').warnings.map(({ code }) => code);
}

test('the byte order mark wins over header and meta', () => {
  const body = Uint8Array.from([0xef, 0xbb, 0xbf, ...utf8('<meta charset=shift_jis>é')]);
  assert.deepEqual(decodeBody(body, 'text/html; charset=iso-8859-2', 'html'), {
    text: '<meta charset=shift_jis>é',
    charset: 'utf-8',
    warnings: [],
  });
  const marked = Uint8Array.from([0xff, 0xfe, 0x61, 0, 0xe9, 0]);
  assert.equal(decodeBody(marked, '', 'html').text, 'aé');
});

test('the header wins over meta, and an unknown label over nothing', () => {
  const body = latin('<meta charset=windows-1251>\xe9');
  assert.equal(decodeBody(body, 'text/html; charset="ISO-8859-1"', 'html').text.at(-1), 'é');
  assert.equal(decodeBody(body, 'text/html; charset=nonsense', 'html').text.at(-1), 'й');
});

test('charset labels have the meaning that browsers give them', () => {
  assert.equal(decodeBody(latin('\x80'), 'text/html; charset=iso-8859-1', 'html').text, '€');
  assert.equal(decodeBody(latin('\x80'), 'text/html; charset=iso-8859-1', 'html').charset, 'windows-1252');
  assert.equal(decodeBody(latin('\xa4'), 'text/html; charset=l9', 'html').text, '€');
});

test('a meta charset counts in the first 1,024 bytes, not in a comment, and never as UTF-16', () => {
  const declared = '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">';
  assert.equal(decodeBody(latin(`${declared}\xc1`), '', 'html').text.at(-1), 'а');
  assert.deepEqual(listCodes(latin(`${' '.repeat(1024)}${declared}\xc1`)), ['charset_guessed']);
  assert.deepEqual(listCodes(latin(`<!-- ${declared} -->\xc1`)), ['charset_guessed']);
  assert.equal(decodeBody(utf8('<meta charset=utf-16>é'), '', 'html').text.at(-1), 'é');
});

test('UTF-16 without a byte order mark is detected by its declaration or by its first characters', () => {
  const rows: readonly (readonly [string, Uint8Array, string])[] = [
    ['text/html; charset=utf-16le', wide('\n<p>é'), 'utf-16le'],
    ['text/html; charset=UTF-16BE', flipped('\n<p>é'), 'utf-16be'],
    ['text/html', wide('<p>é'), 'utf-16le'],
    ['text/html', flipped('<p>é'), 'utf-16be'],
    ['text/html; charset=utf-16', utf8('\n<p>é'), 'utf-8'],
  ];
  for (const [type, body, charset] of rows) {
    const { kind } = sniffKind(body, type);
    const decoded = decodeBody(body, type, kind);
    assert.deepEqual([kind, decoded.charset, decoded.text.trim()], ['html', charset, '<p>é'], `${type}: ${charset}`);
  }
});

/** Sentences in the charsets of their languages. */
const SENTENCES: readonly (readonly [label: string, charset: string, hex: string, text: string])[] = [
  ['x-sjis', 'shift_jis', '938c8b9e82cc93568b4382cd90b082ea82c582b78142', '東京の天気は晴れです。'],
  ['euc-jp', 'euc-jp', 'c5ecb5fea4cec5b7b5a4a4cfc0b2a4eca4c7a4b9a1a3', '東京の天気は晴れです。'],
  ['csISO2022JP', 'iso-2022-jp', '1b2442456c357e244e45373524244f4032246c2447243921231b2842', '東京の天気は晴れです。'],
  ['gb18030', 'gb18030', 'b1b1bea9b5c4ccecc6f8badcbac3a1a3', '北京的天气很好。'],
  ['gb2312', 'gbk', 'b1b1bea9b5c4ccecc6f8badcbac3a1a3', '北京的天气很好。'],
  ['big5-hkscs', 'big5', 'a578a55faabaa4d1aef0abdca66ea143', '台北的天氣很好。'],
  ['ks_c_5601-1987', 'euc-kr', 'bcadbfefc0c720b3afbebeb4c220b8bcc0bd2e', '서울의 날씨는 맑음.'],
  ['cp1251', 'windows-1251', 'cff0e8e2e5f22c20e3eef0eee42e', 'Привет, город.'],
  ['koi8-r', 'koi8-r', 'f0d2c9d7c5d42c20c7cfd2cfc42e', 'Привет, город.'],
];

test('charsets of many languages are decoded by any of their labels, in the header or in the page', () => {
  const rows = [
    ...SENTENCES,
    ['gb18030', 'gb18030', '9534b235', '𠮷'],
    ['logical', 'iso-8859-8-i', 'f9ece5ed', 'שלום'],
    ['tis-620', 'windows-874', 'cac7d1cab4d5', 'สวัสดี'],
    ['l2', 'iso-8859-2', 'bff3b377', 'żółw'],
    ['ascii', 'windows-1252', '93e994', '“é”'],
    ['latin1', 'windows-1252', '93e994', '“é”'],
    ['x-cp1252', 'windows-1252', '93e994', '“é”'],
    ['mac', 'macintosh', '8e', 'é'],
  ] as const;
  for (const [label, charset, hex, text] of rows) {
    const bytes = Buffer.from(hex, 'hex');
    assert.deepEqual(decodeBody(bytes, `text/html; charset=${label}`, 'html'), { text, charset, warnings: [] }, label);
    const page = Buffer.concat([latin(`<meta charset=${label}>`), bytes]);
    const { text: read, warnings } = decodeBody(page, 'text/html', 'html');
    assert.deepEqual([read.split('>').at(-1), warnings], [text, []], label);
  }
});

test('the charset of a page without declaration is guessed from its language', () => {
  for (const [, charset, hex, text] of SENTENCES.filter(([label]) => label !== 'gb2312')) {
    const page = Buffer.concat(
      Array.from({ length: 20 }, () => Buffer.from(`${toHex('<p>')}${hex}${toHex('</p>')}`, 'hex')),
    );
    const decoded = decodeBody(page, 'text/html', 'html');
    assert.ok(decoded.text.startsWith(`<p>${text}</p>`), `${charset}: ${decoded.charset}`);
    assert.deepEqual(listCodes(page), ['charset_guessed']);
  }
});

function toHex(text: string): string {
  return Buffer.from(text).toString('hex');
}

test('a declared charset that the bytes contradict is ignored with a warning', () => {
  const russian = Buffer.from('cff0e8e2e5f22c20e3eef0eee42e'.repeat(3), 'hex');
  const declared = Buffer.concat([latin('<meta charset=windows-1251>'), russian]);
  const rows: readonly (readonly [string, Uint8Array, string])[] = [
    ['text/html; charset=utf-8', declared, 'windows-1251'],
    ['text/html; charset=iso-8859-1', utf8('Привет, город.'), 'utf-8'],
    ['text/html', utf8('<meta charset=gbk>Привет, город.'), 'utf-8'],
    ['application/json; charset=us-ascii', utf8('{"a":"Привет"}'), 'utf-8'],
    ['text/html; charset=utf-8', Buffer.concat([utf8('<p>Привет, город.'.repeat(9)), latin('\xff')]), 'utf-8'],
  ];
  for (const [type, body, charset] of rows) {
    const decoded = decodeBody(body, type, 'html');
    assert.equal(decoded.charset, charset, type);
    assert.equal(decoded.text.includes('Привет'), true, type);
  }
  assert.match(
    decodeBody(declared, 'text/html; charset=utf-8', 'html').warnings[0]?.message ?? '',
    /not in utf-8 as declared, read as windows-1251/,
  );
  assert.deepEqual(listCodes(rows[4]?.[1] ?? new Uint8Array(), 'text/html; charset=utf-8'), []);
});

test('a declaration too late for browsers is used as the guess', () => {
  const late = Buffer.concat([latin(`<title>${' '.repeat(2000)}</title><meta charset=koi8-r>`), latin('\xf0\xd2')]);
  const { text, warnings } = decodeBody(late, '', 'html');
  assert.deepEqual([text.slice(-2), warnings.map(({ code }) => code)], ['Пр', ['charset_guessed']]);
});

test('an XML declaration sets the charset', () => {
  const body = latin('<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>');
  assert.equal(decodeBody(body, 'application/xml', 'xml').text.includes('é'), true);
});

test('valid UTF-8 without a declaration is decoded as UTF-8, with a warning if it is not ASCII', () => {
  assert.deepEqual(listCodes(utf8('plain')), []);
  assert.deepEqual(listCodes(utf8('é')), ['charset_guessed']);
  assert.equal(decodeBody(utf8('é'), '', 'html').text, 'é');
  assert.deepEqual(decodeBody(utf8('{"a":"é"}'), 'application/json', 'json').warnings, []);
});

test('bytes that are not valid UTF-8 are guessed', () => {
  const french = latin(
    '<p>Les \xe9l\xe8ves ont \xe9t\xe9 re\xe7us \xe0 la biblioth\xe8que, o\xf9 ils ont lu.</p>'.repeat(5),
  );
  const { text, charset, warnings } = decodeBody(french, '', 'html');
  assert.match(text, /élèves ont été reçus à la bibliothèque/);
  assert.match(charset, /^(windows-1252|iso-8859-\d+)$/);
  assert.equal(warnings[0]?.code, 'charset_guessed');
  const russian = Uint8Array.from(Array.from('Привет, как дела сегодня в нашем городе? '.repeat(10), toWindows1251));
  assert.match(decodeBody(russian, '', 'html').text, /Привет, как дела/);
});

function toWindows1251(character: string): number {
  const code = character.charCodeAt(0);
  return code >= 0x410 && code <= 0x44f ? code - 0x350 : code;
}

test('broken bytes become replacement characters, never an error', () => {
  assert.equal(decodeBody(latin('a\xff\xfeb'), 'text/html; charset=utf-8', 'html').text, 'a\uFFFD\uFFFDb');
});

test('NUL in a text is detected from its bytes', () => {
  const pairs = Array.from({ length: 255 ** 2 }, (_, at) => [1 + (at % 255), 1 + Math.floor(at / 255)]);
  const bytes = Uint8Array.from(pairs.flat());
  for (const charset of CHARSETS) assert.equal(new TextDecoder(charset).decode(bytes).includes('\0'), false, charset);
  for (const [body, charset] of [
    [utf8('a\0é日'), 'utf-8'],
    [utf8('aé日'), 'utf-8'],
    [wide('a日'), 'utf-16le'],
    [wide('a\0日'), 'utf-16le'],
    [latin('a\0\xe9'), 'windows-1252'],
  ] as const) {
    const { text } = decodeBody(body, `text/html; charset=${charset}`, 'html');
    assert.equal(hasNul(body, text), text.includes('\0'), `${charset}: ${JSON.stringify(text)}`);
  }
});

/** One label of each encoding (Encoding standard, 4.2). */
const CHARSETS =
  'utf-8 ibm866 iso-8859-2 iso-8859-8 koi8-r macintosh windows-874 windows-1252 x-mac-cyrillic gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr'.split(
    ' ',
  );

test('the kind of a body is its content type, unless that is unspecific or the bytes contradict it', () => {
  const html = '<!DOCTYPE html><p>x</p>';
  const rows: readonly (readonly [string, string | Uint8Array, string])[] = [
    ['text/html', html, 'html'],
    ['text/html', 'just words', 'html'],
    ['', html, 'html'],
    ['', '<?xml version="1.0"?><a/>', 'xml'],
    ['', 'words', 'text'],
    ['', '{"a":1}', 'json'],
    ['nonsense', html, 'html'],
    ['application/octet-stream', html, 'html'],
    ['application/octet-stream', latin('\x00\x01\x02'), 'binary'],
    ['text/plain', html, 'text'],
    ['text/plain', latin('\x00\x01\x02\x03'), 'binary'],
    ['application/json', html, 'json'],
    ['application/ld+json', '{}', 'json'],
    ['text/html', ' [{"a":1}] ', 'json'],
    ['text/html', '<rss version="2.0"></rss>', 'feed'],
    ['application/xml', '<?xml version="1.0"?><!-- x --><feed xmlns="a"></feed>', 'feed'],
    ['application/rss+xml', '<rss></rss>', 'feed'],
    ['application/xml', '<urlset></urlset>', 'xml'],
    ['application/xhtml+xml', '<html xmlns="http://www.w3.org/1999/xhtml"></html>', 'html'],
    ['text/csv; header=present', 'a,b', 'csv'],
    ['image/png', html, 'binary'],
    ['image/gif', latin('GIF89a<script>'), 'binary'],
    ['image/svg+xml', '<svg><script/></svg>', 'xml'],
    ['application/pdf', latin('%PDF-1.4\x00'), 'document'],
    ['', latin('%PDF-1.4\n'), 'document'],
    ['text/html', latin('\xef\xbb\xbf\n%PDF-1.4\n'), 'document'],
    ['text/plain', latin('On %PDF-1.4\n'), 'text'],
    ['application/msword', latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'binary'],
    ['', latin('PK\x03\x04'), 'document'],
    ['text/html', latin('\x89PNG\r\n\x1a\n\x00\x00'), 'binary'],
    ['text/html', latin('<p>a\x00b</p>'), 'html'],
    ['text/css', 'a{}', 'text'],
    ['application/javascript', 'a()', 'text'],
    ['video/mp4', 'x', 'binary'],
  ];
  for (const [type, body, kind] of rows) {
    const bytes = typeof body === 'string' ? utf8(body) : body;
    assert.equal(sniffKind(bytes, type).kind, kind, `${type}: ${String(body).slice(0, 40)}`);
  }
});
