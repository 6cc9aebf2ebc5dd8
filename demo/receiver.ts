import { createServer } from 'node:http';
import { listen } from './listen.ts';
import { openCommand } from './service.ts';

/** What the demo's events are signed with, as a caller gives it. */
export const HOOK_SECRET = 'whsec_SGFycm93IE1pbGwgZ3JpbmRzIG9uIFdlZG5lc2RheXMu';

export type Receiver = {
  /** Where events are sent. */
  readonly origin: string;
  /** Tells by GET what came last. */
  readonly heard: string;
  readonly close: () => Promise<void>;
};

/** `quern webhooks listen` on the loopback address, which verifies each event, beside a page that tells what it printed last. */
export async function openReceiver(secret: string, dataDir: string): Promise<Receiver> {
  const listener = openCommand(['webhooks', 'listen', '--json', '--secret', secret], { dataDir, settings: {} });
  await listener.untilSaid('/ (the service needs');
  const [, origin = ''] = /listening on (http:\/\/[\d.:]+)\//.exec(listener.err()) ?? [];

  const server = createServer((_request, response) => {
    const line = listener.out().split('\n').at(-2);
    if (line === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('null');
      return;
    }
    const { verified, body } = JSON.parse(line);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ verified, event: JSON.parse(body) }));
  });
  const view = await listen(server, 0);
  return {
    origin,
    heard: view.origin,
    async close(): Promise<void> {
      await view.close();
      await listener.close();
    },
  };
}
