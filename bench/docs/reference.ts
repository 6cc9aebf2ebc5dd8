import { defaultTreeAdapter as adapter, type DefaultTreeAdapterTypes, parse, serializeOuter } from 'parse5';
import { toHtmlText } from '#bench/extraction/structure-scores.ts';
import { collapseSpace } from '#bench/extraction/text-scores.ts';
import type { DocsSet } from './sets.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.ParentNode | DefaultTreeAdapterTypes.ChildNode;

/** Kinds of elements whose loss hardly affects word scores. */
export const PART_TAGS = { terms: 'dt', code: 'pre', headings: 'h1 h2 h3 h4', cells: 'td' } as const;
export type Part = keyof typeof PART_TAGS;

/** The content of a page according to the markup of its generator. */
export type Reference = {
  readonly text: string;
  /** Share of its characters inside links. */
  readonly linked: number;
  /** The beginning of each element per kind, without spaces. */
  readonly parts: Readonly<Record<Part, readonly string[]>>;
};

const MAX_PART_CHARS = 50;

/** Reads the reference content of a page; null if it has no content element. */
export function readReference(
  html: string,
  { content, without }: Pick<DocsSet, 'content' | 'without'>,
): Reference | null {
  const box = listElements(parse(html)).find(buildMatcher(content));
  if (box === undefined) return null;
  const isNone = without.map(buildMatcher);
  for (const element of listElements(box)) {
    if (isHidden(element) || isTableOfContents(element) || isNone.some((matches) => matches(element)))
      adapter.detachNode(element);
  }
  const text = getText(box);
  const links = listElements(box).filter(({ tagName }) => tagName === 'a');
  const listParts = (part: Part): readonly string[] => {
    const tags = PART_TAGS[part].split(' ');
    const found = listElements(box).filter(({ tagName }) => tags.includes(tagName));
    return found
      .map((element) => removeSpaces(getText(element)).slice(0, MAX_PART_CHARS))
      .filter((start) => start !== '');
  };
  return {
    text,
    linked: collapseSpace(links.map(getText).join(' ')).length / Math.max(1, collapseSpace(text).length),
    parts: {
      terms: listParts('terms'),
      code: listParts('code'),
      headings: listParts('headings'),
      cells: listParts('cells'),
    },
  };
}

/** Removes all white space. */
export function removeSpaces(text: string): string {
  return text.replace(/\s/g, '');
}

function getText(element: Element): string {
  return toHtmlText(serializeOuter(element));
}

/** Whether an element is hidden by its own markup. */
function isHidden({ attrs }: Element): boolean {
  return attrs.some(({ name, value }) => name === 'hidden' || (name === 'style' && /display\s*:\s*none/i.test(value)));
}

/** Whether an element is a table of contents: all its links are fragments of the same page. */
function isTableOfContents(element: Element): boolean {
  const names = element.attrs.find(({ name }) => name === 'class')?.value ?? '';
  if (!/(?:^|\s)(?:toc|contents)(?:\s|$)/.test(names)) return false;
  const links = listElements(element).filter(({ tagName }) => tagName === 'a');
  const places = new Set(links.map((link) => link.attrs.find(({ name }) => name === 'href')?.value.replace(/#.*/, '')));
  return links.length > 0 && places.size === 1 && links.every((link) => isFragmentLink(link));
}

function isFragmentLink(link: Element): boolean {
  return link.attrs.some(({ name, value }) => name === 'href' && value.includes('#'));
}

/** Builds a matcher for a simple selector `tag#id.class[name=value]`, in which every part is optional. */
function buildMatcher(selector: string): (element: Element) => boolean {
  const [, tag, id, name, attribute, value] =
    /^([\w-]+)?(?:#([\w-]+))?(?:\.([\w-]+))?(?:\[([\w:-]+)(?:=([\w-]+))?\])?$/.exec(selector) ?? [];
  return (element) => {
    const is = (wanted: string) => element.attrs.find((one) => one.name === wanted)?.value;
    return (
      (tag === undefined || element.tagName === tag) &&
      (id === undefined || is('id') === id) &&
      (name === undefined || (is('class') ?? '').split(/\s+/).includes(name)) &&
      (attribute === undefined || (value === undefined ? is(attribute) !== undefined : is(attribute) === value))
    );
  };
}

/** All descendant elements of a node, in document order. */
function listElements(root: Node): readonly Element[] {
  if (!('childNodes' in root)) return [];
  return root.childNodes.flatMap((child) =>
    adapter.isElementNode(child) ? [child, ...listElements(child)] : listElements(child),
  );
}
