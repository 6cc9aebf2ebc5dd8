import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { text } from 'node:stream/consumers';
import { openService, type Service, withoutSettings } from '#demo/service.ts';

export const ROOT = join(import.meta.dirname, '../..');
const COMMAND_MS = 60_000;

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

/** An empty folder that goes away with the test. */
export function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'quern-start-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A running service that stops with the test. */
export async function serve(
  t: TestContext,
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const service = await openService({ dataDir, settings });
  t.after(() => service.close());
  return service;
}

/** Runs `quern` to its end, with the settings given and no others. */
export async function quern(
  args: readonly string[],
  { cwd, settings = {} }: { readonly cwd: string; readonly settings?: Readonly<Record<string, string>> },
): Promise<Ended> {
  return runToEnd(process.execPath, [join(ROOT, 'bin/quern.mjs'), ...args], { cwd, settings });
}

/** Runs any command to its end. */
export async function runToEnd(
  command: string,
  args: readonly string[],
  { cwd, settings }: { readonly cwd: string; readonly settings: Readonly<Record<string, string>> },
): Promise<Ended> {
  const child = spawn(command, args, {
    cwd,
    env: { ...withoutSettings(process.env), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: COMMAND_MS,
  });
  const exited = Promise.withResolvers<number | null>();
  child.once('exit', exited.resolve);
  child.once('error', exited.reject);
  const [code, out, err] = await Promise.all([exited.promise, text(child.stdout), text(child.stderr)]);
  return { code, out, err };
}

/** Asks the service with a key; answers the status and the body. */
export async function ask(
  service: Pick<Service, 'origin'>,
  path: string,
  { key, body }: { readonly key: string; readonly body?: unknown },
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${service.origin}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(COMMAND_MS),
  });
  return { status: response.status, body: await response.json() };
}
