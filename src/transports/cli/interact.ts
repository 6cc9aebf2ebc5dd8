import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { JobRecord } from '#engine/jobs/job-record.ts';
import { ServiceError, isErrorCode } from '#kernel/errors.ts';
import type { CliParts } from './cli.ts';
import type { CliCommand, Parsed } from './command.ts';
import { EXIT, Interrupted } from './exit.ts';
import { queueJob } from './job.ts';
import { follow } from '#transports/cli/download/follow.ts';
import { openOutput } from '#transports/cli/download/sinks.ts';
import type { Form } from '#transports/cli/download/sinks.ts';

const MOST_FILE_BYTES = 10 * 1024 * 1024;

const Step = z.looseObject({
  index: z.number(),
  type: z.string(),
  status: z.string(),
  duration_ms: z.number(),
  url: z.string(),
  error: z.looseObject({ message: z.string() }).optional(),
});
const Actions = z.array(z.unknown());

/** `--actions FILE.json` as one option for each action of the file; JSON that is written out stays. */
export function withActionsFile(args: readonly string[]): readonly string[] {
  return args.flatMap((word, at) => {
    const path = args[at - 1] === '--actions' ? word : null;
    if (path !== null) return path.startsWith('{') ? ['--actions', path] : readActions(path);
    return word === '--actions' && args[at + 1] !== undefined ? [] : [word];
  });
}

function readActions(path: string): readonly string[] {
  try {
    const bytes = readFileSync(path);
    if (bytes.byteLength > MOST_FILE_BYTES) throw new Error('is larger than 10 MiB');
    return Actions.parse(JSON.parse(bytes.toString('utf8'))).flatMap((one) => ['--actions', JSON.stringify(one)]);
  } catch (error) {
    const why = error instanceof z.ZodError ? 'holds no list of actions' : error instanceof Error ? error.message : '';
    throw new ServiceError('invalid_request', `--actions: ${path} ${why}`, { cause: error });
  }
}

/** Runs a session as a job, prints each step when it ends, then the answer without the steps. */
export async function runInteract({ operation }: CliCommand, { raw }: Parsed, parts: CliParts): Promise<number> {
  const { terminal, interrupted } = parts;
  const { id } = JobRecord.parse(await queueJob(operation, raw, parts));
  await parts.work();
  const sink = openOutput((lines) => terminal.note(lines.trimEnd()), STEPS);
  try {
    const { record, body } = await follow(id, { sink, list: 'steps', grows: true, show: showNothing }, parts);
    if (record.status !== 'completed') throw toFailure(record);
    const { steps: _, next_cursor: __, ...answer } = body;
    terminal.out(`${JSON.stringify(answer, null, 2)}\n`);
    if (record.usage !== null) terminal.note(`quern: ${record.usage.credits} credits (${record.usage.tier})`);
    return EXIT.ok;
  } catch (error) {
    if (interrupted().aborted) throw new Interrupted(`${id} is not repeated: quern jobs show ${id}`, { cause: error });
    throw error;
  }
}

/** The steps themselves are the progress. */
function showNothing(): void {}

const STEPS: Form = { element: (step) => `quern: ${toLine(Step.parse(step))}\n`, end: () => '' };

function toLine({ index, type, status, duration_ms: ms, url, error }: z.output<typeof Step>): string {
  return `${index} ${type} ${status} ${ms} ms ${error === undefined ? url : error.message}`;
}

function toFailure({ id, status, error }: JobRecord): ServiceError {
  if (error === null) return new ServiceError('job_cancelled', `${id} is ${status}`);
  return new ServiceError(isErrorCode(error.code) ? error.code : 'internal_error', error.message);
}
