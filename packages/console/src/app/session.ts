import { effect, signal } from '@preact/signals';
import { type ApiFailure, callApi, suspendedCount, unauthorizedCount } from './api.ts';
import { firstSessionResponse, SECRET_ITEM, SESSION_PATH, storeSecret } from './early-requests.ts';
import { isTrue, parseJson, getText } from './json.ts';

/** Who is signed in. */
export type ConsoleSession = {
  readonly tenant: string;
  readonly plan: string;
  readonly keyName: string;
  readonly isOperator: boolean;
  readonly isSuspended: boolean;
  readonly expiresAt: string;
};

/** The session; `unknown` until the service has responded, null if nobody is signed in. */
export const session = signal<ConsoleSession | 'unknown' | null>('unknown');

/** Why the session ended without a sign-out; empty otherwise. */
export const signOutReason = signal('');

/** Loads the session, and follows sign-outs in other tabs and 401 responses. Returns a failure if the service does not respond. */
export async function startSession(): Promise<ApiFailure | null> {
  addEventListener('storage', ({ key }) => (key === SECRET_ITEM ? void refreshSession() : undefined));
  effect(() => {
    if (unauthorizedCount.value > 0) endSession();
  });
  effect(() => {
    if (suspendedCount.value > 0) void refreshSession();
  });
  const first = await firstSessionResponse;
  if (first?.status === 200) session.value = parseSession(parseJson(await first.text().catch(() => '')));
  else if (first?.status === 401) endSession();
  else return refreshSession();
  return null;
}

/** Loads the session again. Returns a failure if the service does not respond. */
export async function refreshSession(): Promise<ApiFailure | null> {
  const answer = await callApi('GET', SESSION_PATH, { ignoresUnauthorized: true });
  if (answer.ok) session.value = parseSession(answer.body);
  else if (answer.failure.status === 401) endSession();
  return answer.ok || answer.failure.status === 401 ? null : answer.failure;
}

/** Records that the session ended without a sign-out. */
function endSession(): void {
  if (session.peek() !== null && session.peek() !== 'unknown') {
    signOutReason.value = 'Your session has ended: it expired, you signed out in another tab, or its key was revoked.';
  }
  session.value = null;
}

/** Signs in with an API key or the token of a welcome link. Returns the failure, or null. */
export async function signIn(proof: { api_key: string } | { token: string }): Promise<ApiFailure | null> {
  const answer = await callApi('POST', SESSION_PATH, { body: proof, ignoresUnauthorized: true });
  if (!answer.ok) return answer.failure;
  signOutReason.value = '';
  storeSecret(getText(answer.body, 'secret'));
  session.value = parseSession(answer.body);
  return null;
}

/** Ends the session in every tab. Returns the failure, or null. */
export async function signOut(): Promise<ApiFailure | null> {
  const answer = await callApi('DELETE', SESSION_PATH, { ignoresUnauthorized: true });
  if (!answer.ok && answer.failure.status !== 401) return answer.failure;
  signOutReason.value = '';
  storeSecret(null);
  session.value = null;
  return null;
}

function parseSession(body: unknown): ConsoleSession {
  return {
    tenant: getText(body, 'tenant_name') || getText(body, 'tenant'),
    plan: getText(body, 'plan'),
    keyName: getText(body, 'key_name'),
    isOperator: isTrue(body, 'operator'),
    isSuspended: getText(body, 'suspended_at') !== '',
    expiresAt: getText(body, 'expires_at'),
  };
}
