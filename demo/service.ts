import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const START_MS = 30_000;
const STOP_MS = 10_000;

export type Service = {
  /** `http://127.0.0.1:7700`, without a slash at the end. */
  readonly origin: string;
  readonly pid: number;
  /** From the start of the process to the first 200 of `/readyz`, ms. */
  readonly readyMs: number;
  /** All that the service has printed so far. */
  readonly printed: () => string;
  /** Asks the service to drain and stop; answers its exit code, null when it had to be killed. */
  readonly close: () => Promise<number | null>;
};

/** Starts `quern serve` as a child and waits until it is ready; throws with what it printed when it ends before. */
export async function openService(options: {
  readonly dataDir: string;
  /** Settings; none is taken from the environment of this process. */
  readonly settings: Readonly<Record<string, string>>;
}): Promise<Service> {
  const started = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../bin/quern.mjs'), 'serve'], {
    // A `.env` of the developer's folder is none of the child's business.
    cwd: options.dataDir,
    env: { ...withoutSettings(process.env), QUERN_PORT: '0', QUERN_DATA_DIR: options.dataDir, ...options.settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const ended = Promise.withResolvers<number | null>();
  child.once('exit', (code) => ended.resolve(code));
  child.once('error', ended.reject);
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      // Request logs go on for ever; what matters is said at the start.
      if (printed.length < 200_000) printed += text;
    });

  async function close(): Promise<number | null> {
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    const code = await ended.promise;
    clearTimeout(kill);
    return code;
  }

  while (performance.now() - started < START_MS) {
    if (child.exitCode !== null) throw new Error(`quern serve ended with code ${child.exitCode}:\n${printed}`);
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
    if (origin !== undefined && (await isReady(origin)))
      return { origin, pid: child.pid ?? 0, readyMs: performance.now() - started, printed: () => printed, close };
    await wait(5);
  }
  await close();
  throw new Error(`quern serve was not ready after ${START_MS} ms:\n${printed}`);
}

async function isReady(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(2_000) });
    await answer.body?.cancel();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** The environment without any setting of the service. */
export function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('QUERN_')));
}
