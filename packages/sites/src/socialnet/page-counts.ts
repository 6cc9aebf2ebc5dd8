import { at, countOf, line, list } from '#extract/values/raw.ts';

const NAMES = ['likes', 'followers', 'talking_about', 'were_here'] as const;
const WORDS: Readonly<Record<(typeof NAMES)[number], RegExp>> = {
  likes: /([\d.,]+\s?[KMB]?) (?:likes?|people like this)\b/i,
  followers: /([\d.,]+\s?[KMB]?) (?:followers?|people follow this)\b/i,
  talking_about: /([\d.,]+\s?[KMB]?) talking about this\b/i,
  were_here: /([\d.,]+\s?[KMB]?) (?:were|was) here\b/i,
};

/** The counts that texts tell, of each the first; those that are meant for machines are exact. */
export function countsIn(texts: readonly (string | null)[]) {
  const found = NAMES.map((name) => {
    const counts = texts.flatMap((text) => countOf(WORDS[name].exec(text ?? '')?.[1], 'en-US') ?? []);
    return counts.find(({ approximate }) => !approximate) ?? counts[0] ?? null;
  });
  const [likes = null, followers = null, talking = null, here = null] = found.map((one) => one?.value ?? null);
  return {
    likes,
    followers,
    talking_about: talking,
    were_here: here,
    counts_approximate: found.some((one) => one?.approximate === true),
  };
}

/** The counts under the name in a page's header. */
export function socialTexts(user: unknown): readonly (string | null)[] {
  return list(at(user, 'profile_social_context', 'content')).map((one) => line(at(one, 'text', 'text')));
}

/** What a description for machines says behind the counts: `Name. 216 followers · 42 were here. Words of their own`. */
export function afterCounts(description: string | null): string | null {
  const end = /(?:likes?|followers?|talking about this|(?:were|was) here)\.\s+(.+)$/s.exec(description ?? '');
  return line(end?.[1]);
}
