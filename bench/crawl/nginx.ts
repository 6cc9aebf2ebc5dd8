import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import type { World } from './world.ts';

const START_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 20;

export type WorldServer = { readonly close: () => Promise<void> };

/**
 * Serves a synthetic site with nginx: one worker, precompressed files, slow pages at 30 KB per second. `folder` is for its
 * configuration and temporary files, `log` for its access log. Throws if nginx is not installed.
 */
export async function serveWorld(
  world: World,
  { folder, log }: { readonly folder: string; readonly log: string | null },
): Promise<WorldServer> {
  await assertPortFree(world.origin);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, buildConfiguration(world, { folder, log }));
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'close').catch((error: unknown) => {
    throw new Error('nginx does not start; on Debian: apt-get install nginx-light', { cause: error });
  });
  const signal = AbortSignal.timeout(START_TIMEOUT_MS);
  await Promise.race([
    waitUntilServed(`${world.origin}/robots.txt`, signal),
    ended.then(() => Promise.reject(new Error(`nginx ended at once`))),
  ]);
  return {
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Throws if the port is in use, because the other server would be crawled instead. */
async function assertPortFree(origin: string): Promise<void> {
  const { hostname, port } = new URL(origin);
  const server = createServer().listen(Number(port), hostname);
  await once(server, 'listening').catch((error: unknown) => {
    throw new Error(`${origin} is taken; --port takes another`, { cause: error });
  });
  server.close();
  await once(server, 'close');
}

async function waitUntilServed(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const answer = await request(url, { signal }).catch(() => null);
    await answer?.body.dump();
    if (answer?.statusCode === 200) return;
    await wait(POLL_INTERVAL_MS, null, { signal });
  }
}

function buildConfiguration(
  world: World,
  { folder, log }: { readonly folder: string; readonly log: string | null },
): string {
  const { hostname, port } = new URL(world.origin);
  // By default, workers of an nginx started by root run as another user, who has no access to temporary folders.
  const user = userInfo().uid === 0 ? 'user root;' : '';
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n  ');
  return `${user}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
worker_rlimit_nofile 15000;
events { worker_connections 8000; multi_accept on; }
http {
  log_format times '$msec $request_time $status $request_uri';
  access_log ${log === null ? 'off' : `${log} times`};
  sendfile on; tcp_nopush on; tcp_nodelay on; server_tokens off; reset_timedout_connection on;
  keepalive_timeout 65; keepalive_requests 1000000;
  gzip_static on; gzip_vary on;
  types { text/css css; application/javascript js; image/png png; font/woff2 woff2; application/json json;
    application/xml xml; text/plain txt; }
  default_type "text/html; charset=utf-8";
  map_hash_max_size 16384; map_hash_bucket_size 256;
  ${temporary}
  map $uri $moved { default ""; include ${world.folder}/redirects.map; }
  server {
    listen ${hostname}:${port} backlog=4096;
    root ${world.folder}/site; index index.html; error_page 404 /404.html;
    if ($moved) { return 301 $moved; }
    location /fails/ { return 500 "upstream failed"; }
    location /slow/ { gzip_static off; limit_rate 30k; }
    location /static/ { expires 1h; }
  }
}
`;
}
