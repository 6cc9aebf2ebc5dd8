import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';

/** A local server, its port, and the connections it has had. */
async function listen(server: Server, host: string, port: number) {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    origin: `http://127.0.0.1:${address.port}`,
    connections: () => connections,
    /** Those that are open, the oldest first. */
    sockets: (): readonly Socket[] => [...sockets],
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** An HTTP server of Node on a loopback address. */
export function openSite(listener: RequestListener, { host = '127.0.0.1', port = 0 } = {}) {
  return listen(createHttpServer(listener), host, port);
}

/** Any server that speaks over TCP. */
export function openServer(server: Server) {
  return listen(server, '127.0.0.1', 0);
}

/** A server that answers each request head with the given bytes, then does what `then` says. */
export function openRaw(bytes: string | Buffer, then: 'end' | 'stay' = 'end') {
  return openTalker((socket) => {
    if (then === 'end') socket.end(bytes);
    else socket.write(bytes);
  });
}

/** A server that calls `talk` at each request head. */
export function openTalker(talk: (socket: Socket, head: string) => void) {
  return listen(
    createTcpServer((socket) => {
      socket.on('data', (data) => talk(socket, data.toString('latin1')));
    }),
    '127.0.0.1',
    0,
  );
}
