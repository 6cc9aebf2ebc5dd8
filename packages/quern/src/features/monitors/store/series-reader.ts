import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { numbersIn, type SeenNumber } from '#features/monitors/compare/series.ts';
import type { Db } from '#store/db.ts';
import { FIRST_PAGE } from '#store/list-pieces.ts';
import { readRows } from '#store/rows.ts';

const RUNS = `select id, queued_at, finished_at, status, changed, snapshot from monitor_runs
  where monitor_id = $1 and id < $2 and queued_at >= $3 order by id desc limit $4`;

const AT_ONCE = 200;
/** Runs, and characters of what they saw, that one series is made of. */
const MAX_RUNS = 20_000;
const MAX_CHARS = 64 * 1024 * 1024;
const MAX_MARKS = 1000;

const Seen = z.looseObject({
  values: z.record(z.string(), z.unknown()),
  field_meta: z.record(z.string(), z.looseObject({ currency: z.string().nullish() })).optional(),
  baseline_reset: z.boolean().default(false),
  channels: z.array(z.record(z.string(), z.unknown())).optional(),
  spread: z.record(z.string(), z.unknown()).nullable().optional(),
});
const SeriesRow = z.object({
  id: z.string(),
  queued_at: z.number(),
  finished_at: z.number().nullable(),
  status: z.string(),
  changed: z.number(),
  snapshot: z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : { chars: text.length, ...Seen.parse(JSON.parse(text)) })),
});

type SeriesRow = z.output<typeof SeriesRow>;
type Mark = { readonly at: number; readonly kind: 'change' | 'failed' | 'skipped' | 'reset'; readonly runId: string };

/** The numbers of a field, the oldest first. */
export type FieldSeries = {
  readonly field: string;
  unit: string | null;
  readonly seen: { readonly at: number; readonly value: number }[];
};

export type SeriesRange = {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly field: string | null;
};

/** Reads what the runs of a monitor have seen within a range, the latest first, until it is enough. */
export async function readSeries(db: Db, { id, from, to, field }: SeriesRange, signal: AbortSignal) {
  const fields = new Map<string, FieldSeries>();
  const marks: Mark[] = [];
  let [runs, chars, last, oldest] = [0, 0, FIRST_PAGE, to];
  for (;;) {
    const rows = readRows(SeriesRow, await db.query(RUNS, [id, last, from, AT_ONCE]));
    for (const row of rows.filter((one) => one.queued_at <= to)) {
      oldest = row.queued_at;
      chars += row.snapshot?.chars ?? 0;
      note(row, marks);
      for (const one of numbersOf(row)) if (field === null || one.field === field) add(fields, one, timeOf(row));
    }
    runs += rows.length;
    last = rows.at(-1)?.id ?? last;
    const isAll = rows.length < AT_ONCE;
    if (isAll || runs >= MAX_RUNS || chars >= MAX_CHARS) {
      for (const { seen } of fields.values()) seen.reverse();
      return { fields: [...fields.values()], marks: marks.slice(0, MAX_MARKS).toReversed(), oldest, isCut: !isAll };
    }
    await turn();
    signal.throwIfAborted();
  }
}

function numbersOf({ snapshot }: SeriesRow): readonly SeenNumber[] {
  if (snapshot === null) return [];
  const { values, channels = [], spread, field_meta: meta = {} } = snapshot;
  const ofChannels = channels.map((channel, at): [string, unknown] => {
    const name = channel['provider'];
    return [typeof name === 'string' ? name : String(at), channel];
  });
  const numbers = numbersIn({
    ...values,
    ...(ofChannels.length === 0 ? {} : { channels: Object.fromEntries(ofChannels) }),
    ...(spread === null || spread === undefined ? {} : { spread }),
  });
  // Money of a field is its amount, with the currency beside the values.
  return numbers.map((one) => ({ ...one, unit: one.unit ?? meta[one.field]?.currency ?? null }));
}

function add(fields: Map<string, FieldSeries>, { field, value, unit }: SeenNumber, at: number): void {
  const series = fields.get(field) ?? { field, unit, seen: [] };
  fields.set(field, series);
  series.unit ??= unit;
  series.seen.push({ at, value });
}

function note(row: SeriesRow, marks: Mark[]): void {
  const { id: runId, status, changed, snapshot } = row;
  const at = timeOf(row);
  if (status === 'failed' || status === 'skipped') marks.push({ at, kind: status, runId });
  if (changed === 1) marks.push({ at, kind: 'change', runId });
  if (snapshot?.baseline_reset === true) marks.push({ at, kind: 'reset', runId });
}

function timeOf({ finished_at: finishedAt, queued_at: queuedAt }: SeriesRow): number {
  return finishedAt ?? queuedAt;
}
