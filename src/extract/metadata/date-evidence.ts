import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import { charactersOf, isText, knownAttribute, parentOf, subtreeEndOf, tagOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';
import { isBlock } from '#extract/view/view.ts';
import { collapsedText } from '#extract/html/element-text.ts';
import { collapseSpace } from '#extract/values/space.ts';
import type { Sighting } from './facts.ts';

/** Words that announce a day of publication. */
export const PUBLISHING =
  /publi(?!c\b|city|cly)|posted|erstellt|veröffentlicht|erschienen|geschrieben|stand|dodano|geplaatst|pubbl|опубликован|发布|公開/iu;
/** Words that announce the day of a change. */
const CHANGING =
  /\b(?:last|recently)\b.{0,12}\b(?:updat|modif|chang|edit|revis|review|check)|\b(?:modified|revised|generated)\b|zuletzt|dernière|última (?:actualizaci|modificaci)|ultim[ao] (?:aggiornament|modific)|laatst|ostatni|последн|最終/iu;

const CODE = tagSet('pre code kbd samp tt var');
/** Elements around a text in which code is looked for. */
const LEVELS = 6;

/** Whether a text stands in code or in an example, where a date is part of that. */
export function isInCode(tree: Tree, node: number): boolean {
  let around = node;
  for (let level = 0; level < LEVELS && around !== 0; level++, around = parentOf(tree, around)) {
    if (CODE[tagOf(tree, around)] === 1) return true;
  }
  return false;
}

/** Words with the three letters and more that a line with a date in it may have besides: days, months, hours. */
const DATED_WORDS =
  /^(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|avr|juin|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|uhr|heures?|hours?|cest?|gmt|utc|est|edt|pst|pdt)/iu;
const BARE = /^\s*v?[\d.]+\s*$/;
const PADDED = /^\d\d\.\s?\d\d\./;
const NUMBERED = /\d{1,2}\.\s?\d{1,2}\.\s?\d\d(?!\d)/;

/** Whether a short text that reads as a date with two digits for its year is a number of a version: words go with it that no date has. */
export function isVersion(text: string): boolean {
  const number = NUMBERED.exec(text)?.[0];
  if (number === undefined || /(?:19|20)\d\d/.test(text)) return false;
  if (BARE.test(text)) return !PADDED.test(number);
  const words = text.match(/\p{L}{3,}/gu) ?? [];
  return words.some((word) => !DATED_WORDS.test(word)) && !PUBLISHING.test(text);
}

/** Fewest entries that make a list. */
const ENTRIES = 3;
const ENTRY_LEVELS = 8;
const HEADINGS = tagSet('h1 h2 h3 h4 h5');

/** Tells the dates that stand in the entries of a list, each with a heading that leads to its own page: they are of those pages. */
export function entriesOf(tree: Tree, sightings: readonly Sighting[]): (sighting: Sighting) => boolean {
  const items = new Map<string, Set<number>>();
  const visit = (node: number, look: (key: string, item: number) => boolean): boolean => {
    let item = node;
    for (let level = 0; level < ENTRY_LEVELS && item !== 0; level++, item = parentOf(tree, item)) {
      if (tagOf(tree, item) === TAG.body) return false;
      if (!isText(tree, item) && look(`${parentOf(tree, item)} ${tagOf(tree, item)}`, item)) return true;
    }
    return false;
  };
  for (const { node } of sightings) {
    visit(node, (key, item) => {
      const known = items.get(key) ?? new Set();
      items.set(key, known.add(item));
      return false;
    });
  }
  const led = new Map<number, boolean>();
  const isLed = (item: number): boolean => {
    const known = led.get(item) ?? leadsByHeading(tree, item);
    led.set(item, known);
    return known;
  };
  return ({ node }) =>
    visit(node, (key, item) => {
      const all = items.get(key);
      return all !== undefined && all.size >= ENTRIES && [...all].filter(isLed).length >= ENTRIES && isLed(item);
    });
}

const MOST_NODES = 400;

/** Whether the first heading of an element is a link, or in one. */
function leadsByHeading(tree: Tree, item: number): boolean {
  const end = Math.min(subtreeEndOf(tree, item), item + MOST_NODES);
  for (let node = item; node < end; node++) {
    if (HEADINGS[tagOf(tree, node)] !== 1) continue;
    return isLinked(tree, node, item);
  }
  return false;
}

function isLinked(tree: Tree, heading: number, item: number): boolean {
  const end = subtreeEndOf(tree, heading);
  for (let node = heading; node < end; node++) if (isLink(tree, node)) return true;
  for (let node = heading; node >= item && node !== 0; node = parentOf(tree, node)) if (isLink(tree, node)) return true;
  return false;
}

function isLink(tree: Tree, node: number): boolean {
  return tagOf(tree, node) === TAG.a && knownAttribute(tree, node, ATTRIBUTE.href) !== null;
}

/** Text up to a date in a line that begins with one, as datelines do behind the name of a place. */
const LEAD_CHARACTERS = 40;
const DAY = /(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d\d/;

/** Whether a longer text is dated itself: it says that it was published then, or begins with the day. */
export function isDateline(text: string): boolean {
  const line = collapseSpace(text);
  // What goes on with a small letter began before.
  if (/^\p{Ll}/u.test(line)) return false;
  return PUBLISHING.test(line.slice(0, LEAD_CHARACTERS)) || line.slice(0, LEAD_CHARACTERS).search(DAY) >= 0;
}

/** Whether a day is that of a change: its label says so, or a name of the elements around it. */
export function tellsChange(tree: Tree, sighting: Sighting): boolean {
  const label = labelOf(tree, sighting);
  if (CHANGING.test(label) || RELEASING.test(label)) return !PUBLISHING.test(label);
  let around = sighting.node;
  for (let level = 0; level < 3 && around !== 0; level++, around = parentOf(tree, around)) {
    if (isText(tree, around)) continue;
    if (CHANGED_NAME.test(knownAttribute(tree, around, ATTRIBUTE.class) ?? '')) return true;
  }
  return false;
}

/** What a page tells of is dated by it, not the page. */
const RELEASING = /\bversion\s+v?\d+\.\d/i;
const CHANGED_NAME = /last-?(?:updated?|modified|changed?|edit(?:ed)?)|date-?modified/i;

/** Characters of a line that is nothing but a date, a name and a few words. */
const LINE_CHARACTERS = 140;

/** Whether a short text is a piece of a longer one, as between two links of a paragraph. */
export function isPiece(tree: Tree, node: number): boolean {
  return collapsedText(tree, blockOf(tree, node), LINE_CHARACTERS + 1).length > LINE_CHARACTERS;
}

function blockOf(tree: Tree, node: number): number {
  let block = parentOf(tree, node);
  while (block !== 0 && !isBlock(tree, block)) block = parentOf(tree, block);
  return block;
}

/** The text of a sighting behind what stands before it in its line. */
function labelOf(tree: Tree, { node, text }: Sighting): string {
  const block = blockOf(tree, node);
  let before = '';
  for (let at = Math.max(block + 1, node - LABEL_NODES); at < node; at++) {
    if (isText(tree, at)) before += charactersOf(tree, at, LINE_CHARACTERS);
  }
  return `${collapseSpace(before).slice(-LEAD_CHARACTERS)} ${text}`;
}

const LABEL_NODES = 12;
