import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ATTRIBUTE_VALUES } from '#extract/renderers/attributes.ts';
import { read } from './pages.ts';

const PAGE =
  '<head><link rel=icon href=icon.png></head><nav><a href="../b?x=1&amp;y=2">b</a></nav><main><a>no</a><a HREF="a b">a</a><input disabled></main>';

test('attributes are read from the whole page, in document order, as written', () => {
  const attributes = [
    { selector: 'a', attribute: 'HREF' },
    { selector: 'link', attribute: 'href' },
    { selector: 'input', attribute: 'disabled' },
    { selector: 'main > a:first-child', attribute: 'href' },
  ];
  const { outputs, warnings } = read(PAGE, { outputs: ['attributes'], attributes });
  assert.deepEqual(
    outputs.attributes?.map(({ values }) => values),
    [['../b?x=1&y=2', 'a b'], ['icon.png'], [''], []],
  );
  assert.ok(!warnings.some(({ code }) => code === 'truncated'));
});

test('attributes end with a warning after the maximum of values, counting all selectors', () => {
  const page = '<i id=a></i>'.repeat(MAX_ATTRIBUTE_VALUES - 1);
  const attributes = [
    { selector: 'i', attribute: 'id' },
    { selector: '#a', attribute: 'id' },
  ];
  const { outputs, warnings } = read(page, { outputs: ['attributes'], attributes });
  assert.deepEqual(
    outputs.attributes?.map(({ values }) => values.length),
    [MAX_ATTRIBUTE_VALUES - 1, 1],
  );
  assert.ok(warnings.some(({ code, message }) => code === 'truncated' && message.startsWith('attributes end')));
});
