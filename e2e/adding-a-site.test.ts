import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { removeSettings } from '#demo/service.ts';
import { startMockSites } from '#demo/sites/mock-sites.ts';
import { endpoints } from '#compose/endpoints.ts';
import { readSource } from '#sites/read-source.ts';
import { copyProgram, toResolverOption } from '#support/copy.ts';
import { listFixtures, replay } from '#tools/sites/cases.ts';

const ROOT = join(import.meta.dirname, '..');
const RUN_MS = 180_000;

/** A fenced code block, and the path in the line before it. */
const BLOCK = /(?:^`(?<file>packages\/sites\/src\/[^`]+)`\n\n)?^```(?<language>\w+)\n(?<text>[\s\S]*?)^```$/gm;

test('following docs/internals/adding-a-site.md gives an endpoint whose cases pass', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quern-adding-'));
  try {
    await copyProgram(folder, FOR_AUTHORS);
    const said: string[] = [];
    for (const { groups = {} } of readFileSync(join(ROOT, 'docs/internals/adding-a-site.md'), 'utf8').matchAll(BLOCK)) {
      const { file, language, text = '' } = groups;
      if (language === 'sh') said.push(run(folder, text.trim()));
      if (file === undefined) continue;
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    assert.match(said.join('\n'), /tea-house: tea--sencha is requested and parsed as its case expects/);
    assert.match(said.join('\n'), /tea-house: tea--gone is requested and parsed as its case expects/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a recording is fetched through the access tiers, scrubbed, and stored as a passing case', async () => {
  const sites = await startMockSites();
  const folder = mkdtempSync(join(tmpdir(), 'quern-record-'));
  try {
    await copyProgram(folder, FOR_AUTHORS);
    const env = {
      ...removeSettings(process.env),
      QUERN_SITES_FILE: sites.file,
      QUERN_ALLOW_TARGETS: sites.allow,
      QUERN_CHROMIUM: 'off',
    };
    const record = async (...args: readonly string[]) =>
      promisify(execFile)(process.execPath, ['tools/sites/record.ts', ...args], { cwd: folder, env, timeout: RUN_MS });
    const [{ stdout }] = await Promise.all([
      record('codehost', 'user', '--username', 'spent-today', '--name', 'late'),
      record('codehost', 'repos', '--username', 'ilse-miller', '--name', 'listed'),
    ]);
    assert.match(stdout, /"login": "spent-today"/);
    const fixtures = join(folder, 'packages/sites/src/github/fixtures');
    const frozen = readFileSync(join(fixtures, 'user--late.case.json'), 'utf8');
    assert.match(frozen, /"origin": "made"/);
    assert.match(frozen, /"requested": "https:\/\/github.com\/spent-today"/);
    const page = readFileSync(join(fixtures, 'user--late.page.html'), 'utf8');
    assert.ok(page.includes('Out of Requests') && !page.includes('ilse@harrow-mill.example'));
    assert.doesNotMatch(readFileSync(join(folder, 'packages/sites/src/proofs.ts'), 'utf8'), /: 'recorded',/);
    for (const [id, name] of [
      ['codehost.user', 'user--late'],
      ['codehost.repos', 'repos--listed'],
    ]) {
      const found = listFixtures(join(folder, 'packages/sites/src')).find((one) => one.name === name);
      const endpoint = endpoints.find(({ operation }) => operation.id === id);
      assert.ok(found !== undefined && endpoint !== undefined);
      const { verdict, asked } = replay(endpoint, found.case, readSource);
      assert.deepEqual({ ...verdict }, found.case.expect);
      // Only the first page of a list: later pages need a token.
      assert.deepEqual(
        asked.map(({ url }) => url),
        found.case.pages.map(({ requested }) => requested),
      );
      assert.equal(asked.length, 1);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await sites.close();
  }
});

/** The files that an author of endpoints needs. */
const FOR_AUTHORS = ['testkit', 'tools', 'packages/sites/test', 'packages/quern/test/sites', 'tsconfig.json'];

/** Runs a line of the page in the copy, with this Node. */
function run(folder: string, line: string): string {
  const [first, second, third = '', ...rest] = line.split(' ');
  const args = first === 'npm' && second === 'run' ? findScript(third, rest) : line.split(' ').slice(2);
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [toResolverOption(folder), ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: RUN_MS,
  });
  assert.equal(status, 0, `${line}\n${stdout}\n${stderr}`);
  return stdout;
}

/** The command of an npm script. */
function findScript(name: string, rest: readonly string[]): string[] {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
  const command = new RegExp(`"${name}": "exec node packages/quern/bin/bootstrap.mjs ([^"]+)"`).exec(text)?.[1] ?? '';
  return [command, ...rest];
}
