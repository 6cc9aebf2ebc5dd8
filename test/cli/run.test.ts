import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '#kernel/errors.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import { operations } from '#operations/index.ts';
import { backupCommand, restoreCommand } from '#transports/cli/backup.ts';
import { runCli } from '#transports/cli/cli.ts';
import type { Administration, CliParts } from '#transports/cli/cli.ts';
import { EXIT, exitCodeOf } from '#transports/cli/exit.ts';

const URL_TEXT = 'https://mill.example/';

type Ran = {
  readonly code: number;
  readonly out: string;
  readonly notes: readonly string[];
  /** What was asked, as `[operation id, raw input]`. */
  readonly asked: readonly unknown[];
};

async function run(line: readonly string[], ask: CliParts['ask'] = async () => ({})): Promise<Ran> {
  const asked: unknown[] = [];
  const notes: string[] = [];
  let out = '';
  const code = await runCli(line, {
    operations,
    administration: {
      keys: {
        summary: 'manage keys',
        async run(args, terminal) {
          terminal.out(`${args.join('|')}\n`);
          return EXIT.ok;
        },
      },
    },
    async ask(operation, raw) {
      asked.push([operation.id, raw]);
      return ask(operation, raw);
    },
    work: async () => undefined,
    interrupted: () => new AbortController().signal,
    version: '1.2.3',
    terminal: { out: (text) => void (out += text), note: (text) => void notes.push(text) },
  });
  return { code, out, notes, asked };
}

/** The raw input that a line of `quern fetch` stands for. */
async function inputOf(...flags: readonly string[]): Promise<unknown> {
  const { asked, notes } = await run(['fetch', URL_TEXT, ...flags]);
  if (asked.length === 0) throw new Error(notes.join('\n'));
  const [[, raw] = []] = asked.filter(Array.isArray);
  return raw;
}

test('flags are read by the type of the member', async () => {
  const url = URL_TEXT;
  assert.deepEqual(await inputOf(), { url });
  assert.deepEqual(await inputOf('--timeout-ms', '5000'), { url, timeout_ms: 5000 });
  assert.deepEqual(await inputOf('--timeout-ms=5000', '--max-age-ms', '0'), { url, timeout_ms: 5000, max_age_ms: 0 });
  assert.deepEqual(await inputOf('--only-main-content'), { url, only_main_content: true });
  assert.deepEqual(await inputOf('--no-only-main-content'), { url, only_main_content: false });
  assert.deepEqual(await inputOf('--output', 'text,links'), { url, output: ['text', 'links'] });
  assert.deepEqual(await inputOf('--output', 'text', '--output', 'links'), { url, output: ['text', 'links'] });
  const selectors = ['--include-selectors', 'h1, h2', '--include-selectors', 'p'];
  assert.deepEqual(await inputOf(...selectors), { url, include_selectors: ['h1, h2', 'p'] });
  assert.deepEqual(await inputOf('--headers', '{"dnt":"1"}'), { url, headers: { dnt: '1' } });
  assert.deepEqual(await inputOf('--cookies', '{"name":"a","value":"b"}'), {
    url,
    cookies: [{ name: 'a', value: 'b' }],
  });
  assert.deepEqual(await inputOf('--output', 'json', '--extract', '{"price":"money"}'), {
    url,
    output: ['json'],
    extract: { price: 'money' },
  });
});

test('what is not of the type stays text, so that validation names it', async () => {
  assert.deepEqual(await inputOf('--timeout-ms', '5s'), { url: URL_TEXT, timeout_ms: '5s' });
  assert.deepEqual(await inputOf('--timeout-ms', '1e3'), { url: URL_TEXT, timeout_ms: '1e3' });
});

test('the positional may be written as a flag, and is found among flags', async () => {
  const { asked } = await run(['fetch', '--output', 'text', URL_TEXT]);
  assert.deepEqual(asked, [['fetch', { url: URL_TEXT, output: ['text'] }]]);
  assert.deepEqual((await run(['fetch', '--url', URL_TEXT])).asked, [['fetch', { url: URL_TEXT }]]);
  assert.deepEqual((await run(['requests', 'get', 'req_1'])).asked, [['requests.get', { request_id: 'req_1' }]]);
  assert.deepEqual((await run(['requests', '--limit', '5'])).asked, [['requests', { limit: 5 }]]);
  assert.deepEqual((await run(['usage', 'history', '--by', 'operation'])).asked, [
    ['usage.history', { by: 'operation' }],
  ]);
});

test('a wrong line is a usage error that names what is wrong, and asks nothing', async () => {
  for (const [line, says] of [
    [['fetch', URL_TEXT, '--ouput', 'text'], /--ouput/],
    [['fetch', URL_TEXT, 'second'], /second: one value too many/],
    [['fetch', URL_TEXT, '--url', URL_TEXT], /url: given more than once/],
    [['fetch', URL_TEXT, '--timeout-ms', '1', '--timeout-ms', '2'], /timeout_ms: given more than once/],
    [['fetch', URL_TEXT, '--timeout-ms'], /timeout-ms/],
    [['fetch', URL_TEXT, '--only-main-content=yes'], /only-main-content/],
    [['fetch', URL_TEXT, '--proxy', ''], /proxy: is empty/],
    [['fetch', URL_TEXT, '--extract', '{"a":'], /extract: not valid JSON/],
    [['usage', 'now'], /now: one value too many/],
    [['fecth', URL_TEXT], /fecth is not a command/],
    [['constructor'], /constructor is not a command/],
  ] as const) {
    const { code, out, notes, asked } = await run(line);
    assert.deepEqual([code, out, asked], [EXIT.usage, '', []], line.join(' '));
    assert.match(notes.join('\n'), says);
    assert.equal(notes.length, 1);
  }
});

test('standard output holds only the result: the one text that was asked for, else the whole answer as JSON', async () => {
  const body = {
    markdown: '# Rye',
    metadata: { title: 'Rye' },
    warnings: [{ code: 'charset_guessed', message: 'as utf-8' }],
    usage: { credits: 2, tier: 'http' },
  };
  const one = await run(['fetch', URL_TEXT], async () => body);
  assert.deepEqual([one.code, one.out], [EXIT.ok, '# Rye\n']);
  assert.deepEqual(one.notes, ['quern: warning: charset_guessed: as utf-8', 'quern: 2 credits (http)']);
  const whole = await run(['fetch', URL_TEXT, '--json'], async () => body);
  assert.deepEqual(JSON.parse(whole.out), body);
  const two = await run(['fetch', URL_TEXT], async () => ({ ...body, links: [] }));
  assert.deepEqual(JSON.parse(two.out), { ...body, links: [] });
  const control = await run(['usage'], async () => ({ plan: 'free' }));
  assert.deepEqual([control.out, control.notes], ['{\n  "plan": "free"\n}\n', []]);
});

test('each class of failure has its exit code, and says its code and sentence on standard error', async () => {
  const codes: Readonly<Partial<Record<ErrorCode, number>>> = {
    invalid_request: 2,
    not_found: 2,
    missing_api_key: 3,
    invalid_api_key: 3,
    credits_exhausted: 4,
    plan_upgrade_required: 4,
    free_plan_proxy_required: 4,
    rate_limited: 5,
    daily_credit_cap_exceeded: 5,
    target_blocked: 6,
    unsupported_content: 6,
    extraction_failed: 6,
    timeout: 7,
    backend_unavailable: 8,
    internal_error: 1,
  };
  for (const [code, exit] of Object.entries(codes)) {
    const failure = Object.keys(codes).find((one): one is ErrorCode => one === code) ?? 'internal_error';
    const ran = await run(['fetch', URL_TEXT], async () => {
      throw new ServiceError(failure, 'a sentence');
    });
    assert.deepEqual([ran.code, ran.out, ran.notes], [exit, '', [`quern: ${code}: a sentence`]]);
  }
});

test('the cause of an unexpected error is shown, because no log has it', async () => {
  const { code, out, notes } = await run(['fetch', URL_TEXT], async () => {
    throw new ServiceError('internal_error', 'a bug', { cause: new TypeError('rye is not a function') });
  });
  assert.deepEqual([code, out, notes[0]], [EXIT.failure, '', 'quern: internal_error: a bug']);
  assert.match(notes[1] ?? '', /^TypeError: rye is not a function\n +at /);
});

test('help lists every command and every option, the version is one line', async () => {
  for (const line of [[], ['help'], ['--help'], ['-h']]) {
    const { code, out, notes } = await run(line);
    assert.deepEqual([code, notes], [EXIT.ok, []]);
    for (const wanted of [
      'quern fetch URL [options] [--job] [--json]',
      'quern usage history',
      'quern requests get',
      'quern keys',
    ])
      assert.ok(out.includes(wanted), wanted);
  }
  const { out, asked } = await run(['fetch', '--help']);
  assert.match(out, /^quern fetch URL \[options\] \[--job\] \[--json\]\n/);
  for (const wanted of [
    '--timeout-ms N',
    '--output A,B',
    '--headers JSON',
    '--proxy basic|auto|stealth',
    '--only-main-content',
  ])
    assert.ok(out.includes(wanted), wanted);
  assert.ok(!out.includes('--url'));
  assert.deepEqual(asked, []);
  for (const word of ['--version', 'version']) assert.equal((await run([word])).out, '1.2.3\n');
  assert.equal((await run(['keys', 'list', '--json'])).out, 'list|--json\n');
});

/** Runs a command of the operator by itself. */
async function administer(command: Administration, ...args: readonly string[]) {
  const notes: string[] = [];
  let out = '';
  const terminal = { out: (text: string) => void (out += text), note: (line: string) => void notes.push(line) };
  const code = await command.run(args, terminal).catch((error: unknown) => {
    if (error instanceof ServiceError) return exitCodeOf(error);
    throw error;
  });
  return { code, out, notes };
}

test('backup prints what it wrote, tells how far it is, and says where the secret is', async () => {
  const backup = backupCommand(async (file, progress) => {
    progress(1);
    progress(3);
    return { file, bytes: 100, schema: 2, rows: { jobs: 1, tenants: 2 }, carries_secret: file === 'own' };
  });
  const own = await administer(backup, 'own');
  assert.deepEqual([own.code, own.out], [EXIT.ok, 'own: 3 rows, 100 bytes, schema 2\n']);
  assert.deepEqual(own.notes.slice(0, 1), ['quern: rows written so far: 1']);
  assert.match(own.notes.at(-1) ?? '', /the file holds the secret of the data folder/);
  const set = await administer(backup, 'set', '--json');
  assert.deepEqual(JSON.parse(set.out)['rows'], { jobs: 1, tenants: 2 });
  assert.match(set.notes.at(-1) ?? '', /does not hold QUERN_SECRET_KEY/);
  for (const args of [[], [''], ['a', 'b'], ['--force', 'a'], ['--all', 'a']])
    assert.equal((await administer(backup, ...args)).code, EXIT.usage, args.join(' '));
});

test('restore replaces nothing unless it is told to', async () => {
  const asked: unknown[] = [];
  const restore = restoreCommand(async (file, { force, note }) => {
    asked.push([file, force]);
    note('a note');
    return { file, rows: 3, at: '2026-11-21T12:00:00.000Z', replaced: null };
  });
  const plain = await administer(restore, 'a');
  assert.deepEqual([plain.code, plain.out], [EXIT.ok, 'a: 3 rows of 2026-11-21T12:00:00.000Z are restored\n']);
  assert.deepEqual(plain.notes, ['quern: a note']);
  await administer(restore, '--force', 'b', '--json');
  assert.deepEqual(asked, [
    ['a', false],
    ['b', true],
  ]);
  for (const args of [[], ['a', 'b'], ['--all', 'a']])
    assert.equal((await administer(restore, ...args)).code, EXIT.usage, args.join(' '));
});
