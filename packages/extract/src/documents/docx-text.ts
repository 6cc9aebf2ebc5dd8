import { decodeXML, escapeText } from 'entities';
import { parseXmlAttributes, parseXml, type XmlElement } from '#extract/converters/xml.ts';
import { toMathml } from './docx-formula.ts';

/** The list properties of a paragraph; a member is `''` if the paragraph does not set it. */
type ListPlace = { readonly styleId: string; readonly numId: string; readonly level: string };
/** The level and number of a list item; `number` is null for a bullet. */
type ItemNumber = { readonly level: number; readonly number: number | null };

type ListLevel = { readonly start: number; readonly isOrdered: boolean };
type NumberingDefinition = { readonly id: string; readonly levels: ReadonlyMap<number, ListLevel> };
type NumberedList = { readonly list: string; readonly restarts: ReadonlyMap<number, number> };
type StyledLevel = { readonly list: string; readonly level: number };

/** Numbers the list items of a document as Word does: a list that is interrupted continues counting. */
export class ItemCounter {
  readonly #lists = new Map<string, NumberingDefinition>();
  readonly #numbered = new Map<string, NumberedList>();
  readonly #styled = new Map<string, StyledLevel>();
  readonly #counts = new Map<string, number[]>();
  readonly #started = new Set<string>();

  constructor(numbering: string) {
    for (const element of parseXml(numbering)?.children ?? []) {
      if (element.name === 'abstractnum') this.#addList(element);
      if (element.name === 'num') this.#addNumbered(element);
    }
  }

  #addList(element: XmlElement): void {
    const id = element.attributes.get('abstractnumid') ?? '';
    const levels = new Map<number, ListLevel>();
    for (const child of element.children) {
      if (child.name !== 'lvl') continue;
      const level = parseListNumber(child.attributes.get('ilvl'), 0);
      const start = parseListNumber(getChildValue(child, 'start'), 0);
      levels.set(level, { start, isOrdered: getChildValue(child, 'numfmt') !== 'bullet' });
      const styleId = getChildValue(child, 'pstyle');
      if (styleId !== undefined) this.#styled.set(styleId, { list: id, level });
    }
    this.#lists.set(id, { id, levels });
  }

  #addNumbered(element: XmlElement): void {
    const restarts = new Map<number, number>();
    for (const child of element.children) {
      const start = child.name === 'lvloverride' ? getChildValue(child, 'startoverride') : undefined;
      if (start !== undefined)
        restarts.set(parseListNumber(child.attributes.get('ilvl'), 0), parseListNumber(start, 1));
    }
    const list = getChildValue(element, 'abstractnumid') ?? '';
    this.#numbered.set(element.attributes.get('numid') ?? '', { list, restarts });
  }

  /** Counts a paragraph; null if it is not a list item. */
  next({ styleId, numId, level: ownLevel }: ListPlace): ItemNumber | null {
    const styled = this.#styled.get(styleId);
    const numbered = this.#numbered.get(numId);
    if (numId !== '' && numbered === undefined) return null;
    const list = this.#lists.get(numbered?.list ?? styled?.list ?? '');
    if (list === undefined) return null;
    const level = ownLevel === '' ? (styled?.level ?? 0) : parseListNumber(ownLevel, 0);
    const found = list.levels.get(level);
    if (found === undefined) return null;
    const counts = this.#counts.get(list.id) ?? [];
    this.#counts.set(list.id, counts);
    if (numbered !== undefined && !this.#started.has(numId)) {
      this.#started.add(numId);
      for (const [at, start] of numbered.restarts) counts[at] = start - 1;
    }
    const number = (counts[level] ?? found.start - 1) + 1;
    counts.length = level + 1;
    counts[level] = number;
    return { level, number: found.isOrdered ? number : null };
  }
}

function getChildValue(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.attributes.get('val');
}

/** Parses a whole number of at most six digits. */
function parseListNumber(value: string | undefined, otherwise: number): number {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : otherwise;
}

/** The namespace declaration of WordprocessingML, transitional or strict, with its prefix. */
const WORD_PREFIX =
  /\sxmlns(?::([^\s=]+))?\s*=\s*["']http:\/\/(?:schemas\.openxmlformats\.org\/wordprocessingml\/2006|purl\.oclc\.org\/ooxml\/wordprocessingml)\/main["']/;
const MATH_PREFIX =
  /\sxmlns(?::([^\s=]+))?\s*=\s*["']http:\/\/(?:schemas\.openxmlformats\.org\/officeDocument\/2006|purl\.oclc\.org\/ooxml\/officeDocument)\/math["']/;
const WORD_NAMESPACE = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const TAG = /<(\/?)([^\s/>!?<]+)([^<>]*)>/g;
/** The deepest nesting of runs that is handled; text boxes put runs inside runs. */
const MAX_NESTED_RUNS = 20;
const MAX_BASE_STYLES = 20;

/** The style IDs of added runs, with which content that mammoth does not support passes through it. */
const FORMULA_STYLE = 'formula-as-mathml';
const NUMBER_STYLE = 'number-of-item';

/** The IDs of the paragraph and character styles whose text is hidden. */
export type HiddenStyles = { readonly paragraph: ReadonlySet<string>; readonly character: ReadonlySet<string> };

type DocxParagraph = {
  readonly place: { -readonly [Name in keyof ListPlace]: ListPlace[Name] };
  /** The index in the parts at which the number is inserted; -1 if the paragraph has no properties. */
  numberAt: number;
  isJoined: boolean;
  hasText: boolean;
};
type DocxRun = { readonly start: number; hidden: boolean | null; styleId: string; hasText: boolean };

/** Style mappings for mammoth that mark the runs that `prepareDocxText` adds. */
export const ADDED_STYLES = [`r.${FORMULA_STYLE} => data.formula:fresh`, `r.${NUMBER_STYLE} => data.number:fresh`];

/** Finds the styles in `word/styles.xml` whose text is hidden, directly or through a base style. */
export function findHiddenStyles(styles: string): HiddenStyles {
  const all = new Map<string, XmlElement>();
  for (const style of parseXml(styles)?.children ?? []) {
    if (style.name === 'style') all.set(style.attributes.get('styleid') ?? '', style);
  }
  const paragraph = new Set<string>();
  const character = new Set<string>();
  for (const [id, style] of all) {
    if (isHiddenStyle(style, all)) (style.attributes.get('type') === 'character' ? character : paragraph).add(id);
  }
  return { paragraph, character };
}

function isHiddenStyle(style: XmlElement, all: ReadonlyMap<string, XmlElement>): boolean {
  let at: XmlElement | undefined = style;
  for (let bases = 0; bases < MAX_BASE_STYLES && at !== undefined; bases++) {
    const properties: XmlElement | undefined = at.children.find(({ name }) => name === 'rpr');
    const vanish = properties?.children.find(({ name }) => name === 'vanish');
    if (vanish !== undefined) return isOn(vanish.attributes);
    const base: string | undefined = at.children.find(({ name }) => name === 'basedon')?.attributes.get('val');
    at = base === undefined ? undefined : all.get(base);
  }
  return false;
}

/**
 * Rewrites document XML so that mammoth reads what it does not support: formulas as MathML, simple fields as their
 * displayed text, and item numbers that an HTML list would not count to by itself. Removes hidden text and rows.
 */
export function prepareDocxText(xml: string, hidden: HiddenStyles, numbers: ItemCounter): string {
  const word = WORD_PREFIX.exec(xml)?.[1] ?? '';
  const math = MATH_PREFIX.exec(xml)?.[1] ?? '';
  const prepared = new DocxTextPreparer(hidden, numbers);
  let at = 0;
  for (const { 0: tag, 1: slash, 2: written = '', 3: attributes = '', index } of xml.matchAll(TAG)) {
    prepared.addText(xml.slice(at, index));
    at = index + tag.length;
    const [prefix = '', local = ''] = written.includes(':') ? written.split(':', 2) : ['', written];
    const kind = prefix === word ? `w:${local}` : prefix === math ? `m:${local}` : local;
    if (slash === '') prepared.open(kind, tag, attributes);
    else prepared.close(kind, tag);
  }
  prepared.addText(xml.slice(at));
  return prepared.parts.join('');
}

class DocxTextPreparer {
  readonly parts: string[] = [];
  readonly #hidden: HiddenStyles;
  readonly #numbers: ItemCounter;
  readonly #ancestors: string[] = [];
  readonly #paragraphs: DocxParagraph[] = [];
  readonly #runs: DocxRun[] = [];
  readonly #rows: { readonly start: number; hidden: boolean }[] = [];
  /** For each open simple field, whether it became a link. */
  readonly #fields: boolean[] = [];
  #isInLink = false;
  /** The number that an HTML list has reached at each level. */
  #htmlCounts: number[] = [];
  /** The depth of the element whose content is skipped or read separately; -1 outside of one. */
  #skippedDepth = -1;
  #formula: string[] | null = null;
  #isDisplay = false;

  constructor(hidden: HiddenStyles, numbers: ItemCounter) {
    this.#hidden = hidden;
    this.#numbers = numbers;
  }

  addText(text: string): void {
    if (this.#formula !== null) this.#formula.push(text);
    else if (this.#skippedDepth < 0) this.parts.push(text);
  }

  open(kind: string, tag: string, attributes: string): void {
    const isEmpty = tag.endsWith('/>');
    if (this.#skippedDepth < 0) this.#handleOpen(kind, tag, attributes, isEmpty);
    else this.addText(tag);
    if (!isEmpty) this.#ancestors.push(kind);
  }

  #handleOpen(kind: string, tag: string, attributes: string, isEmpty: boolean): void {
    if (kind === 'w:fldSimple') {
      if (!isEmpty) this.#openField(parseXmlAttributes(attributes).get('instr') ?? '');
      return;
    }
    if (kind === 'm:oMathPara') {
      this.#isDisplay = !isEmpty;
      return;
    }
    if (!isEmpty && (kind === 'm:oMath' || kind === 'Choice')) {
      this.#skippedDepth = this.#ancestors.length;
      this.#formula = kind === 'm:oMath' ? [tag] : null;
      return;
    }
    if (!isEmpty) this.#startElement(kind);
    this.parts.push(tag);
    if (kind.startsWith('w:')) this.#readProperties(kind, attributes);
  }

  #startElement(kind: string): void {
    if (kind === 'w:p') {
      const place = { styleId: '', numId: '', level: '' };
      this.#paragraphs.push({ place, numberAt: -1, isJoined: false, hasText: false });
    }
    if (kind === 'w:r') this.#runs.push({ start: this.parts.length, hidden: null, styleId: '', hasText: false });
    if (kind === 'w:tr') this.#rows.push({ start: this.parts.length, hidden: false });
    if (LIST_BREAKS.has(kind)) this.#htmlCounts = [];
  }

  /** Reads the properties that an element sets for the surrounding paragraph, run or row. */
  #readProperties(kind: string, attributes: string): void {
    const [parent, second, third] = [this.#ancestors.at(-1), this.#ancestors.at(-2), this.#ancestors.at(-3)];
    const run = this.#runs.at(-1);
    const paragraph = this.#paragraphs.at(-1);
    const row = this.#rows.at(-1);
    if (run !== undefined && VISIBLE_ELEMENTS.has(kind)) run.hasText = true;
    if (run !== undefined && parent === 'w:rPr' && second === 'w:r') {
      const values = parseXmlAttributes(attributes);
      if (kind === 'w:vanish') run.hidden = isOn(values);
      if (kind === 'w:rStyle') run.styleId = values.get('val') ?? '';
    }
    if (kind === 'w:hidden' && parent === 'w:trPr' && row !== undefined)
      row.hidden = isOn(parseXmlAttributes(attributes));
    if (paragraph === undefined || !LIST_PLACE_ELEMENTS.has(kind)) return;
    const value = parseXmlAttributes(attributes).get('val') ?? '';
    const { place } = paragraph;
    if (kind === 'w:pStyle' && second === 'w:p') place.styleId = value;
    if (kind === 'w:numId' && parent === 'w:numPr' && third === 'w:p') place.numId = value;
    if (kind === 'w:ilvl' && parent === 'w:numPr' && third === 'w:p') place.level = value;
    if (kind === 'w:del' && parent === 'w:rPr' && second === 'w:pPr') paragraph.isJoined = true;
  }

  close(kind: string, tag: string): void {
    this.#ancestors.pop();
    if (this.#skippedDepth >= 0) {
      this.addText(tag);
      if (this.#ancestors.length <= this.#skippedDepth) this.#closeSkipped();
      return;
    }
    if (kind === 'w:fldSimple') {
      if (this.#fields.pop() !== true) return;
      this.#isInLink = false;
      this.parts.push(buildFieldMark('end'));
      return;
    }
    if (kind === 'm:oMathPara') {
      this.#isDisplay = false;
      return;
    }
    this.parts.push(tag);
    if (kind === 'w:r') this.#closeRun();
    if (kind === 'w:p') this.#closeParagraph();
    if (kind === 'w:tr') this.#closeRow();
    if (kind === 'w:pPr' && this.#ancestors.at(-1) === 'w:p') this.#reserveNumber();
    if (LIST_BREAKS.has(kind)) this.#htmlCounts = [];
  }

  #openField(instruction: string): void {
    const isLink = /^\s*HYPERLINK\s/.test(instruction) && !this.#isInLink;
    this.#fields.push(isLink);
    if (!isLink) return;
    this.#isInLink = true;
    const instructionRun = `<q:r xmlns:q="${WORD_NAMESPACE}"><q:instrText>${escapeText(instruction)}</q:instrText></q:r>`;
    this.parts.push(buildFieldMark('begin'), instructionRun, buildFieldMark('separate'));
  }

  #closeSkipped(): void {
    this.#skippedDepth = -1;
    const formula = this.#formula;
    this.#formula = null;
    const mathml = formula === null ? '' : toMathml(formula.join(''), this.#isDisplay);
    if (mathml === '') return;
    this.parts.push(buildAddedRun(FORMULA_STYLE, mathml));
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph !== undefined) paragraph.hasText = true;
  }

  /** Removes a hidden run except for its field marks, because fields open and close in different runs. */
  #closeRun(): void {
    const run = this.#runs.pop();
    if (run === undefined) return;
    const paragraph = this.#paragraphs.at(-1);
    const isHiddenByStyles =
      this.#hidden.character.has(run.styleId) !== this.#hidden.paragraph.has(paragraph?.place.styleId ?? '');
    if (this.#runs.length < MAX_NESTED_RUNS && (run.hidden ?? isHiddenByStyles)) {
      const marks = this.parts.splice(run.start).join('').match(FIELD_MARKS);
      if (marks !== null) this.parts.push(`<q:r xmlns:q="${WORD_NAMESPACE}">`, ...marks, '</q:r>');
      return;
    }
    if (paragraph !== undefined && run.hasText) paragraph.hasText = true;
  }

  #closeRow(): void {
    const row = this.#rows.pop();
    if (row?.hidden === true) this.parts.length = row.start;
  }

  #reserveNumber(): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph === undefined) return;
    paragraph.numberAt = this.parts.length;
    this.parts.push('');
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (paragraph === undefined || paragraph.isJoined) return;
    const item = paragraph.numberAt < 0 ? null : this.#numbers.next(paragraph.place);
    if (!paragraph.hasText) return;
    const level = item?.level ?? 0;
    this.#htmlCounts.length = Math.min(
      this.#htmlCounts.length,
      item === null || item.number === null ? level : level + 1,
    );
    if (item === null || item.number === null) return;
    const counted = (this.#htmlCounts[level] ?? 0) + 1;
    this.#htmlCounts[level] = item.number;
    if (counted !== item.number) this.parts[paragraph.numberAt] = buildAddedRun(NUMBER_STYLE, String(item.number));
  }
}

const LIST_BREAKS: ReadonlySet<string> = new Set(['w:tbl', 'w:tc', 'w:txbxContent']);
const LIST_PLACE_ELEMENTS: ReadonlySet<string> = new Set(['w:pStyle', 'w:numId', 'w:ilvl', 'w:del']);
/** Elements that make a run visible. */
const VISIBLE_ELEMENTS: ReadonlySet<string> = new Set([
  'w:t',
  'w:sym',
  'w:noBreakHyphen',
  'w:drawing',
  'w:pict',
  'w:object',
]);
const FIELD_MARKS = /<(?:[^\s<>/:]+:)?(?:fldChar\b[^<>]*\/>|instrText\b[^<>]*>[^<]*<\/(?:[^\s<>/:]+:)?instrText>)/g;

/** Whether a toggle property is on; it is unless its value turns it off. */
function isOn(attributes: ReadonlyMap<string, string>): boolean {
  return !/^(?:0|off|false)$/.test(attributes.get('val') ?? '');
}

function buildFieldMark(type: string): string {
  return `<q:r xmlns:q="${WORD_NAMESPACE}"><q:fldChar q:fldCharType="${type}"/></q:r>`;
}

function buildAddedRun(style: string, text: string): string {
  return `<q:r xmlns:q="${WORD_NAMESPACE}"><q:rPr><q:rStyle q:val="${style}"/></q:rPr><q:t>${escapeText(text)}</q:t></q:r>`;
}

/** Replaces the marked runs in mammoth's HTML by what `prepareDocxText` added. */
export function insertAddedParts(html: string): string {
  return html
    .replace(/<li><data class="number">(\d+)<\/data>/g, '<li value="$1">')
    .replace(/<data class="number">\d+<\/data>/g, '')
    .replace(/<data class="formula">([^<]*)<\/data>/g, (_, mathml: string) => decodeXML(mathml));
}
