import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Operation } from '#engine/call/operation.ts';
import type { NamedFile } from './render.ts';
import type { OperationReply } from './tool.ts';

/** Maximum number and size of images in one answer; others are sent as links. */
const MAX_PICTURES = 2;
const MAX_PICTURE_BYTES = 1.5 * 2 ** 20;
/** Maximum size of a file that is read as a resource. */
const MAX_FILE_BYTES = 16 * 2 ** 20;

const FILE_URI_PREFIX = 'quern://files/';

/** URI template of file resources. */
export const FILE_TEMPLATE = `${FILE_URI_PREFIX}{id}`;

/** Builds the resource URI of a file. */
export function buildFileUri(id: string): string {
  return FILE_URI_PREFIX + id;
}

/** Parses the file id from a resource URI; null for any other URI. */
export function parseFileUri(uri: string): string | null {
  return uri.startsWith(FILE_URI_PREFIX) ? uri.slice(FILE_URI_PREFIX.length) : null;
}

/** Images as base64, by file id. */
export type Pictures = ReadonlyMap<string, string>;

type CallOperation = (operation: Operation, raw: unknown) => Promise<OperationReply>;

/** Reads the first images of an answer that are small enough to be sent in it. */
export async function readPictures(
  files: readonly NamedFile[],
  operation: Operation | undefined,
  ask: CallOperation,
): Promise<Pictures> {
  if (operation === undefined) return new Map();
  const small = files.filter(({ type, bytes }) => type.startsWith('image/') && bytes <= MAX_PICTURE_BYTES);
  const pictures = new Map<string, string>();
  for (const { id } of small.slice(0, MAX_PICTURES)) pictures.set(id, await readFile(id, operation, ask));
  return pictures;
}

/** Reads a file as base64. */
export async function readFile(id: string, operation: Operation, ask: CallOperation): Promise<string> {
  const { stream } = await ask(operation, { id });
  if (stream === null) throw new McpError(ErrorCode.InternalError, 'the file is not a stream');
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    const chunk = Buffer.from(piece);
    bytes += chunk.length;
    if (bytes > MAX_FILE_BYTES) {
      throw new McpError(
        ErrorCode.InvalidParams,
        `files larger than ${MAX_FILE_BYTES / 2 ** 20} MiB cannot be read as a resource`,
      );
    }
    pieces.push(chunk);
  }
  return Buffer.concat(pieces).toString('base64');
}
