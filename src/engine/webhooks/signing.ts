import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

const SECRET_BYTES = 32;

/** What is signed: the id of the event, the instant of the attempt (ms) and the very text that is sent. */
export type Signed = { readonly id: string; readonly at: number; readonly body: string };

/** A new secret as receivers take it: `whsec_` and base64. */
export function makeSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * The headers that prove where a request comes from (Standard Webhooks 1.0): one signature for each secret that is live,
 * so that a receiver may change to the new one at any time of the overlap.
 */
export function toSignature(secrets: readonly string[], { id, at, body }: Signed): Readonly<Record<string, string>> {
  const date = new Date(at);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, date, body)).join(' '),
  };
}
