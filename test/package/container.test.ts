import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '#kernel/config.ts';
import { ROOT } from '../house/house.ts';
import { runHere } from '#support/command.ts';
import { runToEnd, serveQuern } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { listCopies, getOnly, readStages, toCommand, toEnvironment } from './dockerfile.ts';
import { buildImageFolder } from './image.ts';

const Healthcheck = z.strictObject({ test: z.array(z.string()), interval: z.string(), retries: z.int() });
/** The supported members; unknown ones are rejected to catch typing errors. */
const Service = z.strictObject({
  build: z.literal('.').optional(),
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()),
  networks: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).default({}),
  healthcheck: Healthcheck.optional(),
  deploy: z.strictObject({ replicas: z.int() }).optional(),
  shm_size: z.string().optional(),
  mem_limit: z.string().regex(/^\d+g$/),
  pids_limit: z.int().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  restart: z.literal('unless-stopped'),
  stop_grace_period: z.string().optional(),
});
const Network = z.strictObject({
  internal: z.literal(true).optional(),
  ipam: z.strictObject({ config: z.tuple([z.strictObject({ subnet: z.cidrv4(), gateway: z.ipv4() })]) }).optional(),
});
const Compose = z.strictObject({
  'x-quern': z.unknown().optional(),
  services: z.record(z.string(), Service),
  networks: z.record(z.string(), Network),
  volumes: z.record(z.string(), z.unknown()),
});

const dockerfile = read('Dockerfile');
const stages = readStages(dockerfile);
const image = stages.at(-1) ?? [];
const compose = readCompose('compose.yaml');
const { services, ours } = compose;
/** The Compose files for several containers and for a single one. */
const FILES = [compose, readCompose('compose.single.yaml')];
const imageEnvironment = toEnvironment(getOnly(image, 'ENV'));
/** Every `${NAME:?…}` that the file requires from the operator. */
const ASKED = /\$\{(\w+):\?[^}]+\}/g;

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function readCompose(file: string) {
  const text = read(file);
  const whole = Compose.parse(parse(text, { merge: true }));
  const all = Object.entries(whole.services);
  return { file, text, whole, services: all, ours: all.filter(([, { build }]) => build !== undefined) };
}

/** The environment of a service container, with 32 bytes in base64 for each secret. */
function buildEnvironment(service: z.infer<typeof Service>): Readonly<Record<string, string>> {
  const secret = Buffer.alloc(32).toString('base64url');
  const given = Object.entries(service.environment).map(([name, value]) => [name, value.replaceAll(ASKED, secret)]);
  return { ...imageEnvironment, ...Object.fromEntries(given) };
}

function withServices({ whole, services: all }: typeof compose) {
  return all.map(([name, service]) => ({ whole, name, service }));
}

test('the build context of the image has exactly the files that it copies, and all of them exist', () => {
  const copied = stages.flatMap(listCopies).flatMap(({ stage, sources }) => (stage === null ? sources : []));
  for (const source of copied) assert.ok(existsSync(join(ROOT, source)), source);
  const [first, ...sent] = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  assert.equal(first, '*');
  assert.deepEqual(new Set(sent), new Set(copied.map((source) => `!${source}`)));
});

test('the image and the containers use existing settings with valid values', () => {
  const known = new Set(loadConfig({}, null).settings.map(({ name }) => name));
  const texts = FILES.map(({ text }) => text).join('');
  for (const [name] of `${dockerfile}${texts}`.matchAll(/\bQUERN_\w+/g)) assert.ok(known.has(name), name);
  for (const [, service] of FILES.flatMap((file) => file.ours)) loadConfig(buildEnvironment(service), null);
  const { config: alone } = loadConfig(imageEnvironment, null);
  assert.equal(`${alone.QUERN_PORT}`, getOnly(image, 'EXPOSE'));
  assert.equal(alone.QUERN_DATA_DIR, getOnly(image, 'VOLUME'));
  for (const [name, service] of ours) {
    const { config, artifacts } = loadConfig(buildEnvironment(service), null);
    assert.ok(artifacts.kind === 's3', name);
    const { hostname } = new URL(config.QUERN_DATABASE_URL ?? '');
    assert.ok(hostname in compose.whole.services, `${name} has its database at ${hostname}`);
    assert.ok(new URL(artifacts.endpoint ?? '').hostname in compose.whole.services, `${name}: ${artifacts.endpoint}`);
    const keys = compose.whole.services['objects']?.environment ?? {};
    for (const key of Object.keys(keys)) assert.equal(service.environment[key], keys[key], `${name}: ${key}`);
    assert.ok(compose.whole.services['objects']?.command?.includes(`-bucket=${artifacts.bucket}`));
  }
});

test('the full image has the default one and more packages, and runs as the same user', () => {
  const full = stages.at(-2) ?? [];
  assert.deepEqual(full.slice(0, image.length), image);
  const added = full.slice(image.length);
  assert.deepEqual(
    added.map(({ keyword }) => keyword),
    ['USER', 'RUN', 'USER'],
  );
  assert.equal(added.at(-1)?.text, getOnly(image, 'USER'));
  assert.match(added[1]?.text ?? '', /chromium-headless-shell fonts-noto-cjk/);
});

test('every Quern container runs an existing command', async () => {
  const commands = ours.flatMap(([, { command }]) => (command ? [command] : []));
  const words = [toCommand(getOnly(image, 'CMD')), ...commands];
  await inTemporaryFolder(async (folder) => {
    for (const [word = '', ...rest] of words) {
      assert.deepEqual(rest, []);
      assert.equal((await runHere(folder, ['help', word])).code, 0, word);
    }
  });
});

test('one container serves requests, and the others run the jobs', () => {
  const slots = new Map(
    ours.map(([name, service]) => [name, loadConfig(buildEnvironment(service), null).config.QUERN_JOB_SLOTS]),
  );
  assert.equal(slots.get('quern'), 0);
  assert.ok((slots.get('worker') ?? 0) > 0);
  assert.deepEqual(compose.whole.services['worker']?.command, ['worker']);
  const { healthcheck, environment } = compose.whole.services['worker'] ?? {};
  const check = JSON.stringify(healthcheck);
  assert.ok(check.includes(`http://127.0.0.1:${environment?.['QUERN_WORKER_PORT']}/readyz`), check);
});

test('the ports, volumes and networks of containers exist', () => {
  for (const { whole, name, service } of FILES.flatMap(withServices)) {
    const { ports, volumes, networks, tmpfs, build } = service;
    for (const network of networks) assert.ok(network in whole.networks, network);
    for (const volume of volumes) assert.ok((volume.split(':')[0] ?? '') in whole.volumes, volume);
    for (const port of ports) assert.equal(port, `127.0.0.1:${getOnly(image, 'EXPOSE')}:${getOnly(image, 'EXPOSE')}`);
    if (build === undefined) continue;
    const mounted = [...volumes.map((volume) => volume.split(':')[1]), ...tmpfs.map((mount) => mount.split(':')[0])];
    assert.deepEqual(mounted, [getOnly(image, 'VOLUME')], name);
  }
  const [uid, gid] = getOnly(image, 'USER').split(':');
  assert.ok(Number(uid) > 0);
  assert.ok(compose.whole.services['worker']?.tmpfs.every((mount) => mount.endsWith(`,uid=${uid},gid=${gid}`)));
});

test('a Quern container has a metrics token and a process limit', () => {
  for (const { service, name } of FILES.flatMap(withServices)) {
    if (service.build === undefined) continue;
    const { config } = loadConfig(buildEnvironment(service), null);
    assert.ok(config.QUERN_METRICS_TOKEN !== undefined, name);
    assert.ok(service.pids_limit !== undefined, name);
  }
});

test('a container with a published port trusts only the reverse proxy from the gateway', () => {
  for (const { service, name, whole } of FILES.flatMap(withServices)) {
    const { config } = loadConfig(service.build === undefined ? {} : buildEnvironment(service), null);
    const gateways = service.networks.flatMap((network) => whole.networks[network]?.ipam?.config[0].gateway ?? []);
    assert.deepEqual(config.QUERN_TRUST_PROXY, service.ports.length === 0 ? [] : gateways, name);
    assert.ok(service.ports.length === 0 || gateways.length === 1, name);
  }
});

test('a container depends only on containers with a health check', () => {
  for (const [name, { depends_on: others }] of services)
    for (const other of Object.keys(others)) {
      const awaited = compose.whole.services[other];
      const check = awaited?.build === undefined ? awaited?.healthcheck : getOnly(image, 'HEALTHCHECK');
      assert.ok(check !== undefined, `${name} waits for ${other}`);
    }
});

test('every image has a version, and the Quern image has the version of the package', () => {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('packages/quern/package.json')));
  const names = [
    ...stages.map((stage) => getOnly(stage, 'FROM').split(' ')[0] ?? ''),
    ...FILES.flatMap(withServices).map(({ service }) => service.image),
  ];
  for (const name of names) assert.match(name, /^[\w./-]+:(?!latest$)[\w.-]+$/);
  for (const [name, service] of FILES.flatMap((file) => file.ours))
    assert.equal(service.image, `quern:${version}`, name);
});

test('a Compose file explains how to generate each secret that it requires', () => {
  for (const { text, file } of FILES) {
    const asked = new Set([...text.matchAll(ASKED)].map((match) => match[1]));
    const made = new Set([...text.matchAll(/^# {3}(\w+)=\$\(openssl rand [^)]+\)$/gm)].map((match) => match[1]));
    assert.ok(asked.size > 0);
    assert.deepEqual(made, asked, file);
  }
});

test('the content of the image starts alone, is healthy while it serves, and stops on a signal', async () => {
  await inTemporaryFolder(async (folder) => {
    buildImageFolder(image, folder);
    const [init, separator, node, program = '', ...rest] = toCommand(getOnly(image, 'ENTRYPOINT'));
    assert.deepEqual([init, separator, node, ...rest], ['tini', '--', 'node']);
    assert.ok(!existsSync(join(folder, 'quern/node_modules/typescript')), 'only what the service runs on is there');
    const compiled = join(folder, imageEnvironment['NODE_COMPILE_CACHE'] ?? '');
    const settings = { NODE_COMPILE_CACHE: compiled };
    const served = await serveQuern(folder, settings, join(folder, program));
    const check = toCommand(getOnly(image, 'HEALTHCHECK').replace(/^.*? CMD /, ''));
    assert.equal(check[0], 'node');
    const look = async (): Promise<number | null> => {
      const port = new URL(served.origin).port;
      return (await runToEnd(process.execPath, check.slice(1), { cwd: folder, settings: { QUERN_PORT: port } })).code;
    };
    assert.equal(await look(), 0);
    assert.ok(existsSync(compiled), 'what Node compiles is kept where the image says');
    assert.equal(await served.close(), 0);
    assert.equal(await look(), 1);
  });
});
