/** Whose page is meant: a number, or the name of its address. */
export type AskedProfile = { readonly id: string } | { readonly name: string };

export const PROFILE_NUMBER = /^\d{5,20}$/;
const NAME = /^(?=[^.-])[A-Za-z0-9.-]{2,100}$/;
/** First parts of addresses that are no names. */
const TAKEN =
  /^(?:ads|business|checkpoint|dialog|directory|events|gaming|groups|hashtag|help|home|legal|login|marketplace|media|messages|notes|permalink|photo|photos|places|plugins|policies|privacy|public|recover|reel|reels|search|settings|share|sharer|stories|story|terms|video|watch)(?:\.php)?$/i;

/** Whose page a path of the site is; null for any other. */
export function profileAt(path: string): AskedProfile | null {
  const parts = URL.parse(path, 'http://site');
  const segments = parts?.pathname.split('/').filter(Boolean) ?? [];
  const [first = ''] = segments;
  if (first === 'profile.php') return numbered(parts?.searchParams.get('id'));
  if (/^(?:people|pages|p)$/.test(first)) return numbered(/(?:^|-)(\d+)$/.exec(segments.at(-1) ?? '')?.[1]);
  // Older addresses of pages without a name end with their number.
  const tail = /-(\d{9,20})$/.exec(first)?.[1];
  if (tail !== undefined) return { id: tail };
  if (PROFILE_NUMBER.test(first)) return { id: first };
  return NAME.test(first) && !TAKEN.test(first) ? { name: first } : null;
}

function numbered(id: string | null | undefined): AskedProfile | null {
  return PROFILE_NUMBER.test(id ?? '') ? { id: id ?? '' } : null;
}
