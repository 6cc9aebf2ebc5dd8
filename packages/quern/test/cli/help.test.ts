import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { routedOperations } from '#compose/registry.ts';
import { explain } from '#features/explain/operation.ts';
import { ADMINISTRATION_SPECS } from '#transports/cli/administration.ts';
import { buildCommandSpecs } from '#transports/cli/catalogue.ts';
import { runCli } from '#transports/cli/cli.ts';
import { formatCompletions } from '#transports/cli/completion.ts';
import { EXIT } from '#transports/cli/exit.ts';
import { formatOverview } from '#transports/cli/help.ts';
import type { CommandSpec } from '#transports/cli/spec.ts';
import { ROOT } from '../support/copy.ts';

const SPECS: readonly CommandSpec[] = [...buildCommandSpecs(routedOperations, explain), ...ADMINISTRATION_SPECS];

/** A command line that may only print help and opens nothing. */
async function say(...args: readonly string[]) {
  const said = { out: '', err: '' };
  const code = await runCli(args, {
    specs: SPECS,
    administration: {},
    version: '1.2.3',
    open: async () => Promise.reject(new Error('nothing is to be opened')),
    isInterrupted: () => false,
    terminal: {
      out: (text) => void (said.out += String(text)),
      note: (line) => void (said.err += `${line}\n`),
      live: () => undefined,
      isRead: () => true,
      display: null,
      isScreen: false,
    },
  });
  return { code, ...said };
}

test('the generated list of commands matches the operations', async () => {
  const listed: unknown = JSON.parse(
    await readFile(join(ROOT, 'packages/quern/src/transports/cli/catalogue.json'), 'utf8'),
  );
  const made: unknown = JSON.parse(JSON.stringify(buildCommandSpecs(routedOperations, explain)));
  assert.deepEqual(listed, made, 'npm run build:commands writes it anew');
});

test('the help of every command has usage, summary, options, an example and exit codes', async () => {
  for (const { words, summary, options } of SPECS) {
    const { code, out } = await say(...words, '--help');
    assert.equal(code, EXIT.ok);
    assert.ok(out.startsWith(`quern ${words.join(' ')}`), out);
    assert.ok(out.includes(summary), summary);
    for (const { flag, isHidden } of options) if (isHidden !== true) assert.ok(out.includes(`--${flag}`), flag);
    for (const general of ['--json', '-o, --out', '-q, --quiet', '-v, --verbose']) assert.ok(out.includes(general));
    assert.match(out, /\nExit codes:\n +0 +done\n/);
    assert.equal((await say('help', ...words)).out, out);
  }
  const aliases = SPECS.filter(({ adds }) => adds.length > 0);
  for (const { words, examples } of SPECS.filter((one) => !aliases.includes(one)))
    assert.ok(examples.length > 0, words.join(' '));
});

test('help shows how a value is written, and the words of its command', async () => {
  const { out } = await say('fetch', '--help');
  for (const wanted of [
    '--output A,B',
    '--attributes JSON',
    '--cookies JSON',
    '--headers JSON',
    '--include-selectors TEXT',
  ])
    assert.ok(out.includes(wanted), wanted);
  const { out: batch } = await say('fetch', 'batch', '--help');
  assert.match(batch.replaceAll(/\s+/g, ' '), /: quern fetch batch --resume JOB/);
  for (const { words } of SPECS) assert.doesNotMatch((await say(...words, '--help')).out, /quern [a-z-]+\.[a-z]/);
});

test('every example in help can be parsed', async () => {
  const lines = SPECS.flatMap(({ words, examples }) => examples.map((line) => ({ words, line })));
  for (const { words, line } of lines) assert.ok(line.startsWith(words.join(' ')), line);
});

test('a group of commands has its own help, and running it alone lists its commands', async () => {
  const { code, out } = await say('help', 'keys');
  assert.equal(code, EXIT.ok);
  for (const wanted of ['quern keys COMMAND', 'quern keys create', 'quern keys rotate KEY_ID'])
    assert.ok(out.includes(wanted), wanted);
  assert.equal((await say('keys', '--help')).out, out);
  const alone = await say('keys');
  assert.deepEqual(
    [alone.code, alone.out, alone.err],
    [EXIT.usage, '', 'quern: keys is a group of commands: quern keys create, list, revoke, rotate\n'],
  );
  assert.ok((await say('help', 'usage')).out.includes('quern usage history'));
});

test('help as JSON is the list of commands', async () => {
  const { out } = await say('help', 'jobs', '--json');
  const listed: unknown = JSON.parse(out);
  assert.ok(Array.isArray(listed) && listed.length > 4);
});

test('an unknown command suggests a similar one only if there is one', async () => {
  for (const [line, says] of [
    [['fecth', 'x'], /^quern: fecth is not a command; did you mean quern fetch\? /],
    [['jobs', 'shwo'], /^quern: jobs shwo is not a command; did you mean quern jobs show\? /],
    [['jobs', 'zebra'], /^quern: jobs zebra is not a command; there are quern jobs submit, list/],
    [['zebra'], /^quern: zebra is not a command; quern help lists them$/m],
    [['help', 'zebra'], /^quern: zebra is not a command/],
    [['--zebra'], /^quern: --zebra: unknown option/],
    [['constructor'], /^quern: constructor is not a command; quern help/],
  ] as const) {
    const { code, out, err } = await say(...line);
    assert.deepEqual([code, out], [EXIT.usage, ''], line.join(' '));
    assert.match(err, says);
  }
});

test("an unknown option suggests the equivalent of another service's option or a similar one", async () => {
  for (const [line, ours] of [
    ['fetch --formats markdown', '--output'],
    ['fetch --fromat', null],
    ['fetch --ouput markdown', '--output'],
    ['fetch --onlyMainContent', '--only-main-content'],
    ['fetch --wait-for 500', '--wait-for-selector or --wait-ms'],
    ['fetch --include-tags p', '--include-selectors'],
    ['fetch --css-selector p', '--include-selectors'],
    ['fetch --page-timeout 5', '--timeout-ms'],
    ['fetch --maxAge 5', '--max-age-ms'],
    ['crawl --limit 5', '--max-pages'],
    ['crawl --include-paths a', '--include'],
    ['crawl --exclude-paths a', '--exclude'],
    ['crawl --maxDiscoveryDepth 2', '--max-depth'],
    ['crawl --allow-subdomains', '--scope'],
    ['map --limit 5', '--max-urls'],
    ['fetch --zebra', null],
  ] as const) {
    const { code, out, err } = await say(...line.split(' '));
    assert.deepEqual([code, out], [EXIT.usage, ''], line);
    if (ours === null) assert.match(err, /unknown option of quern \w+; --help lists all$/m);
    else assert.ok(err.includes(ours), `${line}: ${err}`);
    assert.doesNotMatch(err, /--cookies/);
  }
  assert.equal((await say('crawl', 'x', '--max-depth')).err, 'quern: invalid_request: --max-depth: needs a value\n');
  assert.match((await say('crawl', 'x', '--max-depth', '--json')).err, /--max-depth: needs a value, but got --json/);
});

test('completion offers commands, options, their values and files', () => {
  const offered = (...words: readonly string[]): readonly string[] =>
    formatCompletions(['bash', ...words], SPECS)
      .split('\n')
      .filter((line) => line !== '');
  assert.deepEqual(offered('fe'), ['fetch']);
  assert.deepEqual(offered('jobs', 's'), ['submit', 'show']);
  assert.ok(offered('').includes('monitors'));
  assert.deepEqual(offered('help', 'keys', 'r'), ['revoke', 'rotate']);
  assert.deepEqual(offered('fetch', 'https', ':', '//x', '--only'), ['--only-main-content']);
  assert.deepEqual(offered('fetch', 'x', '--proxy', ''), ['basic', 'auto', 'stealth']);
  assert.deepEqual(offered('fetch', 'x', '--proxy', '=', 'st'), ['stealth']);
  assert.deepEqual(offered('fetch', 'x', '--output', 'markdown,te'), ['markdown,text']);
  assert.deepEqual(offered('completion', ''), ['bash', 'zsh', 'fish']);
  assert.deepEqual(offered('backup', ''), [':files']);
  assert.deepEqual(offered('fetch', 'x', '-o', ''), [':files']);
  assert.deepEqual(offered('fetch', 'x', '--timeout-ms', ''), []);
  assert.ok(!offered('fetch', '--u').includes('--url'));
  assert.equal(
    formatCompletions(['zsh', 'keys', 'rot'], SPECS),
    'rotate:replace a key by a new one; the old key is revoked at once\n',
  );
  assert.match(formatCompletions(['fish', 'vers'], SPECS), /^version\t\w/);
});

test('a shell without a completion script is refused', async () => {
  const { code, err } = await say('completion', 'cmd');
  assert.deepEqual([code, err], [EXIT.usage, 'quern: invalid_request: SHELL: must be bash, zsh or fish\n']);
});

test('the overview fits one screen and lists every command or its group', async () => {
  for (const line of [[], ['help'], ['--help'], ['-h'], ['help', '-v']]) {
    const { code, out } = await say(...line);
    assert.equal(code, EXIT.ok);
    const lines = out.trimEnd().split('\n');
    assert.ok(lines.length <= 60, `${lines.length} lines`);
    for (const { words } of SPECS) assert.match(out, new RegExp(`^ +(?:.* )?${words[0]}(?:[ ,]|$)`, 'm'));
    assert.match(out, /^quern help --all lists every command/m);
  }
  for (const columns of [40, 80, 120]) {
    const lines = formatOverview(SPECS, { columns, bold: (text) => text })
      .trimEnd()
      .split('\n');
    assert.ok(lines.length <= 60, `${lines.length} lines of ${columns} columns`);
    if (columns >= 80)
      assert.ok(
        lines.every((line) => line.length <= columns),
        String(columns),
      );
  }
  const whole = (await say('help', '--all')).out;
  for (const { words } of SPECS) assert.ok(whole.includes(`quern ${words.join(' ')}`), words.join(' '));
  assert.match(whole, /\nExit codes:\n +0 +done\n/);
});

test('the overview fits one screen however many commands are added', () => {
  const own: CommandSpec | undefined = SPECS.find(({ words }) => words.length === 1);
  assert.ok(own !== undefined);
  for (const count of [1, 5, 30]) {
    const more: readonly CommandSpec[] = Array.from({ length: count }, (_, at) => ({ ...own, words: [`extra-${at}`] }));
    const lines = formatOverview([...SPECS, ...more], { columns: 100, bold: (text) => text })
      .trimEnd()
      .split('\n');
    assert.ok(lines.length <= 60, `${lines.length} lines with ${count} more`);
    assert.ok(lines.some((line) => line.includes('extra-0')));
  }
});

test('no two commands have the same description', () => {
  const known = new Map<string, string>();
  for (const { words, summary } of SPECS) {
    assert.equal(known.get(summary), undefined, `${words.join(' ')}: ${summary}`);
    known.set(summary, words.join(' '));
  }
});
