import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';

/** Starts a local server that counts its connections. */
async function startServer(server: Server, host: string, port: number) {
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
    /** Open connections, oldest first. */
    sockets: (): readonly Socket[] => [...sockets],
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Starts an HTTP server on a loopback address. */
export function startHttpServer(listener: RequestListener, { host = '127.0.0.1', port = 0 } = {}) {
  return startServer(createHttpServer(listener), host, port);
}

/** Starts any TCP server. */
export function startTcpServer(server: Server) {
  return startServer(server, '127.0.0.1', 0);
}

/** Starts a server that responds to each request with the given bytes and then closes or keeps the connection. */
export function startRawServer(bytes: string | Buffer, then: 'end' | 'stay' = 'end') {
  return startSocketServer((socket) => {
    if (then === 'end') socket.end(bytes);
    else socket.write(bytes);
  });
}

/** Starts a server that calls `talk` with each chunk of a request. */
export function startSocketServer(talk: (socket: Socket, head: string) => void) {
  return startServer(
    createTcpServer((socket) => {
      socket.on('data', (data) => talk(socket, data.toString('latin1')));
    }),
    '127.0.0.1',
    0,
  );
}
