import { z } from 'zod';
import { RENDERS, type Tier, TIERS, USES_PROXY } from '#access/page.ts';
import { allowsWait } from '#access/tiers/time-budget.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { PRICES, SURCHARGES } from '#engine/credits/prices.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { ServiceError } from '#kernel/errors.ts';

const PROXY_MODES = ['basic', 'auto', 'stealth'] as const;

type ProxyMode = (typeof PROXY_MODES)[number];

/** How far a caller lets the ladder be climbed. */
export const PROXY_FIELDS = {
  proxy: z
    .enum(PROXY_MODES)
    .optional()
    .describe(
      'How far to escalate: basic never uses a proxy, auto climbs as needed (default on paid plans), stealth goes straight to the hardened browser',
    ),
  use_proxy: z.boolean().optional().meta({ deprecated: true, description: 'true means proxy stealth' }),
} as const;

type ProxyInput = z.output<z.ZodObject<typeof PROXY_FIELDS>>;

/** How far each mode may climb: never a proxy, as far as needed, straight to the hardened browser. */
const MODE_TIERS: Readonly<Record<ProxyMode, readonly Tier[]>> = {
  basic: ['http', 'browser'],
  auto: TIERS,
  stealth: ['proxy_browser'],
};

/** What a call needs of each tier that it may use. */
export type Needs = { readonly browser: boolean; readonly country: boolean };

/**
 * The tiers that a call may use: its own wish, else the plan's default, as far as they can do what it needs. Throws
 * `plan_upgrade_required`, and `invalid_request` for a country without a proxy.
 */
export function toReach(input: ProxyInput, plan: Plan, needs: Needs): readonly Tier[] {
  if (needs.country && !plan.starter_surfaces) {
    throw new ServiceError(
      'plan_upgrade_required',
      `country: needs a proxy, so plan starter or higher, and this is ${plan.name}`,
    );
  }
  if (needs.country && input.proxy === 'basic' && input.use_proxy !== true) {
    throw new ServiceError('invalid_request', 'country: needs a proxy, and proxy is basic: use auto or stealth');
  }
  return listAllowedTiers(input, plan).filter(
    (tier) => (!needs.browser || RENDERS.has(tier)) && (!needs.country || USES_PROXY.has(tier)),
  );
}

/** The tiers of the caller's wish, else of the plan's default. */
function listAllowedTiers({ proxy, use_proxy: useProxy }: ProxyInput, plan: Plan): readonly Tier[] {
  const asked = useProxy === true ? 'stealth' : proxy;
  if (asked !== undefined && asked !== 'basic' && !plan.starter_surfaces) {
    throw new ServiceError(
      'plan_upgrade_required',
      `proxy: ${asked} needs plan starter or higher, and this is ${plan.name}: use basic, or upgrade`,
    );
  }
  return MODE_TIERS[asked ?? (plan.starter_surfaces ? 'auto' : 'basic')];
}

/** Says what is wrong with the two ways to ask for a proxy, where both are taken. */
export function refuseBadProxy({ proxy, use_proxy: useProxy }: ProxyInput, context: z.RefinementCtx): void {
  if (useProxy !== true || proxy === undefined || proxy === 'stealth') return;
  context.addIssue({
    code: 'custom',
    path: ['use_proxy'],
    message: `true means proxy stealth, and proxy is ${proxy}: send only one of them`,
  });
}

/** What the cost and the time of getting one page depend on. */
type PageInput = Parameters<typeof toReach>[0] & {
  readonly url: string;
  readonly timeout_ms?: number | undefined;
  readonly wait_ms: number;
  readonly max_age_ms: number;
  readonly max_credits?: number | undefined;
  readonly country?: string | undefined;
};

/** Admits a call that gets one page at the price of a fetch; `besides` are the credits of what is made of it. */
export function admitPage(
  input: PageInput,
  { plan, readTarget }: AdmissionFacts,
  { besides, browser }: { readonly besides: number; readonly browser: boolean },
): Admission {
  readTarget(input.url);
  const timeoutMs = input.timeout_ms ?? plan.inline_timeout_ms;
  if (!allowsWait(timeoutMs, input.wait_ms)) {
    throw new ServiceError('invalid_request', 'wait_ms: exceeds timeout_ms, which must leave a browser 4 s beside it');
  }
  const tiers = toReach(input, plan, { browser, country: input.country !== undefined });
  const first = tiers[0] ?? 'http';
  const page = input.max_age_ms > 0 ? PRICES.fetch.cacheHit : PRICES.fetch.base + SURCHARGES[first];
  const cheapest = page + besides;
  const maxCredits = input.max_credits ?? null;
  if (maxCredits !== null && maxCredits < cheapest) {
    throw new ServiceError('invalid_request', `max_credits: the cheapest outcome of this call costs ${cheapest}`);
  }
  return { timeoutMs, tiers, cheapest, besides, maxCredits };
}
