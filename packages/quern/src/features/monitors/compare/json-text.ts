import { isJsonObject } from '#extract/values/json-object.ts';

/** Deeper JSON is compared as written. */
const MAX_DEPTH = 64;
/** Maximum number of zeros before a number is written with an exponent. */
const MAX_ZEROS = 20;
/** Longer numbers and texts are compared as written. */
const MAX_NUMBER_CHARS = 1000;
const MAX_TEXT_CHARS = 2 * 1024 * 1024;

const FENCED_BLOCK = /^(`{3,}|~{3,})[a-z]*\n([\s\S]*)\n\1\s*$/;
const HTML_BLOCK = /^<pre><code[^>]*>([\s\S]*)<\/code><\/pre>\s*$/;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Marks the text of a number. JSON cannot contain this character. */
const NUMBER_MARK = '\u0001';

/**
 * Formats JSON with sorted members and normalized numbers, one value per line; null for any other text. The JSON may be
 * plain, in a Markdown code block, or in HTML.
 */
export function formatJsonLines(written: string): string | null {
  if (written.length > MAX_TEXT_CHARS) return null;
  const text = extractJson(written.trim());
  if (!/^[[{]/.test(text)) return null;
  try {
    JSON.parse(text);
    const marked = text.replaceAll(STRING_OR_NUMBER, (token) =>
      token.startsWith('"') ? token : `"\\u0001${normalizeNumber(token)}"`,
    );
    const lines: string[] = [];
    const value: unknown = JSON.parse(marked);
    return addLines(value, '', lines) ? lines.join('\n') : null;
  } catch {
    return null;
  }
}

function extractJson(written: string): string {
  const fenced = FENCED_BLOCK.exec(written)?.[2];
  if (fenced !== undefined) return fenced.trim();
  const shown = HTML_BLOCK.exec(written)?.[1];
  if (shown === undefined) return written;
  return shown.replaceAll(/&(lt|gt|quot|amp|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole).trim();
}

/** Adds the lines of a value. Returns false if it is too deep. */
function addLines(value: unknown, before: string, lines: string[], depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const members = Array.isArray(value)
    ? value.map((item: unknown) => ['', item] as const)
    : isJsonObject(value)
      ? Object.keys(value)
          .toSorted()
          .map((name) => [`${JSON.stringify(name)}: `, value[name]] as const)
      : null;
  if (members === null) {
    lines.push(before + formatScalar(value));
    return true;
  }
  if (members.length === 0) {
    lines.push(before + open + close);
    return true;
  }
  lines.push(before + open);
  const isWhole = members.every(([name, member]) => addLines(member, name, lines, depth + 1));
  lines.push(close);
  return isWhole;
}

function formatScalar(value: unknown): string {
  if (typeof value === 'string' && value.startsWith(NUMBER_MARK)) return value.slice(1);
  return JSON.stringify(value);
}

/** Normalizes a number of any size and precision: 1, 1.0 and 1e0 are the same. */
function normalizeNumber(token: string): string {
  if (token.length > MAX_NUMBER_CHARS) return token;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(token) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  if (power >= 0 && power <= MAX_ZEROS) return sign + significant + '0'.repeat(power);
  const point = significant.length + power;
  if (power < 0 && point > 0) return `${sign}${significant.slice(0, point)}.${significant.slice(point)}`;
  if (power < 0 && point > -MAX_ZEROS) return `${sign}0.${'0'.repeat(-point)}${significant}`;
  return `${sign}${significant}e${power}`;
}
