import type { Operation } from '#engine/call/operation.ts';
import type { ArtifactsPlace } from '#kernel/artifacts-url.ts';
import type { Config, ShownSetting } from '#kernel/config.ts';
import type { Remote } from '#kernel/login.ts';
import type { Terminal } from '#transports/cli/parts.ts';
import type { Local } from './local.ts';

export type AskingParts = {
  readonly config: Config;
  readonly artifacts: ArtifactsPlace;
  readonly shown: readonly ShownSetting[];
  /** The server to ask instead of the store, null for none. */
  readonly remote: Remote | null;
  readonly terminal: Terminal;
  /** Makes a signal that fires when the user interrupts. */
  readonly interruption: () => AbortSignal;
};

/** The way of commands to the service. */
export type Asking = ReturnType<typeof openAsking>;

/** How the command line asks: the store, opened at the first question, or a server. */
export function openAsking({ config, artifacts, shown, remote, terminal, interruption }: AskingParts) {
  let interrupted: AbortSignal | null = null;
  let opened: Promise<Local> | null = null;
  function toSignal(): AbortSignal {
    interrupted ??= interruption();
    return interrupted;
  }
  async function openHere(): Promise<Local> {
    // A command that asks a server does without all that answers.
    const { openLocally } = await import('./local.ts');
    return openLocally(config, { artifacts, shown, terminal });
  }
  async function local() {
    opened ??= openHere();
    return opened;
  }
  return {
    /** `gone` fires when the one that asks has given up this question alone. */
    async ask(operation: Operation, raw: unknown, gone?: AbortSignal) {
      const signal = gone === undefined ? toSignal() : AbortSignal.any([toSignal(), gone]);
      if (remote !== null) return (await import('#transports/cli/remote.ts')).askRemote(remote, operation, raw, signal);
      if (operation.audience === 'operator') {
        const { demandData } = await import('./own-store.ts');
        await demandData(config, 'there are no tenants and no keys');
      }
      return (await local()).ask(operation, raw, signal);
    },
    async work(): Promise<void> {
      if (remote === null) await (await local()).work();
    },
    isServed: async (): Promise<boolean> => remote !== null || (await local()).isServed(),
    interrupted: toSignal,
    async close(): Promise<void> {
      await (await opened)?.close();
    },
  };
}
