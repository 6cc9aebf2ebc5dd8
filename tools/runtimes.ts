import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { removeSettings } from '#demo/service.ts';

const COMMAND_MS = 300_000;
const system = `${process.platform}-${process.arch}`;

/** A JavaScript runtime: the npm package with its binary, the binary in it, and the arguments before a script. */
export type Runtime = {
  readonly name: string;
  /** Null for the Node that runs this program. */
  readonly install: string | null;
  readonly binary: string;
  readonly args: readonly string[];
};

export const NODE: Runtime = { name: 'Node', install: null, binary: process.execPath, args: [] };
/** The oldest Node that the published packages for libraries support. */
export const NODE_20: Runtime = { name: 'Node 20', install: `node-${system}@20`, binary: 'bin/node', args: [] };
export const DENO: Runtime = {
  name: 'Deno',
  install: `@deno/${system}${process.platform === 'linux' ? '-glibc' : ''}`,
  binary: 'deno',
  args: ['run', '--allow-net', '--allow-env', '--allow-read', '--node-modules-dir=manual', '--no-prompt', '--quiet'],
};
export const BUN: Runtime = {
  name: 'Bun',
  install: `@oven/bun-${system.replace('arm64', 'aarch64')}`,
  binary: 'bin/bun',
  args: ['run'],
};

export type CommandResult = { readonly status: number | null; readonly out: string };

/** Runs a command to its end, at most five minutes, with `home` as the home of the user. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, home, settings = {} }: { cwd: string; home: string; settings?: Readonly<Record<string, string>> },
): Promise<CommandResult> {
  const own = { ...settings, HOME: home, DENO_DIR: join(home, 'deno'), NO_COLOR: '1' };
  const child = spawn(command, args, {
    cwd,
    env: { ...removeSettings(process.env), ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: COMMAND_MS,
  });
  const ended = Promise.withResolvers<number | null>();
  child.once('close', ended.resolve);
  child.once('error', ended.reject);
  const [status, out, err] = await Promise.all([ended.promise, text(child.stdout), text(child.stderr)]);
  return { status, out: out + err };
}

/** Runs a command that must succeed. */
export async function assertCommand(
  command: string,
  args: readonly string[],
  place: { cwd: string; home: string },
): Promise<void> {
  const { status, out } = await runCommand(command, args, place);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${out}`);
}

/** The path of a runtime's binary, installed below `home` if needed. Null if npm has none for this machine. */
export async function installRuntime({ install, binary }: Runtime, home: string): Promise<string | null> {
  if (install === null) return binary;
  const folder = join(home, 'runtimes', install.replaceAll(/[^\w.-]/g, '_'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = await runCommand('npm', ['install', ...options, install], { cwd: folder, home });
  const program = join(folder, 'node_modules', install.replace(/(?<=.)@[^@/]*$/, ''), binary);
  return status === 0 && existsSync(program) ? program : null;
}
