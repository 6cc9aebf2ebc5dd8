/** Robots directives of a page: not to be indexed, links not to be followed. */
export type RobotsTags = { readonly noindex: boolean; readonly nofollow: boolean };

/** The name under which a page may speak to us alone. */
const AGENT = 'quern';
/** Directives whose value follows a colon as the name of an agent would. */
const DIRECTIVES_WITH_VALUE: ReadonlySet<string> = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
]);
const MAX_DIRECTIVES_LENGTH = 10_000;

/** Reads an `X-Robots-Tag` header, several of them joined by commas: `noindex`, `otherbot: nofollow, quern: none`. */
export function parseRobotsHeader(header: string): RobotsTags {
  let mine = true;
  const directives: string[] = [];
  for (const part of header.slice(0, MAX_DIRECTIVES_LENGTH).toLowerCase().split(',')) {
    const named = /^\s*([\w-]+)\s*:\s*(.*)$/s.exec(part);
    const agent = named === null || DIRECTIVES_WITH_VALUE.has(named[1] ?? '') ? null : (named[1] ?? '');
    if (agent !== null) mine = agent === AGENT || agent === 'robots' || agent === '*';
    if (mine) directives.push((agent === null ? part : (named?.[2] ?? '')).trim());
  }
  return toRobotsTags(directives);
}

/** Reads a `meta` element: those named `robots` speak to everyone. */
export function parseRobotsMeta(name: string, content: string): RobotsTags {
  const addressed = name.trim().toLowerCase();
  if (addressed !== 'robots' && addressed !== AGENT) return toRobotsTags([]);
  return toRobotsTags(
    content
      .slice(0, MAX_DIRECTIVES_LENGTH)
      .toLowerCase()
      .split(/[\s,]+/),
  );
}

function toRobotsTags(directives: readonly string[]): RobotsTags {
  const none = directives.includes('none');
  return { noindex: none || directives.includes('noindex'), nofollow: none || directives.includes('nofollow') };
}
