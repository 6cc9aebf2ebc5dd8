import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Db, StoreKind } from '#store/db.ts';
import { openPostgres } from '#store/postgres.ts';
import { PATIENT_LIMITS } from '#testkit/postgres.ts';
import { findPostgres } from './schema.ts';
import { ignore } from './store.ts';

/** A time during which the database is unavailable. */
export type Outage = { readonly begin: () => Promise<void>; readonly end: () => Promise<void> };

/** Wraps the store of a gate. */
type Through = (db: Db) => Promise<Db>;

/** A database that can be unavailable: SQLite as on a read-only volume, PostgreSQL behind a broken link. */
export async function breakable(
  kind: StoreKind,
  work: (outage: Outage, through: Through) => Promise<void>,
): Promise<void> {
  await (kind === 'sqlite' ? withReadOnly(work) : withCutLink(work));
}

async function withReadOnly(work: (outage: Outage, through: Through) => Promise<void>): Promise<void> {
  let opened: Db | null = null;
  const set = async (state: 'on' | 'off'): Promise<void> => void (await opened?.query(`pragma query_only = ${state}`));
  const outage = { begin: async () => set('on'), end: async () => set('off') };
  await work(outage, async (db) => (opened = db));
}

async function withCutLink(work: (outage: Outage, through: Through) => Promise<void>): Promise<void> {
  const base = new URL(await findPostgres());
  const sockets = new Set<Socket>();
  let isAway = false;
  function keep(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  }
  const server = createServer((client) => {
    keep(client);
    if (isAway) {
      client.destroy();
      return;
    }
    const upstream = keep(connect(Number(base.port), base.hostname));
    client.pipe(upstream).pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const opened: Db[] = [];
  try {
    await work(
      {
        async begin() {
          isAway = true;
          for (const socket of sockets) socket.destroy();
        },
        async end() {
          isAway = false;
        },
      },
      async (db) => {
        const own = openPostgres(await urlThrough(db, base, port), {
          ...PATIENT_LIMITS,
          clock: SYSTEM_CLOCK,
          report: ignore,
        });
        opened.push(own);
        return own;
      },
    );
  } finally {
    for (const db of opened) await db.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

/** The URL of the database and schema of an open store, with another port. */
async function urlThrough(db: Db, base: URL, port: number): Promise<string> {
  const [row] = await db.query('select current_database() as name, current_schema() as schema');
  const url = new URL(base);
  url.pathname = String(row?.['name']);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  url.searchParams.set('options', `-c search_path=${String(row?.['schema'])}`);
  return url.href;
}
