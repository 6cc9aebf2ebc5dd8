import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { test } from 'node:test';
import { isRecord } from '#console/app/json.ts';
import { toCommandLine, toPythonClient, buildSampleRequest, toTypeScriptClient } from '#console/app/samples.ts';
import {
  findProblems,
  getFieldKind,
  findFormIndex,
  formatLimits,
  buildInitialValue,
  listUnionForms,
} from '#console/parts/form/schema.ts';
import { formatChangeShare } from '#console/views/monitors/describe-monitor.ts';
import {
  getOperationGroup,
  searchOperations,
  parseOperationSummary,
  parseOperation,
} from '#console/views/playground/operations.ts';
import { operations } from '#features/operations.ts';
import { endpoints } from '#compose/endpoints.ts';
import { OPERATION_COMMANDS } from '#transports/cli/operation-commands.ts';
import { at } from '../support/members.ts';
import { buildOperationDocument, buildOperationList } from '#transports/http/docs-document.ts';
import { type JsonSchema, listMembers } from '#transports/schema.ts';

const all = [...operations, ...endpoints.map(({ operation }) => operation)].filter(({ route }) => route !== null);
const documents = all.map((operation) => buildOperationDocument(operation));

test('each operation document gives a form that accepts its example, and the command of the catalogue', () => {
  for (const document of documents) {
    const { id, input, example, command } = parseOperation(JSON.parse(JSON.stringify(document)));
    assert.deepEqual([...findProblems(input, example)], [], id);
    const line = toCommandLine({ input: example, command, clientName: '', baseUrl: '', yields: 'value' });
    const spec = OPERATION_COMMANDS.find(({ operation, adds }) => operation === id && adds.length === 0);
    assert.equal(line, spec === undefined ? null : `quern ${spec.examples[0]}`, id);
  }
});

test('every input schema rejects unknown members', () => {
  const open = documents.filter(({ input }) => input['additionalProperties'] !== false);
  assert.deepEqual(
    open.map(({ id }) => id),
    [],
  );
});

test('every input member has a description', () => {
  const silent = documents.flatMap(({ id, input }) =>
    listMembers(input).flatMap(([name, member]) => (isDescribed(member, input) ? [] : [`${id} ${name}`])),
  );
  assert.deepEqual(silent, []);
});

function isDescribed(member: JsonSchema, input: JsonSchema): boolean {
  const { $ref: reference, description } = member;
  const named =
    typeof reference === 'string' ? at(input, `${reference.slice(2).replaceAll('/', '.')}.description`) : null;
  return typeof (description ?? named) === 'string';
}

test('operations are found by words in any inflection', () => {
  const listed = buildOperationList(all).data.map((one) => parseOperationSummary(JSON.parse(JSON.stringify(one))));
  const found = (words: string): string | undefined => searchOperations(listed, words)[0]?.id;
  assert.equal(found('the subtitles of a video'), 'video.subtitles');
  assert.equal(found('crawling a site'), 'crawl');
  assert.equal(found('albums by musicstream'), 'musicstream.album');
  assert.equal(found('rotate the key'), 'admin.keys.rotate');
  assert.deepEqual(searchOperations(listed, 'zzz'), []);
  assert.equal(searchOperations(listed, '  of the ').length, listed.length);
});

test('samples escape any input for their language', () => {
  const input = {
    url: "https://a.example/it's?a=1&b",
    deep: { on: true, none: null },
    list: ['x y', '-z'],
    lone: '\ud800',
  };
  const command = { words: ['fetch'], positional: 'url' };
  const ask = {
    input,
    clientName: 'getJobResult',
    command,
    baseUrl: 'http://127.0.0.1:7700',
    yields: 'value',
  } as const;
  assert.equal(
    toCommandLine(ask),
    String.raw`quern fetch 'https://a.example/it'\''s?a=1&b' --deep '{"on":true,"none":null}' --list 'x y' --list='-z' --lone '` +
      "\ud800'",
  );
  assert.match(toPythonClient(ask), /quern\.get_job_result\(\n {4}url=.*,\n {4}deep=\{"on": True, "none": None\},/);
  assert.match(toTypeScriptClient(ask), /await quern\.getJobResult\(\{\n {2}"url"/);
  const listed = { ...ask, input: { from: '2026-01-01' }, clientName: 'listJobs', yields: 'records' } as const;
  assert.match(toPythonClient(listed), /for record in quern\.list_jobs\(from_="2026-01-01"\):\n {4}print\(record\)$/);
  assert.match(toTypeScriptClient(listed), /for await \(const record of quern\.listJobs\(/);
  const call = buildSampleRequest(
    { method: 'GET', path: '/v1/jobs/{id}' },
    { id: 'a/b c', wait_ms: 5, tag: ['x', 'y'] },
    '',
  );
  assert.equal(call.url, '/v1/jobs/a%2Fb%20c?wait_ms=5&tag=x&tag=y');
});

test('names and values of an input are single shell words, and values are not taken for flags', async () => {
  const hostile = 'x; touch pwned; $(touch pwned) `touch pwned` \' "';
  const input = {
    [hostile]: ['markdown'],
    [`${hostile} on`]: true,
    [`${hostile} off`]: false,
    text: hostile,
    list: [hostile, '-z', '--out=x'],
    plain: ['-z', 1],
    only_main_content: '--out=x',
    url: '--out=x',
  };
  const command = { words: ['fetch'], positional: 'url' };
  const line = toCommandLine({ input, clientName: '', command, baseUrl: '', yields: 'value' }) ?? '';
  const script = `quern() { printf '%s\\0' "$@"; }\n${line}`;
  const { stdout } = await promisify(execFile)('sh', ['-c', script]);
  assert.deepEqual(stdout.split('\0').slice(0, -1), [
    'fetch',
    `--${hostile}`,
    'markdown',
    `--${hostile} on`,
    `--no-${hostile} off`,
    '--text',
    hostile,
    '--list',
    hostile,
    '--list=-z',
    '--list=--out=x',
    '--plain=-z,1',
    '--only-main-content=--out=x',
    '--',
    '--out=x',
  ]);
});

test('a change shows by how many percent a number rose or fell', () => {
  const diff = { pct: 10 };
  assert.equal(formatChangeShare({ previous_value: 100, new_value: 90, diff }), '−10 %');
  assert.equal(formatChangeShare({ previous_value: { amount: 1 }, new_value: { amount: 1.1 }, diff }), '+10 %');
  assert.equal(formatChangeShare({ previous_value: 'a', new_value: 'b', diff: { pct: null } }), '');
});

test('operations are grouped, each group appearing once', () => {
  const listed = buildOperationList(all).data.map((one) => parseOperationSummary(JSON.parse(JSON.stringify(one))));
  const groups = Map.groupBy(listed, getOperationGroup);
  assert.equal(groups.get('Chatassistant'), undefined);
  assert.ok(groups.get('Pages and searches')?.some(({ id }) => id === 'answerengine.prompt'));
  const ofSite = parseOperationSummary({ id: 'launches.monitors.list', kind: 'control' });
  assert.equal(getOperationGroup(ofSite), 'Monitors of launches');
  assert.equal(new Set([...groups.keys()].map((name) => name.toLowerCase())).size, groups.size);
});

test('a form reports invalid input before it is sent', () => {
  const schema = {
    type: 'object',
    required: ['url', 'kind'],
    properties: {
      url: { type: 'string', maxLength: 20 },
      kind: { default: 'a', type: 'string' },
      count: { type: 'integer', minimum: 1, maximum: 9 },
      list: { type: 'array', maxItems: 2, items: { type: 'string', pattern: '^[a-z]+$' } },
      inner: { $ref: '#/$defs/inner' },
    },
    $defs: { inner: { type: 'object', required: ['x'], properties: { x: { type: 'string', enum: ['a', 'b'] } } } },
  };
  const problems = findProblems(schema, { url: '', count: 9.5, list: ['ok', 'NO', 'x'], inner: { x: 'c' } });
  assert.deepEqual(Object.fromEntries(problems), {
    url: 'is required',
    count: 'is more than 9',
    list: 'has more than 2 items',
    'list[1]': 'does not have the required format',
    'inner.x': 'is not one of the allowed values',
  });
});

test('fields follow the schema, and a value selects the union alternative that it matches', () => {
  const click = { type: 'object', required: ['type', 'target'], properties: { type: { const: 'click' }, target: {} } };
  const wait = { type: 'object', required: ['type'], properties: { type: { const: 'wait' } } };
  const union = { oneOf: [click, wait, { type: 'string' }] };
  const forms = listUnionForms(union, union);
  assert.deepEqual(
    [{ type: 'wait' }, { type: 'click' }, 'text'].map((value) => findFormIndex(forms, value)),
    [1, 0, 2],
  );
  assert.deepEqual(buildInitialValue(wait, wait), { type: 'wait' });
  const kinds = [
    union,
    { type: ['string', 'null'] },
    { type: 'array', items: { enum: ['a'] } },
    { type: 'object' },
    {},
  ];
  assert.deepEqual(
    kinds.map((schema) => getFieldKind(schema, schema)),
    ['union', 'union', 'words', 'json', 'json'],
  );
  assert.equal(formatLimits({ minimum: 1, maximum: 5000 }), '1 to 5,000');
  assert.equal(formatLimits({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), 'at least 0');
  assert.ok(documents.every(({ input }) => isRecord(input)));
});
