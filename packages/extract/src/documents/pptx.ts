import { escapeText } from 'entities';
import { readXml, type XmlElement } from '#extract/converters/xml.ts';
import { type DocumentFacts, type DocumentPage, toDocumentHtml, toTableHtml } from './document.ts';
import type { Archive } from './zip.ts';

const MAX_SLIDES = 1000;

/** A presentation: each slide a section with its title as heading, its texts as lists or paragraphs, its tables. */
export function readPptx(archive: Archive, facts: DocumentFacts): Omit<DocumentPage, 'mediaType'> {
  const slides = archive.names
    .map((name) => ({ name, number: Number(/^ppt\/slides\/slide(\d{1,5})\.xml$/.exec(name)?.[1] ?? 0) }))
    .filter(({ number }) => number > 0)
    .toSorted((one, other) => one.number - other.number);
  const sections = slides
    .slice(0, MAX_SLIDES)
    .map(({ name }, at) => `<section id="slide-${at + 1}">${slideHtml(readXml(archive.read(name) ?? ''))}</section>`);
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

function slideHtml(slide: XmlElement | null): string {
  const shapes = slide === null ? [] : allOf(slide, /^(?:sp|graphicframe)$/);
  return shapes.map(shapeHtml).join('');
}

function shapeHtml(shape: XmlElement): string {
  const [table] = allOf(shape, /^tbl$/);
  if (table !== undefined) {
    const cellsOf = (row: XmlElement) => allOf(row, /^tc$/).map((cell) => allOf(cell, /^p$/).map(textOf).join('<br>'));
    return toTableHtml(allOf(table, /^tr$/).map(cellsOf));
  }
  const [body] = allOf(shape, /^txbody$/);
  const paragraphs =
    body === undefined
      ? []
      : allOf(body, /^p$/)
          .map(textOf)
          .filter((text) => text !== '');
  if (paragraphs.length === 0) return '';
  const kind = allOf(shape, /^ph$/)[0]?.attributes.get('type') ?? '';
  if (/^(?:sldNum|dt|ftr)$/.test(kind)) return '';
  if (kind === 'title' || kind === 'ctrTitle') return `<h2>${paragraphs.join(' ')}</h2>`;
  const isList = paragraphs.length > 1 && kind !== 'subTitle';
  return isList
    ? `<ul>${paragraphs.map((text) => `<li>${text}</li>`).join('')}</ul>`
    : paragraphs.map((text) => `<p>${text}</p>`).join('');
}

function textOf(paragraph: XmlElement): string {
  const pieces = allOf(paragraph, /^(?:t|br)$/);
  return pieces
    .map(({ name, text }) => (name === 'br' ? '<br>' : escapeText(text)))
    .join('')
    .trim();
}

/** The outermost elements of those names, in order. */
function allOf(element: XmlElement, names: RegExp): readonly XmlElement[] {
  return element.children.flatMap((child) => (names.test(child.name) ? [child] : allOf(child, names)));
}
