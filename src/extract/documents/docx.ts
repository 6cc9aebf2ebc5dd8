import { zipSync } from 'fflate';
import { ServiceError } from '#kernel/errors.ts';
import { toDocumentHtml } from './document.ts';
import type { DocumentFacts, DocumentPage } from './document.ts';
import type { Archive } from './zip.ts';

/** The parts that say what a text reads as; pictures, fonts, macros, comments and embedded files are left out. */
const PARTS =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|word\/(?:_rels\/)?(?:document|styles|numbering|footnotes|endnotes)\.xml(?:\.rels)?)$/;
/** Styles of the paragraphs that the library does not know by itself. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='Intense Quote'] => blockquote > p:fresh",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
  "p[style-name='Code'] => pre:separator('\\n')",
  "r[style-name='HTML Code'] => code",
];
const EMPTY_RELATIONS =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>';

/** A text document: headings, lists, tables, links and notes as Word's own styles say. Throws `unsupported_content`. */
export async function readDocx(archive: Archive, facts: DocumentFacts): Promise<Omit<DocumentPage, 'mediaType'>> {
  const { default: mammoth } = await import('mammoth');
  const parts = repack(archive);
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: parts },
      {
        styleMap: STYLES,
        includeEmbeddedStyleMap: false,
        externalFileAccess: false,
        convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      },
    );
    return { html: toDocumentHtml(facts, value), pageCount: null, warnings: [] };
  } catch (error) {
    throw new ServiceError('unsupported_content', 'this document is damaged: nothing here opens it', { cause: error });
  }
}

/**
 * The parts that are read, unpacked within our own bounds, as an archive without compression: a library that unpacks has
 * no bound of its own. ISO/IEC 29500-2 forbids document types, which could define entities.
 */
function repack(archive: Archive): Buffer {
  const parts: Record<string, Uint8Array> = {};
  for (const name of archive.names) {
    const text = PARTS.test(name) ? archive.read(name) : null;
    if (text === null) continue;
    if (text.includes('<!DOCTYPE'))
      throw new ServiceError('unsupported_content', `${name} of this document has a document type, as none may`);
    parts[name] = new TextEncoder().encode(text);
  }
  parts['word/_rels/document.xml.rels'] ??= new TextEncoder().encode(EMPTY_RELATIONS);
  return Buffer.from(zipSync(parts, { level: 0 }));
}
