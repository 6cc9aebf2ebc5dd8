import { Disk } from 'flydrive';
import { S3Driver } from 'flydrive/drivers/s3';
import type { Bucket, BucketCredentials } from '#kernel/artifacts-url.ts';

const CONNECT_TIMEOUT_MS = 3000;
const REQUEST_TIMEOUT_MS = 20_000;
const MAX_ATTEMPTS = 3;
const MAX_CONNECTIONS = 50;

/** The region for servers without regions: every request is signed for a region. */
const DEFAULT_REGION = 'us-east-1';

/** Opens a disk for a bucket of an S3-compatible server; sends no request yet. */
export function openBucket(place: Bucket & { readonly credentials: BucketCredentials }): Disk {
  const { bucket, endpoint, region, pathStyle, credentials } = place;
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  return new Disk(
    new S3Driver({
      bucket,
      visibility: 'private',
      // Most S3-compatible servers, and new buckets at Amazon, reject access control lists.
      supportsACL: false,
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
    }),
  );
}
