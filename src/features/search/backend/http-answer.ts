import { parseJson } from '#extract/values/json.ts';
import { AnswerTooLarge } from '#llm/wire.ts';
import type { Wire, WireAnswer, EndpointRequest } from '#llm/wire.ts';
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
  throw new BackendFailure('error', `answers ${status}`);
}
