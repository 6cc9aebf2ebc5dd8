import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Opening } from '#store/open.ts';

/** How a bench opens a store: what goes wrong is said, and backups before a migration go to the folder. */
export function toOpening(dataDir: string): Opening {
  return {
    report: console.error,
    clock: SYSTEM_CLOCK,
    backups: {
      dataDir,
      secret: () => ({ bytes: new Uint8Array(32), carried: false }),
      openObjects: async () => null,
      now: Date.now,
      note: console.error,
    },
  };
}
