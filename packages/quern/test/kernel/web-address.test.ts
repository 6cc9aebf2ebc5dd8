import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeUrl } from '#kernel/web-address.ts';

const HTTPS = [
  ['example.com', 'https://example.com'],
  ['example.com/path?a=b#c', 'https://example.com/path?a=b#c'],
  ['  www.example.co.uk ', 'https://www.example.co.uk'],
  ['example.com.', 'https://example.com.'],
  ['example.com:443/x', 'https://example.com:443/x'],
  ['EXAMPLE.com?x=1', 'https://EXAMPLE.com?x=1'],
  ['müller.example', 'https://müller.example'],
  ['例え.テスト/道', 'https://例え.テスト/道'],
  ['xn--r8jz45g.xn--zckzah', 'https://xn--r8jz45g.xn--zckzah'],
  ['a_b.example', 'https://a_b.example'],
  ['//example.com/x', 'https://example.com/x'],
] as const;

const HTTP = [
  ['localhost', 'http://localhost'],
  ['localhost:3000', 'http://localhost:3000'],
  ['LOCALHOST:3000/a', 'http://LOCALHOST:3000/a'],
  ['127.0.0.1', 'http://127.0.0.1'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['192.168.1.7/status', 'http://192.168.1.7/status'],
  ['[::1]:8080/a', 'http://[::1]:8080/a'],
  ['example.com:8080/path', 'http://example.com:8080/path'],
  ['example.com:80', 'http://example.com:80'],
  ['web:3000/health', 'http://web:3000/health'],
] as const;

const UNCHANGED = [
  'https://example.com',
  'HTTP://example.com',
  'ftp://example.com/file',
  'mailto:a@example.com',
  'javascript:alert(1)',
  'data:text/plain,x',
  'user:secret@example.com',
  'two words.example',
  '/shop',
  '#top',
  '?page=2',
  'word',
  '',
  'example.com:port',
  'example.com:999999',
] as const;

test('a URL without a scheme gets https, or http where browsers use http', () => {
  for (const [typed, meant] of [...HTTPS, ...HTTP]) {
    assert.equal(completeUrl(typed), meant);
    assert.equal(URL.parse(meant)?.protocol, meant.slice(0, meant.indexOf('/')));
    assert.equal(completeUrl(meant), meant);
  }
});

test('a URL with a scheme, and text that is not a URL, are unchanged', () => {
  for (const text of UNCHANGED) assert.equal(completeUrl(text), text);
});
