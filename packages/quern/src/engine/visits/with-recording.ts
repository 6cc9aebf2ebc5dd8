import type { ExchangeRecorder } from '#access/exchange-recorder.ts';
import type { Page } from '#access/page.ts';
import { isRendered } from '#access/tiers/attempt.ts';
import type { VisitCall, VisitWrapper } from './visit.ts';

export type Recording = {
  readonly recorder: ExchangeRecorder;
  /** Keeps a page as a browser showed it, whose own requests no recorder sees. */
  readonly keepShown: (page: Page) => void;
};

/** Records the exchanges of a visit, and the page where a browser showed it. */
export function withRecording<C extends VisitCall>(recordingOf: (call: C) => Recording): VisitWrapper<C> {
  return (next) => async (request, call) => {
    const { recorder, keepShown } = recordingOf(call);
    const visited = await next({ ...request, recorder }, call);
    if (visited.tier !== 'cache' && isRendered(visited.page, visited.tier)) keepShown(visited.page);
    return visited;
  };
}
