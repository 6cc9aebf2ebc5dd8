import type { ExchangeRecorder } from '#access/exchange-recorder.ts';
import type { Page } from '#access/page.ts';
import { isRendered } from '#access/tiers/attempt.ts';
import type { VisitCall, VisitWrapper } from './visit.ts';

export type VisitRecording = {
  readonly recorder: ExchangeRecorder;
  /** Stores a page as rendered by a browser, whose requests are not recorded. */
  readonly storeRendered: (page: Page) => void;
};

/** Records the HTTP exchanges of a visit, and the page if it was rendered by a browser. */
export function withRecording<C extends VisitCall>(recordingOf: (call: C) => VisitRecording): VisitWrapper<C> {
  return (next) => async (request, call) => {
    const { recorder, storeRendered: keepShown } = recordingOf(call);
    const visited = await next({ ...request, recorder }, call);
    if (visited.tier !== 'cache' && isRendered(visited.page, visited.tier)) keepShown(visited.page);
    return visited;
  };
}
