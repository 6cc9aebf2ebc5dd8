import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** What the demo's events are signed with, as a caller gives it. */
export const HOOK_SECRET = 'whsec_SGFycm93IE1pbGwgZ3JpbmRzIG9uIFdlZG5lc2RheXMu';

export type Receiver = {
  /** `http://127.0.0.1:4000`: it takes events by POST and tells by GET what came last. */
  readonly origin: string;
  readonly close: () => Promise<void>;
};

/** A receiver of webhooks on the loopback address, which verifies each event as a tenant's own server would. */
export async function openReceiver(secret: string): Promise<Receiver> {
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
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}
