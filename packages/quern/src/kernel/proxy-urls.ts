/** A proxy of the setting, with placeholders for session and country. */
export type ProxyTemplate = {
  readonly protocol: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  /** Decoded; empty for none. */
  readonly username: string;
  readonly password: string;
  /** Whether it has `{session}`, so that a new session gets another exit address. */
  readonly hasSession: boolean;
  readonly hasCountry: boolean;
  /** The country for requests that specify none (`{country=de}`); null if there is no default. */
  readonly defaultCountry: string | null;
  /** Whether the proxy resolves host names itself, instead of getting the addresses that the guard has checked. */
  readonly resolvesNames: boolean;
};

/** A proxy with its placeholders filled in. */
export type Proxy = Pick<ProxyTemplate, 'protocol' | 'host' | 'port' | 'username' | 'password' | 'resolvesNames'>;

const DEFAULT_PORTS: Readonly<Record<ProxyTemplate['protocol'], number>> = { http: 80, https: 443, socks5: 1080 };
const MAX_PROXIES = 1_000;
/** RFC 1929 limits user and password to 255 bytes each; the placeholders need some of them. */
const MAX_PART_CHARS = 200;
const PLACEHOLDER = /\{(?:session|country(?:=([a-z]{2}))?)\}/g;

/**
 * Parses a comma-separated list of `http://`, `https://` or `socks5://` URLs with or without `user:password@`, where `{session}`,
 * `{country}` and `{country=de}` (`de` is the default) may occur in user, password and host, followed by an optional
 * `?resolve=proxy`. Returns an error message that begins with `must` and quotes no secret if the text is invalid.
 */
export function parseProxies(text: string): readonly ProxyTemplate[] | string {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length > MAX_PROXIES) return `must have at most ${MAX_PROXIES} proxies`;
  const proxies: ProxyTemplate[] = [];
  for (const [at, entry] of entries.entries()) {
    const proxy = parseProxy(entry);
    if (typeof proxy === 'string') return `${proxy} (proxy ${at + 1} of ${entries.length})`;
    proxies.push(proxy);
  }
  if (proxies.length > 0 && proxies.every((proxy) => proxy.hasCountry && proxy.defaultCountry === null)) {
    return 'must have a default country: {country=de} instead of {country}';
  }
  return proxies;
}

/** The proxy for one session and country (lower case); null if it needs a country and none is known. */
export function fillTemplate(
  template: ProxyTemplate,
  { session, country }: { readonly session: string; readonly country: string | null },
): Proxy | null {
  const place = country ?? template.defaultCountry;
  if (template.hasCountry && place === null) return null;
  const fill = (text: string): string =>
    text.replaceAll(PLACEHOLDER, (mark) => (mark === '{session}' ? session : (place ?? '')));
  const { protocol, port, resolvesNames } = template;
  return {
    protocol,
    host: fill(template.host),
    port,
    username: fill(template.username),
    password: fill(template.password),
    resolvesNames,
  };
}

/** A proxy as text without its credentials. */
export function formatProxy({ protocol, host, port }: ProxyTemplate | Proxy): string {
  return `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function parseProxy(entry: string): ProxyTemplate | string {
  const scheme = /^(http|https|socks5):\/\//.exec(entry)?.[1];
  const protocol = scheme === 'http' || scheme === 'https' || scheme === 'socks5' ? scheme : null;
  const url = URL.parse(entry);
  if (protocol === null || url === null) {
    return 'must be URLs such as http://user:password@proxy.example:8080: http, https or socks5, special characters percent-encoded';
  }
  const { pathname, search, hash } = url;
  if (!/^\/?$/.test(pathname) || hash !== '' || !/^(?:|\?resolve=proxy)$/.test(search)) {
    return 'must be URLs without a path and without options except ?resolve=proxy';
  }
  const host = parseHost(url.hostname);
  const username = decodePart(url.username);
  const password = decodePart(url.password);
  if (host === null || username === null || password === null || url.port === '0') {
    return 'must be URLs with a valid host, port, user and password, special characters percent-encoded';
  }
  const marks = [host, username, password].flatMap((part) => [...part.matchAll(PLACEHOLDER)]);
  const rest = [host, username, password].map((part) => part.replaceAll(PLACEHOLDER, '')).join('');
  if (/[{}]/.test(rest)) return 'must have no placeholders except {session}, {country} and {country=de}';
  if (username.includes(':')) return 'must have no colon in a user';
  const countries = marks.filter(([mark]) => mark !== '{session}');
  return {
    protocol,
    host,
    port: url.port === '' ? DEFAULT_PORTS[protocol] : Number(url.port),
    username,
    password,
    hasSession: countries.length < marks.length,
    hasCountry: countries.length > 0,
    defaultCountry: countries.find((mark) => mark[1] !== undefined)?.[1] ?? null,
    resolvesNames: search !== '',
  };
}

/** The host as an `http:` URL normalizes it, without brackets; a `socks5:` URL does not normalize hosts. */
function parseHost(hostname: string): string | null {
  const shown = hostname.replaceAll(PLACEHOLDER, 'x');
  const url = URL.parse(`http://${shown}/`);
  if (shown === '' || url === null || url.hostname === '') return null;
  if (shown !== hostname) return hostname.toLowerCase();
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** The percent-decoded text; null if it is badly encoded, too long, or has control characters. */
function decodePart(part: string): string | null {
  try {
    const text = decodeURIComponent(part);
    return text.length > MAX_PART_CHARS || /\p{Cc}/u.test(text) ? null : text;
  } catch {
    return null;
  }
}
