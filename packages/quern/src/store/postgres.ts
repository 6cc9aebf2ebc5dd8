import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { Client, type ClientBase, DatabaseError, Pool, type PoolClient, types } from 'pg';
import { InvariantError } from '#extract/invariant-error.ts';
import { type Clock, pause } from '#kernel/clock.ts';
import {
  ConnectionLost,
  type Db,
  type Keep,
  TRANSACTION_ENDED,
  type Row,
  type Statements,
  StoreUnavailable,
  type Value,
} from './db.ts';
import { isMergeable } from './merge-statements.ts';

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
  readonly mode?: ConnectionMode;
};

/** A process that fell silent holds its locks for two seconds, so that what waits for them has time left. */
export const POSTGRES_LIMITS = { connections: 10, connectMs: 3000, statementMs: 5000, idleMs: 3000 } as const;

/** For migrations, backups and restores: they may rewrite tables, or wait for another start or for a disk. */
export const PATIENT_LIMITS = { connections: 3, connectMs: 10_000, statementMs: 600_000, idleMs: 3_600_000 } as const;

/** The server ends a slow statement itself; a link on which even that is not heard for this long is dead. */
const SILENCE_MS = 1000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const MAX_CLOSE_MS = 1000;
/** Repetitions of a transaction that the server gave up because it collided with another. */
const MAX_RETRIES = 8;
const RETRY_AFTER_MS = 10;
/** The purpose of a transaction. */
type TransactionKind = Keep | 'snapshot';

const BEGIN: Readonly<Record<TransactionKind, string>> = {
  acknowledged: 'begin isolation level read committed',
  redone: 'begin isolation level read committed; set local synchronous_commit = off',
  snapshot: 'begin isolation level repeatable read read only',
};
/** A pooler without prepared statements loses them each time; a lost session or a migration loses them only once. */
const MAX_UNKNOWN_STATEMENTS = 20;
/** Compiling a statement costs more than any of Quern takes. */
const JIT_OFF = '-c jit=off';

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
    this.#url = options.mode === 'direct' ? addSessionOptions(url, JIT_OFF) : url;
    this.#options = options;
    this.#names = new StatementNames(options.mode === 'shared');
    this.#pool = this.#openPool();
  }

  /** Runs one statement. A read is repeated when its connection was cut, which the caller need not know. */
  async query(sql: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    for (let tried = 0; ; tried += 1) {
      try {
        return await this.#withClient(async (client) =>
          runStatement(client, { name: this.#names.findName(sql), sql, values }),
        );
      } catch (error) {
        // After too many doubts nothing is named, and so nothing can be forgotten.
        if (error instanceof UnknownStatement) {
          this.#names.noteUnknown();
          continue;
        }
        if (tried === this.#options.connections) throw error;
        const cut = error instanceof ConnectionLost && !(error instanceof ServerSilent);
        // All idle connections may be cut at once, and each is found out only when it is used.
        if (!cut || !sql.startsWith('select')) throw error;
      }
    }
  }

  /** Runs a transaction; repeats it on a stale connection, and after a collision with another transaction. */
  async transaction<T>(keep: TransactionKind, work: (tx: Statements) => Promise<T>): Promise<T> {
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
    // A timer that still counts would hold the process after all is closed.
    const closed = new AbortController();
    const patience = async () => pause(this.#options.clock, MAX_CLOSE_MS, closed.signal);
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
      throw new StoreUnavailable(`no connection to PostgreSQL: ${getMessage(error)}`, { cause: error });
    });
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(error instanceof ConnectionLost || error instanceof UnknownStatement);
      // When one link goes silent the idle ones are silent too, so the whole pool is replaced.
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
      // Statements that do not wait for each other are sent together.
      pipeline: true,
      stream: () => openSocket(this.#sockets),
    });
    pool.on('connect', (client) => {
      for (const type of INTEGER_TYPES) client.setTypeParser(type, parseInteger);
      // The failure of a connection in use is reported twice: here, and to the statement, which handles it.
      client.on('error', () => undefined);
    });
    pool.on('error', report);
    return pool;
  }
}

/** Whether the server refused a statement for its text or for lack of rights. */
export function isServerError(error: unknown): error is Error {
  return error instanceof DatabaseError;
}

/** The URL with more options of its sessions. */
function addSessionOptions(text: string, more: string): string {
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
  findName(sql: string): string | undefined {
    // Merged statements have as many texts as numbers of calls, and their best plan depends on how large a table is now.
    if (this.#isShared || this.#doubts > MAX_UNKNOWN_STATEMENTS || isMergeable(sql)) return undefined;
    const known = this.#names.get(sql);
    if (known !== undefined) return known;
    // The same text has the same name in every process: a pooler may give one process the connection of another.
    const name = `quern_${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`;
    this.#names.set(sql, name);
    return name;
  }

  /** Counts a name that the server did not know; after too many of them no statement is named any more. */
  noteUnknown(): void {
    this.#doubts += 1;
  }
}

type TransactionTask<T> = {
  readonly names: StatementNames;
  readonly keep: TransactionKind;
  readonly work: (tx: Statements) => Promise<T>;
};

/** Once a statement failed, PostgreSQL would answer the commit with a rollback and no error. */
async function runTransaction<T>(client: ClientBase, { names, keep, work }: TransactionTask<T>): Promise<T> {
  const failures: unknown[] = [];
  let ended = false;

  async function query(sql: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    if (ended) throw new InvariantError(TRANSACTION_ENDED);
    try {
      return await runStatement(client, { name: names.findName(sql), sql, values });
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }

  // Nothing is sent before the transaction has begun: a statement outside of it would be committed by itself.
  await beginTransaction(client, keep);
  try {
    const result = await work({ query }).finally(() => {
      ended = true;
    });
    if (failures.length > 0) throw failures[0];
    await runStatement(client, { sql: 'commit' });
    return result;
  } catch (error) {
    // The store's own failure decides, even where the work threw another error for it.
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

type StatementCall = { readonly sql: string; readonly name?: string | undefined; readonly values?: readonly Value[] };

async function runStatement(client: ClientBase, { sql, name, values = [] }: StatementCall): Promise<readonly Row[]> {
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

function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not an integer that a number can hold`);
  return value;
}

function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The server gave this transaction up because it collided with another; it may succeed when it is repeated. */
class TransactionConflict extends StoreUnavailable {}

/** The connection had been cut before it was used: nothing was done on it. */
class StaleConnection extends ConnectionLost {}

/** Nothing at all was heard from the server in time. */
class ServerSilent extends ConnectionLost {}

/** The connection does not know a prepared statement, or knows it with other columns; nothing was done. */
class UnknownStatement extends StoreUnavailable {}

/*
 * Codes and classes of PostgreSQL's appendix A. Conflicts: serialization failure and deadlock. Lost: the connection is no
 * more, whatever severity that came with. Unavailable: no resources, operator intervention (a statement that took too
 * long among them), a lock not available, a read-only server, and failures of its disk.
 */
const CONFLICT_CODES = /^(?:40001|40P01)$/;
const LOST_CODES = /^(?:08...|57P0[1-5]|25P0[34])$/;
const UNAVAILABLE_CODES = /^(?:53...|55P03|57...|58...|25006|XX00[12])$/;

/** An unknown or taken name of a prepared statement, and a plan whose columns a migration has changed. */
const UNKNOWN_STATEMENT_CODES = /^(?:26000|42P05)$/;
const CHANGED_PLAN_MESSAGE = 'cached plan must not change result type';

/** The driver's message for an answer that did not come in time. */
const TIMEOUT_MESSAGE = 'Query read timeout';

/** The error of a statement as one of the port; a mistake in the statement or its values is left unchanged. */
function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RangeError || error instanceof TypeError) return error;
  const { message } = error;
  if (message === TIMEOUT_MESSAGE) return new ServerSilent('PostgreSQL does not answer', { cause: error });
  // An error without a code of the server is the end of the connection.
  if (!(error instanceof DatabaseError)) return new ConnectionLost(message, { cause: error });
  const code = error.code ?? '';
  if (UNKNOWN_STATEMENT_CODES.test(code) || message === CHANGED_PLAN_MESSAGE)
    return new UnknownStatement(message, { cause: error });
  if (CONFLICT_CODES.test(code)) return new TransactionConflict(message, { cause: error });
  if (LOST_CODES.test(code) || error.severity === 'FATAL') return new ConnectionLost(message, { cause: error });
  return UNAVAILABLE_CODES.test(code) ? new StoreUnavailable(message, { cause: error }) : error;
}

const SELECT_PID = 'select pg_backend_pid() as pid';
/** The order in which two connections are asked: a pooler gives the first to ask what the last one left, or takes turns. */
const QUERY_ORDER = [0, 0, 1, 0, 1, 1] as const;
const PROBE_CONNECT_MS = 3000;

/**
 * The way to a server: `direct`, through a pooler that gives each session a connection of its own, or one that shares
 * connections between transactions, as PgBouncer does in transaction mode: then what a session remembers, such as a prepared
 * statement or a `listen`, may be that of another.
 */
export type ConnectionMode = 'direct' | 'pooled' | 'shared';

/** Finds out by two connections which server serves each of them, time and again. */
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
      // A pooler makes up the number that it tells at the beginning.
      isDirect &&= client !== undefined && 'processID' in client && client.processID === pid;
    }
    const [first, second] = seen;
    const isShared = first.size > 1 || second.size > 1 || !first.isDisjointFrom(second);
    return isShared ? 'shared' : isDirect ? 'direct' : 'pooled';
  } finally {
    await Promise.allSettled(clients.map(async (client) => client.end()));
  }
}
