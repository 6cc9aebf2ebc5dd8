import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '#kernel/errors.ts';

/** The list that a cursor is valid for: one tenant, operation and set of filters. */
export type CursorScope = {
  readonly tenant: string;
  readonly operation: string;
  readonly filters: Readonly<Record<string, unknown>>;
};

const MAC_BYTES = 16;

export type Cursors = ReturnType<typeof buildCursors>;

/** Cursors are base64url of an HMAC-SHA-256 (first 128 bits) over scope and position, and the position. */
export function buildCursors(secret: Uint8Array) {
  // A separate key (HKDF, RFC 5869) that only signs cursors.
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'cursors', 32));

  function sign({ tenant, operation, filters }: CursorScope, position: string): Buffer {
    const text = JSON.stringify([tenant, operation, filters, position]);
    return createHmac('sha256', key).update(text).digest().subarray(0, MAC_BYTES);
  }

  return {
    write(scope: CursorScope, position: string): string {
      return Buffer.concat([sign(scope, position), Buffer.from(position)]).toString('base64url');
    },

    /**
     * Returns the position in a cursor; null if `cursor` is null. Throws `invalid_request` for a cursor of another list
     * or a forged one.
     */
    read(scope: CursorScope, cursor: string | null): string | null {
      if (cursor === null) return null;
      const bytes = Buffer.from(cursor, 'base64url');
      const position = bytes.toString('utf8', MAC_BYTES);
      const mac = bytes.subarray(0, MAC_BYTES);
      // Node ignores characters that are not base64url, so the exact text is compared too.
      const isOurs = bytes.toString('base64url') === cursor;
      if (isOurs && mac.length === MAC_BYTES && timingSafeEqual(mac, sign(scope, position))) return position;
      throw new ServiceError(
        'invalid_request',
        'cursor: does not belong to this list with these filters; start again without it',
      );
    },
  };
}
