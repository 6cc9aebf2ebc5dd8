import { z } from 'zod';
import { ActionFailed } from '#access/interact/actions.ts';
import type { InteractSession } from '#access/interact/session.ts';
import { ArtifactMember } from '#engine/results/artifacts.ts';
import type { ReportProgress, WorkCall } from '#engine/call/operation.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Secrets } from './secrets.ts';
import { nameSchema } from '#extract/schema/names.ts';

/** How long to wait for downloads that are still running after the last step. */
const DOWNLOADS_TIMEOUT_MS = 10_000;

/** A downloaded file in a response. */
const Download = nameSchema(
  'Download',
  ArtifactMember.extend({ name: z.string().describe('File name that the page suggested') }),
);

type Download = z.output<typeof Download>;

/** A completed action in a response. */
export const InteractStep = nameSchema(
  'InteractStep',
  z.object({
    index: z.int(),
    type: z.string(),
    status: z.enum(['ok', 'failed', 'skipped']).describe('skipped: it failed but was optional'),
    duration_ms: z.int(),
    url: z.string().describe('URL of the page afterwards, without fragment'),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    screenshot: ArtifactMember.optional().describe('Screenshot at the time of the failure'),
    downloads: z.array(Download).optional().describe('Files whose download began during this step'),
  }),
);

export type InteractStep = z.output<typeof InteractStep>;

export type StepLogParts = {
  readonly session: InteractSession;
  readonly secrets: Pick<Secrets, 'mask'>;
  readonly keep: WorkCall['storeArtifact'];
  readonly note: ReportProgress | null;
  /** Called after each step that acted on a page or read something from it. */
  readonly onActed: (step: InteractStep) => void;
  readonly clock: Clock;
};

/** Types of steps that neither change a page nor return anything. */
const IDLE_TYPES: ReadonlySet<string> = new Set(['wait', 'dialog', 'switch']);

/** Whether any step acted on a page or read something from it; a session that fails before that is free. */
export function hasActed(steps: readonly InteractStep[]): boolean {
  return steps.some(
    // A script that throws has run nevertheless.
    ({ type, status, downloads }) =>
      downloads !== undefined || type === 'evaluate' || (status === 'ok' && !IDLE_TYPES.has(type)),
  );
}

/** The type of a step, and whether its failure is tolerated. */
export type StepKind = { readonly type: string; readonly optional: boolean };

/** The steps of a session. Jobs report progress before and after each step. */
export class StepLog {
  readonly steps: readonly InteractStep[];
  readonly #parts: StepLogParts;
  readonly #steps: InteractStep[] = [];
  #reported = 0;
  /** Whether the last step was optional. */
  #isOptional = false;

  constructor(parts: StepLogParts) {
    this.#parts = parts;
    this.steps = this.#steps;
  }

  /** Runs one step and returns its entry, including its error. Errors that end the session are thrown. */
  async run({ type, optional }: StepKind, work: () => Promise<void>): Promise<InteractStep> {
    const { session, secrets, clock, keep } = this.#parts;
    const index = this.#steps.length;
    const began = clock.monotonic();
    await this.#addDownloads();
    await this.#report(index + 1);
    const failure = await work().then(
      () => null,
      (error: unknown) => toStepError(error, session.signal),
    );
    const duration = Math.round(clock.monotonic() - began);
    const downloads = await this.#keepDownloads();
    const shot = failure === null || optional ? null : await session.shoot();
    const step: InteractStep = {
      index,
      type,
      status: failure === null ? 'ok' : optional ? 'skipped' : 'failed',
      duration_ms: duration,
      url: secrets.mask(removeFragment(session.url())),
      ...(failure === null ? {} : { error: { ...failure, message: secrets.mask(failure.message) } }),
      ...(shot === null ? {} : { screenshot: await keep(shot) }),
      ...(downloads.length === 0 ? {} : { downloads }),
    };
    if (hasActed([step])) this.#parts.onActed(step);
    this.#steps.push(step);
    this.#isOptional = optional;
    return step;
  }

  /** Waits for the downloads of the last step and records them; the step fails if a download does not complete. */
  async finish(): Promise<void> {
    const { session, secrets } = this.#parts;
    const failure = await session.settleDownloads(DOWNLOADS_TIMEOUT_MS).then(
      () => null,
      (error: unknown) => toStepError(error, session.signal),
    );
    await this.#addDownloads();
    const last = this.#steps.at(-1);
    if (failure !== null && last?.status === 'ok') {
      const error = { ...failure, message: secrets.mask(failure.message) };
      this.#steps.splice(-1, 1, { ...last, status: this.#isOptional ? 'skipped' : 'failed', error });
    }
    await this.#report(this.#steps.length);
  }

  /** Adds files that arrived since the last step to that step. */
  async #addDownloads(): Promise<void> {
    const more = await this.#keepDownloads();
    const last = this.#steps.at(-1);
    if (last === undefined || more.length === 0) return;
    this.#steps.splice(-1, 1, { ...last, downloads: [...(last.downloads ?? []), ...more] });
  }

  async #keepDownloads(): Promise<Download[]> {
    const { session, secrets, keep } = this.#parts;
    const files: Download[] = [];
    for await (const { name, file } of session.downloads())
      files.push({ ...(await keep(file)), name: secrets.mask(name) });
    return files;
  }

  /** Reports the steps that ended since the last call, and how many have begun. */
  async #report(begun: number): Promise<void> {
    const more = this.#steps.slice(this.#reported);
    this.#reported = this.#steps.length;
    await this.#parts.note?.(more, countSteps(this.#steps, begun));
  }
}

/** Removes the fragment, which a page can set to anything. */
function removeFragment(url: string): string {
  return url.split('#', 1)[0] ?? url;
}

function countSteps(steps: readonly InteractStep[], begun: number) {
  const failed = steps.filter(({ status }) => status !== 'ok').length;
  return { begun, completed: steps.length - failed, failed };
}

/** Converts a failure to the error of a step. Errors that end the session, and unexpected ones, are thrown. */
function toStepError(error: unknown, signal: AbortSignal): { readonly code: string; readonly message: string } {
  signal.throwIfAborted();
  if (error instanceof ActionFailed) return { code: 'action_failed', message: error.message };
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  throw error;
}
