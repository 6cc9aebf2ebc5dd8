import { decodeHTML } from 'entities';
import { MONTHS } from '#extract/values/dates.ts';
import { normalizeText } from '#extract/values/typed-values.ts';

/** Words that make the following "of" or "from" a byline; alone it is part of many names (`Alexa von Heyden`). */
const WRITTEN = String.raw`(?:ein|eine|un|une|der|\p{L}*artikel|article|articolo|artículo|\p{L}*beitrag|blog|text|texte|bericht|kolumne|kommentar|erstellt|verfasst|geschrieben|veröffentlicht|eingestellt|gepostet|publiziert|publié|écrit|rédigé|escrito|publicado|scritto|pubblicato|geschreven|geplaatst|skrevet|skriven)`;
/** Words that introduce a name: `By`, `Posted by`, `Ein Artikel von`, `Autor:`. */
const LEAD = String.raw`(?:(?:(?:\p{L}+\s+){0,2}by|(?:${WRITTEN}\s+){0,3}(?:von|vom|par|por|di|door|av|af|od))(?=[\s:：]|$)|(?:autor(?:in|en|es)?|autore|auteur|authors?|автор|текст|words|text|作者|撰文|文)(?=[\s:：/]|$))\s*[:：/]?`;
const LEAD_IN = new RegExp(`^${LEAD}\\s*`, 'iu');
/** Words that introduce names of people other than the author. */
const NOT_WRITTEN =
  /^(?:\p{L}+\s)?(?:sponsor|power|present|brought|photo|portrait|artwork|cover|foto|image|bild|pictur|video|review|geprüft|edit|translat|host|support|produc|illustr|design|develop|build|built|check|lik|sort|filter|follow|shop|brows|search|order|recommend|read|mehr|more|alles|own|trusted|sold|made|fact|medical|comment|repl|answer)/iu;
const NAME_SEPARATOR = /\s*(?:[,;|/•·&、，]|\s(?:and|und|et|y|e|en|och|og|и|with|mit)\s)\s*/iu;
/** Text after the name in a byline. */
const TRAILER =
  /\s*(?:[|•·(–—»@]|\s-\s|\s(?:on|in|am|vom|il|le|el|um|at|for|für)\s|\s\d|,\s*(?:updated|published)\b).*$/iu;
const NOT_NAMES =
  /\b(?:admin|administrator|editor(?:s|ial)?|staff|team|redaktion|redazione|redacción|rédaction|desk|news|press|agency|correspondent|reporter|contributor|author|autor|writer|follow|subscribe|share|comments?|updated|published|posted|read|more|view|all|posts?|profile|minutes?|ltd|inc|gmbh|llc|group|media|magazine|com|january|february|today|yesterday|about|home|menu|login|anonymous|guest|gast|benutzername|user|username|unknown|link)\b|^link\d+$|人氣|人气|编辑|編集部|来源/iu;
const NAME_LETTERS = /^[\p{L}\p{M}'’.\- ]{2,60}$/u;
/** Structured data adds aliases in brackets. */
const STATED_NAME = /^[\p{L}\p{M}'’._\- ()&]{2,80}$/u;
const HAN_NAME = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}·]{2,10}$/u;
/** A one-word name, as bloggers and forum members use. */
const HANDLE = /^(?=.*\p{L})[\p{L}\p{N}][\p{L}\p{M}\p{N}_.-]{1,29}$/u;
const OFFICE_NAME =
  /redaktion|redazione|redacci[oó]n|r[ée]daction|redactie|\b(?:agency|gmbh|inc|ltd|llc|ag|e\.\s?v|media|foundation|stiftung|verlag)(?:$|[\s.,])|^(?:afp|ap|apa|ansa|dpa|efe|reuters|sda|sid|tass|xinhua)$|\b(?:feeds?|rss|news(?:room|wire|desk| desk| service)|wires?|syndicat\w{1,4}|(?:press|media) (?:office|release)|bot)$/iu;
const MAX_NAMES = 30;

/** Joins the valid names of machine-readable author values with `, `; null if there are none. */
export function joinStatedNames(texts: readonly string[]): string | null {
  return joinNames(texts.flatMap(splitNames).filter(isStatedName));
}

/** Parses the names in a visible byline (`By Ana Ruiz and Bo Li | 5 May`), joined by `, `; null if there are none. */
export function parseByline(text: string): string | null {
  return joinNames(listLeadingNames(text, isVisibleName));
}

/**
 * Like {@link parseByline}, for text that the markup declares as an author, where a name may be a single word
 * (`freeman1984`).
 */
export function parseMarkedByline(text: string): string | null {
  return joinNames(listLeadingNames(text, (name) => isVisibleName(name) || isHandle(name)));
}

/**
 * Where a byline has its name: `here` in `By Ana Ruiz`, `next` (in the next text) for `By`, `Ein Artikel von` or
 * `Author:`. Null if the text introduces no name.
 */
export function locateName(text: string): 'here' | 'next' | null {
  const lead = LEAD_IN.exec(text)?.[0];
  if (lead === undefined || NOT_WRITTEN.test(text)) return null;
  if (lead.length === text.length) return 'next';
  return /^[\p{Lu}\p{Lo}]/u.test(text.slice(lead.length)) ? 'here' : null;
}

function listLeadingNames(text: string, isName: (name: string) => boolean): readonly string[] {
  const plain = normalizeText(text.slice(0, 300)) ?? '';
  const names = splitNames(plain.replace(LEAD_IN, '').replace(TRAILER, '')).map(removeDay);
  const end = names.findIndex((name) => !isName(name));
  return end < 0 ? names : names.slice(0, end);
}

/** Removes a weekday or month that follows the name in a dateline. */
function removeDay(name: string): string {
  const last = name.slice(name.lastIndexOf(' ') + 1).toLowerCase();
  // A month of three letters is removed only after a full name, because it may be a surname (`Theresa May`).
  const isDay = last.length > 3 || name.split(' ').length > 2;
  const dated = isDay && name.includes(' ') && (MONTHS.has(last) || WEEKDAY.test(last));
  return dated ? name.slice(0, name.lastIndexOf(' ')) : name;
}

function splitNames(text: string): readonly string[] {
  const decoded = text.includes('&') ? decodeHTML(text.slice(0, 500)) : text.slice(0, 500);
  const plain = (normalizeText(decoded) ?? '').replace(LEAD_IN, '');
  if (/https?:|www\.|@/i.test(plain)) return [];
  const names = plain
    .split(NAME_SEPARATOR)
    .map((name) => name.replaceAll(/^[\s–—-]+|\s[–—-]+$/g, ''))
    .filter((name) => name !== '');
  // `Mac & i` is one name: a single small letter is not a person.
  return names.some((name) => /^\p{Ll}$/u.test(name)) ? [plain] : names;
}

function isStatedName(name: string): boolean {
  const words = name.split(' ').length;
  return (
    HAN_NAME.test(name) ||
    (((STATED_NAME.test(name) && words <= 5) || HANDLE.test(name)) &&
      !/^(?:admin|administrator|editor|staff|author|null|undefined|root|webmaster|\d+)$/i.test(name))
  );
}

/** Two to four words of which at least two are capitalised; particles such as "van der" may be lower case. */
function isVisibleName(name: string): boolean {
  if (NOT_NAMES.test(name)) return false;
  if (HAN_NAME.test(name)) return true;
  if (!NAME_LETTERS.test(name)) return false;
  const words = name.split(' ');
  const capitalised = words.filter((word) => /^['’]?\p{Lu}/u.test(word)).length;
  const named = words.some((word) => !MONTHS.has(word.toLowerCase()) && !DAYS.has(word.toLowerCase()));
  return named && words.length >= 2 && words.length <= 4 && capitalised >= 2 && /^\p{Lu}/u.test(name);
}

const WEEKDAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$|^(?:mon|diens|donners|frei|sams|sonn)tag$|^mittwoch$/;
const DAYS: ReadonlySet<string> = new Set('mon tue tues wed thu thur thurs fri sat sun'.split(' '));

function isHandle(name: string): boolean {
  const lower = name.toLowerCase();
  return HANDLE.test(name) && !NOT_NAMES.test(name) && !MONTHS.has(lower) && !DAYS.has(lower);
}

/** Whether a name is that of an organisation or department: `Redaktion`, `Us Weekly Staff`, `Acme GmbH`. */
export function isOfficeName(name: string): boolean {
  return OFFICE_NAME.test(name);
}

function joinNames(names: readonly string[]): string | null {
  const seen = new Map<string, string>();
  for (const name of names) if (!seen.has(name.toLowerCase())) seen.set(name.toLowerCase(), name);
  return seen.size === 0 ? null : [...seen.values()].slice(0, MAX_NAMES).join(', ');
}
