import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { startHttpServer } from '#testkit/servers.ts';
import { ROOT } from '#support/copy.ts';
import { KEY, runToEnd } from '#support/quern.ts';
import { listSamples } from './samples.ts';
import { startClientWorld, type ClientWorld } from './world.ts';

const CLIENT = join(ROOT, 'clients/typescript');
const EXAMPLES = join(ROOT, 'clients/examples');

const folder = await mkdtemp(join(tmpdir(), 'quern-packed-'));
const installed = join(folder, 'node_modules/quern-client');
let world: ClientWorld;

before(async () => {
  const packing = ['pack', '--offline', '--loglevel=error', '--pack-destination', folder];
  const packed = await runToEnd('npm', packing, { cwd: CLIENT, settings: {} });
  assert.equal(packed.code, 0, packed.err);
  const tarball = (await readdir(folder)).find((file) => file.endsWith('.tgz')) ?? '';
  const unpacked = await runToEnd('tar', ['-xzf', tarball], { cwd: folder, settings: {} });
  assert.equal(unpacked.code, 0, unpacked.err);
  await mkdir(join(folder, 'node_modules'));
  await rename(join(folder, 'package'), installed);
  await mkdir(join(folder, 'data'));
  world = await startClientWorld(join(folder, 'data'));
});
after(async () => {
  await world[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a script in the folder with the packed client; returns its output. */
async function run(script: string, args: readonly string[] = [], settings: Readonly<Record<string, string>> = {}) {
  const { code, out, err } = await runToEnd(process.execPath, [join(folder, script), ...args], {
    cwd: folder,
    settings: { QUERN_URL: world.front.origin, QUERN_API_KEY: KEY, ...settings },
  });
  assert.equal(code, 0, err);
  return out;
}

test('the package has types, and its code imports only its own modules and uses no platform API', async () => {
  const files = await readdir(join(installed, 'dist'), { recursive: true });
  assert.ok(files.includes('index.js') && files.includes('index.d.ts'));
  for (const file of files.filter((one) => one.endsWith('.js'))) {
    const text = await readFile(join(installed, 'dist', file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/\bfrom '([^']+)'/g))
      assert.match(specifier, /^\.\.?\/[\w./-]+\.js$/);
    assert.doesNotMatch(text, /\b(?:Buffer|process|require|Deno|Bun|window)\b[.(]/, file);
  }
  const { dependencies } = z
    .object({ dependencies: z.unknown().optional() })
    .parse(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')));
  assert.equal(dependencies, undefined);
});

test('every sample in the README of the client runs unchanged', async () => {
  const samples = listSamples(join(installed, 'README.md'), 'js', world.site);
  assert.equal(samples.length, 5);
  const printed: string[] = [];
  for (const [at, code] of samples.entries()) {
    await writeFile(join(folder, `sample-${at}.mjs`), code);
    printed.push(await run(`sample-${at}.mjs`));
  }
  const [page, crawl, jobs, failure] = printed;
  assert.match(page ?? '', / \d+ 2$/m);
  assert.match(crawl ?? '', /^max_pages 10$/m);
  assert.match(jobs ?? '', /^completed\njob_\w+ completed$/m);
  assert.match(failure ?? '', /^404 not_found false req_/);
});

test('the loader for LangChain.js returns one document per page', async () => {
  await cp(join(EXAMPLES, 'langchain'), join(folder, 'langchain'), { recursive: true });
  const lines = (await run('langchain/main.ts', [], { SITE: `${world.site}/` })).trim().split('\n');
  assert.equal(lines.length, 5);
  for (const line of lines) assert.match(line, /^http:\/\/127\.0\.0\.1:\d+\/\S* \d+ characters$/);
});

const ChatRequest = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string().nullish() })) });

test('the agent finds a page, reads it and answers from its content', async () => {
  const calls = [
    { name: 'find_pages', arguments: JSON.stringify({ url: `${world.site}/shop`, words: 'rye flour' }) },
    { name: 'read_page', arguments: JSON.stringify({ url: `${world.site}/shop/whole-rye-flour` }) },
  ];
  await using model = await startHttpServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { messages } = ChatRequest.parse(await json(request));
      const told = messages.filter(({ role }) => role === 'tool');
      const next = calls[told.length];
      const last = told.at(-1)?.content ?? '';
      const message =
        next === undefined
          ? { role: 'assistant', content: `It costs ${/€[\d.]+/.exec(last)?.[0]}; ${told[0]?.content}` }
          : { role: 'assistant', content: null, tool_calls: [{ id: 'call', type: 'function', function: next }] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices: [{ message }] }));
    };
    answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await cp(join(EXAMPLES, 'agent'), join(folder, 'agent'), { recursive: true });
  const out = await run('agent/main.ts', ['What', 'does', 'rye', 'flour', 'cost?'], { MODEL_URL: model.origin });
  assert.match(out, /^It costs €4\.90; \[.*whole-rye-flour/);
});
