import { readXml, type XmlElement } from '#extract/converters/xml.ts';

/** Where a paragraph says that it stands in a list; `''` for what it does not say. */
export type ListPlace = { readonly styleId: string; readonly numId: string; readonly level: string };
/** The number of an item, or null for one with a bullet. */
export type ItemNumber = { readonly level: number; readonly number: number | null };

type ListLevel = { readonly start: number; readonly isOrdered: boolean };
type NumberingDefinition = { readonly id: string; readonly levels: ReadonlyMap<number, ListLevel> };
type NumberedList = { readonly list: string; readonly restarts: ReadonlyMap<number, number> };
type StyledLevel = { readonly list: string; readonly level: number };

/** Counts the items of the lists of a document, as Word does: a list that is left and taken up again counts on. */
export class ItemCounter {
  readonly #lists = new Map<string, NumberingDefinition>();
  readonly #numbered = new Map<string, NumberedList>();
  readonly #styled = new Map<string, StyledLevel>();
  readonly #counts = new Map<string, number[]>();
  readonly #started = new Set<string>();

  constructor(numbering: string) {
    for (const element of readXml(numbering)?.children ?? []) {
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

  /** Counts a paragraph; null where it is no item. */
  next({ styleId, numId, level: said }: ListPlace): ItemNumber | null {
    const styled = this.#styled.get(styleId);
    const numbered = this.#numbered.get(numId);
    if (numId !== '' && numbered === undefined) return null;
    const list = this.#lists.get(numbered?.list ?? styled?.list ?? '');
    if (list === undefined) return null;
    const level = said === '' ? (styled?.level ?? 0) : parseListNumber(said, 0);
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

/** A whole number that is not negative and not past what lists count. */
function parseListNumber(value: string | undefined, otherwise: number): number {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : otherwise;
}
