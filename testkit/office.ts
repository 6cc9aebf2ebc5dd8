import { crc32, deflateRawSync } from 'node:zlib';

const RELATIONS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORD_NAMESPACE = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const SHEET_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const DEFLATE_METHOD = 8;

const CORE_PROPERTIES = `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Yearly ledger</dc:title>
<dc:creator>Ada Miller</dc:creator><dcterms:created>2025-03-01T08:00:00Z</dcterms:created>
<dcterms:modified>2025-03-02T09:30:00Z</dcterms:modified></cp:coreProperties>`;

/** Builds a zip archive (APPNOTE.TXT 6.3.10). It uses zlib at its fastest level, because tests build large zip bombs. */
export function buildZip(parts: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(parts)) {
    const bytes = Buffer.from(text);
    const packed = deflateRawSync(bytes, { level: 1 });
    const path = Buffer.from(name);
    const said = Buffer.alloc(26);
    said.writeUInt16LE(20);
    said.writeUInt16LE(DEFLATE_METHOD, 4);
    said.writeUInt32LE(crc32(bytes), 10);
    said.writeUInt32LE(packed.length, 14);
    said.writeUInt32LE(bytes.length, 18);
    said.writeUInt16LE(path.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    files.push(Buffer.from('PK\x03\x04'), said, path, packed);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), said, place, path);
    at += 4 + said.length + path.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(parts).length, 4);
  end.writeUInt16LE(Object.keys(parts).length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Uint8Array.from(Buffer.concat([...files, listed, Buffer.from('PK\x05\x06'), end]));
}

/** Builds a Word document from the WordprocessingML of its body. */
export function buildDocx(body: string, more: Readonly<Record<string, string>> = {}): Uint8Array<ArrayBuffer> {
  return buildZip({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': buildRelations([['rId1', 'officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': buildRelations([
      ['rId1', 'styles', 'styles.xml'],
      ['rId2', 'numbering', 'numbering.xml'],
      ['rId3', 'hyperlink', 'https://mill.example/prices'],
    ]),
    'word/styles.xml': `<w:styles xmlns:w="${WORD_NAMESPACE}">${['heading 1', 'heading 2', 'Title']
      .map((name, at) => `<w:style w:type="paragraph" w:styleId="S${at}"><w:name w:val="${name}"/></w:style>`)
      .join('')}</w:styles>`,
    'word/numbering.xml': `<w:numbering xmlns:w="${WORD_NAMESPACE}"><w:abstractNum w:abstractNumId="0">${[0, 1]
      .map((level) => `<w:lvl w:ilvl="${level}"><w:numFmt w:val="bullet"/></w:lvl>`)
      .join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    'docProps/core.xml': CORE_PROPERTIES,
    'word/document.xml': `<w:document xmlns:w="${WORD_NAMESPACE}" xmlns:r="${RELATIONS_NAMESPACE}"><w:body>${body}</w:body></w:document>`,
    ...more,
  });
}

/** Builds an Excel workbook from the SpreadsheetML of its sheets, shared strings and number formats. */
export function buildXlsx(
  sheets: readonly { readonly name: string; readonly rows: string; readonly state?: string }[],
  shared: readonly string[] = [],
  formats: readonly string[] = [],
): Uint8Array<ArrayBuffer> {
  const numbered = sheets.map((sheet, at) => ({ ...sheet, id: `rId${at + 1}`, part: `worksheets/sheet${at + 1}.xml` }));
  return buildZip({
    'docProps/core.xml': CORE_PROPERTIES,
    'xl/workbook.xml': `<workbook xmlns="${SHEET_NAMESPACE}" xmlns:r="${RELATIONS_NAMESPACE}"><sheets>${numbered
      .map(({ name, id, state = 'visible' }) => `<sheet name="${name}" state="${state}" r:id="${id}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': buildRelations(numbered.map(({ id, part }) => [id, 'worksheet', part])),
    'xl/sharedStrings.xml': `<sst xmlns="${SHEET_NAMESPACE}">${shared.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${SHEET_NAMESPACE}"><numFmts>${formats
      .map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`)
      .join('')}</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>${formats
      .map((_, at) => `<xf numFmtId="${164 + at}"/>`)
      .join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      numbered.map(({ part, rows }) => [
        `xl/${part}`,
        `<worksheet xmlns="${SHEET_NAMESPACE}"><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  });
}

function buildRelations(all: readonly (readonly [id: string, type: string, target: string])[]): string {
  const each = all.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="${RELATIONS_NAMESPACE}/${type}" Target="${target}"${type === 'hyperlink' ? ' TargetMode="External"' : ''}/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`;
}
