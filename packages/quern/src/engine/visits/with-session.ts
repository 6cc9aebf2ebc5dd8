import type { SessionHandle } from '#engine/sessions/held-session.ts';
import type { VisitCall, VisitWrapper } from './visit.ts';

/**
 * Visits with a session of the caller, and stores its changes even if the visit fails. `heldBy` returns null for no
 * session.
 */
export function withSession<C extends VisitCall>(heldBy: (call: C) => Promise<SessionHandle | null>): VisitWrapper<C> {
  return (next) => async (request, call) => {
    const held = await heldBy(call);
    if (held === null) return next(request, call);
    await held.refresh();
    try {
      return await next({ ...request, session: held.web }, call);
    } finally {
      await held.save();
    }
  };
}
