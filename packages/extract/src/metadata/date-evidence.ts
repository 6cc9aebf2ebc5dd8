import { collapsedText } from '#extract/html/element-text.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import { charactersOf, isText, nextTagged, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { isBlock } from '#extract/view/view.ts';
import type { Sighting } from './page-facts.ts';

/** Source of a pattern of the words that announce a day of publication, in small letters. */
export const PUBLISHING_SOURCE = String.raw`publi(?!c\b|city|cly)|posted|erstellt|veröffentlicht|erschienen|geschrieben|\bstand\b|dodano|geplaatst|pubbl|опубликован|опубліковано|发布|發布|发表|發表|公開|投稿|掲載|입력|등록|게시|نشر|انتشار|פורסם|julkaistu|közzétéve|megjelen|offentliggjort|udgivet|δημοσ|yayın|diterbitkan|เผยแพร่`;

/** Words that announce the day of a change; beginnings of words, but for the short ones. */
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
/** The same in scripts that write no spaces, or put words together. */
const JOINED_CHANGE_WORDS =
  '更新|修改|修订|修訂|改訂|改定|修正|수정|업데이트|갱신|تحديث|تعديل|به[ \\u200c]?روز|ویرایش|עודכן|עדכון|अपडेट|अद्यतन|संशोधित|อัปเดต|อัพเดท|แก้ไข|ปรับปรุง';
/** Source of a pattern of the words that announce the day of a change, in small letters. */
export const CHANGING_SOURCE = String.raw`(?<![\p{L}-])(?:${CHANGE_WORDS.join('|')})|${JOINED_CHANGE_WORDS}`;

const PUBLISHING_WORD = new RegExp(PUBLISHING_SOURCE, 'u');
const CHANGING_WORD = new RegExp(CHANGING_SOURCE, 'u');

/** Whether a text has a word that announces a day of publication. */
export function announcesPublishing(text: string): boolean {
  return PUBLISHING_WORD.test(toLowerCaseInPlace(text));
}

/** Whether a text has a word that announces the day of a change. */
export function announcesChange(text: string): boolean {
  return CHANGING_WORD.test(toLowerCaseInPlace(text));
}

/**
 * A text in small letters, each in its place: a pattern of many words finds them several times faster there than without
 * case.
 */
export function toLowerCaseInPlace(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase();
}

const CODE_TAGS = tagSet('pre code kbd samp tt var');
/** Elements around a text in which code is looked for. */
const MAX_CODE_LEVELS = 6;

/** Whether a text stands in code or in an example, where a date is part of that. */
export function isInCode(tree: Tree, node: number): boolean {
  let around = node;
  for (let level = 0; level < MAX_CODE_LEVELS && around !== 0; level++, around = parentOf(tree, around)) {
    if (CODE_TAGS[tagOf(tree, around)] === 1) return true;
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
const BARE_NUMBER = /^\s*v?[\d.]+\s*$/;
const PADDED_DATE = /^\d\d\.\s?\d\d\./;
const NUMBERED_DATE = /\d{1,2}\.\s?\d{1,2}\.\s?\d\d(?!\d)/;

/**
 * Whether a short text that reads as a date with two digits for its year is a number of a version: words go with it that
 * no date has.
 */
export function isVersionNumber(text: string): boolean {
  const number = NUMBERED_DATE.exec(text)?.[0];
  if (number === undefined || /(?:19|20)\d\d/.test(text)) return false;
  if (BARE_NUMBER.test(text)) return !PADDED_DATE.test(number);
  const words = text.match(/\p{L}{3,}/gu) ?? [];
  return words.some((word) => !DATED_WORDS.test(word)) && !announcesPublishing(text);
}

/** Text up to a date in a line that begins with one, as datelines do behind the name of a place. */
const MAX_LEAD_LENGTH = 40;
const DATE_DIGITS = /(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d\d/;

/** Whether a longer text is dated itself: it says that it was published then, or begins with the day. */
export function isDateline(text: string): boolean {
  const line = collapseSpace(text);
  // What goes on with a small letter began before.
  if (/^\p{Ll}/u.test(line)) return false;
  const lead = line.slice(0, MAX_LEAD_LENGTH);
  return announcesPublishing(lead) || (!SENTENCE_START.test(lead) && lead.search(DATE_DIGITS) >= 0);
}

/** Beginnings of sentences that tell what happened on a day. */
const SENTENCE_START = /^(?:on|in|since|until|by|am|im|seit|bis|le|en|el|il|nel|op)\s/i;

/** Whether a day is the release day of the page's subject, such as a film or a program. */
export function isReleaseDate(tree: Tree, sighting: Sighting): boolean {
  const label = readLabel(tree, sighting);
  return RELEASE_LABEL.test(label) && !announcesPublishing(label);
}

const RELEASE_LABEL = /\bversion\s+v?\d+\.\d|^\s*v?\d+(?:\.\d+)+\s*\(/i;

/** Characters of a line that is nothing but a date, a name and a few words. */
const MAX_LINE_LENGTH = 140;

/** Whether a short text is a piece of a longer one, as between two links of a paragraph. */
export function isTextFragment(tree: Tree, node: number): boolean {
  return !isSingleLine(tree, findBlock(tree, node));
}

/** Whether an element holds no more than a line of text. */
export function isSingleLine(tree: Tree, node: number): boolean {
  return !isLongerThan(tree, node, MAX_LINE_LENGTH);
}

/** How much longer a text may be in the source, where it is indented. */
const INDENTATION_FACTOR = 4;

function isLongerThan(tree: Tree, node: number, most: number): boolean {
  return collapsedText(tree, node, INDENTATION_FACTOR * most).length > most;
}

/** Parts of lists and tables: their days are of what they tell, unless they are hardly more than a day. */
const PART_TAGS = tagSet('li td th dd');
const MAX_PART_LEVELS = 4;
const MAX_PART_LENGTH = 80;
/** Words in small letters, as sentences have them, from which on a line tells something rather than dates a page. */
const MIN_SENTENCE_WORDS = 3;

/**
 * Whether a day stands in a sentence, or in an item or a cell that tells something; not where it is said to be that of
 * publication.
 */
export function isNarrativeDate(tree: Tree, sighting: Sighting): boolean {
  const label = readLabel(tree, sighting);
  if (announcesPublishing(label)) return false;
  const { text } = sighting;
  const line = `${readLineBefore(tree, sighting.node)} ${text.slice(0, Math.max(0, text.search(DATE_DIGITS)))}`;
  const words = line.match(/(?<!\p{L})\p{Ll}{3,}/gu) ?? [];
  if (words.filter((word) => !DATED_WORDS.test(word)).length >= MIN_SENTENCE_WORDS || EXAMPLE.test(line)) return true;
  if (PERIOD_START.test(line) || SENTENCE_CONTINUES.test(text)) return true;
  let part = parentOf(tree, sighting.node);
  for (let level = 0; level < MAX_PART_LEVELS && part !== 0; level++, part = parentOf(tree, part)) {
    const tag = tagOf(tree, part);
    if (PART_TAGS[tag] !== 1) continue;
    if (tag === TAG.td && isDataCell(tree, part)) return true;
    return isLongerThan(tree, part, MAX_PART_LENGTH);
  }
  return false;
}

/** Words before a day from which on, or up to which, something lasts. */
const PERIOD_START = /\b(?:since|as of|until|till|seit|bis zum|depuis|desde|dal)\s[\p{L}\d.,\s]{0,20}$/iu;
/** A day within a sentence, which goes on with how something was done then. */
const SENTENCE_CONTINUES = /(?:19|20)\d\d[-./\d]*\s(?:on|with|using)\s\p{Ll}/u;
const EXAMPLE = /\b(?:examples?|e\.g|z\.\s?B|exemple|ejemplo|esempio)\b/i;

/** Whether a cell is of a table with a header. */
function isDataCell(tree: Tree, cell: number): boolean {
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
function readLineBefore(tree: Tree, node: number): string {
  let before = '';
  for (let at = node - 1; at > Math.max(findBlock(tree, node), node - MAX_NODES_BEFORE); at--) {
    if (tagOf(tree, at) === TAG.br || isBlock(tree, at)) break;
    if (isText(tree, at) && !isHiddenText(tree, at)) before = `${charactersOf(tree, at, MAX_LINE_LENGTH)} ${before}`;
  }
  return before;
}

export function findBlock(tree: Tree, node: number): number {
  let block = parentOf(tree, node);
  while (block !== 0 && !isBlock(tree, block)) block = parentOf(tree, block);
  return block;
}

/** The text of a sighting behind what stands before it in its line. */
export function readLabel(tree: Tree, { node, text }: Sighting): string {
  const block = findBlock(tree, node);
  let before = '';
  for (let at = Math.max(block + 1, node - MAX_NODES_BEFORE); at < node; at++) {
    if (isText(tree, at)) before += charactersOf(tree, at, MAX_LINE_LENGTH);
  }
  return `${collapseSpace(before).slice(-MAX_LEAD_LENGTH)} ${text}`;
}

const MAX_NODES_BEFORE = 12;
