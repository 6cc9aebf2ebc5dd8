import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { type ArtifactStorage, parseArtifactsUrl } from '#kernel/artifacts-url.ts';

const NAME = 'quern-results';
/** The only key pair that the server accepts. */
const KEY = 'S3RVER';

/** A running S3-compatible store with one empty bucket. */
export type Bucket = {
  /** The URL with credentials; `prefix` begins with a slash or is empty. */
  readonly url: (prefix: string) => string;
  readonly place: (prefix: string) => ArtifactStorage;
  /** The keys in the bucket with this prefix. */
  readonly keys: (prefix: string) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

/** Starts an S3-compatible store on a free port of loopback. */
export async function openBucket(): Promise<Bucket> {
  const directory = await mkdtemp(join(tmpdir(), 'quern-bucket-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    // It signs the path of a bucket without the slash that clients send; unknown keys are still refused.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: NAME, configs: [] }],
  });
  const { port } = await server.run();
  const toUrl = (prefix: string): string => `s3://${KEY}:${KEY}@${NAME}${prefix}?endpoint=http://127.0.0.1:${port}`;
  return {
    url: toUrl,
    place: (prefix) => parseStorageUrl(toUrl(prefix)),
    async keys(prefix) {
      const files = await readdir(join(directory, NAME), { recursive: true });
      // Each object is a file next to its metadata files.
      const keys = files.filter((file) => file.endsWith('._S3rver_object')).map((file) => file.slice(0, -15));
      return keys.filter((key) => key.startsWith(prefix)).toSorted();
    },
    async close() {
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The location that a URL with credentials specifies. */
export function parseStorageUrl(url: string): ArtifactStorage {
  const read = parseArtifactsUrl(url);
  if (typeof read === 'string' || read.kind !== 's3' || read.credentials === null) throw new Error('not such a URL');
  return { ...read, credentials: read.credentials };
}
