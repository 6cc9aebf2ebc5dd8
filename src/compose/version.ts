import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Tier } from '#access/page.ts';

export const VERSION = readVersion();

/** The access tiers that this version has. */
export const BUILT: readonly Tier[] = ['http'];

function readVersion(): string {
  const text: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  return z.object({ version: z.string() }).parse(text).version;
}
