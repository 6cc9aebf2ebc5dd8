import { z } from 'zod';
import { PricePayload } from '#features/monitors/presets/rates-view.ts';
import {
  ChangeFacts,
  MonitorFailing,
  MonitorRecovered,
  MonitorStopped,
  RateParityAlert,
} from '#features/monitors/store/monitor-record.ts';
import { MONITOR_KINDS } from '#features/monitors/presets/preset.ts';
import { declareEvent } from '#features/webhooks/declare-event.ts';
import { TEST_EVENT } from '#features/webhooks/schema.ts';
import { nameSchema } from '#extract/schema/names.ts';

const MONITOR_ID = 'mon_01kat6v3g5f2q8r9s0tvwxyzab';
const RUN_ID = 'run_01kat6v3g5f2q8r9s0tvwxyzab';
const CHANGE_ID = 'chg_01kat6v3g5f2q8r9s0tvwxyzab';

/** The fields of an event that identify its monitor. */
const SUBJECT_FIELDS = {
  monitor_id: z.string(),
  monitor: nameSchema(
    'WatchingMonitor',
    z.object({
      id: z.string(),
      name: z.string(),
      kind: z.enum(MONITOR_KINDS),
      provider: z.string().optional().describe('Site of a hotel monitor that watches a single site'),
      url: z.string().optional(),
    }),
  ),
  metadata: z.record(z.string(), z.unknown()).describe('Metadata of the monitor'),
};
const EXAMPLE_SUBJECT = {
  monitor_id: MONITOR_ID,
  monitor: { id: MONITOR_ID, name: 'Espresso machine', kind: 'generic', url: 'https://shop.example/espresso-machine' },
  metadata: {},
};
const EXAMPLE_CHANGES = [{ field: 'price', previous_value: 100, new_value: 105, op: 'changed' }];

const EXAMPLE_ERROR = { code: 'target_blocked', message: 'the page answered 503', retryable: true };
const EXAMPLE_CHANNELS = { id: MONITOR_ID, name: 'gb/garden-court', kind: 'hotel_channels' };

const { changes, content } = ChangeFacts.shape;

/** The events of monitors, and the test event of a webhook. */
export const MONITOR_EVENT_DECLARATIONS = [
  declareEvent({
    type: 'monitor.change_detected',
    summary: 'A monitor found a change',
    about: { ...SUBJECT_FIELDS, run_id: z.string(), change_id: z.string(), first_run: z.literal(true).optional() },
    data: z.union([
      z.object({ changes, truncated: z.literal(true).optional(), content: content.unwrap().optional() }),
      PricePayload.describe('For a hotel monitor that only watches hotel-b'),
    ]),
    example: {
      about: { ...EXAMPLE_SUBJECT, run_id: RUN_ID, change_id: CHANGE_ID },
      data: { changes: EXAMPLE_CHANGES },
    },
  }),
  declareEvent({
    type: 'monitor.rate_parity_alert',
    summary: 'The prices of one stay differ too much between sites',
    about: { ...SUBJECT_FIELDS, run_id: z.string(), change_id: z.string() },
    data: RateParityAlert,
    example: {
      about: { ...EXAMPLE_SUBJECT, monitor: EXAMPLE_CHANNELS, run_id: RUN_ID, change_id: CHANGE_ID },
      data: {
        provider_low: 'hotel-a',
        provider_high: 'hotel-b',
        spread: { abs: 18, pct: 10 },
        threshold: { pct: 5 },
        previous_spread: { abs: 4, pct: 2.2222 },
        prices: [
          { provider: 'hotel-b', price: 198, currency: 'EUR' },
          { provider: 'hotel-a', price: 180, currency: 'EUR' },
        ],
        params: {
          check_in: '2027-03-01',
          check_out: '2027-03-03',
          nights: 2,
          adults: 2,
          children: [],
          rooms: 1,
          currency: 'EUR',
        },
      },
    },
  }),
  declareEvent({
    type: 'monitor.digest',
    summary: 'The changes of a period, for a monitor with watch.digest',
    about: SUBJECT_FIELDS,
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
        .describe('The first hundred changes'),
      truncated: z.literal(true).optional().describe('There are more changes than items lists'),
    }),
    example: {
      about: EXAMPLE_SUBJECT,
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
    type: 'monitor.failing',
    summary:
      'As many runs in a row as watch.failing_after have failed or were skipped; sent once until a run completes',
    about: { ...SUBJECT_FIELDS, run_id: z.string() },
    data: MonitorFailing,
    example: {
      about: { ...EXAMPLE_SUBJECT, run_id: RUN_ID },
      data: {
        runs_without_result: 3,
        since: '2026-11-21T10:00:09.000Z',
        error: EXAMPLE_ERROR,
        status: 'failed',
        next_run_at: '2026-11-21T14:00:00.000Z',
      },
    },
  }),
  declareEvent({
    type: 'monitor.recovered',
    summary: 'A run of a monitor completed after monitor.failing or monitor.stopped',
    about: { ...SUBJECT_FIELDS, run_id: z.string() },
    data: MonitorRecovered,
    example: {
      about: { ...EXAMPLE_SUBJECT, run_id: RUN_ID },
      data: { runs_without_result: 4, since: '2026-11-21T10:00:09.000Z' },
    },
  }),
  declareEvent({
    type: 'monitor.stopped',
    summary: 'The service stopped running a monitor; not sent if you switch it off',
    about: {
      ...SUBJECT_FIELDS,
      run_id: z.string().optional().describe('The last failed run, if failures are the reason'),
    },
    data: MonitorStopped,
    example: {
      about: { ...EXAMPLE_SUBJECT, run_id: RUN_ID },
      data: { reason: 'failing', runs_without_result: 100, since: '2026-10-25T10:00:09.000Z', error: EXAMPLE_ERROR },
    },
  }),
  declareEvent({
    type: TEST_EVENT,
    summary: 'A test event that you requested',
    about: { monitor_id: z.string() },
    data: z.object({ message: z.string() }),
    example: { about: { monitor_id: MONITOR_ID }, data: { message: 'This is a test of your webhook.' } },
  }),
];
