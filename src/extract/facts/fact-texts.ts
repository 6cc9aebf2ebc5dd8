import { tagSet } from '#extract/html/tags.ts';
import { charactersOf, parentOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { announcesName, opensWithName } from './authors.ts';
import type { Draft, Sighting } from './facts.ts';

const MOST_DATELINES = 30;
const MOST_TEXTS = 3;
const MOST_RECENT = 4;
const MOST_SIGNED = 5;
const LONGEST_LINE = 90;
/** The same in the source, white space and character references included. */
const LONGEST_SOURCE = 250;
const LONGEST_SHORT = 60;
const LONGEST_TEXT = 400;
/** Nodes after "by" in which the name stands. */
const NAME_AFTER = 8;
const HIDES_TEXT = tagSet('script style noscript title option template textarea');
const YEAR = /(?:19|20)\d\d|\d[./]\s?\d{1,2}[./]\s?\d\d(?!\d)|[٠-٩۰-۹]{4}/;

/** Notes what a text says of dates and names; only texts with digits and those near the main heading are looked at. */
export function noteText(tree: Tree, node: number, draft: Draft): void {
  if (node < draft.strangeEnd) return;
  const start = tree.start[node] ?? 0;
  const length = (tree.end[node] ?? 0) - start;
  const near = node <= draft.nearEnd && length <= LONGEST_SOURCE && node >= draft.foreignEnd;
  if (near) noteName(tree, node, draft);
  if (length > LONGEST_SHORT && !near && draft.longTexts.length >= MOST_TEXTS) return;
  if (length < 6 || !hasDigit(tree.source, start, start + Math.min(length, LONGEST_TEXT))) return;
  noteDated(tree, node, near, draft);
}

/** Text with a year: right after the main heading a dateline without a class of its own, elsewhere a weaker hint. */
function noteDated(tree: Tree, node: number, near: boolean, draft: Draft): void {
  const length = (tree.end[node] ?? 0) - (tree.start[node] ?? 0);
  const foreign = node < draft.foreignEnd;
  const short = length <= LONGEST_SHORT;
  const list = near ? draft.datelines : short ? draft.shortTexts : draft.longTexts;
  const full = foreign || list.length >= (near || short ? MOST_DATELINES : MOST_TEXTS);
  if ((full && !short) || HIDES_TEXT[tagOf(tree, parentOf(tree, node))] === 1) return;
  const text = charactersOf(tree, node, LONGEST_TEXT);
  if (!YEAR.test(text)) return;
  const sighting: Sighting = { text, machine: null, marks: 0, node };
  if (!full) list.push(sighting);
  if (short && !near && draft.recent.push(sighting) > MOST_RECENT) draft.recent.shift();
}

/** A name that a text announces: in itself (`By Ana Ruiz`), or as what follows it (`By`, then a link). */
function noteName(tree: Tree, node: number, draft: Draft): void {
  if (draft.signed.length >= MOST_SIGNED || HIDES_TEXT[tagOf(tree, parentOf(tree, node))] === 1) return;
  const text = collapseSpace(charactersOf(tree, node, LONGEST_SOURCE));
  if (text === '' || text.length > LONGEST_LINE) return;
  if (node <= draft.signedEnd) {
    draft.signed.push({ text, machine: null, marks: 0, node });
    draft.signedEnd = 0;
  } else if (announcesName(text)) draft.signedEnd = node + NAME_AFTER;
  else if (opensWithName(text)) draft.signed.push({ text, machine: null, marks: 0, node });
}

function hasDigit(source: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code >= 0x30 && (code <= 0x39 || (code >= 0x660 && code <= 0x6f9))) return true;
  }
  return false;
}
