import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { StepsView } from '#engine/call/command-view.ts';
import type { Operation } from '#engine/call/operation.ts';
import { JobRecord } from '#engine/jobs/job-record.ts';
import { ServiceError, isErrorCode } from '#kernel/errors.ts';
import { toFlag } from './command.ts';
import { EXIT, Interrupted } from './exit.ts';
import { queueJob } from './job.ts';
import type { CliParts } from './parts.ts';
import { type Given, listOf } from './spec.ts';
import { follow } from '#transports/cli/download/follow.ts';
import { openOutput } from '#transports/cli/download/sinks.ts';

const MAX_FILE_BYTES = 10 * 1024 * 1024;

const Elements = z.array(z.unknown());

/** `--actions FILE.json` as one option for each element of the file; JSON that is written out stays. */
export function withListFile({ values, flags }: Given, { fileMember }: StepsView): Given {
  const flag = toFlag(fileMember);
  const elements = listOf(flags, flag).flatMap((text) =>
    text.startsWith('{') ? [text] : readElements(text, fileMember, `--${flag}`),
  );
  return elements.length === 0 ? { values, flags } : { values, flags: { ...flags, [flag]: elements } };
}

function readElements(path: string, member: string, flag: string): readonly string[] {
  try {
    const bytes = readFileSync(path);
    if (bytes.byteLength > MAX_FILE_BYTES) throw new Error('is larger than 10 MiB');
    return Elements.parse(JSON.parse(bytes.toString('utf8'))).map((one) => JSON.stringify(one));
  } catch (error) {
    const why =
      error instanceof z.ZodError ? `holds no list of ${member}` : error instanceof Error ? error.message : '';
    throw new ServiceError('invalid_request', `${flag}: ${path} ${why}`, { cause: error });
  }
}

/** Runs work as a job, prints each step when it ends, then the answer without the steps. */
export async function runSteps(
  operation: Operation,
  { list, toLine, isUndone }: StepsView,
  { raw, parts }: { readonly raw: unknown; readonly parts: CliParts },
): Promise<number> {
  const { terminal, interrupted } = parts;
  const { id } = JobRecord.parse(await queueJob(operation, raw, parts));
  await parts.work();
  const form = { element: (step: unknown) => `quern: ${toLine(step)}\n`, end: () => '' };
  const sink = openOutput((lines) => terminal.note(lines.trimEnd()), form);
  try {
    const { record, body } = await follow(id, { sink, list, grows: true, show: showNothing }, parts);
    if (record.status !== 'completed') throw toFailure(record);
    const answer = Object.entries(body).filter(([name]) => name !== list && name !== 'next_cursor');
    terminal.out(`${JSON.stringify(Object.fromEntries(answer), null, 2)}\n`);
    if (record.usage !== null) terminal.note(`quern: ${record.usage.credits} credits (${record.usage.tier})`);
    return isUndone(body) ? EXIT.failure : EXIT.ok;
  } catch (error) {
    if (interrupted().aborted) throw new Interrupted(`${id} is not repeated: quern jobs show ${id}`, { cause: error });
    throw error;
  }
}

/** The steps themselves are the progress. */
function showNothing(): void {}

function toFailure({ id, status, error }: JobRecord): ServiceError {
  if (error === null) return new ServiceError('job_cancelled', `${id} is ${status}`);
  return new ServiceError(isErrorCode(error.code) ? error.code : 'internal_error', error.message);
}
