import type { JobHooks } from '#engine/jobs/job-hooks.ts';
import type { Runnable } from './operation.ts';

/** A metric of a feature; a total grows, a level goes up and down. */
export type Metric = {
  readonly name: string;
  readonly help: string;
  readonly kind: 'total' | 'level';
  /** The name of the one label, null for none. */
  readonly label: string | null;
  /** Values by the value of the label; without a label one under the empty text. */
  readonly read: () => Promise<ReadonlyMap<string, number>>;
};

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
