import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

const SECRET_BYTES = 32;

/** The signed content: the event id, the time of the attempt (ms) and the exact body. */
export type SignedMessage = { readonly id: string; readonly at: number; readonly body: string };

/** Creates a new secret: `whsec_` and base64. */
export function createSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Builds the signature headers of a request (Standard Webhooks 1.0). There is one signature per valid secret, so that a
 * receiver can switch to the new secret at any time during the overlap.
 */
export function signMessage(
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
