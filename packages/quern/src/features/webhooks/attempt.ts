import { DEPTH_HEADER, type Guard } from '#access/guard/guard.ts';
import { findAttemptFailure } from '#access/failure.ts';
import type { PostResponse, PostClient } from '#access/http/post.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { runWithDeadline } from '#kernel/deadline.ts';
import type { ClaimedDelivery } from './delivery-rows.ts';
import type { DeliveryAttempt, DeliveryEnd } from './delivery-ends.ts';
import { buildContent } from './formats.ts';
import { type AttemptOutcome, decideDelivery, type DeliveryDecision } from './retry-policy.ts';
import type { WebhookTarget } from './webhooks.ts';

/** Time limit of one attempt: DNS, connection, TLS, headers and body. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
const MAX_EXCERPT_BYTES = 2048;
const USER_AGENT = 'Quern-Webhooks/1.0';
const NOT_SENT = { attempt: null, isGone: false, dueAt: 0 } as const;

export type AttemptParts = {
  readonly posting: Pick<PostClient, 'post'>;
  readonly guard: Pick<Guard, 'parseTarget' | 'isAllowed'>;
  readonly clock: Clock;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  readonly attemptMs: number;
};

/** Makes one attempt at a claimed delivery and decides how it ends. Throws the signal's reason if that aborts first. */
export async function attemptDelivery(
  claimed: ClaimedDelivery,
  parts: AttemptParts,
  signal: AbortSignal,
): Promise<DeliveryEnd> {
  const { target } = claimed;
  if (target === null) return { claimed, status: 'cancelled', ...NOT_SENT };
  if (target.isDisabled) return { claimed, status: 'suspended', ...NOT_SENT };
  const { clock, random, attemptMs } = parts;
  const at = clock.now();
  const began = clock.monotonic();
  const sent = await runWithDeadline({ timeoutMs: attemptMs, signal, clock }, async (deadline) =>
    send(claimed, target, { ...parts, at, signal: deadline.signal }),
  );
  // Stopping the service is not a failure of the receiver.
  if (sent.outcome.kind !== 'answered') signal.throwIfAborted();
  const now = clock.now();
  const facts = { attempts: claimed.round + 1, maxAttempts: claimed.most, now, random: random() };
  const made = { at, durationMs: Math.round(clock.monotonic() - began), ...toAnswerFields(sent) };
  return buildEnd(claimed, {
    decision: decideDelivery(sent.outcome, facts),
    made,
    reason: toReason(sent.outcome),
    now,
  });
}

type DecidedAttempt = {
  readonly decision: DeliveryDecision;
  readonly made: Omit<DeliveryAttempt, 'error' | 'nextAt'>;
  readonly reason: string;
  readonly now: number;
};

function buildEnd(claimed: ClaimedDelivery, { decision, made, reason, now }: DecidedAttempt): DeliveryEnd {
  const { end } = decision;
  const error = end === 'succeeded' ? null : reason;
  if (end === 'retry') {
    const dueAt = now + decision.waitMs;
    return { claimed, status: 'pending', dueAt, isGone: false, attempt: { ...made, error, nextAt: dueAt } };
  }
  const isGone = end === 'gone';
  return { claimed, status: isGone ? 'suspended' : end, dueAt: 0, isGone, attempt: { ...made, error, nextAt: null } };
}

function toAnswerFields({ outcome, beginning }: SendResult): Pick<DeliveryAttempt, 'statusCode' | 'excerpt'> {
  return {
    statusCode: outcome.kind === 'answered' ? outcome.status : null,
    excerpt: beginning === null ? null : toExcerpt(beginning),
  };
}

type SendOptions = AttemptParts & { readonly at: number; readonly signal: AbortSignal };
type SendResult = { readonly outcome: AttemptOutcome; readonly beginning: PostResponse['bodyStart'] | null };

async function send(
  claimed: ClaimedDelivery,
  target: WebhookTarget,
  { posting, guard, at, signal }: SendOptions,
): Promise<SendResult> {
  try {
    const url = guard.parseTarget(target.url);
    // The operator may have removed the target from QUERN_ALLOW_TARGETS.
    if (url.protocol !== 'https:' && !guard.isAllowed(url))
      return { outcome: { kind: 'unreachable' }, beginning: null };
    const { body, headers } = await buildRequest(claimed, target, at);
    const { bodyStart, ...answer } = await posting.post(
      { url, headers, body, maxKeptBytes: MAX_EXCERPT_BYTES },
      signal,
    );
    return { outcome: { kind: 'answered', ...answer }, beginning: bodyStart };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { outcome: { kind: toFailureKind(error) }, beginning: null };
  }
}

async function buildRequest(
  { event_id: id, type, body, attempts }: ClaimedDelivery,
  { secrets, headers, metadata, format }: WebhookTarget,
  at: number,
) {
  const content = await buildContent(format, { id, type, attempt: attempts + 1, at, body, metadata, secrets });
  return {
    body: Buffer.from(content.body),
    headers: Object.entries({
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'user-agent': USER_AGENT,
      accept: '*/*',
      'accept-encoding': 'identity',
      [DEPTH_HEADER]: '1',
      ...content.headers,
    }).flat(),
  };
}

/** A target that the egress guard rejects counts as unreachable. */
function toFailureKind(error: ServiceError): Exclude<AttemptOutcome['kind'], 'answered'> {
  const outcome = findAttemptFailure(error)?.outcome;
  if (outcome === 'timeout' || outcome === 'tls_error') return outcome;
  return outcome === 'unusable' ? 'malformed' : 'unreachable';
}

function toReason(outcome: AttemptOutcome): string {
  if (outcome.kind !== 'answered') return outcome.kind;
  return outcome.status >= 300 && outcome.status < 400 ? 'redirect' : 'status';
}

/** Formats the beginning of an answer as text without control characters, safe for terminals and logs. */
function toExcerpt(bytes: Uint8Array): string {
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replaceAll(/[\r\n\t]+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
  const excerpt = Buffer.from(text).subarray(0, MAX_EXCERPT_BYTES).toString('utf8');
  // Drops a truncated character at the end.
  return excerpt.replace(/\ufffd$/, '');
}
