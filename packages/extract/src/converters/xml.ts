import { decodeXML } from 'entities';

/** The events of an XML scan. Names are as written; attributes and text are not yet decoded. */
export type XmlListener = {
  readonly open: (name: string, attributes: string) => void;
  readonly close: (name: string) => void;
  readonly text: (escaped: string) => void;
};

type XmlScanner = {
  /** Scans the next piece of text; an incomplete token is kept for the next piece. */
  readonly push: (text: string) => void;
};

/** A longer start tag is skipped. */
const MAX_TAG_LENGTH = 16_384;
const MAX_MARK_LENGTH = 9;
const CDATA_END = ']]>';
const SKIPPED_SECTIONS: readonly (readonly [start: string, end: string])[] = [
  ['<![CDATA[', CDATA_END],
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<!', '>'],
];

/**
 * Creates a lenient scanner for XML that arrives in pieces. It keeps only one unfinished tag. Declarations are skipped,
 * so no entities are defined and nothing external is read.
 */
export function createXmlScanner(listener: XmlListener): XmlScanner {
  let pending = '';
  let awaited: string | null = null;

  /** Skips a comment, declaration or overlong tag, and emits the text of CDATA. False if its end has not arrived yet. */
  function skip(text: string, end: string): boolean {
    const found = text.indexOf(end);
    const kept = found < 0 ? Math.max(0, text.length - end.length + 1) : found;
    if (end === CDATA_END && kept > 0) listener.text(text.slice(0, kept).replaceAll('&', '&amp;'));
    pending = text.slice(found < 0 ? kept : found + end.length);
    awaited = found < 0 ? end : null;
    return found >= 0;
  }

  /** Reads one token; false if more text is needed. */
  function step(): boolean {
    if (awaited !== null) return skip(pending, awaited);
    const tag = pending.indexOf('<');
    if (tag !== 0) {
      if (pending !== '') listener.text(tag < 0 ? pending : pending.slice(0, tag));
      pending = tag < 0 ? '' : pending.slice(tag);
      return pending !== '';
    }
    if (pending.length < MAX_MARK_LENGTH && !pending.includes('>')) return false;
    const section = SKIPPED_SECTIONS.find(([start]) => pending.startsWith(start));
    if (section !== undefined) return skip(pending.slice(section[0].length), section[1]);
    const end = pending.indexOf('>');
    if (end > MAX_TAG_LENGTH || (end < 0 && pending.length > MAX_TAG_LENGTH)) return skip(pending, '>');
    if (end < 0) return false;
    emitTag(pending.slice(1, end), listener);
    pending = pending.slice(end + 1);
    return pending !== '';
  }

  return {
    push(text) {
      pending += text;
      while (step());
    },
  };
}

function emitTag(inside: string, { open, close }: XmlListener): void {
  if (inside.startsWith('/')) {
    close(inside.slice(1).trim());
    return;
  }
  const name = /^[^\s/]+/.exec(inside)?.[0] ?? '';
  if (name === '') return;
  open(name, inside.slice(name.length));
  if (inside.endsWith('/')) close(name);
}

/** An XML element: name and attributes without prefix, children, and its own text. */
export type XmlElement = {
  readonly name: string;
  /** The name as written, including its prefix. */
  readonly qualified: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  readonly text: string;
};

type OpenElement = {
  readonly qualified: string;
  readonly attributes: Map<string, string>;
  readonly children: XmlElement[];
  readonly texts: string[];
  readonly start: number;
};

const MAX_DEPTH = 100;
const MAX_ELEMENTS = 200_000;

/**
 * Parses XML leniently: unclosed elements end with their parent, unknown entities stay as they are, declarations are
 * skipped and nothing external is read. Null if there is no element.
 */
export function parseXml(source: string): XmlElement | null {
  const root = createElement('', new Map(), 0);
  const stack: OpenElement[] = [root];
  let elements = 0;
  let at = 0;
  while (at < source.length && elements < MAX_ELEMENTS) {
    const top = stack.at(-1) ?? root;
    const tag = source.indexOf('<', at);
    if (tag !== at) top.texts.push(decodeXML(source.slice(at, tag < 0 ? source.length : tag)));
    if (tag < 0) break;
    const mark = SECTIONS.find(([start]) => source.startsWith(start, tag)) ?? TAG_SECTION;
    const { content, after } = findSectionEnd(source, mark, tag);
    at = after;
    if (mark[0] === CDATA) top.texts.push(source.slice(tag + CDATA.length, content));
    if (mark !== TAG_SECTION) continue;
    const inside = source.slice(tag + 1, content);
    if (inside.startsWith('/')) closeElement(stack, inside.slice(1).trim(), { end: tag, source });
    else {
      elements++;
      openElement(stack, inside, { end: after, source });
    }
  }
  while (stack.length > 1) closeElement(stack, stack.at(-1)?.qualified ?? '', { end: source.length, source });
  return root.children[0] ?? null;
}

type TagPlace = { readonly end: number; readonly source: string };

function openElement(stack: OpenElement[], inside: string, place: TagPlace): void {
  const empty = inside.endsWith('/');
  const name = /^[^\s/]+/.exec(inside)?.[0] ?? '';
  if (name === '') return;
  if (stack.length >= MAX_DEPTH) closeElement(stack, stack.at(-1)?.qualified ?? '', place);
  stack.push(createElement(name, parseXmlAttributes(inside.slice(name.length)), place.end));
  if (empty) closeElement(stack, name, place);
}

function createElement(qualified: string, attributes: Map<string, string>, start: number): OpenElement {
  return { qualified, attributes, children: [], texts: [], start };
}

/** Closes the innermost element of a name and everything open inside it; an end tag without a start tag is ignored. */
function closeElement(stack: OpenElement[], qualified: string, { end, source }: TagPlace): void {
  const at = stack.findLastIndex((element) => element.qualified === qualified);
  if (at < 1) return;
  while (stack.length > at) {
    const done = stack.pop();
    if (done === undefined) return;
    const text = hasMarkup(done) ? source.slice(done.start, end) : done.texts.join('');
    const name = getXmlLocalName(done.qualified);
    stack.at(-1)?.children.push({ ...done, name, text });
  }
}

/** Atom may embed XHTML as elements; their source becomes the text. */
function hasMarkup({ attributes }: OpenElement): boolean {
  return attributes.get('type') === 'xhtml';
}

/** A name without its prefix, in lower case. */
export function getXmlLocalName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1).toLowerCase();
}

/** The lookbehind starts matches only at the beginning of a name; trying each letter would take quadratic time. */
const ATTRIBUTE = /(?<![^\s="'])([^\s="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The attributes of a start tag by lower-case name without prefix, with decoded values. */
export function parseXmlAttributes(source: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of source.matchAll(ATTRIBUTE)) {
    attributes.set(getXmlLocalName(name), decodeXML(double ?? single ?? ''));
  }
  return attributes;
}

type Section = readonly [start: string, end: string];

const CDATA = '<![CDATA[';
const TAG_SECTION: Section = ['<', '>'];
const SECTIONS: readonly Section[] = [
  [CDATA, ']]>'],
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<!', '>'],
];

/** The end of the section that starts at `from`: `content` is the end of its content, `after` the position after its end mark. */
function findSectionEnd(
  source: string,
  [start, end]: Section,
  from: number,
): { readonly content: number; readonly after: number } {
  const at = source.indexOf(end, from + start.length);
  return at < 0 ? { content: source.length, after: source.length } : { content: at, after: at + end.length };
}
