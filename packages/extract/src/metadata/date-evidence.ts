import { TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import { charactersOf, isText, nextTagged, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { isBlock } from '#extract/view/view.ts';
import { collapsedText } from '#extract/html/element-text.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { announcesPublishing } from './date-words.ts';
import type { Sighting } from './facts.ts';

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

/** Whether a text stands in what a page quotes, such as a post of another site; not where that holds the main heading. */
export function isQuoted(tree: Tree, node: number, heading: number): boolean {
  for (let around = parentOf(tree, node); around !== 0; around = parentOf(tree, around)) {
    if (tagOf(tree, around) !== TAG.blockquote) continue;
    return heading < around || heading >= subtreeEndOf(tree, around);
  }
  return false;
}

/** Words with the three letters and more that a line with a date in it may have besides: days, months, hours. */
const DATED_WORDS =
  /^(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|avr|juin|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|uhr|heures?|hours?|cest?|gmt|utc|est|edt|pst|pdt)/iu;
const BARE = /^\s*v?[\d.]+\s*$/;
const PADDED = /^\d\d\.\s?\d\d\./;
const NUMBERED = /\d{1,2}\.\s?\d{1,2}\.\s?\d\d(?!\d)/;

/**
 * Whether a short text that reads as a date with two digits for its year is a number of a version: words go with it that
 * no date has.
 */
export function isVersion(text: string): boolean {
  const number = NUMBERED.exec(text)?.[0];
  if (number === undefined || /(?:19|20)\d\d/.test(text)) return false;
  if (BARE.test(text)) return !PADDED.test(number);
  const words = text.match(/\p{L}{3,}/gu) ?? [];
  return words.some((word) => !DATED_WORDS.test(word)) && !announcesPublishing(text);
}

/** Text up to a date in a line that begins with one, as datelines do behind the name of a place. */
const LEAD_CHARACTERS = 40;
const DAY = /(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d\d/;

/** Whether a longer text is dated itself: it says that it was published then, or begins with the day. */
export function isDateline(text: string): boolean {
  const line = collapseSpace(text);
  // What goes on with a small letter began before.
  if (/^\p{Ll}/u.test(line)) return false;
  const lead = line.slice(0, LEAD_CHARACTERS);
  return announcesPublishing(lead) || (!TELLING.test(lead) && lead.search(DAY) >= 0);
}

/** Beginnings of sentences that tell what happened on a day. */
const TELLING = /^(?:on|in|since|until|by|am|im|seit|bis|le|en|el|il|nel|op)\s/i;

/** Whether a day is the release day of the page's subject, such as a film or a program. */
export function isOfRelease(tree: Tree, sighting: Sighting): boolean {
  const label = labelOf(tree, sighting);
  return RELEASING.test(label) && !announcesPublishing(label);
}

const RELEASING = /\bversion\s+v?\d+\.\d|^\s*v?\d+(?:\.\d+)+\s*\(/i;

/** Characters of a line that is nothing but a date, a name and a few words. */
const LINE_CHARACTERS = 140;

/** Whether a short text is a piece of a longer one, as between two links of a paragraph. */
export function isPiece(tree: Tree, node: number): boolean {
  return !isLine(tree, blockOf(tree, node));
}

/** Whether an element holds no more than a line of text. */
export function isLine(tree: Tree, node: number): boolean {
  return !isLonger(tree, node, LINE_CHARACTERS);
}

/** How much longer a text may be in the source, where it is indented. */
const INDENTED = 4;

function isLonger(tree: Tree, node: number, most: number): boolean {
  return collapsedText(tree, node, INDENTED * most).length > most;
}

/** Parts of lists and tables: their days are of what they tell, unless they are hardly more than a day. */
const PARTS = tagSet('li td th dd');
const PART_LEVELS = 4;
const PART_CHARACTERS = 80;
/** Words in small letters, as sentences have them, from which on a line tells something rather than dates a page. */
const TOLD_WORDS = 3;

/**
 * Whether a day stands in a sentence, or in an item or a cell that tells something; not where it is said to be that of
 * publication.
 */
export function isTelling(tree: Tree, sighting: Sighting): boolean {
  const label = labelOf(tree, sighting);
  if (announcesPublishing(label)) return false;
  const { text } = sighting;
  const line = `${lineBefore(tree, sighting.node)} ${text.slice(0, Math.max(0, text.search(DAY)))}`;
  const words = line.match(/(?<!\p{L})\p{Ll}{3,}/gu) ?? [];
  if (words.filter((word) => !DATED_WORDS.test(word)).length >= TOLD_WORDS || EXAMPLE.test(line)) return true;
  if (LASTING.test(line) || GOES_ON.test(text)) return true;
  let part = parentOf(tree, sighting.node);
  for (let level = 0; level < PART_LEVELS && part !== 0; level++, part = parentOf(tree, part)) {
    const tag = tagOf(tree, part);
    if (PARTS[tag] !== 1) continue;
    if (tag === TAG.td && isOfData(tree, part)) return true;
    return isLonger(tree, part, PART_CHARACTERS);
  }
  return false;
}

/** Words before a day from which on, or up to which, something lasts. */
const LASTING = /\b(?:since|as of|until|till|seit|bis zum|depuis|desde|dal)\s[\p{L}\d.,\s]{0,20}$/iu;
/** A day within a sentence, which goes on with how something was done then. */
const GOES_ON = /(?:19|20)\d\d[-./\d]*\s(?:on|with|using)\s\p{Ll}/u;
const EXAMPLE = /\b(?:examples?|e\.g|z\.\s?B|exemple|ejemplo|esempio)\b/i;

/** Whether a cell is of a table with a header. */
function isOfData(tree: Tree, cell: number): boolean {
  let table = cell;
  while (table !== 0 && tagOf(tree, table) !== TAG.table) table = parentOf(tree, table);
  const header = nextTagged(tree, TAG.th, table);
  return table !== 0 && header !== 0 && header < subtreeEndOf(tree, table);
}

const HIDES_TEXT = tagSet('script style noscript template');

/** Whether a text stands in an element whose text is not shown. */
export function isHiddenText(tree: Tree, node: number): boolean {
  return HIDES_TEXT[tagOf(tree, parentOf(tree, node))] === 1;
}

/** What stands before a text in its line. */
function lineBefore(tree: Tree, node: number): string {
  let before = '';
  for (let at = node - 1; at > Math.max(blockOf(tree, node), node - LABEL_NODES); at--) {
    if (tagOf(tree, at) === TAG.br || isBlock(tree, at)) break;
    if (isText(tree, at) && !isHiddenText(tree, at)) before = `${charactersOf(tree, at, LINE_CHARACTERS)} ${before}`;
  }
  return before;
}

export function blockOf(tree: Tree, node: number): number {
  let block = parentOf(tree, node);
  while (block !== 0 && !isBlock(tree, block)) block = parentOf(tree, block);
  return block;
}

/** The text of a sighting behind what stands before it in its line. */
export function labelOf(tree: Tree, { node, text }: Sighting): string {
  const block = blockOf(tree, node);
  let before = '';
  for (let at = Math.max(block + 1, node - LABEL_NODES); at < node; at++) {
    if (isText(tree, at)) before += charactersOf(tree, at, LINE_CHARACTERS);
  }
  return `${collapseSpace(before).slice(-LEAD_CHARACTERS)} ${text}`;
}

const LABEL_NODES = 12;
