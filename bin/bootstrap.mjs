// Plain JavaScript for any Node from 20 up: installs what is missing, then hands over to the project's own Node.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = dirname(import.meta.dirname);

/** Runs `npm install` once for each state of the lock file; a stamp beside the packages remembers it. */
function installWhenNeeded() {
  const lock = join(root, 'package-lock.json');
  // An installed package has no lock file of its own and its dependencies are already there.
  if (!existsSync(lock)) return;
  const stamp = join(root, 'node_modules/.quern-lock');
  const hash = createHash('sha256').update(readFileSync(lock)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  process.stderr.write('quern: installing dependencies (once, about 20 seconds) ...\n');
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev', '--include=optional'];
  const done = spawnSync('npm', ['install', ...flags], { cwd: root, stdio: ['ignore', 2, 2] });
  if (done.status !== 0) {
    process.stderr.write('quern: npm install failed; the lines above say why\n');
    process.exit(done.status ?? 1);
  }
  writeFileSync(stamp, hash);
}

/** Replaces this process by the project's own Node, or by a child that gets its signals where that cannot be. */
export function handOver(args) {
  installWhenNeeded();
  const own = join(root, 'node_modules/.bin/node');
  const node = existsSync(own) ? own : process.execPath;
  const argv = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=2', ...args];
  if (typeof process.execve === 'function') process.execve(node, [node, ...argv], process.env);
  const child = spawn(node, argv, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = signal === null ? (code ?? 1) : 128 + constants.signals[signal];
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const args = process.argv.slice(2);
  if (args[0] === '--install') installWhenNeeded();
  else handOver(args);
}
