import { text } from 'node:stream/consumers';
import { startSite as openDemo } from '#demo/site.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { serveQuern, type Settings } from '#support/quern.ts';
import { startFrontProxy } from './front.ts';

/** A received webhook delivery. */
export type DeliveredEvent = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** The demo site, a service that can be killed and restarted, a proxy in front of it, and a webhook receiver. */
export async function startClientWorld(folder: string, settings: Settings = {}) {
  await using stack = new AsyncDisposableStack();
  const site = await openDemo({ port: 0 });
  stack.defer(site.close);
  const all = { QUERN_ALLOW_TARGETS: '127.0.0.0/8', ...settings };
  let service = await serveQuern(folder, all);
  stack.defer(async () => service[Symbol.asyncDispose]());
  const front = stack.use(await startFrontProxy(() => service.origin));
  const deliveries: DeliveredEvent[] = [];
  let tell = Promise.withResolvers<void>();
  const receiver = stack.use(
    await startHttpServer((request, response) => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      void text(request).then((body) => {
        deliveries.push({ headers: Object.fromEntries(headers), body });
        tell.resolve();
        return response.writeHead(204).end();
      });
    }),
  );
  const moved = stack.move();
  return {
    site: site.origin,
    front,
    receiver: receiver.origin,
    /** The pending delivery, or the next one. */
    async delivery(): Promise<DeliveredEvent> {
      await (deliveries.length === 0 ? tell.promise : null);
      tell = Promise.withResolvers<void>();
      const [first] = deliveries.splice(0, 1);
      if (first === undefined) throw new Error('no delivery came');
      return first;
    },
    /** Kills the service like a power cut, and starts it again on the same data. */
    async restart(): Promise<void> {
      service.signal('SIGKILL');
      await service.ended;
      service = await serveQuern(folder, all);
    },
    [Symbol.asyncDispose]: async () => moved.disposeAsync(),
  };
}

export type ClientWorld = Awaited<ReturnType<typeof startClientWorld>>;
