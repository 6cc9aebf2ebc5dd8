/** The header without which the service takes no session: a page of another origin cannot send it. */
export const OWN_HEADER = { 'x-quern-console': '1' };

export const SESSION_PATH = '/v1/console/session';

/**
 * Who is signed in, asked for while the rest of the code is still loading, so this module imports nothing; null where the
 * service did not answer.
 */
export const firstSession: Promise<Response | null> = fetch(SESSION_PATH, {
  credentials: 'same-origin',
  redirect: 'error',
  headers: OWN_HEADER,
}).catch(() => null);
