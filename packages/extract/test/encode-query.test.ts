import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQueryEncoder } from '#extract/values/encode-query.ts';
import { Extract } from '#extract/grammar.ts';
import { readPage } from '#extract/read-page.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';

const PAGE = 'https://example.org/shop/';

function encode(charset: string, reference: string): string {
  return new URL(createQueryEncoder(charset)?.(reference) ?? reference, PAGE).href.slice(new URL(PAGE).origin.length);
}

test('a query is encoded in the encoding of its page, the path in UTF-8', () => {
  const cases = [
    ['windows-1251', '/п?q=чай', '/%D0%BF?q=%F7%E0%E9'],
    ['koi8-r', '/?q=чай', '/?q=%DE%C1%CA'],
    ['windows-1252', '/?q=café', '/?q=caf%E9'],
    ['windows-1252', '/?q=€', '/?q=%80'],
    ['windows-1252', '/?q=чай', '/?q=%26%231095%3B%26%231072%3B%26%231081%3B'],
    ['gbk', '/?q=茶€', '/?q=%B2%E8%80'],
    ['gb18030', '/?q=茶😀', '/?q=%B2%E8%949%FC6'],
    ['big5', '/?q=茶', '/?q=%AF%F9'],
    ['shift_jis', '/?q=ーテｱ', '/?q=%81[%83e%B1'],
    ['euc-jp', '/?q=茶ｱ', '/?q=%C3%E3%8E%B1'],
    ['euc-kr', '/?q=차', '/?q=%C2%F7'],
    ['windows-1251', '/?a=1#чай', '/?a=1#%D1%87%D0%B0%D0%B9'],
    ['windows-1251', '/?q=%F7', '/?q=%F7'],
    ['utf-8', '/?q=чай', '/?q=%D1%87%D0%B0%D0%B9'],
    ['utf-16le', '/?q=чай', '/?q=%D1%87%D0%B0%D0%B9'],
  ] as const;
  for (const [charset, reference, expected] of cases)
    assert.equal(encode(charset, reference), expected, `${charset} ${reference}`);
});

test('all outputs encode queries the same way', () => {
  const source = `<meta charset=windows-1251><link rel=canonical href="/?c=чай"><p><a href="?q=чай">чай</a> <img src="/i?q=чай" width=9 height=9>`;
  const bytes = Uint8Array.from(source, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x80 ? code : code - 0x410 + 0xc0;
  });
  const { outputs, metadata } = readPage({
    ...buildMarkdownRequest(bytes, PAGE),
    onlyMainContent: false,
    outputs: ['links', 'markdown', 'images', 'html', 'json'],
    extract: Extract.parse({ fields: { link: { selector: 'a', type: 'url' } } }),
  });
  assert.deepEqual(
    outputs.links?.map(({ url }) => url),
    ['https://example.org/shop/?q=%F7%E0%E9'],
  );
  assert.match(outputs.markdown ?? '', /\/shop\/\?q=%F7%E0%E9/);
  assert.match(outputs.html ?? '', /\/shop\/\?q=%F7%E0%E9/);
  assert.equal(outputs.images?.[0]?.url, 'https://example.org/i?q=%F7%E0%E9');
  assert.deepEqual(outputs.json, { link: 'https://example.org/shop/?q=%F7%E0%E9' });
  assert.equal(metadata.canonical_url, 'https://example.org/?c=%F7%E0%E9');
});
