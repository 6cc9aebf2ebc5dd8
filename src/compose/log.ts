import { pino } from 'pino';
import type { Logger } from 'pino';
import type { Config } from '#kernel/config.ts';
import type { Ears } from './store.ts';

/** The log of a service on standard error; `flush` writes what is still held back. */
export function openLog({ QUERN_LOG_LEVEL: level }: Config) {
  // Lines are written together: one write a line costs more than making it.
  const lines = pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 1000 });
  return { log: pino({ level }, lines), flush: () => lines.flushSync() };
}

/** Writes into a log what nobody waits for. */
export function earsOfLog(log: Logger): Ears {
  return {
    note: (line) => log.warn(line),
    report: (error) => log.warn({ err: error }, 'a connection of the store broke'),
  };
}
