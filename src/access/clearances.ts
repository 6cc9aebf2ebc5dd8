import type { Clock } from '#kernel/clock.ts';
import type { KeptCookie } from './cookies.ts';
import type { PageRequest } from './page.ts';

/**
 * What a host gave to a browser that ran its challenge. Cookies and the name that the browser gave itself count only
 * together, and only from the address at which they were earned.
 */
export type Clearance = {
  readonly cookies: readonly KeptCookie[];
  /** The headers by which the browser named itself, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};

type Kept = { readonly clearance: Clearance | null; readonly until: number };

/** The clearances of one tenant. */
export type Clearances = {
  /** What a visit without a browser may show; null for none. */
  readonly find: (request: PageRequest) => Clearance | null;
  /** Keeps what was earned, unless the host did not take the last one from a visit without a browser. */
  readonly keep: (request: PageRequest, clearance: Clearance) => void;
  /** Notes that the host did not take it. */
  readonly refuse: (request: PageRequest) => void;
};

const KEPT_MS = 30 * 60_000;
const MOST_HOSTS = 1_000;
const MOST_COOKIES = 50;
const MOST_CHARS = 8_192;

/** Whether a visit may earn and show one: what a caller sends by itself may have made the session another one. */
export function isAnonymous({ headers, cookies }: PageRequest): boolean {
  return cookies.length === 0 && Object.keys(headers).length === 0;
}

/** Keeps clearances for half an hour, each for one tenant, host and device; the last ones, up to a bound. */
export function buildClearances({ clock }: { readonly clock: Clock }) {
  const hosts = new Map<string, Kept>();

  return {
    of(tenant: string): Clearances {
      const keyOf = ({ url, browser }: PageRequest): string => `${tenant} ${url.host} ${browser?.device ?? 'desktop'}`;

      function known(request: PageRequest): Kept | null {
        const kept = hosts.get(keyOf(request));
        return kept !== undefined && clock.now() < kept.until ? kept : null;
      }
      function put(request: PageRequest, clearance: Clearance | null): void {
        const key = keyOf(request);
        hosts.delete(key);
        hosts.set(key, { clearance, until: clock.now() + KEPT_MS });
        const [oldest] = hosts.keys();
        if (hosts.size > MOST_HOSTS && oldest !== undefined) hosts.delete(oldest);
      }

      return {
        find: (request) => (isAnonymous(request) ? (known(request)?.clearance ?? null) : null),
        keep(request, clearance) {
          const wasRefused = known(request)?.clearance === null;
          if (!wasRefused && isAnonymous(request) && isSmall(clearance)) put(request, clearance);
        },
        refuse: (request) => put(request, null),
      };
    },
  };
}

/** What does not fit into the head of a request is not worth keeping, and a part of it is worth nothing. */
function isSmall({ cookies, headers }: Clearance): boolean {
  const texts = [...cookies.flatMap(({ name, value }) => [name, value]), ...Object.values(headers)];
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  return cookies.length > 0 && cookies.length <= MOST_COOKIES && chars <= MOST_CHARS;
}
