import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** A file of a tenant, and until when its link works, ms since 1970. */
export type LinkedFile = { readonly tenant: string; readonly id: string; readonly until: number };

/** Writes and reads the tokens of links to files that need no key. */
export type FileLinks = {
  readonly write: (file: LinkedFile) => string;
  /** Null for a forged token. The caller checks `until`. */
  readonly read: (token: string) => LinkedFile | null;
};

const MAC_BYTES = 16;

/** A token is base64url of an HMAC-SHA-256 (first 128 bits) over the file, and the file as text. */
export function buildFileLinks(secret: Uint8Array): FileLinks {
  // A separate key (HKDF, RFC 5869) that only signs links.
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'file links', 32));
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest().subarray(0, MAC_BYTES);
  return {
    write({ tenant, id, until }) {
      const text = `${tenant} ${id} ${until}`;
      return Buffer.concat([sign(text), Buffer.from(text)]).toString('base64url');
    },
    read(token) {
      const bytes = Buffer.from(token, 'base64url');
      const text = bytes.toString('utf8', MAC_BYTES);
      const mac = bytes.subarray(0, MAC_BYTES);
      if (mac.length < MAC_BYTES || !timingSafeEqual(mac, sign(text))) return null;
      const [tenant = '', id = '', until = ''] = text.split(' ');
      return { tenant, id, until: Number(until) };
    },
  };
}
