import { z } from 'zod';
import type { CommandView } from '#engine/call/command-view.ts';
import { buildInputChecker } from '#engine/call/validation.ts';
import { observe } from '#features/monitors/compare/observation.ts';
import { buildShapes } from '#features/monitors/compare/shapes.ts';
import { MonitorRecord } from '#features/monitors/store/monitor-record.ts';
import { MonitorInput, toTarget } from './definition-input.ts';

/** A monitor without a schedule. */
const Unscheduled = z.looseObject({ id: z.string(), cron: z.null(), active: z.literal(true) });

/** Output of a new or changed monitor. A notice tells the user if it has no schedule and so never runs by itself. */
export const SCHEDULE_VIEW: CommandView = {
  toNotice(body) {
    const monitor = Unscheduled.safeParse(body).data;
    if (monitor === undefined) return null;
    return `${monitor.id} has no schedule: it runs only when triggered; --cron sets one, such as --cron @hourly or --cron '0 9 * * *'`;
  },
};

const MonitorList = z.object({ data: z.array(MonitorRecord) });
const checkInput = buildInputChecker({ input: MonitorInput });

/** `quern monitors create`: `--try` runs the target once and prints the observed values. */
export const CREATE_MONITOR_VIEW: CommandView = {
  ...SCHEDULE_VIEW,
  trial: {
    flag: 'try',
    about: 'Run it once and print the values that would be watched, without creating a monitor',
    prepare(raw) {
      const { input: monitor } = checkInput(raw);
      const target = toTarget(monitor);
      return {
        ...target,
        toText({ operation, body }) {
          const { input } = target;
          const seen = observe({ operation, input, body, watch: monitor.watch }, buildShapes(operation, input));
          return seen.content === null ? JSON.stringify(seen.values, null, 2) : (seen.content.text ?? '');
        },
      };
    },
    note: 'ran once, no monitor was created',
  },
};

/** Output of `quern monitors list`: a table. */
export const MONITORS_VIEW: CommandView = {
  table: { noun: 'monitors', toRows: (body) => MonitorList.parse(body).data.map(toTableRow) },
};

/** `quern monitors update`, and its short forms `pause` and `resume`. */
export const UPDATE_MONITOR_VIEW: CommandView = {
  ...SCHEDULE_VIEW,
  aliases: [
    { words: ['monitors', 'pause'], adds: ['--no-active'], summary: 'Pause the schedule of a monitor' },
    { words: ['monitors', 'resume'], adds: ['--active'], summary: 'Resume a paused monitor' },
  ],
};

function toTableRow({
  id,
  name,
  cron,
  active,
  health,
  next_run_at: next,
  estimated_credits_per_month: credits,
}: MonitorRecord) {
  return { id, name, cron, state: active ? health : 'inactive', next, credits };
}
