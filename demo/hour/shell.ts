import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeSettings } from '#demo/service.ts';
import type { Walkthrough } from './walk.ts';

const STEP_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;
const PROGRAM = join(import.meta.dirname, '../../packages/quern/bin/quern.mjs');

/** Expected output and exit code (default 0) of a command. */
export type ExpectedOutput = { readonly shows: RegExp; readonly code?: number };

/** A shell of one user, in a folder that is empty at first. */
export type Shell = ReturnType<typeof createShell>;

type ShellSettings = Readonly<Record<string, string>>;

export function createShell(
  walk: Walkthrough,
  { folder, settings }: { readonly folder: string; readonly settings: ShellSettings },
) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const env: Record<string, string | undefined> = {
    ...removeSettings(process.env),
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, '.config'),
    NO_COLOR: '1',
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    npm_config_loglevel: 'error',
    ...settings,
  };
  const lasting: { readonly stop: () => Promise<void> }[] = [];

  /** Starts a shell command with standard error redirected to standard output, as on a terminal. */
  function start(command: string) {
    // A process group, so that child processes of npx are stopped too.
    const child = spawn('sh', ['-c', `exec 2>&1\n${command}`], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    const ended = Promise.withResolvers<number | null>();
    let isGone = false;
    child.once('exit', () => (isGone = true));
    child.once('close', ended.resolve);
    child.once('error', ended.reject);
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => (out += more));
    function signal(name: NodeJS.Signals): void {
      if (child.pid !== undefined && !isGone) process.kill(-child.pid, name);
    }
    return { child, ended: ended.promise, out: () => out, signal };
  }

  /** Waits until a command ends; kills it on abort or timeout. */
  async function untilEnd({ ended, signal }: ReturnType<typeof start>, ms: number): Promise<number | null> {
    const stop = (): void => signal('SIGKILL');
    const late = setTimeout(stop, ms);
    walk.signal.addEventListener('abort', stop, { once: true });
    try {
      return await ended;
    } finally {
      clearTimeout(late);
      walk.signal.removeEventListener('abort', stop);
    }
  }

  return {
    folder,
    /** Sets environment variables for the following commands. */
    set(more: ShellSettings): void {
      Object.assign(env, more);
    },
    /** Runs a command and returns its output. */
    type: async (title: string, command: string, { shows, code = 0 }: ExpectedOutput): Promise<string> =>
      walk.step(title, command, async () => {
        const started = start(command);
        const ended = await untilEnd(started, STEP_TIMEOUT_MS);
        const text = started.out();
        if (ended !== code) throw new Error(`ended with ${ended} instead of ${code}:\n${text}`);
        if (!shows.test(text)) throw new Error(`does not show ${shows}:\n${text}`);
        return text;
      }),
    /** Starts a long-running command; returns the capture groups of `says`. It is stopped by `close`. */
    async keep(title: string, command: string, says: RegExp) {
      const started = start(command);
      const stop = async (): Promise<void> => {
        started.signal('SIGTERM');
        await untilEnd(started, STOP_TIMEOUT_MS);
      };
      lasting.push({ stop });
      let found: readonly string[] = [];
      await walk.step(title, command, async () => {
        const isSaid = Promise.withResolvers<void>();
        const look = (): void => {
          const match = says.exec(started.out());
          if (match === null) return;
          found = match.slice(1);
          isSaid.resolve();
        };
        started.child.stdout.on('data', look);
        const late = AbortSignal.any([AbortSignal.timeout(STEP_TIMEOUT_MS), walk.signal]);
        late.addEventListener('abort', () => isSaid.resolve(), { once: true });
        await Promise.race([isSaid.promise, started.ended]);
        if (found.length === 0) throw new Error(`does not say ${says}:\n${started.out()}`);
        return started.out();
      });
      return { found, stop };
    },
    async close(): Promise<void> {
      for (const { stop } of lasting) await stop();
    },
  };
}

/** Makes `npx quern` work in a folder, as after `npm install quern`. */
export function linkQuern(folder: string): void {
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  symlinkSync(PROGRAM, join(folder, 'node_modules/.bin/quern'));
}
