import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

const SECRET_BYTES = 32;

/** The signed content: the event id, the time of the attempt (ms) and the exact body. */
export type SignedMessage = { readonly id: string; readonly at: number; readonly body: string };

/** Creates a new secret: `whsec_` and base64. */
export function createSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Builds the function that derives a secret for each tenant from the secret of the instance. It is always the same, so
 * that receivers of webhooks that are submitted without a secret can verify them.
 */
export function buildTenantSecrets(instanceSecret: Uint8Array): (tenant: string) => string {
  // A separate key (HKDF, RFC 5869) that only derives these secrets.
  const key = Buffer.from(hkdfSync('sha256', instanceSecret, '', 'webhook secrets', SECRET_BYTES));
  return (tenant) => `whsec_${createHmac('sha256', key).update(tenant).digest('base64')}`;
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
