import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { charactersOf, isText, knownAttribute, parentOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { blockOf, isHiddenText, isLine } from './date-evidence.ts';
import { announcesChange, CHANGING, PUBLISHING, toSmallLetters } from './date-words.ts';
import type { Sighting } from './facts.ts';

const LABEL = new RegExp(`(?<changing>${CHANGING})|${PUBLISHING}`, 'gu');
const DAY = /\p{Nd}{4}|\p{Nd}{1,2}[./-]\s?\p{Nd}{1,2}[./-]\s?\p{Nd}{2}|\p{Nd}\s?[月월]/u;
/** A day or a time of day at the end of a text, with what may stand between it and the word behind it. */
const ENDS_WITH_DAY = /\p{Nd}[日일]?\.?[\s)(（,·]{0,3}$/u;
const TOUCHES_DAY = /[\p{Nd}日일]$/u;
/** Characters between the word for a change and its day. */
const GAP = 40;

/** The parts of a text whose days are those of a change, and the rest of it. */
type PartedDays = { readonly changed: string; readonly rest: string };

/** Parts a text behind other words of its line by what the words beside its days say of them. */
function partDays(before: string, text: string): PartedDays {
  const line = `${before}${text}`;
  // Few days have such a word beside them.
  if (!announcesChange(line)) return { changed: '', rest: text };
  const labels = [...toSmallLetters(line).matchAll(LABEL)];
  const starts = [0, ...labels.map(({ index }) => index), line.length];
  const pieces = starts.slice(0, -1).map((start, at) => ({ start, text: line.slice(start, starts[at + 1]) }));
  const changed = new Set<number>();
  for (const [at, label] of labels.entries()) {
    if (label.groups?.['changing'] === undefined) continue;
    const previous = pieces[at]?.text ?? '';
    const own = (pieces[at + 1]?.text ?? '').slice(label[0].length);
    const gap = own.search(DAY);
    const leads = gap >= 0 && gap <= GAP;
    if (TOUCHES_DAY.test(previous) || (!leads && ENDS_WITH_DAY.test(previous))) changed.add(at);
    else if (leads) changed.add(at + 1);
  }
  return {
    changed: partsOf(pieces, before.length, (at) => changed.has(at)),
    rest: partsOf(pieces, before.length, (at) => !changed.has(at)),
  };
}

type LabelledPiece = { readonly start: number; readonly text: string };

/** The chosen pieces of a line without what stands before `from`; a day before it has its label to itself. */
function partsOf(pieces: readonly LabelledPiece[], from: number, isChosen: (at: number) => boolean): string {
  return pieces
    .flatMap((piece, at) => (isChosen(at) ? piece.text.slice(Math.max(0, from - piece.start)) : []))
    .join(' ')
    .trim();
}

/** A line that says what happened on a day, and only that: `Last updated:`. */
const LONE_LABEL = new RegExp(String.raw`^[^\p{Nd}]{0,12}(?:${CHANGING})[^\p{Nd}]{0,15}$`, 'u');
const LONE_CHARACTERS = 40;
/** Nodes before a day in which its label is looked for. */
const LABEL_NODES = 12;
const NEXT_TO = 8;
const LINE_CHARACTERS = 140;
const BEFORE_CHARACTERS = 60;

/** The words before a node in its line; where it begins one, a line before it that is nothing but a label. */
function wordsBefore(tree: Tree, node: number): string {
  const line = inLineBefore(tree, node);
  return line === '' ? labelBefore(tree, node) : line;
}

function inLineBefore(tree: Tree, node: number): string {
  const block = blockOf(tree, node);
  let before = '';
  for (let at = node - 1; at > Math.max(block, node - LABEL_NODES); at--) {
    if (tagOf(tree, at) === TAG.br || (isText(tree, at) && blockOf(tree, at) !== block)) break;
    if (isText(tree, at) && !isHiddenText(tree, at)) before = `${charactersOf(tree, at, LINE_CHARACTERS)} ${before}`;
  }
  const line = collapseSpace(before).slice(-BEFORE_CHARACTERS);
  return line === '' ? '' : `${line} `;
}

function labelBefore(tree: Tree, node: number): string {
  for (let at = node - 1; at > Math.max(0, node - NEXT_TO); at--) {
    if (!isText(tree, at) || isHiddenText(tree, at)) continue;
    const text = collapseSpace(charactersOf(tree, at, LINE_CHARACTERS));
    if (text === '') continue;
    return text.length <= LONE_CHARACTERS && LONE_LABEL.test(toSmallLetters(text)) ? `${text} ` : '';
  }
  return '';
}

const CHANGED_NAME =
  /(?:^|[\s_-])(?:date[_-]?modified|modified|updated|edited|revised|reviewed|last[_-]?(?:updated?|modified|changed?|edit(?:ed)?|review(?:ed)?))(?:$|[\s_-])/i;
/** Names that say that a day is of publication, whatever its line says. */
const PUBLISHED_NAME = /publi|posted|created/i;
/** Names of any day; microformats call that of an entry `updated` as well. */
const DATED_NAME = /(?:^|[\s_-])(?:entry|post)?-?date(?:$|\s)/i;
const NAMED_LEVELS = 3;

/** What the names of a day, and of the elements around it, say that happened then; null where they do not say. */
function namedEvent(tree: Tree, node: number): 'published' | 'changed' | null {
  let around = node;
  for (let level = 0; level < NAMED_LEVELS && around !== 0; level++, around = parentOf(tree, around)) {
    if (isText(tree, around) || (tree.attributeCount[around] ?? 0) === 0) continue;
    const names = [ATTRIBUTE.class, ATTRIBUTE.id, ATTRIBUTE.itemprop].flatMap(
      (id) => knownAttribute(tree, around, id) ?? [],
    );
    if (names.length === 0) continue;
    const name = names.join(' ').replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-');
    const isPublished = PUBLISHED_NAME.test(name);
    if (!isPublished && (DATED_NAME.test(name) || !CHANGED_NAME.test(name))) continue;
    if (!isLine(tree, around)) return null;
    return isPublished ? 'published' : 'changed';
  }
  return null;
}

/** What a day is of, by its names and by the words beside it. */
type DayParts = { readonly event: 'published' | 'changed' | null } & PartedDays;

export type DayReader = {
  /** A day as that of publication: without what is said to be of a change; null where nothing else is told. */
  readonly asPublished: (sighting: Sighting) => Sighting | null;
  /** A day as that of a change; null where nothing says so. */
  readonly asChanged: (sighting: Sighting) => Sighting | null;
};

/** Reads what days are of, each once. */
export function dayReader(tree: Tree): DayReader {
  const known = new Map<Sighting, DayParts>();
  const partsOfDay = (sighting: Sighting): DayParts => {
    const parts = known.get(sighting) ?? readParts(tree, sighting);
    known.set(sighting, parts);
    return parts;
  };
  return {
    asPublished: (sighting) => {
      const { event, changed, rest } = partsOfDay(sighting);
      if (event !== null) return event === 'published' ? sighting : null;
      if (changed === '') return sighting;
      return DAY.test(rest) ? { ...sighting, text: rest } : null;
    },
    asChanged: (sighting) => {
      const { event, changed, rest } = partsOfDay(sighting);
      if (event !== null) return event === 'changed' ? sighting : null;
      if (!DAY.test(changed)) return null;
      return { ...sighting, text: changed, machine: DAY.test(rest) ? null : sighting.machine };
    },
  };
}

function readParts(tree: Tree, sighting: Sighting): DayParts {
  const event = namedEvent(tree, sighting.node);
  const text = writtenDay(sighting);
  if (event !== null || !DAY.test(text)) return { event, changed: '', rest: text };
  return { event, ...partDays(wordsBefore(tree, sighting.node), text) };
}

/** The text of a day, as machines read it where readers see how long ago it was. */
function writtenDay({ text, machine }: Sighting): string {
  return DAY.test(text) ? text : `${text} ${machine ?? ''}`;
}
