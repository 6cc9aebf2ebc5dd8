import { once } from 'node:events';
import { Socket } from 'node:net';
import { DatabaseError, Pool, types } from 'pg';
import type { ClientBase, PoolClient } from 'pg';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { ConnectionLost, LATE, StoreUnavailable } from './db.ts';
import type { Db, Keep, Row, Statements, Value } from './db.ts';
import { isMergeable } from './merging.ts';
import { Conflict, Forgotten, Silence, Stale, toStoreError } from './postgres-errors.ts';

export type PostgresOptions = {
  /** Connections that this process holds at most. */
  readonly connections: number;
  /** How long a call waits for a connection, whether a new one or its turn in the pool. */
  readonly connectMs: number;
  /** How long one statement may take, waiting for locks included. */
  readonly statementMs: number;
  /** How long a transaction may send nothing before the server gives it up, and its locks are free. */
  readonly idleMs: number;
  /** Told of connections that break while nobody uses them. */
  readonly report: (error: unknown) => void;
};

export const POSTGRES_LIMITS = { connections: 10, connectMs: 3000, statementMs: 5000, idleMs: 10_000 } as const;

/** For migrations, backups and restores: they may rewrite tables, or wait for another start or for a disk. */
export const PATIENT_LIMITS = { connections: 3, connectMs: 10_000, statementMs: 600_000, idleMs: 3_600_000 } as const;

/** The server ends a slow statement itself; when even that is not heard for so long, the link is dead. */
const SILENCE_MS = 1000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const CLOSE_MS = 1000;
/** Of two transactions that collide one is given up; it is run again so often. */
const RETRIES = 8;
const RETRY_AFTER_MS = 10;
/** What a transaction is for. */
type Kind = Keep | 'snapshot';

const BEGIN: Readonly<Record<Kind, string>> = {
  acknowledged: 'begin isolation level read committed',
  redone: 'begin isolation level read committed; set local synchronous_commit = off',
  snapshot: 'begin isolation level repeatable read read only',
};
/** A pooler that knows no prepared statements loses them each time; a lost session state or a migration only once. */
const MOST_DOUBTS = 20;

/** A sum of `bigint` is `numeric`. */
const INTEGER_TYPES = [types.builtins.INT8, types.builtins.NUMERIC] as const;

/**
 * Opens a PostgreSQL database by its URL, through a pool; nothing is connected before the first statement. Text cannot
 * hold U+0000 there and is kept with U+FFFD in its place.
 */
export function openPostgres(url: string, options: PostgresOptions): Db {
  const sockets = new Set<Socket>();
  const nameOf = nameStatements();
  let pool = openPool();

  function openPool(): Pool {
    const opened = new Pool({
      connectionString: url,
      max: options.connections,
      connectionTimeoutMillis: options.connectMs,
      statement_timeout: options.statementMs,
      query_timeout: options.statementMs + SILENCE_MS,
      idle_in_transaction_session_timeout: options.idleMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      fallback_application_name: 'quern',
      // What work sends without waiting in between goes out together.
      pipeline: true,
      stream: () => openSocket(sockets),
    });
    opened.on('connect', (client) => {
      for (const type of INTEGER_TYPES) client.setTypeParser(type, toInteger);
      // A connection that breaks while it is in use says so twice: here, and to the statement, which handles it.
      client.on('error', () => undefined);
    });
    opened.on('error', options.report);
    return opened;
  }

  /** Runs work on a connection of its own, and drops that connection when it broke. */
  async function withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const from = pool;
    const client = await from.connect().catch((error: unknown) => {
      throw new StoreUnavailable(`no connection to PostgreSQL: ${messageOf(error)}`, { cause: error });
    });
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(error instanceof ConnectionLost || error instanceof Forgotten);
      // Where one link went silent the idle ones did too: none of them is tried any more.
      if (error instanceof Silence && pool === from) {
        pool = openPool();
        from.end().catch(options.report);
      }
      throw error;
    }
  }

  /** A read is repeated when its connection was cut: that is not the caller's matter. */
  async function query(sql: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    for (let tried = 0; ; tried += 1) {
      try {
        return await withClient(async (client) => run(client, { name: nameOf(sql), sql, values }));
      } catch (error) {
        if (tried === options.connections) throw error;
        if (error instanceof Forgotten) {
          nameOf.doubt();
          continue;
        }
        const cut = error instanceof ConnectionLost && !(error instanceof Silence);
        // All idle connections may be cut at once, and each is found out only when it is used.
        if (!cut || !sql.startsWith('select')) throw error;
      }
    }
  }

  async function repeat<T>(keep: Kind, work: (tx: Statements) => Promise<T>): Promise<T> {
    let collided = 0;
    for (let stale = 0; ;) {
      try {
        return await withClient(async (client) => runTransaction(client, { nameOf, keep, work }));
      } catch (error) {
        if (error instanceof Stale && stale < options.connections) {
          stale += 1;
        } else if (error instanceof Forgotten && stale < options.connections) {
          nameOf.doubt();
          stale += 1;
        } else if (error instanceof Conflict && collided < RETRIES) {
          collided += 1;
          await SYSTEM_CLOCK.sleep(RETRY_AFTER_MS * collided);
        } else throw error;
      }
    }
  }

  return {
    kind: 'postgres',
    query,
    transaction: async (work, keep = 'acknowledged') => repeat(keep, work),
    snapshot: async (work) =>
      repeat('snapshot', async (view) => {
        // The moment is that of the first read.
        await view.query('select 1');
        return work(view);
      }),
    async close() {
      // A timer that still counts would hold the process after all is closed.
      const closed = new AbortController();
      const patience = async () => SYSTEM_CLOCK.sleep(CLOSE_MS, closed.signal).catch(() => null);
      await Promise.race([pool.end(), patience()]);
      const closing = [...sockets].map(async (socket) => once(socket, 'close'));
      await Promise.race([Promise.allSettled(closing), patience()]);
      closed.abort();
      // A link that went silent would keep the process for many minutes.
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Whether the server refused a statement for what it says, or for who asks. */
export function isOfServer(error: unknown): error is Error {
  return error instanceof DatabaseError;
}

function openSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  return socket;
}

type NameOf = ((sql: string) => string | undefined) & {
  /** Tells of a name that the server did not know; whoever forgets too often is not given names any more. */
  readonly doubt: () => void;
};

/** A name for each text, so that a connection parses and plans it once. The texts are those of this code, so few. */
function nameStatements(): NameOf {
  const names = new Map<string, string>();
  let doubts = 0;

  function nameOf(sql: string): string | undefined {
    // Merged statements have as many texts as numbers of calls, and their best plan depends on how large a table is now.
    if (doubts > MOST_DOUBTS || isMergeable(sql)) return undefined;
    const known = names.get(sql);
    if (known !== undefined) return known;
    const name = `quern_${names.size + 1}`;
    names.set(sql, name);
    return name;
  }

  return Object.assign(nameOf, { doubt: () => void (doubts += 1) });
}

type Transaction<T> = {
  readonly nameOf: NameOf;
  readonly keep: Kind;
  readonly work: (tx: Statements) => Promise<T>;
};

/** Once a statement failed, PostgreSQL would answer the commit with a rollback and no error. */
async function runTransaction<T>(client: ClientBase, { nameOf, keep, work }: Transaction<T>): Promise<T> {
  const failures: unknown[] = [];
  let ended = false;

  async function query(sql: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    if (ended) throw new Error(LATE);
    try {
      return await run(client, { name: nameOf(sql), sql, values });
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }

  // Nothing is sent before there is a transaction: a statement beside one would count by itself.
  await begin(client, keep);
  try {
    const result = await work({ query }).finally(() => {
      ended = true;
    });
    if (failures.length > 0) throw failures[0];
    await run(client, { sql: 'commit' });
    return result;
  } catch (error) {
    // What the store itself refused decides, whatever the work made of it.
    const cause = failures.find((failure) => failure instanceof StoreUnavailable) ?? error;
    if (!(cause instanceof ConnectionLost)) await run(client, { sql: 'rollback' });
    throw cause;
  }
}

async function begin(client: ClientBase, keep: Kind): Promise<void> {
  try {
    await run(client, { sql: BEGIN[keep] });
  } catch (error) {
    if (!(error instanceof ConnectionLost) || error instanceof Silence) throw error;
    throw new Stale(error.message, { cause: error });
  }
}

type Sent = { readonly sql: string; readonly name?: string | undefined; readonly values?: readonly Value[] };

async function run(client: ClientBase, { sql, name, values = [] }: Sent): Promise<readonly Row[]> {
  // What has no parameters is said once, as a migration or a commit.
  const named = values.length > 0 ? name : undefined;
  try {
    const result = await client.query<Row>({ text: sql, name: named, values: values.map(toParameter) });
    return result.rows;
  } catch (error) {
    throw toStoreError(error);
  }
}

function toParameter(value: Value): Value {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

function toInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not an integer that a number can hold`);
  return value;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
