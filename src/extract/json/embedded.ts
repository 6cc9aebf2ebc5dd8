import { decodeHTML } from 'entities';
import { parseJson } from '#extract/values/json.ts';
import { readLiteral } from './literal.ts';

const LONGEST = 20_000_000;
/** What sites put before JSON so that a script tag cannot run it. */
const GUARD = /^(?:for\s*\(;;\);|while\s*\((?:1|true)\);|\)\]\}'?,?|throw [^;]{0,50};)\s*/;
const COMMENT = /^(?:<!--|<!\[CDATA\[)|(?:-->|\]\]>)$/g;
const BASE64 = /^[A-Za-z0-9+/_\s-]{16,}={0,2}\s*$/;

/**
 * The value of a JSON text as pages carry it: plain, one object a line, behind a guard such as `for (;;);`, in an HTML
 * comment, HTML-escaped, base64, or with what only JavaScript knows (`undefined`). Undefined when it is none of these.
 */
export function parseEmbedded(text: string): unknown {
  if (text.length > LONGEST) return undefined;
  const plain = text.trim().replaceAll(COMMENT, '').trim().replace(GUARD, '');
  if (plain === '') return undefined;
  const value = parseJson(plain);
  if (value !== undefined) return value;
  if (plain.includes('&quot;') || plain.includes('&#34;') || plain.includes('&#x22;')) {
    const unescaped = parseJson(decodeHTML(plain));
    if (unescaped !== undefined) return unescaped;
  }
  return fromLiteral(plain) ?? fromBase64(plain);
}

/** A literal of JavaScript that is the whole text. */
function fromLiteral(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined;
  const literal = readLiteral(text, 0);
  return literal === null || !/^\s*;?\s*$/.test(text.slice(literal.end)) ? undefined : literal.value;
}

function fromBase64(text: string): unknown {
  if (!BASE64.test(text)) return undefined;
  return parseJson(Buffer.from(text, 'base64').toString('utf8'));
}
