import { z } from 'zod';
import { ActionFailed } from '#access/interact/actions.ts';
import type { InteractSession } from '#access/interact/session.ts';
import { ArtifactMember } from '#engine/results/artifacts.ts';
import type { Note, WorkCall } from '#engine/call/operation.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Secrets } from './secrets.ts';
import { named } from '#extract/schema/names.ts';

/** For files that are under way when the last step has ended, ms. */
const FILES_MS = 10_000;

/** A file that a page downloaded, as answers name it. */
const DownloadMember = named(
  'Download',
  ArtifactMember.extend({ name: z.string().describe('The name that the page gave the file') }),
);

type DownloadMember = z.output<typeof DownloadMember>;

/** One action that was done, as answers show it. */
export const InteractStep = named(
  'InteractStep',
  z.object({
    index: z.int(),
    type: z.string(),
    status: z.enum(['ok', 'failed', 'skipped']).describe('skipped: it failed, and was optional'),
    duration_ms: z.int(),
    url: z.string().describe('Where the page was after it, without a fragment'),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    screenshot: ArtifactMember.optional().describe('What the window showed when it failed'),
    downloads: z.array(DownloadMember).optional().describe('The files that pages began to download in it'),
  }),
);

export type InteractStep = z.output<typeof InteractStep>;

export type StepLogParts = {
  readonly session: InteractSession;
  readonly secrets: Pick<Secrets, 'mask'>;
  readonly keep: WorkCall['keep'];
  readonly note: Note | null;
  /** Called with each step that acted on a page, or brought something of it. */
  readonly onActed: (step: InteractStep) => void;
  readonly clock: Clock;
};

/** Steps that leave a page as it is and bring nothing. */
const IDLE_TYPES: ReadonlySet<string> = new Set(['wait', 'dialog', 'switch']);

/** Whether a session did anything on its pages, or brought anything of them: one that fails before is free. */
export function hasActed(steps: readonly InteractStep[]): boolean {
  return steps.some(
    // A script that throws has run all the same.
    ({ type, status, downloads }) =>
      downloads !== undefined || type === 'evaluate' || (status === 'ok' && !IDLE_TYPES.has(type)),
  );
}

/** The type of a step, and whether it may fail. */
export type StepKind = { readonly type: string; readonly optional: boolean };

/** The steps of a session: a job is told of each before and after it. */
export class StepLog {
  readonly steps: readonly InteractStep[];
  readonly #parts: StepLogParts;
  readonly #steps: InteractStep[] = [];
  #noted = 0;
  /** Whether the last step may fail. */
  #isOptional = false;

  constructor(parts: StepLogParts) {
    this.#parts = parts;
    this.steps = this.#steps;
  }

  /** Does one step. Its error is in its entry; an error that ends the session passes through. */
  async run({ type, optional }: StepKind, work: () => Promise<void>): Promise<InteractStep> {
    const { session, secrets, clock, keep } = this.#parts;
    const index = this.#steps.length;
    const began = clock.monotonic();
    await this.#addDownloads();
    await this.#tell(index + 1);
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
      url: secrets.mask(withoutFragment(session.url())),
      ...(failure === null ? {} : { error: { ...failure, message: secrets.mask(failure.message) } }),
      ...(shot === null ? {} : { screenshot: await keep(shot) }),
      ...(downloads.length === 0 ? {} : { downloads }),
    };
    if (hasActed([step])) this.#parts.onActed(step);
    this.#steps.push(step);
    this.#isOptional = optional;
    return step;
  }

  /** Waits for the files that the last step began to download, and records them; the step fails where one does not come. */
  async finish(): Promise<void> {
    const { session, secrets } = this.#parts;
    const failure = await session.settleDownloads(FILES_MS).then(
      () => null,
      (error: unknown) => toStepError(error, session.signal),
    );
    await this.#addDownloads();
    const last = this.#steps.at(-1);
    if (failure !== null && last?.status === 'ok') {
      const error = { ...failure, message: secrets.mask(failure.message) };
      this.#steps.splice(-1, 1, { ...last, status: this.#isOptional ? 'skipped' : 'failed', error });
    }
    await this.#tell(this.#steps.length);
  }

  /** Adds files that came after the last step to it. */
  async #addDownloads(): Promise<void> {
    const more = await this.#keepDownloads();
    const last = this.#steps.at(-1);
    if (last === undefined || more.length === 0) return;
    this.#steps.splice(-1, 1, { ...last, downloads: [...(last.downloads ?? []), ...more] });
  }

  async #keepDownloads(): Promise<DownloadMember[]> {
    const { session, secrets, keep } = this.#parts;
    const kept: DownloadMember[] = [];
    for await (const { name, file } of session.downloads())
      kept.push({ ...(await keep(file)), name: secrets.mask(name) });
    return kept;
  }

  /** Tells of the steps that ended since the last call, and of how many have begun. */
  async #tell(begun: number): Promise<void> {
    const more = this.#steps.slice(this.#noted);
    this.#noted = this.#steps.length;
    await this.#parts.note?.(more, countsOf(this.#steps, begun));
  }
}

/** A fragment is the page's own, and can hold anything of it. */
function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? url;
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
