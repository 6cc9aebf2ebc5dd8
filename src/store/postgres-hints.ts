import { createHash, randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { Client } from 'pg';
import { z } from 'zod';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Db } from './db.ts';
import type { Hints } from './hints.ts';
import { readRow } from './rows.ts';

/** Hints of so long a moment go out as one notice. */
const GATHER_MS = 10;
/** A notice may hold 8,000 bytes; topics beyond are in the next one. */
const TOPICS_MOST = 100;
/** Topics that wait to be sent; while the database is away the oldest need not be told any more. */
const WAITING_MOST = 10_000;
const CONNECT_MS = 3000;
const RECONNECT_MS = 2000;
const CLOSE_MS = 500;
const KEEP_ALIVE_AFTER_MS = 10_000;

const SEND = 'select pg_notify($1, $2)';
const SCHEMA = 'select current_schema() as name';

const Schema = z.object({ name: z.string().nullable() });
const Notice = z.object({ from: z.string(), topics: z.array(z.string()) });

/**
 * Hints through `LISTEN` and `NOTIFY`, on one connection beside the pool of `db`; it is opened again whenever it breaks.
 * One channel for each schema, since others may have data of their own in the same database.
 */
export async function openPostgresHints(url: string, db: Db): Promise<Hints> {
  const me = randomUUID();
  const schema = readRow(Schema, await db.query(SCHEMA))?.name ?? '';
  const channel = `quern_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`;
  const waiting = new Set<string>();
  const closing = new AbortController();
  let listener: ((topic: string) => void) | null = null;
  let sending = false;
  let sent: Promise<void> = Promise.resolve();

  async function flush(): Promise<void> {
    await SYSTEM_CLOCK.sleep(GATHER_MS);
    while (waiting.size > 0 && !closing.signal.aborted) {
      const topics = [...waiting].slice(0, TOPICS_MOST);
      for (const topic of topics) waiting.delete(topic);
      // What cannot be sent now is old news when it can.
      await db.query(SEND, [channel, JSON.stringify({ from: me, topics })]).catch(() => undefined);
    }
    sending = false;
  }

  function hear(text: string): void {
    const { from, topics } = Notice.parse(JSON.parse(text));
    if (from !== me) for (const topic of topics) listener?.(topic);
  }

  /** Listens until the connection ends, for whatever reason. */
  async function listen(): Promise<void> {
    const socket = new Socket();
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      fallback_application_name: 'quern hints',
      stream: () => socket,
    });
    const ended = Promise.withResolvers<void>();
    const end = (): void => ended.resolve();
    client.on('error', end);
    client.on('end', end);
    client.on('notification', ({ payload = '' }) => {
      try {
        hear(payload);
      } catch {
        // Anyone who may connect may send notices, and what is not ours says nothing to us.
      }
    });
    closing.signal.addEventListener('abort', end);
    try {
      // Whatever is silent here ends with the connection, or with this process.
      const begun = client.connect().then(async () => client.query(`listen "${channel}"`));
      await Promise.race([begun, ended.promise]);
      await ended.promise;
    } finally {
      closing.signal.removeEventListener('abort', end);
      const closed = new AbortController();
      await Promise.race([client.end(), SYSTEM_CLOCK.sleep(CLOSE_MS, closed.signal).catch(() => null)]);
      closed.abort();
      socket.destroy();
    }
  }

  async function listenOn(): Promise<void> {
    while (!closing.signal.aborted) {
      await listen().catch(() => undefined);
      await SYSTEM_CLOCK.sleep(RECONNECT_MS, closing.signal).catch(() => undefined);
    }
  }

  const listening = listenOn();
  return {
    send(topic) {
      if (waiting.size < WAITING_MOST) waiting.add(topic);
      if (sending) return;
      sending = true;
      sent = flush();
    },
    hear(heard) {
      listener = heard;
    },
    async close() {
      closing.abort();
      await Promise.all([listening, sent]);
    },
  };
}
