import type { ModelSession } from '#engine/call/model-session.ts';
import { fillSchema } from '#extract/fields/fill-schema.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { JsonObject } from '#kernel/json.ts';
import { isJsonObject } from '#kernel/json.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';
import { addTokens } from '#llm/complete.ts';
import type { Completion, Tokens } from '#llm/complete.ts';
import { performAction } from './acting.ts';
import type { ActingParts } from './acting.ts';
import { buildLoopDetector } from './loop-detection.ts';
import { toQuestion } from './conversation.ts';
import { buildHiding } from './redaction.ts';
import type { PromptTask } from './conversation.ts';
import type { Secrets } from './secrets.ts';
import { openStepLog } from './step-log.ts';
import type { InteractStep, StepLogParts } from './step-log.ts';
import { readCall, toolsFor } from './tools.ts';
import type { FinishInput } from './tools.ts';

/** What a session is to reach. */
export type PromptOrder = {
  readonly prompt: string;
  /** The form of the data that is wanted; null for none. */
  readonly schema: JsonObject | null;
  readonly variables: Readonly<Record<string, string>>;
  readonly mostSteps: number;
};

export type PromptParts = Omit<StepLogParts, 'secrets'> &
  Pick<ActingParts, 'leftMs'> & {
    readonly modelSession: ModelSession;
    readonly secrets: Secrets;
    /** The page that the session is at, as Markdown. */
    readonly readPage: () => Promise<string>;
  };

/** What a session came to. */
export type PromptEnd = {
  readonly steps: readonly InteractStep[];
  readonly failedStep: number | null;
  readonly completed: boolean;
  readonly result: string | null;
  /** As the schema says; null where none was asked for, or the model gave none. */
  readonly data: JsonObject | null;
  readonly warnings: readonly Warning[];
  readonly tokens: Tokens;
};

type End = Omit<PromptEnd, 'steps' | 'failedStep' | 'tokens'>;

const ACTION_MS = 10_000;
/** Answers in a row that nothing can be made of. */
const MOST_MISTAKES = 3;
const LONGEST_LINE = 300;

/** Lets the model work with a page, one call of a tool a step, until it ends, circles, refuses, or its steps are used up. */
export async function runPrompt(wish: PromptOrder, parts: PromptParts): Promise<PromptEnd> {
  const { session, modelSession, leftMs } = parts;
  const hide = buildHiding(wish.variables);
  const variables = Object.keys(wish.variables);
  const task: PromptTask = {
    prompt: wish.prompt,
    variables,
    tools: toolsFor(wish.schema),
    contextTokens: modelSession.contextTokens,
  };
  const log = openStepLog(parts);
  const circles = buildLoopDetector();
  const history: string[] = [];
  let content: string | null = null;
  let tokens: Tokens = { input: 0, output: 0 };
  let mistakes = 0;
  let isMended = false;

  /** Masked, since a page may repeat what was typed into it. */
  async function ask(snapshot: string): Promise<Completion> {
    const left = leftMs();
    if (left <= 0) throw new ServiceError('timeout', 'timeout_ms is used up');
    const question = toQuestion(task, {
      url: hide(session.url()).slice(0, 1000),
      tabs: session.page().context().pages().length,
      snapshot,
      history,
      content,
      mark: modelSession.newMark(),
      stepsLeft: wish.mostSteps - log.steps.length,
    });
    const answer = await modelSession.complete(question, SYSTEM_CLOCK.deadline(Math.ceil(left)));
    tokens = addTokens(tokens, answer.tokens);
    content = null;
    return answer;
  }

  /** What the model did that was no step; null while it may try again. */
  function correct(message: string, said: string): End | null {
    history.push(`(not done: ${clip(message)})`);
    mistakes += 1;
    return mistakes < MOST_MISTAKES ? null : declined(said);
  }

  async function runStep(call: string, type: string, work: () => Promise<void>): Promise<void> {
    const { error } = await log.run({ type, optional: true }, work);
    history.push(`${log.steps.length}. ${clip(call)}: ${error === undefined ? 'done' : error.message}`);
  }

  /** Data that does not fit is asked for once more. */
  async function finish({ success, result, data }: FinishInput): Promise<End | null> {
    const told = { result, warnings: [] };
    if (wish.schema === null || (!success && data === undefined)) return { ...told, completed: success, data: null };
    const { json, unmet } = fillSchema(wish.schema, {}, isJsonObject(data) ? data : {});
    if (unmet.length === 0) return { ...told, completed: success, data: json };
    if (!isMended) {
      isMended = true;
      return correct(`finish: data lacks, or has not as its schema says: ${unmet.slice(0, 20).join(', ')}`, '');
    }
    await log.run({ type: 'finish', optional: false }, async () => {
      const message = `the data of the model does not fit the schema: ${unmet.slice(0, 20).join(', ')}`;
      throw new ServiceError('extraction_failed', message);
    });
    return { ...told, completed: false, data: json };
  }

  async function round(): Promise<End | null> {
    const snapshot = hide(await session.snapshot(leftMs()));
    const answer = await ask(snapshot);
    const [call] = answer.calls;
    if (call === undefined) return answer.refused ? declined('') : correct('it was no call of a tool', answer.text);
    const reading = readCall(call.name, call.input);
    if (reading.kind === 'mistake') return correct(reading.message, answer.text);
    if (reading.kind === 'finish') return finish(reading.finish);
    mistakes = 0;
    if (log.steps.length >= wish.mostSteps) return usedUp(wish.mostSteps);
    const said = `${call.name} ${call.input}`;
    if (circles.isCircling(said, snapshot)) return circled(said);
    await runStep(said, call.name, async () => {
      if (reading.kind === 'action') await performAction(parts, reading.action, ACTION_MS);
      else content = hide(await parts.readPage());
    });
    return null;
  }

  let end: End | null = null;
  while (end === null) end = await round();
  await log.finish();
  const last = log.steps.at(-1);
  const failedStep = !end.completed && last !== undefined && last.status !== 'ok' ? last.index : null;
  return { ...end, steps: log.steps, failedStep, tokens };
}

function declined(said: string): End {
  const message = said === '' ? 'the model refused to go on' : `the model called no tool: ${clip(said)}`;
  return { completed: false, result: null, data: null, warnings: [{ code: 'model_refused', message }] };
}

function circled(call: string): End {
  const message = `the model did the same on the same page again and again: ${clip(call)}`;
  return { completed: false, result: null, data: null, warnings: [{ code: 'loop', message }] };
}

function usedUp(most: number): End {
  return { completed: false, result: `max_steps (${most}) are used up`, data: null, warnings: [] };
}

function clip(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}…`;
}
