import { decodeBase64 } from '#extract/platform/node.ts';
import { decodeHTML } from 'entities';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { findNextTag, getAttribute, getKnownAttribute, readOwnText } from '#extract/html/tree.ts';
import { parseJsLiteral } from '#extract/json/literal.ts';
import { findValueAfter, listValuesAround } from '#extract/json/embedded-json.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { parseJson } from '#extract/values/json.ts';
import { getPath } from '#extract/values/raw.ts';
import type { ParsedPage } from './parsed-page.ts';

/** Selects scripts. Omitted members match any script. `value` is the value of `attribute`. */
export type ScriptQuery = {
  readonly id?: string;
  /** The media type, compared without case and parameters. */
  readonly type?: string;
  readonly attribute?: string;
  readonly value?: string;
};

const MAX_SCRIPTS = 2000;
/** Types of executable scripts. All others contain data. */
const SCRIPT_TYPE = /^(?:$|module$|(?:text|application)\/(?:x-)?(?:java|ecma)script)/i;

/** The parsed values of matching JSON scripts in document order. Scripts without valid JSON are skipped. */
export function listJsonScripts(page: ParsedPage, query: ScriptQuery): readonly unknown[] {
  return listScripts(page)
    .filter((script) => isWanted(page, script, query))
    .map((script) => parseEmbeddedJson(readOwnText(page.tree, script)))
    .filter((value) => value !== undefined);
}

/** The value of the first matching script with valid JSON. Undefined if there is none. */
export function findJsonScript(page: ParsedPage, query: ScriptQuery): unknown {
  for (const script of listScripts(page)) {
    const value = isWanted(page, script, query) ? parseEmbeddedJson(readOwnText(page.tree, script)) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/**
 * The objects in the page's scripts that have all of these members, in document order, outer before inner. JSON scripts
 * of any type and values inside inline JavaScript are searched. Scripts that do not mention the members are not parsed.
 */
export function listObjectsWith(page: ParsedPage, name: string, ...others: readonly string[]): readonly JsonObject[] {
  const words = [name, ...others].map((member) => JSON.stringify(member));
  return listScripts(page).flatMap((script) => {
    const text = readOwnText(page.tree, script);
    if (!words.every((word) => text.includes(word))) return [];
    const type = getKnownAttribute(page.tree, script, ATTRIBUTE.type)?.trim() ?? '';
    const whole = SCRIPT_TYPE.test(type) ? undefined : readCachedValue(page, script, text);
    const values = whole === undefined ? listValuesAround(text, words[0] ?? '') : [whole];
    return values.flatMap((value) => findObjectsWith(value, name, ...others));
  });
}

/** Parsed JSON scripts by page, because a parser may ask for several things in the same scripts. */
const VALUES_BY_PAGE = new WeakMap<ParsedPage, Map<number, unknown>>();

function readCachedValue(page: ParsedPage, script: number, text: string): unknown {
  const known = VALUES_BY_PAGE.get(page) ?? new Map<number, unknown>();
  VALUES_BY_PAGE.set(page, known);
  if (!known.has(script)) known.set(script, parseEmbeddedJson(text));
  return known.get(script);
}

/** The value that the first script assigns to a name: `findVariable(page, 'ytInitialData')`. Undefined if none does. */
export function findVariable(page: ParsedPage, name: string): unknown {
  for (const script of listScripts(page)) {
    const value = readVariable(page, script, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The values that the scripts of a page assign to a name, one per script. A streamed page has one in each part. */
export function listVariables(page: ParsedPage, name: string): readonly unknown[] {
  return listScripts(page)
    .map((script) => readVariable(page, script, name))
    .filter((value) => value !== undefined);
}

function readVariable({ tree }: ParsedPage, script: number, name: string): unknown {
  const text = readOwnText(tree, script);
  return text.includes(name) ? findValueAfter(text, name) : undefined;
}

function listScripts({ tree }: ParsedPage): readonly number[] {
  const scripts: number[] = [];
  for (let node = findNextTag(tree, TAG.script, 1); node !== 0; node = findNextTag(tree, TAG.script, node + 1)) {
    if (scripts.push(node) >= MAX_SCRIPTS) break;
  }
  return scripts;
}

function isWanted({ tree }: ParsedPage, script: number, { id, type, attribute, value }: ScriptQuery): boolean {
  if (id !== undefined && getKnownAttribute(tree, script, ATTRIBUTE.id) !== id) return false;
  if (type !== undefined) {
    const given = getKnownAttribute(tree, script, ATTRIBUTE.type)?.split(';')[0]?.trim().toLowerCase();
    if (given !== type) return false;
  }
  const found = attribute === undefined ? '' : getAttribute(tree, script, attribute);
  return found !== null && (value === undefined || found === value);
}

const MAX_JSON_LENGTH = 20_000_000;
/** Prefixes that prevent JSON from being executed as a script. */
const JSON_GUARD = /^(?:for\s*\(;;\);|while\s*\((?:1|true)\);|\)\]\}'?,?|throw [^;]{0,50};)\s*/;
const COMMENT = /^(?:<!--|<!\[CDATA\[)|(?:-->|\]\]>)$/g;
const BASE64 = /^[A-Za-z0-9+/_\s-]{16,}={0,2}\s*$/;

/**
 * Parses JSON as pages embed it: plain, one object per line, after a guard such as `for (;;);`, in an HTML comment,
 * HTML-escaped, base64, or with JavaScript-only values (`undefined`). Undefined if it is none of these.
 */
export function parseEmbeddedJson(text: string): unknown {
  if (text.length > MAX_JSON_LENGTH) return undefined;
  const plain = text.trim().replaceAll(COMMENT, '').trim().replace(JSON_GUARD, '');
  if (plain === '') return undefined;
  const value = parseJson(plain);
  if (value !== undefined) return value;
  if (plain.includes('&quot;') || plain.includes('&#34;') || plain.includes('&#x22;')) {
    const unescaped = parseJson(decodeHTML(plain));
    if (unescaped !== undefined) return unescaped;
  }
  return parseLiteral(plain) ?? parseBase64(plain);
}

/** Parses a text that is one JavaScript literal. */
function parseLiteral(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined;
  const literal = parseJsLiteral(text, 0);
  return literal === null || !/^\s*;?\s*$/.test(text.slice(literal.end)) ? undefined : literal.value;
}

function parseBase64(text: string): unknown {
  if (!BASE64.test(text)) return undefined;
  return parseJson(new TextDecoder().decode(decodeBase64(text)));
}

/** The data that Next.js streams into a page, joined to one text. Empty if the page has none. */
export function readFlightData(page: ParsedPage): string {
  return listVariables(page, '__next_f.push(')
    .map((piece) => (getPath(piece, 0) === 1 ? getPath(piece, 1) : undefined))
    .filter((text) => typeof text === 'string')
    .join('');
}
