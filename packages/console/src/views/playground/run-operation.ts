import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiFailure, send, toApiFailure } from '#console/app/api.ts';
import { jsonIn } from '#console/app/json.ts';
import { toSampleCall } from '#console/app/samples.ts';
import { readerNow } from '#console/app/service-clock.ts';
import { notePlayed } from './call-history.ts';
import type { PlayedOperation } from './operations.ts';

/** What came of a call. */
export type PlayedAnswer = {
  readonly status: number;
  readonly tookMs: number;
  readonly type: string;
  /** The JSON of the answer; undefined for any other. */
  readonly body: unknown;
  /** The text of an answer that is none, as far as it was read. */
  readonly text: string;
  readonly isCut: boolean;
  /** A file, as a picture or a PDF. */
  readonly file: Blob | null;
  readonly credits: string | null;
};

export type PlayedRun = {
  readonly isRunning: boolean;
  readonly startedAt: number;
  readonly answer: PlayedAnswer | null;
  readonly failure: ApiFailure | null;
  readonly start: (input: Readonly<Record<string, unknown>>, asJob?: boolean) => void;
  readonly cancel: () => void;
};

const MAX_TEXT_LENGTH = 4_000_000;
const MAX_FILE_BYTES = 64_000_000;
/** Longer than the longest inline call. */
const CALL_MS = 330_000;

/** Sends calls of an operation, one at a time; leaving the view ends the one that runs. */
export function useRunning(operation: PlayedOperation): PlayedRun {
  const [state, setState] = useState<Pick<PlayedRun, 'isRunning' | 'startedAt' | 'answer' | 'failure'>>({
    isRunning: false,
    startedAt: 0,
    answer: null,
    failure: null,
  });
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);

  async function run(input: Readonly<Record<string, unknown>>, asJob: boolean): Promise<void> {
    const leaving = new AbortController();
    current.current?.abort();
    current.current = leaving;
    const startedAt = readerNow();
    setState({ isRunning: true, startedAt, answer: null, failure: null });
    const sent = asJob ? { kind: operation.id, input } : input;
    const { method, url, body } = toSampleCall(asJob ? JOBS : operation, sent, '');
    const response = await send(method, url, { body, signal: leaving.signal, timeoutMs: CALL_MS, keepsState: true });
    const came = response instanceof Response ? await readAnswer(response, startedAt) : response;
    if (current.current !== leaving) return;
    current.current = null;
    const isAnswer = 'tookMs' in came;
    notePlayed({ at: startedAt, operation: operation.id, input, status: came.status });
    setState({ isRunning: false, startedAt, answer: isAnswer ? came : null, failure: isAnswer ? null : came });
  }

  return {
    ...state,
    start: (input, asJob = false) => void run(input, asJob),
    cancel: () => current.current?.abort(),
  };
}

const JOBS = { method: 'POST', path: '/v1/jobs' };

async function readAnswer(response: Response, startedAt: number): Promise<PlayedAnswer | ApiFailure> {
  const type = response.headers.get('content-type') ?? '';
  const about = { status: response.status, type, credits: response.headers.get('x-credits-used') };
  const isFile = /^(?:image\/|application\/(?:pdf|zstd|warc|octet-stream))/.test(type);
  if (response.ok && isFile) {
    const file = await response.blob().catch(() => null);
    const isKept = file !== null && file.size <= MAX_FILE_BYTES;
    const tookMs = readerNow() - startedAt;
    return { ...about, tookMs, body: undefined, text: '', isCut: !isKept, file: isKept ? file : null };
  }
  const { text, isCut } = await readText(response);
  const body = type.includes('json') && !type.includes('ndjson') ? jsonIn(text) : undefined;
  if (!response.ok) return toApiFailure(response, body);
  return { ...about, tookMs: readerNow() - startedAt, body, text: body === undefined ? text : '', isCut, file: null };
}

/** The text of an answer; what came before a break or a cancel is kept. JSON is read whole, a stream to its bound. */
async function readText(response: Response): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const most = (response.headers.get('content-type') ?? '').startsWith('application/json') ? Infinity : MAX_TEXT_LENGTH;
  if (response.body === null) return { text: '', isCut: false };
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > most) return { text, isCut: true };
    }
  } catch {
    return { text, isCut: true };
  }
  return { text, isCut: false };
}
