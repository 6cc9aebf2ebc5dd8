import { Caller } from './caller.ts';
import type { FileBody, RunOptions } from './caller.ts';
import { Operations } from './generated/operations.ts';
import type { Artifact, Job } from './generated/types.ts';
import { Http } from './http.ts';
import type { CallOptions, ClientOptions } from './http.ts';

/** A client of one service. */
export class Quern extends Operations {
  constructor(options: ClientOptions = {}) {
    super(new Caller(new Http(options)));
  }

  /** Waits until a job has ended, whatever became of it, through restarts of the service. */
  async waitFor(job: string | Pick<Job, 'id'>, options?: RunOptions): Promise<Job> {
    return this.caller.wait(idOf(job), options);
  }

  /** The bytes of a screenshot or PDF that an answer names. */
  async download(file: string | Pick<Artifact, 'id'>, options?: CallOptions): Promise<FileBody> {
    return this.getArtifact({ id: idOf(file) }, options);
  }

  /** Every element of the long list of a job's result, such as the pages of a crawl. */
  resultLines<T>(job: string | Pick<Job, 'id'>, options?: CallOptions): AsyncIterable<T> {
    return this.caller.lines<T>(idOf(job), options);
  }

  /** The archive of a crawl with `archive: true`, a .warc.gz. */
  async archive(job: string | Pick<Job, 'id'>, options?: CallOptions): Promise<FileBody> {
    return this.caller.archive(idOf(job), options);
  }
}

function idOf(record: string | { readonly id: string }): string {
  return typeof record === 'string' ? record : record.id;
}
