import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (name: string) => readFileSync(join(import.meta.dirname, 'tls', name), 'utf8');

/** The authority that signed `good` and `expired`, both for good.test and 127.0.0.1; its key was deleted. */
export const AUTHORITY = read('ca.pem');

/** A key and certificate for a local TLS server. */
export function identity(name: 'good' | 'expired' | 'selfsigned') {
  return { key: read(`${name}.key`), cert: read(`${name}.pem`) };
}
