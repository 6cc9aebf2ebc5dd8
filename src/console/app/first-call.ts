/** The header without which the service takes no session: a page of another origin cannot send it. */
export const OWN_HEADER = { 'x-quern-console': '1' };

export const SESSION_PATH = '/v1/console/session';

/** What the overview shows first. */
export const USAGE_PATH = '/v1/usage';

/** What is asked for while the rest of the code is still loading, so this module imports nothing. */
const early = new Map<string, Promise<Response | null>>();

/** Who is signed in; null where the service did not answer. */
export const firstSession = ask(SESSION_PATH);
if (/^#?\/?$/.test(location.hash)) early.set(USAGE_PATH, ask(USAGE_PATH));

/** The answer to a path that was asked for early, once; null where there is none that a call could not have. */
export async function takeEarly(path: string): Promise<Response | null> {
  const answer = early.get(path);
  early.delete(path);
  const response = (await answer) ?? null;
  return response?.ok === true ? response : null;
}

async function ask(path: string): Promise<Response | null> {
  return fetch(path, { credentials: 'same-origin', redirect: 'error', headers: OWN_HEADER }).catch(() => null);
}
