import { QuernError } from './errors.ts';
import type { Job } from './generated/types.ts';

/** How far a job is. */
export type Progress = Job['progress'];

/** A part of the long list of a result. */
export type ListPart<I> = { readonly elements: readonly I[]; readonly cursor: string | null };

/** What a run asks of the service. */
export type RunSource<R, I> = {
  readonly submit: () => Promise<Job>;
  /** The job, at its end or after this time. */
  readonly look: (id: string, waitMs: number) => Promise<Job>;
  /** What the list holds behind a cursor; its own cursor is null only at the end of a job that has ended. */
  readonly read: (id: string, cursor: string | null) => Promise<ListPart<I>>;
  readonly result: (job: Job) => Promise<R>;
  readonly cancel: (id: string) => Promise<void>;
  readonly onProgress: ((progress: Progress, job: Job) => void) | null;
  /** Where the iteration begins, null for the start. */
  readonly cursor: string | null;
};

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 2_000;

/**
 * Work that takes long, as a job of the service: iterated it gives the elements of its result while it runs, awaited it
 * is the whole result. Leaving the iteration leaves the job; `cancel` ends it.
 */
export class JobRun<R, I> implements AsyncIterable<I>, PromiseLike<R> {
  readonly #source: RunSource<R, I>;
  #job: Promise<Job> | null = null;
  #isAtEnd = false;
  #latest: Job | null = null;
  #cursor: string | null;

  constructor(source: RunSource<R, I>) {
    this.#source = source;
    this.#cursor = source.cursor;
  }

  /** How far it is, as it was told last; null before the first time. */
  get progress(): Progress | null {
    return this.#latest?.progress ?? null;
  }

  /** Behind the elements that were given so far: with the id of the job another iteration goes on there. */
  get cursor(): string | null {
    return this.#cursor;
  }

  /** The job, which is submitted by the first call of any member. */
  async job(): Promise<Job> {
    this.#job ??= this.#source.submit();
    return this.#job;
  }

  async cancel(): Promise<void> {
    const { id } = await this.job();
    await this.#source.cancel(id);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<I, void> {
    const { id } = await this.job();
    let completed = 0;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, MAX_WAIT_MS)) {
      const job = await this.#look(id, wait);
      const isOver = hasEnded(job);
      if (!isOver && job.progress.completed <= completed) continue;
      completed = job.progress.completed;
      yield* this.#readOn(id, isOver);
      if (!isOver) continue;
      demandSuccess(job);
      return;
    }
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting a run waits for its result
  then<A = R, B = never>(
    resolve?: ((result: R) => A | PromiseLike<A>) | null,
    reject?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#finish().then(resolve, reject);
  }

  async #finish(): Promise<R> {
    const { id } = await this.job();
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, MAX_WAIT_MS)) {
      const job = await this.#look(id, wait);
      if (!hasEnded(job)) continue;
      demandSuccess(job);
      return this.#source.result(job);
    }
  }

  async #look(id: string, waitMs: number): Promise<Job> {
    const job = await this.#source.look(id, Math.round(waitMs));
    this.#latest = job;
    this.#source.onProgress?.(job.progress, job);
    return job;
  }

  /** Gives what is there; of a job that has ended to the end of its list. */
  async *#readOn(id: string, isOver: boolean): AsyncGenerator<I, void> {
    while (!this.#isAtEnd) {
      const { elements, cursor } = await this.#source.read(id, this.#cursor);
      for (const [at, element] of elements.entries()) {
        // Whoever leaves at the last element has had all of this part.
        if (at === elements.length - 1 && cursor !== null) this.#cursor = cursor;
        yield element;
      }
      // The job may end between a look at it and this: what was given then is not given again.
      this.#isAtEnd = cursor === null;
      if (!isOver && elements.length === 0) return;
    }
  }
}

/** Whether a job will never run again. */
export function hasEnded({ status }: Job): boolean {
  return status !== 'queued' && status !== 'running';
}

/** Throws the error with which a job ended. */
export function demandSuccess({ id, status, error }: Job): void {
  if (status === 'completed' || status === 'cancelled') return;
  throw new QuernError(error?.message ?? `the job is ${status}`, {
    status: 0,
    code: error?.code ?? `job_${status}`,
    requestId: null,
    retryable: false,
    blocked: error?.code === 'target_blocked',
    timedOut: error?.code === 'timeout',
    retryAfter: null,
    jobId: id,
  });
}
