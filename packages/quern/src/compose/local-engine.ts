import type { Operation } from '#engine/call/operation.ts';
import { LOCAL_TENANT } from '#engine/credits/tenants.ts';
import type { ArtifactStorage } from '#kernel/artifacts-url.ts';
import type { Config, SettingSummary } from '#kernel/config.ts';
import { ignoreEvents } from '#kernel/events.ts';
import { newId } from '#kernel/ids.ts';
import { isServeRunning, lockCommand } from '#store/locks.ts';
import type { Terminal } from '#transports/cli/context.ts';
import { findConfiguredBrowsers } from './browsers.ts';
import { type Engine, openEngine } from './engine.ts';
import { openStore, toStorePlace, type StoreNotices } from './store.ts';

type LocalEngineParts = {
  readonly artifacts: ArtifactStorage;
  readonly shown: readonly SettingSummary[];
  readonly terminal: Terminal;
};

/** The engine inside a command, on the data of this machine. */
export type LocalEngine = Awaited<ReturnType<typeof openLocalEngine>>;

/** The prefix of the process ids of commands, which distinguishes them from services, which also run jobs. */
const COMMAND = 'cli';

/** Opens the store and an engine on it for the tenant `local`, whether or not a service runs on the same store. */
export async function openLocalEngine(config: Config, { artifacts, shown, terminal }: LocalEngineParts) {
  const store = await openStore({ config, artifacts }, writeNoticesTo(terminal));
  const isEmbedded = toStorePlace(config).kind === 'sqlite';
  // The command with the lock has a fixed id, so that the next one at once releases what a killed one left.
  const lock = isEmbedded ? lockCommand(config.QUERN_DATA_DIR) : null;
  const processId = lock === null ? newId(COMMAND, store.storeClock.now()) : COMMAND;
  const engine = await openEngine(config, store, {
    processId,
    artifacts,
    settings: shown,
    findBrowsers: () => findConfiguredBrowsers(config),
    own: () => [],
    observe: ignoreEvents,
    report: (message, facts) => terminal.note(`quern: ${message}: ${JSON.stringify(facts)}`),
    reportText(message, facts) {
      if (config.QUERN_LOG_LEVEL === 'debug') terminal.note(`quern: ${message}: ${JSON.stringify(facts)}`);
    },
  });
  let worker: ReturnType<Engine['work']> | null = null;
  let ensured: Promise<void> | null = null;
  return {
    async ask(operation: Operation, raw: unknown, signal: AbortSignal) {
      // An operator's command does not create the tenant `local`.
      if (operation.audience !== 'operator') await (ensured ??= store.registry.tenants.ensureLocal());
      const { body, stream } = await engine.perform(operation, raw, {
        // Whoever can read the data folder has the rights of an operator.
        caller: { tenant: LOCAL_TENANT, keyId: LOCAL_TENANT, plan: store.plans.unlimited, isOperator: true },
        requestId: newId('req', store.storeClock.now()),
        signal,
        idempotencyKey: null,
        lastEventId: null,
        lease: null,
      });
      return { body, stream: stream?.pieces ?? null };
    },
    /** Runs queued jobs in this process too, since there may be no service that does. */
    async work(): Promise<void> {
      if (worker !== null) return;
      if (lock !== null) await engine.recover(processId);
      worker = engine.work(processId, Math.max(1, config.QUERN_JOB_SLOTS));
    },
    /** Whether another process, a service or a worker, runs queued jobs. */
    async isServed(): Promise<boolean> {
      if (isEmbedded) return isServeRunning(config.QUERN_DATA_DIR);
      return (await engine.processes.listLive()).some((id) => !id.startsWith(COMMAND));
    },
    async close(): Promise<void> {
      await worker?.drain();
      await engine.close();
      await store.db.close();
      lock?.release();
    },
  };
}

/** Writes the notices of a store to the terminal. */
export function writeNoticesTo(terminal: Terminal): StoreNotices {
  const note = (line: string): void => terminal.note(`quern: ${line}`);
  return {
    note,
    onSlow: () => undefined,
    report: (error) =>
      note(`a connection of the store broke: ${error instanceof Error ? error.message : String(error)}`),
  };
}
