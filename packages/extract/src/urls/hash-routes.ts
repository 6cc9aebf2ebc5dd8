const SLASH = 47;
const EXCLAMATION = 33;
/** A fragment that only names the page itself; `#!` is often the target of a button. */
const ROOT = /^#!?\/*$/;

/**
 * The fragment of a URL if the page's script treats it as a route (`#/shop/42`, `#!shop`), including the `#`; else
 * `''`. An ordinary anchor (`#section`) is not a route.
 */
export function findHashRoute(href: string): string {
  const at = href.indexOf('#');
  if (at < 0) return '';
  const first = href.charCodeAt(at + 1);
  if (first !== SLASH && first !== EXCLAMATION) return '';
  const fragment = href.slice(at);
  return ROOT.test(fragment) ? '' : fragment;
}

/** Removes the fragment of a URL, unless it is a hash route. */
export function removeAnchor(href: string): string {
  return removeFragment(href) + findHashRoute(href);
}

/** Removes the fragment of a URL. */
export function removeFragment(href: string): string {
  const at = href.indexOf('#');
  return at < 0 ? href : href.slice(0, at);
}
