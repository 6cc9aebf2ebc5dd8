import type { JobHooks } from '#engine/jobs/job-hooks.ts';
import type { Runnable } from './operation.ts';

/** A figure that a feature keeps for the metrics; a total grows, a level goes up and down. */
export type Metric = {
  readonly name: string;
  readonly help: string;
  readonly kind: 'total' | 'level';
  /** The name of the one label, null for none. */
  readonly label: string | null;
  /** Values by the label's, or one under the empty text. */
  readonly read: () => Promise<ReadonlyMap<string, number>>;
};

/** How a loop is started: `id` names its process. */
export type LoopStart = {
  readonly id: string;
  /** Whether no other process has the store. */
  readonly isAlone: boolean;
};

/** Work that goes on beside calls, for as long as its process serves. */
export type Loop = {
  /** `jobs`: only beside a worker, and it ends with it; `service`: in every process that stays, until no job runs. */
  readonly beside: 'jobs' | 'service';
  readonly start: (how: LoopStart) => RunningLoop;
};

export type RunningLoop = {
  readonly metrics: readonly Metric[];
  /** Resolves when nothing of the loop writes any more. */
  readonly close: () => Promise<void>;
};

/** One round of deleting what is too old. */
export type Round = (signal: AbortSignal) => Promise<void>;

/** A part of the service: the operations that it runs, and what it does beside them. */
export type Feature = {
  readonly operations: readonly Runnable[];
  readonly jobHooks?: JobHooks;
  readonly rounds?: readonly Round[];
  readonly loops?: readonly Loop[];
  readonly close?: () => Promise<void>;
};
