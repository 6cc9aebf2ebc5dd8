import { openSync, writeSync } from 'node:fs';
import { ServiceError } from '#kernel/errors.ts';
import type { Terminal } from './parts.ts';
import { GENERAL_OPTIONS, isGiven, flagText } from './spec.ts';
import type { CommandSpec, Given } from './spec.ts';

/** The terminal of one command, by `--out` and `--quiet`; a command that has such a flag itself does the work itself. */
export function toTerminalOf(spec: CommandSpec, given: Given, terminal: Terminal): Terminal {
  const file = hasOwn(spec, 'out') ? undefined : flagText(given, 'out');
  const isQuiet = !hasOwn(spec, 'quiet') && isGiven(given, 'quiet');
  const quiet: Terminal = isQuiet ? { ...terminal, note: ignore, live: ignore } : terminal;
  return file === undefined || file === '-' ? quiet : { ...quiet, ...openFile(file) };
}

function hasOwn({ options }: CommandSpec, name: string): boolean {
  return GENERAL_OPTIONS.some(({ flag }) => flag === name) && options.some(({ flag }) => flag === name);
}

/** Writes to a file from the first byte on, so that a command that fails before leaves an earlier file as it was. */
function openFile(file: string): Pick<Terminal, 'out' | 'isRead' | 'display'> {
  let opened: number | null = null;
  return {
    display: null,
    isRead: () => true,
    out(text) {
      try {
        opened ??= openSync(file, 'w');
        const bytes = typeof text === 'string' ? Buffer.from(text) : text;
        for (let at = 0; at < bytes.length;) at += writeSync(opened, bytes, at);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new ServiceError('invalid_request', `--out: ${file} cannot be written: ${why}`, { cause: error });
      }
    },
  };
}

function ignore(): void {}
