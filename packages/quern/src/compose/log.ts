import { type Logger, pino } from 'pino';
import type { Config } from '#kernel/config.ts';
import type { StoreNotices } from './store.ts';

/** A log, and how its buffered lines are written. */
export type OpenLog = { readonly log: Logger; readonly flush: () => void };

/** The members of a stream that a log uses. */
export type LogStream = {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
  readonly hasColors?: () => boolean;
};

/** The log of a service on standard error: lines for people on a screen, JSON elsewhere. */
export async function openLog(
  { QUERN_LOG_LEVEL: level }: Pick<Config, 'QUERN_LOG_LEVEL'>,
  stream: LogStream = process.stderr,
): Promise<OpenLog> {
  if (stream.isTTY === true) return { log: pino({ level }, await openPrettyStream(stream)), flush: () => undefined };
  // Lines are buffered, since a write costs more than a line.
  const lines = pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 1000 });
  return { log: pino({ level }, lines), flush: () => lines.flushSync() };
}

/** Control characters in a line of JSON, escaped or not. Text of a site must not move the cursor. */
const CONTROLS = /\\u00(?:[0189][\da-f]|7f)|[\u007F-\u009F]/gi;

async function openPrettyStream(stream: LogStream): Promise<{ readonly write: (line: string) => void }> {
  const { prettyFactory } = await import('pino-pretty');
  const toText = prettyFactory({
    colorize: stream.hasColors?.() === true,
    singleLine: true,
    ignore: 'pid,hostname,method,route,status,duration_ms',
    messageFormat: '{msg}{if method}{method} {route} {status} in {duration_ms} ms{end}',
    translateTime: 'SYS:HH:MM:ss.l',
  });
  return { write: (line) => void stream.write(toText(line.replaceAll(CONTROLS, '\uFFFD'))) };
}

/** Writes the notices of a store to a log. */
export function logNotices(log: Logger): StoreNotices {
  return {
    note: (line) => log.warn(line),
    onSlow: (what, ms) =>
      log.debug({ event: 'slow_statement', statement: what, duration_ms: ms }, 'the store was slow'),
    report: (error) => log.warn({ err: error }, 'a connection of the store broke'),
  };
}
