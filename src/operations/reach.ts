import type { Tier } from '#access/page.ts';
import { TIERS } from '#access/page.ts';
import type { Plan } from '#engine/plans.ts';
import { ServiceError } from '#kernel/errors.ts';

export const PROXY_MODES = ['basic', 'auto', 'stealth'] as const;

export type ProxyMode = (typeof PROXY_MODES)[number];

/** How far each mode may climb: never a proxy, as far as needed, straight to the hardened browser. */
const REACHES: Readonly<Record<ProxyMode, readonly Tier[]>> = {
  basic: ['http', 'browser'],
  auto: TIERS,
  stealth: ['proxy_browser'],
};

/** The tiers that a call may use: its own wish, else the plan's default. Throws `plan_upgrade_required`. */
export function toReach(asked: ProxyMode | undefined, plan: Plan): readonly Tier[] {
  if (asked !== undefined && asked !== 'basic' && !plan.starter_surfaces) {
    throw new ServiceError(
      'plan_upgrade_required',
      `proxy: ${asked} needs plan starter or higher, and this is ${plan.name}: use basic, or upgrade`,
    );
  }
  return REACHES[asked ?? (plan.starter_surfaces ? 'auto' : 'basic')];
}
