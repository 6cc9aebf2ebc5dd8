import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read } from './pages.ts';

const FORM = '<form><input name=user><input type=password></form>';

function listKinds(html: string): readonly string[] {
  return read(html)
    .warnings.map(({ code }) => code)
    .filter((code) => /^(?:login|refusal)_/.test(code));
}

test('login pages and pages that are not available get a warning', () => {
  assert.deepEqual(listKinds(`<title>Log in</title>${FORM}`), ['login_page']);
  assert.deepEqual(listKinds(`<title>Mill</title><h1>Mill</h1>${FORM}`), ['login_form']);
  assert.deepEqual(listKinds('<title>Access Denied</title><p>You have no permission.'), ['refusal_page']);
  assert.deepEqual(listKinds('<h1>Site under maintenance</h1>'), ['refusal_page']);
});

test('pages about logins, maintenance and errors get no warning', () => {
  const article = `<p>${'How a login is made safe, and what a form needs for it. '.repeat(40)}</p>`;
  assert.deepEqual(listKinds(`<title>Log in safely</title><h1>Log in safely</h1>${article}${FORM}`), []);
  assert.deepEqual(listKinds(`<title>Maintenance</title><h1>Maintenance</h1>${article}`), []);
  assert.deepEqual(listKinds('<title>404 mills of the north</title><h1>404 mills of the north</h1>'), []);
  assert.deepEqual(listKinds('<title>Sign in brass</title><h1>Sign in brass</h1><p>20 EUR'), []);
  assert.deepEqual(listKinds(`<title>Mill</title><header>${FORM}</header><p>Rye`), []);
  assert.deepEqual(listKinds(`<title>Log in</title><div hidden>${FORM}</div><p>Rye`), []);
  assert.deepEqual(listKinds(`<title>Settings</title>${article}<input type=password>`), []);
  assert.deepEqual(listKinds(`<title>Settings</title>${article}<div><input type=password></div>`), []);
});

test('a page with many inputs and headings is processed in normal time', () => {
  const page = `<title>Log in</title>${'<h1>a</h1>'.repeat(5000)}${'<div><input name=user>'.repeat(5000)}`;
  assert.ok(Array.isArray(listKinds(page)));
});
