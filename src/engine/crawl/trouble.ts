import type { Failed, Trouble } from './frontier.ts';

/** A failed page as the result lists it. */
export function toTrouble(
  url: string,
  { statusCode, code, message }: Omit<Failed, 'kind' | 'code'> & { readonly code: string },
): Trouble {
  return { url, ...(statusCode === null ? {} : { status_code: statusCode }), code, message };
}
