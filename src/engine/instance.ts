import type { Tier } from '#access/page.ts';
import type { Operation } from './operation.ts';

/** What this instance is and can do, for `/v1/capabilities` and `quern doctor`. */
export type Instance = {
  readonly version: string;
  readonly operations: readonly Operation[];
  readonly tiers: Readonly<Record<Tier, { readonly available: boolean; readonly reason?: string }>>;
};
