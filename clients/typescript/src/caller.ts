import { QuernConnectionError } from './errors.ts';
import { readEvents } from './events.ts';
import { FileBody } from './file.ts';
import type { Job } from './generated/types.ts';
import { Http, parse, sleep } from './http.ts';
import type { CallOptions, Route } from './http.ts';
import { List } from './list.ts';
import type { ListPage } from './list.ts';
import { demandSuccess, hasEnded, JobRun } from './job-run.ts';
import type { ListPart, Progress } from './job-run.ts';

export type { CallOptions } from './http.ts';
export { FileBody } from './file.ts';
export { List } from './list.ts';
export { JobRun } from './job-run.ts';

/** What a call that becomes a job may be given. */
export type RunOptions = CallOptions & {
  /** Called whenever the progress of the job is known anew. */
  readonly onProgress?: (progress: Progress, job: Job) => void;
};

/** What a run that is taken up again may be given. */
export type ResumeOptions = RunOptions & {
  /** `cursor` of the run before: its elements are not given again. */
  readonly cursor?: string | null;
};

/** A step of a job that is followed. */
export type JobEvent = { readonly type: 'progress' | 'end'; readonly job: Job };

/** Members that are no longer there once a file is read. */
type Members = Readonly<Record<string, unknown>>;

const JOB: Route = { operation: 'jobs.show', method: 'GET', path: '/v1/jobs/{id}', query: ['wait_ms'], list: null };
const SUBMIT: Route = { operation: 'jobs.submit', method: 'POST', path: '/v1/jobs', query: [], list: null };
const CANCEL: Route = { operation: 'jobs.cancel', method: 'DELETE', path: '/v1/jobs/{id}', query: [], list: null };
const RESULT: Route = {
  operation: 'jobs.result',
  method: 'GET',
  path: '/v1/jobs/{id}/result',
  query: ['partial', 'format', 'limit', 'cursor'],
  list: null,
};

const LOOK_MS = 20_000;
const QUEUED = 202;
const RECONNECT_MS = 500;
/** A service that restarts is away for longer than one that is only busy. */
const FOLLOWING_RETRIES = 10;

/** The forms that calls have: once, as work that may become a job, as a run, a list, events or a file. */
export class Caller {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  async send<T>(route: Route, input: object, options?: CallOptions): Promise<T> {
    const { body } = await this.#http.json<T>(route, input, options);
    return body;
  }

  /** The answer of work, waited for where the service has made a job of it. */
  async work<T>(route: Route, input: object, options?: CallOptions): Promise<T> {
    const { status, body } = await this.#http.json<T & Job>(route, input, options);
    if (status !== QUEUED) return body;
    const job = await this.wait(body.id, options);
    demandSuccess(job);
    return this.#readResult(job, route.list, options);
  }

  run<R, I>(route: Route, input: object, options: RunOptions = {}): JobRun<R, I> {
    const submit = async (): Promise<Job> => this.send(SUBMIT, { kind: route.operation, input }, options);
    return this.#toRun(route, submit, options);
  }

  resume<R, I>(route: Route, id: string, options: ResumeOptions = {}): JobRun<R, I> {
    return this.#toRun(route, async () => this.send(JOB, { id }, options), options);
  }

  #toRun<R, I>({ list }: Route, submit: () => Promise<Job>, options: ResumeOptions): JobRun<R, I> {
    const { signal, onProgress = null, cursor = null } = options;
    const following = { maxRetries: FOLLOWING_RETRIES, ...(signal === undefined ? {} : { signal }) };
    return new JobRun({
      submit,
      look: async (id, waitMs) => this.send(JOB, { id, wait_ms: waitMs }, following),
      read: async (id, after) => this.#readPart(id, { list, cursor: after }, following),
      result: async (job) => this.#readResult(job, list, following),
      cancel: async (id) => {
        await this.send(CANCEL, { id });
      },
      onProgress,
      cursor,
    });
  }

  list<T>(route: Route, input: object, options?: CallOptions): List<T> {
    return new List(async (cursor) =>
      this.send<ListPage<T>>(route, cursor === null ? input : { ...input, cursor }, options),
    );
  }

  async file(route: Route, input: object, options?: CallOptions): Promise<FileBody> {
    return new FileBody(await this.#http.stream(route, input, options, { accept: '*/*' }));
  }

  /** The events of a job to its end; a connection that is lost is made again. */
  async *events(route: Route, input: object, options: CallOptions = {}): AsyncGenerator<JobEvent, void> {
    let last: string | null = null;
    for (let lost = 0; ; lost += 1) {
      const headers = { accept: 'text/event-stream', ...(last === null ? {} : { 'last-event-id': last }) };
      const { body } = await this.#http.stream(route, input, { maxRetries: FOLLOWING_RETRIES, ...options }, headers);
      try {
        for await (const { id, event, data } of readEvents(body ?? new Blob([]).stream())) {
          last = id ?? last;
          lost = 0;
          if (event !== 'progress' && event !== 'end') continue;
          yield { type: event, job: parse<Job>(data) };
          if (event === 'end') return;
        }
      } catch (error) {
        options.signal?.throwIfAborted();
        if (lost >= FOLLOWING_RETRIES) throw new QuernConnectionError('the events of the job broke off', error);
      }
      if (lost >= FOLLOWING_RETRIES) throw new QuernConnectionError('the events of the job ended before it did', null);
      await sleep(RECONNECT_MS, options.signal);
    }
  }

  /** Waits until a job has ended, whatever became of it. */
  async wait(id: string, { signal, onProgress }: RunOptions = {}): Promise<Job> {
    const options = { maxRetries: FOLLOWING_RETRIES, ...(signal === undefined ? {} : { signal }) };
    for (;;) {
      const job = await this.send<Job>(JOB, { id, wait_ms: onProgress === undefined ? LOOK_MS : 1000 }, options);
      onProgress?.(job.progress, job);
      if (hasEnded(job)) return job;
    }
  }

  /** The elements of a result's long list, one JSON value a line. */
  async *lines<T>(id: string, options?: CallOptions): AsyncGenerator<T, void> {
    const { body } = await this.#http.stream(RESULT, { id, format: 'jsonl' }, options, { accept: '*/*' });
    const decoder = new TextDecoder();
    let open = '';
    for await (const piece of piecesOf(body)) {
      const lines = (open + decoder.decode(piece, { stream: true })).split('\n');
      open = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield parse<T>(line);
    }
    if (open !== '') yield parse<T>(open);
  }

  /** The archive of a crawl. */
  async archive(id: string, options?: CallOptions): Promise<FileBody> {
    return this.file(RESULT, { id, format: 'warc' }, options);
  }

  /** A whole result, its long list put together from its pages. */
  async #readResult<T>({ id, status }: Job, list: string | null, options?: CallOptions): Promise<T> {
    const partial = status !== 'completed';
    const first = await this.send<T & Members>(RESULT, { id, ...(partial ? { partial } : {}) }, options);
    if (list === null) return first;
    const { next_cursor: more, ...whole } = first;
    const elements = elementsOf(first, list);
    let cursor = typeof more === 'string' ? more : null;
    while (cursor !== null) {
      const part: ListPart<unknown> = await this.#readPart(id, { list, cursor }, options);
      elements.push(...part.elements);
      cursor = part.cursor;
    }
    return Object.assign(first, whole, { [list]: elements, next_cursor: null });
  }

  async #readPart<I>(
    id: string,
    { list, cursor }: { readonly list: string | null; readonly cursor: string | null },
    options?: CallOptions,
  ): Promise<ListPart<I>> {
    const input = { id, partial: true, ...(cursor === null ? {} : { cursor }) };
    const body = await this.send<Members>(RESULT, input, options);
    const { next_cursor: more } = body;
    return { elements: elementsOf(body, list ?? ''), cursor: typeof more === 'string' ? more : null };
  }
}

function elementsOf<I>(body: Members, list: string): I[] {
  const elements = body[list];
  return Array.isArray(elements) ? elements : [];
}

/** The pieces of a stream; some browsers cannot iterate one. */
async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array, void> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
