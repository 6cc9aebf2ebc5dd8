import { z } from 'zod';
import type { CommandView } from '#engine/call/command-view.ts';
import { declareControl, declareRawControl, type Operation } from '#engine/call/operation.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { buildListOutput } from '#features/schema/lists.ts';
import { HOTEL_PROVIDERS } from '#features/sites/hotels/rates-operation.ts';
import type { WebhookInput } from '#features/webhooks/schema.ts';
import { MONITORS_VIEW, SCHEDULE_VIEW } from './command-view.ts';
import { buildHotelInput, HotelPatch } from './hotel-input.ts';
import { LaunchInput, LaunchPatch } from './launch-input.ts';
import { EXAMPLE_ID, Monitor, MonitorIdInput, PAGE_FIELDS, MonitorPageInput, QueuedRun } from './schemas.ts';
import { ChangeRecord, HotelChange, RunRecord } from './store/monitor-record.ts';
import type { MonitorKind } from '#features/monitors/presets/preset.ts';

type NewMonitorBody = JsonObject & { readonly webhook: WebhookInput | null };
type MonitorChange = JsonObject & { readonly id: string; readonly webhook?: WebhookInput | null | undefined };

/** What is specific to one group of preset routes. */
type PresetOptions<C extends z.ZodType<NewMonitorBody>, P extends z.ZodType<MonitorChange>, R extends z.ZodType> = {
  /** First segment of its paths, and first word of its commands. */
  readonly site: string;
  /** Part of the method names in the clients: `HotelB` in `createHotelBMonitor`. */
  readonly noun: string;
  /** What is watched, for summaries. */
  readonly about: string;
  /** The kinds that it serves. Any other monitor is `not_found`. */
  readonly kinds: readonly [MonitorKind, ...MonitorKind[]];
  readonly create: C;
  readonly example: z.input<C>;
  readonly patch: P;
  readonly patchExample: z.input<P>;
  /** Schema of a change in its lists. */
  readonly change: R;
  /** Filters of its list. */
  readonly filters: { readonly provider?: z.ZodType<string | undefined> };
  /** Whether a manual run is waited for. */
  readonly waitsForRun: boolean;
  /** Alternative first word of its commands, if it has one. */
  readonly alias?: string;
};

const PLAN = 'starter' as const;
const ERRORS = ['plan_upgrade_required'] as const;

/** Declares the ten operations of preset monitors under one prefix. */
export function declarePresetOperations<
  C extends z.ZodType<NewMonitorBody>,
  P extends z.ZodType<MonitorChange>,
  R extends z.ZodType,
>(parts: PresetOptions<C, P, R>) {
  const { site, noun, about, kinds, create, example, filters } = parts;
  const { at, named, ofId } = buildNames(parts);
  return {
    kinds,
    waitsForRun: parts.waitsForRun,
    create: declareRawControl({
      ...named('create'),
      plan: PLAN,
      clientName: `create${noun}Monitor`,
      route: `POST ${at}`,
      summary: `Watch ${about}, as ${site}; the first run starts immediately`,
      errors: [...ERRORS, 'idempotency_conflict'],
      input: create,
      output: Monitor,
      successes: [{ status: 201, meaning: 'The monitor; current_run_id is its first run', type: 'application/json' }],
      example,
    }),
    list: declareControl({
      ...named('list'),
      plan: PLAN,
      clientName: `list${noun}Monitors`,
      route: `GET ${at}`,
      summary: `Your monitors of ${site}, newest first`,
      errors: [...ERRORS],
      input: z.strictObject({
        active: z.boolean().optional().describe('Only monitors with an active (or inactive) schedule'),
        kind: z.enum(kinds).optional().describe('Only monitors of this kind'),
        ...filters,
        ...PAGE_FIELDS,
      }),
      output: buildListOutput(Monitor),
      example: { active: true },
    }),
    show: declareControl({
      ...named('show'),
      ...ofId,
      clientName: `get${noun}Monitor`,
      route: `GET ${at}/{id}`,
      summary: `One monitor of ${site}`,
      input: MonitorIdInput,
      output: Monitor,
    }),
    update: declareUpdate(parts),
    remove: declareRawControl({
      ...named('delete'),
      ...ofId,
      clientName: `delete${noun}Monitor`,
      route: `DELETE ${at}/{id}`,
      summary: `Delete a monitor of ${site} with its history`,
      input: MonitorIdInput,
      output: z.object({}),
      successes: [{ status: 204, meaning: 'The monitor is deleted, and nothing more is delivered', type: null }],
    }),
    trigger: declareTrigger(parts),
    ...declareHistory(parts),
  };
}

type PresetNames = { readonly site: string; readonly noun: string; readonly alias?: string };

/** Builds the paths, ids and commands of the operations. */
function buildNames({ site, alias }: PresetNames) {
  return {
    at: `/v1/${site}/monitors` as const,
    ofId: { plan: PLAN, errors: [...ERRORS, 'not_found' as const], example: { id: EXAMPLE_ID } } as const,
    named: (word: string) => ({ id: `${site}.monitors.${word}`, ...chooseView(alias, word) }),
  };
}

/** The views of the general operations by the last word of their commands. */
const VIEWS: Readonly<Partial<Record<string, CommandView>>> = {
  list: MONITORS_VIEW,
  create: SCHEDULE_VIEW,
  update: SCHEDULE_VIEW,
};

/** Chooses the view of a command, with its alias. */
function chooseView(alias: string | undefined, word: string): { readonly view?: CommandView } {
  const view = VIEWS[word];
  if (alias === undefined) return view === undefined ? {} : { view };
  return { view: { ...view, aliases: [{ words: [alias, ...word.split('.')], adds: [] }] } };
}

/** Declares the manual run, which is waited for, or only queued. */
function declareTrigger({ waitsForRun, ...parts }: PresetNames & { readonly waitsForRun: boolean }) {
  const { at, named } = buildNames(parts);
  const queued = { status: 202, meaning: 'The run continues: read it by its id', type: 'application/json' } as const;
  return declareRawControl({
    ...named('trigger'),
    plan: PLAN,
    clientName: `trigger${parts.noun}Monitor`,
    route: `POST ${at}/{id}/trigger`,
    summary: waitsForRun
      ? `Run a monitor of ${parts.site} now and wait for it to end; waits for the active run if there is one`
      : `Run a monitor of ${parts.site} now, in addition to its schedule; returns the active run if there is one`,
    errors: [
      ...ERRORS,
      'not_found',
      'credits_exhausted',
      'daily_credit_cap_exceeded',
      'rate_limited',
      'idempotency_conflict',
    ],
    input: MonitorIdInput,
    output: waitsForRun ? z.union([RunRecord.extend({ run_id: z.string() }), QueuedRun]) : QueuedRun,
    successes: waitsForRun
      ? [{ status: 200, meaning: 'The run has ended', type: 'application/json' }, queued]
      : [{ ...queued, meaning: 'The run is queued' }],
    example: { id: EXAMPLE_ID },
  });
}

/** Declares the change of a monitor. */
function declareUpdate<P extends z.ZodType<MonitorChange>>(
  parts: PresetNames & { readonly patch: P; readonly patchExample: z.input<P> },
) {
  const { at, named } = buildNames(parts);
  const { noun, patch } = parts;
  return declareControl({
    ...named('update'),
    plan: PLAN,
    errors: [...ERRORS, 'not_found'],
    clientName: `update${noun}Monitor`,
    route: `PATCH ${at}/{id}`,
    summary: `Change a monitor of ${parts.site}: omitted fields keep their value, null removes, objects are merged`,
    input: patch,
    output: Monitor,
    example: parts.patchExample,
  });
}

function declareHistory<R extends z.ZodType>({ change, ...parts }: PresetNames & { readonly change: R }) {
  const { at, named, ofId } = buildNames(parts);
  const { site, noun } = parts;
  return {
    runs: declareControl({
      ...named('runs'),
      ...ofId,
      clientName: `list${noun}Runs`,
      route: `GET ${at}/{id}/runs`,
      summary: `Runs of a monitor of ${site} in the last 90 days with the observed values, newest first`,
      input: MonitorPageInput,
      output: buildListOutput(RunRecord),
    }),
    latestRun: declareControl({
      ...named('runs.latest'),
      ...ofId,
      clientName: `getLatest${noun}Run`,
      route: `GET ${at}/{id}/runs/latest`,
      summary: `The latest run of a monitor of ${site}, in any state`,
      input: MonitorIdInput,
      output: RunRecord,
    }),
    changes: declareControl({
      ...named('changes'),
      ...ofId,
      clientName: `list${noun}Changes`,
      route: `GET ${at}/{id}/changes`,
      summary: `Changes found by a monitor of ${site} in the last 90 days, newest first`,
      input: MonitorPageInput,
      output: buildListOutput(change),
    }),
    latestChange: declareControl({
      ...named('changes.latest'),
      ...ofId,
      clientName: `getLatest${noun}Change`,
      route: `GET ${at}/{id}/changes/latest`,
      summary: `The latest change found by a monitor of ${site}`,
      input: MonitorIdInput,
      output: change,
    }),
  };
}

const EXAMPLE_STAY = {
  check_in: '2027-03-01',
  check_out: '2027-03-03',
  watch: { thresholds: { pct: 5 } },
  cron: '0 */6 * * *',
  webhook: 'https://hooks.example/rates',
};

const EXAMPLE_SWITCHED_OFF = { id: EXAMPLE_ID, active: false };

const HOTEL_OPTIONS = {
  about: 'the cheapest rate of a stay, on one site or on several',
  kinds: ['hotel', 'hotel_channels'],
  patch: HotelPatch,
  patchExample: { id: EXAMPLE_ID, check_in: '2027-03-08', check_out: '2027-03-10' },
  change: HotelChange,
  filters: { provider: z.enum(HOTEL_PROVIDERS).optional().describe('Only monitors with a channel on this site') },
  waitsForRun: true,
} as const;

/**
 * Rate monitors under the path of each hotel site. Only the creation of a single-site monitor is specific to the site.
 */
export const hotelBMonitors = declarePresetOperations({
  ...HOTEL_OPTIONS,
  site: 'hotel-b',
  noun: 'HotelB',
  create: buildHotelInput('hotel-b'),
  example: { property_id: 'gb/gardencourthotel', ...EXAMPLE_STAY },
  alias: 'hotels',
});

export const hotelAMonitors = declarePresetOperations({
  ...HOTEL_OPTIONS,
  site: 'hotel-a',
  noun: 'HotelA',
  create: buildHotelInput('hotel-a'),
  example: { url: 'https://www.agoda.com/the-langham-london-hotel/hotel/london-gb.html', ...EXAMPLE_STAY },
});

/** Monitors of the upvotes of a product. */
export const launchMonitors = declarePresetOperations({
  site: 'launches',
  noun: 'Launch',
  about: 'the upvotes of a product',
  kinds: ['launch'],
  create: LaunchInput,
  example: {
    slug: 'quern',
    watch: { thresholds: { abs: 50 } },
    cron: '@hourly',
    webhook: 'https://hooks.example/launch',
  },
  patch: LaunchPatch,
  patchExample: EXAMPLE_SWITCHED_OFF,
  change: ChangeRecord,
  filters: {},
  waitsForRun: false,
});

/** All these operations, in the order of the docs. */
export const presetOperations: readonly Operation[] = [hotelBMonitors, hotelAMonitors, launchMonitors].flatMap(
  ({ kinds: _kinds, waitsForRun: _waitsForRun, ...operations }): readonly Operation[] => Object.values(operations),
);
