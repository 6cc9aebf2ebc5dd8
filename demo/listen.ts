import type { Server } from 'node:http';

export type Listening = {
  /** `http://127.0.0.1:4000`, without a slash at the end. */
  readonly origin: string;
  /** Ends it with its connections. */
  readonly close: () => Promise<void>;
};

/** Opens a server on the loopback address; port 0 takes a free one. */
export async function listen(server: Server, port: number): Promise<Listening> {
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(port, '127.0.0.1', listening.resolve);
  await listening.promise;
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
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
