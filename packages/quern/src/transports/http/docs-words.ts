import type { Operation } from '#engine/call/operation.ts';
import { SURCHARGES } from '#engine/credits/prices.ts';

/** Whether an endpoint of a site was never read from a page that the site sent. */
export function isUnverified(operation: Operation): boolean {
  return operation.kind === 'work' && operation.site?.verified === false;
}

/** The plans that an operation is open to, in words. */
export function planOf(operation: Operation): string {
  return operation.kind === 'work' && operation.plan === 'starter' ? 'Starter or higher' : 'every plan';
}

/** What an operation costs, in words. */
export function creditsOf(operation: Operation): string {
  if (operation.kind === 'control') return 'free';
  const { base, cacheHit, perTier, per, perModelOutput, errorPage } = operation.price;
  const extra = Object.entries(SURCHARGES).filter(([, credits]) => perTier && credits > 0);
  const surcharges = extra.map(([tier, credits]) => `, +${credits} by ${tier}`).join('');
  const parts = [
    `${base}${per === undefined ? '' : ` a ${per}`}`,
    cacheHit === base ? '' : `, ${cacheHit} from the cache`,
    surcharges,
    perModelOutput === undefined ? '' : `, +${perModelOutput} for each output of a model`,
    errorPage === undefined ? '' : `, ${errorPage} for an error page`,
  ];
  return parts.join('');
}
