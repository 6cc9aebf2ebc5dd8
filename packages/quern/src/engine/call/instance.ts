import type { Tier } from '#access/page.ts';
import { WITHOUT_MODEL } from '#llm/complete.ts';
import type { Operation } from './operation.ts';

export type TierState = { readonly available: boolean; readonly reason?: string };

export type TierStates = Readonly<Record<Tier, TierState>>;

/** The version, operations, tiers and model of this instance, for `/v1/capabilities`. */
export type Instance = {
  readonly version: string;
  readonly operations: readonly Operation[];
  /** As they are now: a browser may come while the instance runs. */
  readonly tiers: () => TierStates;
  readonly model: TierState;
  readonly search: SearchState;
};

/** The engines that searches ask and the ways of websearch, in their order, and what writes the answers of each surface. */
export type SearchState = TierState & {
  readonly engines: readonly string[];
  readonly websearch: readonly string[];
  readonly answers: Readonly<Record<'answerengine' | 'assistant' | 'chatassistant', string>>;
};

/** Why an instance has no browser. */
export type BrowserLack = 'off' | 'missing' | 'awaited' | 'unobtainable';

const WITHOUT_BROWSER = 'pages that need JavaScript come as their server sends them';

const BROWSER_ABSENCES: Readonly<Record<BrowserLack, string>> = {
  off: `QUERN_CHROMIUM is off: ${WITHOUT_BROWSER}`,
  missing: `no browser was found; npm run setup:browser gets one: ${WITHOUT_BROWSER}`,
  awaited: `a browser is being got in the background: until it is there ${WITHOUT_BROWSER}`,
  unobtainable: `no browser was found, and none could be got, as the log says; npm run setup:browser tries again: ${WITHOUT_BROWSER}`,
};

/** The consequence of each other missing tier. */
const MISSING_TIERS: Readonly<Record<Exclude<Tier, 'browser'>, string>> = {
  http: 'no page can be fetched',
  proxy: 'QUERN_PROXIES_DATACENTER is not set: pages that block this address answer target_blocked',
  proxy_browser: 'needs QUERN_PROXIES_RESIDENTIAL and a browser: proxy stealth answers backend_unavailable',
};

/** Describes the tiers: the available ones, and the consequence of each missing one. */
export function describeTiers(built: readonly Tier[], lack: BrowserLack): TierStates {
  const stateOf = (tier: Tier): TierState => {
    if (built.includes(tier)) return { available: true };
    return { available: false, reason: tier === 'browser' ? BROWSER_ABSENCES[lack] : MISSING_TIERS[tier] };
  };
  return {
    http: stateOf('http'),
    browser: stateOf('browser'),
    proxy: stateOf('proxy'),
    proxy_browser: stateOf('proxy_browser'),
  };
}

/** Describes the model: whether the operator configured one. */
export function describeModel(model: 'there' | 'missing'): TierState {
  return model === 'there' ? { available: true } : { available: false, reason: WITHOUT_MODEL };
}
