import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { z } from 'zod';
import { ActionFailed } from '#access/interact/actions.ts';
import type { InteractSession } from '#access/interact/session.ts';
import { ArtifactMember } from '#engine/results/artifacts.ts';
import type { Note, WorkCall } from '#engine/call/operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Secrets } from './secrets.ts';

/** One action that was done, as answers show it. */
export const InteractStep = z.object({
  index: z.int(),
  type: z.string(),
  status: z.enum(['ok', 'failed', 'skipped']).describe('skipped: it failed, and was optional'),
  duration_ms: z.int(),
  url: z.string().describe('Where the page was after it'),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  screenshot: ArtifactMember.optional().describe('What the window showed when it failed'),
});

export type InteractStep = z.output<typeof InteractStep>;

export type StepLogParts = {
  readonly session: InteractSession;
  readonly secrets: Pick<Secrets, 'mask'>;
  readonly keep: WorkCall['keep'];
  readonly note: Note | null;
};

/** What a step is, and whether it may fail. */
export type StepKind = { readonly type: string; readonly optional: boolean };

/** The steps of a session: a job is told of each before and after it. */
export function openStepLog({ session, secrets, keep, note }: StepLogParts) {
  const steps: InteractStep[] = [];
  let noted = 0;

  /** Each step is told of when the next one begins, and that it begins before it does. */
  async function tell(begun: number): Promise<void> {
    const more = steps.slice(noted);
    noted = steps.length;
    await note?.(more, countsOf(steps, begun));
  }

  return {
    steps,
    /** Does one step. What it throws is in its entry; what ends the session passes through. */
    async run({ type, optional }: StepKind, work: () => Promise<void>): Promise<InteractStep> {
      const index = steps.length;
      const began = SYSTEM_CLOCK.monotonic();
      await tell(index + 1);
      const failure = await work().then(
        () => null,
        (error: unknown) => toStepError(error, session.signal),
      );
      const duration = Math.round(SYSTEM_CLOCK.monotonic() - began);
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
      steps.push(step);
      return step;
    },
    /** Tells of the last step. */
    finish: async (): Promise<void> => tell(steps.length),
  };
}

function countsOf(steps: readonly InteractStep[], begun: number) {
  const failed = steps.filter(({ status }) => status !== 'ok').length;
  return { begun, completed: steps.length - failed, failed };
}

/** What a step tells of its failure; what ends the session, and mistakes of ours, pass through. */
function toStepError(error: unknown, signal: AbortSignal): { readonly code: string; readonly message: string } {
  signal.throwIfAborted();
  if (error instanceof ActionFailed) return { code: 'action_failed', message: error.message };
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  throw error;
}
