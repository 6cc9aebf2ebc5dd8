/**
 * Writes a regular expression on paths, as other services take it, as a pattern of a crawl, which is a glob unless it says
 * so. There it is compared with the path alone, here with the query too, so the end of the path may be followed by a query.
 */
export function toPathPattern(path: string): string {
  return `re:${path.replace(/(?<!\\)\$$/, '(?:\\?|$)')}`;
}
