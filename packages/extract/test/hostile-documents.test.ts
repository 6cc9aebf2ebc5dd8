import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readDocument } from '#extract/page-source.ts';
import { readPageWithTree } from '#extract/read-page.ts';
import type { PageReading, ReadRequest } from '#extract/reading.ts';
import { ReadError } from '#extract/warnings.ts';
import { lockPdf } from './support/lock-pdf.ts';
import { buildDocx, buildXlsx, buildZip } from '#testkit/office.ts';
import { buildPdf } from '#testkit/pdf.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';

type DocumentOptions = { readonly mayGoOn?: () => boolean; readonly outputs?: ReadRequest['outputs'] };

async function read(
  body: Uint8Array<ArrayBuffer>,
  { mayGoOn = () => true, outputs = ['markdown'] }: DocumentOptions = {},
): Promise<PageReading> {
  const request = { ...buildMarkdownRequest(body, 'https://mill.example/files/a'), contentType: '', outputs };
  return readPageWithTree(request, await readDocument(body, mayGoOn)).reading;
}

/** The Markdown with the codes of the warnings, or the error. */
async function readOutcome(body: Uint8Array<ArrayBuffer>): Promise<string> {
  try {
    const { outputs, warnings } = await read(body);
    return [outputs.markdown?.trim(), ...warnings.map(({ code }) => code)].join(' + ');
  } catch (error) {
    return error instanceof ReadError ? error.code : String(error);
  }
}

function stream(content: string, members = ''): string {
  return `<< /Length ${content.length} ${members} >>\nstream\n${content}\nendstream`;
}

/** A PDF of one page with the given objects, edited as text. A replacement must not be longer than what it replaces. */
function buildChangedPdf(
  options: Parameters<typeof buildPdf>[1],
  change: (pdf: string) => string,
): Uint8Array<ArrayBuffer> {
  const pdf = Buffer.from(buildPdf([{ shown: [{ text: 'Rye and oats', x: 72, y: 700 }] }], options)).toString('latin1');
  return Uint8Array.from(Buffer.from(change(pdf), 'latin1'));
}

const PLAIN = [{ shown: [{ text: 'Rye and oats', x: 72, y: 700 }] }];
const FONTS = '/F2 4 0 R >>';

/** Form objects, each of which draws the next one ten times. */
function buildForms(depth: number): readonly string[] {
  return Array.from({ length: depth }, (_, at) => {
    const content = (at < depth - 1 ? `/F${at + 1} Do ` : 'BT /F1 9 Tf (x) Tj ET ').repeat(10);
    const resources = `/Resources << /Font << /F1 3 0 R >> /XObject << /F${at + 1} ${8 + at} 0 R >> >>`;
    return stream(content, `/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources}`);
  });
}

suite('hostile PDF documents', { concurrency: true }, () => {
  const ODD: readonly (readonly [string, Uint8Array<ArrayBuffer>, string])[] = [
    [
      'a table of objects that names itself as the one before is read',
      buildChangedPdf({}, (pdf) =>
        pdf.replace('trailer\n<<', `trailer\n<< /Prev ${/startxref\n(\d+)/.exec(pdf)?.[1]}`),
      ),
      'Rye and oats',
    ],
    [
      'a tree of pages that holds itself is damaged',
      buildChangedPdf({}, (pdf) => pdf.replace('/Kids [100 0 R]', '/Kids [2 0 R]')),
      'unsupported_content',
    ],
    [
      'of a million objects those of the pages are read',
      buildChangedPdf({}, (pdf) => `%PDF-1.7\n${'9 0 obj\n<<>>\nendobj\n'.repeat(100_000)}${pdf.slice(9)}`),
      'Rye and oats',
    ],
    [
      'a font of megabytes of anything does not keep from the text',
      buildChangedPdf(
        {
          objects: [
            '<< /Type /FontDescriptor /FontName /X /FontFile2 7 0 R /Flags 4 >>',
            stream('A'.repeat(4 * 1024 * 1024)),
          ],
        },
        (pdf) => pdf.replace('/Type1 /BaseFont /Helvetica /', '/TrueType /FontDescriptor 6 0 R /BaseFont /X /'),
      ),
      'Rye and oats',
    ],
    [
      'a form that draws itself ends',
      buildChangedPdf(
        { objects: [stream('/Fm Do', '/Type /XObject /Subtype /Form /Resources << /XObject << /Fm 6 0 R >> >>')] },
        (pdf) => pdf.replace('BT /F1', '/Fm Do BT /F1').replace(FONTS, `${FONTS} /XObject << /Fm 6 0 R >>`),
      ),
      'Rye and oats',
    ],
    [
      'arrays inside arrays without end are damaged',
      buildPdf(PLAIN, { catalog: `/X ${'['.repeat(200_000)}` }),
      'unsupported_content',
    ],
    [
      'operands without end are passed over',
      buildPdf([{ shown: [], content: 6 }, ...PLAIN], { objects: [stream('['.repeat(200_000))] }),
      'Rye and oats',
    ],
    ['one that only its owner may change opens', lockPdf(buildPdf(PLAIN), ''), 'Rye and oats'],
    ['one with a password stays closed', lockPdf(buildPdf(PLAIN), 'secret'), 'unsupported_content'],
  ];
  for (const [name, body, outcome] of ODD) test(name, async () => assert.equal(await readOutcome(body), outcome));

  test('an endless or overlong PDF page is read partly', async () => {
    const drawing = buildPdf([{ shown: [], content: 6 }, ...PLAIN], { objects: [stream('/F0 Do'), ...buildForms(9)] });
    const endless = Buffer.from(drawing).toString('latin1').replace(FONTS, `${FONTS} /XObject << /F0 7 0 R >>`);
    let asked = 0;
    const late = await read(Uint8Array.from(Buffer.from(endless, 'latin1')), { mayGoOn: () => asked++ < 1 });
    assert.deepEqual(late.warnings, [
      { code: 'truncated', message: 'the PDF has 2 pages, of which 1 were read; pages were read only partly: 1' },
    ]);
    const texts = 'BT /F1 9 Tf 9 9 Td (x) Tj ET\n'.repeat(50_200);
    const full = await read(buildPdf([{ shown: [], content: 6 }, ...PLAIN], { objects: [stream(texts)] }));
    assert.match(full.outputs.markdown ?? '', /Rye and oats/);
    assert.deepEqual(full.warnings, [{ code: 'truncated', message: 'pages were read only partly: 1' }]);
  });

  test('a thousand pages are read, and the next one is reported as omitted', async () => {
    const pages = Array.from({ length: 1001 }, (_, at) => ({
      shown: at === 0 || at > 998 ? [{ text: `Page ${at + 1}`, x: 72, y: 700 }] : [],
    }));
    const { outputs, warnings, metadata } = await read(buildPdf(pages));
    assert.equal(outputs.markdown, 'Page 1\n\nPage 1000\n');
    assert.equal(metadata.page_count, 1001);
    assert.deepEqual(warnings, [{ code: 'truncated', message: 'the PDF has 1001 pages, of which 1000 were read' }]);
  });
});

const SLIDES = { 'ppt/presentation.xml': '<p/>' };

suite('hostile Office documents', { concurrency: true }, () => {
  const REFUSED: readonly (readonly [string, () => Uint8Array<ArrayBuffer>, string])[] = [
    [
      'slides that unpack to too much',
      () => buildZip({ ...SLIDES, 'ppt/slides/slide1.xml': ' '.repeat(68_000_000) }),
      'content_too_large',
    ],
    [
      'sheets that unpack to too much because they are one and the same part',
      () =>
        buildZip({
          'xl/workbook.xml': `<workbook><sheets>${'<sheet name="a" id="r1"/>'.repeat(100)}</sheets></workbook>`,
          'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="s.xml"/></Relationships>',
          'xl/s.xml': ' '.repeat(1_000_000),
        }),
      'content_too_large',
    ],
    [
      'a text that defines entities in small letters',
      () => buildZip({ 'word/document.xml': '<!doctype a [<!ENTITY b "boom">]><a>&b;</a>' }),
      'unsupported_content',
    ],
    ['tables inside tables without end', () => buildDocx('<w:tbl><w:tr><w:tc>'.repeat(10_000)), 'unsupported_content'],
  ];
  for (const [name, make, outcome] of REFUSED)
    test(`${name}: refused`, async () => assert.equal(await readOutcome(make()), outcome));

  test('a workbook with the maximum number of rows is read up to the limit', async () => {
    const row = '<row><c><v>1</v></c></row>';
    const { outputs, warnings } = await read(buildXlsx([{ name: 'Long', rows: row.repeat(1_048_576) }]));
    assert.equal(outputs.markdown?.split('\n').length, 20_000 + 4);
    assert.deepEqual(warnings, [{ code: 'truncated', message: 'too large, omitted: cells of Long' }]);
  });

  test('far cells and repeated long texts do not blow up a sheet', async () => {
    const far = '<row><c r="SF1"><v>1</v></c></row>'.repeat(3000);
    const shared = `<row>${'<c t="s"><v>0</v></c>'.repeat(400)}</row>`.repeat(10);
    const { outputs, warnings } = await read(
      buildXlsx(
        [
          { name: 'Shared', rows: shared },
          { name: 'Far', rows: `<row><c r="A1"><v>0</v></c></row>${far}` },
        ],
        [`<t>${'x'.repeat(50_000)}</t>`],
      ),
      { outputs: ['html'] },
    );
    assert.ok((outputs.html ?? '').length < 25_000_000);
    assert.match(warnings[0]?.message ?? '', /omitted: cells of Shared, cells of Far$/);
  });

  test('an overlong text is cut after a paragraph or row, with a warning', async () => {
    const much = '<w:proofErr/>'.repeat(200_000);
    const cell = '<w:tc><w:p><w:r><w:t>rye</w:t></w:r></w:p></w:tc>';
    const table = `<w:tbl><w:tr>${cell}${cell}</w:tr><w:tr>${much}${cell}${cell}</w:tr><w:tr>${cell}</w:tr></w:tbl>`;
    assert.equal(await readOutcome(buildDocx(table)), '| rye | rye |\n| --- | --- |\n| rye | + truncated');
  });

  test('deeply nested slides and huge spans are read', async () => {
    assert.equal(await readOutcome(buildZip({ ...SLIDES, 'ppt/slides/slide1.xml': '<sp>'.repeat(300_000) })), '');
    const spanned = '<w:tr><w:tc><w:tcPr><w:gridSpan w:val="1000000000"/></w:tcPr><w:p/></w:tc></w:tr>'.repeat(200);
    assert.equal(await readOutcome(buildDocx(`<w:tbl>${spanned}</w:tbl>`)), '');
  });
});
