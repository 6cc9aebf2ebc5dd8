import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isActionLink } from '#extract/urls/action-links.ts';

test('forms, histories, orders and replies are links of action bars', () => {
  for (const query of [
    'title=Rye&action=edit',
    'oldid=7',
    'do=diff',
    'replytocom=12',
    'Sort=price',
    'p=2&orderby=name',
  ]) {
    assert.ok(isActionLink(`https://mill.test/wiki?${query}`), query);
  }
});

test('pages of lists, articles and searches are not', () => {
  for (const end of [
    '',
    '?',
    '?p=2',
    '?page=3',
    '?title=Rye',
    '?id=12&lang=de',
    '?q=action',
    '?reaction=edit',
    '#?action=edit',
  ]) {
    assert.ok(!isActionLink(`https://mill.test/wiki${end}`), end);
  }
});
