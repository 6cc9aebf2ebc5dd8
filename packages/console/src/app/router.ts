import { signal } from '@preact/signals';

/** The location within the console: the path in the URL fragment, and its query. */
export type ConsoleLocation = { readonly path: string; readonly query: Readonly<Record<string, string>> };

/** The properties of every view. */
export type ViewProps = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
};

/** The location in the address bar. Components that read this signal render again when it changes. */
export const currentLocation = signal<ConsoleLocation>({ path: '/', query: {} });

/** Starts to follow the address bar. */
export function startRouter(): void {
  addEventListener('hashchange', readHash);
  readHash();
}

function readHash(): void {
  currentLocation.value = parseLocation(location.hash);
}

/** Parses a URL fragment. Any text gives a location. */
export function parseLocation(hash: string): ConsoleLocation {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s);
  return {
    path: `/${path.replaceAll(/^\/+|\/+$/g, '')}`,
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** Builds the link to a location. */
export function linkTo(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return `#${path}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`}`;
}

/** Navigates to a location. */
export function goTo(path: string, query: Readonly<Record<string, string | undefined>> = {}): void {
  location.hash = linkTo(path, query);
}

/** Replaces the query of the current location without adding a history entry. */
export function replaceQuery(query: Readonly<Record<string, string | undefined>>): void {
  history.replaceState(null, '', linkTo(currentLocation.value.path, query));
  readHash();
}

/** Reads the parameters of a path by a pattern such as `/jobs/:id`; null if it does not match. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decodeSegment(value);
    else if (part !== value) return null;
  }
  return params;
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
