import { z } from 'zod';
import { Extract } from '#extract/grammar.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { JobInput } from '#engine/job-record.ts';
import type { Operation } from '#engine/operation.ts';
import { toCleaning } from './normal-form.ts';
import { observeContent, observeFields } from './observation.ts';
import type { Observation } from './observation.ts';
import { shapesOfExtract, shapesOfOutput } from './shapes.ts';
import type { Shapes } from './shapes.ts';
import { contentOf } from './watch.ts';
import type { Watch } from './watch.ts';

/** The operation whose `extract` names the fields, and whose target may answer an error page. */
const FETCH = 'fetch';
/** Warnings that say that a page is not the one that was asked for. */
const WRONG_PAGE: ReadonlySet<unknown> = new Set(['auth_required', 'geo_or_legal', 'target_error']);

const Warned = z.object({ warnings: z.array(z.object({ code: z.string() })) });

/** The fields of what an operation answers to an input, by the `extract` of a fetch or the operation's own record. */
export function shapesOf(operation: Operation, input: JobInput): Shapes {
  const { extract } = input;
  if (operation.id === FETCH && extract !== undefined) return shapesOfExtract(Extract.parse(extract));
  return shapesOfOutput(z.toJSONSchema(operation.output, { unrepresentable: 'any' }));
}

export type Answered = {
  readonly operation: Operation;
  readonly input: JobInput;
  readonly body: JobInput;
  readonly watch: Watch;
};

/**
 * What the answer of a run shows of what is watched. Throws `target_blocked` for an error page and a page that asks who
 * one is: the values are not there, but they have not changed.
 */
export function observe({ operation, input, body, watch }: Answered, shapes: Shapes): Observation {
  if (operation.id === FETCH) refuseWrongPage(body);
  const content = contentOf(watch);
  if (content !== null) return observeContent(body, content, toCleaning(watch.ignore_patterns));
  const isExtract = operation.id === FETCH && input['extract'] !== undefined;
  return observeFields(body, shapes, isExtract ? 'extract' : 'record');
}

function refuseWrongPage(body: JobInput): void {
  const { status_code: status } = body;
  if (typeof status === 'number' && status >= 400) {
    const retryable = status >= 500 || status === 429;
    throw new ServiceError('target_blocked', `the page answered ${status}, so it is not compared`, { retryable });
  }
  const wrong = Warned.safeParse(body).data?.warnings.find(({ code }) => WRONG_PAGE.has(code));
  if (wrong === undefined) return;
  throw new ServiceError('target_blocked', `the page is not the one that was asked for (${wrong.code})`);
}
