import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Package = z.object({ version: z.string() });

/** The version of this Quern, `0.2.0`, from its package. */
export function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return Package.parse(JSON.parse(text)).version;
}
