import { json } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { startHttpServer } from '#testkit/servers.ts';
import type { ClientWorld } from './world.ts';

const FaultSettings = z.array(
  z.union([
    z.enum(['lost', 'answer lost']),
    z.object({ status: z.int(), retryAfter: z.number().nullable(), code: z.string(), retryable: z.boolean() }),
  ]),
);

/** An HTTP server that lets tests in other languages control the test environment. */
export async function startControlServer(world: ClientWorld) {
  return startHttpServer((request, response) => {
    const answer = async (): Promise<void> => {
      const body = await handleCommand(world, request);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
}

async function handleCommand(world: ClientWorld, request: IncomingMessage): Promise<unknown> {
  switch (request.url) {
    case '/plan':
      world.front.plan(...FaultSettings.parse(await json(request)));
      return null;
    case '/passed':
      return world.front.passed;
    case '/restart':
      await world.restart();
      return null;
    case '/delivery':
      return world.delivery();
    default:
      throw new Error(`no such thing as ${request.url}`);
  }
}
