import type { Operation } from '#engine/call/operation.ts';
import type { ArtifactStorage } from '#kernel/artifacts-url.ts';
import type { Config, SettingSummary } from '#kernel/config.ts';
import type { Remote } from '#kernel/login.ts';
import type { Terminal } from '#transports/cli/context.ts';
import type { LocalEngine } from './local-engine.ts';

export type AskerParts = {
  readonly config: Config;
  readonly artifacts: ArtifactStorage;
  readonly shown: readonly SettingSummary[];
  /** The server to ask instead of the store, null for none. */
  readonly remote: Remote | null;
  readonly terminal: Terminal;
  /** Makes a signal that fires when the user interrupts. */
  readonly interruption: () => AbortSignal;
};

/** The way of commands to the service. */
export type Asker = ReturnType<typeof openAsker>;

/** How the command line asks: the store, opened at the first question, or a server. */
export function openAsker({ config, artifacts, shown, remote, terminal, interruption }: AskerParts) {
  let interrupted: AbortSignal | null = null;
  let opened: Promise<LocalEngine> | null = null;
  function toSignal(): AbortSignal {
    interrupted ??= interruption();
    return interrupted;
  }
  async function openHere(): Promise<LocalEngine> {
    // A command that asks a server does without all that answers.
    const { openLocalEngine } = await import('./local-engine.ts');
    return openLocalEngine(config, { artifacts, shown, terminal });
  }
  async function local() {
    opened ??= openHere();
    return opened;
  }
  return {
    /** `gone` fires when the one that asks has given up this question alone. */
    async ask(this: void, operation: Operation, raw: unknown, gone?: AbortSignal) {
      const signal = gone === undefined ? toSignal() : AbortSignal.any([toSignal(), gone]);
      if (remote !== null)
        return (await import('#transports/cli/remote.ts')).callServer(remote, operation, raw, signal);
      if (operation.audience === 'operator') {
        const { assertData } = await import('./local-data.ts');
        await assertData(config, 'there are no tenants and no keys');
      }
      return (await local()).ask(operation, raw, signal);
    },
    async work(this: void): Promise<void> {
      if (remote === null) await (await local()).work();
    },
    isServed: async (): Promise<boolean> => remote !== null || (await local()).isServed(),
    interrupted: toSignal,
    async close(): Promise<void> {
      await (await opened)?.close();
    },
  };
}
