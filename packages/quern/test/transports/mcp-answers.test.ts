import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import { routedOperations } from '#compose/registry.ts';
import { declareWork } from '#engine/call/operation.ts';
import { READS_WEB } from '#engine/call/tool-view.ts';
import { buildNameNotFound } from '#access/failure.ts';
import { ServiceError } from '#kernel/errors.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { countTokens, sliceTokens } from '#transports/mcp/render.ts';
import { type Agent, connectHttpAgent } from '#testkit/agent.ts';
import { KEY, PLAIN, startService } from './service.ts';

type Body = Readonly<Record<string, unknown>>;

const MAX_OF_LIST = 5000;
const MAX_TOOLS = 12;
const MAX_OF_ONE = 8000;

/** An agent with a service whose operations return the given responses; their inputs are recorded. */
async function withAgent(
  answer: (id: string, input: Body) => Body,
  work: (agent: Agent, asked: readonly (readonly [string, Body])[]) => Promise<void>,
  name = 'test',
): Promise<void> {
  const asked: [string, Body][] = [];
  await using service = await startService({
    operations: routedOperations,
    async perform(operation, raw) {
      buildInputChecker(operation)(raw);
      const input = isJsonObject(raw) ? raw : {};
      asked.push([operation.id, input]);
      const body = answer(operation.id, input);
      const stream = operation.id === 'artifact' ? { type: 'image/png' as const, pieces: toPieces() } : null;
      return { ...PLAIN, body: { request_id: 'req_1', ...body }, stream, usage: null, remaining: 98, deprecated: [] };
    },
  });
  await using agent = await connectHttpAgent(service.url, KEY, name);
  await work(agent, asked);
}

async function* toPieces(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('pic');
  yield Buffer.from('ture');
}

function page(more: Body): Body {
  return {
    url: 'https://mill.example/',
    final_url: 'https://mill.example/',
    status_code: 200,
    metadata: { title: 'The mill' },
    warnings: [],
    usage: { credits: 2 },
    ...more,
  };
}

function getText({ content }: CallToolResult): string {
  return content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
}

function computeSize({ content, structuredContent = {} }: CallToolResult): number {
  return countTokens(JSON.stringify(content)) + countTokens(JSON.stringify(structuredContent));
}

test('the tool list is short, and each tool describes its use, its effects and its output', async () => {
  await withAgent(
    () => ({}),
    async ({ client, tools }) => {
      assert.ok(tools.length <= MAX_TOOLS, `${tools.length} tools`);
      const size = countTokens(JSON.stringify(tools)) + countTokens(client.getInstructions() ?? '');
      assert.ok(size <= MAX_OF_LIST, `${size} tokens`);
      for (const { name, title, description, annotations, outputSchema } of tools) {
        assert.match(description ?? '', /^Use this /, name);
        assert.ok(title !== undefined && annotations?.readOnlyHint !== undefined, name);
        assert.equal(outputSchema?.type, 'object', name);
      }
      const names = tools.map(({ name }) => name);
      for (const name of ['fetch', 'crawl', 'map', 'interact', 'read_page', 'job', 'monitor', 'usage'])
        assert.ok(names.includes(name), name);
    },
  );
});

test('the grammar of a tool is available as a resource and with help: true', async () => {
  await withAgent(
    () => ({}),
    async ({ client, tools, read }) => {
      const { resources } = await client.listResources();
      assert.equal(resources.length, tools.length);
      for (const { uri, name } of resources) {
        const { contents } = await client.readResource({ uri });
        const [first] = contents;
        const grammar = first !== undefined && 'text' in first ? first.text : '';
        assert.ok(countTokens(grammar) <= MAX_OF_ONE, `${name}: ${countTokens(grammar)} tokens`);
        assert.equal(await read(name, { help: true, url: 'x', action: 'list' }), grammar);
      }
      const grammar = await read('interact', { help: true });
      for (const action of ['goto', 'click', 'upload', 'repeat', 'if', 'evaluate'])
        assert.match(grammar, new RegExp(`type: "${action}"`));
      await assert.rejects(client.readResource({ uri: 'quern://grammar/nothing' }), /there is no resource/);
    },
  );
});

suite('an answer has at most 8,000 tokens, and its parts add up to the whole', () => {
  const texts = {
    'Latin lines': Array.from({ length: 3000 }, (_, at) => `Line ${at} of the mill book.`).join('\n'),
    'one line': 'flour '.repeat(30_000),
    'quotes and backslashes': '"\\" '.repeat(20_000),
    Chinese: '磨坊在河边，石磨转动。\n'.repeat(3000),
    'characters beyond the basic plane': '🌾'.repeat(20_000),
  };
  for (const [name, markdown] of Object.entries(texts))
    test(name, async () => {
      await withAgent(
        () => page({ markdown }),
        async ({ call }, asked) => {
          let whole = '';
          let offset: unknown = 0;
          for (let parts = 0; offset !== undefined; parts += 1) {
            assert.ok(parts < 100);
            const result = await call('fetch', { url: 'https://mill.example/', offset });
            const text = getText(result);
            assert.ok(countTokens(text) + countTokens(JSON.stringify(result.structuredContent)) <= MAX_OF_ONE);
            whole += text.slice(text.indexOf('\n\n') + 2).replace(/\n\n\[Characters .*\]$/, '');
            offset = result.structuredContent?.['next_offset'];
          }
          assert.equal(whole.length, markdown.length);
          assert.equal(whole, markdown);
          assert.deepEqual(asked[0]?.[1], { url: 'https://mill.example/' });
          assert.deepEqual(asked[1]?.[1], { max_age_ms: 3_600_000, url: 'https://mill.example/' });
        },
      );
    });

  test('huge lists, objects and names', async () => {
    const links = Array.from({ length: 5000 }, (_, at) => ({ url: `https://mill.example/${at}`, text: `Page ${at}` }));
    const json = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`field_${at}`, 'x'.repeat(90)]));
    const metadata = { title: 'T'.repeat(100_000) };
    const warnings = Array.from({ length: 3000 }, (_, at) => ({ code: 'truncated', message: `warning ${at}` }));
    await withAgent(
      () => page({ links, json, metadata, warnings }),
      async ({ call }) => {
        const result = await call('fetch', { url: 'https://mill.example/', output: 'links', extract: { a: 'string' } });
        assert.ok(computeSize(result) <= MAX_OF_ONE, `${computeSize(result)} tokens`);
        assert.match(getText(result), /To continue, call fetch with the same arguments and offset: \d+\.\]$/);
      },
    );
  });

  test('a record of three thousand members loses none', async () => {
    const members = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`member_${at}`, `value ${at}`]));
    await withAgent(
      () => ({ ...members, usage: { credits: 15 } }),
      async ({ call, read }) => {
        const seen = [];
        for (let offset: unknown = 0; offset !== undefined;) {
          const result = await call('usage', { offset });
          seen.push(getText(result));
          offset = result.structuredContent?.['next_offset'];
        }
        const whole = `${seen.join('\n')}\n`;
        for (const [name, value] of Object.entries(members)) assert.ok(whole.includes(`${name}: ${value}\n`), name);
        // An endpoint is not called a second time, because that would cost as much as the first call.
        const record = await read('call_site_endpoint', { endpoint: 'codehost.user', parameters: { username: 'a' } });
        assert.match(record, /To read all of it, call job with action: submit, kind: codehost\.user/);
      },
    );
  });

  test('an agent may ask for less or for more', async () => {
    await withAgent(
      () => page({ markdown: texts['Latin lines'] }),
      async ({ call, read }) => {
        const url = 'https://mill.example/';
        const few = await call('fetch', { url, max_tokens: 1500 });
        assert.ok(computeSize(few) <= 1500);
        assert.doesNotMatch(await read('fetch', { url, max_tokens: 60_000 }), /To continue/);
        assert.match(await read('fetch', { url, max_tokens: 5 }), /invalid_request: max_tokens: must be/);
      },
    );
  });

  test('a slice never splits a character and always advances', () => {
    for (let tokens = 0; tokens < 6; tokens += 1) {
      const { part, next } = sliceTokens('a🌾b', 0, tokens);
      assert.ok(part.isWellFormed() && (next === null || next > 0), String(tokens));
    }
  });
});

test('structured content does not repeat the text, and clients that would hide the text get none', async () => {
  const markdown = 'The wheel turns again. '.repeat(40);
  const answer = () => page({ markdown });
  await withAgent(answer, async ({ call }) => {
    const result = await call('fetch', { url: 'https://mill.example/' });
    assert.deepEqual(result.structuredContent, {
      url: 'https://mill.example/',
      title: 'The mill',
      status_code: 200,
      credits: 2,
    });
    assert.equal(getText(result).split(markdown.trim()).length, 2);
  });
  for (const name of ['claude-code', 'cursor-vscode', 'Visual Studio Code'])
    await withAgent(
      answer,
      async ({ call, tools }) => {
        assert.ok(tools.every(({ outputSchema }) => outputSchema === undefined));
        const result = await call('fetch', { url: 'https://mill.example/' });
        assert.equal(result.structuredContent, undefined);
        assert.match(getText(result), /The wheel turns again/);
      },
      name,
    );
});

test('images are sent as images, and files as links to resources', async () => {
  const files = {
    screenshot: { id: 'art_1', url: '/v1/artifacts/art_1', content_type: 'image/png', bytes: 7 },
    pdf: { id: 'art_2', url: '/v1/artifacts/art_2', content_type: 'application/pdf', bytes: 7 },
  };
  await withAgent(
    (id) => (id === 'fetch' ? page(files) : {}),
    async ({ call, client }) => {
      const { content } = await call('fetch', { url: 'https://mill.example/', output: 'screenshot,pdf' });
      const data = Buffer.from('picture').toString('base64');
      assert.deepEqual(content[1], { type: 'image', data, mimeType: 'image/png' });
      assert.deepEqual(content[2], {
        type: 'resource_link',
        uri: 'quern://files/art_2',
        name: 'pdf',
        mimeType: 'application/pdf',
        size: 7,
      });
      const { contents } = await client.readResource({ uri: 'quern://files/art_2' });
      assert.deepEqual(contents, [{ uri: 'quern://files/art_2', blob: data }]);
    },
  );
});

suite('arguments as models write them', () => {
  const url = 'https://example.com';
  for (const [tool, given, meant] of [
    ['fetch', { url: 'ftp://example.com' }, { url: 'ftp://example.com' }],
    ['fetch', { url, output: 'links' }, { url, output: ['links'] }],
    ['fetch', { url, output: 'links, text' }, { url, output: ['links', 'text'] }],
    ['fetch', { url, output: '["links"]' }, { url, output: ['links'] }],
    ['fetch', { url, only_main_content: 'false', wait_ms: '5' }, { url, only_main_content: false, wait_ms: 5 }],
    ['fetch', { url, extract: '{"price": "money"}' }, { url, extract: { price: 'money' }, output: ['json'] }],
    [
      'job',
      { action: 'submit', kind: 'fetch', input: { url, output: 'text' } },
      { kind: 'fetch', input: { url, output: ['text'] } },
    ],
    [
      'monitor',
      { action: 'create', target: { operation: 'fetch', input: { url } } },
      { target: { operation: 'fetch', input: { url } } },
    ],
    ['monitor', { action: 'create', url }, { url, watch: { mode: 'content' } }],
    ['call_site_endpoint', { endpoint: 'codehost.user', parameters: { username: 'a' } }, { username: 'a' }],
  ] as const)
    test(`${tool} ${JSON.stringify(given)}`, async () => {
      await withAgent(
        () => ({}),
        async ({ call }, asked) => {
          await call(tool, given);
          assert.deepEqual(asked[0]?.[1], meant);
        },
      );
    });
});

function refuseProgress(): void {
  assert.fail('told of progress');
}

/** A job that does not end while an agent waits. */
const RUNNING = {
  id: 'job_1',
  kind: 'crawl',
  input: null,
  status: 'running',
  progress: { discovered: 9, completed: 2, failed: 0 },
  attempt: 1,
  cancel_requested: false,
  created_at: '2026-01-01T00:00:00Z',
  started_at: null,
  finished_at: null,
  expires_at: null,
  error: null,
  result_url: '/v1/jobs/job_1/result',
  usage: null,
};

test('a long job returns its partial result and how to continue', async () => {
  const pages = [{ place: '1.0', url: 'https://mill.example/', title: 'The mill', chars: { markdown: 120 } }];
  await withAgent(
    (id) => (id === 'jobs.result' ? { pages, next_cursor: null } : RUNNING),
    async ({ call, client }, asked) => {
      const result = await call('crawl', { url: 'mill.example', fetch: { extract: { price: 'money' } } });
      const text = getText(result);
      assert.match(text, /id: job_1\nstatus: running\nprogress: \{"discovered":9,"completed":2,"failed":0\}/);
      assert.match(text, /still running: call job with action: show/);
      assert.match(text, /1\.0 \| The mill \| https:\/\/mill\.example\/ \| 120 chars/);
      const fetch = { extract: { price: 'money' } };
      const input = { url: 'mill.example', fetch, output: ['markdown', 'json'] };
      assert.deepEqual(asked[0], ['jobs.submit', { kind: 'crawl', input }]);
      assert.deepEqual(asked.at(-1), ['jobs.result', { limit: 100, outline: true, id: 'job_1', partial: true }]);
      // Over HTTP there is only one response, without progress before it.
      const map = { name: 'map', arguments: { url: 'mill.example' } };
      assert.equal((await client.callTool(map, undefined, { onprogress: refuseProgress })).isError, false);
    },
  );
});

test('work declared by a feature becomes a tool automatically', async () => {
  const search = declareWork({
    id: 'seek',
    route: 'POST /v1/seek',
    summary: 'Search the web',
    plan: 'free',
    price: { base: 2, cacheHit: 1, perTier: true },
    errors: [],
    input: z.strictObject({ query: z.string(), sites: z.array(z.string()).optional(), limit: z.int().optional() }),
    output: z.object({ results: z.array(z.object({ url: z.string() })) }),
    example: { query: 'mill' },
    agent: {
      tool: {
        name: 'seek',
        title: 'Search',
        task: 'pages about something',
        about: 'Use this to find pages.',
        hints: READS_WEB,
      },
      members: { query: 'Words', sites: null },
    },
  });
  await using service = await startService({ operations: [...routedOperations, search] });
  await using agent = await connectHttpAgent(service.url, KEY);
  const { inputSchema, description } = agent.tools.find(({ name }) => name === 'seek') ?? {};
  assert.equal(description, 'Use this to find pages.');
  assert.deepEqual(inputSchema, {
    type: 'object',
    properties: { query: { type: 'string', description: 'Words' }, sites: { type: ['array', 'string'] } },
    required: ['query'],
  });
  assert.ok(agent.tools.length <= MAX_TOOLS);
  assert.match(agent.client.getInstructions() ?? '', /search: pages about something/);
  const said = await agent.read('seek', { query: 'mill', sites: 'mill.example', limit: '5' });
  assert.match(said, /input: \{"query":"mill","sites":\["mill\.example"\],"limit":5\}/);
});

test('list records show their short members and can be read in full', async () => {
  const element = { id: 'v1', title: 'Grinding', views: 12, channel: { name: 'Mill' }, tags: ['rye'] };
  const records = [{ place: '1.0', id: 'v1', title: 'Grinding', views: 12 }];
  await withAgent(
    (id) => (id === 'jobs.result' ? { records, next_cursor: null } : element),
    async ({ read }) => {
      assert.match(await read('job', { action: 'result', id: 'job_1' }), /1\.0 \| Grinding \| id: v1 \| views: 12/);
      const whole = await read('read_page', { id: 'job_1', place: '1.0' });
      assert.match(whole, /channel: \{"name":"Mill"\}/);
    },
  );
});

test("the rest of a crawl's list is read from its job, not by crawling again", async () => {
  const pages = Array.from({ length: 100 }, (_, at) => ({
    place: `1.${at}`,
    url: `https://mill.example/${at}`,
    title: `Page ${at}`,
    chars: { markdown: 900 },
  }));
  await withAgent(
    (id) => (id === 'jobs.result' ? { pages, next_cursor: 'abc' } : { ...RUNNING, status: 'completed' }),
    async ({ call }) => {
      const result = await call('crawl', { url: 'mill.example', max_pages: 500 });
      assert.match(
        getText(result),
        /next_cursor: abc\n[^]*To continue, call job with action: result, id: job_1 and cursor/,
      );
      assert.equal(result.structuredContent?.['next_cursor'], 'abc');
    },
  );
});

test('named texts of a session are shown as text, its files as images', async () => {
  const shot = { id: 'art_1', url: '/v1/artifacts/art_1', content_type: 'image/png', bytes: 7 };
  const session = { ...RUNNING, kind: 'interact', status: 'completed' };
  const result = { completed: true, steps: [], extracted: { page: '# Mill\n\n"Rye"', price: 4.9, shot } };
  await withAgent(
    (id) => (id === 'jobs.result' ? result : id === 'artifact' ? {} : session),
    async ({ call }) => {
      const said = await call('interact', { url: 'mill.example', actions: { type: 'reload' } });
      assert.match(getText(said), /extracted\.price: 4\.9\n[^]*# Mill\n\n"Rye"/);
      assert.equal(said.content[1]?.type, 'image');
    },
  );
});

test('a missing field is named to the agent', async () => {
  const message = 'not found: isbn';
  await withAgent(
    (id) =>
      id === 'fetch'
        ? page({ json: { title: 'Rye', isbn: null }, warnings: [{ code: 'fields_not_found', message }] })
        : { data: [{ id: 'run_1', status: 'completed', values: { title: 'Rye', isbn: null }, warnings: [] }] },
    async ({ read }) => {
      assert.match(await read('fetch', { url: 'mill.example', extract: { isbn: 'string' } }), /not found: isbn/);
      assert.match(await read('monitor', { action: 'runs', id: 'mon_1' }), /"not_found":\["isbn"\]/);
    },
  );
});

test('an empty list is reported as empty', async () => {
  await withAgent(
    () => ({ data: [], next_cursor: null }),
    async ({ read }) => {
      assert.match(await read('monitor', { action: 'list' }), /none/);
      assert.match(await read('job', { action: 'list' }), /none/);
    },
  );
});

test('error advice refers to tools and never to HTTP', async () => {
  const failures = [
    new ServiceError('target_blocked', 'every attempt was blocked'),
    new ServiceError('rate_limited', 'too many requests', { retryAfterSeconds: 7 }),
    new ServiceError('credits_exhausted', 'no credits are left'),
    new ServiceError('not_found', 'there is no job job_1'),
    buildNameNotFound('mill.invalid'),
    new ServiceError('target_blocked', 'every attempt was blocked', { retryable: true }),
  ];
  const said: string[] = [];
  for (const failure of failures)
    await withAgent(
      () => {
        throw failure;
      },
      async ({ call }) => {
        const result = CallToolResultSchema.parse(await call('fetch', { url: 'example.com' }));
        assert.equal(result.isError, true);
        said.push(getText(result));
      },
    );
  assert.match(said[0] ?? '', /^target_blocked: every attempt was blocked\n.*proxy: "stealth"/);
  assert.match(said[1] ?? '', /in 7 s/);
  assert.match(said[2] ?? '', /the tool usage/);
  assert.match(said[3] ?? '', /action list of the tools job/);
  for (const text of [said[0], said[4], said[5]]) assert.doesNotMatch(text ?? '', /may succeed/);
  for (const text of said) assert.doesNotMatch(text, /HTTP|GET |POST |\/v1\/|header|\b[45]\d\d\b/);
});
