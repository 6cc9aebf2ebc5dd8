import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';
import { fetchPage } from '#features/fetch/operation.ts';
import { buildInputChecker } from '#engine/call/validation.ts';
import { allOperations, routedOperations } from '#compose/registry.ts';
import { isEventStream, type Operation } from '#engine/call/operation.ts';
import { showJobResult, showJob, submitJob } from '#features/jobs/operations.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config.ts';
import { OperatorError, ServiceError } from '#kernel/errors.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { runCli } from '#transports/cli/cli.ts';
import { buildOperationCommand, toFlag } from '#transports/cli/command.ts';
import { EXIT } from '#transports/cli/exit.ts';
import { listForms, getItems, type JsonSchema, listMembers, toJsonSchema } from '#transports/schema.ts';
import type { CommandContext } from '#transports/cli/context.ts';
import { readRoute } from '#transports/http/route.ts';
import { lineOver } from '../support/cli.ts';
import { captureFailure } from '#testkit/visitor.ts';
import { KEY, startService } from './service.ts';

/** A prefix that the schema library adds to its own messages during these tests. */
const LIBRARY = 'THE LIBRARY SAYS';

/** Words and symbols of schema libraries, JavaScript and patterns, which no message for users may contain. */
const FOREIGN =
  /invalid (?:input|option|string|number|key|value|iso|url|type)|too (?:big|small)|unrecognized|discriminator|received|undefined|\bNaN\b|ZodError|pattern \/|\[object|>=|<=/i;

/** Values of each kind, for members that do not accept them; undefined is a missing member. */
const BAD: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  '',
  'x',
  'ftp://a/',
  'x'.repeat(20_000),
  [],
  {},
  [null],
  ['a', 'a'],
  [[]],
  Array.from({ length: 2000 }, (_, at) => `a${at}`),
  { zzz: 1 },
];

type Path = readonly (string | number)[];

/** An input with another value at a path; undefined removes the member. */
function withValue(root: unknown, [head, ...rest]: Path, value: unknown): unknown {
  if (head === undefined) return value;
  if (typeof head === 'number') {
    const list: unknown[] = Array.isArray(root) ? [...root] : [];
    list[head] = withValue(list[head], rest, value);
    return list;
  }
  const members = new Map(Object.entries(isJsonObject(root) ? root : {}));
  const changed = withValue(members.get(head), rest, value);
  if (changed === undefined) members.delete(head);
  else members.set(head, changed);
  return Object.fromEntries(members);
}

/** The example of an operation, with each bad value at each of its members, at any depth. */
function* badInputs({ input, example }: Operation): Generator {
  const root = toJsonSchema(input, 'input');
  const seen = new Set<string>();
  const open: (readonly [JsonSchema, Path])[] = [[root, []]];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const [schema, path] = next;
    for (const bad of BAD) yield withValue(example, path, bad);
    for (const form of listForms(schema, root)) {
      const key = JSON.stringify([path.at(-1), form]);
      if (path.length > 6 || (path.length > 2 && seen.has(key))) continue;
      seen.add(key);
      for (const [name, member] of listMembers(form)) open.push([member, [...path, name]]);
      if (form['type'] === 'array') open.push([getItems(form), [...path, 0]]);
      const { additionalProperties: others } = form;
      if (isJsonObject(others)) open.push([others, [...path, 'some_name']]);
    }
  }
}

/** The error messages for an input; empty if it is accepted. */
function messagesFor(operation: Operation, raw: unknown): readonly string[] {
  try {
    buildInputChecker(operation)(raw);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    assert.equal(error.code, 'invalid_request');
    return error.details.length > 0 ? error.details : [error.message];
  }
}

/** Asserts that a message is one of ours: it names a parameter and the valid values in plain words. */
function assertOurs(message: string, place: string): void {
  assert.ok(!message.includes(LIBRARY), `${place} answers a message of the schema library: ${message}`);
  const [, name = '', says = ''] = /^([^:]{0,400}): ([^]+)$/.exec(message) ?? [];
  assert.ok(name !== '' && says.length > 5, `${place}: names no parameter: ${message}`);
  // Values of an enumeration may be any words.
  assert.doesNotMatch(says.startsWith('must be one of') ? '' : says, FOREIGN, `${place}: ${message}`);
}

const Refusal = z.object({ error: z.object({ message: z.string() }) });

/** The error of a request; null if it is accepted. */
async function callForMessage(url: string, init: { readonly method: string; readonly body?: string }) {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { ...init, headers });
  const text = await answer.text();
  return answer.status < 400 ? null : Refusal.parse(JSON.parse(text)).error.message;
}

/** The parts of commands that parse their input and then end. */
function partsOver(notes: string[]): CommandContext {
  return {
    operations: routedOperations,
    place: 'here',
    serveLine: 'quern serve',
    async ask(operation, raw) {
      buildInputChecker(operation)(raw);
      throw new ServiceError('timeout', 'the input was accepted');
    },
    work: async () => undefined,
    isServed: async () => true,
    interrupted: () => new AbortController().signal,
    now: () => 0,
    clock: SYSTEM_CLOCK,
    jobs: { submit: submitJob, show: showJob, result: showJobResult },
    version: '0.0.0',
    terminal: {
      out: () => undefined,
      note: (text) => void notes.push(text),
      live: (text) => void notes.push(text),
      isRead: () => true,
      display: null,
      isScreen: false,
    },
  };
}

suite('messages of input validation', () => {
  before(() => z.config({ localeError: ({ code }) => `${LIBRARY} ${code}` }));
  after(() => z.config(z.locales.en()));

  test("validation messages for any invalid member have the service's wording", () => {
    const messages = new Map<string, string>();
    for (const operation of allOperations) {
      for (const raw of badInputs(operation)) {
        for (const message of messagesFor(operation, raw)) {
          const kind = message.replace(/^[^:]*: /, '').replaceAll(/\d+/g, 'N');
          if (!messages.has(kind)) messages.set(kind, operation.id);
          assertOurs(message, operation.id);
        }
      }
    }
    for (const expected of ['is missing', 'must be a string', 'must be a list', 'must not be empty', 'unknown member'])
      assert.ok(messages.has(expected), expected);
    assert.ok(messages.size > 100, `only ${messages.size} kinds of messages`);
  });

  test('a value that matches no alternative of a union is told the alternatives', () => {
    const schema = z.strictObject({
      amount: z.union([z.number(), z.enum(['all', 'none'])]),
      when: z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('day'), at: z.iso.date() }),
        z.strictObject({ type: z.literal('hour'), at: z.int().multipleOf(2) }),
      ]),
      map: z.record(z.string().min(1), z.string().length(2)).optional(),
      kind: z.literal('only').optional(),
    });
    const read = (raw: unknown): readonly string[] =>
      schema.safeParse(raw).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
    assert.deepEqual(read({ amount: 'some', when: { type: 'week' }, kind: 'other' }), [
      'amount: must be a number, or one of all, none',
      'when.type: must be one of day, hour',
      'kind: must be "only"',
    ]);
    assert.deepEqual(read({ amount: 1, when: { type: 'hour', at: 3 }, map: { '': 'ab', b: 'c' } }), [
      'when.at: must be a multiple of 2',
      'map.: the name must not be empty',
      'map.b: must have exactly 2 characters',
    ]);
    assert.deepEqual(read({ amount: 1, when: { type: 'day', at: 'soon' } }), [
      'when.at: must be a date, such as 2026-11-21',
    ]);
  });

  test("every route rejects requests with the service's wording", async () => {
    await using service = await startService({ operations: routedOperations });
    let refused = 0;
    for (const operation of routedOperations.filter((one) => !isEventStream(one))) {
      const { method, path, hasBody } = readRoute(operation);
      const names = listMembers(toJsonSchema(operation.input, 'input')).map(([name]) => name);
      const url = `${service.url}${path.replaceAll(/\{\w+\}/g, 'x')}`;
      const query = names.filter((name) => !path.includes(`{${name}}`)).map((name) => `${name}=%01`);
      const answers = hasBody
        ? [
            await callForMessage(url, { method, body: '[]' }),
            await callForMessage(url, {
              method,
              body: JSON.stringify(Object.fromEntries(names.map((name) => [name, [[]]]))),
            }),
          ]
        : [await callForMessage(`${url}?${query.join('&')}`, { method })];
      for (const message of answers.filter((one) => one !== null)) {
        refused += 1;
        assertOurs(message, `${method} ${path}`);
      }
    }
    assert.ok(refused > 100, `${refused} requests were refused`);
  });

  test("commands reject any invalid option with the service's wording", async () => {
    const notes: string[] = [];
    const line = lineOver(partsOver(notes));
    let refused = 0;
    for (const operation of routedOperations.filter((one) => !isEventStream(one))) {
      const { words, positional } = buildOperationCommand(operation);
      const names = listMembers(toJsonSchema(operation.input, 'input')).map(([name]) => name);
      const flags = names.filter((name) => name !== positional).flatMap((name) => [`--${toFlag(name)}`, '\u0001']);
      const code = await runCli([...words, ...(positional === null ? [] : ['x']), ...flags], line);
      if (code === EXIT.usage) refused += 1;
    }
    for (const note of notes) assert.doesNotMatch(note, new RegExp(`${LIBRARY}|${FOREIGN.source}`, 'i'));
    assert.ok(refused > 100, `${refused} commands were refused`);
  });

  test("MCP tools reject arguments with the service's wording", async () => {
    await using service = await startService({ operations: routedOperations });
    const client = new Client({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${KEY}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools) {
      for (const member of Object.keys(inputSchema.properties ?? {})) {
        for (const bad of [[{ zzz: 1 }], 'x\u0001']) {
          const said = await client.callTool({ name, arguments: { [member]: bad } }).catch(String);
          assert.doesNotMatch(
            JSON.stringify(said),
            new RegExp(`${LIBRARY}|Invalid input|Too small|expected \\w+, received`),
          );
        }
      }
    }
    await client.close();
  });

  test("invalid settings are rejected with the service's wording", async () => {
    for (const [name, value, says] of [
      ['QUERN_LOG_LEVEL', 'loud', 'must be one of debug, info, warn, error, silent'],
      ['QUERN_MODEL', 'x'.repeat(300), 'must have at most 200 characters'],
      ['QUERN_PORT', '-1', 'must be a port number from 0 to 65535'],
    ] as const) {
      assert.throws(
        () => loadConfig({ [name]: value }, null),
        (error) => error instanceof OperatorError && error.message.startsWith(`${name}: ${says}`),
      );
    }
  });
});

test('all invalid members are reported at once', async () => {
  const checkInput = buildInputChecker(fetchPage);
  const { message } = await captureFailure(async () =>
    checkInput({ url: 5, output: ['wav'], screenshot: { format: 1 } }),
  );
  assert.match(message, /^url: must be a string; output\.0: must be one of markdown, text, /);
  assert.match(message, /screenshot\.format: must be one of png, jpeg, webp/);
});
