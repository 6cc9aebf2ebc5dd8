import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeWindow } from '#features/monitors/store/digest-windows.ts';
import { createLocalTimeFormat } from '#features/monitors/schedule/schedule.ts';

type Case = readonly [
  what: string,
  rule: Parameters<typeof computeWindow>[0],
  zone: string,
  now: string,
  from: string,
  to: string,
];

const CASES: readonly Case[] = [
  [
    'hours of the clock',
    { interval_minutes: 60 },
    'UTC',
    '2026-11-21T12:10:20Z',
    '2026-11-21T12:00:00Z',
    '2026-11-21T13:00:00Z',
  ],
  [
    'an instant at the end of a window begins the next',
    { interval_minutes: 15 },
    'UTC',
    '2026-11-21T12:15:00Z',
    '2026-11-21T12:15:00Z',
    '2026-11-21T12:30:00Z',
  ],
  [
    'days from a time of day',
    { interval_minutes: 1440, at: '08:00' },
    'Europe/Berlin',
    '2026-11-21T06:59:59Z',
    '2026-11-20T07:00:00Z',
    '2026-11-21T07:00:00Z',
  ],
  [
    'half an hour off the whole one',
    { interval_minutes: 60 },
    'Asia/Kolkata',
    '2026-11-21T12:00:00Z',
    '2026-11-21T11:30:00Z',
    '2026-11-21T12:30:00Z',
  ],
  [
    'a day of 23 hours',
    { interval_minutes: 1440, at: '08:00' },
    'Europe/Berlin',
    '2026-03-28T20:00:00Z',
    '2026-03-28T07:00:00Z',
    '2026-03-29T06:00:00Z',
  ],
  [
    'a day of 25 hours',
    { interval_minutes: 1440, at: '08:00' },
    'Europe/Berlin',
    '2026-10-24T20:00:00Z',
    '2026-10-24T06:00:00Z',
    '2026-10-25T07:00:00Z',
  ],
  [
    'an end that the clocks skip',
    { interval_minutes: 1440, at: '02:30' },
    'Europe/Berlin',
    '2026-03-28T12:00:00Z',
    '2026-03-28T01:30:00Z',
    '2026-03-29T01:30:00Z',
  ],
  [
    'weeks',
    { interval_minutes: 10_080, at: '09:00' },
    'UTC',
    '2026-11-21T12:00:00Z',
    '2026-11-19T09:00:00Z',
    '2026-11-26T09:00:00Z',
  ],
];

test('digest windows end at the same local times across clock changes', () => {
  for (const [what, rule, zone, now, from, to] of CASES) {
    const window = computeWindow(rule, createLocalTimeFormat(zone), Date.parse(now));
    assert.deepEqual(
      [new Date(window.from).toISOString(), new Date(window.to).toISOString()],
      [new Date(from).toISOString(), new Date(to).toISOString()],
      what,
    );
  }
});

test('a window contains its instant throughout a year with clock changes', () => {
  for (const zone of ['Europe/Berlin', 'Australia/Lord_Howe']) {
    const wall = createLocalTimeFormat(zone);
    for (let at = Date.parse('2026-01-01T00:00:30Z'); at < Date.parse('2027-01-01T00:00:00Z'); at += 31 * 3_300_000) {
      for (const interval_minutes of [15, 720]) {
        const { from, to } = computeWindow({ interval_minutes }, wall, at);
        assert.ok(to > at, `${zone} ${new Date(at).toISOString()} ${interval_minutes}`);
        assert.ok(from <= at, `${zone} ${new Date(at).toISOString()} ${interval_minutes}`);
      }
    }
  }
});
