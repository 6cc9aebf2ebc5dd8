import { below, pick, type Random, times } from './random.ts';
import { capitalize, type Site } from './site.ts';
import { ADJECTIVES, ARTICLES, NOUNS, VERBS } from './words.ts';

/** Whether a paragraph links to other pages. */
export type Links = 'with links' | 'without links';

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** 7 to 20 words. */
export function makeSentence(random: Random): string {
  const length = 7 + below(random, 14);
  let text = '';
  for (let at = 0; at < length; at += 1) {
    const word = nextWord(random);
    text += at === 0 ? capitalize(word) : ` ${word}`;
    if (at === 5 && random() < 0.3) text += ',';
  }
  return text + (random() < 0.06 ? '?' : '.');
}

/** The start of a sentence, so many characters at most. */
export function makeLabel(random: Random, mostChars: number): string {
  return makeSentence(random).slice(0, mostChars);
}

/** 3 to 7 sentences as HTML, some with a link, an emphasis or a piece of code in them. */
export function makeParagraph(site: Site, random: Random, links: Links): string {
  return times(3 + below(random, 5), () => markUp(site, random, links)).join(' ');
}

function nextWord(random: Random): string {
  const x = random();
  if (x < 0.22) return pick(random, ARTICLES);
  if (x < 0.36) return pick(random, ADJECTIVES);
  if (x < 0.5) return pick(random, VERBS);
  if (x < 0.6) return x < 0.56 ? 'of' : 'and';
  return pick(random, NOUNS);
}

function markUp(site: Site, random: Random, links: Links): string {
  const text = escapeHtml(makeSentence(random));
  const x = random();
  if (x < 0.12 && links === 'with links') return withLink(site, random, text);
  if (x < 0.2) return text.replace(/ (\w+) /, ' <strong>$1</strong> ');
  if (x < 0.26) return text.replace(/ (\w+) (\w+) /, ' <em>$1 $2</em> ');
  if (x < 0.29) return text.replace(/ (\w+) /, ' <code>$1()</code> ');
  return x < 0.31 ? `${text} &mdash; caf&eacute; &pound;${below(random, 900)}&nbsp;km` : text;
}

/** Two words of it link to a page. */
function withLink(site: Site, random: Random, text: string): string {
  const target = below(random, site.pages);
  const words = text.split(' ');
  const at = 1 + below(random, words.length - 3);
  const href = escapeHtml(site.linkTo(target, random));
  const linked = `<a class="inline-link" href="${href}" data-track="body">${words.slice(at, at + 2).join(' ')}</a>`;
  return [...words.slice(0, at), linked, ...words.slice(at + 2)].join(' ');
}
