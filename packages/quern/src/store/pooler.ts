import { Client } from 'pg';

const PID = 'select pg_backend_pid() as pid';
/** The order in which two connections are asked: a pooler gives the first to ask what the last one left, or takes turns. */
const ORDER = [0, 0, 1, 0, 1, 1] as const;
const CONNECT_MS = 3000;

/**
 * The way to a server: `direct`, through a pooler that gives each session a connection of its own, or one that shares
 * connections between transactions, as PgBouncer does in transaction mode: then what a session remembers, such as a prepared
 * statement or a `listen`, may be that of another.
 */
export type ServerWay = 'direct' | 'pooled' | 'shared';

/** Finds out by two connections which server serves each of them, time and again. */
export async function findWay(url: string): Promise<ServerWay> {
  const clients = [0, 1].map(
    () => new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS }),
  );
  try {
    for (const client of clients) {
      client.on('error', () => undefined);
      await client.connect();
    }
    const seen: [Set<number>, Set<number>] = [new Set(), new Set()];
    let isDirect = true;
    for (const at of ORDER) {
      const client = clients[at];
      const answer = await client?.query<{ readonly pid: number }>(PID);
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
