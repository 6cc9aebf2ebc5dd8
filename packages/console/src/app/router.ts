import { signal } from '@preact/signals';

/** Where the reader is: the path behind the hash and its query. */
export type HashPlace = { readonly path: string; readonly query: Readonly<Record<string, string>> };

/** What a view is given. */
export type ViewProps = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
};

/** The place by the address bar; everything that reads it is drawn again when it changes. */
export const here = signal<HashPlace>({ path: '/', query: {} });

/** Follows the address bar. */
export function startRouter(): void {
  addEventListener('hashchange', readAddress);
  readAddress();
}

function readAddress(): void {
  here.value = parsePlace(location.hash);
}

/** A hash as a place; whatever stands in it, there is one. */
export function parsePlace(hash: string): HashPlace {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s);
  return {
    path: `/${path.replaceAll(/^\/+|\/+$/g, '')}`,
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** The link to a place. */
export function linkTo(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return `#${path}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`}`;
}

/** Goes to a place. */
export function goTo(path: string, query: Readonly<Record<string, string | undefined>> = {}): void {
  location.hash = linkTo(path, query);
}

/** Puts a query in the place of that of now, without a step in the history. */
export function replaceQuery(query: Readonly<Record<string, string | undefined>>): void {
  history.replaceState(null, '', linkTo(here.value.path, query));
  readAddress();
}

/** The parameters of a path such as `/jobs/:id`; null where it does not fit. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decode(value);
    else if (part !== value) return null;
  }
  return params;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
