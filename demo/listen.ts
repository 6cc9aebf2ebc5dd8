import type { Server } from 'node:http';

export type ListeningServer = {
  /** Such as `http://127.0.0.1:4000`, without a trailing slash. */
  readonly origin: string;
  /** Stops the server and closes its connections. */
  readonly close: () => Promise<void>;
};

/** Starts a server on the loopback address; port 0 picks a free port. */
export async function startListening(server: Server, port: number): Promise<ListeningServer> {
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

/** Reads a port from an environment variable; exits with a message if it is invalid. */
export function parsePortSetting(name: string, usual: string): number {
  const text = process.env[name] || usual;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  return exitWithMessage(`${name}: must be a port number from 0 to 65535`);
}

/** If the port is in use, exits with a message that names the setting to change; rethrows other errors. */
export function explainPortInUse(name: string): (error: unknown) => never {
  return (error) => {
    if (!/EADDRINUSE|is in use|QUERN_PORT/.test(String(error))) throw error;
    const usual = name === 'DEMO_PORT' ? '7700' : '7710';
    return exitWithMessage(
      `port ${process.env[name] || usual} is in use: set ${name} to another port, or to 0 for a free one`,
    );
  };
}

function exitWithMessage(sentence: string): never {
  process.stderr.write(`demo: ${sentence}\n`);
  process.exit(1);
}
