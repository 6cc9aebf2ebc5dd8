/** Where the secret of the session is stored: other ports of this host do not see it, unlike the cookie. */
export const SECRET_ITEM = 'quern-console-secret';

/** The secret in a browser that stores nothing: it lasts as long as the page. */
let unstored: string | null = null;

/** Stores the secret of the session; null removes it. */
export function storeSecret(secret: string | null): void {
  unstored = secret;
  try {
    if (secret === null) localStorage.removeItem(SECRET_ITEM);
    else localStorage.setItem(SECRET_ITEM, secret);
  } catch {
    // The other tabs of such a browser find out with their next call.
  }
}

/** The header without which the service takes no session: a page of another origin cannot send it. */
export function ownHeader(): Readonly<Record<string, string>> {
  return { 'x-quern-console': readSecret() ?? '1' };
}

function readSecret(): string | null {
  try {
    return localStorage.getItem(SECRET_ITEM) ?? unstored;
  } catch {
    return unstored;
  }
}

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
  return fetch(path, { credentials: 'same-origin', redirect: 'error', headers: ownHeader() }).catch(() => null);
}
