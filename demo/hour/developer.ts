import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openService, withoutSettings } from '#demo/service.ts';
import { openShell, type Shell } from './shell.ts';
import { print, type Walk } from './walk.ts';
import { packWheel } from './wheel.ts';
import type { HourWorld } from './world.ts';

const CLIENTS = join(import.meta.dirname, '../../clients');
/** What the samples of both pages print, by their headings. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  'A page': / \d+ 2$/m,
  'A crawl, page by page': /^max_pages 10$/m,
  'Jobs, lists, files': /^completed$/m,
  asyncio: /^3\n(?:http:\S+\n){3}/m,
  'What fails': /^404 not_found (?:f|F)alse req_/m,
};

/** Somebody who writes a program: both clients from their packages, and every example of their pages. */
export async function walkDeveloper(walk: Walk, world: HourWorld): Promise<void> {
  const { folder, site, allow, key } = world;
  const packages = join(folder, 'packages');
  mkdirSync(packages, { recursive: true });
  const data = join(folder, 'developer-data');
  mkdirSync(data, { mode: 0o700 });
  const tarball = packTypeScript(packages);
  const wheel = packWheel(join(CLIENTS, 'python'), packages);
  const service = await openService({
    dataDir: data,
    settings: { QUERN_ALLOW_TARGETS: allow, QUERN_BOOTSTRAP_KEY: key, QUERN_CHROMIUM: 'off' },
  });
  const settings = { QUERN_URL: service.origin, QUERN_API_KEY: key };
  try {
    const node = openShell(walk, { folder: join(folder, 'typescript'), settings });
    await node.type('install quern-client', `npm install ${join('../packages', tarball)}`, {
      shows: /added 1 package/,
    });
    for (const sample of samplesOf('typescript', 'js', site))
      await runSample(node, sample, { program: 'node', suffix: 'mjs' });
    if (!hasPython()) {
      print('\n  There is no python3 of 3.11 or newer here, so the Python client is left out.');
      return;
    }
    const python = openShell(walk, { folder: join(folder, 'python'), settings: { ...settings, PIP_NO_INDEX: '1' } });
    await python.type(
      'install quern for Python',
      `python3 -m venv .venv && .venv/bin/pip install ${join('../packages', wheel)}`,
      { shows: /Successfully installed quern/ },
    );
    for (const sample of samplesOf('python', 'python', site))
      await runSample(python, sample, { program: '.venv/bin/python', suffix: 'py' });
  } finally {
    await service.close();
  }
}

type Sample = { readonly title: string; readonly code: string };

/** The examples of a client's page, with the site of the walk in place of the one that they name. */
function samplesOf(client: string, language: string, site: string): readonly Sample[] {
  const page = readFileSync(join(CLIENTS, client, 'README.md'), 'utf8');
  return page.split(/^## /m).flatMap((part) => {
    const [title = ''] = part.split('\n');
    const blocks = part.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'));
    return [...blocks].map(([, code = '']) => ({ title, code: code.replaceAll('https://example.com/', `${site}/`) }));
  });
}

async function runSample(
  shell: Shell,
  { title, code }: Sample,
  { program, suffix }: { readonly program: string; readonly suffix: string },
): Promise<void> {
  const file = `example-${title.toLowerCase().replaceAll(/\W+/g, '-')}.${suffix}`;
  writeFileSync(join(shell.folder, file), code);
  // A receiver of webhooks is loaded by the server of its user, and prints nothing.
  await shell.type(`its example: ${title}`, `${program} ${file}`, { shows: PRINTS[title] ?? /^$/ });
}

/** Packs the client as `npm publish` does; answers the name of the file. */
function packTypeScript(folder: string): string {
  const { status, stderr } = spawnSync('npm', ['pack', '--offline', '--loglevel=error', '--pack-destination', folder], {
    cwd: join(CLIENTS, 'typescript'),
    env: withoutSettings(process.env),
    encoding: 'utf8',
  });
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (status !== 0 || tarball === undefined) throw new Error(`clients/typescript cannot be packed:\n${stderr}`);
  return tarball;
}

function hasPython(): boolean {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
  return spawnSync('python3', ['-c', check], { stdio: 'ignore' }).status === 0;
}
