import type { Agent as HttpAgent } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { IpAddress } from '#access/guard/addresses.ts';
import { Agent } from '#kernel/node-http.ts';
import type { EgressGrant } from './credentials.ts';

/** The target of the requests of one connection of a browser, and the credentials that they came with. */
export type EgressRoute = { readonly authority: string; readonly grant: EgressGrant };

/** A connection to a target that stays open between two requests. */
export type KeptConnection = {
  /** Gives a request the connection that is free, else the one that was added. */
  readonly agent: HttpAgent;
  /** Whether there is a free connection to one of these addresses; a free one to any other address is closed. */
  readonly leadsTo: (addresses: readonly IpAddress[]) => boolean;
  /** Takes a connection that was checked, for the request that is made next. */
  readonly add: (socket: Socket) => void;
  /** Ends all connections. */
  readonly close: () => void;
};

/**
 * Opens the table of kept connections, by the connection of a browser. A browser asks one host over one connection to its
 * proxy: as long as it keeps that open, the connection to the target stays open for the same credentials; a request for
 * another target closes the one before.
 */
export function openKeptConnections(): (client: Duplex, route: EgressRoute) => KeptConnection {
  const known = new WeakMap<Duplex, { readonly route: EgressRoute; readonly kept: KeptConnection }>();
  return (client, route) => {
    const before = known.get(client);
    if (before?.route.authority === route.authority && before.route.grant === route.grant) return before.kept;
    if (before === undefined) client.once('close', () => known.get(client)?.kept.close());
    else before.kept.close();
    const kept = openKept();
    known.set(client, { route, kept });
    return kept;
  };
}

function openKept(): KeptConnection {
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
