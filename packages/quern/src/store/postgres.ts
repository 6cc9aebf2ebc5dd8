import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { Client, type ClientBase, DatabaseError, Pool, type PoolClient, types } from 'pg';
import { InvariantError } from '#extract/invariant-error.ts';
import { type Clock, sleepUnlessAborted } from '#kernel/clock.ts';
import {
  ConnectionLost,
  type Db,
  type Durability,
  TRANSACTION_ENDED,
  type Row,
  type Queryable,
  StoreUnavailable,
  type SqlValue,
} from './db.ts';
import { isMergeable } from './merge-statements.ts';

export type PostgresOptions = {
  /** Maximum connections of this process. */
  readonly connections: number;
  /** How long a call waits for a new or pooled connection. */
  readonly connectMs: number;
  /** How long one statement may take, including lock waits. */
  readonly statementMs: number;
  /** How long a transaction may be idle before the server aborts it and releases its locks. */
  readonly idleMs: number;
  /** Receives the errors of idle connections that break. */
  readonly report: (error: unknown) => void;
  readonly clock: Clock;
  /** How the server is reached; if unknown, a pooler is assumed to be possible. */
  readonly mode?: ConnectionMode;
};

/** An unresponsive process loses its locks after `idleMs`, while other statements still have time left. */
export const POSTGRES_LIMITS = { connections: 10, connectMs: 3000, statementMs: 5000, idleMs: 3000 } as const;

/** For migrations, backups and restores, which may rewrite tables or wait for another process or a disk. */
export const PATIENT_LIMITS = { connections: 3, connectMs: 10_000, statementMs: 600_000, idleMs: 3_600_000 } as const;

/** The server cancels slow statements itself; if its error does not arrive within this time, the connection is dead. */
const SILENCE_MS = 1000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const MAX_CLOSE_MS = 1000;
/** Retries of a transaction that the server aborted because it collided with another. */
const MAX_RETRIES = 8;
const RETRY_AFTER_MS = 10;
/** The purpose of a transaction. */
type TransactionKind = Durability | 'snapshot';

const BEGIN: Readonly<Record<TransactionKind, string>> = {
  acknowledged: 'begin isolation level read committed',
  redone: 'begin isolation level read committed; set local synchronous_commit = off',
  snapshot: 'begin isolation level repeatable read read only',
};
/** A pooler without prepared statements forgets them each time; a lost session or a migration only once. */
const MAX_UNKNOWN_STATEMENTS = 20;
/** JIT compilation takes longer than any statement of Quern. */
const JIT_OFF = '-c jit=off';

/** A sum of `bigint` is `numeric`. */
const INTEGER_TYPES = [types.builtins.INT8, types.builtins.NUMERIC] as const;

/**
 * Opens a pool for a PostgreSQL database; it connects on the first statement. PostgreSQL text cannot contain U+0000, so it is
 * stored as U+FFFD.
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

/** A connection pool that repeats work after a broken connection or a collision of transactions. */
class PostgresDatabase {
  readonly #url: string;
  readonly #options: PostgresOptions;
  readonly #sockets = new Set<Socket>();
  readonly #names: StatementNames;
  #pool: Pool;

  constructor(url: string, options: PostgresOptions) {
    // Poolers reject unknown session parameters.
    this.#url = options.mode === 'direct' ? addSessionOptions(url, JIT_OFF) : url;
    this.#options = options;
    this.#names = new StatementNames(options.mode === 'shared');
    this.#pool = this.#openPool();
  }

  /** Runs one statement. A read is repeated if its connection was broken. */
  async query(sql: string, values: readonly SqlValue[] = []): Promise<readonly Row[]> {
    for (let tried = 0; ; tried += 1) {
      try {
        return await this.#withClient(async (client) =>
          runStatement(client, { name: this.#names.findName(sql), sql, values }),
        );
      } catch (error) {
        // After too many of these, statements are sent without names, so this ends.
        if (error instanceof UnknownStatement) {
          this.#names.noteUnknown();
          continue;
        }
        if (tried === this.#options.connections) throw error;
        const cut = error instanceof ConnectionLost && !(error instanceof ServerSilent);
        // All idle connections may be broken, and each is noticed only when it is used.
        if (!cut || !sql.startsWith('select')) throw error;
      }
    }
  }

  /** Runs a transaction; repeats it on a stale connection, and after a collision with another transaction. */
  async transaction<T>(keep: TransactionKind, work: (tx: Queryable) => Promise<T>): Promise<T> {
    const { connections, clock } = this.#options;
    let collided = 0;
    for (let stale = 0; ;) {
      try {
        return await this.#withClient(async (client) => runTransaction(client, { names: this.#names, keep, work }));
      } catch (error) {
        if (error instanceof StaleConnection && stale < connections) {
          stale += 1;
        } else if (error instanceof UnknownStatement) {
          this.#names.noteUnknown();
        } else if (error instanceof TransactionConflict && collided < MAX_RETRIES) {
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
    // A pending timer would keep the process alive after everything is closed.
    const closed = new AbortController();
    const patience = async () => sleepUnlessAborted(this.#options.clock, MAX_CLOSE_MS, closed.signal);
    await Promise.race([this.#pool.end(), patience()]);
    const closing = [...this.#sockets].map(async (socket) => once(socket, 'close'));
    await Promise.race([Promise.allSettled(closing), patience()]);
    closed.abort();
    // A dead connection would keep the process alive for minutes.
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Runs work on one connection, and drops the connection if it broke. */
  async #withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const pool = this.#pool;
    const client = await pool.connect().catch((error: unknown) => {
      throw new StoreUnavailable(`no connection to PostgreSQL: ${getMessage(error)}`, { cause: error });
    });
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(error instanceof ConnectionLost || error instanceof UnknownStatement);
      // If one connection is dead, the idle ones are probably dead too, so the whole pool is replaced.
      if (error instanceof ServerSilent && this.#pool === pool) {
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
      // Concurrent statements are pipelined.
      pipeline: true,
      stream: () => openSocket(this.#sockets),
    });
    pool.on('connect', (client) => {
      for (const type of INTEGER_TYPES) client.setTypeParser(type, parseInteger);
      // The statement that uses the connection handles the error; this listener only prevents an unhandled event.
      client.on('error', () => undefined);
    });
    pool.on('error', report);
    return pool;
  }
}

/** Whether the server rejected a statement, for example for a syntax error or missing privileges. */
export function isServerError(error: unknown): error is Error {
  return error instanceof DatabaseError;
}

/** Adds session options to a URL. */
function addSessionOptions(text: string, more: string): string {
  const url = new URL(text);
  const options = url.searchParams.get('options');
  url.searchParams.set('options', options === null ? more : `${options} ${more}`);
  return url.href;
}

function openSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  return socket;
}

/** Names for prepared statements, so that a connection parses and plans each SQL text once. Only Quern's own SQL gets a name. */
class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #isShared: boolean;
  #doubts = 0;

  constructor(isShared: boolean) {
    this.#isShared = isShared;
  }

  /** The name of a statement; undefined if it is sent without one. */
  findName(sql: string): string | undefined {
    // Merged statements have many texts, and their best plan depends on the current table size.
    if (this.#isShared || this.#doubts > MAX_UNKNOWN_STATEMENTS || isMergeable(sql)) return undefined;
    const known = this.#names.get(sql);
    if (known !== undefined) return known;
    // The same SQL has the same name in every process, because a pooler may hand a connection to another process.
    const name = `quern_${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`;
    this.#names.set(sql, name);
    return name;
  }

  /** Counts a statement that the server did not know; after too many, statements are sent without names. */
  noteUnknown(): void {
    this.#doubts += 1;
  }
}

type TransactionTask<T> = {
  readonly names: StatementNames;
  readonly keep: TransactionKind;
  readonly work: (tx: Queryable) => Promise<T>;
};

/** Runs a transaction. After a failed statement it throws, because PostgreSQL would turn the commit into a rollback silently. */
async function runTransaction<T>(client: ClientBase, { names, keep, work }: TransactionTask<T>): Promise<T> {
  const failures: unknown[] = [];
  let ended = false;

  async function query(sql: string, values: readonly SqlValue[] = []): Promise<readonly Row[]> {
    if (ended) throw new InvariantError(TRANSACTION_ENDED);
    try {
      return await runStatement(client, { name: names.findName(sql), sql, values });
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }

  // Wait for `begin`: a statement outside of the transaction would be committed separately.
  await beginTransaction(client, keep);
  try {
    const result = await work({ query }).finally(() => {
      ended = true;
    });
    if (failures.length > 0) throw failures[0];
    await runStatement(client, { sql: 'commit' });
    return result;
  } catch (error) {
    // A store failure takes precedence over an error that the work threw because of it.
    const cause = failures.find((failure) => failure instanceof StoreUnavailable) ?? error;
    if (!(cause instanceof ConnectionLost)) await runStatement(client, { sql: 'rollback' });
    throw cause;
  }
}

async function beginTransaction(client: ClientBase, keep: TransactionKind): Promise<void> {
  try {
    await runStatement(client, { sql: BEGIN[keep] });
  } catch (error) {
    if (!(error instanceof ConnectionLost) || error instanceof ServerSilent) throw error;
    throw new StaleConnection(error.message, { cause: error });
  }
}

type StatementCall = {
  readonly sql: string;
  readonly name?: string | undefined;
  readonly values?: readonly SqlValue[];
};

async function runStatement(client: ClientBase, { sql, name, values = [] }: StatementCall): Promise<readonly Row[]> {
  // A statement without parameters, such as a migration or a commit, needs no name.
  const named = values.length > 0 ? name : undefined;
  try {
    const result = await client.query<Row>({ text: sql, name: named, values: values.map(toParameter) });
    return result.rows;
  } catch (error) {
    throw toStoreError(error);
  }
}

function toParameter(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not an integer that a number can hold`);
  return value;
}

function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The server aborted the transaction because it collided with another; a retry may succeed. */
class TransactionConflict extends StoreUnavailable {}

/** The connection was already broken before it was used, so nothing was executed. */
class StaleConnection extends ConnectionLost {}

/** The server did not respond in time. */
class ServerSilent extends ConnectionLost {}

/** The session does not know the prepared statement, or knows it with other columns; nothing was executed. */
class UnknownStatement extends StoreUnavailable {}

/*
 * Codes and classes of PostgreSQL's appendix A. Conflict: serialization failure and deadlock. Lost: the connection is gone.
 * Unavailable: no resources, operator intervention (including statement timeouts), lock not available, read-only server, and
 * disk failures.
 */
const CONFLICT_CODES = /^(?:40001|40P01)$/;
const LOST_CODES = /^(?:08...|57P0[1-5]|25P0[34])$/;
const UNAVAILABLE_CODES = /^(?:53...|55P03|57...|58...|25006|XX00[12])$/;

/** Prepared statement unknown, or its name already in use. */
const UNKNOWN_STATEMENT_CODES = /^(?:26000|42P05)$/;
const CHANGED_PLAN_MESSAGE = 'cached plan must not change result type';

/** The driver's message for a response timeout. */
const TIMEOUT_MESSAGE = 'Query read timeout';

/** Converts a driver error to a `StoreUnavailable` error; errors in the statement or its values are returned unchanged. */
function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RangeError || error instanceof TypeError) return error;
  const { message } = error;
  if (message === TIMEOUT_MESSAGE) return new ServerSilent('PostgreSQL does not answer', { cause: error });
  // An error without a server code means that the connection ended.
  if (!(error instanceof DatabaseError)) return new ConnectionLost(message, { cause: error });
  const code = error.code ?? '';
  if (UNKNOWN_STATEMENT_CODES.test(code) || message === CHANGED_PLAN_MESSAGE)
    return new UnknownStatement(message, { cause: error });
  if (CONFLICT_CODES.test(code)) return new TransactionConflict(message, { cause: error });
  if (LOST_CODES.test(code) || error.severity === 'FATAL') return new ConnectionLost(message, { cause: error });
  return UNAVAILABLE_CODES.test(code) ? new StoreUnavailable(message, { cause: error }) : error;
}

const SELECT_PID = 'select pg_backend_pid() as pid';
/** The order in which two connections run a query, chosen so that a sharing pooler hands both the same server session. */
const QUERY_ORDER = [0, 0, 1, 0, 1, 1] as const;
const PROBE_CONNECT_MS = 3000;

/**
 * How a server is reached: `direct`; `pooled`, through a pooler that gives each session its own connection; or `shared`, through
 * a pooler that shares connections between transactions, such as PgBouncer in transaction mode, so that session state such as
 * prepared statements and `listen` is unreliable.
 */
export type ConnectionMode = 'direct' | 'pooled' | 'shared';

/** Determines the mode by repeatedly querying the server process ids of two connections. */
export async function findConnectionMode(url: string): Promise<ConnectionMode> {
  const clients = [0, 1].map(
    () =>
      new Client({ connectionString: url, connectionTimeoutMillis: PROBE_CONNECT_MS, query_timeout: PROBE_CONNECT_MS }),
  );
  try {
    for (const client of clients) {
      client.on('error', () => undefined);
      await client.connect();
    }
    const seen: [Set<number>, Set<number>] = [new Set(), new Set()];
    let isDirect = true;
    for (const at of QUERY_ORDER) {
      const client = clients[at];
      const answer = await client?.query<{ readonly pid: number }>(SELECT_PID);
      const pid = answer?.rows[0]?.pid ?? 0;
      seen[at].add(pid);
      // A pooler reports a made-up process id when it accepts a connection.
      isDirect &&= client !== undefined && 'processID' in client && client.processID === pid;
    }
    const [first, second] = seen;
    const isShared = first.size > 1 || second.size > 1 || !first.isDisjointFrom(second);
    return isShared ? 'shared' : isDirect ? 'direct' : 'pooled';
  } finally {
    await Promise.allSettled(clients.map(async (client) => client.end()));
  }
}
