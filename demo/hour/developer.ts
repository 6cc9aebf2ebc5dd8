import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { startService, removeSettings } from '#demo/service.ts';
import { createShell, type Shell } from './shell.ts';
import { type HourSetup, print, type Walkthrough } from './walk.ts';

const CLIENTS_FOLDER = join(import.meta.dirname, '../../clients');
/** Expected output of the README examples, by heading. */
const EXPECTED_OUTPUTS: Readonly<Record<string, RegExp>> = {
  'A page': / \d+ 2$/m,
  'A crawl, page by page': /^max_pages 10$/m,
  'Jobs, lists, files': /^completed$/m,
  asyncio: /^3\n(?:http:\S+\n){3}/m,
  'What fails': /^404 not_found (?:f|F)alse req_/m,
};

/** A developer who installs both client packages and runs every example of their READMEs. */
export async function runDeveloper(walk: Walkthrough, world: HourSetup): Promise<void> {
  const { folder, site, allow, key } = world;
  const packages = join(folder, 'packages');
  mkdirSync(packages, { recursive: true });
  const data = join(folder, 'developer-data');
  mkdirSync(data, { mode: 0o700 });
  const tarball = packTypeScript(packages);
  const wheel = packWheel(join(CLIENTS_FOLDER, 'python'), packages);
  const service = await startService({
    dataDir: data,
    settings: { QUERN_ALLOW_TARGETS: allow, QUERN_BOOTSTRAP_KEY: key, QUERN_CHROMIUM: 'off' },
  });
  const settings = { QUERN_URL: service.origin, QUERN_API_KEY: key };
  try {
    const node = createShell(walk, { folder: join(folder, 'typescript'), settings });
    await node.type('install quern-client', `npm install ${join('../packages', tarball)}`, {
      shows: /added 1 package/,
    });
    for (const sample of listExamples('typescript', 'js', site))
      await runExample(node, sample, { program: 'node', suffix: 'mjs' });
    if (!hasPython()) {
      print('\n  There is no python3 of 3.11 or newer here, so the Python client is left out.');
      return;
    }
    const python = createShell(walk, { folder: join(folder, 'python'), settings: { ...settings, PIP_NO_INDEX: '1' } });
    await python.type(
      'install quern for Python',
      `python3 -m venv .venv && .venv/bin/pip install ${join('../packages', wheel)}`,
      { shows: /Successfully installed quern/ },
    );
    for (const sample of listExamples('python', 'python', site))
      await runExample(python, sample, { program: '.venv/bin/python', suffix: 'py' });
  } finally {
    await service.close();
  }
}

type ReadmeExample = { readonly title: string; readonly code: string };

/** The code examples of a client's README, with the demo site instead of example.com. */
function listExamples(client: string, language: string, site: string): readonly ReadmeExample[] {
  const page = readFileSync(join(CLIENTS_FOLDER, client, 'README.md'), 'utf8');
  return page.split(/^## /m).flatMap((part) => {
    const [title = ''] = part.split('\n');
    const blocks = part.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'));
    return [...blocks].map(([, code = '']) => ({ title, code: code.replaceAll('https://example.com/', `${site}/`) }));
  });
}

async function runExample(
  shell: Shell,
  { title, code }: ReadmeExample,
  { program, suffix }: { readonly program: string; readonly suffix: string },
): Promise<void> {
  const file = `example-${title.toLowerCase().replaceAll(/\W+/g, '-')}.${suffix}`;
  writeFileSync(join(shell.folder, file), code);
  // The webhook example only defines a handler, and prints nothing.
  await shell.type(`its example: ${title}`, `${program} ${file}`, { shows: EXPECTED_OUTPUTS[title] ?? /^$/ });
}

/** Packs the client as `npm publish` does; returns the file name. */
function packTypeScript(folder: string): string {
  const { status, stderr } = spawnSync('npm', ['pack', '--offline', '--loglevel=error', '--pack-destination', folder], {
    cwd: join(CLIENTS_FOLDER, 'typescript'),
    env: removeSettings(process.env),
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

/** Builds a wheel of the Python client: a zip with the package and three metadata files. Returns the file name. */
function packWheel(client: string, folder: string): string {
  const version = /^version = "(.+)"$/m.exec(readFileSync(join(client, 'pyproject.toml'), 'utf8'))?.[1] ?? '0';
  const about = `quern-${version}.dist-info`;
  const files: Record<string, Uint8Array> = {};
  for (const name of readdirSync(join(client, 'quern')).filter((one) => /\.py$|^py\.typed$/.test(one)))
    files[`quern/${name}`] = readFileSync(join(client, 'quern', name));
  files[`${about}/METADATA`] = strToU8(
    `Metadata-Version: 2.1\nName: quern\nVersion: ${version}\nRequires-Python: >=3.11\n`,
  );
  files[`${about}/WHEEL`] = strToU8('Wheel-Version: 1.0\nGenerator: quern\nRoot-Is-Purelib: true\nTag: py3-none-any\n');
  const records = Object.entries(files).map(
    ([name, bytes]) => `${name},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}`,
  );
  files[`${about}/RECORD`] = strToU8([...records, `${about}/RECORD,,`, ''].join('\n'));
  const wheel = `quern-${version}-py3-none-any.whl`;
  writeFileSync(join(folder, wheel), zipSync(files));
  return wheel;
}
