import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

/** Prints the selector libraries loaded after importing the module, and after checking a selector. */
const SCRIPT = `
import { registerHooks } from 'node:module';
const loaded = new Set();
registerHooks({ load(url, context, next) {
  const name = /node_modules\\/(css-select|css-what|fontoxpath|json-p3|re2js)\\//.exec(url);
  if (name !== null) loaded.add(name[1]);
  return next(url, context);
} });
await import('#extract/read-page.ts');
const { Extract } = await import('#extract/grammar.ts');
Extract.parse({ fields: { title: 'string' } });
const before = [...loaded];
Extract.parse({ fields: { title: { regex: '(.+)' } } });
console.log(JSON.stringify([before, [...loaded]]));
`;

test('selector and pattern libraries are loaded on first use', async () => {
  const node = promisify(execFile);
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', SCRIPT];
  const { stdout } = await node(process.execPath, args, { cwd: join(import.meta.dirname, '../../../..') });
  assert.deepEqual(JSON.parse(stdout), [[], ['re2js']]);
});
