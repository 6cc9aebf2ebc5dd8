import { z } from 'zod';
import { PROXY_TIERS, RENDERING_TIERS, type Tier, TIERS } from '#access/page.ts';
import { hasTimeForWait } from '#access/tiers/time-budget.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { PRICES, SURCHARGES } from '#engine/credits/prices.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { type ErrorCode, ServiceError } from '#kernel/errors.ts';

const PROXY_MODES = ['basic', 'auto', 'stealth'] as const;

type ProxyMode = (typeof PROXY_MODES)[number];

/** Parameters that control proxies and escalation. */
export const PROXY_FIELDS = {
  proxy: z
    .enum(PROXY_MODES)
    .optional()
    .describe(
      'How far to escalate: basic never uses a proxy, auto escalates as needed (default on paid plans), stealth uses the hardened browser directly',
    ),
  use_proxy: z.boolean().optional().meta({ deprecated: true, description: 'true means proxy stealth' }),
} as const;

type ProxyInput = z.output<z.ZodObject<typeof PROXY_FIELDS>>;

/** The tiers of each mode. */
const MODE_TIERS: Readonly<Record<ProxyMode, readonly Tier[]>> = {
  basic: ['http', 'browser'],
  auto: TIERS,
  stealth: ['proxy_browser'],
};

/** What a tier must support for a call. Browsers are `never` used for other methods than GET. */
export type TierNeeds = { readonly browser: boolean | 'never'; readonly country: boolean };

/**
 * Chooses the tiers of a call: those of its proxy mode, or the default of the plan, that support what it needs. Throws
 * `plan_upgrade_required`, and `invalid_request` for a country without a proxy.
 */
export function chooseTiers(input: ProxyInput, plan: Plan, needs: TierNeeds): readonly Tier[] {
  if (needs.country && !plan.starter_surfaces) {
    throw new ServiceError(
      'plan_upgrade_required',
      `country: needs a proxy and plan starter or higher; your plan is ${plan.name}`,
    );
  }
  if (needs.country && input.proxy === 'basic' && input.use_proxy !== true) {
    throw new ServiceError('invalid_request', 'country: needs a proxy; set proxy to auto or stealth');
  }
  const allowed = listAllowedTiers(input, plan);
  const tiers = allowed.filter((tier) => (!needs.country || PROXY_TIERS.has(tier)) && fitsBrowser(tier, needs));
  if (tiers.length === 0 && needs.browser === 'never') {
    throw new ServiceError('invalid_request', 'proxy: stealth uses a browser, which only sends GET; use auto or basic');
  }
  return tiers;
}

function fitsBrowser(tier: Tier, { browser }: TierNeeds): boolean {
  return browser === false || RENDERING_TIERS.has(tier) === (browser === true);
}

/** Lists the tiers of the requested proxy mode, or of the default of the plan. */
function listAllowedTiers({ proxy, use_proxy: useProxy }: ProxyInput, plan: Plan): readonly Tier[] {
  const requestedProxy = useProxy === true ? 'stealth' : proxy;
  if (requestedProxy !== undefined && requestedProxy !== 'basic' && !plan.starter_surfaces) {
    throw new ServiceError(
      'plan_upgrade_required',
      `proxy: ${requestedProxy} needs plan starter or higher; your plan is ${plan.name}. Use basic, or upgrade`,
    );
  }
  return MODE_TIERS[requestedProxy ?? (plan.starter_surfaces ? 'auto' : 'basic')];
}

/** Reports a conflict between `proxy` and the deprecated `use_proxy`. */
export function checkProxy({ proxy, use_proxy: useProxy }: ProxyInput, context: z.RefinementCtx): void {
  if (useProxy !== true || proxy === undefined || proxy === 'stealth') return;
  context.addIssue({
    code: 'custom',
    path: ['use_proxy'],
    message: `conflicts with proxy ${proxy}; send only proxy`,
  });
}

/** The parameters that determine cost and time of one page. */
type PageInput = Parameters<typeof chooseTiers>[0] & {
  readonly url: string;
  readonly timeout_ms?: number | undefined;
  readonly wait_ms: number;
  readonly max_age_ms: number;
  readonly max_credits?: number | undefined;
  readonly country?: string | undefined;
};

/**
 * Admits a call that fetches one page at the price of `fetch`. `besides` are additional credits, such as for a summary.
 */
export function admitPage(
  input: PageInput,
  { plan, readTarget }: AdmissionFacts,
  { besides, browser }: { readonly besides: number; readonly browser: TierNeeds['browser'] },
): Admission {
  readTarget(input.url);
  const timeoutMs = input.timeout_ms ?? plan.inline_timeout_ms;
  if (!hasTimeForWait(timeoutMs, input.wait_ms)) {
    throw new ServiceError('invalid_request', 'wait_ms: must be at least 4 s less than timeout_ms');
  }
  const tiers = chooseTiers(input, plan, { browser, country: input.country !== undefined });
  const first = tiers[0] ?? 'http';
  const page = input.max_age_ms > 0 ? PRICES.fetch.cacheHit : PRICES.fetch.base + SURCHARGES[first];
  const cheapest = page + besides;
  const maxCredits = input.max_credits ?? null;
  if (maxCredits !== null && maxCredits < cheapest) {
    throw new ServiceError('invalid_request', `max_credits: the cheapest outcome of this call costs ${cheapest}`);
  }
  return { timeoutMs, tiers, cheapest, besides, maxCredits };
}

/** Error codes of operations that fetch pages, in addition to those of every call. */
export const PAGE_ERRORS: readonly ErrorCode[] = [
  'free_plan_proxy_required',
  'target_blocked',
  'target_unreachable',
  'unusable_response',
  'content_too_large',
  'unsupported_content',
  'backend_unavailable',
  'timeout',
];
