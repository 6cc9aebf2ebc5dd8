import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'patchright-core';
import { findConfiguredBrowsers } from '#compose/browsers.ts';
import { assertCommand, BUN, DENO, installRuntime, NODE, NODE_20, runCommand } from './runtimes.ts';

// Installs the packed reader into an empty folder, and reads a page with it in each runtime, in a browser page and in a worker.
const SAMPLE = `
import { extract, isDocument, ReadError } from '@quern/extract';

const html = '<html lang="en"><title>Rye flour</title><nav><a href="/">Home</a></nav><main><h1>Rye flour</h1><p>Stone-ground rye flour from the mill, 1 kg in a paper bag. It keeps for nine months.</p><table><tr><th>Size</th><th>Price</th></tr><tr><td>1 kg</td><td>\u20ac4.90</td></tr></table></main>';
const page = extract(html, {
  url: 'https://mill.example/rye',
  outputs: ['markdown', 'links'],
  extract: { fields: { name: 'string', price: { selector: 'td:nth-child(2)', type: 'money' }, size: { xpath: '//td[1]' } } },
});
const latin = extract(Uint8Array.of(0x3c, 0x70, 0x3e, 0xe9), { url: 'https://mill.example/', contentType: 'text/html; charset=iso-8859-1', outputs: ['text'] });
let refused = null;
try {
  extract(Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8), { url: 'https://mill.example/' });
} catch (error) {
  refused = error instanceof ReadError ? error.code : String(error);
}
const result = JSON.stringify([page.markdown, page.links.length, page.json, latin.text, refused, isDocument(new TextEncoder().encode('%PDF-1.7'))]);
`;
const EXPECTED = [
  '# Rye flour\n\nStone-ground rye flour from the mill, 1 kg in a paper bag. It keeps for nine months.\n\n| Size | Price |\n| --- | --- |\n| 1 kg | \u20ac4.90 |\n',
  1,
  { name: 'Rye flour', price: { amount: 4.9, currency: 'EUR' }, size: '1 kg' },
  '\u00e9\n',
  'unsupported_content',
  true,
];
const root = join(import.meta.dirname, '..');
const home = mkdtempSync(join(tmpdir(), 'quern-extract-'));
const work = join(home, 'work');
const place = { cwd: work, home };
const NPM_OPTIONS = ['--no-audit', '--no-fund', '--loglevel=error'];

function check(name: string, out: string): void {
  assert.deepEqual(JSON.parse(out), EXPECTED, name);
  process.stdout.write(`fine    ${name}\n`);
}

async function checkRuntimes(): Promise<void> {
  writeFileSync(join(work, 'sample.mjs'), `${SAMPLE}console.log(result);\n`);
  for (const runtime of [NODE_20, NODE, DENO, BUN]) {
    const program = await installRuntime(runtime, home);
    if (program === null) {
      process.stdout.write(`skipped ${runtime.name}: npm has no ${runtime.install} for this machine\n`);
      continue;
    }
    const { status, out } = await runCommand(program, [...runtime.args, 'sample.mjs'], place);
    assert.equal(status, 0, `${runtime.name}: ${out}`);
    check(runtime.name, out);
  }
}

/** A bundle for browsers, run in a page and in a worker. */
async function checkBrowser(): Promise<void> {
  const binary = findConfiguredBrowsers({})?.shell.path;
  if (binary === undefined)
    return void process.stdout.write('skipped the browser: npm run setup:browser installs one\n');
  writeFileSync(
    join(work, 'browser.mjs'),
    `${SAMPLE}globalThis.postMessage(result, globalThis.document ? '*' : undefined);\n`,
  );
  await assertCommand('npm', ['install', ...NPM_OPTIONS, 'esbuild'], place);
  const bundle = ['browser.mjs', '--bundle', '--format=esm', '--platform=browser', '--minify', '--outfile=bundle.js'];
  await assertCommand(join(work, 'node_modules/.bin/esbuild'), bundle, place);
  const script = readFileSync(join(work, 'bundle.js'));
  const server = createServer((request, response) => {
    const isScript = request.url === '/bundle.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><title>Sample</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const browser = await chromium.launch({ executablePath: binary, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${address.port}/`);
    const inPage = `new Promise((resolve) => { addEventListener('message', ({ data }) => resolve(data)); import('/bundle.js'); })`;
    check(`browser page, ${Math.round(script.length / 1024)} KiB`, String(await page.evaluate(inPage)));
    const inWorker = `new Promise((resolve, reject) => { const worker = new Worker('/bundle.js', { type: 'module' }); worker.onmessage = ({ data }) => resolve(data); worker.onerror = ({ message }) => reject(message); })`;
    check('browser worker', String(await page.evaluate(inWorker)));
  } finally {
    await browser.close();
    server.close();
  }
}

try {
  mkdirSync(work);
  writeFileSync(join(work, 'package.json'), '{ "private": true, "type": "module" }\n');
  await assertCommand('npm', ['pack', '--loglevel=error', '--pack-destination', home], {
    cwd: join(root, 'packages/extract'),
    home,
  });
  const tarball = readdirSync(home).find((file) => file.endsWith('.tgz')) ?? '';
  await assertCommand('npm', ['install', ...NPM_OPTIONS, join(home, tarball)], place);
  await checkRuntimes();
  await checkBrowser();
} finally {
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
}
