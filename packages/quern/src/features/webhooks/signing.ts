import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

const SECRET_BYTES = 32;

/** The signed content: the id of the event, the instant of the attempt (ms) and the exact body. */
export type SignedMessage = { readonly id: string; readonly at: number; readonly body: string };

/** Makes a new secret: `whsec_` and base64. */
export function createSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * The signature headers of a request (Standard Webhooks 1.0): one signature for each live secret,
 * so that a receiver can switch to the new one at any time of the overlap.
 */
export function toSignature(
  secrets: readonly string[],
  { id, at, body }: SignedMessage,
): Readonly<Record<string, string>> {
  const date = new Date(at);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, date, body)).join(' '),
  };
}
