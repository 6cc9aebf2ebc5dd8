import type { Failed, Trouble } from './frontier.ts';

/** A failed page as the result lists it. */
export function toTrouble(
  url: string,
  { statusCode, code, message }: Omit<Failed, 'kind' | 'code'> & { readonly code: string },
): Trouble {
  return { url, ...(statusCode === null ? {} : { status_code: statusCode }), code, message };
}

/** What an answer of 400 or above, or an empty one, is to who wanted the page. */
export function toFailed(status: number): Failed {
  const code = status === 404 || status === 410 ? 'not_found' : 'target_error';
  const message = `the target answered ${status}${status < 400 ? ' with an empty body' : ''}`;
  return { kind: 'failed', statusCode: status, code, message };
}
