import { z } from 'zod';
import { ActionFailed } from '#access/interact/actions.ts';
import type { InteractSession } from '#access/interact/session.ts';
import { ArtifactMember } from '#engine/results/artifacts.ts';
import type { Note, WorkCall } from '#engine/call/operation.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Secrets } from './secrets.ts';
import { named } from '#kernel/schema-names.ts';

/** One action that was done, as answers show it. */
export const InteractStep = named(
  'InteractStep',
  z.object({
    index: z.int(),
    type: z.string(),
    status: z.enum(['ok', 'failed', 'skipped']).describe('skipped: it failed, and was optional'),
    duration_ms: z.int(),
    url: z.string().describe('Where the page was after it'),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    screenshot: ArtifactMember.optional().describe('What the window showed when it failed'),
  }),
);

export type InteractStep = z.output<typeof InteractStep>;

export type StepLogParts = {
  readonly session: InteractSession;
  readonly secrets: Pick<Secrets, 'mask'>;
  readonly keep: WorkCall['keep'];
  readonly note: Note | null;
  readonly clock: Clock;
};

/** The type of a step, and whether it may fail. */
export type StepKind = { readonly type: string; readonly optional: boolean };

/** The steps of a session: a job is told of each before and after it. */
export class StepLog {
  readonly steps: readonly InteractStep[];
  readonly #parts: StepLogParts;
  readonly #steps: InteractStep[] = [];
  #noted = 0;

  constructor(parts: StepLogParts) {
    this.#parts = parts;
    this.steps = this.#steps;
  }

  /** Does one step. Its error is in its entry; an error that ends the session passes through. */
  async run({ type, optional }: StepKind, work: () => Promise<void>): Promise<InteractStep> {
    const { session, secrets, clock, keep } = this.#parts;
    const index = this.#steps.length;
    const began = clock.monotonic();
    await this.#tell(index + 1);
    const failure = await work().then(
      () => null,
      (error: unknown) => toStepError(error, session.signal),
    );
    const duration = Math.round(clock.monotonic() - began);
    const shot = failure === null || optional ? null : await session.shoot();
    const step: InteractStep = {
      index,
      type,
      status: failure === null ? 'ok' : optional ? 'skipped' : 'failed',
      duration_ms: duration,
      url: secrets.mask(session.url()),
      ...(failure === null ? {} : { error: { ...failure, message: secrets.mask(failure.message) } }),
      ...(shot === null ? {} : { screenshot: await keep(shot) }),
    };
    this.#steps.push(step);
    return step;
  }

  /** Tells of the last step. */
  async finish(): Promise<void> {
    await this.#tell(this.#steps.length);
  }

  /** Tells of the steps that ended since the last call, and of how many have begun. */
  async #tell(begun: number): Promise<void> {
    const more = this.#steps.slice(this.#noted);
    this.#noted = this.#steps.length;
    await this.#parts.note?.(more, countsOf(this.#steps, begun));
  }
}

function countsOf(steps: readonly InteractStep[], begun: number) {
  const failed = steps.filter(({ status }) => status !== 'ok').length;
  return { begun, completed: steps.length - failed, failed };
}

/** The error of a step as answers show it; one that ends the session, and mistakes of ours, pass through. */
function toStepError(error: unknown, signal: AbortSignal): { readonly code: string; readonly message: string } {
  signal.throwIfAborted();
  if (error instanceof ActionFailed) return { code: 'action_failed', message: error.message };
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  throw error;
}
