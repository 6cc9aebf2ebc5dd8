import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { Db, Row, SqlValue } from '#store/db.ts';
import { type BackupOptions, type BackupSummary, writeBackup } from '#store/backup.ts';
import { readAppliedMigrations, getSchemaVersion } from '#store/migrate.ts';
import { replacePostgres } from '#store/restore-postgres.ts';
import { replaceSqlite } from '#store/restore-sqlite.ts';
import { restoreBackup, type RestoreResult, type RestoreOptions } from '#store/restore.ts';
import { loadKnownSchema, readTables } from '#store/schema.ts';

/** The secret key of the services that these tests back up. */
export const SECRET = Buffer.alloc(32, 7);
export const NOW = Date.parse('2026-11-21T12:00:00Z');

const SEGMENTS = 'result_segments (job_id, seq, items, bytes, packed_bytes, packed, object)';
const signal = new AbortController().signal;

/** Rows with all kinds of values: null, every script, the largest integers. */
export async function populate(db: Db): Promise<void> {
  const tenant = [
    'ten_1',
    'Mühle "Öl" \\ 麦\n🌾',
    'pro',
    '2026-11-01T00:00:00.000Z',
    '2026-11',
    40,
    0,
    '2026-11-21',
    4,
    2,
  ];
  await insert(db, 'tenants (id, name, plan, created_at, cycle, used, topped_up, day, day_used, reserved)', [
    tenant,
    ['ten_2', '', 'free', '2026-11-01T00:00:00.000Z', '2026-11', Number.MAX_SAFE_INTEGER, 0, '2026-11-21', 0, 0],
  ]);
  await insert(db, 'api_keys (id, tenant_id, name, lookup, hash, created_at, revoked_at)', [
    ['key_1', 'ten_1', 'key', 'a', 'hash1', '2026-11-01', null],
    ['key_2', 'ten_1', 'key', 'a', 'hash2', '2026-11-01', '2026-11-02'],
  ]);
  await insert(db, 'reservations (key, tenant_id, credits, process_id)', [['req_9', 'ten_1', 2, 'serve']]);
  await insert(
    db,
    'jobs (id, tenant_id, request_id, kind, status, created_at, due_at, worker_id, lease_token, lease_until)',
    [
      ['job_1', 'ten_1', 'req_1', 'fetch', 'running', NOW, NOW, 'serve', 'lse_1', NOW + 30_000],
      ['job_2', 'ten_1', 'req_2', 'fetch', 'queued', NOW, NOW, null, null, null],
    ],
  );
  await insert(db, SEGMENTS, [
    ['job_3', -1, 0, 3, 3, Uint8Array.of(0, 255, 10), null],
    ['job_3', 1, 9, 90, 4, null, 'space/job_3/here'],
    ['job_3', 2, 9, 90, 4, null, 'space/job_3/gone'],
  ]);
  await insert(db, 'cached_pages (folder, tenant_id, key, stored_at, sealed, file, bytes)', [
    ['', 'ten_1', 'page', NOW, 'sealed', 'page.zst', 10],
  ]);
  await insert(
    db,
    'sessions (id, tenant_id, name, version, sealed, summary, bytes, idle_ms, created_at, used_at, expires_at)',
    [
      ['ses_1', 'ten_1', 'shop', 3, 'sealed', 'summary', 6, 1000, NOW, NOW, NOW + 1000],
      ['ses_2', 'ten_2', 'shop', 1, null, null, 0, 1000, NOW, NOW, NOW + 1000],
    ],
  );
  await insert(db, 'processes (id, seen_at)', [['serve', NOW - 60_000]]);
}

/** More rows than one read-ahead holds, some of them large. */
export async function populateMore(db: Db): Promise<void> {
  const logged = Array.from({ length: 1200 }, (_, at) => [
    `ten_${at % 2}`,
    `req_${String(at).padStart(5, '0')}`,
    '2026-11-21T11:00:00.000Z',
    'fetch',
    200,
    null,
    2,
    'http',
    at,
    '[]',
  ]);
  await insert(
    db,
    'requests (tenant_id, id, at, operation, status, code, credits, tier, duration_ms, attempts)',
    logged,
  );
  await insert(db, SEGMENTS, [
    ['job_4', 1, 1, 1, 1, randomBytes(2_500_000), null],
    ['job_4', 2, 1, 1, 1, Uint8Array.of(), null],
    ['job_4', 3, 1, 1, 1, randomBytes(2_500_000), null],
  ]);
}

async function insert(db: Db, into: string, rows: readonly (readonly SqlValue[])[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const row of rows) {
      await tx.query(`insert into ${into} values (${row.map((_, at) => `$${at + 1}`).join(', ')})`, row);
    }
  });
}

/** Every row of every table, except those that a backup omits. */
export async function dump(db: Db): Promise<Readonly<Record<string, readonly Row[]>>> {
  const code = await loadKnownSchema();
  const tables: Record<string, readonly Row[]> = {};
  for (const { name, key } of readTables(code, getSchemaVersion(await readAppliedMigrations(db, db.kind)))) {
    const rows = await db.query(`select * from ${name} order by ${key.join(', ')}`);
    if (name !== 'cached_pages' && name !== 'processes') tables[name] = rows.map(toPlain);
  }
  return tables;
}

/** A row whose bytes compare by value, not by the driver that read them. */
function toPlain(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  ]);
  return Object.fromEntries(entries);
}

/** Backs up a store as the command does. */
export async function backUp(
  db: Db,
  file: string,
  given: Partial<BackupOptions> & { readonly included?: boolean } = {},
): Promise<BackupSummary> {
  const { code = await loadKnownSchema(), included = true } = given;
  const secret = { bytes: SECRET, included };
  const facts = { code, secret, readObject: null, now: NOW, progress: () => undefined, signal, ...given };
  return db.snapshot(async (view) => writeBackup({ view, kind: db.kind }, file, facts));
}

type Given = Partial<RestoreOptions> & Pick<RestoreOptions, 'file' | 'dataDir'>;

/** The options of the command, with the secret of these tests as the setting. */
export async function buildRestoreOptions(given: Given): Promise<RestoreOptions> {
  return {
    code: await loadKnownSchema(),
    secretSetting: SECRET.toString('base64'),
    force: false,
    now: NOW,
    note: () => undefined,
    readObject: null,
    progress: () => undefined,
    signal,
    ...given,
  };
}

/** Restores into the embedded store of a data folder. */
export async function restoreToFolder(given: Given): Promise<RestoreResult> {
  const order = await buildRestoreOptions(given);
  return restoreBackup(replaceSqlite(join(order.dataDir, 'quern.db'), order), order);
}

/** Restores into the location of an open store of the kind; an embedded one must be closed. */
export async function restoreToServer(db: Db, given: Given): Promise<RestoreResult> {
  const order = await buildRestoreOptions(given);
  return restoreBackup(replacePostgres(db, NOW - 40_000, order), order);
}

/** The lines of a backup; the last one is its footer. */
export async function readArchive(file: string): Promise<string[]> {
  return zstdDecompressSync(await readFile(file))
    .toString('utf8')
    .trimEnd()
    .split('\n');
}

/** Writes lines as a backup, with a matching footer unless one is given. */
export async function writeArchive(file: string, lines: readonly string[], foot?: string): Promise<void> {
  const body = lines.map((line) => `${line}\n`).join('');
  const rows: Record<string, number> = {};
  let table = '';
  for (const line of lines.slice(1)) {
    if (line.startsWith('{')) {
      table = line.split('"')[3] ?? '';
      rows[table] = 0;
    } else rows[table] = (rows[table] ?? 0) + 1;
  }
  const sha256 = createHash('sha256').update(body).digest('hex');
  await writeFile(file, zstdCompressSync(`${body}${foot ?? JSON.stringify({ foot: { rows, sha256 } })}\n`));
}
