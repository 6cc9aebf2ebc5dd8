import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { listen } from './listen.ts';
import type { Listening } from './listen.ts';

/** What the demo's events are signed with, as a caller gives it. */
export const HOOK_SECRET = 'whsec_SGFycm93IE1pbGwgZ3JpbmRzIG9uIFdlZG5lc2RheXMu';

/**
 * A receiver of webhooks on the loopback address, which verifies each event as a tenant's own server would: it takes events
 * by POST and tells by GET what came last.
 */
export async function openReceiver(secret: string): Promise<Listening> {
  const webhook = new Webhook(secret);
  let latest: unknown = null;

  async function take(request: IncomingMessage, headers: Readonly<Record<string, string>>): Promise<void> {
    const body = await text(request);
    try {
      latest = { verified: true, event: webhook.verify(body, headers) };
    } catch (error) {
      latest = { verified: false, problem: String(error) };
    }
  }

  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(latest === null ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(latest));
      return;
    }
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    take(request, headers).then(
      () => response.writeHead(204).end(),
      () => response.destroy(),
    );
  });
  return listen(server, 0);
}
