const SLASH = 47;
const EXCLAMATION = 33;
/** A fragment of these alone names the page itself: `#!` is often the target of a button. */
const ROOT = /^#!?\/*$/;

/**
 * The fragment of a URL that a script of its page reads as an address (`#/shop/42`, `#!shop`), with the `#`; `''` for
 * none. An ordinary anchor (`#section`) is none.
 */
export function hashRouteIn(href: string): string {
  const at = href.indexOf('#');
  if (at < 0) return '';
  const first = href.charCodeAt(at + 1);
  if (first !== SLASH && first !== EXCLAMATION) return '';
  const fragment = href.slice(at);
  return ROOT.test(fragment) ? '' : fragment;
}

/** A URL without its fragment, unless that is a hash route. */
export function withoutAnchor(href: string): string {
  return withoutFragment(href) + hashRouteIn(href);
}

export function withoutFragment(href: string): string {
  const at = href.indexOf('#');
  return at < 0 ? href : href.slice(0, at);
}
