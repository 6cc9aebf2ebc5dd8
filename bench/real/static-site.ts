import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { startListening, type ListeningServer } from '#demo/listen.ts';

/** Placeholder origin of built sites; it is replaced when serving, because the port is not known at build time. */
export const BUILT_ORIGIN = 'http://lab.example';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Serves a folder like a static host: `/a` is `a`, `a.html` or `a/index.html`, otherwise `404.html`. */
export async function serveFolder(folder: string): Promise<ListeningServer> {
  const server = createServer((asked, answer) => {
    const path = decodeURIComponent(new URL(asked.url ?? '/', BUILT_ORIGIN).pathname);
    const file = findFile(folder, path);
    const shown = file ?? join(folder, '404.html');
    const type = CONTENT_TYPES[extname(shown)] ?? 'application/octet-stream';
    answer.writeHead(file === null ? 404 : 200, { 'content-type': type });
    const bytes = existsSync(shown) ? readFileSync(shown) : Buffer.alloc(0);
    answer.end(
      /html|xml/.test(type) ? bytes.toString().replaceAll(BUILT_ORIGIN, getOrigin(asked.headers.host)) : bytes,
    );
  });
  return startListening(server, 0);
}

function findFile(folder: string, path: string): string | null {
  const found = [path, `${path}.html`, join(path, 'index.html')].map((one) => join(folder, one));
  return found.find((file) => file.startsWith(folder) && isFile(file)) ?? null;
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

function getOrigin(host: string | undefined): string {
  return host === undefined ? BUILT_ORIGIN : `http://${host}`;
}
