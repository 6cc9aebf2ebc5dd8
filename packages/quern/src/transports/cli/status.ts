import { z } from 'zod';
import type { Operation } from '#engine/call/operation.ts';
import type { Administer } from './administration.ts';
import { EXIT } from './exit.ts';
import type { Said } from './parts.ts';
import { isGiven } from './spec.ts';

const Usage = z.looseObject({ plan: z.string(), credits_remaining: z.number().nullable() });
const Capabilities = z.looseObject({ version: z.string() });
const Jobs = z.looseObject({ data: z.array(z.unknown()), next_cursor: z.string().nullish() });

/** The most jobs of a state that are counted. */
const MAX_JOBS = 1000;

export type StatusParts = {
  /** Where commands go, and what decided that. */
  readonly place: { readonly kind: 'server' | 'folder' | 'database'; readonly at: string; readonly from: string };
  /** Whether there are data yet; of a server it is always so. */
  readonly hasData: () => Promise<boolean>;
  readonly version: string;
  readonly operations: { readonly usage: Operation; readonly capabilities: Operation; readonly jobs: Operation };
  readonly ask: (operation: Operation, raw: unknown) => Promise<Said>;
  /** Whether a service runs what is queued. */
  readonly isServed: () => Promise<boolean>;
  /** The line that starts a service on the data that commands use. */
  readonly serveLine: string;
};

/** `quern status`: where commands go, and what they find there. */
export function statusCommand(parts: StatusParts): Administer {
  return async (given, { out }) => {
    const { place, hasData, version, serveLine } = parts;
    const found = (await hasData()) ? await look(parts) : null;
    const facts = { [place.kind]: place.at, set_by: place.from, command_version: version, ...found };
    if (isGiven(given, 'json')) {
      out(`${JSON.stringify({ ...facts, has_data: found !== null }, null, 2)}\n`);
      return EXIT.ok;
    }
    const lines = [
      [place.kind, `${place.at} (${place.from})`],
      ['version', found === null || found.version === version ? version : `${found.version}, this command ${version}`],
      ...(found === null
        ? [
            [
              'data',
              `none yet: a command that fetches or ${serveLine} makes them; data elsewhere are named by QUERN_DATA_DIR`,
            ],
          ]
        : [
            ['plan', found.plan],
            ['balance', found.credits_remaining === null ? 'without a limit' : `${found.credits_remaining} credits`],
            ['queue', `${found.jobs_queued} waiting, ${found.jobs_running} running`],
            ['service', found.is_served ? 'runs' : `does not run: ${serveLine} starts one`],
          ]),
    ];
    for (const [name = '', text = ''] of lines) out(`${name.padEnd(10)} ${text}\n`);
    return EXIT.ok;
  };
}

async function look({ ask, isServed, operations }: StatusParts) {
  const usage = Usage.parse((await ask(operations.usage, {})).body);
  const { version } = Capabilities.parse((await ask(operations.capabilities, {})).body);
  return {
    version,
    plan: usage.plan,
    credits_remaining: usage.credits_remaining,
    jobs_queued: await count('queued'),
    jobs_running: await count('running'),
    is_served: await isServed(),
  };

  /** Jobs in a state; a text where there are more than are counted. */
  async function count(status: string): Promise<number | string> {
    const { data, next_cursor: more } = Jobs.parse((await ask(operations.jobs, { status, limit: MAX_JOBS })).body);
    return typeof more === 'string' ? `more than ${data.length}` : data.length;
  }
}
