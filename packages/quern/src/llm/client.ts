import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { openTurns } from '#kernel/turns.ts';
import { addTokens, type Completion, type Question, type SharedModel, type Tokens } from './complete.ts';
import { type ChatDialect, type LimitName, loadDialect } from './dialect.ts';
import { AnswerTooLarge, openWire, type WireAnswer, type WireLimits } from './wire.ts';

/** Questions of one process at once, and one more for a tenant while another has them all. */
const MAX_AT_ONCE = 8;

export type ModelLimits = WireLimits & {
  /** Times that one question is asked while the endpoint is busy or breaks. */
  readonly attempts: number;
  /** Before the second; it doubles after that. */
  readonly waitMs: number;
  /** The longest wait that the endpoint may ask for. */
  readonly longestWaitMs: number;
};

export const MODEL_LIMITS: ModelLimits = {
  connectMs: 5_000,
  answerMs: 120_000,
  answerBytes: 4 * 1024 * 1024,
  attempts: 3,
  waitMs: 500,
  longestWaitMs: 15_000,
};

export type ModelOptions = {
  /** The base of the API, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly key: string | null;
  readonly model: string;
  readonly contextTokens: number;
  readonly limits: ModelLimits;
  /** From 0 to 1, for the spread of second attempts. */
  readonly random: () => number;
  /** Logs what callers do not see. */
  readonly report: Report;
  /** Logs what may quote a page or a question: for the level `debug` alone. */
  readonly reportText: Report;
};

type Report = (message: string, facts: Readonly<Record<string, unknown>>) => void;

/** Totals of all questions since the start. */
export type ModelTotals = Tokens & { readonly answered: number; readonly failed: number };

export type OpenedModel = SharedModel & {
  readonly totals: () => ModelTotals;
  readonly close: () => Promise<void>;
};

type Failure = {
  readonly message: string;
  readonly isPassing: boolean;
  readonly retryAfterSeconds: number | null;
  readonly cause?: unknown;
};

/** The model behind an OpenAI-compatible endpoint (`POST …/chat/completions`); nothing is loaded or dialled before the first question. */
export function openModel(options: ModelOptions): OpenedModel {
  const { contextTokens, limits, random } = options;
  const endpoint = new ChatEndpoint(options);
  let totals: ModelTotals = { answered: 0, failed: 0, input: 0, output: 0 };

  async function complete(question: Question, signal: AbortSignal): Promise<Completion> {
    signal.throwIfAborted();
    for (let asked = 1; ; asked++) {
      const got = await endpoint.attempt(question, signal);
      if ('tokens' in got) {
        totals = { ...totals, ...addTokens(totals, got.tokens), answered: totals.answered + 1 };
        return got;
      }
      if (!got.isPassing || asked >= limits.attempts) throw unavailable(got);
      const own = limits.waitMs * 2 ** (asked - 1) * (0.5 + random() / 2);
      const waitMs = Math.max(own, (got.retryAfterSeconds ?? 0) * 1000);
      if (waitMs > limits.longestWaitMs) throw unavailable(got);
      await SYSTEM_CLOCK.sleep(waitMs, signal).catch(() => signal.throwIfAborted());
    }
  }

  return {
    contextTokens,
    turns: openTurns({ places: MAX_AT_ONCE, spare: 1, clock: SYSTEM_CLOCK }),
    async complete(question, signal) {
      try {
        return await complete(question, signal);
      } catch (error) {
        totals = { ...totals, failed: totals.failed + 1 };
        throw inWords(error);
      }
    },
    totals: () => totals,
    close: async () => endpoint.close(),
  };
}

/** One attempt at a time of a question: sent, read, and its failure told apart. */
class ChatEndpoint {
  readonly #options: ModelOptions;
  readonly #wire: ReturnType<typeof openWire>;
  readonly #url: string;
  #dialect: Promise<ChatDialect> | null = null;
  /** The name under which the endpoint takes the limit of an answer. */
  #limitName: LimitName = 'max_tokens';

  constructor(options: ModelOptions) {
    this.#options = options;
    this.#wire = openWire(options.limits);
    this.#url = `${options.url.replace(/\/+$/, '')}/chat/completions`;
  }

  async close(): Promise<void> {
    await this.#wire.close();
  }

  /** Throws `timeout` where the time of one answer is up, or the signal's reason. */
  async attempt(question: Question, signal: AbortSignal): Promise<Completion | Failure> {
    const { model, limits, report, reportText } = this.#options;
    this.#dialect ??= loadDialect(model);
    const dialect = await this.#dialect;
    try {
      const answer = await this.#post(dialect, question, signal);
      if (answer.status !== 200) {
        const { type, code } = readRefusal(answer.text);
        report('the model endpoint refused a question', { status: answer.status, type, code });
        reportText('what the model endpoint said', { said: this.#masked(answer.text) });
        return failureOf(answer);
      }
      return await dialect.read(answer.text, question).catch((error: unknown) => {
        report('the model endpoint did not answer with a chat completion', { bytes: Buffer.byteLength(answer.text) });
        reportText('what the model endpoint said', { said: this.#masked(answer.text) });
        return lost('does not answer with a chat completion', error);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DOMException && error.name === 'TimeoutError') {
        const message = `the model did not answer within ${limits.answerMs / 1000} s`;
        throw new ServiceError('timeout', message, { cause: error });
      }
      if (error instanceof AnswerTooLarge) return { ...lost('answers too much', error), isPassing: false };
      report('the model endpoint could not be asked', { err: error });
      return lost('cannot be reached, or breaks off', error);
    }
  }

  async #post(dialect: ChatDialect, question: Question, signal: AbortSignal): Promise<WireAnswer> {
    const name = this.#limitName;
    const answer = await this.#send(dialect, { question, limitName: name }, signal);
    if (answer.status !== 400 || !refusesName(readRefusal(answer.text), name)) return answer;
    const limitName = name === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    const second = await this.#send(dialect, { question, limitName }, signal);
    if (second.status === 400) return answer;
    // A refusal may quote a page; only a question that was answered tells which name the endpoint takes.
    if (second.status === 200) this.#limitName = limitName;
    return second;
  }

  async #send(
    dialect: ChatDialect,
    { question, limitName }: { readonly question: Question; readonly limitName: LimitName },
    signal: AbortSignal,
  ): Promise<WireAnswer> {
    const { key } = this.#options;
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    };
    const body = await dialect.write(question, limitName);
    return this.#wire.send({ url: this.#url, headers, body, signal });
  }

  /** The beginning of an answer for the log, in one line; some endpoints repeat the key that they refuse. */
  #masked(text: string): string {
    const { key } = this.#options;
    const bare = key === null ? text : text.replaceAll(key, '********');
    return bare.slice(0, 500).replaceAll(/\p{Cc}+/gu, ' ');
  }
}

/** The members of an error of the endpoint that name it; texts quote what was asked. */
type Refusal = {
  readonly type: string | null;
  readonly code: string | null;
  readonly param: string | null;
  readonly message: string;
};

const WORD = /^[\w.-]{1,64}$/;

function readRefusal(text: string): Refusal {
  const body = parse(text);
  const error = isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : {};
  const wordAt = (name: string): string | null => {
    const value = error[name];
    return typeof value === 'string' && WORD.test(value) ? value : null;
  };
  const { message } = error;
  return {
    type: wordAt('type'),
    code: wordAt('code'),
    param: wordAt('param'),
    message: typeof message === 'string' ? message : '',
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether the name of the bound is refused: the error names it, or begins with words to that effect where it names nothing. */
function refusesName({ param, code, message }: Refusal, name: LimitName): boolean {
  if (param === null) return UNSUPPORTED.exec(message)?.[1] === name;
  return param === name && (code === null || UNKNOWN.test(code));
}

/** A code such as `invalid_value` refuses the number, and not its name. */
const UNKNOWN = /^(?:unsupported|unknown|unrecognized)/;
const UNSUPPORTED =
  /^(?:unsupported parameter|unknown parameter|unrecognized request argument supplied): ['"`]?(max_tokens|max_completion_tokens)\b/i;

function lost(what: string, cause: unknown): Failure {
  return { message: `the model endpoint ${what}`, isPassing: true, retryAfterSeconds: null, cause };
}

function failureOf({ status, retryAfterSeconds }: WireAnswer): Failure {
  const isPassing = status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
  return { message: `the model endpoint ${said(status)}`, isPassing, retryAfterSeconds };
}

function said(status: number): string {
  if (status === 401 || status === 403) return `refuses QUERN_MODEL_KEY (${status})`;
  if (status === 404) return 'is not below QUERN_MODEL_URL, or has no QUERN_MODEL of that name (404)';
  if (status >= 300 && status < 400)
    return `redirects (${status}), which is not followed: QUERN_MODEL_URL must name where it leads`;
  if (status === 429) return 'is overloaded (429)';
  return status >= 500
    ? `fails (${status})`
    : `refuses the question (${status}): the log of the service has what it said, at QUERN_LOG_LEVEL=debug`;
}

function unavailable({ message, isPassing, retryAfterSeconds, cause }: Failure): ServiceError {
  const wait = retryAfterSeconds === null ? {} : { retryAfterSeconds };
  return new ServiceError('backend_unavailable', message, { retryable: isPassing, cause, ...wait });
}

/** The time of the whole call is up: the caller learns what it went into. */
function inWords(error: unknown): unknown {
  if (!(error instanceof DOMException) || error.name !== 'TimeoutError') return error;
  return new ServiceError('timeout', 'the model did not answer in time: use a larger timeout_ms', { cause: error });
}
