import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import { declareControl } from '#engine/call/operation.ts';
import { getErrorStatus } from '#kernel/errors.ts';
import { allOperations, routedOperations } from '#compose/registry.ts';
import { operations } from '#features/operations.ts';
import { PRICES, sumUsage, toUsage } from '#engine/credits/prices.ts';
import { listErrors } from '#transports/http/openapi-answers.ts';
import { getClientName } from '#transports/http/openapi-components.ts';
import { buildOpenApi } from '#transports/http/openapi.ts';
import { readRoute } from '#transports/http/route.ts';
import { call, OPERATIONS, startService } from './service.ts';

const Entry = z.looseObject({
  operationId: z.string(),
  'x-credits': z.unknown(),
  'x-plan': z.string(),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean() }).partial()).optional(),
  requestBody: z.unknown().optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string().optional(), $ref: z.string().optional() })),
});
const Response = z.looseObject({ description: z.string() });
const Document = z.looseObject({
  openapi: z.literal('3.1.0'),
  info: z.looseObject({ version: z.literal('1.0.0') }),
  paths: z.record(z.string(), z.record(z.string(), Entry)),
  components: z.looseObject({
    schemas: z.record(z.string(), z.record(z.string(), z.unknown())),
    responses: z.record(z.string(), Response),
  }),
});

test('the document is valid OpenAPI 3.1 by a public validator, as served', async () => {
  await using service = await startService();
  const { status, text } = await call(`${service.url}/openapi.json`, { key: null });
  assert.equal(status, 200);
  const validator = new Validator();
  const result = await validator.validate(JSON.parse(text));
  assert.deepEqual(result.errors ?? [], []);
  assert.equal(validator.version, '3.1');
});

test('the registry itself gives a valid document, and every example passes its own validation', async () => {
  const result = await new Validator().validate(structuredClone(buildOpenApi(allOperations)));
  assert.deepEqual(result.errors ?? [], []);
  for (const operation of allOperations) assert.ok(buildInputChecker(operation)(operation.example));
});

test('every operation is listed with price, plan and exactly its possible statuses', () => {
  const document = Document.parse(buildOpenApi(OPERATIONS));
  for (const operation of OPERATIONS) {
    const { method, path } = readRoute(operation);
    const entry = document.paths[path]?.[method.toLowerCase()];
    assert.equal(entry?.operationId, getClientName(operation));
    assert.equal(entry['x-operation'], operation.id);
    const statuses = Object.keys(entry.responses).map(Number);
    assert.deepEqual(statuses, [200, ...listErrors(operation).keys()]);
    for (const code of operation.errors) {
      const name = entry.responses[getErrorStatus(code)]?.$ref?.split('/').at(-1) ?? '';
      assert.match(document.components.responses[name]?.description ?? '', new RegExp(`\\b${code}\\b`));
    }
    assert.equal(entry.requestBody !== undefined, method === 'POST');
  }
  const fetchEntry = document.paths['/v1/fetch']?.['post'];
  assert.deepEqual(fetchEntry?.['x-credits'], {
    base: 2,
    per: 'call',
    cache_hit: 1,
    surcharges: { http: 0, browser: 0, proxy: 8, proxy_browser: 65 },
    model_output: 0,
    hundred_urls: 0,
  });
});

test('the price says if error pages are free, and what a hundred URLs cost', () => {
  const document = Document.parse(buildOpenApi(routedOperations));
  assert.match(JSON.stringify(document.paths['/v1/map']?.['post']?.['x-credits']), /"hundred_urls":1\b/);
  const free = Object.entries(document.paths).filter(([, { post }]) =>
    JSON.stringify(post?.['x-credits'] ?? {}).includes('"error_page":0'),
  );
  assert.deepEqual(
    free.map(([path]) => path),
    ['/v1/fetch', '/v1/explain', '/v1/interact'],
  );
});

test('only site endpoints have a verified flag', () => {
  const document = Document.parse(buildOpenApi(routedOperations));
  for (const operation of routedOperations) {
    const { method, path } = readRoute(operation);
    const verified = document.paths[path]?.[method.toLowerCase()]?.['x-verified'];
    assert.equal(verified, operation.kind === 'work' ? operation.site?.verified : undefined, operation.id);
  }
});

test('path and query parameters have the right location', () => {
  const document = Document.parse(buildOpenApi(OPERATIONS));
  const byId = document.paths['/v1/requests/{request_id}']?.['get'];
  assert.deepEqual(
    byId?.parameters?.map(({ name, in: place, required }) => [name, place, required]),
    [['request_id', 'path', true]],
  );
  const list = document.paths['/v1/requests']?.['get'];
  assert.equal(
    list?.parameters?.every((parameter) => parameter.in === 'query' && !parameter.required),
    true,
  );
});

test('recursive schemas keep their references inside the document', async () => {
  const Tree = z.strictObject({
    name: z.string(),
    get children() {
      return z.array(Tree);
    },
  });
  const tree = declareControl({
    id: 'tree',
    route: 'POST /v1/tree/{root}',
    summary: 'A tree',
    errors: [],
    input: z.strictObject({ root: z.string(), tree: Tree }),
    output: z.object({ tree: Tree }),
    example: { root: 'a', tree: { name: 'a', children: [] } },
  });
  const document = buildOpenApi([tree]);
  const result = await new Validator().validate(structuredClone(document));
  assert.deepEqual(result.errors ?? [], []);
  const text = JSON.stringify(document);
  const { schemas } = Document.parse(document).components;
  const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? '');
  assert.equal(
    references.every((name) => schemas[name] !== undefined),
    true,
  );
  assert.doesNotMatch(text, /\$defs/);
});

test('job results document paging, partial results, and the formats of exports', () => {
  const Result = z.looseObject({
    parameters: z.array(z.looseObject({ name: z.string() })),
    responses: z.looseObject({ 200: z.looseObject({ content: z.record(z.string(), z.unknown()) }) }),
  });
  const document = buildOpenApi(operations);
  const { get } = z.looseObject({ get: Result }).parse(document.paths['/v1/jobs/{id}/result']);
  const names = get.parameters.map(({ name }) => name);
  assert.deepEqual(names, ['id', 'partial', 'format', 'rows', 'limit', 'cursor', 'outline']);
  const { content } = get.responses[200];
  assert.deepEqual(Object.keys(content), [
    'application/json',
    'application/x-ndjson',
    'application/warc',
    'text/csv',
    'application/vnd.apache.parquet',
    'application/zip',
    'text/plain',
  ]);
  const { schemas } = Document.parse(document).components;
  const members = ['Answered', 'GetJobResultResult'].map((name) => Object.keys(schemas[name]?.['properties'] ?? {}));
  assert.deepEqual(members.flat(), ['request_id', 'usage', 'next_cursor']);
});

test('usage of one page and of many pages matches the declared schema', () => {
  const { schemas } = Document.parse(buildOpenApi(operations)).components;
  const declared = z.fromJSONSchema(z.record(z.string(), z.unknown()).parse(schemas['Usage']));
  for (const usage of [toUsage(PRICES.fetch, 'http'), sumUsage(PRICES.crawl, { http: 3, browser: 1 })]) {
    assert.deepEqual(declared.parse(usage), usage);
  }
});
