import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { IpAddress } from '#access/guard/addresses.ts';
import type { EgressGrant } from './credentials.ts';

/** Where the requests of one connection of a browser go, and by whose leave. */
export type EgressRoute = { readonly authority: string; readonly admitted: EgressGrant };

/** What stands open on such a way between two requests. */
export type KeptConnection = {
  /** Gives a request the connection that is free, else the one that was added. */
  readonly agent: Agent;
  /** Whether there is a connection to one of these that carries no request; what leads elsewhere ends. */
  readonly leadsTo: (addresses: readonly IpAddress[]) => boolean;
  /** Takes a connection that was checked, for the request that is made next. */
  readonly add: (socket: Socket) => void;
  /** Ends all of it. */
  readonly close: () => void;
};

/**
 * Opens the book of lines, which answers that of a connection. A browser asks one host over one connection to its proxy:
 * what it keeps open to us is kept open to the target, for the same pass, and ends with it; on another way than before,
 * the line before ends.
 */
export function openKeptConnections(): (client: Duplex, way: EgressRoute) => KeptConnection {
  const lines = new WeakMap<Duplex, { readonly way: EgressRoute; readonly line: KeptConnection }>();
  return (client, way) => {
    const before = lines.get(client);
    if (before?.way.authority === way.authority && before.way.admitted === way.admitted) return before.line;
    if (before === undefined) client.once('close', () => lines.get(client)?.line.close());
    else before.line.close();
    const line = openLine();
    lines.set(client, { way, line });
    return line;
  };
}

function openLine(): KeptConnection {
  const added: Socket[] = [];
  const agent = Object.assign(new Agent({ keepAlive: true, maxFreeSockets: 1 }), {
    createConnection: () => added.shift(),
  });
  return {
    agent,
    leadsTo(addresses) {
      const free = Object.values(agent.freeSockets).flatMap((some) => some ?? []);
      for (const socket of free) {
        if (!addresses.some(({ address }) => address === socket.remoteAddress)) socket.destroy();
      }
      return free.some(({ destroyed }) => !destroyed);
    },
    add: (socket) => void added.push(socket),
    close() {
      for (const socket of added) socket.destroy();
      agent.destroy();
    },
  };
}
