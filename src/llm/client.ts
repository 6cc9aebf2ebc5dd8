import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '#kernel/errors.ts';
import { addTokens } from './complete.ts';
import type { Completion, Model, Question, Tokens } from './complete.ts';
import { loadDialect } from './dialect.ts';
import type { Dialect, LimitName } from './dialect.ts';
import { AnswerTooLarge, openWire } from './wire.ts';
import type { WireAnswer, WireLimits } from './wire.ts';

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
  /** Told what callers are not: what the endpoint said, without the key. */
  readonly report: (message: string, facts: Readonly<Record<string, unknown>>) => void;
};

/** What all questions came to since the start. */
export type ModelTotals = Tokens & { readonly answered: number; readonly failed: number };

export type OpenedModel = Model & {
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
  const { url, key, model, contextTokens, limits, random, report } = options;
  const wire = openWire(limits);
  const endpoint = `${url.replace(/\/+$/, '')}/chat/completions`;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  };
  let dialect: Promise<Dialect> | null = null;
  let limitName: LimitName = 'max_tokens';
  let totals: ModelTotals = { answered: 0, failed: 0, input: 0, output: 0 };

  async function post(speaker: Dialect, question: Question, signal: AbortSignal): Promise<WireAnswer> {
    const send = async () =>
      wire.post({ url: endpoint, headers, body: await speaker.write(question, limitName), signal });
    const answer = await send();
    if (answer.status !== 400 || limitName !== 'max_tokens' || !answer.text.includes('max_completion_tokens')) {
      return answer;
    }
    limitName = 'max_completion_tokens';
    return send();
  }

  async function attempt(speaker: Dialect, question: Question, signal: AbortSignal): Promise<Completion | Failure> {
    try {
      const answer = await post(speaker, question, signal);
      if (answer.status !== 200) {
        report('the model endpoint refused a question', { status: answer.status, said: masked(answer.text) });
        return failureOf(answer);
      }
      return await speaker.read(answer.text, question).catch((error: unknown) => {
        report('the model endpoint answered what is no chat completion', { said: masked(answer.text) });
        return lost('answers what is no chat completion', error);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DOMException && error.name === 'TimeoutError') {
        throw new ServiceError('timeout', `the model did not answer within ${limits.answerMs / 1000} s`, {
          cause: error,
        });
      }
      if (error instanceof AnswerTooLarge) return { ...lost('answers too much', error), isPassing: false };
      report('the model endpoint could not be asked', { err: error });
      return lost('cannot be reached, or breaks off', error);
    }
  }

  async function complete(question: Question, signal: AbortSignal): Promise<Completion> {
    signal.throwIfAborted();
    dialect ??= loadDialect(model);
    const speaker = await dialect;
    for (let asked = 1; ; asked++) {
      const got = await attempt(speaker, question, signal);
      if ('tokens' in got) {
        totals = { ...totals, ...addTokens(totals, got.tokens), answered: totals.answered + 1 };
        return got;
      }
      if (!got.isPassing || asked >= limits.attempts) throw unavailable(got);
      const own = limits.waitMs * 2 ** (asked - 1) * (0.5 + random() / 2);
      const waitMs = Math.max(own, (got.retryAfterSeconds ?? 0) * 1000);
      if (waitMs > limits.longestWaitMs) throw unavailable(got);
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  /** The beginning of what an endpoint said, in one line; some say the key that they refuse. */
  function masked(text: string): string {
    const bare = key === null ? text : text.replaceAll(key, '********');
    return bare.slice(0, 500).replaceAll(/\p{Cc}+/gu, ' ');
  }

  return {
    contextTokens,
    async complete(question, signal) {
      try {
        return await complete(question, signal);
      } catch (error) {
        totals = { ...totals, failed: totals.failed + 1 };
        throw inWords(error);
      }
    },
    totals: () => totals,
    close: wire.close,
  };
}

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
  if (status === 429) return 'has too much to do (429)';
  return status >= 500
    ? `fails (${status})`
    : `refuses the question (${status}): the log of the service has what it said`;
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
