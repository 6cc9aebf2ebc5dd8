const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\/rooms\/(?:[a-z]+\/)?\d+(?:\/|$)/, 'a home'],
  [/^\/(?:s|stays)(?:\/|$)/, 'a search'],
  [/^\/users(?:\/|$)/, 'the page of a person'],
  [/^\/(?:experiences|services)(?:\/|$)/, 'an experience'],
  [/^\/?$/, 'the home page'],
];

/** The kind of a page by its path, in words. */
export function describeStayPage(path: string): string {
  const [plain = ''] = path.split(/[?#]/);
  return KINDS.find(([pattern]) => pattern.test(plain))?.[1] ?? 'a page of another kind';
}
