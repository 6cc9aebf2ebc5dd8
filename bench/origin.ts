import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const HOSTILE_BYTES = 24 * 1024 * 1024;

/** Unclosed formatting elements around tables: at each one the tree builder must reopen the open elements. */
const HOSTILE = '<b><i><p>grain<table><a href=x><td>';

const article = readFileSync(join(import.meta.dirname, '../demo/pages/article-45k.html'));
const hostile = Buffer.from(`<!doctype html>${HOSTILE.repeat(Math.floor(HOSTILE_BYTES / HOSTILE.length))}`);

const server = createServer((request, response) => {
  const body = request.url === '/hostile' ? hostile : article;
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length });
  response.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
