import { getXmlLocalName, parseXmlAttributes } from '#extract/converters/xml.ts';
import { createXmlScanner } from '#extract/converters/xml-scanner.ts';

/** A number as a cell of that style shows it. */
export type FormatNumber = (value: number, style: number) => string;

const MAX_STYLES = 100_000;
const MAX_FORMAT_LENGTH = 1000;
/** Days between the two calendars of workbooks. */
const DAYS_TO_1904 = 1462;
/** A format that shows a stretch of time, which counts from no day. */
const ELAPSED_TIME = /\[(?:h+|m+|s+)\]/i;
/** ISO/IEC 29500-1, 18.8.30: the formats of dates are those of the reader's country, so one that all can read stands here. */
const DATE_PATTERN = 'yyyy-mm-dd';
const DATE_TIME_PATTERN = 'yyyy-mm-dd hh:mm';
const LOCALE_DATE_PATTERNS: Readonly<Record<number, string>> = { 14: DATE_PATTERN, 22: DATE_TIME_PATTERN };

/** How each style of a workbook shows numbers and dates. */
export async function loadNumberFormats(styles: string, has1904: boolean): Promise<FormatNumber> {
  const { format, getFormatFromId, isDateFormat, isValidFormat } = await import('numfmt');
  const { custom, used } = readStyles(styles);
  const known = new Map<number, string>();

  function patternOf(style: number): string {
    const id = used[style] ?? 0;
    const found = known.get(id);
    if (found !== undefined) return found;
    const said = custom.get(id) ?? LOCALE_DATE_PATTERNS[id] ?? getFormatFromId(id) ?? 'General';
    const pattern = said.length <= MAX_FORMAT_LENGTH && isValidFormat(said) ? said : 'General';
    known.set(id, pattern);
    return pattern;
  }

  return (value, style) => {
    const pattern = patternOf(style);
    const isDate = isDateFormat(pattern) && !ELAPSED_TIME.test(pattern);
    const serial = has1904 && isDate ? value + DAYS_TO_1904 : value;
    return format(pattern, serial, { throws: false, grouping: [3, 3] }).trim();
  };
}

type NumberStyles = {
  /** Formats by their numbers. */
  readonly custom: ReadonlyMap<number, string>;
  /** The number of the format of each style. */
  readonly used: readonly number[];
};

function readStyles(xml: string): NumberStyles {
  const custom = new Map<number, string>();
  const used: number[] = [];
  let isOfCells = false;
  createXmlScanner({
    open(qualified, source) {
      const name = getXmlLocalName(qualified);
      if (name === 'cellxfs') isOfCells = true;
      if (name === 'numfmt' && custom.size < MAX_STYLES) {
        const attributes = parseXmlAttributes(source);
        custom.set(Number(attributes.get('numfmtid')), attributes.get('formatcode') ?? '');
      }
      if (name === 'xf' && isOfCells && used.length < MAX_STYLES) {
        used.push(Number(parseXmlAttributes(source).get('numfmtid') ?? 0));
      }
    },
    close(qualified) {
      if (getXmlLocalName(qualified) === 'cellxfs') isOfCells = false;
    },
    text: () => undefined,
  }).push(xml);
  return { custom, used };
}
