import { z } from 'zod';
import type { Operation } from '#engine/call/operation.ts';
import type { RunAdministration } from './administration.ts';
import { EXIT } from './exit.ts';
import type { OperationAnswer } from './context.ts';
import { hasFlag } from './spec.ts';

const Usage = z.looseObject({ plan: z.string(), credits_remaining: z.number().nullable() });
const Capabilities = z.looseObject({ version: z.string() });
const JobList = z.looseObject({ data: z.array(z.unknown()), next_cursor: z.string().nullish() });

/** At most this many jobs of a state are counted. */
const MAX_JOBS = 1000;

/** What `quern status` needs. */
export type StatusParts = {
  /** Where commands go, and the setting that selects it. */
  readonly place: { readonly kind: 'server' | 'folder' | 'database'; readonly at: string; readonly from: string };
  /** Whether there is data yet; always true for a server. */
  readonly hasData: () => Promise<boolean>;
  readonly version: string;
  readonly operations: { readonly usage: Operation; readonly capabilities: Operation; readonly jobs: Operation };
  readonly ask: (operation: Operation, raw: unknown) => Promise<OperationAnswer>;
  /** Whether a service runs queued jobs. */
  readonly isServed: () => Promise<boolean>;
  /** The command line that starts a service on the local data. */
  readonly serveLine: string;
};

/** `quern status`: prints where commands go, and the version, plan, credits and queue there. */
export function createStatusCommand(parts: StatusParts): RunAdministration {
  return async (args, { out }) => {
    const { place, hasData, version, serveLine } = parts;
    const status = (await hasData()) ? await readStatus(parts) : null;
    const facts = { [place.kind]: place.at, set_by: place.from, command_version: version, ...status };
    if (hasFlag(args, 'json')) {
      out(`${JSON.stringify({ ...facts, has_data: status !== null }, null, 2)}\n`);
      return EXIT.ok;
    }
    const lines = [
      [place.kind, `${place.at} (${place.from})`],
      [
        'version',
        status === null || status.version === version ? version : `${status.version}, this command ${version}`,
      ],
      ...(status === null
        ? [
            [
              'data',
              `none yet: created by ${serveLine} or the first command that fetches; set QUERN_DATA_DIR to use another folder`,
            ],
          ]
        : [
            ['plan', status.plan],
            ['credits', status.credits_remaining === null ? 'unlimited' : `${status.credits_remaining} credits`],
            ['queue', `${status.jobs_queued} waiting, ${status.jobs_running} running`],
            ['service', status.is_served ? 'running' : `not running: ${serveLine} starts one`],
          ]),
    ];
    for (const [name = '', text = ''] of lines) out(`${name.padEnd(10)} ${text}\n`);
    return EXIT.ok;
  };
}

async function readStatus({ ask, isServed, operations }: StatusParts) {
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

  /** Counts the jobs in a state; returns a text if there are more than `MAX_JOBS`. */
  async function count(status: string): Promise<number | string> {
    const { data, next_cursor: more } = JobList.parse((await ask(operations.jobs, { status, limit: MAX_JOBS })).body);
    return typeof more === 'string' ? `more than ${data.length}` : data.length;
  }
}
