import type { Db, Statements } from './db.ts';

/** Runs work inside a transaction shared with other work of the same moment. */
export type InTurn = <T>(work: (tx: Statements) => Promise<T>) => Promise<T>;

type Waiting = {
  /** Runs the work and gives the function that tells its caller, once the commit is safe. */
  readonly run: (tx: Statements) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
};

/** After a commit that several calls shared, the next waits this long for more of them; a lone call never waits. */
const GAP_MS = 2;

/**
 * One commit for the calls of a moment instead of one each: its cost is shared, nobody is told before it is safe. When
 * one piece of work throws, all of it is rolled back and each piece runs again by itself, so that only the one fails.
 */
export function groupCommits(db: Db): InTurn {
  let waiting: Waiting[] = [];
  let shared = false;

  function schedule(): void {
    if (shared) setTimeout(() => void flush(), GAP_MS);
    else setImmediate(() => void flush());
  }

  async function flush(): Promise<void> {
    const batch = waiting;
    waiting = [];
    shared = batch.length > 1;
    try {
      const tell = await db.transaction(async (tx) => {
        const done: (() => void)[] = [];
        for (const one of batch) done.push(await one.run(tx));
        return done;
      });
      for (const one of tell) one();
    } catch (error) {
      if (batch.length === 1) for (const one of batch) one.reject(error);
      else for (const one of batch) await alone(one);
    }
  }

  async function alone({ run, reject }: Waiting): Promise<void> {
    try {
      const tell = await db.transaction(run);
      tell();
    } catch (error) {
      reject(error);
    }
  }

  return async function inTurn<T>(work: (tx: Statements) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (waiting.length === 0) schedule();
      waiting.push({
        reject,
        async run(tx) {
          const result = await work(tx);
          return () => resolve(result);
        },
      });
    });
  };
}
