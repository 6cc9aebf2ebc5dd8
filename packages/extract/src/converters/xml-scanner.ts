/** Events of an XML scan; names as written, attributes and text not yet decoded. */
export type XmlListener = {
  readonly open: (name: string, attributes: string) => void;
  readonly close: (name: string) => void;
  readonly text: (escaped: string) => void;
};

export type XmlScanner = {
  /** Reads on; what a piece of text breaks off is kept for the next. */
  readonly push: (text: string) => void;
};

/** A longer start tag is passed over. */
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
 * Builds a forgiving scanner of XML that arrives in pieces. It holds one unfinished tag and nothing else; declarations
 * are skipped, so no entity is ever defined and nothing external is read.
 */
export function createXmlScanner(listener: XmlListener): XmlScanner {
  let held = '';
  let awaited: string | null = null;

  /** Passes over a comment, declaration or overlong tag; the text of CDATA is told. False when its end is to come. */
  function skip(text: string, end: string): boolean {
    const found = text.indexOf(end);
    const kept = found < 0 ? Math.max(0, text.length - end.length + 1) : found;
    if (end === CDATA_END && kept > 0) listener.text(text.slice(0, kept).replaceAll('&', '&amp;'));
    held = text.slice(found < 0 ? kept : found + end.length);
    awaited = found < 0 ? end : null;
    return found >= 0;
  }

  /** Reads one token of what is held. False when more text is needed. */
  function step(): boolean {
    if (awaited !== null) return skip(held, awaited);
    const tag = held.indexOf('<');
    if (tag !== 0) {
      if (held !== '') listener.text(tag < 0 ? held : held.slice(0, tag));
      held = tag < 0 ? '' : held.slice(tag);
      return held !== '';
    }
    if (held.length < MAX_MARK_LENGTH && !held.includes('>')) return false;
    const section = SKIPPED_SECTIONS.find(([start]) => held.startsWith(start));
    if (section !== undefined) return skip(held.slice(section[0].length), section[1]);
    const end = held.indexOf('>');
    if (end > MAX_TAG_LENGTH || (end < 0 && held.length > MAX_TAG_LENGTH)) return skip(held, '>');
    if (end < 0) return false;
    emitTag(held.slice(1, end), listener);
    held = held.slice(end + 1);
    return held !== '';
  }

  return {
    push(text) {
      held += text;
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
