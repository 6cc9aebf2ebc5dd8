import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { buildInputChecker } from '#engine/call/validation.ts';
import { allOperations } from '#compose/registry.ts';
import { ServiceError } from '#kernel/errors.ts';
import { operations } from '#features/operations.ts';
import { call, getErrorCode, KEY, type Service, startService } from './service.ts';

/** The SDK's own client, connected with the test key. */
async function connectTo(service: Service): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${KEY}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
  return client;
}

/** The text of an answer. */
function getText(result: object): string {
  const { content } = CallToolResultSchema.parse(result);
  return content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
}

/** Asserts that a call is answered with an error that an agent reads: its code, a message, and what to change. */
async function refuses(client: Client, asked: Parameters<Client['callTool']>[0], says: RegExp): Promise<void> {
  const result = await client.callTool(asked);
  assert.equal(result.isError, true);
  assert.match(getText(result), says);
  assert.match(getText(result), /^\w+: [^\n]+\n[A-Z][^\n]+\.$/);
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const ACCEPT = { accept: 'application/json, text/event-stream' };

test('an agent finds the work and the usage as tools and calls them', async () => {
  await using service = await startService();
  const client = await connectTo(service);
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['fetch', 'usage'],
  );
  assert.deepEqual(tools[0]?.inputSchema.required, ['url']);
  const result = await client.callTool({ name: 'fetch', arguments: { url: 'https://example.com/' } });
  assert.equal(result.isError, false);
  assert.match(JSON.stringify(result.structuredContent), /"credits":2/);
  assert.equal((await client.callTool({ name: 'usage' })).isError, false);
  await client.close();
  assert.deepEqual(service.performed, ['fetch', 'usage']);
  assert.equal(service.asks[0]?.caller.tenant, 'ten_1');
});

test('jobs are one tool with an action, and there are at most twelve tools', async () => {
  await using service = await startService({ operations });
  const client = await connectTo(service);
  const { tools } = await client.listTools();
  assert.ok(tools.length <= 12);
  assert.deepEqual(
    tools.map(({ name }) => name).filter((name) => name.includes('job')),
    ['job'],
  );
  const { inputSchema } = tools.find(({ name }) => name === 'job') ?? {};
  assert.deepEqual(inputSchema?.required, ['action']);
  const described = JSON.stringify(inputSchema);
  for (const action of ['submit', 'list', 'show', 'result', 'cancel', 'deliveries'])
    assert.match(described, new RegExp(`"${action}"`));
  assert.match(described, /"description":"The id of the job. For show, result, cancel, deliveries"/);
  const input = { kind: 'fetch', input: { url: 'https://example.com/' } };
  const submitted = await client.callTool({ name: 'job', arguments: { action: 'submit', ...input } });
  assert.match(getText(submitted), /input: \{"kind":"fetch"/);
  for (const action of ['show', 'result', 'cancel', 'deliveries']) {
    const result = await client.callTool({ name: 'job', arguments: { action, id: 'job_1' } });
    assert.equal(result.isError, false);
    assert.match(getText(result), /input: \{.*"id":"job_1"\}/);
  }
  const foreign = await client.callTool({ name: 'job', arguments: { action: 'show', id: 'job_1', kind: 'fetch' } });
  assert.match(JSON.stringify(foreign), /kind: unknown member/);
  for (const action of ['events', 'constructor', undefined, 5]) {
    await refuses(
      client,
      { name: 'job', arguments: { action, id: 'job_1' } },
      /^invalid_request: action: must be one of/,
    );
  }
  await client.close();
  assert.deepEqual(service.performed.slice(0, 4), ['jobs.submit', 'jobs.show', 'jobs.result', 'jobs.cancel']);
});

test('endpoints of sites are two tools: one finds them, one calls them', async () => {
  await using service = await startService({ operations: allOperations.filter(({ route }) => route !== null) });
  const client = await connectTo(service);
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  assert.ok(tools.length <= 12);
  assert.deepEqual(
    names.filter((name) => name.includes('site') || name.includes('codehost')),
    ['find_site_endpoints', 'call_site_endpoint'],
  );
  const found = await client.callTool({ name: 'find_site_endpoints', arguments: { search: 'codehost.user' } });
  assert.match(getText(found), /codehost\.user \(github\.com\) - .*\n  username\?: string/);
  const all = await client.callTool({ name: 'find_site_endpoints' });
  assert.match(getText(all), /codehost\.user/);
  const parameters = { username: 'octocat' };
  const called = await client.callTool({
    name: 'call_site_endpoint',
    arguments: { endpoint: 'codehost.user', parameters },
  });
  assert.match(getText(called), /input: \{"username":"octocat"\}/);
  for (const [name, given, says] of [
    ['call_site_endpoint', { endpoint: 'codehost.usr' }, /^invalid_request: .*the nearest is codehost\.user/],
    ['call_site_endpoint', { endpoint: 'codehost.user', parameters: 'x' }, /^invalid_request: parameters: must be an/],
    [
      'call_site_endpoint',
      { endpoint: 'codehost.user', more: 1 },
      /^invalid_request: more: unknown parameter.*parameters/,
    ],
    ['find_site_endpoints', { query: 'a user' }, /^invalid_request: query: unknown parameter.*search/],
    ['find_site_endpoints', { search: 5 }, /^invalid_request: search: must be a string/],
  ] as const) {
    await refuses(client, { name, arguments: given }, says);
  }
  await client.close();
  assert.deepEqual(service.performed, ['codehost.user']);
});

test('a failed call is a tool error with code and message', async () => {
  await using service = await startService({
    perform: async (operation, raw) => {
      buildInputChecker(operation)(raw);
      throw operation.id === 'fetch'
        ? new ServiceError('target_blocked', 'every attempt was blocked')
        : new Error('bug');
    },
  });
  const client = await connectTo(service);
  const blocked = await client.callTool({ name: 'fetch', arguments: { url: 'https://example.com/' } });
  assert.equal(blocked.isError, true);
  assert.match(JSON.stringify(blocked.content), /target_blocked.*every attempt was blocked/);
  const broken = await client.callTool({ name: 'usage', arguments: {} });
  assert.match(JSON.stringify(broken.content), /internal_error/);
  assert.doesNotMatch(JSON.stringify(broken), /bug/);
  await refuses(
    client,
    { name: 'nothing', arguments: {} },
    /^not_found: there is no tool nothing; the tools are fetch, usage\n/,
  );
  await refuses(client, { name: 'fetch', arguments: { offset: -1 } }, /^invalid_request: offset: must be/);
  await refuses(client, { name: 'fetch', arguments: {} }, /^invalid_request: url: is missing/);
  await refuses(client, { name: 'usage', arguments: {} }, /^internal_error: /);
  await client.close();
});

test('JSON in string arguments has the limits of a request body at any depth', async () => {
  const fetched: unknown[] = [];
  await using service = await startService({
    operations,
    perform: async (_operation, raw) => {
      fetched.push(raw);
      throw new ServiceError('target_blocked', 'every attempt was blocked');
    },
  });
  const client = await connectTo(service);
  const url = 'https://example.com/';
  const deep = `{"schema":{"type":"object","default":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
  const wide = `{"schema":{"enum":[${'0,'.repeat(60_000)}0]}}`;
  const hostile: readonly [string, RegExp][] = [
    [deep, /extract: nested deeper than 64 levels/],
    [wide, /extract: more than 50000 values/],
    ['{"schema":{},"schema":{}}', /extract: an object has a duplicate member/],
    ['{"__proto__":{}}', /extract: __proto__ cannot be the name/],
  ];
  for (const [extract, says] of hostile) {
    const refusal = new RegExp(`^invalid_request: ${says.source}`);
    await refuses(client, { name: 'fetch', arguments: { url, extract } }, refusal);
    const inner = new RegExp(`^invalid_request: fetch\\.${says.source}`);
    await refuses(client, { name: 'crawl', arguments: { url, fetch: { extract } } }, inner);
  }
  assert.deepEqual(fetched, []);
  const meant = { url, extract: '{"fields":{"a":"b"}}', output: 'markdown, links' };
  await client.callTool({ name: 'fetch', arguments: meant });
  await client.callTool({ name: 'fetch', arguments: { url, extract: '{"fields":' } });
  assert.deepEqual(fetched, [
    { url, extract: { fields: { a: 'b' } }, output: ['markdown', 'links', 'json'] },
    { url, extract: '{"fields":', output: ['json'] },
  ]);
  await client.close();
});

test('a call over MCP shows its credits in the headers like any other', async () => {
  await using service = await startService();
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'fetch', arguments: { url: 'https://example.com/' } },
  };
  const reply = await call(`${service.url}/mcp`, { body: JSON.stringify(message), headers: ACCEPT });
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('x-credits-used'), '2');
  assert.equal(reply.headers.get('x-credits-remaining'), '98');
  assert.equal(reply.headers.get('cache-control'), 'no-store');
});

test('a failed MCP call costs nothing and reports the remaining credits', async () => {
  await using service = await startService();
  const params = { name: 'fetch', arguments: {} };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const reply = await call(`${service.url}/mcp`, { body: JSON.stringify(message), headers: ACCEPT });
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('x-credits-used'), '0');
  assert.equal(reply.headers.get('x-credits-remaining'), '77');
  assert.equal(service.lines[0]?.['code'], 'invalid_request');
});

test('MCP requires a key, accepts one message per request, and only POST', async () => {
  await using service = await startService();
  assert.equal(getErrorCode(await call(`${service.url}/mcp`, { body: PING, key: null })), 'missing_api_key');
  const batch = await call(`${service.url}/mcp`, { body: `[${PING},${PING}]`, headers: ACCEPT });
  assert.equal(batch.status, 400);
  assert.equal(getErrorCode(batch), 'invalid_request');
  assert.equal(getErrorCode(await call(`${service.url}/mcp`)), 'method_not_allowed');
  assert.equal((await call(`${service.url}/mcp`, { body: PING, headers: ACCEPT })).status, 200);
});
