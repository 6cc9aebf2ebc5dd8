import { decodeXML } from 'entities';

/** An element of an XML document: its name without prefix, attributes likewise, children and own text. */
export type XmlElement = {
  readonly name: string;
  /** The name as written, prefix included. */
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
 * Reads XML forgivingly: unclosed elements end with their parent, entities other than the five and numbers stay as
 * they are, declarations are skipped and nothing external is ever read. Null when there is no element.
 */
export function readXml(source: string): XmlElement | null {
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

/** Closes the innermost element of that name and what is open inside it; an end tag without its start is ignored. */
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

/** Atom may carry XHTML as elements; its source is its text. */
function hasMarkup({ attributes }: OpenElement): boolean {
  return attributes.get('type') === 'xhtml';
}

/** A name as written without its prefix, in lower case. */
export function getXmlLocalName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1).toLowerCase();
}

/** A name begins after white space or another attribute; to look from each of its letters would cost the square. */
const ATTRIBUTE = /(?<![^\s="'])([^\s="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The attributes of a start tag by their lower-case names without prefix, values decoded. */
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

/** Where the section that starts at `from` ends: its content, and what follows it. */
function findSectionEnd(
  source: string,
  [start, end]: Section,
  from: number,
): { readonly content: number; readonly after: number } {
  const at = source.indexOf(end, from + start.length);
  return at < 0 ? { content: source.length, after: source.length } : { content: at, after: at + end.length };
}
