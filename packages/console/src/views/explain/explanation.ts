import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiFailure, callApi } from '#console/app/api.ts';
import { runAfter } from '#console/app/service-clock.ts';
import { type PickedField, toExtract } from './field-picker.ts';

/** Selectors are tried on the cached copy of the page, so that picking does not fetch it again. */
const CACHE_MAX_AGE_MS = 600_000;
const TYPING_MS = 500;
const TIMEOUT_MS = 120_000;

/** The explanation of a page, and the values that the picked fields have on it (`seen`). */
export type ExplanationState = {
  readonly body: unknown;
  readonly seen: unknown;
  readonly failure: ApiFailure | null;
  readonly isLoading: boolean;
  readonly explain: (url: string) => void;
};

/** Explains a page on demand, and reads the picked fields again when they change. */
export function useExplanation(fields: readonly PickedField[]): ExplanationState {
  const [url, setUrl] = useState('');
  const [body, setBody] = useState<unknown>(undefined);
  const [seen, setSeen] = useState<unknown>(undefined);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [isLoading, setLoading] = useState(false);
  const current = useRef<AbortController | null>(null);
  const wanted = JSON.stringify(toExtract(fields));

  async function ask(target: string, input: Readonly<Record<string, unknown>>): Promise<unknown> {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    setLoading(true);
    const answer = await callApi('POST', '/v1/explain', {
      body: { url: target, ...input },
      signal: controller.signal,
      timeoutMs: TIMEOUT_MS,
      ignoresUnavailable: true,
    });
    if (controller.signal.aborted) return undefined;
    setLoading(false);
    setFailure(answer.ok ? null : answer.failure);
    return answer.ok ? answer.body : undefined;
  }

  async function explainPage(target: string): Promise<void> {
    setUrl(target);
    setBody(undefined);
    setSeen(undefined);
    const found = await ask(target, {});
    if (found !== undefined) setBody(found);
  }

  async function readFields(target: string, extract: string): Promise<void> {
    const found = await ask(target, { max_age_ms: CACHE_MAX_AGE_MS, extract: { fields: JSON.parse(extract) } });
    if (found !== undefined) setSeen(found);
  }

  useEffect(() => {
    if (body === undefined || wanted === '{}') return undefined;
    return runAfter(TYPING_MS, () => void readFields(url, wanted));
  }, [body, wanted, url]);
  useEffect(() => () => current.current?.abort(), []);

  return { body, seen, failure, isLoading, explain: (target) => void explainPage(target) };
}
