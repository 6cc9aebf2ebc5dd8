import { CHANGES, type Tool, type ToolView } from '#engine/call/tool-view.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';

/** Default number of rows in a list for agents. */
const LIST_ROWS = 10;

const MONITOR: Tool = {
  name: 'monitor',
  title: 'Watch pages',
  task: 'changes of a page over time',
  about:
    'Use this to watch a page over time and see what changes: create one with the fields to watch and a schedule, then read its runs (values seen) and changes. The first run starts immediately; trigger runs it again.',
  hints: CHANGES,
  hasActions: true,
};

const FACTS = { id: 'string', active: 'boolean', health: 'string', run_id: 'string' } as const;

const DEFINITION = {
  url: 'The page to watch',
  extract: 'Fields to watch, as in fetch; default: the text of the page',
  cron: 'Five fields, or @hourly, @daily; default: run only when triggered',
  target: '{operation, input} to watch instead of url',
  watch: 'Such as {"thresholds": {"price": {"pct": 5}}}',
  webhook: 'URL that gets the changes',
} as const;

export const CREATE_MONITOR_TOOL: ToolView = {
  tool: MONITOR,
  members: DEFINITION,
  toInput: ({ watch, ...input }) => ({ ...input, ...chooseWatch(watch, input) }),
  toShown: toMonitorDetails,
  facts: FACTS,
};
export const MONITORS_TOOL: ToolView = { ...buildListTool(toMonitorLine), members: { cursor: null } };
export const SHOW_MONITOR_TOOL: ToolView = {
  tool: MONITOR,
  members: { id: null },
  toShown: toMonitorDetails,
  facts: FACTS,
};
export const UPDATE_MONITOR_TOOL: ToolView = {
  ...SHOW_MONITOR_TOOL,
  members: { id: null, ...DEFINITION, active: 'false pauses it' },
};
export const RUNS_TOOL: ToolView = buildListTool(toRunLine);
export const CHANGES_TOOL: ToolView = buildListTool(toChangeLine);

/** Chooses what is watched of a page: its text if no fields are selected. */
function chooseWatch(watch: unknown, { url, extract }: JsonObject): JsonObject {
  if (watch !== undefined) return { watch };
  return url !== undefined && extract === undefined ? { watch: { mode: 'content' } } : {};
}

/** Builds a list tool with one line per row. */
function buildListTool(toLine: (row: JsonObject) => unknown): ToolView {
  return {
    tool: MONITOR,
    members: { id: null, cursor: null },
    toInput: (input) => ({ limit: LIST_ROWS, ...input }),
    toShown: ({ data, next_cursor: next }) => ({
      rows: Array.isArray(data) && data.length > 0 ? data.filter(isJsonObject).map(toLine) : 'none',
      next_cursor: next,
    }),
  };
}

/** Fields of every monitor that agents need not see. */
const HIDDEN_MEMBERS: ReadonlySet<string> = new Set([
  'request_id',
  'kind',
  'watch',
  'metadata',
  'consecutive_failures',
  'created_at',
  'updated_at',
]);

/** Converts a monitor to the details shown to agents. */
function toMonitorDetails(body: JsonObject): JsonObject {
  const { watch, cron } = body;
  const thresholds = isJsonObject(watch) ? watch['thresholds'] : undefined;
  const schedule = cron === null ? 'none: it runs only when triggered; set one with update and cron' : undefined;
  const shown = Object.fromEntries(Object.entries(body).filter(([name]) => !HIDDEN_MEMBERS.has(name)));
  return { ...shown, thresholds, schedule };
}

function toMonitorLine({ id, name, cron, active, health, last_change_at: at }: JsonObject): string {
  const state = active === true ? String(health) : 'not active';
  const schedule = typeof cron === 'string' ? cron : 'when triggered';
  const changed = typeof at === 'string' ? at : 'never';
  return `${String(id)} | ${String(name)} | ${schedule} | ${state} | last change ${changed}`;
}

function toRunLine({ id, status, trigger, finished_at: at, changed, values, error, warnings }: JsonObject): JsonObject {
  return {
    id,
    status,
    trigger,
    finished_at: at,
    changed,
    values,
    ...listMissingFields(values),
    ...(isJsonObject(error) ? { error: `${String(error['code'])}: ${String(error['message'])}` } : {}),
    ...(Array.isArray(warnings) && warnings.length > 0 ? { warnings } : {}),
  };
}

/** Lists the fields without a value, which are not among the shown values. */
function listMissingFields(values: unknown): JsonObject {
  const empty = isJsonObject(values) ? Object.keys(values).filter((name) => values[name] === null) : [];
  return empty.length === 0 ? {} : { not_found: empty };
}

function toChangeLine({ id, detected_at: at, changes, content }: JsonObject): JsonObject {
  return { id, detected_at: at, changes, ...(isJsonObject(content) ? { diff: content['unified_diff'] } : {}) };
}
