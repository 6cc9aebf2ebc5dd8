import { json } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { openSite } from '#testkit/servers.ts';
import type { World } from './world.ts';

const Faults = z.array(
  z.union([
    z.enum(['lost', 'answer lost']),
    z.object({ status: z.int(), retryAfter: z.number().nullable(), code: z.string(), retryable: z.boolean() }),
  ]),
);

/** Lets a test in another language do with the world what a test here does. */
export async function openControl(world: World) {
  return openSite((request, response) => {
    const answer = async (): Promise<void> => {
      const body = await act(world, request);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
}

async function act(world: World, request: IncomingMessage): Promise<unknown> {
  switch (request.url) {
    case '/plan':
      world.front.plan(...Faults.parse(await json(request)));
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
