import type { Tier } from '#access/page.ts';
import { NO_MODEL_MESSAGE } from '#llm/complete.ts';
import type { Operation } from './operation.ts';

export type TierState = { readonly available: boolean; readonly reason?: string };

export type TierStates = Readonly<Record<Tier, TierState>>;

/** The version, operations, tiers and model of this service, for `/v1/capabilities`. */
export type Instance = {
  readonly version: string;
  readonly operations: readonly Operation[];
  /** The current state: a browser may become available while the service runs. */
  readonly tiers: () => TierStates;
  readonly model: TierState;
  readonly search: SearchState;
  readonly interfaces: readonly ServedInterface[];
};

/** An interface of another service that this service answers. */
export type ServedInterface = {
  readonly name: string;
  readonly title: string;
  /** The address to paste into a client, without a slash at its end; a path if the service does not know its own URL. */
  readonly base_url: string;
  /** The paths below the address; `*` at the end stands for any further path. */
  readonly paths: readonly string[];
};

/**
 * The search engines and web search backends in the order they are used, and the backend that writes the answers of
 * each answer API.
 */
export type SearchState = TierState & {
  readonly engines: readonly string[];
  readonly websearch: readonly string[];
  readonly answers: Readonly<Record<'answerengine' | 'assistant' | 'chatassistant', string>>;
};

/** Why the service has no browser. */
export type BrowserAbsence = 'off' | 'missing' | 'awaited' | 'unobtainable';

const WITHOUT_BROWSER = 'pages that need JavaScript are returned as the server sends them';

const BROWSER_ABSENCES: Readonly<Record<BrowserAbsence, string>> = {
  off: `QUERN_CHROMIUM is off; ${WITHOUT_BROWSER}`,
  missing: `no browser was found (install one with npm run setup:browser); ${WITHOUT_BROWSER}`,
  awaited: `a browser is being downloaded in the background; until then ${WITHOUT_BROWSER}`,
  unobtainable: `no browser was found and the download failed (see the log; retry with npm run setup:browser); ${WITHOUT_BROWSER}`,
};

/** What each other missing tier means. */
const MISSING_TIERS: Readonly<Record<Exclude<Tier, 'browser'>, string>> = {
  http: 'no page can be fetched',
  proxy: 'QUERN_PROXIES_DATACENTER is not set; pages that block this IP address fail with target_blocked',
  proxy_browser: 'needs QUERN_PROXIES_RESIDENTIAL and a browser; proxy stealth fails with backend_unavailable',
};

/** Describes which tiers are available, and what each missing one means. */
export function describeTiers(built: readonly Tier[], lack: BrowserAbsence): TierStates {
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

/** Describes whether a language model is configured. */
export function describeModel(model: 'there' | 'missing'): TierState {
  return model === 'there' ? { available: true } : { available: false, reason: NO_MODEL_MESSAGE };
}
