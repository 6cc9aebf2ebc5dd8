import type { Readable } from 'node:stream';
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Disk } from 'flydrive';
import { S3Driver } from 'flydrive/drivers/s3';
import type { OpenedBucket } from '#kernel/artifacts-url.ts';

const CONNECT_TIMEOUT_MS = 3000;
const REQUEST_TIMEOUT_MS = 20_000;
const MAX_ATTEMPTS = 3;
const MAX_CONNECTIONS = 50;

/** The region for servers without regions: every request is signed for a region. */
const DEFAULT_REGION = 'us-east-1';

/** Opens a disk for a bucket of an S3-compatible server; sends no request yet. */
export function openBucket(place: OpenedBucket): Disk {
  return new Disk(
    new S3Driver({
      bucket: place.bucket,
      visibility: 'private',
      // Most S3-compatible servers, and new buckets at Amazon, reject access control lists.
      supportsACL: false,
      ...buildClientOptions(place),
    }),
  );
}

/** Writes an object of unknown size in parts of 5 MiB; nothing of it stays if it fails. */
export async function uploadObject(
  place: OpenedBucket & { readonly key: string },
  body: Readable,
  signal: AbortSignal,
): Promise<void> {
  const client = new S3Client(buildClientOptions(place));
  const upload = new Upload({ client, params: { Bucket: place.bucket, Key: place.key, Body: body }, queueSize: 2 });
  const abort = (): void => void upload.abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await upload.done();
  } finally {
    signal.removeEventListener('abort', abort);
    client.destroy();
  }
}

function buildClientOptions({ endpoint, region, pathStyle, credentials }: OpenedBucket): S3ClientConfig {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  return {
    ...(endpoint === null ? {} : { endpoint }),
    region: region ?? DEFAULT_REGION,
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) },
    maxAttempts: MAX_ATTEMPTS,
    // Only Amazon accepts checksums in trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpsAgent: { maxSockets: MAX_CONNECTIONS, keepAlive: true },
      httpAgent: { maxSockets: MAX_CONNECTIONS, keepAlive: true },
    },
  };
}
