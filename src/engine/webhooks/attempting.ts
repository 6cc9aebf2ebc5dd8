import { DEPTH_HEADER } from '#access/guard.ts';
import type { Guard } from '#access/guard.ts';
import { causeOf } from '#access/failure.ts';
import type { Posted, Posting } from '#access/posting.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { withDeadline } from '#engine/deadline.ts';
import type { Claimed } from './delivery-rows.ts';
import type { Settled } from './settling.ts';
import { toSignature } from './signing.ts';
import { judgeAttempt } from './verdict.ts';
import type { Outcome } from './verdict.ts';
import type { Target } from './webhooks.ts';

/** What one attempt may take in all: name, connection, TLS, headers and body. */
export const ATTEMPT_MS = 15_000;
const EXCERPT_BYTES = 2048;
const USER_AGENT = 'Quern-Webhooks/1.0';
const DISABLED = { tried: null, isGone: false, dueAt: 0 } as const;

export type AttemptParts = {
  readonly posting: Pick<Posting, 'post'>;
  readonly guard: Pick<Guard, 'readTarget' | 'isOpened'>;
  readonly clock: Clock;
  /** Time that nobody sets back, ms. */
  readonly monotonic: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly attemptMs: number;
};

/** Sends one claimed delivery once; what becomes of it. Throws the signal's reason when that fires first. */
export async function attempt(claimed: Claimed, parts: AttemptParts, signal: AbortSignal): Promise<Settled> {
  const { target } = claimed;
  if (target === null) return { claimed, status: 'cancelled', ...DISABLED };
  if (target.isDisabled) return { claimed, status: 'suspended', ...DISABLED };
  const { clock, monotonic, random, attemptMs } = parts;
  const at = clock.now();
  const began = monotonic.now();
  const sent = await withDeadline({ timeoutMs: attemptMs, signal }, async (deadline) =>
    send(claimed, target, { ...parts, at, signal: deadline.signal }),
  );
  // The receiver is not to blame for a service that stops.
  if (sent.outcome.kind !== 'answered') signal.throwIfAborted();
  const now = clock.now();
  const facts = { tried: claimed.round + 1, most: claimed.most, now, random: random() };
  const verdict = judgeAttempt(sent.outcome, facts);
  const dueAt = verdict.end === 'retry' ? now + verdict.waitMs : 0;
  return {
    claimed,
    status: verdict.end === 'retry' ? 'pending' : verdict.end === 'gone' ? 'suspended' : verdict.end,
    dueAt,
    isGone: verdict.end === 'gone',
    tried: {
      at,
      durationMs: Math.round(monotonic.now() - began),
      statusCode: sent.outcome.kind === 'answered' ? sent.outcome.status : null,
      error: verdict.end === 'succeeded' ? null : toReason(sent.outcome),
      excerpt: sent.beginning === null ? null : toExcerpt(sent.beginning),
      nextAt: verdict.end === 'retry' ? dueAt : null,
    },
  };
}

type Sending = AttemptParts & { readonly at: number; readonly signal: AbortSignal };
type Sent = { readonly outcome: Outcome; readonly beginning: Posted['beginning'] | null };

async function send(claimed: Claimed, target: Target, { posting, guard, at, signal }: Sending): Promise<Sent> {
  try {
    const url = guard.readTarget(target.url);
    // What the operator had opened may be closed again.
    if (url.protocol !== 'https:' && !guard.isOpened(url)) return { outcome: { kind: 'unreachable' }, beginning: null };
    const body = Buffer.from(claimed.body);
    const headers = toHeaders(claimed, target, at);
    const { beginning, ...answer } = await posting.post({ url, headers, body, keptBytes: EXCERPT_BYTES }, signal);
    return { outcome: { kind: 'answered', ...answer }, beginning };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { outcome: { kind: kindOf(error) }, beginning: null };
  }
}

function toHeaders(
  { event_id: id, type, body, attempts }: Claimed,
  { secrets, headers }: Target,
  at: number,
): string[] {
  return Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'user-agent': USER_AGENT,
    accept: '*/*',
    'accept-encoding': 'identity',
    [DEPTH_HEADER]: '1',
    ...toSignature(secrets, { id, at, body }),
    'webhook-event': type,
    'webhook-attempt': String(attempts + 1),
  }).flat();
}

/** A target that the guard refuses is what any other is that cannot be reached. */
function kindOf(error: ServiceError): Exclude<Outcome['kind'], 'answered'> {
  const outcome = causeOf(error)?.outcome;
  if (outcome === 'timeout' || outcome === 'tls_error') return outcome;
  return outcome === 'unusable' ? 'malformed' : 'unreachable';
}

function toReason(outcome: Outcome): string {
  if (outcome.kind !== 'answered') return outcome.kind;
  return outcome.status >= 300 && outcome.status < 400 ? 'redirect' : 'status';
}

/** The beginning of an answer as text that no terminal and no log takes for more than text. */
function toExcerpt(bytes: Uint8Array): string {
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replaceAll(/[\r\n\t]+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
  const kept = Buffer.from(text).subarray(0, EXCERPT_BYTES).toString('utf8');
  // A character that was cut through at the end.
  return kept.replace(/\ufffd$/, '');
}
