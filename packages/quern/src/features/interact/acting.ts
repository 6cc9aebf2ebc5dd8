import type { Brought, PageAction } from '#access/interact/actions.ts';
import type { InteractSession } from '#access/interact/session.ts';
import type { Secrets } from './secrets.ts';

export type ActingParts = {
  readonly session: Pick<InteractSession, 'act'>;
  readonly secrets: Pick<Secrets, 'fill'>;
  /** The time that is left for actions, ms. */
  readonly leftMs: () => number;
};

/** Does one action within `mostMs`, its own time where it is a longer wait, and the time that is left; variables are typed as their values. */
export async function performAction(
  { session, secrets, leftMs }: ActingParts,
  action: PageAction,
  mostMs: number,
): Promise<Brought> {
  const ms = action.type === 'wait' && 'ms' in action ? Math.max(action.ms, mostMs) : mostMs;
  const filled = action.type === 'type' ? { ...action, text: secrets.fill(action.text) } : action;
  return session.act(filled, Math.max(1, Math.min(ms, leftMs())));
}
