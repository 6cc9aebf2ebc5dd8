import { ConnectionLost, type Db, type Row, type Queryable, type SqlValue } from '#store/db.ts';

/** A commit whose response may be lost: its statements, except those of receipts. */
export type Choose = (statements: readonly string[]) => boolean;

/** A store whose connection breaks after a chosen commit and before its response. */
export function losing(db: Db, choose: Choose): Db {
  return {
    ...db,
    query: async (sql, values) => db.query(sql, values),
    async transaction<T>(work: (tx: Queryable) => Promise<T>, keep?: Parameters<Db['transaction']>[1]): Promise<T> {
      let statements: string[] = [];
      const result = await db.transaction(async (tx) => {
        statements = [];
        async function query(sql: string, values?: readonly SqlValue[]): Promise<readonly Row[]> {
          if (!sql.includes('receipts')) statements.push(sql);
          return tx.query(sql, values);
        }
        return work({ query });
      }, keep);
      if (statements.length > 0 && choose(statements)) throw new ConnectionLost('the answer to the commit is lost');
      return result;
    },
  };
}
