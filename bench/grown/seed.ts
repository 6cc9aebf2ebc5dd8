import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { z } from 'zod';
import { toDay, toMonth, toTimestamp } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import type { Db, SqlValue } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRow } from '#store/rows.ts';

const ROWS_PER_STATEMENT = 5000;
const DAY_MS = 24 * 3600 * 1000;
/** All monitors become due at the same time, after the service has been under load for a while. */
const MONITORS_DUE_AFTER_MS = 60_000;
const HOUR_MS = 3600 * 1000;
/** Dummy content of deliveries and requests; only the size matters. */
const BODY = JSON.stringify({ data: 'x'.repeat(1500) });
const ATTEMPTS = JSON.stringify([{ tier: 'http', outcome: 'ok', status: 200, ms: 12, bytes: 4096 }]);
/** Limit of cache files; a row without its file is a cache miss. */
const MAX_FILES = 100_000;
const FILES_PER_BATCH = 200;

/** Number of rows of each kind for a year of use. */
export const ROWS_PER_YEAR = {
  ledger: 1_000_000,
  requests: 500_000,
  jobs: 500_000,
  pages: 300_000,
  deliveries: 200_000,
  monitors: 10_000,
} as const;

export type SeedOptions = {
  readonly db: Db;
  readonly dataDir: string;
  readonly tenant: string;
  /** The id of the cache folder in its rows. */
  readonly folder: string;
  /** Fraction of a year's rows to create. */
  readonly share: number;
  /** Id of the template monitor. */
  readonly model: string;
  /** Receives the progress. */
  readonly progress: (text: string) => void;
};

type Columns = Readonly<Record<string, 'text' | 'bigint'>>;
type Table = { readonly into: string; readonly columns: Columns };
type RowOf = (at: number, part: number) => readonly SqlValue[];

/** The statement with which the migration fills the day sums of an existing ledger. */
const DAYS_ROLLED_UP = `insert into ledger_days (tenant_id, day, operation, calls, credits)
  select tenant_id, day, operation, count(*), sum(credits) from ledger group by tenant_id, day, operation
  on conflict do nothing`;

const OPERATIONS = ['fetch', 'extract', 'crawl', 'map', 'structured'] as const;

/** Fills a store with the data of a year. Some rows of each kind are past their retention. */
export async function seedYear(grown: SeedOptions): Promise<void> {
  const now = Date.now();
  const { db, tenant, share, progress } = grown;
  const computeCount = (kind: keyof typeof ROWS_PER_YEAR): number => Math.round(ROWS_PER_YEAR[kind] * share);

  async function fill(kind: string, table: Table, count: number, rowOf: RowOf): Promise<void> {
    progress(`${count} rows of ${kind}`);
    await insertRows(db, table, count, rowOf);
  }

  /** Evenly spaced times from the given age until now, oldest first. */
  const since =
    (ms: number) =>
    (part: number): number =>
      Math.floor(now - ms * (1 - part));
  const month = since(30 * DAY_MS);
  const yesterday = since(26 * HOUR_MS);
  const quarter = since(92 * DAY_MS);
  const week = since(7.2 * DAY_MS);

  await fill('ledger', LEDGER, computeCount('ledger'), (at, part) => {
    const instant = month(part);
    const [cycle, day] = [toMonth(instant), toDay(instant)];
    return [newId('req', instant), tenant, toTimestamp(instant), cycle, day, 'charge', chooseOperation(at), 2];
  });
  await fill('requests', REQUESTS, computeCount('requests'), (at, part) => {
    const instant = yesterday(part);
    const status = at % 50 === 0 ? 502 : 200;
    const cells = [newId('req', instant), toTimestamp(instant), chooseOperation(at), status];
    return [tenant, ...cells, status === 200 ? null : 'target_unreachable', 2, 'http', 12, ATTEMPTS];
  });
  await fill('jobs', JOBS, computeCount('jobs'), (at, part) => {
    const instant = quarter(part);
    const id = newId('job', instant);
    const times = [instant, instant, instant + 1000, instant + DAY_MS, instant];
    return [id, tenant, newId('req', instant), chooseOperation(at), 'expired', 1, ...times, 1, 1, 1];
  });
  await fill('cached_pages', PAGES, computeCount('pages'), (at, part) => {
    return [grown.folder, tenant, `page ${at}`, week(part), 'x'.repeat(600), `seed-${at}.zst`, 4096];
  });
  await writeFiles(join(grown.dataDir, 'cache'), Math.min(MAX_FILES, computeCount('pages')), progress);
  const deliveries = computeCount('deliveries');
  const owner = (at: number): string => (at % 100 === 0 ? grown.model : `mon_seeded_${at % 100}`);
  await fill('deliveries', DELIVERIES, deliveries, (at, part) => {
    const instant = since(31 * DAY_MS)(part);
    const about = [buildDelivery(at), tenant, owner(at), `evt_${at}`, 'monitor.changed', 'http://127.0.0.1:9/hook'];
    return [...about, 'http://127.0.0.1:9', BODY, 'succeeded', 1, 1, 9, instant, instant];
  });
  await fill('delivery_attempts', ATTEMPT_ROWS, deliveries, (at, part) => {
    return [buildDelivery(at), 1, since(31 * DAY_MS)(part), 20, 204];
  });
  const due = Date.now() + MONITORS_DUE_AFTER_MS;
  await fill('monitors', MONITORS, computeCount('monitors'), () => {
    return [newId('mon', now), tenant, '0 * * * *', due, due, grown.model];
  });
  await db.query(DAYS_ROLLED_UP);
  // PostgreSQL does this by itself over a year; otherwise it would do it in the first minutes. The embedded store never does.
  if (db.kind !== 'postgres') return;
  progress('what the server does in the course of a year');
  await db.query('vacuum analyze');
  await db.query('checkpoint');
}

function chooseOperation(at: number): string {
  return OPERATIONS[at % OPERATIONS.length] ?? 'fetch';
}

function buildDelivery(at: number): string {
  return `dlv_seeded_${String(at).padStart(9, '0')}`;
}

const LEDGER: Table = {
  into: 'insert into ledger (key, tenant_id, at, cycle, day, kind, operation, credits) select * from',
  columns: {
    key: 'text',
    tenant: 'text',
    at: 'text',
    cycle: 'text',
    day: 'text',
    kind: 'text',
    operation: 'text',
    credits: 'bigint',
  },
};
const REQUESTS: Table = {
  into: `insert into requests (tenant_id, id, at, operation, status, code, credits, tier, duration_ms, attempts)
    select * from`,
  columns: {
    tenant: 'text',
    id: 'text',
    at: 'text',
    operation: 'text',
    status: 'bigint',
    code: 'text',
    credits: 'bigint',
    tier: 'text',
    ms: 'bigint',
    attempts: 'text',
  },
};
const JOBS: Table = {
  into: `insert into jobs (id, tenant_id, request_id, kind, status, attempt, created_at, started_at, finished_at,
    expires_at, due_at, discovered, completed, total) select * from`,
  columns: {
    id: 'text',
    tenant: 'text',
    request: 'text',
    kind: 'text',
    status: 'text',
    attempt: 'bigint',
    created: 'bigint',
    started: 'bigint',
    finished: 'bigint',
    expires: 'bigint',
    due: 'bigint',
    discovered: 'bigint',
    completed: 'bigint',
    total: 'bigint',
  },
};
const PAGES: Table = {
  into: 'insert into cached_pages (folder, tenant_id, key, stored_at, sealed, file, bytes) select * from',
  columns: {
    folder: 'text',
    tenant: 'text',
    key: 'text',
    stored: 'bigint',
    sealed: 'text',
    file: 'text',
    bytes: 'bigint',
  },
};
const DELIVERIES: Table = {
  into: `insert into deliveries (id, tenant_id, owner_id, event_id, type, url, endpoint, body, status, attempts, round,
    most, due_at, created_at) select * from`,
  columns: {
    id: 'text',
    tenant: 'text',
    owner: 'text',
    event: 'text',
    type: 'text',
    url: 'text',
    endpoint: 'text',
    body: 'text',
    status: 'text',
    attempts: 'bigint',
    round: 'bigint',
    most: 'bigint',
    due: 'bigint',
    created: 'bigint',
  },
};
const ATTEMPT_ROWS: Table = {
  into: 'insert into delivery_attempts (delivery_id, n, at, duration_ms, status_code) select * from',
  columns: { delivery: 'text', n: 'bigint', at: 'bigint', ms: 'bigint', status: 'bigint' },
};
/** Copies a monitor that the service has created, so that the copies can run. */
const MONITORS: Table = {
  into: `insert into monitors (id, tenant_id, kind, name, operation, body, input, watch, metadata, cron, timezone,
      active, next_run_at, due_at, ticks_per_month, run_credits, created_at, updated_at)
    select row.id, row.tenant, kind, name, operation, body, input, watch, metadata, row.cron, timezone,
      1, row.tick, row.due, ticks_per_month, run_credits, created_at, updated_at
    from monitors join`,
  columns: { id: 'text', tenant: 'text', cron: 'text', tick: 'bigint', due: 'bigint', model: 'text' },
};

async function insertRows(db: Db, { into, columns }: Table, count: number, rowOf: RowOf): Promise<void> {
  const sql = `${into} ${buildRowsTable(db.kind, '$1', { name: 'row', columns })}`;
  const text = sql.includes('monitors join') ? `${sql} on monitors.id = row.model` : `${sql} where true`;
  for (let from = 0; from < count; from += ROWS_PER_STATEMENT) {
    const rows = Array.from({ length: Math.min(ROWS_PER_STATEMENT, count - from) }, (_, at) =>
      rowOf(from + at, (from + at) / count),
    );
    await db.query(text, [JSON.stringify(rows)]);
  }
}

async function writeFiles(folder: string, count: number, progress: SeedOptions['progress']): Promise<void> {
  progress(`${count} files of the cache`);
  await mkdir(folder, { recursive: true });
  for (let from = 0; from < count; from += FILES_PER_BATCH) {
    const some = Array.from({ length: Math.min(FILES_PER_BATCH, count - from) }, (_, at) => `seed-${from + at}.zst`);
    await Promise.all(some.map(async (name) => writeFile(join(folder, name), 'seeded')));
  }
}

export const KEY = `qk_${'mill'.repeat(8)}`;
export const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

const Made = z.object({ id: z.string() });
const Owner = z.object({ tenant_id: z.string() });

/** Creates an inactive monitor as a template for the others; returns its id. */
export async function createTemplateMonitor(service: string, pages: string): Promise<string> {
  const answer = await request(`${service}/v1/monitors`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({
      url: `${pages}/price`,
      extract: { price: { json_path: '$.price', type: 'number' } },
      cron: '0 * * * *',
      active: false,
    }),
  });
  if (answer.statusCode !== 201) throw new Error(`the monitor was answered ${await answer.body.text()}`);
  return Made.parse(await answer.body.json()).id;
}

/** The tenant of the only API key. */
export async function readTenant(db: Db): Promise<string> {
  const owner = readRow(Owner, await db.query('select tenant_id from api_keys'));
  if (owner === null) throw new Error('the service has made no key');
  return owner.tenant_id;
}
