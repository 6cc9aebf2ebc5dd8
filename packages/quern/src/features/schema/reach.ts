import { z } from 'zod';
import { RENDERS, type Tier, TIERS, USES_PROXY } from '#access/page.ts';
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
const REACHES: Readonly<Record<ProxyMode, readonly Tier[]>> = {
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
  return allowed(input, plan).filter(
    (tier) => (!needs.browser || RENDERS.has(tier)) && (!needs.country || USES_PROXY.has(tier)),
  );
}

/** The tiers of the caller's wish, else of the plan's default. */
function allowed({ proxy, use_proxy: useProxy }: ProxyInput, plan: Plan): readonly Tier[] {
  const asked = useProxy === true ? 'stealth' : proxy;
  if (asked !== undefined && asked !== 'basic' && !plan.starter_surfaces) {
    throw new ServiceError(
      'plan_upgrade_required',
      `proxy: ${asked} needs plan starter or higher, and this is ${plan.name}: use basic, or upgrade`,
    );
  }
  return REACHES[asked ?? (plan.starter_surfaces ? 'auto' : 'basic')];
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
