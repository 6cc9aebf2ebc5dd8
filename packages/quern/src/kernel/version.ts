import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvariantError } from '#extract/invariant-error.ts';

/** The version of Quern from its package.json, such as `0.2.0`. */
export function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  // Without zod, so that printing the version loads nothing else.
  const described: unknown = JSON.parse(text);
  if (typeof described !== 'object' || described === null || !('version' in described))
    throw new InvariantError('package.json has no version');
  return String(described.version);
}
