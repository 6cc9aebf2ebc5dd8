import { getMember, toList } from '#extract/values/json.ts';
import { toWebUrl } from '#extract/values/web-urls.ts';
import type { EndpointClient } from '#llm/endpoint-client.ts';
import { fetchJson } from '#features/search/backend/results.ts';
import { BackendFailure } from '#features/search/backend/backend.ts';
import {
  type AnswerSource,
  keepCitedSources,
  type Prompt,
  type SourcedAnswer,
  SPACED_MARKER,
} from './sourced-answer.ts';

/** An external model that searches the web itself. */
export type AnswerModel = { readonly url: string; readonly key: string | null; readonly model: string };

export type AnswerModelParts = { readonly wire: EndpointClient; readonly mayVisit: (url: string) => boolean };

/**
 * Answers with a model that has a chat completions API with citations
 * (https://docs.perplexity.ai/api-reference/chat-completions-post). Throws `BackendFailure`.
 */
export async function answerWithSonar(
  { url, key, model }: AnswerModel,
  { prompt, country }: Prompt,
  { wire, mayVisit, signal }: AnswerModelParts & { readonly signal: AbortSignal },
): Promise<SourcedAnswer> {
  const body = {
    model,
    messages: [{ role: 'user', content: prompt }],
    return_related_questions: true,
    ...(country === null ? {} : { web_search_options: { user_location: { country } } }),
  };
  const answer = await fetchJson(wire, {
    ...buildModelRequest(url, key, 'chat/completions'),
    body: JSON.stringify(body),
    signal,
  });
  const content = getMember(getMember(toList(getMember(answer, 'choices'))[0], 'message'), 'content');
  if (typeof content !== 'string' || content.trim() === '') throw new BackendFailure('error', 'returned no answer');
  const found = toList(getMember(answer, 'search_results'));
  const cited = toList(getMember(answer, 'citations'));
  // Markers refer to `citations`; `search_results` has the titles of these pages.
  const urls = cited.length > 0 ? cited : found.map((one) => getMember(one, 'url'));
  const sources = urls.map((one) => toSource(one, found, mayVisit));
  const related = toList(getMember(answer, 'related_questions')).filter((one) => typeof one === 'string');
  return { model: getModelName(answer, model), ...citeListedSources(content, sources), related };
}

/** URL and headers for a request to a model API. */
export function buildModelRequest(url: string, key: string | null, path: string) {
  return {
    url: `${url.replace(/\/+$/, '')}/${path}`,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
  };
}

/** The model name in the response, or `asked` if it has none. */
export function getModelName(answer: unknown, asked: string): string {
  const name = getMember(answer, 'model');
  return typeof name === 'string' && name !== '' ? name.slice(0, 200) : asked;
}

type ListedSource = Omit<AnswerSource, 'cited'> | null;

function toSource(given: unknown, found: readonly unknown[], mayVisit: (url: string) => boolean): ListedSource {
  const url = typeof given === 'string' ? toWebUrl(given, given) : null;
  if (url === null || !mayVisit(url)) return null;
  const facts = found.find((one) => getMember(one, 'url') === given);
  const text = (name: string): string => {
    const value = getMember(facts, name);
    return typeof value === 'string' ? value : '';
  };
  return { url, title: text('title') || new URL(url).hostname, description: text('snippet').slice(0, 1000) };
}

/** Keeps the cited sources of a numbered list (null is an unusable entry). Without markers, all sources are kept with no passages. */
function citeListedSources(
  content: string,
  listed: readonly ListedSource[],
): Pick<SourcedAnswer, 'markdown' | 'sources'> {
  const usable: Omit<AnswerSource, 'cited'>[] = [];
  const numbers = listed.map((source) => (source === null ? 0 : usable.push(source)));
  const renumbered = content.replaceAll(SPACED_MARKER, (whole, digits: string) => {
    const number = numbers[Number(digits) - 1] ?? 0;
    return number === 0 ? '' : `${whole.startsWith(' ') ? ' ' : ''}[${number}]`;
  });
  const cited = keepCitedSources(renumbered, usable);
  return cited.sources.length > 0 ? cited : { ...cited, sources: usable.map((source) => ({ ...source, cited: [] })) };
}
