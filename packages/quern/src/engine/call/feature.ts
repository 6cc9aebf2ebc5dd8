import type { Metric } from '#kernel/metric.ts';
import type { JobHooks } from '#engine/jobs/job-hooks.ts';
import type { Runnable } from './operation.ts';

/** The conditions of a loop: `id` names its process. */
export type LoopStart = {
  readonly id: string;
  /** Whether no other process uses the store. */
  readonly isAlone: boolean;
};

/** Background work, for as long as its process serves. */
export type Loop = {
  /** `jobs`: only in a process with a worker, and ends with it; `service`: in every service, until no job runs. */
  readonly beside: 'jobs' | 'service';
  readonly start: (how: LoopStart) => RunningLoop;
};

export type RunningLoop = {
  readonly metrics: readonly Metric[];
  /** Resolves when the loop writes nothing any more. */
  readonly close: () => Promise<void>;
};

/** One round of deleting what is too old; `name` is for the operator. */
export type Round = { readonly name: string; readonly run: (signal: AbortSignal) => Promise<void> };

/** A part of the service: its operations, and its background work. */
export type Feature = {
  readonly operations: readonly Runnable[];
  readonly jobHooks?: JobHooks;
  readonly rounds?: readonly Round[];
  readonly loops?: readonly Loop[];
  readonly close?: () => Promise<void>;
};
