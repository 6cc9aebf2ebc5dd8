import { effect, signal } from '@preact/signals';
import { type ApiFailure, call, suspended, unauthorized } from './api.ts';
import { firstSession, SECRET_ITEM, SESSION_PATH, storeSecret } from './early-requests.ts';
import { isTrueAt, jsonIn, textAt } from './json.ts';

/** Who is signed in. */
export type ConsoleSession = {
  readonly tenant: string;
  readonly plan: string;
  readonly keyName: string;
  readonly isOperator: boolean;
  readonly isSuspended: boolean;
  readonly expiresAt: string;
};

/** `unknown` until the service has said; null for nobody. */
export const session = signal<ConsoleSession | 'unknown' | null>('unknown');

/** Why the reader was signed out without asking for it, empty otherwise. */
export const endReason = signal('');

/** Asks who is signed in, and follows what other tabs and refusals say. Fails where the service does not answer. */
export async function startSession(): Promise<ApiFailure | null> {
  addEventListener('storage', ({ key }) => (key === SECRET_ITEM ? void refreshSession() : undefined));
  effect(() => {
    if (unauthorized.value > 0) lose();
  });
  effect(() => {
    if (suspended.value > 0) void refreshSession();
  });
  const first = await firstSession;
  if (first?.status === 200) session.value = toSession(jsonIn(await first.text().catch(() => '')));
  else if (first?.status === 401) lose();
  else return refreshSession();
  return null;
}

/** Asks again who is signed in. */
export async function refreshSession(): Promise<ApiFailure | null> {
  const answer = await call('GET', SESSION_PATH, { keepsSession: true });
  if (answer.ok) session.value = toSession(answer.body);
  else if (answer.failure.status === 401) lose();
  return answer.ok || answer.failure.status === 401 ? null : answer.failure;
}

/** The session is over without the reader having asked for it. */
function lose(): void {
  if (session.peek() !== null && session.peek() !== 'unknown') {
    endReason.value = 'Your session is over: it expired, was ended in another tab, or its key was revoked.';
  }
  session.value = null;
}

/** Signs in by a key or by the token of a welcome link. */
export async function signIn(proof: { api_key: string } | { token: string }): Promise<ApiFailure | null> {
  const answer = await call('POST', SESSION_PATH, { body: proof, keepsSession: true });
  if (!answer.ok) return answer.failure;
  endReason.value = '';
  storeSecret(textAt(answer.body, 'secret'));
  session.value = toSession(answer.body);
  return null;
}

/** Ends the session here and in every tab. */
export async function signOut(): Promise<ApiFailure | null> {
  const answer = await call('DELETE', SESSION_PATH, { keepsSession: true });
  if (!answer.ok && answer.failure.status !== 401) return answer.failure;
  endReason.value = '';
  storeSecret(null);
  session.value = null;
  return null;
}

function toSession(body: unknown): ConsoleSession {
  return {
    tenant: textAt(body, 'tenant_name') || textAt(body, 'tenant'),
    plan: textAt(body, 'plan'),
    keyName: textAt(body, 'key_name'),
    isOperator: isTrueAt(body, 'operator'),
    isSuspended: textAt(body, 'suspended_at') !== '',
    expiresAt: textAt(body, 'expires_at'),
  };
}
