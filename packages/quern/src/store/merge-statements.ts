import type { Row, Statements, Value } from './db.ts';

/**
 * Statements that do for a list of calls what they do for one: an insert of values, and any that begins with
 * `with calls (…) as (values (…))`. The values of one call stand in the parentheses, and no parameter follows them, since it
 * would be that of the first call for all. The first column that such a statement returns, if any, is the first value of
 * the call that the row belongs to.
 */
const MERGEABLE_HEAD = /^(?:with calls \([^()]*\) as \(|insert into \w+ \([^()]*\)\s+)values\s+/;

type PendingCall = {
  readonly values: readonly Value[];
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: unknown) => void;
};

/** PostgreSQL counts the parameters of a statement in 16 bits. */
const MAX_PARAMETERS = 32_000;

/** Whether statements of this text may be merged, or are merged ones; those have a text for each number of calls. */
export function isMergeable(sql: string): boolean {
  const head = MERGEABLE_HEAD.exec(sql)?.[0];
  if (head === undefined) return false;
  let end = findClosing(sql, head.length);
  while (sql.startsWith(', (', end)) end = findClosing(sql, end + 2);
  return !sql.includes('$', end);
}

export type MergedStatements = Statements & {
  /** Resolves when all statements are sent and answered; the transaction may not end before. */
  readonly waitUntilSent: () => Promise<void>;
};

/** Statements that are sent one by one, at once. */
export function sendUnmerged(tx: Statements): MergedStatements {
  return { query: tx.query, waitUntilSent: async () => undefined };
}

/** Statements of a transaction that merges equal texts which different work sends at the same moment. */
export function mergeCalls(tx: Statements): MergedStatements {
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

  /** Never throws: each call is resolved or rejected. */
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
        // Work that can go on without an answer of the store sends its statement before the next tick.
        if (waiting.size === 0) process.nextTick(flush);
        const calls = waiting.get(sql);
        if (calls === undefined) waiting.set(sql, [{ values, resolve, reject }]);
        else calls.push({ values, resolve, reject });
      });
    },
  };
}

/** The text for several calls: the values of all, with their parameters numbered through. */
function repeatValues(sql: string, calls: number): string {
  const head = MERGEABLE_HEAD.exec(sql)?.[0] ?? '';
  const end = findClosing(sql, head.length);
  const one = sql.slice(head.length, end);
  const size = Math.max(0, ...[...one.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
  const all = Array.from({ length: calls }, (_, at) =>
    at === 0 ? one : one.replaceAll(/\$(\d+)/g, (_whole, n: string) => `$${Number(n) + at * size}`),
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
