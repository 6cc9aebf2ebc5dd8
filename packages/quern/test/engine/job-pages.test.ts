import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Gate } from './gate.ts';
import {
  begin,
  getBody,
  commit,
  complete,
  Page,
  readLines,
  fetchResult,
  usePlaces,
} from '../support/engine/listing.ts';
import { openJobTools, getOperation } from '../support/engine/queue.ts';

const places = usePlaces();

const Outlined = z.looseObject({
  pages: z.array(z.looseObject({ place: z.string(), chars: z.record(z.string(), z.int()).optional() })),
  next_cursor: z.string().nullable(),
});

async function readPage(gate: Gate, input: object) {
  return gate.ask(getOperation('jobs.page'), input);
}

function crawled(path: string, markdown: string) {
  const metadata = { title: `Page ${path}` };
  return { url: `http://mill.test/${path}`, final_url: `http://mill.test/${path}/`, depth: 1, markdown, metadata };
}

places.onEvery('each position of an outline leads to its element, regardless of page size', async (gate) => {
  const id = await complete(gate, { pages: 900, chars: 4000 });
  const whole = await readLines(gate, id);
  const outlined: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const more = { outline: true, limit: 170, ...(cursor === undefined ? {} : { cursor }) };
    const page = Outlined.parse(await fetchResult(gate, id, more));
    for (const { place, chars, ...rest } of page.pages) {
      assert.deepEqual([chars, Object.keys(rest)], [{ text: 4000 }, ['n']]);
      outlined.push(place);
    }
    cursor = page.next_cursor;
  }
  assert.equal(outlined.length, 900);
  assert.equal(new Set(outlined).size, 900);
  for (const at of [0, 1, 299, 640, 899]) {
    const { request_id: _request, ...element } = getBody(await readPage(gate, { id, place: outlined[at] }));
    assert.deepEqual(element, whole[at]);
  }
});

places.onEvery('a page of a running crawl is read by its URL or by the URL it redirected to', async (gate) => {
  const claimed = await begin(gate);
  const { id } = claimed.row;
  await commit(gate, claimed, [crawled('rye', '# Rye'), crawled('oats', 'short')]);
  const outline = Outlined.parse(await fetchResult(gate, id, { outline: true, partial: true }));
  assert.deepEqual(outline.pages[0], {
    place: '1.0',
    title: 'Page rye',
    url: 'http://mill.test/rye',
    final_url: 'http://mill.test/rye/',
    depth: 1,
    chars: { markdown: 5 },
  });
  for (const url of ['http://mill.test/oats', 'http://mill.test/oats/'])
    assert.equal(getBody(await readPage(gate, { id, url }))['markdown'], 'short');
  await commit(gate, claimed, [crawled('late', 'it came later')]);
  assert.equal(getBody(await readPage(gate, { id, url: 'http://mill.test/late' }))['markdown'], 'it came later');
});

places.onEvery('a missing page, and a request for none or two pages, are rejected by name', async (gate) => {
  const id = await complete(gate, { pages: 3 });
  const single = await complete(gate, {}, 'closed');
  const said = async (input: object) => {
    const { error } = await readPage(gate, input);
    return `${error?.code}: ${error?.message}`;
  };
  assert.match(await said({ id, place: '9.9' }), /^not_found: /);
  assert.match(await said({ id, url: 'http://mill.test/none' }), /^not_found: /);
  assert.match(await said({ id: 'job_none', place: '1.0' }), /^not_found: /);
  assert.match(await said({ id }), /^invalid_request: place: send either/);
  assert.match(await said({ id, place: '1.0', url: 'http://mill.test/' }), /^invalid_request: place: send either/);
  assert.match(await said({ id, place: 'first' }), /^invalid_request: place: /);
  assert.match(await said({ id: single, place: '1.0' }), /^invalid_request: id: the result of closed has no list/);
  const { error } = await openJobTools(gate).result(id, { outline: true, format: 'jsonl' });
  assert.match(error?.message ?? '', /^outline: cannot be used with format jsonl/);
  assert.equal(Page.parse(await fetchResult(gate, id)).pages.length, 3);
});
