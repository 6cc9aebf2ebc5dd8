import { pino } from 'pino';
import type { Config } from '#kernel/config.ts';

/** The log of a service on standard error; `flush` writes what is still held back. */
export function openLog({ QUERN_LOG_LEVEL: level }: Config) {
  // Lines are written together: one write a line costs more than making it.
  const lines = pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 1000 });
  return { log: pino({ level }, lines), flush: () => lines.flushSync() };
}
