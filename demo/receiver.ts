import { createServer } from 'node:http';
import { startListening } from './listen.ts';
import { startCommand } from './service.ts';

/** The webhook signing secret of the demo. */
export const HOOK_SECRET = 'whsec_SGFycm93IE1pbGwgZ3JpbmRzIG9uIFdlZG5lc2RheXMu';

export type WebhookReceiver = {
  /** URL origin that receives events. */
  readonly origin: string;
  /** URL origin that returns the last event on GET. */
  readonly heard: string;
  readonly close: () => Promise<void>;
};

/** Starts `quern webhooks listen`, which verifies each event, and a server that returns the last event it printed. */
export async function startReceiver(secret: string, dataDir: string): Promise<WebhookReceiver> {
  const listener = startCommand(['webhooks', 'listen', '--json', '--secret', secret], { dataDir, settings: {} });
  await listener.waitForOutput('/ (the service needs');
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
  const view = await startListening(server, 0);
  return {
    origin,
    heard: view.origin,
    async close(): Promise<void> {
      await view.close();
      await listener.close();
    },
  };
}
