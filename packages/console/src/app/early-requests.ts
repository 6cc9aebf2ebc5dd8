/** Key of the session secret in local storage, which, unlike the cookie, other ports of this host cannot read. */
export const SECRET_ITEM = 'quern-console-secret';

/** The secret in a browser without local storage; it lasts as long as the page. */
let memorySecret: string | null = null;

/** Stores the secret of the session; null removes it. */
export function storeSecret(secret: string | null): void {
  memorySecret = secret;
  try {
    if (secret === null) localStorage.removeItem(SECRET_ITEM);
    else localStorage.setItem(SECRET_ITEM, secret);
  } catch {
    // Without local storage, other tabs notice the change at their next call.
  }
}

/** The header that the service requires with a session. A page of another origin cannot send it. */
export function getConsoleHeader(): Readonly<Record<string, string>> {
  return { 'x-quern-console': readSecret() ?? '1' };
}

function readSecret(): string | null {
  try {
    return localStorage.getItem(SECRET_ITEM) ?? memorySecret;
  } catch {
    return memorySecret;
  }
}

/** Path of the current session. */
export const SESSION_PATH = '/v1/console/session';

/** The first request of the overview. */
export const USAGE_PATH = '/v1/usage';

/** Requests that are sent while the other modules still load. Therefore this module imports nothing. */
const earlyResponses = new Map<string, Promise<Response | null>>();

/** The response with the current session; null if the service did not respond. */
export const firstSessionResponse = requestEarly(SESSION_PATH);
if (/^#?\/?$/.test(location.hash)) earlyResponses.set(USAGE_PATH, requestEarly(USAGE_PATH));

/** Returns the successful response of an early request, once; null if there is none. */
export async function takeEarlyResponse(path: string): Promise<Response | null> {
  const answer = earlyResponses.get(path);
  earlyResponses.delete(path);
  const response = (await answer) ?? null;
  return response?.ok === true ? response : null;
}

async function requestEarly(path: string): Promise<Response | null> {
  return fetch(path, { credentials: 'same-origin', redirect: 'error', headers: getConsoleHeader() }).catch(() => null);
}
