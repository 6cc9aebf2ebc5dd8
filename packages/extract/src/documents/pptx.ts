import { escapeText } from 'entities';
import { readXml, type XmlElement } from '#extract/converters/xml.ts';
import { type DocumentProperties, type DocumentPage, toDocumentHtml, toTableHtml } from './document.ts';
import type { Archive } from './zip.ts';

const MAX_SLIDES = 1000;

/** A presentation: each slide a section with its title as heading, its texts as lists or paragraphs, its tables. */
export function readPptx(archive: Archive, facts: DocumentProperties): Omit<DocumentPage, 'mediaType'> {
  const slides = archive.names
    .map((name) => ({ name, number: Number(/^ppt\/slides\/slide(\d{1,5})\.xml$/.exec(name)?.[1] ?? 0) }))
    .filter(({ number }) => number > 0)
    .toSorted((one, other) => one.number - other.number);
  const sections = slides
    .slice(0, MAX_SLIDES)
    .map(({ name }, at) => `<section id="slide-${at + 1}">${renderSlide(readXml(archive.read(name) ?? ''))}</section>`);
  return {
    html: toDocumentHtml(facts, sections.join('')),
    pageCount: slides.length,
    warnings:
      slides.length > MAX_SLIDES
        ? [
            {
              code: 'truncated',
              message: `the presentation has ${slides.length} slides, of which ${MAX_SLIDES} were read`,
            },
          ]
        : [],
  };
}

function renderSlide(slide: XmlElement | null): string {
  const shapes = slide === null ? [] : listElements(slide, /^(?:sp|graphicframe)$/);
  return shapes.map(renderShape).join('');
}

function renderShape(shape: XmlElement): string {
  const [table] = listElements(shape, /^tbl$/);
  if (table !== undefined) {
    const cellsOf = (row: XmlElement) =>
      listElements(row, /^tc$/).map((cell) => listElements(cell, /^p$/).map(renderParagraph).join('<br>'));
    return toTableHtml(listElements(table, /^tr$/).map(cellsOf));
  }
  const [body] = listElements(shape, /^txbody$/);
  const paragraphs =
    body === undefined
      ? []
      : listElements(body, /^p$/)
          .map(renderParagraph)
          .filter((text) => text !== '');
  if (paragraphs.length === 0) return '';
  const kind = listElements(shape, /^ph$/)[0]?.attributes.get('type') ?? '';
  if (/^(?:sldNum|dt|ftr)$/.test(kind)) return '';
  if (kind === 'title' || kind === 'ctrTitle') return `<h2>${paragraphs.join(' ')}</h2>`;
  const isList = paragraphs.length > 1 && kind !== 'subTitle';
  return isList
    ? `<ul>${paragraphs.map((text) => `<li>${text}</li>`).join('')}</ul>`
    : paragraphs.map((text) => `<p>${text}</p>`).join('');
}

function renderParagraph(paragraph: XmlElement): string {
  const pieces = listElements(paragraph, /^(?:t|br)$/);
  return pieces
    .map(({ name, text }) => (name === 'br' ? '<br>' : escapeText(text)))
    .join('')
    .trim();
}

/** The outermost elements of those names, in order. */
function listElements(element: XmlElement, names: RegExp): readonly XmlElement[] {
  return element.children.flatMap((child) => (names.test(child.name) ? [child] : listElements(child, names)));
}
