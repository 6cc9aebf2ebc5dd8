import { z } from 'zod';
import { HOTEL_PROVIDERS } from '#features/sites/hotels/channels.ts';
import { CREATE_MONITOR_VIEW, MONITORS_VIEW, SCHEDULE_VIEW, UPDATE_MONITOR_VIEW } from './command-view.ts';
import { MonitorInput, MonitorPatch } from './definition-input.ts';
import { buildHotelInput, HotelPatch } from './hotel-input.ts';
import { LaunchInput, LaunchPatch } from './launch-input.ts';
import { declareMonitorOperations, EXAMPLE_ID, type MonitorOperations, type MonitorSet } from './operations.ts';
import { MONITOR_KINDS } from './presets/preset.ts';
import { ALL_CHANGES, RATE_CHANGES } from './store/monitor-record.ts';
import {
  CHANGES_TOOL,
  CREATE_MONITOR_TOOL,
  MONITORS_TOOL,
  RUNS_TOOL,
  SHOW_MONITOR_TOOL,
  UPDATE_MONITOR_TOOL,
} from './tool-view.ts';

/** The operations for monitors of every kind. */
export const generalMonitors = declareMonitorOperations({
  prefix: null,
  noun: '',
  commandAlias: null,
  kinds: MONITOR_KINDS,
  summaries: {
    create: 'Watch a page, or the result of any priced operation; the first run starts immediately',
    list: 'Your monitors, newest first; long definitions are truncated',
  },
  create: MonitorInput,
  createExample: {
    url: 'https://shop.example/espresso-machine',
    extract: { price: 'money', availability: 'string' },
    watch: { thresholds: { price: { pct: 5 } } },
    cron: '0 * * * *',
    webhook: 'https://hooks.example/prices',
  },
  update: MonitorPatch,
  updateExample: { id: EXAMPLE_ID, active: false },
  filters: {},
  changeView: ALL_CHANGES,
  waitsForRun: false,
  presentations: {
    create: { view: CREATE_MONITOR_VIEW, agent: CREATE_MONITOR_TOOL },
    list: { view: MONITORS_VIEW, agent: MONITORS_TOOL },
    show: { agent: SHOW_MONITOR_TOOL },
    update: { view: UPDATE_MONITOR_VIEW, agent: UPDATE_MONITOR_TOOL },
    delete: { agent: SHOW_MONITOR_TOOL },
    trigger: { agent: SHOW_MONITOR_TOOL },
    runs: { agent: RUNS_TOOL },
    changes: { agent: CHANGES_TOOL },
  },
});

const PRESET_PRESENTATIONS: MonitorSet['presentations'] = {
  create: { view: SCHEDULE_VIEW },
  list: { view: MONITORS_VIEW },
  update: { view: SCHEDULE_VIEW },
};

const EXAMPLE_STAY = {
  check_in: '2027-03-01',
  check_out: '2027-03-03',
  watch: { thresholds: { pct: 5 } },
  cron: '0 */6 * * *',
  webhook: 'https://hooks.example/rates',
};

/** Builds the summaries of the operations that create and list. */
function buildSummaries(prefix: string, subject: string): MonitorSet['summaries'] {
  return {
    create: `Watch ${subject}, as ${prefix}; the first run starts immediately`,
    list: `Your monitors of ${prefix}, newest first`,
  };
}

const HOTEL_SUBJECT = 'the cheapest rate of a stay, on one site or on several';

/** What the hotel sites share. Only the creation of a single-site monitor is specific to a site. */
const HOTEL_SET = {
  kinds: ['hotel', 'hotel_channels'],
  update: HotelPatch,
  updateExample: { id: EXAMPLE_ID, check_in: '2027-03-08', check_out: '2027-03-10' },
  filters: { provider: z.enum(HOTEL_PROVIDERS).optional().describe('Only monitors with a channel on this site') },
  changeView: RATE_CHANGES,
  waitsForRun: true,
  presentations: PRESET_PRESENTATIONS,
} as const;

const hotelBMonitors = declareMonitorOperations({
  ...HOTEL_SET,
  prefix: 'hotel-b',
  noun: 'HotelB',
  commandAlias: 'hotels',
  summaries: buildSummaries('hotel-b', HOTEL_SUBJECT),
  create: buildHotelInput('hotel-b'),
  createExample: { property_id: 'gb/gardencourthotel', ...EXAMPLE_STAY },
});

const hotelAMonitors = declareMonitorOperations({
  ...HOTEL_SET,
  prefix: 'hotel-a',
  noun: 'HotelA',
  commandAlias: null,
  summaries: buildSummaries('hotel-a', HOTEL_SUBJECT),
  create: buildHotelInput('hotel-a'),
  createExample: { url: 'https://www.agoda.com/the-langham-london-hotel/hotel/london-gb.html', ...EXAMPLE_STAY },
});

/** Monitors of the upvotes of a product. */
const launchMonitors = declareMonitorOperations({
  prefix: 'launches',
  noun: 'Launch',
  commandAlias: null,
  kinds: ['launch'],
  summaries: buildSummaries('launches', 'the upvotes of a product'),
  create: LaunchInput,
  createExample: {
    slug: 'quern',
    watch: { thresholds: { abs: 50 } },
    cron: '@hourly',
    webhook: 'https://hooks.example/launch',
  },
  update: LaunchPatch,
  updateExample: { id: EXAMPLE_ID, active: false },
  filters: {},
  changeView: ALL_CHANGES,
  waitsForRun: false,
  presentations: PRESET_PRESENTATIONS,
});

/** The operations of every preset, in the order of the docs. */
export const presetMonitors: readonly MonitorOperations[] = [hotelBMonitors, hotelAMonitors, launchMonitors];
