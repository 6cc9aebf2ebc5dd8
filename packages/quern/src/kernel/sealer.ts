import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and decrypts text for the store; `open` throws if the text was modified or encrypted with another secret. */
export type Sealer = { readonly seal: (text: string) => string; readonly open: (sealed: string) => string };

/** AES-256-GCM with a key derived from the instance secret for this `purpose` (HKDF, RFC 5869). */
export function createSealer(secret: Uint8Array, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const hidden = [cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...hidden]).toString('base64');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const shown = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
      return Buffer.concat(shown).toString('utf8');
    },
  };
}

/** A fingerprint that identifies a secret without revealing it. */
export function computeFingerprint(secret: Uint8Array): string {
  return Buffer.from(hkdfSync('sha256', secret, '', 'fingerprint', 16)).toString('base64url');
}
