import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { createLazy } from '#kernel/lazy.ts';
import type { RequestAndReply } from '#transports/http/exchange.ts';
import { createUnknownRouteError } from '#transports/http/unknown-routes.ts';
import { type ConsoleFile, readConsole } from './files.ts';

/**
 * Permits only scripts, styles and connections of this service, and images and frames that the page creates from
 * responses. Trusted Types prevent scripts from turning text into markup.
 */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob: data:",
  'frame-src blob:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': CONTENT_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cache-control': 'no-cache',
} as const;

/** The content of a URL with a version never changes. */
const FILE_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
  vary: 'accept-encoding',
} as const;

/** Compression does not pay below this size. */
const MIN_COMPRESSED_BYTES = 512;

const ENCODERS = {
  br: async (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  gzip: async (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
} as const;

type Encoding = keyof typeof ENCODERS;

/** Adds the page of the console at `/` and its files below `/console/`. They are built at the first request. */
export function addConsole(server: FastifyInstance, folder: string): void {
  const read = createLazy(() => readConsole(folder));
  const encode = createEncodingCache();

  server.get('/', async (request, reply) => {
    const { page, version } = read();
    const tag = `"${version}"`;
    reply.headers({ ...PAGE_HEADERS, etag: tag });
    if (request.headers['if-none-match'] === tag) return reply.status(304).send();
    return reply.type('text/html; charset=utf-8').send(page);
  });

  server.get('/console/*', async (request, reply) => {
    const { version, files } = read();
    const prefix = `/console/${version}/`;
    const path = request.url.split('?', 1)[0] ?? '';
    const file = path.startsWith(prefix) ? files.get(path.slice(prefix.length)) : undefined;
    if (file === undefined) throw createUnknownRouteError();
    return sendFile({ request, reply }, file, encode);
  });
}

async function sendFile({ request, reply }: RequestAndReply, file: ConsoleFile, encode: Encode): Promise<FastifyReply> {
  const encoding = file.bytes.length < MIN_COMPRESSED_BYTES ? null : chooseEncoding(request.headers['accept-encoding']);
  reply.headers(FILE_HEADERS).type(file.type);
  if (encoding === null) return reply.send(file.bytes);
  return reply.header('content-encoding', encoding).send(await encode(file, encoding));
}

/** Chooses the best encoding that the browser accepts; null for none. */
function chooseEncoding(accepted: string | undefined): Encoding | null {
  const names = (accepted ?? '')
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim());
  if (names.includes('br')) return 'br';
  return names.includes('gzip') ? 'gzip' : null;
}

type Encode = (file: ConsoleFile, encoding: Encoding) => Promise<Buffer>;

/** Creates a cache that compresses each file once, at the best compression level. */
function createEncodingCache(): Encode {
  const made = new Map<string, WeakMap<ConsoleFile, Promise<Buffer>>>();
  return async (file, encoding) => {
    const bodies = made.get(encoding) ?? new WeakMap<ConsoleFile, Promise<Buffer>>();
    made.set(encoding, bodies);
    const compressed = bodies.get(file) ?? ENCODERS[encoding](file.bytes);
    bodies.set(file, compressed);
    return compressed;
  };
}
