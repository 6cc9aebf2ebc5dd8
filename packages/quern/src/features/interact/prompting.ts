import { createHash } from 'node:crypto';
import { nameMissing } from '#engine/call/model-outputs.ts';
import type { ModelSession } from '#engine/call/model-session.ts';
import { fillSchema } from '#extract/fields/fill-schema.ts';
import { ServiceError } from '#kernel/errors.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import type { Warning } from '#kernel/warnings.ts';
import { addTokens, type Completion, type Tokens } from '#llm/complete.ts';
import { type ActingParts, performAction } from './acting.ts';
import { type PromptTask, toQuestion } from './conversation.ts';
import { buildHiding } from './redaction.ts';
import type { Secrets } from './secrets.ts';
import { type InteractStep, StepLog, type StepLogParts } from './step-log.ts';
import { type FinishInput, readCall, toolsFor } from './tools.ts';

/** The most repetitions of one action on one page. */
const MAX_SAME = 3;
/** The most repetitions of one action in a row on any page, which may change without it, such as a clock. */
const MAX_IN_A_ROW = 8;

/** Detects that a session goes round in circles. */
type LoopDetector = {
  /** Notes an action on a page before it is done; true where it was done there too often already. */
  readonly isCircling: (action: string, shown: string) => boolean;
};

/** Remembers each action with its page, so that circles of any length are detected. */
function buildLoopDetector(): LoopDetector {
  const times = new Map<string, number>();
  let last = '';
  let inARow = 0;
  return {
    isCircling(action, shown) {
      const key = createHash('sha256').update(`${action}\n${shown}`).digest('base64');
      const seen = (times.get(key) ?? 0) + 1;
      times.set(key, seen);
      inARow = action === last ? inARow + 1 : 1;
      last = action;
      return seen > MAX_SAME || inARow > MAX_IN_A_ROW;
    },
  };
}

/** The goal of a session, and its bounds. */
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

/** The result of a session. */
export type PromptEnd = {
  readonly steps: readonly InteractStep[];
  readonly failedStep: number | null;
  readonly completed: boolean;
  readonly result: string | null;
  /** As the schema says; null where none was asked for, or the model gave none. */
  readonly data: JsonObject | null;
  /** The members of the data that do not fit the schema, after all that was asked. */
  readonly unmet: readonly string[];
  readonly warnings: readonly Warning[];
  readonly tokens: Tokens;
};

type End = Omit<PromptEnd, 'steps' | 'failedStep' | 'tokens'>;

const ACTION_MS = 10_000;
/** The most answers in a row that are no valid call. */
const MAX_MISTAKES = 5;
const MAX_LINE_LENGTH = 300;

/** Lets the model work with a page, one tool call a step, until it ends, circles, refuses, or its steps are used up. */
export async function runPrompt(order: PromptOrder, parts: PromptParts): Promise<PromptEnd> {
  return new PromptRun(order, parts).run();
}

/** One run of a model in a session. */
class PromptRun {
  readonly #order: PromptOrder;
  readonly #parts: PromptParts;
  /** Hides the values of variables, since a page may repeat what was typed into it. */
  readonly #hide: (text: string) => string;
  readonly #task: PromptTask;
  readonly #log: StepLog;
  readonly #circles = buildLoopDetector();
  readonly #history: string[] = [];
  /** The page that the model asked to read, for the next question. */
  #content: string | null = null;
  #tokens: Tokens = { input: 0, output: 0 };
  /** Answers in a row that were no valid call. */
  #mistakes = 0;
  /** Whether the data was asked for once more. */
  #isAskedAgain = false;

  constructor(order: PromptOrder, parts: PromptParts) {
    this.#order = order;
    this.#parts = parts;
    this.#hide = buildHiding(order.variables);
    this.#log = new StepLog(parts);
    this.#task = {
      prompt: order.prompt,
      variables: Object.keys(order.variables),
      tools: toolsFor(order.schema),
      contextTokens: parts.modelSession.contextTokens,
    };
  }

  async run(): Promise<PromptEnd> {
    let end: End | null = null;
    while (end === null) end = await this.#round();
    await this.#log.finish();
    const { steps } = this.#log;
    const last = steps.at(-1);
    const failedStep = !end.completed && last !== undefined && last.status !== 'ok' ? last.index : null;
    return { ...end, steps, failedStep, tokens: this.#tokens };
  }

  /** Asks for the next call and does it; the end of the session, null while it goes on. */
  async #round(): Promise<End | null> {
    const { session, leftMs, readPage } = this.#parts;
    const { mostSteps } = this.#order;
    const snapshot = this.#hide(await session.snapshot(leftMs()));
    const answer = await this.#ask(snapshot);
    const [call, ...others] = answer.calls;
    if (call === undefined) return this.#correct(`the answer had no call of a tool${cutNote(answer)}`, answer.text);
    const reading = readCall(call.name, call.input);
    if (reading.kind === 'mistake') return this.#correct(reading.message + cutNote(answer), answer.text);
    if (reading.kind === 'finish') return this.#finish(reading.finish);
    this.#mistakes = 0;
    if (others.length > 0) this.#history.push(`(not done: ${others.length} more calls; call one tool at a time)`);
    if (this.#log.steps.length >= mostSteps) return usedUp(mostSteps);
    const said = `${call.name} ${call.input}`;
    if (this.#circles.isCircling(said, snapshot)) return circled(said);
    await this.#runStep(said, call.name, async () => {
      if (reading.kind === 'action') await performAction(this.#parts, reading.action, ACTION_MS);
      else this.#content = this.#hide(await readPage());
    });
    return null;
  }

  async #ask(snapshot: string): Promise<Completion> {
    const { session, modelSession, leftMs, clock } = this.#parts;
    const left = leftMs();
    if (left <= 0) throw new ServiceError('timeout', 'timeout_ms is used up');
    const question = toQuestion(this.#task, {
      url: this.#hide(session.url()).slice(0, 1000),
      tabs: session.page().context().pages().length,
      snapshot,
      history: this.#history,
      content: this.#content,
      mark: modelSession.newMark(),
      stepsLeft: this.#order.mostSteps - this.#log.steps.length,
    });
    const answer = await modelSession.complete(question, clock.deadline(Math.ceil(left)));
    this.#tokens = addTokens(this.#tokens, answer.tokens);
    this.#content = null;
    return answer;
  }

  /** Notes an answer that was no step; null while the model may try again. */
  #correct(message: string, said: string): End | null {
    this.#history.push(`(not done: ${clip(message)})`);
    this.#mistakes += 1;
    return this.#mistakes < MAX_MISTAKES ? null : declined(said);
  }

  async #runStep(call: string, type: string, work: () => Promise<void>): Promise<void> {
    const { error, downloads = [] } = await this.#log.run({ type, optional: true }, work);
    const result = error === undefined ? 'done' : error.message;
    this.#history.push(`${this.#log.steps.length}. ${clip(call)}: ${result}${filesNote(downloads.length)}`);
  }

  /** Ends the session; data that does not fit the schema is asked for once more. */
  async #finish({ success, result, data }: FinishInput): Promise<End | null> {
    const { schema } = this.#order;
    const told = { result, unmet: [], warnings: [] };
    if (schema === null || (!success && data === undefined)) return { ...told, completed: success, data: null };
    const { json, missing, unmet } = fillSchema(schema, {}, isJsonObject(data) ? data : {});
    if (unmet.length === 0 || !success)
      return { ...told, completed: success, data: json, warnings: nameMissing(missing) };
    if (!this.#isAskedAgain) {
      this.#isAskedAgain = true;
      return this.#correct(`finish: data lacks, or has not as its schema says: ${unmet.slice(0, 20).join(', ')}`, '');
    }
    return { ...told, completed: false, data: json, unmet };
  }
}

const NO_DATA = { completed: false, data: null, unmet: [] } as const;

/** Tells a model how many files came; a page chooses their names, which could mislead it. */
function filesNote(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? ', and a file was downloaded for the person'
    : `, and ${count} files were downloaded for the person`;
}

/** Tells a model why what it wrote is not whole. */
function cutNote({ cut }: Completion): string {
  return cut ? '; it was cut off, since it was too long' : '';
}

function declined(said: string): End {
  const message = said === '' ? 'the model refused to go on' : `the model called no tool: ${clip(said)}`;
  return { ...NO_DATA, result: null, warnings: [{ code: 'model_refused', message }] };
}

function circled(call: string): End {
  const message = `the model did the same on the same page again and again: ${clip(call)}`;
  return { ...NO_DATA, result: null, warnings: [{ code: 'loop', message }] };
}

function usedUp(most: number): End {
  return { ...NO_DATA, result: `max_steps (${most}) are used up`, warnings: [] };
}

function clip(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= MAX_LINE_LENGTH ? line : `${line.slice(0, MAX_LINE_LENGTH)}…`;
}
