import type { Tier } from '#access/page.ts';
import { WITHOUT_MODEL } from '#llm/complete.ts';
import type { Operation } from './operation.ts';

export type TierState = { readonly available: boolean; readonly reason?: string };

/** What this instance is and can do, for `/v1/capabilities` and `quern doctor`. */
export type Instance = {
  readonly version: string;
  readonly operations: readonly Operation[];
  readonly tiers: Readonly<Record<Tier, TierState>>;
  readonly model: TierState;
};

/** What each missing tier costs its callers. */
const WITHOUT: Readonly<Record<Tier, string>> = {
  http: 'no page can be fetched',
  browser: 'no browser was found, or QUERN_CHROMIUM is off: pages that need JavaScript come as their server sends them',
  proxy: 'QUERN_PROXIES_DATACENTER is not set: pages that block this address answer target_blocked',
  proxy_browser: 'needs QUERN_PROXIES_RESIDENTIAL and a browser: proxy stealth answers backend_unavailable',
};

/** What an instance has beside its code. */
export type Equipment = { readonly tiers: readonly Tier[]; readonly hasModel: boolean };

/** Describes an instance by the tiers it has, and whether it has a model. */
export function describeInstance(
  version: string,
  operations: readonly Operation[],
  { tiers: built, hasModel }: Equipment,
): Instance {
  const stateOf = (tier: Tier): TierState =>
    built.includes(tier) ? { available: true } : { available: false, reason: WITHOUT[tier] };
  return {
    version,
    operations,
    tiers: {
      http: stateOf('http'),
      browser: stateOf('browser'),
      proxy: stateOf('proxy'),
      proxy_browser: stateOf('proxy_browser'),
    },
    model: hasModel ? { available: true } : { available: false, reason: WITHOUT_MODEL },
  };
}
