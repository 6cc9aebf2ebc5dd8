import * as TAG from './tag-ids.ts';

/** Tag names as small integers. Higher ids belong to one parse, for custom names of a page. */
export { TAG };

/** The tag names by id. The document and text nodes have names that no element can have. */
export const TAG_NAMES: readonly string[] = Object.entries(TAG)
  .toSorted(([, one], [, other]) => one - other)
  .map(([key]) => toTagName(key));

function toTagName(key: string): string {
  if (key === 'document' || key === 'text') return `#${key}`;
  return key.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
}

/** Known attribute names as small integers. 0 is any other name. */
export const ATTRIBUTE = {
  id: 1,
  class: 2,
  href: 3,
  src: 4,
  style: 5,
  title: 6,
  alt: 7,
  name: 8,
  content: 9,
  property: 10,
  itemprop: 11,
  itemtype: 12,
  itemscope: 13,
  rel: 14,
  type: 15,
  role: 16,
  hidden: 17,
  ariaHidden: 18,
  ariaLabel: 19,
  datetime: 20,
  lang: 21,
  charset: 22,
  httpEquiv: 23,
  width: 24,
  height: 25,
  colspan: 26,
  rowspan: 27,
  dataSrc: 28,
  srcset: 29,
  dataSrcset: 30,
  action: 31,
  value: 32,
  checked: 33,
  start: 34,
  for: 35,
  media: 36,
  dataLang: 37,
  dataLanguage: 38,
  language: 39,
  itemid: 40,
  itemref: 41,
  typeof: 42,
  vocab: 43,
  resource: 44,
  about: 45,
  prefix: 46,
  cite: 47,
  poster: 48,
  open: 49,
  dir: 50,
  dataOriginal: 51,
  dataLazySrc: 52,
  encoding: 53,
  face: 54,
  color: 55,
  size: 56,
  summary: 57,
  headers: 58,
  // The next six refer to the element that a control opens.
  ariaControls: 59,
  dataTarget: 60,
  dataBsTarget: 61,
  dataToggleTarget: 62,
  dataToggle: 63,
  dataBsToggle: 64,
} as const;

/** The attribute names by id. The first entry stands for unknown names. */
export const ATTRIBUTE_NAMES: readonly string[] = [
  '',
  ...Object.keys(ATTRIBUTE).map((key) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)),
];

const ATTRIBUTE_IDS: ReadonlyMap<string, number> = new Map(ATTRIBUTE_NAMES.map((name, id) => [name, id]));

/** The id of a lower-case attribute name, 0 for unknown names. */
export function findAttributeId(name: string): number {
  return ATTRIBUTE_IDS.get(name) ?? 0;
}
