import { z } from 'zod';
import type { Operation } from '#engine/call/operation.ts';
import { SETTING_SOURCES, type SettingSummary } from '#kernel/config.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { RunAdministration } from './administration.ts';
import { EXIT } from './exit.ts';
import type { OperationAnswer, Terminal } from './context.ts';
import { type CommandArguments, hasFlag } from './spec.ts';

const ServerSettings = z.looseObject({
  version: z.string(),
  data: z.array(
    z.looseObject({ name: z.string(), value: z.string(), source: z.enum(SETTING_SOURCES), about: z.string() }),
  ),
});

/** `quern config`: each setting with its value and its source; secrets are masked. */
export function createConfigCommand(settings: readonly SettingSummary[]): RunAdministration {
  return async (given, terminal) => writeSettings(settings, given, terminal);
}

/** What `quern config` needs to show the settings of a server. */
export type ServerConfigParts = {
  readonly url: string;
  /** What selected the server, such as `QUERN_URL`, for messages. */
  readonly from: string;
  readonly settings: Operation;
  readonly ask: (operation: Operation, raw: unknown) => Promise<OperationAnswer>;
};

/** `quern config` if commands go to a server: prints the settings of that server, which only operators may read. */
export function createServerConfigCommand({ url, from, settings, ask }: ServerConfigParts): RunAdministration {
  return async (args, terminal) => {
    const { version, data } = await readSettings();
    terminal.note(`quern: the settings of ${url} (${from}), Quern ${version}`);
    return writeSettings(data, args, terminal);
  };

  async function readSettings(): Promise<z.output<typeof ServerSettings>> {
    const end = `run quern config on the machine of ${url} (${from})`;
    try {
      const read = ServerSettings.safeParse((await ask(settings, {})).body);
      if (read.success) return read.data;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === 'operator_key_required') {
        const message = `only operators may read the settings of a server: use an operator key, or ${end}`;
        throw new ServiceError('operator_key_required', message, { cause: error });
      }
      if (error.code !== 'not_found') throw error;
    }
    throw new ServiceError(
      'not_found',
      `this server is an older version that does not report its settings: update it, or ${end}`,
    );
  }
}

function writeSettings(settings: readonly SettingSummary[], args: CommandArguments, { out }: Terminal): number {
  if (hasFlag(args, 'json')) {
    out(`${JSON.stringify(settings, null, 2)}\n`);
    return EXIT.ok;
  }
  for (const { name, value, source, about } of settings) {
    out(`${name.padEnd(20)} ${(value === '' ? '-' : value).padEnd(24)} ${source.padEnd(12)} ${about}\n`);
  }
  return EXIT.ok;
}
