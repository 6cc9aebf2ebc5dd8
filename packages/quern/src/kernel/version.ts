import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of this Quern, `0.2.0`, from its package. */
export function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  // Without a schema: the version is also printed where nothing else is loaded.
  const described: unknown = JSON.parse(text);
  if (typeof described !== 'object' || described === null || !('version' in described)) throw new Error('no version');
  return String(described.version);
}
