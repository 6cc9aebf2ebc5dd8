import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can become silent like a broken link: no data, no end, no error. */
export type Blackhole = AsyncDisposable & {
  readonly port: number;
  /** Stops all data; new connections are accepted but get no response. */
  readonly swallow: () => void;
  /** New connections work again; earlier ones stay silent. */
  readonly heal: () => void;
};

/** Opens a proxy on loopback that forwards everything to a port of loopback. */
export async function openBlackhole(target: number): Promise<Blackhole> {
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  let swallowing = false;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  }

  function pass(from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      if (!silent.has(from)) to.write(chunk);
    });
    from.on('close', () => {
      if (!silent.has(from)) to.destroy();
    });
  }

  // A socket that closes when the other side closes would not be silent.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    keep(client);
    if (swallowing) {
      silent.add(client.resume());
      return;
    }
    const upstream = keep(connect(target, '127.0.0.1'));
    pass(client, upstream);
    pass(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    swallow() {
      swallowing = true;
      for (const socket of sockets) silent.add(socket);
    },
    heal: () => void (swallowing = false),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
