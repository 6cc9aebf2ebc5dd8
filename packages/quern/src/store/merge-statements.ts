import type { Row, Queryable, SqlValue } from './db.ts';

/**
 * Statements that can serve several calls at once: `insert … values (…)`, and statements that begin with
 * `with calls (…) as (values (…))`. The parentheses contain the values of one call. No parameter may follow them, because all
 * calls would get that of the first one. If the statement returns rows, their first column is the first value of the call
 * that they belong to.
 */
const MERGEABLE_HEAD = /^(?:with calls \([^()]*\) as \(|insert into \w+ \([^()]*\)\s+)values\s+/;

type PendingCall = {
  readonly values: readonly SqlValue[];
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: unknown) => void;
};

/** PostgreSQL counts the parameters of a statement in 16 bits. */
const MAX_PARAMETERS = 32_000;

/** Whether calls with this SQL can be merged; also true for merged SQL, whose text depends on the number of calls. */
export function isMergeable(sql: string): boolean {
  const head = MERGEABLE_HEAD.exec(sql)?.[0];
  if (head === undefined) return false;
  let end = findClosing(sql, head.length);
  while (sql.startsWith(', (', end)) end = findClosing(sql, end + 2);
  return !sql.includes('$', end);
}

export type MergedStatements = Queryable & {
  /** Resolves when all statements have completed; the transaction must not end before. */
  readonly waitUntilSent: () => Promise<void>;
};

/** Sends each statement separately and immediately. */
export function sendUnmerged(tx: Queryable): MergedStatements {
  return { query: tx.query, waitUntilSent: async () => undefined };
}

/** Merges calls of a transaction that have the same SQL and are made at the same moment. */
export function mergeCalls(tx: Queryable): MergedStatements {
  let waiting = new Map<string, PendingCall[]>();
  const underWay: Promise<void>[] = [];

  function flush(): void {
    const groups = waiting;
    waiting = new Map();
    for (const [sql, calls] of groups) {
      const most = Math.max(1, Math.floor(MAX_PARAMETERS / Math.max(1, calls[0]?.values.length ?? 1)));
      for (let from = 0; from < calls.length; from += most) {
        underWay.push(send(sql, calls.slice(from, from + most)));
      }
    }
  }

  /** Never throws: resolves or rejects each call. */
  async function send(sql: string, calls: readonly PendingCall[]): Promise<void> {
    try {
      const rows = await tx.query(
        repeatValues(sql, calls.length),
        calls.flatMap(({ values }) => values),
      );
      const byCall = Map.groupBy(rows, (row) => Object.values(row)[0]);
      for (const { values, resolve } of calls) resolve(byCall.get(values[0]) ?? []);
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }

  return {
    async waitUntilSent() {
      if (waiting.size > 0) flush();
      await Promise.all(underWay);
    },
    async query(sql, values = []) {
      if (!isMergeable(sql)) return tx.query(sql, values);
      return new Promise((resolve, reject) => {
        // Other work that is ready now sends its statement before the next tick.
        if (waiting.size === 0) process.nextTick(flush);
        const calls = waiting.get(sql);
        if (calls === undefined) waiting.set(sql, [{ values, resolve, reject }]);
        else calls.push({ values, resolve, reject });
      });
    },
  };
}

/** The SQL for several calls: repeats the values with renumbered parameters. */
function repeatValues(sql: string, calls: number): string {
  const head = MERGEABLE_HEAD.exec(sql)?.[0] ?? '';
  const end = findClosing(sql, head.length);
  const row = sql.slice(head.length, end);
  const size = Math.max(0, ...[...row.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
  const all = Array.from({ length: calls }, (_, at) =>
    at === 0 ? row : row.replaceAll(/\$(\d+)/g, (_whole, n: string) => `$${Number(n) + at * size}`),
  );
  return head + all.join(', ') + sql.slice(end);
}

/** The position of the parenthesis that closes the one at `from`. */
function findClosing(sql: string, from: number): number {
  let depth = 0;
  for (let at = from; at < sql.length; at += 1) {
    if (sql[at] === '(') depth += 1;
    if (sql[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return sql.length;
}
