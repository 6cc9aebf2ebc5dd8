import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { measureRoundTrips } from '#bench/extraction/converter.ts';

/** Examples of the CommonMark and GFM specifications that come back the same; it may only go up. */
const FEWEST_EQUAL = 382;
/** Those whose Markdown, shown and written once more, is the same to the letter. */
const FEWEST_AGAIN = 395;

test('the examples of the Markdown specifications survive conversion to Markdown and back to HTML', () => {
  const folder = join(process.env['QUERN_CORPUS'] ?? '', 'extraction');
  const trips = process.env['QUERN_CORPUS'] === undefined || !existsSync(folder) ? null : measureRoundTrips(folder);
  if (trips === null) return console.log('0 recordings');
  const equal = trips.all - trips.losses.length;
  console.log(`${equal} of ${trips.all} equal`);
  assert.ok(equal >= FEWEST_EQUAL, `${equal} of ${trips.all}`);
  assert.ok(trips.again >= FEWEST_AGAIN, `${trips.again} of ${trips.all}`);
});
