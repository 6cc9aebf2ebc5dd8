import { memberOf, toList } from '#extract/values/json.ts';
import { toPlainUrl } from '#extract/values/web-urls.ts';
import { BackendFailure } from '#features/search/backend/backend.ts';
import { askForJson } from '#features/search/backend/http-answer.ts';
import { type AnswerSource, plainPassage, type Prompt, type SourcedAnswer } from './answer-backend.ts';
import { type AnswerModel, type AnswerModelParts, modelNamed, toModelRequest } from './sonar.ts';

/** Signs of private use that wrap the marks of citations in some models' texts. */
const WRAPPED = /\uE200[^\uE201]*\uE201|[\uE200-\uE206]/g;

/**
 * Answers by a model in the dialect of responses with a tool that searches
 * (https://platform.openai.com/docs/guides/tools-web-search). Throws `BackendFailure`.
 */
export async function askResponses(
  { url, key, model }: AnswerModel,
  { prompt, country }: Prompt,
  { wire, mayVisit, signal }: AnswerModelParts & { readonly signal: AbortSignal },
): Promise<SourcedAnswer> {
  const place = country === null ? {} : { user_location: { type: 'approximate', country } };
  const body = {
    model,
    input: prompt,
    tools: [{ type: 'web_search', ...place }],
    include: ['web_search_call.action.sources'],
  };
  const answer = await askForJson(wire, {
    ...toModelRequest(url, key, 'responses'),
    body: JSON.stringify(body),
    signal,
  });
  const output = toList(memberOf(answer, 'output'));
  const texts = output
    .filter((item) => memberOf(item, 'type') === 'message')
    .flatMap((item) => toList(memberOf(item, 'content')))
    .filter((part) => memberOf(part, 'type') === 'output_text');
  const markdown = texts
    .map((part) => textIn(part).replaceAll(WRAPPED, ''))
    .join('\n\n')
    .trim();
  if (markdown === '') throw new BackendFailure('error', 'gives no answer');
  const sources = new Map<string, AnswerSource>();
  for (const part of texts) {
    for (const note of toList(memberOf(part, 'annotations'))) add(sources, { note, text: textIn(part) }, mayVisit);
  }
  return { model: modelNamed(answer, model), markdown, sources: [...sources.values()], related: [] };
}

type Noted = { readonly note: unknown; readonly text: string };

function textIn(part: unknown): string {
  const text = memberOf(part, 'text');
  return typeof text === 'string' ? text : '';
}

/** Adds the page of an annotation with the part of the text that it stands for. */
function add(sources: Map<string, AnswerSource>, { note, text }: Noted, mayVisit: (url: string) => boolean): void {
  const given = memberOf(note, 'url');
  if (memberOf(note, 'type') !== 'url_citation' || typeof given !== 'string') return;
  const url = toPlainUrl(given, given);
  if (url === null || !mayVisit(url)) return;
  const [start, end] = [memberOf(note, 'start_index'), memberOf(note, 'end_index')];
  const isPlaced = typeof start === 'number' && typeof end === 'number' && start < end;
  const passage = isPlaced ? plainPassage(text.slice(start, end).replaceAll(WRAPPED, '')) : '';
  const title = memberOf(note, 'title');
  const known = sources.get(url);
  sources.set(url, {
    url,
    title: known?.title ?? (typeof title === 'string' && title !== '' ? title.slice(0, 500) : new URL(url).hostname),
    description: '',
    cited: [...(known?.cited ?? []), ...(passage === '' ? [] : [passage])],
  });
}
