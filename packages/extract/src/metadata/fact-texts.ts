import { tagSet } from '#extract/html/tags.ts';
import { charactersOf, parentOf, tagOf, type Tree, WHITESPACE } from '#extract/html/tree.ts';
import { mayNameOtherYear } from '#extract/values/calendars.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { placeOfName } from './authors.ts';
import type { FactCounts, Sighting } from './facts.ts';

const MOST_DATELINES = 30;
const MOST_TEXTS = 3;
const MOST_RECENT = 4;
/** Nodes before the main heading in which a dateline can stand. */
const JUST_BEFORE = 40;
const MOST_SIGNED = 5;
const LONGEST_LINE = 90;
/** The same in the source, white space and character references included. */
const LONGEST_SOURCE = 250;
/** A year alone is no date. */
const SHORTEST = 6;
const LONGEST_SHORT = 60;
const LONGEST_TEXT = 400;
/** Nodes after "by" in which the name stands. */
const NAME_AFTER = 8;
const HIDES_TEXT = tagSet('script style noscript title option template textarea');
const YEAR = /(?:19|20)\d\d|\d[./]\s?\d{1,2}[./]\s?\d\d(?!\d)|[٠-٩۰-۹]{4}/;
/** Words that date when the writer of a post joined a forum, not what was written. */
const JOINING =
  /\b(?:joined|registered|member since|registriert|mitglied seit|dabei seit|inscrit|membre depuis|registrado|miembro desde|iscritto|membro dal|lid sinds)\b|регистрация|注册|註冊|登録日/iu;

/** Notes what a text says of dates and names; only texts with digits and those near the main heading are looked at. */
export function noteText(tree: Tree, node: number, draft: FactCounts): void {
  if (node < draft.strangeEnd || ((tree.flags[node] ?? 0) & WHITESPACE) !== 0) return;
  const length = (tree.end[node] ?? 0) - (tree.start[node] ?? 0);
  const near = node <= draft.nearEnd && length <= LONGEST_SOURCE && node >= draft.foreignEnd;
  if (near) noteName(tree, node, draft);
  const short = length <= LONGEST_SHORT;
  const list = near ? draft.datelines : short ? draft.shortTexts : draft.longTexts;
  const full = node < draft.foreignEnd || list.length >= (near || short ? MOST_DATELINES : MOST_TEXTS);
  const recent = short && !near && node >= draft.headingAt - JUST_BEFORE;
  if ((full && !recent) || length < SHORTEST || !mayNameYear(tree, node)) return;
  const text = charactersOf(tree, node, LONGEST_TEXT);
  if ((!YEAR.test(text) && !mayNameOtherYear(text)) || (short && JOINING.test(text))) return;
  const sighting: Sighting = { text, machine: null, marks: 0, node };
  if (!full) list.push(sighting);
  if (recent && draft.recent.push(sighting) > MOST_RECENT) draft.recent.shift();
}

/** 年, behind the digit of a year that is counted from the beginning of an era. */
const YEAR_SIGN = 0x5e74;

/** Whether a text that is shown has two digits in a row, as all that {@link YEAR} finds; each second character tells. */
function mayNameYear(tree: Tree, node: number): boolean {
  if (HIDES_TEXT[tagOf(tree, parentOf(tree, node))] === 1) return false;
  const start = tree.start[node] ?? 0;
  const end = Math.min(tree.end[node] ?? 0, start + LONGEST_TEXT);
  for (let at = start + 1; at < end; at += 2) {
    const code = tree.source.charCodeAt(at);
    if (code >= 0x30 && (code <= 0x39 || (code >= 0x660 && code <= 0x6f9))) return true;
    if ((code >= 0xe50 && code <= 0xe59) || code === YEAR_SIGN) return true;
  }
  return false;
}

/** A name that a text announces: in itself (`By Ana Ruiz`), or as what follows it (`By`, then a link). */
function noteName(tree: Tree, node: number, draft: FactCounts): void {
  if (draft.signed.length >= MOST_SIGNED || HIDES_TEXT[tagOf(tree, parentOf(tree, node))] === 1) return;
  const text = collapseSpace(charactersOf(tree, node, LONGEST_SOURCE));
  if (text === '' || text.length > LONGEST_LINE) return;
  const announced = node <= draft.signedEnd ? 'here' : placeOfName(text);
  if (announced === 'here') draft.signed.push({ text, machine: null, marks: 0, node });
  if (announced !== null) draft.signedEnd = announced === 'next' ? node + NAME_AFTER : 0;
}
