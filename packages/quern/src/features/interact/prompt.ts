import { z } from 'zod';
import type { OpenedSession } from './sessions.ts';
import { type PromptEnd, runPrompt } from './prompting.ts';
import type { InteractStep } from './step-log.ts';
import type { Secrets } from './secrets.ts';
import type { WorkCall } from '#engine/call/operation.ts';
import { toSchema } from '#extract/fields/field-schema.ts';
import type { Extract } from '#extract/grammar.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { WITHOUT_MODEL } from '#llm/complete.ts';

/** Actions of a session that a model chooses. */
export const MAX_PROMPTED_STEPS = 60;
const USUAL_STEPS = 20;

/** The members of an answer that only a session with a prompt has. */
export const PROMPT_MEMBERS = {
  result: z.string().nullable().optional().describe('With prompt: what came of it, in the words of the model'),
  data: z
    .record(z.string(), z.unknown())
    .nullable()
    .optional()
    .describe('With prompt and extract: what was asked for, as its schema says'),
  model: z
    .object({ input_tokens: z.int(), output_tokens: z.int() })
    .optional()
    .describe('With prompt: what the model read and wrote'),
} as const;

export type Prompted = {
  readonly prompt: string;
  readonly extract: Extract | null;
  readonly variables: Readonly<Record<string, string>>;
  readonly maxSteps: number | undefined;
  readonly secrets: Secrets;
  /** Called with each step that acted. */
  readonly onActed: (step: InteractStep) => void;
  /** The page that the session is at, as Markdown. */
  readonly readPage: () => Promise<string>;
};

/** The call that a prompt is of. */
export type PromptCall = Pick<WorkCall, 'modelSession' | 'keep' | 'note'> & { readonly clock: Clock };

/** Lets the operator's model work with the page of a session. */
export async function promptIn(begun: OpenedSession, prompted: Prompted, context: PromptCall): Promise<PromptEnd> {
  const { modelSession, keep, note, clock } = context;
  if (modelSession === null) throw withoutModel();
  const { prompt, extract, variables, maxSteps = USUAL_STEPS, secrets, readPage, onActed } = prompted;
  const order = {
    prompt,
    schema: extract === null ? null : toSchema(extract),
    variables,
    mostSteps: maxSteps,
  };
  const { session, leftMs } = begun;
  return runPrompt(order, { session, modelSession, secrets, leftMs, keep, note, onActed, clock, readPage });
}

/** The error of a prompt where there is no model. */
export function withoutModel(): ServiceError {
  return new ServiceError('backend_unavailable', `prompt: ${WITHOUT_MODEL}; actions work without one`, {
    retryable: false,
  });
}
