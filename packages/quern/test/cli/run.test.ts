import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isEventStream, type Operation } from '#engine/call/operation.ts';
import { showJobResult, showJob, submitJob } from '#features/jobs/operations.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { type ErrorCode, ServiceError } from '#kernel/errors.ts';
import { operations } from '#features/operations.ts';
import { buildOperationCommand } from '#transports/cli/command.ts';
import { listRequired, toJsonSchema } from '#transports/schema.ts';
import { runCli } from '#transports/cli/cli.ts';
import type { RunAdministration } from '#transports/cli/administration.ts';
import type { CommandContext, OperationAnswer, Terminal } from '#transports/cli/context.ts';
import { EXIT } from '#transports/cli/exit.ts';
import { lineOver } from '../support/cli.ts';
import { inTemporaryFolder } from '../support/store.ts';

const URL_TEXT = 'https://mill.example/';

type Ran = {
  readonly code: number;
  readonly out: string;
  readonly notes: readonly string[];
  /** The calls, as `[operation id, raw input]`. */
  readonly asked: readonly unknown[];
};

type Ask = (operation: Operation, raw: unknown) => Promise<OperationAnswer['body']>;

/** Prints its arguments and options. */
const keys: RunAdministration = async ({ flags }, terminal, [, ...words]) => {
  terminal.out(`${[...words, ...Object.keys(flags).map((flag) => `--${flag}`)].join('|')}\n`);
  return EXIT.ok;
};

async function run(
  line: readonly string[],
  ask: Ask = async () => ({}),
  {
    stream = null,
    isRead = () => true,
    display = null,
  }: Partial<Pick<OperationAnswer, 'stream'> & Pick<Terminal, 'isRead' | 'display'>> = {},
): Promise<Ran> {
  const asked: unknown[] = [];
  const notes: string[] = [];
  let out = '';
  const parts: CommandContext = {
    operations,
    place: 'here',
    serveLine: 'quern serve',
    async ask(operation, raw) {
      asked.push([operation.id, raw]);
      return { body: await ask(operation, raw), stream };
    },
    work: async () => undefined,
    isServed: async () => true,
    interrupted: () => new AbortController().signal,
    now: () => Date.parse('2026-11-21T12:00:00Z'),
    clock: SYSTEM_CLOCK,
    jobs: { submit: submitJob, show: showJob, result: showJobResult },
    version: '1.2.3',
    terminal: {
      out: (text) => void (out += String(text)),
      note: (text) => void notes.push(text),
      live: (text) => void notes.push(text),
      isRead,
      display,
      isScreen: false,
    },
  };
  const code = await runCli(line, lineOver(parts, { keys: async () => keys }));
  return { code, out, notes, asked };
}

/** The raw input of a `quern fetch` command line. */
async function parseInput(...flags: readonly string[]): Promise<unknown> {
  const { asked, notes } = await run(['fetch', URL_TEXT, ...flags]);
  if (asked.length === 0) throw new Error(notes.join('\n'));
  const [[, raw] = []] = asked.filter(Array.isArray);
  return raw;
}

test('search words need no flag, whatever the parameter is called', async () => {
  for (const [line, expected] of [
    [
      ['search', 'two words'],
      ['fast-search', { search: 'two words' }],
    ],
    [
      ['search', '--q', 'two words'],
      ['fast-search', { q: 'two words' }],
    ],
    [
      ['chatassistant', 'prompt', 'Why?'],
      ['chatassistant.prompt', { prompt: 'Why?' }],
    ],
  ] as const) {
    assert.deepEqual((await run(line)).asked, [expected]);
  }
});

test('flags are read by the type of the member', async () => {
  const url = URL_TEXT;
  assert.deepEqual(await parseInput(), { url });
  assert.deepEqual(await parseInput('--timeout-ms', '5000'), { url, timeout_ms: 5000 });
  assert.deepEqual(await parseInput('--timeout-ms=5000', '--max-age-ms', '0'), {
    url,
    timeout_ms: 5000,
    max_age_ms: 0,
  });
  assert.deepEqual(await parseInput('--only-main-content'), { url, only_main_content: true });
  assert.deepEqual(await parseInput('--no-only-main-content'), { url, only_main_content: false });
  assert.deepEqual(await parseInput('--output', 'text,links'), { url, output: ['text', 'links'] });
  assert.deepEqual(await parseInput('--output', 'text', '--output', 'links'), { url, output: ['text', 'links'] });
  const selectors = ['--include-selectors', 'h1, h2', '--include-selectors', 'p'];
  assert.deepEqual(await parseInput(...selectors), { url, include_selectors: ['h1, h2', 'p'] });
  assert.deepEqual(await parseInput('--headers', '{"dnt":"1"}'), { url, headers: { dnt: '1' } });
  assert.deepEqual(await parseInput('--cookies', '{"name":"a","value":"b"}'), {
    url,
    cookies: [{ name: 'a', value: 'b' }],
  });
  assert.deepEqual(await parseInput('--output', 'json', '--extract', '{"price":"money"}'), {
    url,
    output: ['json'],
    extract: { price: 'money' },
  });
});

test('a value of the wrong type stays text, so that validation reports it', async () => {
  assert.deepEqual(await parseInput('--timeout-ms', '5s'), { url: URL_TEXT, timeout_ms: '5s' });
  assert.deepEqual(await parseInput('--timeout-ms', '1e3'), { url: URL_TEXT, timeout_ms: '1e3' });
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

test('an invalid line is a usage error with its reason, and calls nothing', async () => {
  for (const [line, says] of [
    [['fetch', URL_TEXT, '--ouput', 'text'], /--ouput/],
    [['fetch', URL_TEXT, 'second'], /second: unexpected extra argument/],
    [['fetch', URL_TEXT, '--url', URL_TEXT], /url: given more than once/],
    [['fetch', URL_TEXT, '--timeout-ms', '1', '--timeout-ms', '2'], /timeout_ms: given more than once/],
    [['fetch', URL_TEXT, '--timeout-ms'], /timeout-ms/],
    [['fetch', URL_TEXT, '--only-main-content=yes'], /only-main-content/],
    [['fetch', URL_TEXT, '--proxy', ''], /proxy: is empty/],
    [['fetch', URL_TEXT, '--extract', '{"a":'], /extract: not valid JSON/],
    [['usage', 'now'], /now: unexpected extra argument/],
    [['fecth', URL_TEXT], /fecth is not a command/],
    [['constructor'], /constructor is not a command/],
  ] as const) {
    const { code, out, notes, asked } = await run(line);
    assert.deepEqual([code, out, asked], [EXIT.usage, '', []], line.join(' '));
    assert.match(notes.join('\n'), says);
    assert.equal(notes.length, 1);
  }
});

test('standard output contains only the result: the requested text, else the whole answer as JSON', async () => {
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

test('fetch --fail exits with 22 and prints nothing for an error page or an empty response', async () => {
  const page = { markdown: '# Rye', status_code: 200, warnings: [], usage: { credits: 2, tier: 'http' } };
  const target = { code: 'target_error', message: 'the target said no' };
  const free = { usage: { credits: 0, tier: 'http' } };
  const answers: readonly (readonly [OperationAnswer['body'], boolean])[] = [
    [page, false],
    [{ ...page, ...free, status_code: 404, warnings: [target] }, true],
    [{ ...page, ...free, status_code: 401, warnings: [{ code: 'auth_required', message: 'a login' }] }, true],
    [{ ...page, ...free, status_code: 200, warnings: [target] }, true],
    [{ ...page, warnings: [{ code: 'thin_content', message: 'almost no text' }] }, false],
  ];
  for (const [body, isError] of answers) {
    const plain = await run(['fetch', URL_TEXT], async () => body);
    assert.deepEqual([plain.code, plain.out], [EXIT.ok, '# Rye\n']);
    for (const more of [[], ['--json']]) {
      const { code, out, asked } = await run(['fetch', URL_TEXT, '--fail', ...more], async () => body);
      assert.deepEqual([code, out === ''], isError ? [22, true] : [0, false]);
      assert.deepEqual(asked, [['fetch', { url: URL_TEXT }]]);
    }
  }
});

test('a stream is printed as it arrives, until standard output is closed', async () => {
  let given = 0;
  async function* lines(): AsyncGenerator<string> {
    for (; given < 5; given += 1) yield `{"n":${given}}\n`;
  }
  const args = ['jobs', 'result', 'job_1', '--format', 'jsonl'];
  const all = await run(args, undefined, { stream: lines() });
  assert.deepEqual([all.code, all.out], [EXIT.ok, '{"n":0}\n{"n":1}\n{"n":2}\n{"n":3}\n{"n":4}\n']);
  assert.deepEqual(all.asked, [['jobs.result', { id: 'job_1', format: 'jsonl' }]]);
  given = 0;
  const some = await run(args, undefined, { stream: lines(), isRead: () => given < 2 });
  assert.deepEqual([some.code, some.out], [EXIT.ok, '{"n":0}\n{"n":1}\n']);
});

test('each class of failure has an exit code, and prints code and message on standard error', async () => {
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

test('a bug in an operation prints stack and version and exits with 70, like one in a command', async () => {
  const { code, out, notes } = await run(['fetch', URL_TEXT], async () => {
    throw new ServiceError('internal_error', 'a bug', { cause: new TypeError('rye is not a function') });
  });
  assert.deepEqual([code, out, notes[0]], [EXIT.bug, '', 'quern: internal_error: a bug']);
  assert.match(notes[1] ?? '', /^TypeError: rye is not a function\n +at /);
  assert.match(notes[2] ?? '', /^quern: this is a bug in Quern 1\.2\.3 /);
});

test('a system error inside an operation is printed as a message, not as a bug', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { errno: -28, syscall: 'write' });
  const { code, out, notes } = await run(['fetch', URL_TEXT], async () => {
    throw new ServiceError('internal_error', 'an unexpected error', { cause: full });
  });
  assert.deepEqual(
    [code, out, notes],
    [EXIT.failure, '', ['quern: internal_error: an unexpected error', `quern: ${full.message}`]],
  );
});

test('help lists every command and every option, the version is one line', async () => {
  for (const line of [
    ['help', '--all'],
    ['help', '-q', '--all'],
  ]) {
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
  for (const line of [
    ['help', 'crawl'],
    ['crawl', '--help'],
  ]) {
    const { code, out } = await run(line);
    assert.equal(code, EXIT.ok);
    for (const wanted of ['quern crawl URL', '--out FILE.jsonl|FOLDER', '--resume', '--quiet', '--max-pages N'])
      assert.ok(out.includes(wanted), wanted);
  }
  assert.equal((await run(['help', 'jobs', 'show'])).out.split('\n')[0], 'quern jobs show ID [options] [--json]');
  assert.match((await run(['help', 'keys'])).out, /^quern keys COMMAND\n[^]*quern keys create/);
  assert.equal((await run(['help', 'nothing'])).code, EXIT.usage);
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

/** A record of a job. */
function buildJob(id: string, at: string, more: object = {}) {
  return {
    id,
    kind: 'fetch',
    input: null,
    status: 'completed',
    progress: { discovered: 3, completed: 2, failed: 1 },
    attempt: 1,
    cancel_requested: false,
    created_at: at,
    started_at: null,
    finished_at: null,
    expires_at: null,
    error: null,
    result_url: `/v1/jobs/${id}/result`,
    usage: null,
    ...more,
  };
}

test('following a job survives rate limits, and shows each change once', async () => {
  const record = buildJob('job_1', '2026-11-21T12:00:00Z', {
    progress: { discovered: 1, completed: 0, failed: 0, total: 1 },
  });
  const shown = ['queued', 'running', 'running', 'refused', 'running', 'completed', 'refused', 'completed'];
  let at = 0;
  const waits: unknown[] = [];
  const { code, out, notes } = await run(['fetch', URL_TEXT, '--job'], async ({ id }, raw) => {
    if (id === 'jobs.submit') return { ...record, status: 'queued' };
    const status = id === 'jobs.result' && at === 6 ? 'refused' : shown[at];
    if (id === 'jobs.show' || status === 'refused') at += 1;
    if (status === 'refused') throw new ServiceError('rate_limited', 'too many requests', { retryAfterSeconds: 0 });
    if (id === 'jobs.result') return { markdown: '# Rye' };
    waits.push(raw);
    return { ...record, status };
  });
  assert.deepEqual([code, out], [EXIT.ok, '# Rye\n']);
  assert.deepEqual(
    notes.slice(1),
    ['queued', 'running', 'completed'].map((status) => `quern: job_1 ${status}: 0 of 1 done, 0 failed`),
  );
  assert.deepEqual(waits[0], { id: 'job_1', wait_ms: 1000 });
  assert.deepEqual(waits.at(-1), { id: 'job_1', wait_ms: 10_000 });
});

test('jobs are listed as a table with their age, and an empty list says so', async () => {
  const data = [
    buildJob('job_4', '2026-11-21T12:00:01Z', {
      status: 'running',
      progress: { discovered: 9, completed: 0, failed: 0 },
    }),
    buildJob('job_3', '2026-11-21T11:59:01Z', { progress: { discovered: 1, completed: 1, failed: 0, total: 1 } }),
    buildJob('job_2', '2026-11-21T09:30:00Z'),
    buildJob('job_1', '2026-10-01T12:00:00Z'),
  ];
  const { out, notes } = await run(['jobs', 'list'], async () => ({ data, next_cursor: 'abc' }));
  assert.deepEqual(out.split('\n'), [
    'id     kind   status     progress     age',
    'job_4  fetch  running    0            0s',
    'job_3  fetch  completed  1 of 1       59s',
    'job_2  fetch  completed  2, 1 failed  2h',
    'job_1  fetch  completed  2, 1 failed  51d',
    '',
  ]);
  assert.deepEqual(notes, ['quern: more entries: --cursor abc']);
  const empty = await run(['jobs', 'list'], async () => ({ data: [], next_cursor: null }));
  assert.deepEqual([empty.out, empty.notes], ['', ['quern: no jobs']]);
});

async function* give(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* pieces;
}

async function answerRye(): Promise<OperationAnswer['body']> {
  return { markdown: '# Rye', usage: { credits: 2, tier: 'http' } };
}

const SCREEN = { columns: 60, hasColors: false };

test('a list is a table that fits the terminal, and JSON for programs', async () => {
  const data = [
    { id: 'req_1', operation: 'fetch', status: 200, url: `https://mill.example/${'a'.repeat(100)}`, attempts: [] },
    { id: 'req_2', operation: 'crawl', status: 502, url: null, attempts: [{}] },
  ];
  const ask = async (): Promise<OperationAnswer['body']> => ({ data, next_cursor: null });
  const shown = await run(['requests'], ask, { display: SCREEN });
  const lines = shown.out.trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^id +operation +status +url$/);
  assert.match(lines[1] ?? '', /^req_1 +fetch +200 +https:\/\/mill\.example\/a+…$/);
  assert.match(lines[2] ?? '', /^req_2 +crawl +502 +-$/);
  assert.ok(lines.every((line) => line.length <= SCREEN.columns));
  for (const piped of [await run(['requests'], ask), await run(['requests', '--json'], ask, { display: SCREEN })])
    assert.deepEqual(JSON.parse(piped.out), { data, next_cursor: null });
});

test('binary data is never written to a terminal', async () => {
  const art = ['artifact', 'art_1'];
  for (const bytes of [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0), Buffer.from('%PDF-1.4\n%\xE2\xE3', 'latin1')]) {
    const refused = await run(art, undefined, { stream: give(bytes), display: SCREEN });
    assert.deepEqual([refused.code, refused.out], [EXIT.usage, '']);
    assert.match(refused.notes.join(), /binary: write it to a file with -o FILE/);
    assert.equal((await run(art, undefined, { stream: give(bytes) })).code, EXIT.ok);
  }
  const halves = [Buffer.from('mü').subarray(0, 2), Buffer.from('mü').subarray(2)];
  assert.equal((await run(art, undefined, { stream: give(...halves), display: SCREEN })).out, 'mü');
});

test('-o writes the result to a file, and leaves an earlier one where the command fails', async () => {
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, 'page.md');
    const { code, out, notes } = await run(['fetch', URL_TEXT, '-o', file], answerRye, { display: SCREEN });
    assert.deepEqual([code, out, notes], [EXIT.ok, '', ['quern: 2 credits (http)']]);
    assert.equal(await readFile(file, 'utf8'), '# Rye\n');
    const failed = await run(['fetch', URL_TEXT, '--out', file], async () => {
      throw new ServiceError('target_blocked', 'a sentence');
    });
    assert.equal(failed.code, EXIT.target);
    assert.equal(await readFile(file, 'utf8'), '# Rye\n');
    assert.equal((await run(['fetch', URL_TEXT, '-o', '-'], answerRye)).out, '# Rye\n');
    const nowhere = await run(['fetch', URL_TEXT, '-o', join(folder, 'none', 'a')], answerRye);
    assert.deepEqual([nowhere.code, nowhere.out], [EXIT.usage, '']);
  });
});

test('-q prints only errors, and -v prints each call and its duration', async () => {
  const warnings = [{ code: 'charset_guessed', message: 'as utf-8' }];
  const ask = async (): Promise<OperationAnswer['body']> => ({
    markdown: '# Rye',
    warnings,
    usage: { credits: 2, tier: 'http' },
  });
  const quiet = await run(['fetch', URL_TEXT, '-q'], ask);
  assert.deepEqual([quiet.out, quiet.notes], ['# Rye\n', []]);
  const failed = await run(['fetch', URL_TEXT, '--quiet'], async () => {
    throw new ServiceError('timeout', 'a sentence');
  });
  assert.deepEqual(failed.notes, ['quern: timeout: a sentence']);
  const { notes } = await run(['fetch', URL_TEXT, '-v'], ask);
  assert.match(notes[0] ?? '', /^quern: 1\.2\.3, Node \S+; sends requests to here$/);
  assert.match(notes[1] ?? '', /^quern: POST \/v1\/fetch answered after \d+ ms$/);
});

test('--json and -q can be combined, also for a crawl, which has its own --quiet', async () => {
  const body = { pages: [{ url: URL_TEXT }], warnings: [], usage: { credits: 2, tier: 'http' } };
  for (const command of ['crawl', 'map', 'fetch', 'interact']) {
    for (const flags of [
      ['--json', '-q'],
      ['--quiet', '--json'],
      ['-q', '--json', '-v'],
    ]) {
      const { code, out, notes } = await run([command, URL_TEXT, ...flags], async () => body);
      assert.deepEqual([code, JSON.parse(out)], [EXIT.ok, body], `${command} ${flags.join(' ')}`);
      assert.deepEqual(notes, []);
    }
    assert.notDeepEqual((await run([command, URL_TEXT, '--json'], async () => body)).notes, []);
  }
  for (const flags of [['--out', 'pages.jsonl'], ['--resume'], ['--format', 'jsonl']]) {
    const { code, notes } = await run(['crawl', URL_TEXT, '--json', '-q', ...flags]);
    assert.equal(code, EXIT.usage);
    assert.match(notes.join('\n'), new RegExp(`: ${flags[0]}: cannot be combined with --json`));
  }
});

test('a command without a required argument reports which one is missing', async () => {
  const shown = operations.filter((operation) => !isEventStream(operation));
  const needy = shown.flatMap((operation) => {
    const { words, positional } = buildOperationCommand(operation);
    const isNeeded = positional !== null && listRequired(toJsonSchema(operation.input, 'input')).includes(positional);
    return isNeeded ? [{ words, name: positional.toUpperCase() }] : [];
  });
  assert.ok(needy.length > 20);
  for (const { words, name } of [...needy, { words: ['search'], name: 'SEARCH' }]) {
    for (const line of [words, [...words, '']]) {
      const { code, out, notes, asked } = await run(line);
      assert.deepEqual([code, out, asked], [EXIT.usage, '', []], line.join(' '));
      assert.deepEqual(notes, [`quern: invalid_request: missing argument ${name}`]);
    }
  }
  assert.match((await run(['completion'])).notes.join(), /missing argument SHELL$/);
  assert.match((await run(['crawl', '--urls', URL_TEXT, '--json'])).asked.join(), /crawl/);
});
