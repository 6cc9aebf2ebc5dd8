import type { FastifyInstance } from 'fastify';
import { ServiceError } from '#kernel/errors.ts';
import { readJson } from '#transports/json.ts';

/** Bytes that the body of one request may have. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** Makes JSON in UTF-8 the only body that is read; a byte order mark before it is ignored, as RFC 8259 allows. */
export function addBodyParser(server: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    (request, body, done) => {
      try {
        checkCharset(request.headers['content-type'] ?? '');
        done(null, body.length === 0 ? undefined : readJson(decode(utf8, body), 'body'));
      } catch (error) {
        done(error instanceof Error ? error : new Error('the body parser failed', { cause: error }));
      }
    },
  );
}

/** The error of a missing request body. */
export function emptyBody(): ServiceError {
  return new ServiceError('invalid_request', 'body: is empty; send a JSON object with Content-Type: application/json');
}

function checkCharset(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType)?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return;
  throw new ServiceError('unsupported_media_type', 'JSON is read in UTF-8 only');
}

function decode(utf8: TextDecoder, body: string | Buffer): string {
  if (typeof body === 'string') return body;
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new ServiceError('invalid_request', 'body: not valid UTF-8', { cause });
  }
}
