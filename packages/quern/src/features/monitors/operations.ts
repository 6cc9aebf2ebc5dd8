import { z } from 'zod';
import { ChangeRecord, RunRecord } from '#features/monitors/store/monitor-record.ts';
import { MONITOR_KINDS } from '#features/monitors/presets/preset.ts';
import { declareControl, declareRawControl } from '#engine/call/operation.ts';
import { buildListOutput } from '#features/schema/lists.ts';
import { MonitorInput, MonitorPatch } from './definition-input.ts';
import { CREATE_MONITOR_VIEW, MONITORS_VIEW, UPDATE_MONITOR_VIEW } from './command-view.ts';
import {
  CHANGES_TOOL,
  CREATE_MONITOR_TOOL,
  MONITORS_TOOL,
  RUNS_TOOL,
  SHOW_MONITOR_TOOL,
  UPDATE_MONITOR_TOOL,
} from './tool-view.ts';
import { EXAMPLE_ID, Monitor, MonitorIdInput, PAGE_FIELDS, MonitorPageInput, QueuedRun } from './schemas.ts';

const example = {
  url: 'https://shop.example/espresso-machine',
  extract: { price: 'money' as const, availability: 'string' as const },
  watch: { thresholds: { price: { pct: 5 } } },
  cron: '0 * * * *',
  webhook: 'https://hooks.example/prices',
};

export const createMonitor = declareRawControl({
  id: 'monitors.create',
  clientName: 'createMonitor',
  route: 'POST /v1/monitors',
  summary: 'Watch a page, or the result of any priced operation; the first run starts immediately',
  errors: ['plan_upgrade_required', 'idempotency_conflict'],
  input: MonitorInput,
  output: Monitor,
  successes: [{ status: 201, meaning: 'The monitor; current_run_id is its first run', type: 'application/json' }],
  example,
  view: CREATE_MONITOR_VIEW,
  agent: CREATE_MONITOR_TOOL,
});

export const listMonitors = declareControl({
  id: 'monitors.list',
  clientName: 'listMonitors',
  route: 'GET /v1/monitors',
  summary: 'Your monitors, newest first; long definitions are truncated',
  errors: [],
  input: z.strictObject({
    active: z.boolean().optional().describe('Only monitors with an active (or inactive) schedule'),
    kind: z.enum(MONITOR_KINDS).optional().describe('Only monitors of this kind'),
    ...PAGE_FIELDS,
  }),
  output: buildListOutput(Monitor),
  example: { active: true },
  view: MONITORS_VIEW,
  agent: MONITORS_TOOL,
});

export const showMonitor = declareControl({
  id: 'monitors.show',
  clientName: 'getMonitor',
  route: 'GET /v1/monitors/{id}',
  summary: 'One monitor',
  errors: ['not_found'],
  input: MonitorIdInput,
  output: Monitor,
  example: { id: EXAMPLE_ID },
  agent: SHOW_MONITOR_TOOL,
});

export const updateMonitor = declareControl({
  id: 'monitors.update',
  clientName: 'updateMonitor',
  route: 'PATCH /v1/monitors/{id}',
  summary: 'Change a monitor: omitted fields keep their value, null removes, objects are merged',
  errors: ['not_found', 'plan_upgrade_required'],
  input: MonitorPatch,
  output: Monitor,
  example: { id: EXAMPLE_ID, active: false },
  view: UPDATE_MONITOR_VIEW,
  agent: UPDATE_MONITOR_TOOL,
});

export const deleteMonitor = declareRawControl({
  id: 'monitors.delete',
  clientName: 'deleteMonitor',
  route: 'DELETE /v1/monitors/{id}',
  summary: 'Delete a monitor with its history',
  errors: ['not_found'],
  input: MonitorIdInput,
  output: z.object({}),
  successes: [{ status: 204, meaning: 'The monitor is deleted, and nothing more is delivered', type: null }],
  example: { id: EXAMPLE_ID },
  agent: SHOW_MONITOR_TOOL,
});

export const triggerMonitor = declareRawControl({
  id: 'monitors.trigger',
  clientName: 'triggerMonitor',
  route: 'POST /v1/monitors/{id}/trigger',
  summary: 'Run a monitor now, in addition to its schedule; returns the active run if there is one',
  errors: [
    'not_found',
    'plan_upgrade_required',
    'credits_exhausted',
    'daily_credit_cap_exceeded',
    'rate_limited',
    'idempotency_conflict',
  ],
  input: MonitorIdInput,
  output: QueuedRun,
  successes: [{ status: 202, meaning: 'The run is queued', type: 'application/json' }],
  example: { id: EXAMPLE_ID },
  agent: SHOW_MONITOR_TOOL,
});

export const monitorRuns = declareControl({
  id: 'monitors.runs',
  clientName: 'listRuns',
  route: 'GET /v1/monitors/{id}/runs',
  summary: 'Runs of a monitor in the last 90 days with the observed values, newest first',
  errors: ['not_found'],
  input: MonitorPageInput,
  output: buildListOutput(RunRecord),
  example: { id: EXAMPLE_ID },
  agent: RUNS_TOOL,
});

export const latestRun = declareControl({
  id: 'monitors.runs.latest',
  clientName: 'getLatestRun',
  route: 'GET /v1/monitors/{id}/runs/latest',
  summary: 'The latest run of a monitor, in any state',
  errors: ['not_found'],
  input: MonitorIdInput,
  output: RunRecord,
  example: { id: EXAMPLE_ID },
});

export const monitorChanges = declareControl({
  id: 'monitors.changes',
  clientName: 'listChanges',
  route: 'GET /v1/monitors/{id}/changes',
  summary: 'Changes found by a monitor in the last 90 days, newest first',
  errors: ['not_found'],
  input: MonitorPageInput,
  output: buildListOutput(ChangeRecord),
  example: { id: EXAMPLE_ID },
  agent: CHANGES_TOOL,
});

export const latestChange = declareControl({
  id: 'monitors.changes.latest',
  clientName: 'getLatestChange',
  route: 'GET /v1/monitors/{id}/changes/latest',
  summary: 'The latest change found by a monitor',
  errors: ['not_found'],
  input: MonitorIdInput,
  output: ChangeRecord,
  example: { id: EXAMPLE_ID },
});
