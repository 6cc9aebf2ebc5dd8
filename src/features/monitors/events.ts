import { z } from 'zod';
import { ChangeFacts } from '#features/monitors/store/monitor-record.ts';
import { MONITOR_KINDS } from '#features/monitors/store/monitor-row.ts';
import { declareEvent } from '#features/webhooks/declare-event.ts';
import { TEST_EVENT } from '#features/webhooks/schema.ts';
import { named } from '#kernel/schema-names.ts';

const MONITOR_ID = 'mon_01kat6v3g5f2q8r9s0tvwxyzab';
const RUN_ID = 'run_01kat6v3g5f2q8r9s0tvwxyzab';
const CHANGE_ID = 'chg_01kat6v3g5f2q8r9s0tvwxyzab';

/** The members of an event that identify its monitor. */
const ABOUT = {
  monitor_id: z.string(),
  monitor: named(
    'WatchingMonitor',
    z.object({ id: z.string(), name: z.string(), kind: z.enum(MONITOR_KINDS), url: z.string().optional() }),
  ),
  metadata: z.record(z.string(), z.unknown()).describe('That of the monitor'),
};
const EXAMPLE_ABOUT = {
  monitor_id: MONITOR_ID,
  monitor: { id: MONITOR_ID, name: 'Espresso machine', kind: 'generic', url: 'https://shop.example/espresso-machine' },
  metadata: {},
};
const EXAMPLE_CHANGES = [{ field: 'price', previous_value: 100, new_value: 105, op: 'changed' }];

const { changes, content } = ChangeFacts.shape;

/** The events of monitors that are sent, and the test of a webhook. */
export const eventsOfMonitors = [
  declareEvent({
    type: 'monitor.change_detected',
    summary: 'A monitor has found a change',
    about: { ...ABOUT, run_id: z.string(), change_id: z.string(), first_run: z.literal(true).optional() },
    data: z.object({ changes, truncated: z.literal(true).optional(), content: content.unwrap().optional() }),
    example: {
      about: { ...EXAMPLE_ABOUT, run_id: RUN_ID, change_id: CHANGE_ID },
      data: { changes: EXAMPLE_CHANGES },
    },
  }),
  declareEvent({
    type: 'monitor.digest',
    summary: 'The changes of a window, of a monitor with watch.digest',
    about: ABOUT,
    data: z.object({
      period: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }),
      changes_count: z.int(),
      items: z
        .array(
          z.object({
            change_id: z.string(),
            run_id: z.string(),
            detected_at: z.iso.datetime(),
            changes,
            content: content.unwrap().omit({ unified_diff: true, diff_truncated: true }).optional(),
          }),
        )
        .describe('The first hundred'),
      truncated: z.literal(true).optional().describe('There are more than items has'),
    }),
    example: {
      about: EXAMPLE_ABOUT,
      data: {
        period: { from: '2026-11-21T11:00:00.000Z', to: '2026-11-21T12:00:00.000Z' },
        changes_count: 1,
        items: [
          {
            change_id: CHANGE_ID,
            run_id: RUN_ID,
            detected_at: '2026-11-21T11:30:00.000Z',
            changes: EXAMPLE_CHANGES,
          },
        ],
      },
    },
  }),
  declareEvent({
    type: TEST_EVENT,
    summary: 'A test that you asked for',
    about: { monitor_id: z.string() },
    data: z.object({ message: z.string() }),
    example: { about: { monitor_id: MONITOR_ID }, data: { message: 'This is a test of your webhook.' } },
  }),
];
