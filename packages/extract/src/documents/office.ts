import { ReadError } from '#extract/read-error.ts';
import { readXml, type XmlElement } from '#extract/converters/xml.ts';
import type { DocumentProperties, DocumentPage } from './document.ts';
import { readDocx } from './docx.ts';
import { readPptx } from './pptx.ts';
import { readXlsx } from './xlsx.ts';
import { type Archive, openZip } from './zip.ts';

const MEDIA_TYPE_PREFIX = 'application/vnd.openxmlformats-officedocument';

/**
 * Reads a document of Office Open XML (ISO/IEC 29500): text, sheets or slides, told apart by the parts in the archive.
 * Entities are never defined, nothing outside is read, macros and embedded files stay packed. Throws
 * `unsupported_content` for any other archive and for one that is damaged.
 */
export async function readOffice(body: Uint8Array<ArrayBuffer>): Promise<DocumentPage> {
  const archive = openZip(body);
  if (archive === null) throw new ReadError('unsupported_content', 'the document is damaged: its archive is cut off');
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
  const root = readXml(archive.read('docProps/core.xml') ?? '');
  const said = (name: string): string => readChildText(root, name).slice(0, 2000);
  return {
    title: said('title'),
    author: said('creator'),
    description: said('description') || said('subject'),
    language: said('language'),
    created: said('created'),
    modified: said('modified'),
  };
}

function readChildText(root: XmlElement | null, name: string): string {
  return root?.children.find((child) => child.name === name)?.text.trim() ?? '';
}
