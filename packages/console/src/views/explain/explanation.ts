import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiFailure, call } from '#console/app/api.ts';
import { doLater } from '#console/app/service-clock.ts';
import { type PickedField, toExtract } from './field-picker.ts';

/** While one picks, the copy of the page in the cache is asked for what a selector matches. */
const SAME_PAGE_MS = 600_000;
const TYPING_MS = 500;
const TIMEOUT_MS = 120_000;

/** A page that is explained, and what the picked fields are on it. */
export type UsedExplanation = {
  readonly body: unknown;
  readonly seen: unknown;
  readonly failure: ApiFailure | null;
  readonly isLoading: boolean;
  readonly explain: (url: string) => void;
};

/** Explains a page when it is asked to, and reads the fields again when they have changed. */
export function useExplanation(fields: readonly PickedField[]): UsedExplanation {
  const [url, setUrl] = useState('');
  const [body, setBody] = useState<unknown>(undefined);
  const [seen, setSeen] = useState<unknown>(undefined);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [isLoading, setLoading] = useState(false);
  const current = useRef<AbortController | null>(null);
  const wanted = JSON.stringify(toExtract(fields));

  async function ask(target: string, input: Readonly<Record<string, unknown>>): Promise<unknown> {
    current.current?.abort();
    const leaving = new AbortController();
    current.current = leaving;
    setLoading(true);
    const answer = await call('POST', '/v1/explain', {
      body: { url: target, ...input },
      signal: leaving.signal,
      timeoutMs: TIMEOUT_MS,
      keepsState: true,
    });
    if (leaving.signal.aborted) return undefined;
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
    const found = await ask(target, { max_age_ms: SAME_PAGE_MS, extract: { fields: JSON.parse(extract) } });
    if (found !== undefined) setSeen(found);
  }

  useEffect(() => {
    if (body === undefined || wanted === '{}') return undefined;
    return doLater(TYPING_MS, () => void readFields(url, wanted));
  }, [body, wanted, url]);
  useEffect(() => () => current.current?.abort(), []);

  return { body, seen, failure, isLoading, explain: (target) => void explainPage(target) };
}
