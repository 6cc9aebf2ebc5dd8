import { pino } from 'pino';
import type { Logger } from 'pino';
import type { Config } from '#kernel/config.ts';
import type { StoreNotices } from './store.ts';

/** The log of a service on standard error; `flush` writes the buffered lines. */
export function openLog({ QUERN_LOG_LEVEL: level }: Config) {
  // Lines are buffered, since a write costs more than a line.
  const lines = pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 1000 });
  return { log: pino({ level }, lines), flush: () => lines.flushSync() };
}

/** Writes the notices of a store to a log. */
export function noticesToLog(log: Logger): StoreNotices {
  return {
    note: (line) => log.warn(line),
    onSlow: (what, ms) =>
      log.debug({ event: 'slow_statement', statement: what, duration_ms: ms }, 'the store was slow'),
    report: (error) => log.warn({ err: error }, 'a connection of the store broke'),
  };
}
