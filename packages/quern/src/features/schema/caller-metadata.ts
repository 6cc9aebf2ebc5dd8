import { z } from 'zod';

const MAX_METADATA_BYTES = 4096;
const MAX_METADATA_DEPTH = 16;

/** A small JSON object of the caller that events repeat. */
export const CallerMetadata = z
  .record(z.string(), z.unknown())
  .refine(isSmallMetadata, `must be at most ${MAX_METADATA_BYTES} bytes of JSON, ${MAX_METADATA_DEPTH} levels deep`);

function isSmallMetadata(metadata: Readonly<Record<string, unknown>>): boolean {
  return isShallow(metadata, MAX_METADATA_DEPTH) && Buffer.byteLength(JSON.stringify(metadata)) <= MAX_METADATA_BYTES;
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}
