import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { charactersOf, isText, knownAttribute, parentOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { findBlock, isHiddenText, isSingleLine } from './date-evidence.ts';
import { announcesChange, CHANGING_SOURCE, PUBLISHING_SOURCE, toLowerCaseInPlace } from './date-words.ts';
import type { Sighting } from './facts.ts';

const LABEL = new RegExp(`(?<changing>${CHANGING_SOURCE})|${PUBLISHING_SOURCE}`, 'gu');
const DAY = /\p{Nd}{4}|\p{Nd}{1,2}[./-]\s?\p{Nd}{1,2}[./-]\s?\p{Nd}{2}|\p{Nd}\s?[月월]/u;
/** A day or a time of day at the end of a text, with what may stand between it and the word behind it. */
const ENDS_WITH_DAY = /\p{Nd}[日일]?\.?[\s)(（,·]{0,3}$/u;
const TOUCHES_DAY = /[\p{Nd}日일]$/u;
/** Characters between the word for a change and its day. */
const MAX_GAP_LENGTH = 40;

/** The parts of a text whose days are those of a change, and the rest of it. */
type SplitDates = { readonly changed: string; readonly rest: string };

/** Parts a text behind other words of its line by what the words beside its days say of them. */
function splitDates(before: string, text: string): SplitDates {
  const line = `${before}${text}`;
  // Few days have such a word beside them.
  if (!announcesChange(line)) return { changed: '', rest: text };
  const labels = [...toLowerCaseInPlace(line).matchAll(LABEL)];
  const starts = [0, ...labels.map(({ index }) => index), line.length];
  const pieces = starts.slice(0, -1).map((start, at) => ({ start, text: line.slice(start, starts[at + 1]) }));
  const changed = new Set<number>();
  for (const [at, label] of labels.entries()) {
    if (label.groups?.['changing'] === undefined) continue;
    const previous = pieces[at]?.text ?? '';
    const own = (pieces[at + 1]?.text ?? '').slice(label[0].length);
    const gap = own.search(DAY);
    const leads = gap >= 0 && gap <= MAX_GAP_LENGTH;
    if (TOUCHES_DAY.test(previous) || (!leads && ENDS_WITH_DAY.test(previous))) changed.add(at);
    else if (leads) changed.add(at + 1);
  }
  return {
    changed: joinPieces(pieces, before.length, (at) => changed.has(at)),
    rest: joinPieces(pieces, before.length, (at) => !changed.has(at)),
  };
}

type LabelledPiece = { readonly start: number; readonly text: string };

/** The chosen pieces of a line without what stands before `from`; a day before it has its label to itself. */
function joinPieces(pieces: readonly LabelledPiece[], from: number, isChosen: (at: number) => boolean): string {
  return pieces
    .flatMap((piece, at) => (isChosen(at) ? piece.text.slice(Math.max(0, from - piece.start)) : []))
    .join(' ')
    .trim();
}

/** A line that says what happened on a day, and only that: `Last updated:`. */
const LONE_LABEL = new RegExp(String.raw`^[^\p{Nd}]{0,12}(?:${CHANGING_SOURCE})[^\p{Nd}]{0,15}$`, 'u');
const MAX_LONE_LABEL_LENGTH = 40;
/** Nodes before a day in which its label is looked for. */
const MAX_LABEL_DISTANCE = 12;
const MAX_LONE_LABEL_DISTANCE = 8;
const MAX_LINE_LENGTH = 140;
const MAX_BEFORE_LENGTH = 60;

/** The words before a node in its line; where it begins one, a line before it that is nothing but a label. */
function readWordsBefore(tree: Tree, node: number): string {
  const line = readLineStart(tree, node);
  return line === '' ? readLabelBefore(tree, node) : line;
}

function readLineStart(tree: Tree, node: number): string {
  const block = findBlock(tree, node);
  let before = '';
  for (let at = node - 1; at > Math.max(block, node - MAX_LABEL_DISTANCE); at--) {
    if (tagOf(tree, at) === TAG.br || (isText(tree, at) && findBlock(tree, at) !== block)) break;
    if (isText(tree, at) && !isHiddenText(tree, at)) before = `${charactersOf(tree, at, MAX_LINE_LENGTH)} ${before}`;
  }
  const line = collapseSpace(before).slice(-MAX_BEFORE_LENGTH);
  return line === '' ? '' : `${line} `;
}

function readLabelBefore(tree: Tree, node: number): string {
  for (let at = node - 1; at > Math.max(0, node - MAX_LONE_LABEL_DISTANCE); at--) {
    if (!isText(tree, at) || isHiddenText(tree, at)) continue;
    const text = collapseSpace(charactersOf(tree, at, MAX_LINE_LENGTH));
    if (text === '') continue;
    return text.length <= MAX_LONE_LABEL_LENGTH && LONE_LABEL.test(toLowerCaseInPlace(text)) ? `${text} ` : '';
  }
  return '';
}

const CHANGED_NAME =
  /(?:^|[\s_-])(?:date[_-]?modified|modified|updated|edited|revised|reviewed|last[_-]?(?:updated?|modified|changed?|edit(?:ed)?|review(?:ed)?))(?:$|[\s_-])/i;
/** Names that say that a day is of publication, whatever its line says. */
const PUBLISHED_NAME = /publi|posted|created/i;
/** Names of any day; microformats call that of an entry `updated` as well. */
const DATED_NAME = /(?:^|[\s_-])(?:entry|post)?-?date(?:$|\s)/i;
const MAX_NAMED_LEVELS = 3;

/** What the names of a day, and of the elements around it, say that happened then; null where they do not say. */
function findNamedEvent(tree: Tree, node: number): 'published' | 'changed' | null {
  let around = node;
  for (let level = 0; level < MAX_NAMED_LEVELS && around !== 0; level++, around = parentOf(tree, around)) {
    if (isText(tree, around) || (tree.attributeCount[around] ?? 0) === 0) continue;
    const names = [ATTRIBUTE.class, ATTRIBUTE.id, ATTRIBUTE.itemprop].flatMap(
      (id) => knownAttribute(tree, around, id) ?? [],
    );
    if (names.length === 0) continue;
    const name = names.join(' ').replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-');
    const isPublished = PUBLISHED_NAME.test(name);
    if (!isPublished && (DATED_NAME.test(name) || !CHANGED_NAME.test(name))) continue;
    if (!isSingleLine(tree, around)) return null;
    return isPublished ? 'published' : 'changed';
  }
  return null;
}

/** What a day is of, by its names and by the words beside it. */
type ClassifiedDate = { readonly event: 'published' | 'changed' | null } & SplitDates;

export type DateClassifier = {
  /** A day as that of publication: without what is said to be of a change; null where nothing else is told. */
  readonly asPublished: (sighting: Sighting) => Sighting | null;
  /** A day as that of a change; null where nothing says so. */
  readonly asChanged: (sighting: Sighting) => Sighting | null;
};

/** Reads what days are of, each once. */
export function createDateClassifier(tree: Tree): DateClassifier {
  const known = new Map<Sighting, ClassifiedDate>();
  const partsOfDay = (sighting: Sighting): ClassifiedDate => {
    const parts = known.get(sighting) ?? classifyDate(tree, sighting);
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

function classifyDate(tree: Tree, sighting: Sighting): ClassifiedDate {
  const event = findNamedEvent(tree, sighting.node);
  const text = getWrittenDate(sighting);
  if (event !== null || !DAY.test(text)) return { event, changed: '', rest: text };
  return { event, ...splitDates(readWordsBefore(tree, sighting.node), text) };
}

/** The text of a day, as machines read it where readers see how long ago it was. */
function getWrittenDate({ text, machine }: Sighting): string {
  return DAY.test(text) ? text : `${text} ${machine ?? ''}`;
}
