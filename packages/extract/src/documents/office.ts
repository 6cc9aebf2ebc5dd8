import { escapeText } from 'entities';
import { parseXml, type XmlElement } from '#extract/converters/xml.ts';
import { ReadError } from '#extract/warnings.ts';
import { type DocumentPage, type DocumentProperties, toDocumentHtml, toTableHtml } from './document.ts';
import { readDocx } from './docx.ts';
import { readXlsx } from './xlsx.ts';
import { type Archive, openZip } from './zip.ts';

const MEDIA_TYPE_PREFIX = 'application/vnd.openxmlformats-officedocument';

/**
 * Reads an Office Open XML document (ISO/IEC 29500): text, sheets or slides, recognised by the parts of its archive.
 * Entities are not expanded, nothing external is read, macros and embedded files are ignored. Throws
 * `unsupported_content` for any other archive and for damaged ones.
 */
export async function readOffice(body: Uint8Array<ArrayBuffer>): Promise<DocumentPage> {
  const archive = openZip(body);
  if (archive === null)
    throw new ReadError('unsupported_content', 'the document is damaged: its archive is incomplete');
  const facts = readCoreProperties(archive);
  const names = new Set(archive.names);
  if (names.has('word/document.xml'))
    return { ...(await readDocx(archive, facts)), mediaType: toMediaType('wordprocessingml.document') };
  if (names.has('xl/workbook.xml'))
    return { ...(await readXlsx(archive, facts)), mediaType: toMediaType('spreadsheetml.sheet') };
  if (names.has('ppt/presentation.xml'))
    return { ...readPptx(archive, facts), mediaType: toMediaType('presentationml.presentation') };
  throw new ReadError('unsupported_content', 'unsupported content type: application/zip');
}

function toMediaType(format: string): string {
  return `${MEDIA_TYPE_PREFIX}.${format}`;
}

function readCoreProperties(archive: Archive): DocumentProperties {
  const root = parseXml(archive.read('docProps/core.xml') ?? '');
  const readProperty = (name: string): string => readChildText(root, name).slice(0, 2000);
  return {
    title: readProperty('title'),
    author: readProperty('creator'),
    description: readProperty('description') || readProperty('subject'),
    language: readProperty('language'),
    created: readProperty('created'),
    modified: readProperty('modified'),
  };
}

function readChildText(root: XmlElement | null, name: string): string {
  return root?.children.find((child) => child.name === name)?.text.trim() ?? '';
}

const MAX_SLIDES = 1000;

/**
 * Reads a presentation: each slide becomes a section with its title as heading, its texts as lists or paragraphs, and
 * its tables.
 */
function readPptx(archive: Archive, facts: DocumentProperties): Omit<DocumentPage, 'mediaType'> {
  const slides = archive.names
    .map((name) => ({ name, number: Number(/^ppt\/slides\/slide(\d{1,5})\.xml$/.exec(name)?.[1] ?? 0) }))
    .filter(({ number }) => number > 0)
    .toSorted((one, other) => one.number - other.number);
  const sections = slides
    .slice(0, MAX_SLIDES)
    .map(
      ({ name }, at) => `<section id="slide-${at + 1}">${renderSlide(parseXml(archive.read(name) ?? ''))}</section>`,
    );
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
    const renderCells = (row: XmlElement) =>
      listElements(row, /^tc$/).map((cell) => listElements(cell, /^p$/).map(renderParagraph).join('<br>'));
    return toTableHtml(listElements(table, /^tr$/).map(renderCells));
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

/** The outermost descendants with matching names, in order. */
function listElements(element: XmlElement, names: RegExp): readonly XmlElement[] {
  return element.children.flatMap((child) => (names.test(child.name) ? [child] : listElements(child, names)));
}
