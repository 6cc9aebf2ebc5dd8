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
  /** The server that commands use; null to use the store. */
  readonly remote: Remote | null;
  readonly terminal: Terminal;
  /** Creates a signal that fires when the user interrupts. */
  readonly interruption: () => AbortSignal;
};

/** How commands call the service. */
export type CommandCaller = ReturnType<typeof openAsker>;

/** Creates the calls of the command line: to the store, which is opened with the first call, or to a server. */
export function openAsker({ config, artifacts, shown, remote, terminal, interruption }: AskerParts) {
  let interrupted: AbortSignal | null = null;
  let opened: Promise<LocalEngine> | null = null;
  function toSignal(): AbortSignal {
    interrupted ??= interruption();
    return interrupted;
  }
  async function openHere(): Promise<LocalEngine> {
    // A command that uses a server does not load the engine.
    const { openLocalEngine } = await import('./local-engine.ts');
    return openLocalEngine(config, { artifacts, shown, terminal });
  }
  async function local() {
    opened ??= openHere();
    return opened;
  }
  return {
    /** `gone` fires if the caller abandons only this call. */
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
