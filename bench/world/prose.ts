import type { World } from './site.ts';

/** Whether a paragraph links to other pages. */
export type LinkMode = 'with links' | 'without links';

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** 7 to 20 words. */
export function buildSentence(random: RandomSource): string {
  const length = 7 + drawBelow(random, 14);
  let text = '';
  for (let at = 0; at < length; at += 1) {
    const word = drawWord(random);
    text += at === 0 ? capitalize(word) : ` ${word}`;
    if (at === 5 && random() < 0.3) text += ',';
  }
  return text + (random() < 0.06 ? '?' : '.');
}

/** The start of a sentence, so many characters at most. */
export function buildLabel(random: RandomSource, mostChars: number): string {
  return buildSentence(random).slice(0, mostChars);
}

/** 3 to 7 sentences as HTML, some with a link, an emphasis or a piece of code in them. */
export function buildParagraph(site: World, random: RandomSource, links: LinkMode): string {
  return buildArray(3 + drawBelow(random, 5), () => addMarkup(site, random, links)).join(' ');
}

function drawWord(random: RandomSource): string {
  const x = random();
  if (x < 0.22) return drawItem(random, ARTICLES);
  if (x < 0.36) return drawItem(random, ADJECTIVES);
  if (x < 0.5) return drawItem(random, VERBS);
  if (x < 0.6) return x < 0.56 ? 'of' : 'and';
  return drawItem(random, NOUNS);
}

function addMarkup(site: World, random: RandomSource, links: LinkMode): string {
  const text = escapeHtml(buildSentence(random));
  const x = random();
  if (x < 0.12 && links === 'with links') return insertLink(site, random, text);
  if (x < 0.2) return text.replace(/ (\w+) /, ' <strong>$1</strong> ');
  if (x < 0.26) return text.replace(/ (\w+) (\w+) /, ' <em>$1 $2</em> ');
  if (x < 0.29) return text.replace(/ (\w+) /, ' <code>$1()</code> ');
  return x < 0.31 ? `${text} &mdash; caf&eacute; &pound;${drawBelow(random, 900)}&nbsp;km` : text;
}

/** Two words of it link to a page. */
function insertLink(site: World, random: RandomSource, text: string): string {
  const target = drawBelow(random, site.pages);
  const words = text.split(' ');
  const at = 1 + drawBelow(random, words.length - 3);
  const href = escapeHtml(site.buildLink(target, random));
  const linked = `<a class="inline-link" href="${href}" data-track="body">${words.slice(at, at + 2).join(' ')}</a>`;
  return [...words.slice(0, at), linked, ...words.slice(at + 2)].join(' ');
}

export const NOUNS: readonly string[] = splitWords(`
  time year people way day man thing woman life child world school state family student group country problem hand
  part place case week company system program question work government number night point home water room mother area
  money story fact month lot right study book eye job word business issue side kind head house service friend father
  power hour game line end member law car city community name president team minute idea body information back parent
  face others level office door health person art war history party result change morning reason research girl guy
  moment air teacher force education foot boy age policy music market sense nation plan college interest death
  experience effect use class control field development role effort rate heart drug show leader light voice wife
  police mind price report decision son view relation road difference value building action season society tax
  director position player record paper space ground form event official matter center couple site project activity
  star table need court oil situation cost industry figure street image phone data picture practice piece land product
  doctor wall patient worker news test movie north love support technology step baby computer type attention film tree
  source hair look window culture chance brother energy period course summer plant opportunity term letter condition
  choice rule daughter south husband floor campaign material population call economy hospital church risk fire future
  bank west sport board subject officer deal fight goal bed order author blood agency nature color store sound
  movement page race concern series language response animal factor decade article east artist scene stock career
  treatment approach size dog fund media sign thought list individual quality pressure answer resource meeting disease
  success cup amount ability staff character growth loss degree attack region television box training trade election
  feeling standard bill message analysis benefit sex lawyer section glass skill sister professor operation crime stage
  compare design sort knowledge gun station strategy truth song example environment leg dark rock garden river bridge
  harbour engine wheel copper silver window lantern kettle ladder basket carpet mirror pillow bottle candle hammer
  needle thread button pocket ribbon saddle shovel tunnel valley meadow forest desert island canyon glacier prairie
  lagoon harvest orchard vineyard granite marble timber cotton velvet leather saffron pepper ginger cinnamon walnut
  almond cherry apricot melon barley wheat clover willow maple cedar birch falcon heron otter badger salmon trout
  beetle cricket sparrow
`);

const VERBS: readonly string[] = splitWords(`
  shows keeps finds builds carries follows measures returns explains compares collects changes describes improves
  limits opens prints reads repeats sends stores tests turns visits watches writes
`);

export const ADJECTIVES: readonly string[] = splitWords(`
  small large early late public local quiet bright simple common recent former careful steady narrow broad plain
  modern ancient gentle heavy light warm cold direct open general practical
`);

const ARTICLES: readonly string[] = splitWords(`
  the a this that each every one another our their its some
`);

export const SECTIONS: readonly string[] = splitWords(`
  news world politics business markets technology science health sport culture books film music travel food style
  homes garden motors money jobs education history opinion letters weather maps guides reviews products docs reference
  api forum questions people places archive events gallery
`);

function splitWords(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Returns pseudo-random numbers from 0 (inclusive) to 1 (exclusive). */
export type RandomSource = () => number;

/** Creates a Mulberry32 generator; the seed is hashed, so that adjacent seeds give unrelated sequences. */
export function createRandom(seed: number): RandomSource {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  state ^= state >>> 13;
  state = Math.imul(state, 0xc2b2ae35) >>> 0;
  state ^= state >>> 16;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A random integer from 0 to below the limit. */
export function drawBelow(random: RandomSource, limit: number): number {
  return Math.floor(random() * limit);
}

export function drawItem(random: RandomSource, list: readonly string[]): string {
  return list[drawBelow(random, list.length)] ?? '';
}

/** An array of the results of `make(0)`, `make(1)`, … */
export function buildArray<T>(count: number, make: (at: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
