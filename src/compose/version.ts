import type { Tier } from '#access/page.ts';
import { readVersion } from '#kernel/version.ts';

export const VERSION = readVersion();

/** The access tiers that this version has. */
export const BUILT: readonly Tier[] = ['http'];
