import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { ArtifactStorage } from '#kernel/artifacts-url.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { LoadedConfig } from '#kernel/config.ts';
import { createFolder } from '#kernel/data-dir.ts';
import { OperatorError } from '#kernel/errors.ts';
import { OBJECT_LIMITS, openObjectStore } from '#store/objects.ts';

/** Describes the store of large results, without credentials. */
export function describeArtifacts(place: ArtifactStorage): string {
  if (place.kind === 'rows') return 'the database';
  if (place.kind === 'folder') return `folder ${place.folder}`;
  return `bucket ${place.bucket} at ${place.endpoint ?? `Amazon in ${place.region ?? 'no region'}`}`;
}

/** Writes, reads and deletes an object in the store of large results. Throws `OperatorError` if that fails. */
export async function checkArtifacts({ config, artifacts }: Pick<LoadedConfig, 'config' | 'artifacts'>): Promise<void> {
  try {
    if (artifacts.kind === 'folder') createFolder(resolve(artifacts.folder));
    const objects = await openObjectStore(artifacts, {
      sync: config.QUERN_SQLITE_SYNC,
      callMs: OBJECT_LIMITS.callMs,
      deleteAllMs: OBJECT_LIMITS.deleteAllMs,
      clock: SYSTEM_CLOCK,
    });
    const key = `check/${randomUUID()}.txt`;
    await objects?.put(key, Buffer.from('quern'));
    await objects?.read(key, 5);
    await objects?.delete(key);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`QUERN_ARTIFACTS_URL: ${describeArtifacts(artifacts)} cannot be used (${why})`, {
      cause: error,
    });
  }
}
