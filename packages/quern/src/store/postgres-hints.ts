import { createHash, randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { Client } from 'pg';
import { z } from 'zod';
import { type Clock, sleepUnlessAborted } from '#kernel/clock.ts';
import type { Db } from './db.ts';
import type { Hints } from './hints.ts';
import { readRow } from './rows.ts';

/** Hints within this time are sent as one notification. */
const GATHER_MS = 10;
/** Maximum topics of a notification, whose limit is 8,000 bytes. */
const MAX_TOPICS = 100;
/** Maximum queued topics; further ones are dropped while the database is unreachable. */
const MAX_WAITING = 10_000;
const CONNECT_MS = 3000;
const RECONNECT_MS = 2000;
const MAX_CLOSE_MS = 500;
const KEEP_ALIVE_AFTER_MS = 10_000;

const NOTIFY = 'select pg_notify($1, $2)';
const SELECT_SCHEMA = 'select current_schema() as name';

const Schema = z.object({ name: z.string().nullable() });
const Notice = z.object({ from: z.string(), topics: z.array(z.string()) });

export type HintsOptions = { readonly url: string; readonly db: Db; readonly clock: Clock };

/**
 * Hints through `LISTEN` and `NOTIFY`. Listens on one connection in addition to the pool of `db` and reconnects if it breaks.
 * Each schema has its own channel, because other applications may use the same database.
 */
export async function openPostgresHints({ url, db, clock }: HintsOptions): Promise<Hints> {
  const schema = readRow(Schema, await db.query(SELECT_SCHEMA))?.name ?? '';
  const channel = `quern_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`;
  const own = randomUUID();
  const closing = new AbortController();
  const sender = new HintSender({ db, clock, channel, own }, closing.signal);
  let listener: ((topic: string) => void) | null = null;

  function receive(text: string): void {
    const { from, topics } = Notice.parse(JSON.parse(text));
    if (from !== own) for (const topic of topics) listener?.(topic);
  }

  async function listenOn(): Promise<void> {
    while (!closing.signal.aborted) {
      await listenOnce({ url, clock, channel, receive }, closing.signal).catch(() => undefined);
      await sleepUnlessAborted(clock, RECONNECT_MS, closing.signal);
    }
  }

  const listening = listenOn();
  return {
    send: (topic) => sender.send(topic),
    onHint(heard) {
      listener = heard;
    },
    async close() {
      closing.abort();
      await Promise.all([listening, sender.waitUntilSent()]);
    },
  };
}

type SenderOptions = {
  readonly db: Db;
  readonly clock: Clock;
  readonly channel: string;
  /** Id of this process, which ignores its own notifications. */
  readonly own: string;
};

/** Collects topics for a few ms and sends them as one notification. */
class HintSender {
  readonly #parts: SenderOptions;
  readonly #closing: AbortSignal;
  readonly #waiting = new Set<string>();
  #isSending = false;
  #sent: Promise<void> = Promise.resolve();

  constructor(parts: SenderOptions, closing: AbortSignal) {
    this.#parts = parts;
    this.#closing = closing;
  }

  send(topic: string): void {
    if (this.#waiting.size < MAX_WAITING) this.#waiting.add(topic);
    if (this.#isSending) return;
    this.#isSending = true;
    this.#sent = this.#flush();
  }

  /** Resolves when nothing is being sent. */
  async waitUntilSent(): Promise<void> {
    await this.#sent;
  }

  async #flush(): Promise<void> {
    const { db, clock, channel, own } = this.#parts;
    await clock.sleep(GATHER_MS);
    while (this.#waiting.size > 0 && !this.#closing.aborted) {
      const topics = [...this.#waiting].slice(0, MAX_TOPICS);
      for (const topic of topics) this.#waiting.delete(topic);
      // A hint that cannot be sent now would be outdated later.
      await db.query(NOTIFY, [channel, JSON.stringify({ from: own, topics })]).catch(() => undefined);
    }
    this.#isSending = false;
  }
}

type ListenOptions = {
  readonly url: string;
  readonly clock: Clock;
  readonly channel: string;
  readonly receive: (text: string) => void;
};

/** Listens on one connection until it ends for any reason. */
async function listenOnce({ url, clock, channel, receive }: ListenOptions, closing: AbortSignal): Promise<void> {
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
      receive(payload);
    } catch {
      // Anyone who can connect can send notifications; ignore those that Quern did not write.
    }
  });
  closing.addEventListener('abort', end);
  try {
    // A call that hangs here ends with the connection or the process.
    const begun = client.connect().then(async () => client.query(`listen "${channel}"`));
    await Promise.race([begun, ended.promise]);
    await ended.promise;
  } finally {
    closing.removeEventListener('abort', end);
    const closed = new AbortController();
    await Promise.race([client.end(), sleepUnlessAborted(clock, MAX_CLOSE_MS, closed.signal)]);
    closed.abort();
    socket.destroy();
  }
}
