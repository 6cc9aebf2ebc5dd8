import { WebhookError } from './errors.ts';
import type { WebhookEvent } from './generated/types.ts';
import { parse } from './http.ts';

/** A delivery as it came. */
export type ReceivedDelivery = {
  /** As it came: text or bytes, before any parser. */
  readonly body: string | Uint8Array;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** How a delivery is verified. */
export type VerifyOptions = {
  /** The secret of the webhook, or several while one is replaced. */
  readonly secret: string | readonly string[];
  /** A delivery that is further off is refused; 300 unless given. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970, for tests. */
  readonly now?: number;
};

const PREFIX = 'whsec_';

/** The event of a delivery that is signed with the secret and recent; throws `WebhookError` for any other. */
export async function verifyWebhook(
  { body, headers }: ReceivedDelivery,
  { secret, toleranceSeconds = 300, now = Date.now() }: VerifyOptions,
): Promise<WebhookEvent> {
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  const age = Math.abs(now / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds) throw new WebhookError('the delivery is too old, or not yet');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  for (const one of typeof secret === 'string' ? [secret] : secret)
    if (await isSigned(signed, signatures, one)) return parse<WebhookEvent>(new TextDecoder().decode(bytes));
  throw new WebhookError('no signature of the delivery is by this secret');
}

/** Whether one of the signatures is by the secret; the platform compares in constant time. */
async function isSigned(signed: Uint8Array<ArrayBuffer>, signatures: string, secret: string): Promise<boolean> {
  const bytes = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (bytes === null || bytes.length === 0) throw new WebhookError('the secret must be whsec_ and base64');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const part of signatures.split(' ')) {
    const given = part.startsWith('v1,') ? fromBase64(part.slice('v1,'.length)) : null;
    if (given !== null && (await crypto.subtle.verify('HMAC', key, given, signed))) return true;
  }
  return false;
}

function readHeader(headers: ReceivedDelivery['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : valueOf(headers, name);
  if (typeof value !== 'string' || value === '') throw new WebhookError(`the delivery has no header ${name}`);
  return value;
}

function valueOf(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | null {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : (found?.[0] ?? null);
}

function concat(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
