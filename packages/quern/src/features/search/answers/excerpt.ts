import { foldedOf, tellingWords, wordsIn } from '#features/search/words.ts';
import { estimateTokens, withinTokens } from '#llm/tokens.ts';
import { countForms, toForms, toPrefilter } from './word-forms.ts';

/** Share of the tokens that the beginning of a page gets: it says what the page is about. */
const OPENING = 0.2;
/** A paragraph this short is the heading of the one after it. */
const HEADING_CHARS = 100;
const GAP = '\n\n…\n\n';

/**
 * What a page says of a prompt, in at most so many tokens (`withinTokens`): its beginning, and the paragraphs that hold most of
 * the rare words that are asked for, in their order, with their headings.
 */
export function excerptOf(text: string, prompt: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  const opening = withinTokens(text, tokens * OPENING);
  const paragraphs = text.slice(opening.length).split(/\n\s*\n/);
  const taken = choose(paragraphs, { prompt, tokens: tokens - estimateTokens(opening) });
  if (taken.size === 0) return withinTokens(text, tokens);
  let excerpt = opening;
  for (const [at, paragraph] of paragraphs.entries()) {
    if (taken.has(at)) excerpt += (at === 0 || taken.has(at - 1) ? '\n\n' : GAP) + paragraph.trim();
  }
  return withinTokens(excerpt, tokens);
}

/** The places of the paragraphs that fit best, as many as there is room for. */
function choose(
  paragraphs: readonly string[],
  { prompt, tokens }: { readonly prompt: string; readonly tokens: number },
): ReadonlySet<number> {
  const asked = tellingWords(prompt);
  const formsOf = toForms(asked);
  const mayHold = toPrefilter(asked);
  const held = paragraphs.map((paragraph) =>
    countForms(mayHold(foldedOf(paragraph)) ? wordsIn(paragraph) : [], formsOf),
  );
  const frequency = new Map<string, number>();
  for (const counts of held) for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const scored = held.flatMap((counts, at) => {
    let score = 0;
    for (const word of counts.keys()) score += Math.log(1 + paragraphs.length / (frequency.get(word) ?? 1));
    return score === 0 ? [] : [{ at, score }];
  });
  const taken = new Set<number>();
  let left = tokens;
  for (const { at } of scored.toSorted((one, other) => other.score - one.score)) {
    const heading = (paragraphs[at - 1] ?? '').length <= HEADING_CHARS && at > 0 ? [at - 1] : [];
    const fresh = [...heading, at].filter((one) => !taken.has(one));
    const needed = fresh.reduce((sum, one) => sum + estimateTokens((paragraphs[one] ?? '') + GAP), 0);
    if (needed > left) continue;
    for (const one of fresh) taken.add(one);
    left -= needed;
  }
  return taken;
}
