import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy for PostgreSQL that cuts a connection after a commit and before its response. */
export type Cutting = AsyncDisposable & {
  readonly port: number;
  /** Loses the responses of this many further commits. */
  readonly cut: (commits: number) => void;
  /** The number of commits with lost responses. */
  readonly cuts: () => number;
};

/** The message that ends a transaction: its type, length and text. */
const COMMIT = Buffer.from('Q\0\0\0\u000Bcommit\0');

export async function openCutting(target: number): Promise<Cutting> {
  const sockets = new Set<Socket>();
  let left = 0;
  let cuts = 0;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  }

  const server = createServer((client) => {
    keep(client);
    const upstream = keep(connect(target, '127.0.0.1'));
    let isCut = false;
    client.on('data', (chunk: Buffer) => {
      if (left > 0 && !isCut && chunk.includes(COMMIT)) {
        left -= 1;
        cuts += 1;
        isCut = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (isCut) client.destroy();
      else client.write(chunk);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut: (commits) => void (left = commits),
    cuts: () => cuts,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
