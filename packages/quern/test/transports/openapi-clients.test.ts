import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import { allOperations, routedOperations, unroutedOperations } from '#compose/registry.ts';
import { declareControl } from '#engine/call/operation.ts';
import { events } from '#features/events.ts';
import { operations } from '#features/operations.ts';
import { buildEnvelope } from '#features/webhooks/envelope.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { getClientName } from '#transports/http/openapi-components.ts';
import { listTags, buildOpenApi } from '#transports/http/openapi.ts';
import { readRoute } from '#transports/http/route.ts';
import { call, startService } from './service.ts';

const MAX_BYTES = 250 * 1024;
/** For the OpenAPI document without the endpoints of single sites. */
const MAX_WHOLE_BYTES = 304 * 1024;

const Schema = z.record(z.string(), z.unknown());
const Body = z.looseObject({
  content: z.record(z.string(), z.looseObject({ schema: Schema, example: z.unknown().optional() })),
});
const Parameter = z.looseObject({ name: z.string(), schema: Schema.optional(), example: z.unknown().optional() });
const Entry = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.looseObject({})).optional(),
  requestBody: Body.extend({ required: z.boolean() }).optional(),
});

const document = buildOpenApi(allOperations);
const paths = z.record(z.string(), z.record(z.string(), Entry)).parse(document.paths);
const entries = Object.values(paths).flatMap((entry) => Object.values(entry));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'quern');

/** The validation errors of a value by a schema of the document. */
function listProblems(schema: Readonly<Record<string, unknown>>, value: unknown): readonly unknown[] {
  const absolute: unknown = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"quern#/'));
  const validate = ajv.compile(Schema.parse(absolute));
  validate(value);
  return validate.errors ?? [];
}

function findEntry(id: string): z.output<typeof Entry> {
  const found = entries.find((entry) => entry['x-operation'] === id);
  if (found === undefined) throw new Error(`no entry of ${id}`);
  return found;
}

test('the document of each tag is short and equals its part of the whole document', async () => {
  const tags = listTags(allOperations);
  assert.deepEqual(
    document.tags.map(({ name }) => name),
    tags,
  );
  const found: unknown[] = [];
  for (const tag of tags) {
    const part = buildOpenApi(allOperations, tag);
    const bytes = Buffer.byteLength(JSON.stringify(part));
    assert.ok(bytes <= MAX_BYTES, `${tag}: ${bytes} bytes`);
    for (const [path, entry] of Object.entries(part.paths)) {
      assert.deepEqual(entry, document.paths[path]);
      found.push(path);
    }
    for (const [name, schema] of Object.entries(part.components.schemas))
      assert.deepEqual(schema, document.components.schemas[name]);
  }
  assert.deepEqual(new Set(found), new Set(Object.keys(document.paths)));
  const result = await new Validator().validate(buildOpenApi(allOperations, 'jobs'));
  assert.deepEqual(result.errors ?? [], []);
});

test('the document without site endpoints is short enough to be read at once', () => {
  const bytes = Buffer.byteLength(JSON.stringify(buildOpenApi(operations)));
  assert.ok(bytes <= MAX_WHOLE_BYTES, `${bytes} bytes`);
});

test('the whole document and those of its tags are served', async () => {
  await using service = await startService();
  for (const [path, tags] of [
    ['/openapi.json', 4],
    ['/openapi/fetch.json', 1],
  ] as const) {
    const { status, text } = await call(service.url + path, { key: null });
    assert.equal(status, 200);
    assert.equal(z.object({ tags: z.array(z.unknown()) }).parse(JSON.parse(text)).tags.length, tags);
  }
  assert.equal((await call(`${service.url}/openapi/nothing.json`, { key: null })).status, 404);
});

test('a public validator resolves every reference, and no component is unused', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(document));
  assert.deepEqual(result.errors ?? [], []);
  const text = JSON.stringify(document);
  const used = new Set([...text.matchAll(/"#\/components\/(\w+\/[^"]+)"/g)].map(([, name]) => name));
  const { securitySchemes: _, ...referred } = document.components;
  const kept = Object.entries(referred).flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind}/${name}`));
  assert.deepEqual(used, new Set(kept));
});

test('the records of the API are named schemas', () => {
  const names = Object.keys(document.components.schemas);
  for (const name of [
    'Job',
    'Monitor',
    'Run',
    'Change',
    'Delivery',
    'Page',
    'CrawledPage',
    'Usage',
    'Artifact',
    'Failure',
  ])
    assert.ok(names.includes(name), name);
  for (const name of names) assert.match(name, /^[A-Z][A-Za-z0-9]*$/);
});

function declareThing(id: string, member: z.ZodType) {
  return declareControl({
    id,
    route: `GET /v1/${id}`,
    summary: 'Something',
    errors: [],
    input: z.strictObject({}),
    output: nameSchema('Thing', z.object({ member })),
    example: {},
  });
}

test('two schemas of one name are refused', () => {
  assert.throws(
    () => buildOpenApi([declareThing('a', z.string()), declareThing('b', z.number())]),
    /two schemas have the name Thing/,
  );
  assert.ok(buildOpenApi([declareThing('a', z.string()), declareThing('b', z.string())]));
});

test('client names of operations are unique identifiers', () => {
  const names = routedOperations.map(getClientName);
  assert.deepEqual(new Set(entries.map(({ operationId }) => operationId)), new Set(names));
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-z][A-Za-z0-9]*$/);
});

test('every example fits its schema', () => {
  let count = 0;
  for (const { operationId, parameters = [], requestBody } of entries) {
    for (const parameter of parameters) {
      const { name, schema, example } = Parameter.partial({ name: true }).parse(parameter);
      if (example === undefined || schema === undefined) continue;
      assert.deepEqual(listProblems(schema, example), [], `${operationId} ${name}`);
      count += 1;
    }
    for (const { schema, example } of Object.values(requestBody?.content ?? {})) {
      assert.deepEqual(listProblems(schema, example), [], operationId);
      count += 1;
    }
  }
  assert.ok(count > 30, `${count} examples`);
});

test('a body is required where the operation refuses a request without one, and nowhere else', () => {
  const optional: string[] = [];
  for (const operation of routedOperations.filter((one) => readRoute(one).hasBody)) {
    const { inPath } = readRoute(operation);
    const example = isJsonObject(operation.example) ? operation.example : {};
    const bare = Object.fromEntries(Object.entries(example).filter(([name]) => inPath.includes(name)));
    // A request with a path parameter also accepts an empty body; other requests without a body are refused before parsing.
    const accepts = inPath.length > 0 && isAccepted(() => buildInputChecker(operation)(bare));
    assert.equal(findEntry(operation.id).requestBody?.required, !accepts, operation.id);
    if (accepts) optional.push(operation.id);
  }
  assert.deepEqual(optional, [
    'monitors.update',
    'monitors.trigger',
    'monitors.webhook.test',
    'monitors.webhook.rotate-secret',
    'deliveries.redeliver',
    'admin.tenants.update',
    'admin.keys.create',
    'admin.keys.rotate',
    'hotel-b.monitors.update',
    'hotel-b.monitors.trigger',
    'hotel-a.monitors.update',
    'hotel-a.monitors.trigger',
    'launches.monitors.update',
    'launches.monitors.trigger',
  ]);
});

function isAccepted(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

test('a job has a form for each kind, with the input of that operation', () => {
  const body = findEntry('jobs.submit').requestBody?.content['application/json'];
  assert.ok(body);
  const kinds = allOperations.filter(({ kind }) => kind === 'work');
  assert.ok(unroutedOperations.every((operation) => kinds.includes(operation)));
  for (const { id, example } of kinds)
    assert.deepEqual(listProblems(body.schema, { kind: id, input: example }), [], id);
  assert.notDeepEqual(listProblems(body.schema, { kind: 'fetch', input: { address: 'https://example.com/' } }), []);
  assert.notDeepEqual(listProblems(body.schema, { kind: 'nothing', input: {} }), []);
  const { SubmitJobInput: order } = document.components.schemas;
  const { discriminator } = z
    .looseObject({ discriminator: z.object({ propertyName: z.string(), mapping: z.record(z.string(), z.string()) }) })
    .parse(order);
  assert.equal(discriminator.propertyName, 'kind');
  assert.deepEqual(
    Object.keys(discriminator.mapping),
    kinds.map(({ id }) => id),
  );
});

test("every event has a webhook whose example matches its schema and the sender's format", () => {
  const Webhook = z.looseObject({ post: z.looseObject({ operationId: z.string(), requestBody: Body }) });
  const webhooks = z.record(z.string(), Webhook).parse(document.webhooks);
  assert.deepEqual(
    Object.keys(webhooks),
    events.map(({ type }) => type),
  );
  for (const { type, example } of events) {
    const { schema, example: shown } = webhooks[type]?.post.requestBody.content['application/json'] ?? {};
    assert.ok(schema !== undefined);
    assert.deepEqual(shown, example);
    assert.deepEqual(listProblems(schema, example), [], type);
    const { id, timestamp, api_version: _version, data, ...rest } = Schema.parse(example);
    const about = Object.fromEntries(Object.entries(rest).filter(([name]) => name !== 'type'));
    const at = Date.parse(String(timestamp));
    const sent: unknown = JSON.parse(
      buildEnvelope({ id: String(id), type, at, about, data: Schema.parse(data), path: '/v1/x' }),
    );
    assert.deepEqual(sent, example);
  }
});
