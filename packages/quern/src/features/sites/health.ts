import { z } from 'zod';
import { InvariantError } from '#extract/invariant-error.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { type Clock, type Timer, toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { hasValueAt } from '#sites/framework/answers.ts';
import type { Db, Queryable } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { ServedEndpoint } from './endpoint.ts';

const EMPTY_WINDOW = '{"answers":0,"nulls":{}}';
const BEGIN = `insert into site_health (endpoint, recent, usual) values ($1, '${EMPTY_WINDOW}', '${EMPTY_WINDOW}')
  on conflict (endpoint) do nothing`;
const TAKE = 'update site_health set served = served where endpoint = $1 returning *';
const WRITE = `update site_health set served = $2, failed_in_row = $3, empty_in_row = $4, recent = $5, usual = $6,
  level = $7, source = $8, last_success_at = $9, last_failure_at = $10, last_failure = $11, failed_for = $12,
  empty_for = $13 where endpoint = $1`;
const LIST = 'select * from site_health order by endpoint';

/** Health of an endpoint: good, degraded (fields are missing that used to have values), or broken. */
export const LEVELS = ['good', 'degraded', 'broken'] as const;

export type HealthLevel = (typeof LEVELS)[number];

/**
 * The number of responses, and how many of them had no value at each path. Both decay, so that recent ones count more.
 */
const AnswerWindow = z.object({ answers: z.number(), nulls: z.record(z.string(), z.number()) });
const HealthRow = z.object({
  endpoint: z.string(),
  served: z.number(),
  failed_in_row: z.number(),
  empty_in_row: z.number(),
  recent: z.string(),
  usual: z.string(),
  level: z.enum(LEVELS),
  source: z.string().nullable(),
  last_success_at: z.string().nullable(),
  last_failure_at: z.string().nullable(),
  last_failure: z.string().nullable(),
  failed_for: z.string(),
  empty_for: z.string(),
});

type AnswerWindow = z.output<typeof AnswerWindow>;
type HealthRow = z.output<typeof HealthRow>;

/** Used instead of a tenant for calls with the endpoint's canary input. */
export const CANARY_CALLER = 'canary';

/** The outcome of one call of an endpoint. `not_found` is not reported, because it says nothing about health. */
export type CallObservation = {
  /** The id of the tenant, or `CANARY`. */
  readonly by: string;
} & (
  | {
      readonly kind: 'served';
      readonly source: string;
      readonly isEmpty: boolean;
      readonly filled: ReadonlyMap<string, boolean>;
    }
  | { readonly kind: 'failed'; readonly code: string }
);

export type EndpointHealth = Omit<HealthRow, 'recent' | 'usual' | 'failed_for' | 'empty_for'> & {
  /** Share of recent responses with a value at each expected path, 0 to 1. */
  readonly fill: Readonly<Record<string, number>>;
};

/** Approximate number of responses in the recent and the usual rates. */
const RECENT_ANSWERS = 40;
const USUAL_ANSWERS = 1000;
/** Fewer recent responses are not significant. */
const MIN_ANSWERS = 10;
/** A drop: the rate of missing values is this many times the usual, and at least this large. */
const DROP_FACTOR = 3;
const MIN_RATE = 0.2;
/** Consecutive failures or empty responses that are significant if several tenants or the canary had them. */
const MAX_FAILURES = 5;
const MAX_EMPTIES = 10;
/** The same for a single tenant, which may request things that do not exist. */
const MAX_FAILURES_OF_ONE_CALLER = 20;
const FLUSH_MS = 2_000;

export type SiteHealth = ReturnType<typeof buildSiteHealth>;

/** Counts the outcomes of endpoint calls in one row per endpoint, written every few seconds. */
export function buildSiteHealth(parts: {
  readonly db: Db;
  readonly clock: Clock;
  /** Called when the level of an endpoint changes. */
  readonly warn: (message: string) => void;
  /** Called if a row could not be written. Its counts are lost. */
  readonly report: (error: unknown) => void;
}) {
  const { db, clock, warn, report } = parts;
  const pending = new Map<string, (CallObservation & { readonly at: string })[]>();
  let writing: Promise<void> = Promise.resolve();
  let timer: Timer | null = null;

  async function write(endpoint: string, seen: readonly (CallObservation & { readonly at: string })[]): Promise<void> {
    const change = await db.transaction(async (tx) => {
      await tx.query(BEGIN, [endpoint]);
      const before = await lockRow(tx, endpoint);
      const row = seen.reduce(addObservation, before);
      const level = computeLevel(row);
      await tx.query(WRITE, [
        endpoint,
        row.served,
        row.failed_in_row,
        row.empty_in_row,
        row.recent,
        row.usual,
        level,
        row.source,
        row.last_success_at,
        row.last_failure_at,
        row.last_failure,
        row.failed_for,
        row.empty_for,
      ]);
      return { from: before.level, to: level };
    });
    if (change.from !== change.to) warn(`${endpoint} is ${change.to}, was ${change.from}`);
  }

  async function flush(): Promise<void> {
    timer = null;
    for (const [endpoint, seen] of pending) {
      pending.delete(endpoint);
      await write(endpoint, seen).catch(report);
    }
  }

  return {
    observe(endpoint: string, observation: CallObservation): void {
      const seen = pending.get(endpoint) ?? [];
      seen.push({ ...observation, at: toTimestamp(clock.now()) });
      pending.set(endpoint, seen);
      timer ??= clock.after(FLUSH_MS, () => (writing = writing.then(flush))).unref();
    },

    /** Writes all pending observations. */
    async close(): Promise<void> {
      timer?.close();
      writing = writing.then(flush);
      await writing;
    },
  };
}

/** Lists the health of all endpoints that were called. */
export async function listHealth(db: Queryable): Promise<readonly EndpointHealth[]> {
  return readRows(HealthRow, await db.query(LIST)).map(
    ({ recent, usual: _usual, failed_for: _failed, empty_for: _empty, ...row }) => {
      const { answers, nulls } = readWindow(recent);
      const fill = Object.fromEntries(
        Object.entries(nulls).map(([path, missing]) => [path, answers === 0 ? 1 : 1 - missing / answers]),
      );
      return { ...row, fill };
    },
  );
}

async function lockRow(tx: Queryable, endpoint: string): Promise<HealthRow> {
  const row = readRow(HealthRow, await tx.query(TAKE, [endpoint]));
  if (row === null) throw new InvariantError(`${endpoint} has no row of its health`);
  return row;
}

function addObservation(row: HealthRow, seen: CallObservation & { readonly at: string }): HealthRow {
  if (seen.kind === 'failed') {
    return {
      ...row,
      failed_in_row: row.failed_in_row + 1,
      failed_for: addCaller(row.failed_for, seen.by),
      last_failure_at: seen.at,
      last_failure: seen.code,
    };
  }
  const served = {
    ...row,
    served: row.served + 1,
    failed_in_row: 0,
    failed_for: NO_CALLERS,
    source: seen.source,
    last_success_at: seen.at,
  };
  if (seen.isEmpty)
    return { ...served, empty_in_row: row.empty_in_row + 1, empty_for: addCaller(row.empty_for, seen.by) };
  return {
    ...served,
    empty_in_row: 0,
    empty_for: NO_CALLERS,
    recent: JSON.stringify(addToWindow(readWindow(row.recent), seen.filled, RECENT_ANSWERS)),
    usual: JSON.stringify(addToWindow(readWindow(row.usual), seen.filled, USUAL_ANSWERS)),
  };
}

const Callers = z.array(z.string());
const NO_CALLERS = '[]';

/**
 * Adds a caller to the JSON list of those with the same consecutive outcome. Two are enough to rule out a single
 * caller.
 */
function addCaller(callers: string, by: string): string {
  const known = Callers.parse(JSON.parse(callers));
  return known.includes(by) || known.length === 2 ? callers : JSON.stringify([...known, by]);
}

/** Whether the consecutive outcomes are significant, and not caused by a single caller. */
function isSignificant(inRow: number, callers: string, least: number): boolean {
  const known = Callers.parse(JSON.parse(callers));
  return inRow >= (known.length > 1 || known.includes(CANARY_CALLER) ? least : MAX_FAILURES_OF_ONE_CALLER);
}

function readWindow(text: string): AnswerWindow {
  return AnswerWindow.parse(JSON.parse(text));
}

/** Adds a response. Beyond `most` responses, old ones decay. */
function addToWindow(
  { answers, nulls }: AnswerWindow,
  filled: ReadonlyMap<string, boolean>,
  most: number,
): AnswerWindow {
  const keep = answers >= most ? 1 - 1 / most : 1;
  const next = [...filled].map(([path, is]) => [path, (nulls[path] ?? 0) * keep + (is ? 0 : 1)] as const);
  return { answers: answers * keep + 1, nulls: Object.fromEntries(next) };
}

function computeLevel(row: HealthRow): HealthLevel {
  if (isSignificant(row.failed_in_row, row.failed_for, MAX_FAILURES)) return 'broken';
  const recent = readWindow(row.recent);
  const usual = readWindow(row.usual);
  const hasDropped = Object.keys(recent.nulls).some((path) => {
    const now = (recent.nulls[path] ?? 0) / Math.max(1, recent.answers);
    // The usual rate includes the recent responses, so they are subtracted before the comparison.
    const earlier = usual.answers - recent.answers;
    const before =
      earlier < MIN_ANSWERS ? now : Math.max(0, (usual.nulls[path] ?? 0) - (recent.nulls[path] ?? 0)) / earlier;
    return recent.answers >= MIN_ANSWERS && now >= MIN_RATE && now > DROP_FACTOR * before;
  });
  return hasDropped || isSignificant(row.empty_in_row, row.empty_for, MAX_EMPTIES) ? 'degraded' : 'good';
}

/** The parts of a response that matter for health. */
type SourcedReading = { readonly source: string; readonly record: JsonObject };

/** The observed endpoint. `telling` are the error codes that count as failures. */
type ObservedEndpoint = Pick<ServedEndpoint, 'expected' | 'list'> & {
  readonly operation: { readonly id: string };
  readonly healthFailures?: ReadonlySet<string>;
};

/** A reading to observe, whether an empty list is normal, and whether it uses the canary input. */
type ObservedReading<T> = {
  readonly read: () => Promise<T>;
  readonly canBeEmpty: boolean;
  readonly isCanary?: boolean;
};

/** Errors that may mean that the endpoint no longer matches its site. */
const HEALTH_FAILURES: ReadonlySet<string> = new Set(['unusable_response', 'target_blocked']);

/**
 * Runs a reading, reports its outcome to the health of the endpoint, and returns its result. `canBeEmpty` is set for
 * further pages of a list: there an empty page is the end of the list, not a sign of a broken parser.
 */
export async function observeReading<T extends SourcedReading>(
  { operation: { id }, expected, list, healthFailures = HEALTH_FAILURES }: ObservedEndpoint,
  { observe, tenant }: { readonly observe: SiteHealth['observe']; readonly tenant: string },
  { read, canBeEmpty, isCanary = false }: ObservedReading<T>,
): Promise<T> {
  const by = isCanary ? CANARY_CALLER : tenant;
  const served = await read().catch((error: unknown) => {
    if (error instanceof ServiceError && healthFailures.has(error.code))
      observe(id, { by, kind: 'failed', code: error.code });
    throw error;
  });
  const { source, record } = served;
  const elements = list === null ? undefined : record[list];
  const isEmpty = hasNoElements(elements);
  if (!isEmpty || !canBeEmpty)
    observe(id, {
      by,
      kind: 'served',
      source,
      isEmpty,
      filled: new Map(expected.map((path) => [path, hasValueAt(record, path)])),
    });
  return served;
}

/** Whether a list, or each of several parallel lists, is empty. */
function hasNoElements(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every((member) => member === null || hasNoElements(member));
}
