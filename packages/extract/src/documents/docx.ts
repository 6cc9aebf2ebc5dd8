import { toMammothInput } from '#extract/platform/node.ts';
import { zipSync } from 'fflate';
import { type ReadWarning, ReadError } from '#extract/warnings.ts';
import { type DocumentProperties, type DocumentPage, toDocumentHtml } from './document.ts';
import { ItemCounter, ADDED_STYLES, findHiddenStyles, insertAddedParts, prepareDocxText } from './docx-text.ts';
import type { Archive } from './zip.ts';

/** The parts needed to read the text; pictures, fonts, macros, comments and embedded files are ignored. */
const READ_PARTS =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|word\/(?:_rels\/)?(?:document|styles|numbering|footnotes|endnotes)\.xml(?:\.rels)?)$/;
/** The most elements of the text, since mammoth keeps all of them and its output in memory. */
const MAX_ELEMENTS = 200_000;
/** Mappings for paragraph and run styles that mammoth does not know by default. */
const STYLE_MAP = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='Intense Quote'] => blockquote > p:fresh",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
  "p[style-name='Code'] => pre:separator('\\n')",
  "r[style-name='HTML Code'] => code",
  ...ADDED_STYLES,
];
const MAIN_TEXT = 'word/document.xml';
const TEXT_PARTS = /^word\/(?:document|footnotes|endnotes)\.xml$/;
const TOO_LONG = `the document is too long: only its first ${MAX_ELEMENTS} elements were read`;
const EMPTY_RELATIONS =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>';

/** Reads a text document: headings, lists, tables, links and notes as Word's styles define them. Throws `unsupported_content`. */
export async function readDocx(archive: Archive, facts: DocumentProperties): Promise<Omit<DocumentPage, 'mediaType'>> {
  const { default: mammoth } = await import('mammoth');
  const { parts, isCut } = repackParts(archive);
  try {
    const { value } = await mammoth.convertToHtml(toMammothInput(parts), {
      styleMap: STYLE_MAP,
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    });
    const warnings: readonly ReadWarning[] = isCut ? [{ code: 'truncated', message: TOO_LONG }] : [];
    return { html: toDocumentHtml(facts, insertAddedParts(value)), pageCount: null, warnings };
  } catch (error) {
    throw new ReadError('unsupported_content', 'the document is damaged and cannot be opened', { cause: error });
  }
}

/**
 * Repacks the parts that are read into an uncompressed archive within our own limits, because mammoth has none. ISO/IEC
 * 29500-2 forbids document type declarations, which could define entities.
 */
function repackParts(archive: Archive): { readonly parts: Uint8Array<ArrayBuffer>; readonly isCut: boolean } {
  const texts = new Map<string, string>();
  let isCut = false;
  for (const name of archive.names) {
    const text = READ_PARTS.test(name) ? archive.read(name) : null;
    if (text === null) continue;
    if (text.includes('<!DOCTYPE'))
      throw new ReadError('unsupported_content', `${name} declares a document type, which is not allowed`);
    const cut = name === MAIN_TEXT ? cutText(text) : null;
    isCut ||= cut !== null;
    texts.set(name, cut ?? text);
  }
  const hidden = findHiddenStyles(texts.get('word/styles.xml') ?? '');
  const numbers = new ItemCounter(texts.get('word/numbering.xml') ?? '');
  const parts: Record<string, Uint8Array> = {};
  for (const [name, text] of texts) {
    parts[name] = new TextEncoder().encode(TEXT_PARTS.test(name) ? prepareDocxText(text, hidden, numbers) : text);
  }
  parts['word/_rels/document.xml.rels'] ??= new TextEncoder().encode(EMPTY_RELATIONS);
  return { parts: zipSync(parts, { level: 0 }), isCut };
}

/** Cuts an overlong text after a paragraph, row or table and closes the open elements; null if it is short enough. */
function cutText(xml: string): string | null {
  const open: string[] = [];
  let elements = 0;
  for (const { 0: tag, 1: slash, 2: name = '', index } of xml.matchAll(/<(\/?)([^\s/>!?<]+)[^<>]*>/g)) {
    if (slash === '') {
      elements++;
      if (!tag.endsWith('/>')) open.push(name);
      continue;
    }
    open.pop();
    if (elements < MAX_ELEMENTS || !/:(?:p|tr|tbl)$/.test(name)) continue;
    const ends = open.toReversed().map((outer) => `</${outer}>`);
    return xml.slice(0, index + tag.length) + ends.join('');
  }
  return null;
}
