import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { isJsonObject } from '#extract/values/json-object.ts';
import type { Db } from '#store/db.ts';
import { AFTER_ALL_IDS } from '#store/batches.ts';
import { readRows } from '#store/rows.ts';

const RUNS = `select id, queued_at, finished_at, status, changed, snapshot from monitor_runs
  where monitor_id = $1 and id < $2 and queued_at >= $3 order by id desc limit $4`;

const RUNS_PER_QUERY = 200;
/** Maximum number of runs, and of characters of their snapshots, in one series. */
const MAX_RUNS = 20_000;
const MAX_SNAPSHOT_CHARS = 64 * 1024 * 1024;
const MAX_MARKS = 1000;

const StoredSnapshot = z.looseObject({
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
    .transform((text) => (text === null ? null : { chars: text.length, ...StoredSnapshot.parse(JSON.parse(text)) })),
});

type SeriesRow = z.output<typeof SeriesRow>;
type Mark = { readonly at: number; readonly kind: 'change' | 'failed' | 'skipped' | 'reset'; readonly runId: string };

/** The numbers of a field, oldest first. */
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

/** Reads the numbers that the runs of a monitor observed within a range, latest first, up to the limits. */
export async function readSeries(db: Db, { id, from, to, field }: SeriesRange, signal: AbortSignal) {
  const fields = new Map<string, FieldSeries>();
  const marks: Mark[] = [];
  let [runs, chars, last, oldest] = [0, 0, AFTER_ALL_IDS, to];
  for (;;) {
    const rows = readRows(SeriesRow, await db.query(RUNS, [id, last, from, RUNS_PER_QUERY]));
    for (const row of rows.filter((one) => one.queued_at <= to)) {
      oldest = row.queued_at;
      chars += row.snapshot?.chars ?? 0;
      noteMark(row, marks);
      for (const observed of readNumbers(row))
        if (field === null || observed.field === field) addNumber(fields, observed, getTime(row));
    }
    runs += rows.length;
    last = rows.at(-1)?.id ?? last;
    const isAll = rows.length < RUNS_PER_QUERY;
    if (isAll || runs >= MAX_RUNS || chars >= MAX_SNAPSHOT_CHARS) {
      for (const { seen } of fields.values()) seen.reverse();
      return { fields: [...fields.values()], marks: marks.slice(0, MAX_MARKS).toReversed(), oldest, isCut: !isAll };
    }
    await turn();
    signal.throwIfAborted();
  }
}

function readNumbers({ snapshot }: SeriesRow): readonly ObservedNumber[] {
  if (snapshot === null) return [];
  const { values, channels = [], spread, field_meta: meta = {} } = snapshot;
  const ofChannels = channels.map((channel, at): [string, unknown] => {
    const name = channel['provider'];
    return [typeof name === 'string' ? name : String(at), channel];
  });
  const numbers = findNumbers({
    ...values,
    ...(ofChannels.length === 0 ? {} : { channels: Object.fromEntries(ofChannels) }),
    ...(spread === null || spread === undefined ? {} : { spread }),
  });
  // The value of a money field is its amount; the currency is in its metadata.
  return numbers.map((one) => ({ ...one, unit: one.unit ?? meta[one.field]?.currency ?? null }));
}

function addNumber(fields: Map<string, FieldSeries>, { field, value, unit }: ObservedNumber, at: number): void {
  const series = fields.get(field) ?? { field, unit, seen: [] };
  fields.set(field, series);
  series.unit ??= unit;
  series.seen.push({ at, value });
}

function noteMark(row: SeriesRow, marks: Mark[]): void {
  const { id: runId, status, changed, snapshot } = row;
  const at = getTime(row);
  if (status === 'failed' || status === 'skipped') marks.push({ at, kind: status, runId });
  if (changed === 1) marks.push({ at, kind: 'change', runId });
  if (snapshot?.baseline_reset === true) marks.push({ at, kind: 'reset', runId });
}

function getTime({ finished_at: finishedAt, queued_at: queuedAt }: SeriesRow): number {
  return finishedAt ?? queuedAt;
}

const MAX_NUMBER_DEPTH = 4;
const MAX_CHARTED_FIELDS = 20;

/** A number that one run observed. */
type ObservedNumber = { readonly field: string; readonly value: number; readonly unit: string | null };

/** One point of a chart: the numbers of one run, or of several runs combined. */
type SeriesPoint = { readonly at: number; readonly value: number; readonly min: number; readonly max: number };

/** Finds the numbers in the values of a run, by path. Money counts as its amount. */
export function findNumbers(values: Readonly<Record<string, unknown>>): readonly ObservedNumber[] {
  const numbers: ObservedNumber[] = [];
  for (const [name, value] of Object.entries(values)) collectNumbers(value, [name], numbers);
  return numbers;
}

function collectNumbers(value: unknown, path: readonly string[], numbers: ObservedNumber[]): void {
  if (numbers.length >= MAX_CHARTED_FIELDS || path.length > MAX_NUMBER_DEPTH) return;
  if (typeof value === 'number' && Number.isFinite(value)) numbers.push({ field: path.join('.'), value, unit: null });
  else if (isMoney(value)) numbers.push({ field: path.join('.'), value: value.amount, unit: value.currency });
  else if (Array.isArray(value))
    for (const [at, one] of value.entries()) collectNumbers(one, [...path, String(at)], numbers);
  else if (isJsonObject(value))
    for (const [name, one] of Object.entries(value)) collectNumbers(one, [...path, name], numbers);
}

function isMoney(value: unknown): value is { readonly amount: number; readonly currency: string | null } {
  if (!isJsonObject(value) || typeof value['amount'] !== 'number' || !Number.isFinite(value['amount'])) return false;
  const { currency } = value;
  return currency === null || typeof currency === 'string';
}

/** Groups neighbouring values into at most `most` points, oldest first, with their extremes. */
export function groupPoints(seen: readonly { readonly at: number; readonly value: number }[], most: number) {
  const size = Math.max(1, Math.ceil(seen.length / most));
  const points: SeriesPoint[] = [];
  for (let start = 0; start < seen.length; start += size) {
    const some = seen.slice(start, start + size);
    const values = some.map(({ value }) => value);
    const last = some.at(-1);
    if (last !== undefined) points.push({ ...last, min: Math.min(...values), max: Math.max(...values) });
  }
  return points;
}
