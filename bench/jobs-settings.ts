/** A job queue that is measured in its own process. */
export type QueueUnderTest = {
  /** Submits one job; resolves when it is committed. */
  readonly submit: () => Promise<void>;
  /** Starts a worker; resolves when the given number of jobs have ended, with the function that stops it. */
  readonly work: (jobs: number) => Promise<() => Promise<unknown>>;
};

export type JobRates = {
  /** Jobs per second: submitting, running, and both one after the other. */
  readonly submit: number;
  readonly work: number;
  readonly both: number;
};

/** Concurrent submissions, and concurrent jobs of a worker, for every queue. */
export const CONCURRENCY = 64;
/** Connections of each tool; the default of all of them. */
export const CONNECTIONS = 10;

export const TOOLS = ['quern, SQLite', 'quern, PostgreSQL', 'pg-boss', 'pg-boss, batches', 'graphile-worker'] as const;

export type ToolName = (typeof TOOLS)[number];

/** The settings that the documentation of each tool recommends for throughput. Only batches of pg-boss are not completed job by job. */
export const SETTINGS: Readonly<Record<ToolName, string>> = {
  'quern, SQLite': `QUERN_JOB_SLOTS ${CONCURRENCY}`,
  'quern, PostgreSQL': `QUERN_JOB_SLOTS ${CONCURRENCY}`,
  'pg-boss': `localConcurrency ${CONCURRENCY}, burstWhenReadyExceeds 1`,
  'pg-boss, batches': `batchSize ${CONCURRENCY}, perJobResults, burstWhenBatchFull`,
  'graphile-worker': `concurrentJobs ${CONCURRENCY}, localQueue ${CONCURRENCY + 1}`,
};
