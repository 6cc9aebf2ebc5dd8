import type { Metric } from '#kernel/metric.ts';
import type { JobHooks } from '#engine/jobs/job-hooks.ts';
import type { BoundOperation } from './bound-operation.ts';

/** How a loop is started. `id` is the id of its process. */
export type LoopStart = {
  readonly id: string;
  /** Whether no other process uses the store. */
  readonly isAlone: boolean;
};

/** Background work that runs as long as its process. */
export type Loop = {
  /** `jobs`: runs in processes with a worker and ends with it. `service`: runs in every service, until no job runs. */
  readonly beside: 'jobs' | 'service';
  readonly start: (how: LoopStart) => RunningLoop;
};

export type RunningLoop = {
  readonly metrics: readonly Metric[];
  /** Resolves once the loop no longer writes anything. */
  readonly close: () => Promise<void>;
};

/** One kind of periodic cleanup. `name` is shown to the operator. */
export type Round = { readonly name: string; readonly run: (signal: AbortSignal) => Promise<void> };

/** A part of the service: its operations and background work. */
export type Feature = {
  readonly operations: readonly BoundOperation[];
  readonly jobHooks?: JobHooks;
  readonly rounds?: readonly Round[];
  readonly loops?: readonly Loop[];
  readonly close?: () => Promise<void>;
};
