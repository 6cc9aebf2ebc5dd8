import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isActionLink } from '#extract/urls/action-links.ts';

test('edit forms, histories, sort orders and replies are action links', () => {
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

test('listings, articles and searches are not action links', () => {
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
