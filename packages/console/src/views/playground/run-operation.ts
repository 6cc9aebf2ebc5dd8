import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiFailure, sendRequest, toApiFailure } from '#console/app/api.ts';
import { parseJson } from '#console/app/json.ts';
import { buildSampleRequest } from '#console/app/samples.ts';
import { getLocalTime } from '#console/app/service-clock.ts';
import { recordCall } from './call-history.ts';
import type { OperationDetails } from './operations.ts';

/** A successful response. */
export type OperationAnswer = {
  readonly status: number;
  readonly tookMs: number;
  readonly type: string;
  /** The parsed JSON; undefined for other content types. */
  readonly body: unknown;
  /** The text of a response that is not JSON, as far as it was read. */
  readonly text: string;
  readonly isCut: boolean;
  /** A binary response such as an image or a PDF; null for others. */
  readonly file: Blob | null;
  readonly credits: string | null;
};

/** The state of the current or last call, and functions to start and cancel calls. */
export type OperationRun = {
  readonly isRunning: boolean;
  readonly startedAt: number;
  readonly answer: OperationAnswer | null;
  readonly failure: ApiFailure | null;
  readonly start: (input: Readonly<Record<string, unknown>>, asJob?: boolean) => void;
  readonly cancel: () => void;
};

const MAX_TEXT_LENGTH = 4_000_000;
const MAX_FILE_BYTES = 64_000_000;
/** Longer than the longest synchronous call. */
const CALL_TIMEOUT_MS = 330_000;

/** Runs an operation, one call at a time. Unmounting aborts the running call. */
export function useOperationRun(operation: OperationDetails): OperationRun {
  const [state, setState] = useState<Pick<OperationRun, 'isRunning' | 'startedAt' | 'answer' | 'failure'>>({
    isRunning: false,
    startedAt: 0,
    answer: null,
    failure: null,
  });
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);

  async function run(input: Readonly<Record<string, unknown>>, asJob: boolean): Promise<void> {
    const controller = new AbortController();
    current.current?.abort();
    current.current = controller;
    const startedAt = getLocalTime();
    setState({ isRunning: true, startedAt, answer: null, failure: null });
    const sent = asJob ? { kind: operation.id, input } : input;
    const { method, url, body } = buildSampleRequest(asJob ? JOBS_ROUTE : operation, sent, '');
    const response = await sendRequest(method, url, {
      body,
      signal: controller.signal,
      timeoutMs: CALL_TIMEOUT_MS,
      ignoresUnavailable: true,
    });
    const outcome = response instanceof Response ? await readAnswer(response, startedAt) : response;
    if (current.current !== controller) return;
    current.current = null;
    const isAnswer = 'tookMs' in outcome;
    recordCall({ at: startedAt, operation: operation.id, input, status: outcome.status });
    setState({ isRunning: false, startedAt, answer: isAnswer ? outcome : null, failure: isAnswer ? null : outcome });
  }

  return {
    ...state,
    start: (input, asJob = false) => void run(input, asJob),
    cancel: () => current.current?.abort(),
  };
}

const JOBS_ROUTE = { method: 'POST', path: '/v1/jobs' };

async function readAnswer(response: Response, startedAt: number): Promise<OperationAnswer | ApiFailure> {
  const type = response.headers.get('content-type') ?? '';
  const about = { status: response.status, type, credits: response.headers.get('x-credits-used') };
  const isFile = /^(?:image\/|application\/(?:pdf|zstd|warc|octet-stream))/.test(type);
  if (response.ok && isFile) {
    const file = await response.blob().catch(() => null);
    const isKept = file !== null && file.size <= MAX_FILE_BYTES;
    const tookMs = getLocalTime() - startedAt;
    return { ...about, tookMs, body: undefined, text: '', isCut: !isKept, file: isKept ? file : null };
  }
  const { text, isCut } = await readText(response);
  const body = type.includes('json') && !type.includes('ndjson') ? parseJson(text) : undefined;
  if (!response.ok) return toApiFailure(response, body);
  return {
    ...about,
    tookMs: getLocalTime() - startedAt,
    body,
    text: body === undefined ? text : '',
    isCut,
    file: null,
  };
}

/** Reads the text of a response, up to an interruption. JSON is read whole, other text up to `MAX_TEXT_LENGTH`. */
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
