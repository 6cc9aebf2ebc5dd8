import { ReadError } from '#extract/read-error.ts';
import { readXml, type XmlElement } from '#extract/converters/xml.ts';
import type { DocumentFacts, DocumentPage } from './document.ts';
import { readDocx } from './docx.ts';
import { readPptx } from './pptx.ts';
import { readXlsx } from './xlsx.ts';
import { type Archive, openZip } from './zip.ts';

const MEDIA_TYPE = 'application/vnd.openxmlformats-officedocument';

/**
 * Reads a document of Office Open XML (ISO/IEC 29500): text, sheets or slides, told apart by the parts in the archive.
 * Entities are never defined, nothing outside is read, macros and embedded files stay packed. Throws
 * `unsupported_content` for any other archive and for one that is damaged.
 */
export async function readOffice(body: Uint8Array<ArrayBuffer>): Promise<DocumentPage> {
  const archive = openZip(body);
  if (archive === null) throw new ReadError('unsupported_content', 'the document is damaged: its archive is cut off');
  const facts = readFacts(archive);
  const names = new Set(archive.names);
  if (names.has('word/document.xml'))
    return { ...(await readDocx(archive, facts)), mediaType: typeOf('wordprocessingml.document') };
  if (names.has('xl/workbook.xml'))
    return { ...(await readXlsx(archive, facts)), mediaType: typeOf('spreadsheetml.sheet') };
  if (names.has('ppt/presentation.xml'))
    return { ...readPptx(archive, facts), mediaType: typeOf('presentationml.presentation') };
  throw new ReadError('unsupported_content', 'unsupported content type: application/zip');
}

function typeOf(format: string): string {
  return `${MEDIA_TYPE}.${format}`;
}

function readFacts(archive: Archive): DocumentFacts {
  const root = readXml(archive.read('docProps/core.xml') ?? '');
  const said = (name: string): string => textOf(root, name).slice(0, 2000);
  return {
    title: said('title'),
    author: said('creator'),
    description: said('description') || said('subject'),
    language: said('language'),
    created: said('created'),
    modified: said('modified'),
  };
}

function textOf(root: XmlElement | null, name: string): string {
  return root?.children.find((child) => child.name === name)?.text.trim() ?? '';
}
