import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT } from '#support/copy.ts';
import { KEY, runToEnd } from '#support/quern.ts';
import { listSamples } from './samples.ts';
import { startClientWorld, type ClientWorld } from './world.ts';

const CLIENT = join(ROOT, 'clients/python');
const EXAMPLE = join(ROOT, 'clients/examples/rag/nightly_index.py');

const folder = await mkdtemp(join(tmpdir(), 'quern-packed-'));
const packed = join(folder, 'quern.whl');
let world: ClientWorld;

before(async () => {
  await cp(join(CLIENT, 'quern'), join(folder, 'packing/quern'), {
    recursive: true,
    filter: (file) => !file.endsWith('__pycache__'),
  });
  // A wheel of pure Python is a zip file of its packages.
  const { code, err } = await runToEnd('python3', ['-m', 'zipfile', '-c', packed, 'packing/quern/'], {
    cwd: folder,
    settings: {},
  });
  assert.equal(code, 0, err);
  await mkdir(join(folder, 'data'));
  world = await startClientWorld(join(folder, 'data'));
});
after(async () => {
  await world[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a script with only the packed client; returns its output. */
async function run(...args: readonly string[]): Promise<string> {
  const settings = {
    PYTHONPATH: packed,
    PYTHONDONTWRITEBYTECODE: '1',
    QUERN_URL: world.front.origin,
    QUERN_API_KEY: KEY,
  };
  const { code, out, err } = await runToEnd('python3', args, { cwd: folder, settings });
  assert.equal(code, 0, err);
  return out;
}

test('every sample in the README of the client runs unchanged', async () => {
  const samples = listSamples(join(CLIENT, 'README.md'), 'python', world.site);
  assert.equal(samples.length, 5);
  const printed: string[] = [];
  for (const [at, code] of samples.entries()) {
    await writeFile(join(folder, `sample_${at}.py`), code);
    printed.push(await run(`sample_${at}.py`));
  }
  const [page, crawl, both, failure] = printed;
  assert.match(page ?? '', / \d+ 2$/m);
  assert.match(crawl ?? '', /^max_pages 10$/m);
  assert.match(both ?? '', /^3\n(?:http:\S+\n){3}$/);
  assert.match(failure ?? '', /^404 not_found False req_/);
});

test('the nightly index adds the pages of a site, skips unchanged ones, and finds paragraphs', async () => {
  const shop = `${world.site}/shop`;
  const first = await run(EXAMPLE, 'update', 'index.db', shop, '8');
  assert.match(first, /^indexed=8 same=0 gone=0$/m);
  assert.match(await run(EXAMPLE, 'update', 'index.db', shop, '8'), /^indexed=\d same=[5-8] gone=0$/m);
  assert.match(await run(EXAMPLE, 'ask', 'index.db', 'stone-ground rye flour'), /^http:\S+ # .*\n.*rye/im);
});
