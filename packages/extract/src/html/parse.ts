import {
  appendChild,
  type Builder,
  createNode,
  current,
  currentTag,
  inventTag,
  MODE,
  newBuilder,
  nextAttribute,
  pop,
  RAW_CONTENT,
} from './builder.ts';
import { inDocumentOrder } from './document-order.ts';
import { addText, endTag, finish, startTag, type TextToken } from './modes.ts';
import { isQuirky } from './quirks.ts';
import { rawTextEnd, scriptEnd, withinNoscript } from './raw-text.ts';
import { TAG } from './tag-names.ts';
import { hashStep, lower } from './name-table.ts';
import { findAttribute, findTag, flagsOf, RCDATA } from './tags.ts';
import { HAS_REFERENCE, HTML_NAMESPACE, KEEPS_NUL, type Tree } from './tree.ts';
import { toLineFeeds } from '#extract/values/portions.ts';

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

/** How a page is written: in XHTML an element that closes itself (`<script src="a.js"/>`) is over, in HTML it is open. */
export type Syntax = 'html' | 'xhtml';

type Reader = {
  readonly b: Builder;
  readonly source: string;
  readonly syntax: Syntax;
  at: number;
  /** Where the next `&` is, so that a text knows without a scan of its own whether it holds references. */
  ampersand: number;
  /** The text being read; the same record is filled for each in turn. */
  readonly text: TextToken;
};

/**
 * Parses HTML into a flat tree by the tokenizer and tree construction of the HTML standard, in one pass and in time
 * linear in the source. It differs where reading is served better: comments have no node, noscript in the body holds
 * elements, depth stops at 512, and copies of misnested formatting elements are bounded. Of XHTML, that elements close
 * themselves is minded, and nothing else: a page that is no good XML is read all the same. Whether the source holds a NUL
 * is looked up unless it is told.
 */
export function parseHtml(source: string, syntax: Syntax = 'html', hasNul = source.includes('\0')): Tree {
  const text = toLineFeeds(source);
  const b = newBuilder(text);
  const token = { start: 0, content: 0, end: 0, flags: 0 };
  const reader: Reader = { b, source: text, syntax, at: 0, ampersand: nextAmpersand(text, 0), text: token };
  readDocument(reader);
  finish(b);
  return inDocumentOrder(b, hasNul);
}

function nextAmpersand(source: string, from: number): number {
  const at = source.indexOf('&', from);
  return at < 0 ? source.length : at;
}

function readDocument(r: Reader): void {
  const { source } = r;
  let textStart = 0;
  let search = 0;
  for (;;) {
    const tag = source.indexOf('<', search);
    if (tag < 0) break;
    r.at = tag;
    if (!startsMarkup(source, tag)) {
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

/** Characters that end the name of a tag or attribute; all are below the letters, so that `>` is the last to compare. */
function endsName(code: number): boolean {
  return code === GREATER || code === SLASH || isSpace(code);
}

/** Whether the `<` at `at` is more than a character of text. */
function startsMarkup(source: string, at: number): boolean {
  if (at + 1 >= source.length) return false;
  const code = source.charCodeAt(at + 1);
  if (isLetter(code) || code === BANG || code === QUESTION) return true;
  return code === SLASH && at + 2 < source.length;
}

function readText(r: Reader, start: number, end: number): void {
  const { source, text } = r;
  let content = start;
  while (content < end && isSpace(source.charCodeAt(content))) content++;
  if (r.ampersand < start) r.ampersand = nextAmpersand(source, start);
  text.start = start;
  text.content = content;
  text.end = end;
  text.flags = r.ampersand < end ? HAS_REFERENCE : 0;
  addText(r.b, text);
}

function readMarkup(r: Reader, tag: number): void {
  const code = r.source.charCodeAt(tag + 1);
  if (isLetter(code)) return readStartTag(r, tag);
  if (code === SLASH && isLetter(r.source.charCodeAt(tag + 2))) return readEndTag(r, tag);
  if (code === BANG) return readDeclaration(r, tag);
  // `</` or `<?` before anything else is a comment up to the next `>`.
  skipPast(r, '>', tag + 1);
}

function skipPast(r: Reader, text: string, from: number): void {
  const end = r.source.indexOf(text, from);
  r.at = end < 0 ? r.source.length : end + text.length;
}

/** Reads the tag name at `start`, leaves the reader behind it and answers the id. */
function readTagName(r: Reader, start: number): number {
  const { source } = r;
  let at = start;
  let hash = 0;
  for (; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code <= GREATER && endsName(code)) break;
    hash = hashStep(hash, lower(code));
  }
  r.at = at;
  const known = findTag(source, start, at, hash);
  return known >= 0 ? known : inventTag(r.b, source.slice(start, at).toLowerCase());
}

function readEndTag(r: Reader, start: number): void {
  const tag = readTagName(r, start + 2);
  const { b } = r;
  b.tokenAttributes = b.attributes;
  if (!readAttributes(r)) return;
  b.attributes = b.tokenAttributes;
  b.tokenStart = start;
  b.tokenEnd = r.at;
  endTag(b, tag);
}

function readStartTag(r: Reader, start: number): void {
  const { b } = r;
  b.tokenTag = readTagName(r, start + 1);
  b.tokenStart = start;
  b.tokenAttributes = b.attributes;
  if (!readAttributes(r)) return;
  b.tokenEnd = r.at;
  b.skipNewline = false;
  const raw = startTag(b) === RAW_CONTENT;
  if (b.skipNewline && r.source.charCodeAt(r.at) === LF) r.at++;
  if (r.syntax === 'xhtml' && b.selfClosing) closeItself(b, raw);
  else if (raw) readRawText(r);
}

/** Ends the element just opened; one that never has content is closed already. */
function closeItself(b: Builder, raw: boolean): void {
  if (raw) pop(b);
  else if (currentTag(b) === b.tokenTag && b.namespace[current(b)] === HTML_NAMESPACE) endTag(b, b.tokenTag);
}

/** Reads up to and with the `>` of a tag; false when the source ends first, which drops the tag. */
function readAttributes(r: Reader): boolean {
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

/** Records the attribute whose name starts at `start`; answers where it ends. */
function readAttribute(r: Reader, start: number): number {
  const { source, b } = r;
  const end = source.length;
  let at = start;
  let hash = 0;
  let code = 0;
  for (; at < end; at++) {
    code = source.charCodeAt(at);
    if (code <= GREATER && (endsName(code) || (code === EQUALS && at > start))) break;
    hash = hashStep(hash, lower(code));
  }
  const attribute = nextAttribute(b);
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

function readValue(r: Reader, start: number, attribute: number): number {
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

/** The content of the element just opened up to its end tag, as one text. */
function readRawText(r: Reader): void {
  const { b, source } = r;
  const node = current(b);
  const tag = b.tag[node] ?? 0;
  const start = r.at;
  const own = tag === TAG.plaintext ? source.length : endOfRawText(source, tag, start);
  const end = b.openCount[TAG.noscript] === 0 ? own : withinNoscript(source, start, own);
  if (end > start) {
    const text = createNode(b, TAG.text, start, end);
    b.flags[text] = (flagsOf(tag) & RCDATA) === 0 ? KEEPS_NUL : KEEPS_NUL | HAS_REFERENCE;
    appendChild(b, node, text);
  }
  pop(b);
  r.at = end;
  if (end === own && end < source.length) readRawEndTag(r, end);
}

function endOfRawText(source: string, tag: number, start: number): number {
  return tag === TAG.script ? scriptEnd(source, start) : rawTextEnd(source, tag, start);
}

/** The end tag of raw text closes what is closed already; only its place counts. */
function readRawEndTag(r: Reader, start: number): void {
  const { b } = r;
  readTagName(r, start + 2);
  b.tokenAttributes = b.attributes;
  readAttributes(r);
  b.attributes = b.tokenAttributes;
}

/** Comment, doctype, CDATA or a bogus comment. */
function readDeclaration(r: Reader, start: number): void {
  const { source, b } = r;
  if (source.charCodeAt(start + 2) === DASH && source.charCodeAt(start + 3) === DASH) return skipComment(r, start + 4);
  if (b.namespace[current(b)] !== HTML_NAMESPACE && source.startsWith('[CDATA[', start + 2))
    return readCdata(r, start + 9);
  skipPast(r, '>', start + 2);
  if (b.mode !== MODE.initial) return;
  const declaration = source.slice(start + 2, Math.min(r.at - 1, start + 514));
  if (!/^doctype/i.test(declaration)) return;
  b.quirks = isQuirky(declaration.slice(7));
  b.mode = MODE.beforeHtml;
}

/** A comment ends with `-->` or `--!>`; right at its start `>` and `->` do too. */
function skipComment(r: Reader, start: number): void {
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

function readCdata(r: Reader, start: number): void {
  const { b, source } = r;
  skipPast(r, ']]>', start);
  const end = r.at === source.length && !source.endsWith(']]>') ? source.length : r.at - 3;
  if (end <= start) return;
  const text = createNode(b, TAG.text, start, end);
  b.flags[text] = KEEPS_NUL;
  appendChild(b, current(b), text);
}
