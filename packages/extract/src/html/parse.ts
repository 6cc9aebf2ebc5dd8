import { toLineFeeds } from '#extract/values/portions.ts';
import {
  appendChild,
  type Builder,
  createNode,
  getCurrent,
  getCurrentTag,
  registerTag,
  MODE,
  createBuilder,
  addAttribute,
  popOpen,
  RAW_CONTENT,
} from './builder.ts';
import { buildTree } from './document-order.ts';
import { addText, endTag, finishDocument, startTag, type TextToken } from './modes.ts';
import { extendHash, toLowerCode, findAttribute, findTag, getTagFlags, RCDATA } from './tags.ts';
import { TAG, TAG_NAMES } from './tag-names.ts';
import { HAS_REFERENCE, HTML_NAMESPACE, KEEPS_NUL, type Tree } from './tree.ts';

/** The position of the end tag that closes raw text of `tag`. The end of the source if there is none. */
function findRawTextEnd(source: string, tag: number, from: number): number {
  return findEndTag(source, TAG_NAMES[tag] ?? '', { from, to: source.length });
}

/**
 * The position where raw text inside a noscript ends at the latest: at the end tag of the noscript. Browsers with
 * scripts read a noscript as text, so pages get away with `<noscript><iframe src=… /></noscript>`.
 */
function findNoscriptEnd(source: string, from: number, end: number): number {
  return findEndTag(source, 'noscript', { from, to: end });
}

type SourceRange = { readonly from: number; readonly to: number };

function findEndTag(source: string, name: string, { from, to }: SourceRange): number {
  let at = source.indexOf('</', from);
  while (at >= 0 && at < to) {
    if (isTagAt(source, name, at + 2)) return at;
    at = source.indexOf('</', at + 2);
  }
  return to;
}

function isTagAt(source: string, name: string, start: number): boolean {
  for (let at = 0; at < name.length; at++) {
    if (toLowerCode(source.charCodeAt(start + at)) !== name.charCodeAt(at)) return false;
  }
  return /[\s/>]/.test(source.charAt(start + name.length));
}

/**
 * The position of the end tag of a script. Inside `<!--` a `<script>` opens a nested one whose end tag does not count
 * (the "script data double escaped" states of the HTML standard).
 */
function findScriptEnd(source: string, from: number): number {
  const end = findEndTag(source, 'script', { from, to: source.length });
  if (!source.slice(from, end).includes('<!--')) return end;
  const token = /<!--|-->|<(\/?)script(?=[\s/>])/gi;
  token.lastIndex = from;
  let comment = false;
  let nested = false;
  for (let found = token.exec(source); found !== null; found = token.exec(source)) {
    if (found[0] === '-->') {
      comment = false;
      nested = false;
    } else if (found[0] === '<!--') {
      comment = true;
      // The dashes that open a comment may also end it.
      token.lastIndex -= 2;
    } else if (found[1] === '/') {
      if (!nested) return found.index;
      nested = false;
    } else nested = comment;
  }
  return source.length;
}

/** Prefixes of public identifiers that trigger quirks mode (HTML standard, 13.2.6.4.1). */
const QUIRKY_PREFIXES = [
  '+//silmaril//',
  '-//as//',
  '-//advasoft ltd//',
  '-//ietf//',
  '-//metrius//',
  '-//microsoft//',
  '-//netscape comm. corp.//',
  "-//o'reilly and associates//",
  '-//softquad',
  '-//spyglass//',
  '-//sq//',
  '-//sun microsystems corp.//',
  '-//w3c//dtd html 3',
  '-//w3c//dtd html 4.0 frameset//',
  '-//w3c//dtd html 4.0 transitional//',
  '-//w3c//dtd html experimental',
  '-//w3c//dtd w3 html',
  '-//w3o//dtd w3 html',
  '-//webtechs//',
];
const QUIRKY_IDS = new Set(['-//w3o//dtd w3 html strict 3.0//en//', '-/w3c/dtd html 4.0 transitional/en', 'html']);
const QUIRKY_WITHOUT_SYSTEM = ['-//w3c//dtd html 4.01 frameset//', '-//w3c//dtd html 4.01 transitional//'];
const QUIRKY_SYSTEM = 'http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd';

/** Whether a doctype (the part after the word) triggers quirks mode, in which tables stay inside an open paragraph. */
function isQuirky(doctype: string): boolean {
  const text = doctype.trim().toLowerCase();
  const name = /^[^\s>]*/.exec(text)?.[0];
  if (name !== 'html') return true;
  const rest = text.slice(4).trim();
  const quoted = [...rest.matchAll(/"([^"]*)"|'([^']*)'/g)].map((found) => found[1] ?? found[2] ?? '');
  if (rest.startsWith('system')) return quoted[0] === QUIRKY_SYSTEM;
  if (!rest.startsWith('public')) return rest !== '';
  const [id = '', system = ''] = quoted;
  if (QUIRKY_IDS.has(id) || system === QUIRKY_SYSTEM) return true;
  if (QUIRKY_PREFIXES.some((start) => id.startsWith(start))) return true;
  return quoted.length < 2 && QUIRKY_WITHOUT_SYSTEM.some((start) => id.startsWith(start));
}

const TAB = 9;
const LF = 10;
const FF = 12;
const SPACE = 32;
const BANG = 33;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const DASH = 45;
const SLASH = 47;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;

/** The syntax of a page. In XHTML `<script src="a.js"/>` closes the element, in HTML the element stays open. */
export type Syntax = 'html' | 'xhtml';

type SourceReader = {
  readonly b: Builder;
  readonly source: string;
  readonly syntax: Syntax;
  at: number;
  /** Position of the next `&`, so that each text knows without a search whether it has character references. */
  ampersand: number;
  /** The current text. The same record is reused for each text. */
  readonly text: TextToken;
};

/**
 * Parses HTML into a flat tree with the tokenizer and tree construction of the HTML standard, in one pass and linear
 * time. It differs where that helps extraction: comments have no node, noscript in the body contains elements, the
 * depth is limited to 512, and copies of misnested formatting elements are limited. Of XHTML only self-closing elements
 * are supported, so that malformed XML is read too. `hasNul` says whether the source contains NUL.
 */
export function parseHtml(source: string, syntax: Syntax = 'html', hasNul = source.includes('\0')): Tree {
  const text = toLineFeeds(source);
  const b = createBuilder(text);
  const token = { start: 0, content: 0, end: 0, flags: 0 };
  const reader: SourceReader = { b, source: text, syntax, at: 0, ampersand: findAmpersand(text, 0), text: token };
  readDocument(reader);
  finishDocument(b);
  return buildTree(b, hasNul);
}

function findAmpersand(source: string, from: number): number {
  const at = source.indexOf('&', from);
  return at < 0 ? source.length : at;
}

function readDocument(r: SourceReader): void {
  const { source } = r;
  let textStart = 0;
  let search = 0;
  for (;;) {
    const tag = source.indexOf('<', search);
    if (tag < 0) break;
    r.at = tag;
    if (!isMarkupStart(source, tag)) {
      search = tag + 1;
      continue;
    }
    if (tag > textStart) readText(r, textStart, tag);
    readMarkup(r, tag);
    textStart = r.at;
    search = r.at;
  }
  if (textStart < source.length) readText(r, textStart, source.length);
}

function isLetter(code: number): boolean {
  const letter = code | 32;
  return letter >= 97 && letter <= 122;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LF || code === TAB || code === FF;
}

/**
 * Whether a character ends the name of a tag or attribute. All such characters are below the letters, so `>` is the
 * highest to compare.
 */
function isNameEnd(code: number): boolean {
  return code === GREATER || code === SLASH || isSpace(code);
}

/** Whether the `<` at `at` starts markup rather than text. */
function isMarkupStart(source: string, at: number): boolean {
  if (at + 1 >= source.length) return false;
  const code = source.charCodeAt(at + 1);
  if (isLetter(code) || code === BANG || code === QUESTION) return true;
  return code === SLASH && at + 2 < source.length;
}

function readText(r: SourceReader, start: number, end: number): void {
  const { source, text } = r;
  let content = start;
  while (content < end && isSpace(source.charCodeAt(content))) content++;
  if (r.ampersand < start) r.ampersand = findAmpersand(source, start);
  text.start = start;
  text.content = content;
  text.end = end;
  text.flags = r.ampersand < end ? HAS_REFERENCE : 0;
  addText(r.b, text);
}

function readMarkup(r: SourceReader, tag: number): void {
  const code = r.source.charCodeAt(tag + 1);
  if (isLetter(code)) return readStartTag(r, tag);
  if (code === SLASH && isLetter(r.source.charCodeAt(tag + 2))) return readEndTag(r, tag);
  if (code === BANG) return readDeclaration(r, tag);
  // `</` or `<?` before any other character is a comment up to the next `>`.
  skipPast(r, '>', tag + 1);
}

function skipPast(r: SourceReader, text: string, from: number): void {
  const end = r.source.indexOf(text, from);
  r.at = end < 0 ? r.source.length : end + text.length;
}

/** Reads the tag name at `start`, moves the reader behind it and returns the id. */
function readTagName(r: SourceReader, start: number): number {
  const { source } = r;
  let at = start;
  let hash = 0;
  for (; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code <= GREATER && isNameEnd(code)) break;
    hash = extendHash(hash, toLowerCode(code));
  }
  r.at = at;
  const known = findTag(source, start, at, hash);
  return known >= 0 ? known : registerTag(r.b, source.slice(start, at).toLowerCase());
}

function readEndTag(r: SourceReader, start: number): void {
  const tag = readTagName(r, start + 2);
  const { b } = r;
  b.tokenAttributes = b.attributes;
  if (!readAttributes(r)) return;
  b.attributes = b.tokenAttributes;
  b.tokenStart = start;
  b.tokenEnd = r.at;
  endTag(b, tag);
}

function readStartTag(r: SourceReader, start: number): void {
  const { b } = r;
  b.tokenTag = readTagName(r, start + 1);
  b.tokenStart = start;
  b.tokenAttributes = b.attributes;
  if (!readAttributes(r)) return;
  b.tokenEnd = r.at;
  b.skipNewline = false;
  const raw = startTag(b) === RAW_CONTENT;
  if (b.skipNewline && r.source.charCodeAt(r.at) === LF) r.at++;
  if (r.syntax === 'xhtml' && b.selfClosing) closeSelfClosing(b, raw);
  else if (raw) readRawText(r);
}

/** Closes the element just opened, unless it is void. */
function closeSelfClosing(b: Builder, raw: boolean): void {
  if (raw) popOpen(b);
  else if (getCurrentTag(b) === b.tokenTag && b.namespace[getCurrent(b)] === HTML_NAMESPACE) endTag(b, b.tokenTag);
}

/** Reads up to and including the `>` of a tag. False if the source ends first, which drops the tag. */
function readAttributes(r: SourceReader): boolean {
  const { source, b } = r;
  const end = source.length;
  let at = r.at;
  b.selfClosing = false;
  for (;;) {
    let code = at < end ? source.charCodeAt(at) : 0;
    while (at < end && (code === SLASH || isSpace(code))) {
      b.selfClosing = code === SLASH;
      at++;
      code = at < end ? source.charCodeAt(at) : 0;
    }
    if (at >= end) {
      r.at = end;
      return false;
    }
    if (code === GREATER) {
      r.at = at + 1;
      return true;
    }
    b.selfClosing = false;
    at = readAttribute(r, at);
  }
}

/** Records the attribute whose name starts at `start` and returns its end. */
function readAttribute(r: SourceReader, start: number): number {
  const { source, b } = r;
  const end = source.length;
  let at = start;
  let hash = 0;
  let code = 0;
  for (; at < end; at++) {
    code = source.charCodeAt(at);
    if (code <= GREATER && (isNameEnd(code) || (code === EQUALS && at > start))) break;
    hash = extendHash(hash, toLowerCode(code));
  }
  const attribute = addAttribute(b);
  b.attributeId[attribute] = findAttribute(source, start, at, hash);
  b.nameStart[attribute] = start;
  b.nameEnd[attribute] = at;
  b.valueStart[attribute] = at;
  b.valueEnd[attribute] = at;
  while (at < end && isSpace(source.charCodeAt(at))) at++;
  if (at >= end || source.charCodeAt(at) !== EQUALS) return at;
  at++;
  while (at < end && isSpace(source.charCodeAt(at))) at++;
  return at < end ? readValue(r, at, attribute) : at;
}

function readValue(r: SourceReader, start: number, attribute: number): number {
  const { source, b } = r;
  const quote = source.charCodeAt(start);
  if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
    const close = source.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", start + 1);
    const end = close < 0 ? source.length : close;
    b.valueStart[attribute] = start + 1;
    b.valueEnd[attribute] = end;
    return end + 1;
  }
  let at = start;
  while (at < source.length) {
    const code = source.charCodeAt(at);
    if (code === GREATER || isSpace(code)) break;
    at++;
  }
  b.valueStart[attribute] = start;
  b.valueEnd[attribute] = at;
  return at;
}

/** Reads the content of the element just opened up to its end tag, as one text. */
function readRawText(r: SourceReader): void {
  const { b, source } = r;
  const node = getCurrent(b);
  const tag = b.tag[node] ?? 0;
  const start = r.at;
  const own = tag === TAG.plaintext ? source.length : findContentEnd(source, tag, start);
  const end = b.openCount[TAG.noscript] === 0 ? own : findNoscriptEnd(source, start, own);
  if (end > start) {
    const text = createNode(b, TAG.text, start, end);
    b.flags[text] = (getTagFlags(tag) & RCDATA) === 0 ? KEEPS_NUL : KEEPS_NUL | HAS_REFERENCE;
    appendChild(b, node, text);
  }
  popOpen(b);
  r.at = end;
  if (end === own && end < source.length) readRawEndTag(r, end);
}

function findContentEnd(source: string, tag: number, start: number): number {
  return tag === TAG.script ? findScriptEnd(source, start) : findRawTextEnd(source, tag, start);
}

/** The end tag of raw text, whose element is already closed. Only its position matters. */
function readRawEndTag(r: SourceReader, start: number): void {
  const { b } = r;
  readTagName(r, start + 2);
  b.tokenAttributes = b.attributes;
  readAttributes(r);
  b.attributes = b.tokenAttributes;
}

/** A comment, doctype, CDATA section or bogus comment. */
function readDeclaration(r: SourceReader, start: number): void {
  const { source, b } = r;
  if (source.charCodeAt(start + 2) === DASH && source.charCodeAt(start + 3) === DASH) return skipComment(r, start + 4);
  if (b.namespace[getCurrent(b)] !== HTML_NAMESPACE && source.startsWith('[CDATA[', start + 2))
    return readCdata(r, start + 9);
  skipPast(r, '>', start + 2);
  if (b.mode !== MODE.initial) return;
  const declaration = source.slice(start + 2, Math.min(r.at - 1, start + 514));
  if (!/^doctype/i.test(declaration)) return;
  b.quirks = isQuirky(declaration.slice(7));
  b.mode = MODE.beforeHtml;
}

/** A comment ends with `-->` or `--!>`. Right at its start `>` and `->` also end it. */
function skipComment(r: SourceReader, start: number): void {
  const { source } = r;
  if (source.charCodeAt(start) === GREATER) {
    r.at = start + 1;
    return;
  }
  if (source.startsWith('->', start)) {
    r.at = start + 2;
    return;
  }
  let dashes = source.indexOf('--', start);
  while (dashes >= 0) {
    let after = dashes + 2;
    while (source.charCodeAt(after) === DASH) after++;
    if (source.charCodeAt(after) === BANG) after++;
    if (source.charCodeAt(after) === GREATER) {
      r.at = after + 1;
      return;
    }
    dashes = source.indexOf('--', after);
  }
  r.at = source.length;
}

function readCdata(r: SourceReader, start: number): void {
  const { b, source } = r;
  skipPast(r, ']]>', start);
  const end = r.at === source.length && !source.endsWith(']]>') ? source.length : r.at - 3;
  if (end <= start) return;
  const text = createNode(b, TAG.text, start, end);
  b.flags[text] = KEEPS_NUL;
  appendChild(b, getCurrent(b), text);
}
