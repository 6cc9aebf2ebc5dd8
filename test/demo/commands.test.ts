import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { removeSettings } from '#demo/service.ts';
import { startMockSites } from '#demo/sites/mock-sites.ts';
import { startSite } from '#demo/site.ts';
import { BROWSERS, SETTING } from '#support/rendered.ts';
import { serveHere } from '#support/command.ts';
import { ROOT } from '#support/copy.ts';
import { KEY, runToEnd, type Settings } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { type PageCommand, readCommands } from './commands.ts';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

/** Commands that cannot be tested as written, with reasons. */
const SKIPPED_COMMANDS: readonly (readonly [form: RegExp, why: string])[] = [
  [/^docker /, 'no Docker is there'],
  [/-- --system\b/, 'installs packages of the machine with apt'],
  [/^git clone /, 'reaches the internet'],
  [/^npm (?:test|run check)\b|^node packages\/quern\/bin\/bootstrap\.mjs --test /, 'is a run of tests itself'],
  [/^npm start\b/, 'is run by packages/quern/test/serve/npm.test.ts'],
  [/^npm run demo\b/, 'is run by test/demo/demo.test.ts'],
  [/^npm run new-site /, 'writes into the checkout; e2e/adding-a-site.test.ts runs it in a copy'],
  [
    /^npm run build:commands\b/,
    'writes into the checkout; packages/quern/test/cli/help.test.ts compares what it writes',
  ],
  [/^npx quern (?:login|logout|completion)\b/, 'changes the home of the reader; e2e/terminal.test.ts runs it'],
  [/^npm run bench\b/, 'takes minutes to hours; that each measure exists is tested below'],
  [/\bnpm run train:content\b/, 'needs labelled pages, and takes minutes'],
  [/^export QUERN_(?!URL=)\w+=/, 'is a setting for a service of the reader, with hosts of theirs'],
  [/^npx quern crawl --resume /, 'goes on with a crawl that was interrupted'],
  [/^npx quern restore /, 'refuses while the service runs; packages/quern/test/serve/backup.test.ts runs it'],
  [/^npx quern tenants credit /, 'needs the charge of a call that went wrong'],
  [/"prompt": /, 'needs a model of the operator'],
  [/^npx quern admin /, 'needs the key of an operator; packages/quern/test/serve/operators.test.ts asks the same'],
  [/^claude mcp add /, 'is a program of others'],
  [/^(?:export )?FIRECRAWL_\w+=/, 'is a setting of a program of others'],
];

/** Commands that run until they are stopped. */
const LONG_RUNNING = /^npx quern webhooks listen /;
const NEEDS_BROWSER = /screenshot|\/v1\/interact|quern interact|quern artifact|\/v1\/artifacts\//;
/** Pages whose commands need a data folder without a running service. */
const NEEDS_CHECKOUT = 'docs/guide/operating.md';
/** The page whose commands use the real `npx` of npm, which takes four times the CPU of the command itself. */
const NPM_COMMANDS = 'README.md';
const RECEIVER_PORT = 9000;

const commands = PAGES.flatMap((page) => readCommands(page, readFileSync(join(ROOT, page), 'utf8')));
const isSkipped = ({ text }: PageCommand): boolean => SKIPPED_COMMANDS.some(([form]) => form.test(text));

test('each rule for skipped commands matches a command', () => {
  for (const [form, why] of SKIPPED_COMMANDS)
    assert.ok(
      commands.some(({ text }) => form.test(text)),
      `${form}: ${why}`,
    );
});

test('each benchmark that a page mentions exists', () => {
  for (const { text, page } of commands) {
    const name = /^npm run bench -- (\S+)/.exec(text)?.[1];
    if (name !== undefined) assert.ok(existsSync(join(ROOT, 'bench', `${name}.ts`)), `${page} names ${name}`);
  }
});

suite('the commands on a page work unchanged', { concurrency: 3 }, () => {
  for (const page of PAGES) {
    const own = commands.filter((command) => command.page === page && !isSkipped(command));
    const run = own.filter(({ text }) => BROWSERS !== null || !NEEDS_BROWSER.test(text));
    if (run.length > 0) test(page, async () => inTemporaryFolder(async (folder) => runPage(run, { folder, page })));
  }
});

/** Runs the commands in order, in a shell of a reader who runs the demo. */
async function runPage(pasted: readonly PageCommand[], place: ReaderSetup): Promise<void> {
  await using world = await startReaderWorld(place);
  for (const command of pasted) {
    const text = world.toLocal(command.text);
    const where = `${command.page}:${command.line}: ${text}`;
    if (LONG_RUNNING.test(command.text)) {
      world.keep(text);
      continue;
    }
    const { code, out, err } = await world.paste(text);
    assert.equal(code, 0, `${where}\n${out}\n${err}`);
    world.remember(out + err);
  }
}

type ReaderSetup = { readonly folder: string; readonly page: string };

/** The demo site and a service, with a folder for the commands. */
async function startReaderWorld({ folder, page }: ReaderSetup) {
  const [site, sites] = [await startSite({ port: 0 }), await startMockSites()];
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const service = await serveHere(data, {
    QUERN_ALLOW_TARGETS: `${new URL(site.origin).host},127.0.0.1:${RECEIVER_PORT},${sites.allow}`,
    QUERN_SITES_FILE: sites.file,
    QUERN_CHROMIUM: SETTING ?? '',
    QUERN_SEARCH_INDEX: 'on',
  });
  const path = prepareReaderFolder(folder, { byNpm: page === NPM_COMMANDS });
  const ids = new Map<string, string>();
  const lasting: ReturnType<typeof spawn>[] = [];
  const ports = new Map([
    ['7700', new URL(service.origin).port],
    ['7710', new URL(site.origin).port],
  ]);
  const settings = { PATH: path, HOME: folder, KEY, npm_config_offline: 'true', npm_config_update_notifier: 'false' };

  return {
    /** The command with the ports of this world, and with printed ids instead of `art_…`. */
    toLocal: (text: string) =>
      text
        .replaceAll(/(?<=127\.0\.0\.1:)\d+/g, (port) => ports.get(port) ?? port)
        .replaceAll(/qk_(?:demo)+/g, KEY)
        .replaceAll(/\b([a-z]+_)…/g, (placeholder, prefix: string) => ids.get(prefix) ?? placeholder),
    remember(printed: string): void {
      for (const [id, prefix = ''] of printed.matchAll(/\b([a-z]{2,4}_)[0-9a-z]{20,}\b/g)) ids.set(prefix, id);
    },
    /** Runs a command with the variables that earlier ones have set. */
    async paste(text: string) {
      const asked: Settings = page === NEEDS_CHECKOUT ? {} : { QUERN_URL: service.origin, QUERN_API_KEY: KEY };
      const script = `set -ea\n[ ! -e .variables ] || . ./.variables\n${text}\nexport -p > .variables`;
      const cwd = text.startsWith('npm ') ? ROOT : folder;
      const command = cwd === ROOT ? text : script;
      return runToEnd('sh', ['-c', command], { cwd, settings: { ...settings, ...asked } });
    },
    /** Starts a command that runs until the end. */
    keep(text: string): void {
      const env = { ...removeSettings(process.env), ...settings };
      lasting.push(spawn('sh', ['-c', `exec ${text}`], { cwd: folder, env, stdio: 'ignore', detached: true }));
    },
    async [Symbol.asyncDispose]() {
      for (const { pid } of lasting) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
      await service[Symbol.asyncDispose]();
      await Promise.all([site.close(), sites.close()]);
    },
  };
}

/**
 * Creates a folder with `npx quern` and a curl that fails if the service returns an error; returns the PATH of the
 * reader. Unless `byNpm`, `npx` directly runs the program that npm would find.
 */
function prepareReaderFolder(folder: string, { byNpm }: { readonly byNpm: boolean }): string {
  const [bin, programs] = [join(folder, 'bin'), join(folder, 'node_modules/.bin')];
  for (const made of [bin, programs]) mkdirSync(made, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  symlinkSync(join(ROOT, 'packages/quern/bin/quern.mjs'), join(programs, 'quern'));
  const path = process.env['PATH'] ?? '';
  writeScript(join(bin, 'curl'), `PATH='${path}'\nexec curl --fail-with-body "$@"`);
  if (!byNpm) writeScript(join(bin, 'npx'), `program="$1"\nshift\nexec '${programs}'/"$program" "$@"`);
  return `${bin}:${path}`;
}

function writeScript(path: string, lines: string): void {
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
}
