/** Where large results are stored: in database rows, in a folder, or in an S3-compatible bucket. */
export type ArtifactStorage =
  | { readonly kind: 'rows' }
  | { readonly kind: 'folder'; readonly folder: string }
  | ({ readonly kind: 's3'; readonly credentials: BucketCredentials } & Bucket);

/** A bucket and how to reach it. */
export type Bucket = {
  readonly bucket: string;
  /** Prefix of every key, without leading or trailing slashes; may be empty. */
  readonly prefix: string;
  /** URL of the S3-compatible server; null for Amazon S3 in `region`. */
  readonly endpoint: string | null;
  readonly region: string | null;
  /** Whether the bucket name goes into the URL path instead of the host name. */
  readonly pathStyle: boolean;
};

export type BucketCredentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
};

type BucketUrl = { readonly kind: 's3'; readonly credentials: BucketCredentials | null } & Bucket;

/** The parsed QUERN_ARTIFACTS_URL; `credentials` is null if the URL has none, then the AWS variables are used. */
export type ArtifactsUrl = { readonly kind: 'folder'; readonly folder: string } | BucketUrl;

const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const KEY_PREFIX = /^[\w-]+(?:\/[\w-]+)*$/;
const OPTION_NAMES = ['endpoint', 'region', 'path_style'];

/**
 * Parses `s3://bucket/prefix?endpoint=…&region=…&path_style=true`, with or without `key:secret@` before the bucket, or
 * `file:///folder`. Returns an error message that begins with `must` if the text is neither.
 */
export function parseArtifactsUrl(text: string): ArtifactsUrl | string {
  try {
    const url = new URL(text);
    if (url.protocol === 'file:') return parseFolderUrl(url);
    if (url.protocol === 's3:') return parseBucketUrl(url);
    return 'must be s3://bucket/prefix?endpoint=https://… or file:///folder';
  } catch {
    // Without the cause, because its message would quote the secret.
    return 'must be a valid URL: percent-encode special characters of the secret';
  }
}

/** A bucket with what is needed to open it. */
export type OpenedBucket = Bucket & { readonly credentials: BucketCredentials };

/** One object of a bucket. */
export type ObjectUrl = Bucket & { readonly key: string; readonly credentials: BucketCredentials | null };

const OBJECT_NAME = /^[\w.-]+$/;

/** Parses `s3://bucket/folder/name.csv` with the options and credentials of a bucket; returns a message that begins with `must` otherwise. */
export function parseObjectUrl(text: string): ObjectUrl | string {
  const url = URL.parse(text);
  if (url === null) return 'must be a valid URL: percent-encode special characters of the secret';
  const slash = url.pathname.lastIndexOf('/');
  const name = url.pathname.slice(slash + 1);
  if (!OBJECT_NAME.test(name)) return 'must end with the name of an object: s3://bucket/folder/pages.csv';
  url.pathname = url.pathname.slice(0, slash);
  const place = parseBucketUrl(url);
  if (typeof place === 'string') return place;
  return { ...place, key: place.prefix === '' ? name : `${place.prefix}/${name}` };
}

function parseFolderUrl({ host, pathname, search }: URL): ArtifactsUrl | string {
  if (host !== '' || search !== '' || pathname === '/') return 'must be a folder of this machine: file:///folder';
  return { kind: 'folder', folder: decodeURIComponent(pathname) };
}

function parseBucketUrl(url: URL): BucketUrl | string {
  const { host: bucket, searchParams: options, username, password } = url;
  const prefix = url.pathname.replaceAll(/^\/+|\/+$/g, '');
  if (!BUCKET_NAME.test(bucket)) return 'must contain a bucket name in lower case: s3://bucket';
  if (prefix !== '' && !KEY_PREFIX.test(prefix)) return 'must have a prefix of letters, digits, _, - and /';
  const unknown = [...options.keys()].find((name) => !OPTION_NAMES.includes(name) || options.getAll(name).length > 1);
  if (unknown !== undefined)
    return `must have no options except ${OPTION_NAMES.join(', ')}, each at most once, but has ${unknown}`;
  const endpoint = options.get('endpoint');
  if (endpoint !== null && !isEndpoint(endpoint)) return 'must have an endpoint such as https://s3.example:9000';
  const region = options.get('region');
  if (region === '') return 'must have a value for region, or omit it';
  const pathStyle = options.get('path_style');
  if (pathStyle !== null && pathStyle !== 'true' && pathStyle !== 'false') return 'must have path_style true or false';
  if ((username === '') !== (password === '')) return 'must have both parts of the credentials: s3://key:secret@bucket';
  return {
    kind: 's3',
    bucket,
    prefix,
    endpoint,
    region,
    // Most stores other than Amazon's have no host names for buckets.
    pathStyle: pathStyle === null ? endpoint !== null : pathStyle === 'true',
    credentials: username === '' ? null : decodeCredentials(username, password),
  };
}

function decodeCredentials(username: string, password: string): BucketCredentials {
  return {
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    sessionToken: null,
  };
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, href, username } = new URL(text);
  return /^https?:$/.test(protocol) && (href === `${origin}/` || text === origin) && username === '';
}
