import { InvariantError } from '#extract/invariant-error.ts';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { type ClientBase, DatabaseError, Pool, type PoolClient, types } from 'pg';
import { type Clock, pause } from '#kernel/clock.ts';
import {
  ConnectionLost,
  type Db,
  type Keep,
  LATE,
  type Row,
  type Statements,
  StoreUnavailable,
  type Value,
} from './db.ts';
import { isMergeable } from './merging.ts';
import type { ServerWay } from './pooler.ts';
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
  /** Receives the errors of idle connections that break. */
  readonly report: (error: unknown) => void;
  readonly clock: Clock;
  /** The way to the server; where it is not known, a pooler may be on it. */
  readonly way?: ServerWay;
};

/** A process that fell silent holds its locks for two seconds, so that what waits for them has time left. */
export const POSTGRES_LIMITS = { connections: 10, connectMs: 3000, statementMs: 5000, idleMs: 3000 } as const;

/** For migrations, backups and restores: they may rewrite tables, or wait for another start or for a disk. */
export const PATIENT_LIMITS = { connections: 3, connectMs: 10_000, statementMs: 600_000, idleMs: 3_600_000 } as const;

/** The server ends a slow statement itself; a link on which even that is not heard for this long is dead. */
const SILENCE_MS = 1000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const CLOSE_MS = 1000;
/** Repetitions of a transaction that the server gave up because it collided with another. */
const RETRIES = 8;
const RETRY_AFTER_MS = 10;
/** The purpose of a transaction. */
type Kind = Keep | 'snapshot';

const BEGIN: Readonly<Record<Kind, string>> = {
  acknowledged: 'begin isolation level read committed',
  redone: 'begin isolation level read committed; set local synchronous_commit = off',
  snapshot: 'begin isolation level repeatable read read only',
};
/** A pooler without prepared statements loses them each time; a lost session or a migration loses them only once. */
const MAX_DOUBTS = 20;
/** Compiling a statement costs more than any of Quern takes. */
const WITHOUT_COMPILER = '-c jit=off';

/** A sum of `bigint` is `numeric`. */
const INTEGER_TYPES = [types.builtins.INT8, types.builtins.NUMERIC] as const;

/**
 * Opens a PostgreSQL database by its URL, through a pool; nothing is connected before the first statement. Text cannot
 * hold U+0000 there and is kept with U+FFFD in its place.
 */
export function openPostgres(url: string, options: PostgresOptions): Db {
  const database = new PostgresDatabase(url, options);
  return {
    kind: 'postgres',
    query: async (sql, values) => database.query(sql, values),
    transaction: async (work, keep = 'acknowledged') => database.transaction(keep, work),
    snapshot: async (work) =>
      database.transaction('snapshot', async (view) => {
        // The first read fixes the moment of the snapshot.
        await view.query('select 1');
        return work(view);
      }),
    connections: () => database.connections(),
    close: async () => database.close(),
  };
}

/** The pool of connections to one database, which repeats work that a broken connection or a collision ended. */
class PostgresDatabase {
  readonly #url: string;
  readonly #options: PostgresOptions;
  readonly #sockets = new Set<Socket>();
  readonly #names: StatementNames;
  #pool: Pool;

  constructor(url: string, options: PostgresOptions) {
    // A pooler refuses parameters of a session that it does not know.
    this.#url = options.way === 'direct' ? withOptions(url, WITHOUT_COMPILER) : url;
    this.#options = options;
    this.#names = new StatementNames(options.way === 'shared');
    this.#pool = this.#openPool();
  }

  /** Runs one statement. A read is repeated when its connection was cut, which the caller need not know. */
  async query(sql: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    for (let tried = 0; ; tried += 1) {
      try {
        return await this.#withClient(async (client) => run(client, { name: this.#names.nameOf(sql), sql, values }));
      } catch (error) {
        // After too many doubts nothing is named, and so nothing can be forgotten.
        if (error instanceof Forgotten) {
          this.#names.doubt();
          continue;
        }
        if (tried === this.#options.connections) throw error;
        const cut = error instanceof ConnectionLost && !(error instanceof Silence);
        // All idle connections may be cut at once, and each is found out only when it is used.
        if (!cut || !sql.startsWith('select')) throw error;
      }
    }
  }

  /** Runs a transaction; repeats it on a stale connection, and after a collision with another transaction. */
  async transaction<T>(keep: Kind, work: (tx: Statements) => Promise<T>): Promise<T> {
    const { connections, clock } = this.#options;
    let collided = 0;
    for (let stale = 0; ;) {
      try {
        return await this.#withClient(async (client) => runTransaction(client, { names: this.#names, keep, work }));
      } catch (error) {
        if (error instanceof Stale && stale < connections) {
          stale += 1;
        } else if (error instanceof Forgotten) {
          this.#names.doubt();
        } else if (error instanceof Conflict && collided < RETRIES) {
          collided += 1;
          await clock.sleep(RETRY_AFTER_MS * collided);
        } else throw error;
      }
    }
  }

  connections() {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { open, idle, waiting };
  }

  async close(): Promise<void> {
    // A timer that still counts would hold the process after all is closed.
    const closed = new AbortController();
    const patience = async () => pause(this.#options.clock, CLOSE_MS, closed.signal);
    await Promise.race([this.#pool.end(), patience()]);
    const closing = [...this.#sockets].map(async (socket) => once(socket, 'close'));
    await Promise.race([Promise.allSettled(closing), patience()]);
    closed.abort();
    // A silent link would keep the process for many minutes.
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Runs work on a connection of its own, and drops that connection when it broke. */
  async #withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const pool = this.#pool;
    const client = await pool.connect().catch((error: unknown) => {
      throw new StoreUnavailable(`no connection to PostgreSQL: ${messageOf(error)}`, { cause: error });
    });
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(error instanceof ConnectionLost || error instanceof Forgotten);
      // When one link goes silent the idle ones are silent too, so the whole pool is replaced.
      if (error instanceof Silence && this.#pool === pool) {
        this.#pool = this.#openPool();
        pool.end().catch(this.#options.report);
      }
      throw error;
    }
  }

  #openPool(): Pool {
    const { connections, connectMs, statementMs, idleMs, report } = this.#options;
    const pool = new Pool({
      connectionString: this.#url,
      max: connections,
      connectionTimeoutMillis: connectMs,
      statement_timeout: statementMs,
      query_timeout: statementMs + SILENCE_MS,
      idle_in_transaction_session_timeout: idleMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      fallback_application_name: 'quern',
      // Statements that do not wait for each other are sent together.
      pipeline: true,
      stream: () => openSocket(this.#sockets),
    });
    pool.on('connect', (client) => {
      for (const type of INTEGER_TYPES) client.setTypeParser(type, toInteger);
      // The failure of a connection in use is reported twice: here, and to the statement, which handles it.
      client.on('error', () => undefined);
    });
    pool.on('error', report);
    return pool;
  }
}

/** Whether the server refused a statement for its text or for lack of rights. */
export function isOfServer(error: unknown): error is Error {
  return error instanceof DatabaseError;
}

/** The URL with more options of its sessions. */
function withOptions(text: string, more: string): string {
  const url = new URL(text);
  const given = url.searchParams.get('options');
  url.searchParams.set('options', given === null ? more : `${given} ${more}`);
  return url.href;
}

function openSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  return socket;
}

/** The names of statements, so that a connection parses and plans each text once. Their number is that of Quern's own texts. */
class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #isShared: boolean;
  #doubts = 0;

  constructor(isShared: boolean) {
    this.#isShared = isShared;
  }

  /** The name of a statement; undefined for one that is sent without. */
  nameOf(sql: string): string | undefined {
    // Merged statements have as many texts as numbers of calls, and their best plan depends on how large a table is now.
    if (this.#isShared || this.#doubts > MAX_DOUBTS || isMergeable(sql)) return undefined;
    const known = this.#names.get(sql);
    if (known !== undefined) return known;
    // The same text has the same name in every process: a pooler may give one process the connection of another.
    const name = `quern_${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`;
    this.#names.set(sql, name);
    return name;
  }

  /** Counts a name that the server did not know; after too many of them no statement is named any more. */
  doubt(): void {
    this.#doubts += 1;
  }
}

type Transaction<T> = {
  readonly names: StatementNames;
  readonly keep: Kind;
  readonly work: (tx: Statements) => Promise<T>;
};

/** Once a statement failed, PostgreSQL would answer the commit with a rollback and no error. */
async function runTransaction<T>(client: ClientBase, { names, keep, work }: Transaction<T>): Promise<T> {
  const failures: unknown[] = [];
  let ended = false;

  async function query(sql: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    if (ended) throw new InvariantError(LATE);
    try {
      return await run(client, { name: names.nameOf(sql), sql, values });
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }

  // Nothing is sent before the transaction has begun: a statement outside of it would be committed by itself.
  await begin(client, keep);
  try {
    const result = await work({ query }).finally(() => {
      ended = true;
    });
    if (failures.length > 0) throw failures[0];
    await run(client, { sql: 'commit' });
    return result;
  } catch (error) {
    // The store's own failure decides, even where the work threw another error for it.
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
  // A statement without parameters, such as a migration or a commit, is sent once and needs no name.
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
