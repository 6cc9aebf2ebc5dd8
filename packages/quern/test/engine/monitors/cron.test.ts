import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCron, parseCron } from '#features/monitors/schedule/cron-dialect.ts';
import { readCronWords } from '#features/monitors/schedule/cron-words.ts';
import {
  countTicks,
  isTimeZone,
  findLastTick,
  computeShortestGap,
  countTicksIn30Days,
  createSchedule,
} from '#features/monitors/schedule/schedule.ts';
import {
  computeBackoffEnd,
  findCatchUp,
  hasFailedTooLong,
  computeJitter,
  findNextTick,
} from '#features/monitors/schedule/timing.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const at = (text: string): number => Date.parse(text);

/** The ticks after an instant, as UTC times without seconds. */
function ticks(cron: string, zone: string, after: string, count: number): readonly string[] {
  const { nextTick } = createSchedule(cron, zone);
  const found: string[] = [];
  for (let tick = nextTick(at(after)); tick !== null && found.length < count; tick = nextTick(tick)) {
    found.push(new Date(tick).toISOString().slice(5, 16));
  }
  return found;
}

const DST = [
  [
    'a skipped time fires once, at the first instant after the gap',
    '30 2 * * *',
    'Europe/Berlin',
    '2027-03-27T12:00Z',
    ['03-28T01:00', '03-29T00:30'],
  ],
  [
    'several skipped times fire once together',
    '*/20 2 * * *',
    'Europe/Berlin',
    '2027-03-27T12:00Z',
    ['03-28T01:00', '03-29T00:00'],
  ],
  [
    'a skipped time and the end of the gap are one tick',
    '0 2,3 * * *',
    'Europe/Berlin',
    '2027-03-27T12:00Z',
    ['03-28T01:00', '03-29T00:00'],
  ],
  [
    'a repeated time fires the first time',
    '30 2 * * *',
    'Europe/Berlin',
    '2026-10-24T12:00Z',
    ['10-25T00:30', '10-26T01:30'],
  ],
  [
    'repeated times of a fixed hour fire the first time',
    '*/30 2 * * *',
    'Europe/Berlin',
    '2026-10-24T12:00Z',
    ['10-25T00:00', '10-25T00:30', '10-26T01:00'],
  ],
  [
    'any hour is every real hour when one is repeated',
    '0 * * * *',
    'Europe/Berlin',
    '2026-10-24T23:30Z',
    ['10-25T00:00', '10-25T01:00', '10-25T02:00'],
  ],
  [
    'any hour is every real hour when one is skipped',
    '30 * * * *',
    'Europe/Berlin',
    '2027-03-28T00:00Z',
    ['03-28T00:30', '03-28T01:30'],
  ],
  ['gap', '30 2 * * *', 'America/New_York', '2027-03-13T12:00Z', ['03-14T07:00', '03-15T06:30']],
  ['overlap', '30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', ['11-01T05:30', '11-02T06:30']],
  ['any hour', '0 * * * *', 'America/New_York', '2026-11-01T04:30Z', ['11-01T05:00', '11-01T06:00', '11-01T07:00']],
  ['gap of half an hour', '15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', ['10-03T15:30', '10-04T15:15']],
  ['overlap of half an hour', '45 1 * * *', 'Australia/Lord_Howe', '2027-04-03T00:00Z', ['04-03T14:45', '04-04T15:15']],
  [
    'any hour over half an hour',
    '45 * * * *',
    'Australia/Lord_Howe',
    '2027-04-03T14:00Z',
    ['04-03T14:45', '04-03T15:15', '04-03T16:15'],
  ],
  ['gap at the end of Ramadan', '30 2 * * *', 'Africa/Casablanca', '2026-03-21T12:00Z', ['03-22T02:00', '03-23T01:30']],
  ['overlap at its beginning', '30 2 * * *', 'Africa/Casablanca', '2026-02-14T12:00Z', ['02-15T01:30', '02-16T02:30']],
] as const;

for (const [name, cron, zone, after, expected] of DST) {
  test(`clock changes, ${zone}: ${name}`, () => {
    assert.deepEqual(ticks(cron, zone, after, expected.length), expected);
  });
}

test('the dialect supports lists, ranges, steps, names, macros, and Sunday as 0 or 7', () => {
  const accepted = [
    ['*/15 * * * *', 'minutes', [0, 15, 30, 45]],
    ['1-9/4,0 * * * *', 'minutes', [0, 1, 5, 9]],
    ['0 0 1 jan,MAR-apr *', 'months', [1, 3, 4]],
    ['0 0 * * 0', 'weekdays', [0]],
    ['0 0 * * 7', 'weekdays', [0]],
    ['0 0 * * FRI-SUN', 'weekdays', [0, 5, 6]],
    ['0 0 * * 5-7', 'weekdays', [0, 5, 6]],
    ['@weekly', 'weekdays', [0]],
    [' @Daily ', 'hours', [0]],
    ['0  0\t* * *', 'minutes', [0]],
  ] as const;
  for (const [cron, field, expected] of accepted) assert.deepEqual(parseCron(cron)[field], expected, cron);
  assert.deepEqual(ticks('0 0 13 * FRI', 'UTC', '2026-11-10T00:00Z', 2), ['11-13T00:00', '11-20T00:00']);
});

test('invalid cron expressions are rejected', () => {
  const refused = [
    '',
    '* * * *',
    '* * * * * *',
    '@reboot',
    '@annually',
    'H * * * *',
    '? * * * *',
    '* * 1W * *',
    '* * L * *',
    '* * * * 5#2',
    '5/15 * * * *',
    '*/0 * * * *',
    '*/60 * * * *',
    '30-10 * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 13 *',
    '* * * 0 *',
    '* * * * 8',
    '* * * * SAT-FRI',
    '1,,2 * * * *',
    '-1 * * * *',
    '1- * * * *',
    '1-2-3 * * * *',
    '*/5/5 * * * *',
    '1.5 * * * *',
    '１ * * * *',
    '* * * FOO *',
    '0 0 31 2 *',
    '0 0 30,31 2 *',
    '0 0 31 4,6 *',
    `${'1,'.repeat(60)}1 * * * *`,
    '* '.repeat(5000),
  ];
  for (const cron of refused) assert.notEqual(checkCron(cron), null, cron.slice(0, 40));
  assert.equal(checkCron('0 0 29 2 *'), null);
  assert.equal(checkCron('0 0 31 2 MON'), null);
});

test('only time zones of the IANA database are accepted', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/Argentina/Ushuaia', 'Etc/GMT+5'])
    assert.ok(isTimeZone(zone), zone);
  const refused = ['Mars/Base', '../../etc/localtime', '+01:00', '', 'UTC ', 'Europe/Berlin/', 'a'.repeat(10_240)];
  for (const zone of refused) assert.equal(isTimeZone(zone), false, zone.slice(0, 40));
});

test('ticks are counted without iterating over them', () => {
  const from = at('2026-01-01T00:00Z');
  const expected = [
    ['* * * * *', 43_200],
    ['*/7 9-17 * * MON-FRI', 9 * 9 * 22],
    ['0 0 1 * *', 0],
    ['30 6 * * *', 30],
  ] as const;
  for (const [cron, count] of expected)
    assert.equal(countTicksIn30Days(createSchedule(cron, 'UTC'), from), count, cron);
  const { nextTick } = createSchedule('7,50 */5 * * SUN', 'America/New_York');
  let counted = 0;
  for (let tick = nextTick(from); tick !== null && tick <= from + 40 * DAY; tick = nextTick(tick)) counted += 1;
  assert.equal(countTicks(createSchedule('7,50 */5 * * SUN', 'America/New_York'), from, from + 40 * DAY), counted);
});

test('the shortest gap within 400 days is found across the ends of hours, days and months', () => {
  const from = at('2026-01-01T00:00Z');
  const expected = [
    ['* * * * *', MINUTE],
    ['*/40 * * * *', 20 * MINUTE],
    ['59,0 0,23 * * *', MINUTE],
    ['0 */5 * * *', 4 * HOUR],
    ['0 0 * * MON,TUE', DAY],
    ['0 0 1 * *', 28 * DAY],
    ['0 0 29 2 *', null],
    ['@hourly', HOUR],
    ['0 0 31,1 * *', DAY],
  ] as const;
  for (const [cron, gap] of expected) assert.equal(computeShortestGap(createSchedule(cron, 'UTC'), from), gap, cron);
});

test('a run starts a fixed fraction of the interval after its tick', () => {
  assert.equal(computeJitter('mon_1', 5 * MINUTE), 0);
  const spread = Array.from({ length: 200 }, (_, index) => computeJitter(`mon_${index}`, HOUR));
  assert.ok(spread.every((ms) => ms >= 0 && ms < 5 * MINUTE));
  assert.ok(Math.max(...spread) > 4 * MINUTE && Math.min(...spread) < MINUTE);
  assert.equal(computeJitter('mon_1', HOUR), spread[1]);
  assert.ok(computeJitter('mon_1', 10 * MINUTE) < MINUTE);
});

test('after a pause the newest missed tick is caught up, unless it is too old', () => {
  const hourly = createSchedule('0 * * * *', 'UTC');
  const now = at('2026-01-10T12:30Z');
  assert.deepEqual(findCatchUp(hourly, at('2026-01-10T09:00Z'), now), { tick: at('2026-01-10T12:00Z'), missed: 4 });
  assert.deepEqual(findCatchUp(hourly, at('2025-12-10T09:00Z'), now), { tick: at('2026-01-10T12:00Z'), missed: 748 });
  const weekly = createSchedule('0 12 * * SAT', 'UTC');
  assert.equal(findCatchUp(weekly, at('2026-01-03T12:00Z'), at('2026-01-05T12:00Z')), null);
  assert.deepEqual(findCatchUp(weekly, at('2026-01-10T12:00Z'), now), { tick: at('2026-01-10T12:00Z'), missed: 1 });
  const fiveMinutely = createSchedule('0-10/5 3 * * *', 'UTC');
  assert.equal(
    findCatchUp(fiveMinutely, at('2026-01-10T03:00Z'), at('2026-01-10T03:04Z'))?.tick,
    at('2026-01-10T03:00Z'),
  );
  assert.equal(findCatchUp(createSchedule('* * * * *', 'UTC'), now - 3 * HOUR, now)?.missed, 181);
  assert.equal(findCatchUp(hourly, at('2026-01-10T13:00Z'), now), null);
});

test('the last tick is found from any distance', () => {
  const monthly = createSchedule('0 0 1 * *', 'UTC');
  assert.equal(findLastTick(monthly, at('2026-01-15T00:00Z'), at('2025-12-15T00:00Z')), at('2026-01-01T00:00Z'));
  assert.equal(findLastTick(monthly, at('2026-01-15T00:00Z'), at('2026-01-02T00:00Z')), null);
  assert.equal(findLastTick(monthly, at('2026-01-01T00:00Z'), at('2026-01-01T00:00Z')), at('2026-01-01T00:00Z'));
});

test('a monitor that keeps failing runs less and less often, at least daily', () => {
  const hours = [0, 2, 3, 4, 5, 6, 7, 8, 90].map((failures) => computeBackoffEnd(0, HOUR, failures));
  assert.deepEqual(
    hours.map((until) => (until === null ? null : until / HOUR)),
    [null, null, 2, 4, 8, 16, 24, 24, 24],
  );
  assert.equal(computeBackoffEnd(0, 7 * DAY, 5), null);
  const hourly = createSchedule('0 * * * *', 'UTC');
  assert.equal(findNextTick(hourly, at('2026-01-01T00:00Z'), 1), at('2026-01-01T01:00Z'));
  assert.equal(findNextTick(hourly, at('2026-01-01T00:00Z'), 4), at('2026-01-01T04:00Z'));
  assert.deepEqual(
    [
      hasFailedTooLong(99, 0, DAY),
      hasFailedTooLong(100, 0, DAY),
      hasFailedTooLong(5, 0, 30 * DAY),
      hasFailedTooLong(0, 0, 30 * DAY),
    ],
    [false, true, true, false],
  );
});

test('a schedule in words becomes the cron expression that means exactly the same', () => {
  const texts = ['every 30 minutes', 'every hour', 'Every 6 hours', 'hourly', 'daily at 9:00', 'every friday at 17:30'];
  assert.deepEqual(texts.map(readCronWords), [
    '*/30 * * * *',
    '0 */1 * * *',
    '0 */6 * * *',
    '0 * * * *',
    '0 9 * * *',
    '30 17 * * 5',
  ]);
  assert.equal(readCronWords('5 4 * * *'), '5 4 * * *');
});

test('words without such an expression are no cron expression', () => {
  for (const text of ['every 7 hours', 'every 45 minutes', 'daily at 25:00', 'every someday', 'now and then'])
    assert.match(checkCron(readCronWords(text)) ?? '', /expected five fields/);
});
