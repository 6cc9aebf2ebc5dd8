import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLASS_MARK, readMarks } from '#extract/metadata/class-marks.ts';

const NAMES: readonly (readonly [string, number])[] = [
  ['post-author', CLASS_MARK.author],
  ['AUTHOR', CLASS_MARK.author],
  ['blogContributorName', CLASS_MARK.author],
  ['authority', 0],
  ['byline', CLASS_MARK.author | CLASS_MARK.dated],
  ['by-line', CLASS_MARK.author],
  ['datum', CLASS_MARK.dated],
  ['timeline', 0],
  ['timeline-time', CLASS_MARK.dated],
  ['entryMeta', CLASS_MARK.dated | CLASS_MARK.pageInfo],
  ['metabox', 0],
  ['entry-date', CLASS_MARK.dated | CLASS_MARK.published],
  ['lastUpdated', CLASS_MARK.dated | CLASS_MARK.modified],
  ['upDate', CLASS_MARK.dated],
  ['user_name', 0],
  ['c-username', CLASS_MARK.user],
  ['recent-posts', CLASS_MARK.maybeUnrelated],
  ['left sidebar', CLASS_MARK.maybeUnrelated],
  ['has-sidebar', 0],
  ['relatedTeaser', CLASS_MARK.maybeUnrelated | CLASS_MARK.unrelated],
  ['comment-list', CLASS_MARK.maybeUnrelated | CLASS_MARK.unrelated | CLASS_MARK.commentOrNotice],
  ['site-footer', CLASS_MARK.footer],
  ['da4e ml-2 grid', 0],
];

test('class names are marked by their words, ignoring case', () => {
  for (const [name, marks] of NAMES) {
    assert.equal(readMarks(`<p ${name}>date`, 3, 3 + name.length), marks, name);
  }
});
