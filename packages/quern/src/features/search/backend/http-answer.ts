import { parseJson } from '#extract/values/json.ts';
import { AnswerTooLarge, type EndpointRequest, type Wire, type WireAnswer } from '#llm/wire.ts';
import { BackendFailure } from './backend.ts';

/** Asks an API of the operator for JSON; throws `BackendFailure` for everything else that it may answer. */
export async function askForJson(wire: Wire, request: EndpointRequest): Promise<unknown> {
  const answer = await wire.send(request).catch((error: unknown) => {
    request.signal.throwIfAborted();
    if (error instanceof AnswerTooLarge) throw new BackendFailure('error', 'answers too much', { cause: error });
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw new BackendFailure('timeout', 'did not answer in time');
    throw new BackendFailure('error', 'cannot be reached', { cause: error });
  });
  refuseStatus(answer);
  const value = parseJson(answer.text);
  if (value === undefined) throw new BackendFailure('error', 'answers no JSON');
  return value;
}

/** Throws `BackendFailure` for the status of an answer that is none. */
function refuseStatus({ status, retryAfterSeconds: waitSeconds }: WireAnswer): void {
  if (status === 200) return;
  if (status === 429) throw new BackendFailure('blocked', 'too many requests (429)', { why: 'limited', waitSeconds });
  if (status === 401 || status === 403) {
    throw new BackendFailure('blocked', `refuses its key or this machine (${status})`, { why: 'limited', waitSeconds });
  }
  if (isQueryRefused(status)) throw new BackendFailure('error', `refuses the query (${status})`, { why: 'query' });
  throw new BackendFailure('error', `answers ${status}`);
}

/** Statuses that speak of what was asked: a value that is none, or more of it than is taken. */
const ABOUT_QUERY: ReadonlySet<number> = new Set([400, 413, 414, 422, 431]);

/** Whether a status refuses the query and says nothing of the backend. */
export function isQueryRefused(status: number): boolean {
  return ABOUT_QUERY.has(status);
}
