import type { Caller } from './caller.ts';

/** Reads who a key belongs to; null for an unknown or revoked key. Hashes are compared in constant time. */
export type FindCaller = (key: string) => Promise<Caller | null>;
