import {
  readCollapsedText,
  readCharacters,
  isText,
  findNextTag,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { isBlock } from '#extract/view/view.ts';
import type { Sighting } from './page-facts.ts';

/** Pattern source for words that introduce a publication date, in lower case. */
export const PUBLISHING_SOURCE = String.raw`publi(?!c\b|city|cly)|posted|erstellt|veröffentlicht|erschienen|geschrieben|\bstand\b|dodano|geplaatst|pubbl|опубликован|опубліковано|发布|發布|发表|發表|公開|投稿|掲載|입력|등록|게시|نشر|انتشار|פורסם|julkaistu|közzétéve|megjelen|offentliggjort|udgivet|δημοσ|yayın|diterbitkan|เผยแพร่`;

/** Words that introduce a modification date; most of them are only the beginnings of words. */
const CHANGE_WORDS = [
  'update(?!s)|modified|revised|edited|amended|corrected|changed|generated|reviewed(?! by)|(?:re|double)-?checked',
  '(?:last|latest|recently) (?:chang|modif|review|edit|check|revis|correct|updat)',
  '(?:medically|clinically|fact|technically|scientifically)[- ](?:reviewed|checked)',
  'zuletzt|aktualisier|letzte (?:änderung|bearbeitung)|geändert|überarbeitet|bearbeitet|geprüft|überprüft',
  'bijgewerkt|gewijzigd|aangepast|herzien|geüpdatet|geactualiseerd|laatste? (?:wijzig|update|aanpass|herzien)',
  'uppdatera|ändra[dt]|granska[dt]|redigera[dt]|senast (?!e)|opdatere|ændret|revideret|redigeret|sidst (?!e)',
  'oppdater|endret|revidert|redigert|sist (?:endr|oppd|rev|red)',
  'mise?s? à jour|màj|modifiée?|actualisée?|révisée?|vérifiée?|corrigée?|relue? le|dernière (?:modif|actualis|révis|éditi)',
  'actualit?za[dcçt]|atualiza[dç]|modificad|revisad|editado|última (?:modific|revisi|edici|ediç)',
  'aggiornat|aggiornament|modificat|revisionat|rivist[oa] |ultima (?:modific|revis)|revizuit',
  'zaktualizowan|aktualizacj|zmodyfikowan|poprawion|ostatni\\p{L}* (?:zmian|modyf|edycj|popraw)',
  'aktualizov|upraven|změněn|zmenen|naposledy|ažuriran|izmijenjen|posodobljen|atnaujint|atjaunot|uuendatud',
  'обновл|измен[её]н|отредактирован|исправлен|последн\\p{L}* (?:измен|редак|правк|ред)',
  'оновлен|змінен|відредаговано|останн\\p{L}* (?:змін|редаг)|обновен|актуализиран',
  'päivitet|muokattu|tarkistettu|frissít|frissült|módosít|güncelle|değiştiril|düzenlen|son değişik',
  'ενημερώ|ενημέρωση|τροποποι|diperbar|dikemas ?kini|terakhir diubah|cập nhật|sửa đổi',
];
/** Such words in scripts without spaces between words. */
const JOINED_CHANGE_WORDS =
  '更新|修改|修订|修訂|改訂|改定|修正|수정|업데이트|갱신|تحديث|تعديل|به[ \\u200c]?روز|ویرایش|עודכן|עדכון|अपडेट|अद्यतन|संशोधित|อัปเดต|อัพเดท|แก้ไข|ปรับปรุง';
/** Pattern source for words that introduce a modification date, in lower case. */
export const CHANGING_SOURCE = String.raw`(?<![\p{L}-])(?:${CHANGE_WORDS.join('|')})|${JOINED_CHANGE_WORDS}`;

const PUBLISHING_WORD = new RegExp(PUBLISHING_SOURCE, 'u');
const CHANGING_WORD = new RegExp(CHANGING_SOURCE, 'u');

/** Whether a text has a word that introduces a publication date. */
export function announcesPublishing(text: string): boolean {
  return PUBLISHING_WORD.test(toLowerCaseInPlace(text));
}

/** Whether a text has a word that introduces a modification date. */
export function announcesChange(text: string): boolean {
  return CHANGING_WORD.test(toLowerCaseInPlace(text));
}

/**
 * Lowers the case without changing the length. Matching a large alternation is several times faster on lower-case text
 * than with the `i` flag.
 */
export function toLowerCaseInPlace(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase();
}

const CODE_TAGS = buildTagSet('pre code kbd samp tt var');
/** The most ancestors of a text that are checked for code. */
const MAX_CODE_LEVELS = 6;

/** Whether a text is inside code, where a date is not about the page. */
export function isInCode(tree: Tree, node: number): boolean {
  let around = node;
  for (let level = 0; level < MAX_CODE_LEVELS && around !== 0; level++, around = getParent(tree, around)) {
    if (CODE_TAGS[getTag(tree, around)] === 1) return true;
  }
  return false;
}

/** Whether a text is inside a quotation, such as a post of another site, that does not contain the main heading. */
export function isQuoted(tree: Tree, node: number, heading: number): boolean {
  for (let around = getParent(tree, node); around !== 0; around = getParent(tree, around)) {
    if (getTag(tree, around) !== TAG.blockquote) continue;
    return heading < around || heading >= getSubtreeEnd(tree, around);
  }
  return false;
}

/** Words of three or more letters that belong to a date: days, months, times. */
const DATED_WORDS =
  /^(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|avr|juin|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|uhr|heures?|hours?|cest?|gmt|utc|est|edt|pst|pdt)/iu;
const BARE_NUMBER = /^\s*v?[\d.]+\s*$/;
const PADDED_DATE = /^\d\d\.\s?\d\d\./;
const NUMBERED_DATE = /\d{1,2}\.\s?\d{1,2}\.\s?\d\d(?!\d)/;

/**
 * Whether a short text that could be a date with a two-digit year is a version number, because it has words that dates
 * do not have.
 */
export function isVersionNumber(text: string): boolean {
  const number = NUMBERED_DATE.exec(text)?.[0];
  if (number === undefined || /(?:19|20)\d\d/.test(text)) return false;
  if (BARE_NUMBER.test(text)) return !PADDED_DATE.test(number);
  const words = text.match(/\p{L}{3,}/gu) ?? [];
  return words.some((word) => !DATED_WORDS.test(word)) && !announcesPublishing(text);
}

/** The most characters before the date in a dateline, such as the name of a place. */
const MAX_LEAD_LENGTH = 40;
const DATE_DIGITS = /(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d\d/;

/** Whether a longer text starts with its own date: it says that it was published then, or begins with the day. */
export function isDateline(text: string): boolean {
  const line = collapseSpace(text);
  // A text that starts in lower case continues a previous one.
  if (/^\p{Ll}/u.test(line)) return false;
  const lead = line.slice(0, MAX_LEAD_LENGTH);
  return announcesPublishing(lead) || (!SENTENCE_START.test(lead) && lead.search(DATE_DIGITS) >= 0);
}

/** Prepositions that start a sentence about an event on a day. */
const SENTENCE_START = /^(?:on|in|since|until|by|am|im|seit|bis|le|en|el|il|nel|op)\s/i;

/** Whether a date is the release date of the page's subject, such as a film or a program. */
export function isReleaseDate(tree: Tree, sighting: Sighting): boolean {
  const label = readLabel(tree, sighting);
  return RELEASE_LABEL.test(label) && !announcesPublishing(label);
}

const RELEASE_LABEL = /\bversion\s+v?\d+\.\d|^\s*v?\d+(?:\.\d+)+\s*\(/i;

/** The most characters of a line that only has a date, a name and a few words. */
const MAX_LINE_LENGTH = 140;

/** Whether a short text is part of a longer one, such as the text between two links of a paragraph. */
export function isTextFragment(tree: Tree, node: number): boolean {
  return !isSingleLine(tree, findBlock(tree, node));
}

/** Whether an element has no more than a line of text. */
export function isSingleLine(tree: Tree, node: number): boolean {
  return !isLongerThan(tree, node, MAX_LINE_LENGTH);
}

/** How many times longer a text may be in the source because of its indentation. */
const INDENTATION_FACTOR = 4;

function isLongerThan(tree: Tree, node: number, most: number): boolean {
  return readCollapsedText(tree, node, INDENTATION_FACTOR * most).length > most;
}

/** List items and table cells: a date in them belongs to their content, unless they have hardly any other content. */
const PART_TAGS = buildTagSet('li td th dd');
const MAX_PART_LEVELS = 4;
const MAX_PART_LENGTH = 80;
/** A line with this many lower-case words is a sentence. */
const MIN_SENTENCE_WORDS = 3;

/**
 * Whether a date belongs to the narrative of a sentence, list item or table cell. Not if its label says that it is a
 * publication date.
 */
export function isNarrativeDate(tree: Tree, sighting: Sighting): boolean {
  const label = readLabel(tree, sighting);
  if (announcesPublishing(label)) return false;
  const { text } = sighting;
  const line = `${readLineBefore(tree, sighting.node)} ${text.slice(0, Math.max(0, text.search(DATE_DIGITS)))}`;
  const words = line.match(/(?<!\p{L})\p{Ll}{3,}/gu) ?? [];
  if (words.filter((word) => !DATED_WORDS.test(word)).length >= MIN_SENTENCE_WORDS || EXAMPLE.test(line)) return true;
  if (PERIOD_START.test(line) || SENTENCE_CONTINUES.test(text)) return true;
  let part = getParent(tree, sighting.node);
  for (let level = 0; level < MAX_PART_LEVELS && part !== 0; level++, part = getParent(tree, part)) {
    const tag = getTag(tree, part);
    if (PART_TAGS[tag] !== 1) continue;
    if (tag === TAG.td && isDataCell(tree, part)) return true;
    return isLongerThan(tree, part, MAX_PART_LENGTH);
  }
  return false;
}

/** Words before the start or end of a period. */
const PERIOD_START = /\b(?:since|as of|until|till|seit|bis zum|depuis|desde|dal)\s[\p{L}\d.,\s]{0,20}$/iu;
/** Words that continue a sentence after its date. */
const SENTENCE_CONTINUES = /(?:19|20)\d\d[-./\d]*\s(?:on|with|using)\s\p{Ll}/u;
const EXAMPLE = /\b(?:examples?|e\.g|z\.\s?B|exemple|ejemplo|esempio)\b/i;

/** Whether a cell belongs to a table with a header. */
function isDataCell(tree: Tree, cell: number): boolean {
  let table = cell;
  while (table !== 0 && getTag(tree, table) !== TAG.table) table = getParent(tree, table);
  const header = findNextTag(tree, TAG.th, table);
  return table !== 0 && header !== 0 && header < getSubtreeEnd(tree, table);
}

const HIDES_TEXT = buildTagSet('script style noscript template');

/** Whether a text is inside an element that is never displayed. */
export function isHiddenText(tree: Tree, node: number): boolean {
  return HIDES_TEXT[getTag(tree, getParent(tree, node))] === 1;
}

/** The text before a node in its line. */
function readLineBefore(tree: Tree, node: number): string {
  let before = '';
  for (let at = node - 1; at > Math.max(findBlock(tree, node), node - MAX_NODES_BEFORE); at--) {
    if (getTag(tree, at) === TAG.br || isBlock(tree, at)) break;
    if (isText(tree, at) && !isHiddenText(tree, at)) before = `${readCharacters(tree, at, MAX_LINE_LENGTH)} ${before}`;
  }
  return before;
}

/** The innermost block around a node; 0 if there is none. */
export function findBlock(tree: Tree, node: number): number {
  let block = getParent(tree, node);
  while (block !== 0 && !isBlock(tree, block)) block = getParent(tree, block);
  return block;
}

/** The text of a sighting, preceded by the text before it in its block. */
export function readLabel(tree: Tree, { node, text }: Sighting): string {
  const block = findBlock(tree, node);
  let before = '';
  for (let at = Math.max(block + 1, node - MAX_NODES_BEFORE); at < node; at++) {
    if (isText(tree, at)) before += readCharacters(tree, at, MAX_LINE_LENGTH);
  }
  return `${collapseSpace(before).slice(-MAX_LEAD_LENGTH)} ${text}`;
}

const MAX_NODES_BEFORE = 12;
