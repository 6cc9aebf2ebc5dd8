import { toPlainString } from '#extract/values/values.ts';

const LEAD_IN =
  /^(?:(?:written|posted|published|reported|words|text|story|article)\s+by|by|von|par|por|di|door|av|af|autor(?:in|e|es)?|auteur|author|автор|текст|作者|文)\s*[:：]?\s+|^(?:作者|文|撰文)\s*[:：/]\s*/iu;
const SPLIT = /\s*(?:[,;|/•·&、，]|\s(?:and|und|et|y|e|en|och|og|и|with|mit)\s)\s*/iu;
/** What follows a name in a byline and is no name. */
const TRAILER = /\s*(?:[|•·(–—]|\s-\s|\bon\b|\d|,\s*(?:updated|published)\b).*$/iu;
const NOT_NAMES =
  /\b(?:admin|administrator|editor(?:s|ial)?|staff|team|redaktion|redazione|redacción|rédaction|desk|news|press|agency|correspondent|reporter|contributor|author|writer|follow|subscribe|share|comments?|updated|published|posted|read|more|view|all|posts?|profile|minutes?|ltd|inc|gmbh|llc|group|media|magazine|com)\b/iu;
const LETTERS = /^[\p{L}\p{M}'’.\- ]{2,60}$/u;
const HAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}·]{2,10}$/u;
const MOST = 10;

/** The names among texts that a machine-readable source gives as authors, joined by `, `; null when none reads as a name. */
export function joinStated(texts: readonly string[]): string | null {
  return join(texts.flatMap(splitNames).filter(isStatedName));
}

/** The names that a visible byline shows (`By Ana Ruiz and Bo Li | 5 May`), joined by `, `; null when it shows none. */
export function readByline(text: string): string | null {
  const plain = toPlainString(text.slice(0, 300)) ?? '';
  const bare = plain.replace(LEAD_IN, '').replace(TRAILER, '');
  const names = splitNames(bare);
  return names.length > 0 && names.every(isVisibleName) ? join(names) : null;
}

function splitNames(text: string): readonly string[] {
  const plain = (toPlainString(text.slice(0, 500)) ?? '').replace(LEAD_IN, '');
  if (/https?:|www\.|@/i.test(plain)) return [];
  return plain.split(SPLIT).filter((name) => name !== '');
}

function isStatedName(name: string): boolean {
  const words = name.split(' ').length;
  return (
    HAN.test(name) ||
    (LETTERS.test(name) && words <= 5 && !/^(?:admin|editor|staff|author|null|undefined)$/i.test(name))
  );
}

/** Two to four capitalised words; particles such as "van der" may be small. */
function isVisibleName(name: string): boolean {
  if (HAN.test(name)) return true;
  if (!LETTERS.test(name) || NOT_NAMES.test(name)) return false;
  const words = name.split(' ');
  const capitalised = words.filter((word) => /^['’]?\p{Lu}/u.test(word)).length;
  return words.length >= 2 && words.length <= 4 && capitalised >= 2 && /^\p{Lu}/u.test(name);
}

function join(names: readonly string[]): string | null {
  const seen = new Map(names.map((name) => [name.toLowerCase(), name]));
  return seen.size === 0 ? null : [...seen.values()].slice(0, MOST).join(', ');
}
