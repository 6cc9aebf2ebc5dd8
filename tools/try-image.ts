import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { startSite } from '#demo/site.ts';
import { makeDebian, makeNode } from './image/base-images.ts';
import { runInImage, startContainer } from './image/container.ts';
import { type ImageStore, openImageStore } from './image/image-store.ts';

// Builds both images of the Dockerfile without a container engine, prints what they weigh, and starts them.
const KEY = `qk_${'try'.repeat(10)}42`;
const LIMIT_MS = 40 * 60_000;
const CALL_MS = 120_000;
/** The most that the default image may weigh. */
const MAX_DEFAULT_BYTES = 900e6;
const PNG_SIGNATURE = '89504e47';
const DEFAULT = 'quern:try';
const FULL = 'quern:try-full';
const root = join(import.meta.dirname, '..');

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

function findObstacle(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'it needs Linux and root, for the file systems of images';
  const missing = ['buildah', 'debootstrap'].filter((program) => spawnSync(program, ['--version']).error !== undefined);
  return missing.length === 0 ? null : `it needs ${missing.join(' and ')}: apt-get install ${missing.join(' ')}`;
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const done = await work();
  printLine(`${what}: ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  return done;
}

/** Makes the images that the Dockerfile begins with, from packages of Debian and npm. */
async function makeBaseImages(store: ImageStore): Promise<void> {
  const names = [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+:\S+)/gm)].map(
    ([, name = '']) => name,
  );
  const debian = names.find((name) => /^debian:bookworm-slim$/.test(name));
  const node = names.find((name) => /^node:\d+-bookworm-slim$/.test(name));
  assert.ok(
    debian !== undefined && node !== undefined && names.length === 2,
    `no base images can be made for ${names.join(', ')}`,
  );
  await timed(`made ${debian}`, async () => makeDebian(store, debian));
  const major = /\d+/.exec(node)?.[0] ?? '';
  await timed(`made ${node}`, async () => makeNode(store, { name: node, debian, major }));
}

/** Prints the size of an image and of its layers, and returns the whole. */
async function printSize(store: ImageStore, image: string): Promise<number> {
  const layers = await store.listLayers(image);
  const total = layers.reduce((sum, { bytes }) => sum + bytes, 0);
  printLine(`\n${image}: ${formatSize(total)}`);
  for (const { instruction, bytes } of layers)
    printLine(`${formatSize(bytes).padStart(12)}  ${instruction.slice(0, 100)}`);
  return total;
}

function formatSize(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

const Answer = z.object({
  markdown: z.string(),
  screenshot: z.object({ url: z.string() }).optional(),
  usage: z.object({ tier: z.string() }),
});

async function callService(url: string, input?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const request = input === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(input) };
  const answer = await fetch(url, { ...request, signal: AbortSignal.timeout(CALL_MS) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** Starts the service of an image and does what its first user does. */
async function tryService(store: ImageStore, image: string): Promise<void> {
  const site = await startSite({ port: 0 });
  const settings = { QUERN_BOOTSTRAP_KEY: KEY, QUERN_ALLOW_TARGETS: new URL(site.origin).host };
  const service = await startContainer(store, image, settings);
  try {
    printLine(`\n${image} is ready after ${Math.round(service.readyMs)} ms`);
    await timed('health check', service.checkHealth);
    const fetchPage = async (path: string, ...output: readonly string[]) =>
      Answer.parse(
        await (await callService(`${service.origin}/v1/fetch`, { url: `${site.origin}${path}`, output })).json(),
      );
    const article = await timed('a page by HTTP', async () => fetchPage('/articles/a-year-at-the-mill', 'markdown'));
    assert.equal(article.usage.tier, 'http');
    assert.match(article.markdown, /A year at the mill/i);
    const shell = await timed('a page that a script fills', async () => fetchPage('/lab/shell', 'markdown'));
    assert.equal(shell.usage.tier, 'browser');
    assert.match(shell.markdown, /mill/i);
    const shown = await timed('a screenshot', async () => fetchPage('/lab/shell', 'markdown', 'screenshot'));
    const picture = await (await callService(`${service.origin}${shown.screenshot?.url ?? ''}`)).bytes();
    assert.ok(Buffer.from(picture).toString('hex').startsWith(PNG_SIGNATURE), 'the screenshot is a PNG file');
    const users = new Set(service.listUsers());
    assert.ok(users.size === 1 && !users.has(0), `users ${[...users].join()}`);
    printLine(`its processes, the browser among them, are of user ${[...users].join()}`);
    printLine(`stopped by SIGTERM within ${Math.round(await service.stop())} ms`);
  } finally {
    service.kill();
    await site.close();
  }
}

/** Checks that `quern doctor` of the default image names what only the other one has. */
async function tryDoctor(store: ImageStore): Promise<void> {
  const find = async (image: string) => {
    const lines = await runInImage(store, image, ['quern', 'doctor']);
    return ['light browser', 'CJK fonts'].filter((name) => new RegExp(`^missing +${name} .*-full`, 'm').test(lines));
  };
  assert.deepEqual(await find(DEFAULT), ['light browser', 'CJK fonts']);
  assert.deepEqual(await find(FULL), []);
  printLine('quern doctor reports what the default image lacks');
}

async function tryImages(store: ImageStore): Promise<void> {
  await makeBaseImages(store);
  await timed(`built ${FULL}`, async () => store.build(root, FULL, ['--target', 'full']));
  await timed(`built ${DEFAULT}`, async () => store.build(root, DEFAULT, []));
  await printSize(store, FULL);
  const bytes = await printSize(store, DEFAULT);
  printLine(`\nquern --version: ${await runInImage(store, DEFAULT, ['quern', '--version'])}`);
  await tryDoctor(store);
  await tryService(store, DEFAULT);
  await tryService(store, FULL);
  assert.ok(bytes <= MAX_DEFAULT_BYTES, `the default image weighs ${formatSize(bytes)}`);
}

const obstacle = findObstacle();
if (obstacle === null) {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => interrupted.abort(new Error(`stopped by ${name}`)));
  const store = openImageStore(AbortSignal.any([AbortSignal.timeout(LIMIT_MS), interrupted.signal]));
  try {
    await tryImages(store);
  } finally {
    await store.close();
  }
} else {
  process.stderr.write(`try:image: ${obstacle}\n`);
  process.exitCode = 1;
}
