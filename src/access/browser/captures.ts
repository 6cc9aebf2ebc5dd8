import { z } from 'zod';
import type { CapturedResponse, PageRequest } from '#access/page.ts';
import { CommandRefused } from './devtools.ts';
import { toError } from './interception.ts';
import type { Tab } from './tab.ts';

/** The most answers of one page that are kept, and the most characters of all their texts. */
const MOST_CAPTURES = 100;
const MOST_CHARS = 20_000_000;

/** Bytes of answers that a browser buffers for us. */
export const CAPTURE_BUFFER = { maxTotalBufferSize: 40_000_000, maxResourceBufferSize: 20_000_000 };

const Received = z.object({
  requestId: z.string(),
  type: z.string(),
  response: z.object({ url: z.string(), status: z.number(), mimeType: z.string() }),
});
const Finished = z.object({ requestId: z.string() });
const Given = z.object({ body: z.string(), base64Encoded: z.boolean() });

export type Captures = {
  /** The answers that were captured so far, in the order in which they began. */
  readonly taken: () => Promise<readonly CapturedResponse[]>;
};

/** Keeps the answers that scripts of a page get and `wanted` chooses; none without it. Needs the buffer above. */
export function watchCaptures(tab: Tab, wanted: PageRequest['captures']): Captures {
  const open = new Map<string, Omit<CapturedResponse, 'body'>>();
  const kept = new Map<string, CapturedResponse>();
  const reading: Promise<void>[] = [];
  let chars = 0;

  async function keep(requestId: string, head: Omit<CapturedResponse, 'body'>): Promise<void> {
    try {
      const { body, base64Encoded } = Given.parse(await tab.send('Network.getResponseBody', { requestId }));
      const text = base64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
      if (chars + text.length > MOST_CHARS || kept.size >= MOST_CAPTURES) return;
      chars += text.length;
      kept.set(requestId, { ...head, body: text });
    } catch (error) {
      // An answer that is too large for the buffer, or whose document is gone, is left out; any other error ends the
      // visit, which may have ended before it asks for the captures.
      if (!(error instanceof CommandRefused)) tab.fail(toError(error));
    }
  }

  if (wanted !== undefined) {
    tab.listen(({ method, params }) => {
      if (method === 'Network.responseReceived') {
        const { requestId, type, response } = Received.parse(params);
        const { url, status, mimeType: contentType } = response;
        if (type !== 'XHR' && type !== 'Fetch') return;
        if (open.size < MOST_CAPTURES && wanted({ url, status, contentType })) open.set(requestId, { url, status });
      } else if (method === 'Network.loadingFinished') {
        const { requestId } = Finished.parse(params);
        const head = open.get(requestId);
        if (head !== undefined) reading.push(keep(requestId, head));
      }
    });
  }
  return {
    async taken() {
      await Promise.all(reading);
      tab.signal.throwIfAborted();
      return [...open.keys()].flatMap((id) => kept.get(id) ?? []);
    },
  };
}
