import type { Browser as Driven, BrowserContext, BrowserContextOptions } from 'patchright-core';
import type { Browser } from '#access/browser/launch.ts';
import { Bridge } from './bridge.ts';
import type { Gate } from './guarded-page.ts';
import { NUMBERED, NUMBERED_ENGINE } from './snapshot.ts';

/** Makes contexts in one browser, each behind a gate of its own. */
export type Driver = {
  readonly open: (gate: Gate, options: BrowserContextOptions) => Promise<BrowserContext>;
};

const CONNECT_MS = 30_000;

/** Connects patchright to a browser over the pipe that we hold; it is loaded when it is first needed. */
export async function connect({ devtools }: Browser): Promise<Driver> {
  const { chromium, selectors } = await import('patchright-core');
  await selectors.register(NUMBERED, NUMBERED_ENGINE, { contentScript: true }).catch(unlessRegistered);
  const bridge = new Bridge(devtools);
  const driven: Driven = await chromium.connectOverCDP(bridge.transport, { timeout: CONNECT_MS });
  let last: Promise<unknown> = Promise.resolve();
  return {
    async open(gate, options) {
      // One after the other, so that each context meets its own gate.
      const opened = last.then(async () => {
        bridge.expect(gate);
        return driven.newContext(options);
      });
      last = opened.catch(() => undefined);
      return opened;
    },
  };
}

/** Selector engines are shared by all browsers of the process. */
function unlessRegistered(error: unknown): void {
  if (!(error instanceof Error) || !error.message.includes('already')) throw error;
}
