import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCron } from '#transports/compat/firecrawl-schedules.ts';

test('schedules in words become the cron expression that means exactly the same', () => {
  const texts = ['every 30 minutes', 'every hour', 'Every 6 hours', 'hourly', 'daily at 9:00', 'every friday at 17:30'];
  assert.deepEqual(
    texts.map((text) => toCron({ text })),
    ['*/30 * * * *', '0 */1 * * *', '0 */6 * * *', '0 * * * *', '0 9 * * *', '30 17 * * 5'],
  );
  assert.equal(toCron({ cron: '5 4 * * *' }), '5 4 * * *');
});

test('schedules without such an expression are refused', () => {
  for (const text of ['every 7 hours', 'every 45 minutes', 'daily at 25:00', 'every someday', 'now and then'])
    assert.throws(() => toCron({ text }), /schedule.text: not understood/);
  assert.throws(() => toCron({}), /either cron or text/);
});
