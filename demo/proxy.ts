import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';

export type TestProxy = {
  /** Proxy URL as used in settings. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

/**
 * Starts an HTTP proxy (CONNECT) on another loopback address than the site, so that the site sees that address as the client.
 * Returns null if this machine does not have the address.
 */
export async function startProxy(address: string): Promise<TestProxy | null> {
  const tunnels = new Set<Duplex>();
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', ({ url }, client: Duplex, first: Buffer) => {
    const to = URL.parse(`http://${url ?? ''}`);
    const target = connect({ host: to?.hostname ?? '', port: Number(to?.port) || 80, localAddress: address });
    tunnels.add(client);
    client.once('close', () => tunnels.delete(client)).on('error', () => target.destroy());
    target.once('error', () => client.destroy());
    target.once('connect', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      target.write(first);
      pipeline(client, target, client, () => undefined);
    });
  });
  server.listen(0, address);
  try {
    await once(server, 'listening');
  } catch {
    return null;
  }
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return {
    url: `http://${address}:${port}`,
    async close() {
      server.close();
      for (const tunnel of tunnels) tunnel.destroy();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
