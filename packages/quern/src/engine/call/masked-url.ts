const MASK = '***';
/** Times that a value is decoded and read again as a URL. */
const MAX_DEPTH = 3;

/** A user with a password before a host, with the slashes that browsers allow. */
const USER = /^([a-z][a-z\d+.-]*:)?([/\\]*)[^/\\?#]*@/i;
/** A parameter of a path, a query or a fragment: its mark, its name, and its value if it has one; in a path `?` ends it. */
const PARAMETER = /([?&#;])([^=&#;?/]*)(?:=((?<=;[^=&#;?/]*=)[^&#;?]*|[^&#;]*))?/g;

/** Names of parameters whose values may be secrets, in small letters and with `_` between the words of camel case. */
const SECRET_NAME = new RegExp(
  [
    'token|secret|passw|passphrase|pwd|credential|signature|session|jwt|bearer|hmac',
    '(?:^|[^a-z])(?:key|auth|authorization|sig|sign|sid|pass|otp|nonce|ticket|assertion)(?:$|[^a-z])',
    '(?:api|access|app|auth|client|license|private|secret|subscription|user)key$',
    'sessid$|^(?:code|state|hash|cfid)$',
  ].join('|'),
);

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
/** Letters and digits in a row from which on they are no word and no number. */
const MIN_TOKEN_CHARS = 16;

/** Masks what may be secret in a URL: a user with a password, and values of parameters by their name or their look. */
export function maskSecrets(url: string): string {
  return maskTo(url, MAX_DEPTH);
}

function maskTo(url: string, depth: number): string {
  return url
    .replace(USER, (_, scheme: string | undefined, slashes: string) => `${scheme ?? ''}${slashes}${MASK}@`)
    .replaceAll(PARAMETER, (whole, mark: string, name: string, value: string | undefined) => {
      if (value === undefined) return isSecretValue(decode(name), depth) ? mark + MASK : whole;
      if (value === '') return whole;
      return isSecretName(decode(name)) || isSecretValue(decode(value), depth) ? `${mark}${name}=${MASK}` : whole;
    });
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase());
}

/** Whether a value looks like a token, or is a URL or a query that holds a secret. */
function isSecretValue(value: string, depth: number): boolean {
  if (looksRandom(value)) return true;
  if (!/[=@]/.test(value)) return false;
  return depth === 0 || maskTo(`?${value}`, depth - 1) !== `?${value}` || maskTo(value, depth - 1) !== value;
}

function looksRandom(value: string): boolean {
  const runs = value.split(/[^a-z\d]+/i);
  return UUID.test(value) || runs.some((run) => run.length >= MIN_TOKEN_CHARS && /\d/.test(run) && /[a-z]/i.test(run));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
