import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MARK, marksOf } from '#extract/metadata/class-marks.ts';

const NAMES: readonly (readonly [string, number])[] = [
  ['post-author', MARK.author],
  ['AUTHOR', MARK.author],
  ['blogContributorName', MARK.author],
  ['authority', 0],
  ['byline', MARK.author | MARK.dated],
  ['by-line', MARK.author],
  ['datum', MARK.dated],
  ['timeline', 0],
  ['timeline-time', MARK.dated],
  ['entryMeta', MARK.dated | MARK.about],
  ['metabox', 0],
  ['entry-date', MARK.dated | MARK.published],
  ['lastUpdated', MARK.dated | MARK.modified],
  ['upDate', MARK.dated],
  ['user_name', 0],
  ['c-username', MARK.user],
  ['recent-posts', MARK.foreign],
  ['left sidebar', MARK.foreign],
  ['has-sidebar', 0],
  ['relatedTeaser', MARK.foreign | MARK.strange],
  ['comment-list', MARK.foreign | MARK.strange | MARK.remark],
  ['site-footer', MARK.footer],
  ['da4e ml-2 grid', 0],
];

test('the words of a name give it marks, whatever their case', () => {
  for (const [name, marks] of NAMES) {
    assert.equal(marksOf(`<p ${name}>date`, 3, 3 + name.length), marks, name);
  }
});
