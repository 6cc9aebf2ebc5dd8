import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readDocument } from '#extract/page-source.ts';
import { readPageWithTree } from '#extract/read-page.ts';
import { OUTPUTS, type PageReading, type ReadRequest } from '#extract/reading.ts';
import { ReadError } from '#extract/warnings.ts';
import { buildDocx, buildXlsx, buildZip } from '#testkit/office.ts';
import { type PdfPage, type PdfText, buildPdf } from '#testkit/pdf.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';

type DocumentOptions = Partial<ReadRequest> & { readonly mayGoOn?: () => boolean };

async function read(
  body: Uint8Array<ArrayBuffer>,
  { mayGoOn = () => true, ...asked }: DocumentOptions = {},
): Promise<PageReading> {
  const stated = { contentType: 'application/octet-stream', ...asked };
  const request = { ...buildMarkdownRequest(body, 'https://mill.example/files/a'), ...stated };
  return readPageWithTree(request, await readDocument(body, mayGoOn)).reading;
}

async function readMarkdown(body: Uint8Array<ArrayBuffer>): Promise<string> {
  return (await read(body)).outputs.markdown ?? '';
}

/** The code of the error that reading a document throws. */
async function readErrorCode(body: Uint8Array<ArrayBuffer>): Promise<string> {
  return read(body).then(
    () => 'read',
    (error: unknown) => (error instanceof ReadError ? `${error.code}: ${error.message}` : String(error)),
  );
}

/** Lines of text, each 12 points below the previous one. */
function textAt(x: number, y: number, lines: readonly string[], more: Partial<PdfText> = {}): readonly PdfText[] {
  return lines.map((text, at) => ({ text, x, y: y - at * 12, ...more }));
}

function rowAt(y: number, cells: readonly string[]): readonly PdfText[] {
  return cells.map((text, at) => ({ text, x: 72 + at * 120, y }));
}

const BODY = [
  'The mill on the heath grinds rye and oats for all villages around it and has done so since',
  'the first stone was laid there. Farmers come from far away, for the flour is fine and dry.',
];

/** A PDF in a single font and size, whose structure is only known from its tags. */
const TAGGED = buildPdf(
  [{ shown: ['Grain', 'Rye', 'Oats'].map((text, mark) => ({ text, x: 72, y: 700 - mark * 12, mark })) }],
  {
    catalog: '/MarkInfo << /Marked true >> /StructTreeRoot 6 0 R',
    objects: [
      '<< /Type /StructTreeRoot /K 7 0 R /ParentTree 12 0 R >>',
      '<< /S /Document /P 6 0 R /K [8 0 R 9 0 R] >>',
      '<< /S /H1 /P 7 0 R /Pg 100 0 R /K 0 >>',
      '<< /S /L /P 7 0 R /K [10 0 R 11 0 R] >>',
      '<< /S /LI /P 9 0 R /Pg 100 0 R /K 1 >>',
      '<< /S /LI /P 9 0 R /Pg 100 0 R /K 2 >>',
      '<< /Nums [0 [8 0 R 10 0 R 11 0 R]] >>',
    ],
  },
);

const REPORT: PdfPage = {
  shown: [
    { text: 'Report of the mill', x: 72, y: 720, size: 20, font: 'bold' },
    ...textAt(72, 690, [
      ...BODY,
      'Whoever brings grain in the morning has flour by noon, unless the wind has gone to sleep some-',
      'where behind the hills.',
    ]),
    { text: 'Prices', x: 72, y: 630, font: 'bold' },
    ...rowAt(614, ['Grain', 'Price', 'Sold']),
    ...rowAt(602, ['Rye', '12.50', 'yes']),
    ...rowAt(590, ['Oats', '9.00', 'no']),
    ...textAt(72, 560, ['\u2022 dry sacks, which must be free of holes and large enough for', '\u2022 patience']),
    { text: 'Read more', x: 72, y: 520 },
    { text: 'about the history of this place.', x: 125, y: 520 },
  ],
  links: [{ area: [72, 515, 121, 530], url: 'https://mill.example/more' }],
};

suite('PDF', { concurrency: true }, () => {
  test('headings, paragraphs, tables, lists and links are recognised by layout', async () => {
    assert.equal(
      await readMarkdown(buildPdf([REPORT])),
      `# Report of the mill

${BODY.join(' ')} Whoever brings grain in the morning has flour by noon, unless the wind has gone to sleep somewhere behind the hills.

## Prices

| Grain | Price | Sold |
| --- | --- | --- |
| Rye | 12.50 | yes |
| Oats | 9.00 | no |

- dry sacks, which must be free of holes and large enough for
- patience

[Read more](https://mill.example/more) about the history of this place.
`,
    );
  });

  test('a document has every output: raw_html is empty, and metadata come from the file', async () => {
    const pdf = buildPdf([REPORT, { shown: textAt(72, 700, BODY) }], {
      info: { Title: 'Yearly report', Author: 'Ada Miller', Subject: 'Rye', CreationDate: "D:20250301090000+01'00'" },
      catalog: '/Lang (en-GB)',
    });
    const extract = { fields: { second: { selector: '[data-page="2"] p', type: 'string', many: false } } } as const;
    const { outputs, metadata, warnings, truncated } = await read(pdf, { outputs: OUTPUTS, extract });
    assert.equal(outputs.raw_html, '');
    assert.equal(outputs.text?.startsWith('Report of the mill\n'), true);
    assert.match(outputs.html ?? '', /<h1>Report of the mill<\/h1>/);
    assert.deepEqual(outputs.json, { second: BODY.join(' ') });
    assert.deepEqual(outputs.tables?.[0]?.rows, [
      ['Rye', '12.50', 'yes'],
      ['Oats', '9.00', 'no'],
    ]);
    assert.deepEqual(
      outputs.links?.map(({ url, text }) => [url, text]),
      [['https://mill.example/more', 'Read more']],
    );
    assert.deepEqual([outputs.images, outputs.structured_data?.json_ld], [[], []]);
    const { title, author, description, language, published_at, charset, page_count } = metadata;
    assert.deepEqual(
      [title, author, description, language, published_at, charset, page_count],
      ['Yearly report', 'Ada Miller', 'Rye', 'en-GB', '2025-03-01T08:00:00.000Z', null, 2],
    );
    assert.deepEqual([warnings, truncated], [[], false]);
  });

  test('paragraphs continue across pages, and running headers and footers are removed', async () => {
    const pages = Array.from({ length: 4 }, (_, at) => ({
      shown: [
        { text: 'The Mill Gazette', x: 72, y: 770 },
        ...textAt(72, 700, at === 0 ? ['Whoever grinds in the morning'] : [`has flour by noon of day ${at}.`]),
        { text: `- ${at + 7} -`, x: 300, y: 20 },
      ],
    }));
    assert.equal(
      await readMarkdown(buildPdf(pages)),
      'Whoever grinds in the morning has flour by noon of day 1.\n\nhas flour by noon of day 2.\n\nhas flour by noon of day 3.\n',
    );
  });

  test('a tagged PDF is read by its structure tags', async () => {
    assert.equal(await readMarkdown(TAGGED), '# Grain\n\n- Rye\n- Oats\n');
  });

  test('a PDF without text has a warning', async () => {
    const { outputs, warnings } = await read(buildPdf([{ shown: [] }]));
    assert.deepEqual([outputs.markdown, warnings.map(({ code }) => code)], ['', ['thin_content']]);
  });

  test('content beyond the size or time limit is omitted with a warning', async () => {
    const pages = Array.from({ length: 10_000 }, (_, at) => ({ shown: at < 1 ? textAt(72, 700, BODY) : [] }));
    let asked = 0;
    const { outputs, metadata, warnings, truncated } = await read(buildPdf(pages), { mayGoOn: () => asked++ < 4 });
    assert.deepEqual([outputs.markdown, metadata.page_count, truncated], [`${BODY.join(' ')}\n`, 10_000, true]);
    const said = warnings.map(({ code, message }) => `${code}: ${message}`).join();
    assert.match(said, /^truncated: the PDF has 10000 pages, of which \d were read$/);
  });

  test('a file that cannot be opened is refused with a reason', async () => {
    const locked = buildPdf([REPORT], {
      trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> >> /ID [<00><00>]`,
    });
    assert.match(await readErrorCode(locked), /^unsupported_content: the PDF is encrypted/);
    for (const text of ['%PDF-1.7', '%PDF-1.7\n%%EOF', `%PDF-1.7\n${'1 0 obj\n'.repeat(1000)}`]) {
      assert.match(await readErrorCode(toBytes(text)), /^unsupported_content: the PDF is damaged/, text.slice(0, 20));
    }
  });

  test('a PDF with a wrong cross-reference table is read', async () => {
    const wrong = Buffer.from(buildPdf([REPORT]))
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n7');
    assert.match(await readMarkdown(toBytes(wrong)), /^# Report of the mill\n/);
  });

  test('active PDF content has no effect, and circular references end', async () => {
    const acting = buildPdf(
      [{ shown: textAt(72, 700, BODY), links: [{ area: [0, 0, 600, 800], url: 'javascript:alert(1)' }] }],
      {
        catalog: `/OpenAction << /S /JavaScript /JS (app.launchURL('http://127.0.0.1:9/')) >>
/AA << /WC << /S /Launch /F (calc.exe) >> >> /Outlines 6 0 R`,
        objects: [
          '<< /Type /Outlines /First 7 0 R /Last 7 0 R >>',
          '<< /Title (Around) /Parent 6 0 R /Next 7 0 R /First 7 0 R >>',
        ],
      },
    );
    const { outputs } = await read(acting, { outputs: ['markdown', 'links'] });
    assert.deepEqual(outputs, { markdown: `${BODY.join(' ')}\n`, links: [] });
  });
});

test('a hyphen at a line end stays if it belongs to the word', async () => {
  const breaks = [
    ['in poli-', 'cies', 'in policies'],
    ['with happi-', 'ness', 'with happiness'],
    ['for well-', 'ness', 'for wellness'],
    ['a well-', 'known rule', 'a well-known rule'],
    ['in 1990-', '1995 and', 'in 1990-1995 and'],
    ['a 10-', 'year plan', 'a 10-year plan'],
    ['the Anglo-', 'Dutch war', 'the Anglo-Dutch war'],
    ['the COVID-', '19 years', 'the COVID-19 years'],
    ['about twenty-', 'one times', 'about twenty-one times'],
    ['by e-', 'mail', 'by e-mail'],
    ['all pre-', 'and post-war houses', 'all pre- and post-war houses'],
    ['Vor-', 'und Nachteile', 'Vor- und Nachteile'],
  ] as const;
  for (const [first, second, whole] of breaks) {
    const start = 'The mill on the heath grinds rye and oats for all villages around it and has done so';
    const end = 'as the first stone was laid there and farmers come from far away for flour';
    const shown = textAt(72, 700, [`${start} ${first}`, `${second} ${end}`]);
    assert.equal((await readMarkdown(buildPdf([{ shown }]))).trim(), `${start} ${whole} ${end}`);
  }
});

/** A paragraph of a text document with a style; with a level, a list item. */
function paragraph(text: string, { style = '', level = -1 } = {}): string {
  const listed = level < 0 ? '' : `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`;
  return `<w:p><w:pPr><w:pStyle w:val="${style}"/>${listed}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

function shape(kind: string, ...texts: readonly string[]): string {
  const paragraphs = texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('');
  const place = `<p:nvSpPr><p:nvPr><p:ph type="${kind}"/></p:nvPr></p:nvSpPr>`;
  return `<p:sp>${place}<p:txBody>${paragraphs}</p:txBody></p:sp>`;
}

suite('Office', { concurrency: true }, () => {
  test('a text document keeps headings, nested lists, tables and links', async () => {
    const row = (...cells: readonly string[]): string =>
      `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`;
    const body = [
      paragraph('Ledger', { style: 'S2' }),
      paragraph('Prices', { style: 'S1' }),
      `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>All</w:t></w:r><w:r><w:t xml:space="preserve"> of </w:t></w:r>
<w:hyperlink r:id="rId3"><w:r><w:t>them</w:t></w:r></w:hyperlink></w:p>`,
      paragraph('Rye', { level: 0 }),
      paragraph('fine', { level: 1 }),
      paragraph('Oats', { level: 0 }),
      `<w:tbl>${row('Grain', 'Price')}${row('Rye', '12.50')}</w:tbl>`,
    ].join('');
    const { outputs, metadata, warnings } = await read(buildDocx(body));
    assert.equal(
      outputs.markdown,
      `# Ledger

## Prices

**All** of [them](https://mill.example/prices)

- Rye
  - fine
- Oats

| Grain | Price |
| --- | --- |
| Rye | 12.50 |
`,
    );
    const { author, published_at, modified_at, page_count } = metadata;
    assert.deepEqual(
      [author, published_at, modified_at, page_count, warnings],
      ['Ada Miller', '2025-03-01T08:00:00.000Z', '2025-03-02T09:30:00.000Z', undefined, []],
    );
  });

  test('a workbook has a heading and a table for each visible sheet, with values as displayed', async () => {
    const book = buildXlsx(
      [
        {
          name: 'Prices &amp; days',
          rows: `<row><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c r="D2" t="inlineStr"><is><t>Sold</t></is></c></row>
<row><c r="B3" s="1"><v>45717</v></c><c r="C3" s="2"><v>1234.5</v></c><c r="D3" t="b"><v>1</v></c></row>
<row><c r="B4" s="3"><v>45717.75</v></c><c r="D4" s="4"><v>0.125</v></c></row>
<row><c r="B5" t="e"><v>#DIV/0!</v></c><c r="C5"><f>1+2</f><v>3</v></c></row>`,
        },
        { name: 'Hidden', rows: '<row><c><v>7</v></c></row>', state: 'hidden' },
        { name: 'Empty', rows: '' },
      ],
      ['<r><t>D</t></r><r><t>ay</t></r><rPh><t>x</t></rPh>', '<t>Price</t>'],
      ['#,##0.00', 'd mmm yyyy hh:mm', '0.0%'],
    );
    const { outputs, metadata } = await read(book);
    assert.equal(
      outputs.markdown,
      `## Prices & days

| Day | Price | Sold |
| --- | --- | --- |
| 2025-03-01 | 1,234.50 | TRUE |
| 1 Mar 2025 18:00 | | 12.5% |
| #DIV/0! | 3 | |

## Empty
`,
    );
    assert.equal(metadata.title, 'Yearly ledger');
  });

  test('a presentation has a heading and texts for each slide', async () => {
    const slides = buildZip({
      'ppt/presentation.xml': '<p:presentation/>',
      'ppt/slides/slide10.xml': `<p:sld>${shape('title', 'Last')}</p:sld>`,
      'ppt/slides/slide2.xml': `<p:sld>${shape('ctrTitle', 'Grain')}${shape('body', 'Rye', 'Oats')}${shape('sldNum', '2')}</p:sld>`,
    });
    const { outputs, metadata } = await read(slides);
    assert.deepEqual([outputs.markdown, metadata.page_count], ['## Grain\n\n- Rye\n- Oats\n\n## Last\n', 2]);
  });

  test('rows beyond the limit are omitted with a warning', async () => {
    const { warnings, truncated } = await read(
      buildXlsx([{ name: 'Long', rows: '<row><c><v>1</v></c></row>'.repeat(20_005) }]),
      { outputs: ['metadata'] },
    );
    assert.deepEqual([warnings.map(({ code }) => code), truncated], [['truncated'], true]);
  });

  const entity = '<!DOCTYPE a [<!ENTITY b "boom"><!ENTITY c "&b;&b;"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
  const REFUSED: readonly (readonly [string, Uint8Array<ArrayBuffer>, RegExp])[] = [
    ['an archive of something else', buildZip({ 'a.txt': 'rye' }), /^unsupported_content: .*zip/],
    ['an archive that breaks off', buildDocx('').slice(0, 400), /^unsupported_content: .*damaged/],
    ['a text document without its text', buildZip({ 'word/document.xml': 'rye' }), /^unsupported_content: .*damaged/],
    [
      'a text document that defines entities',
      buildDocx('', { 'word/document.xml': `${entity}<a>&c;&f;</a>` }),
      /document type/,
    ],
    [
      'an archive inside an archive',
      buildZip({ 'inner.zip': buildZip({ 'a.txt': 'x' }).toString() }),
      /^unsupported_content: .*zip/,
    ],
    ['a bomb', buildDocx(' '.repeat(68_000_000)), /^content_too_large: .*64 MiB/],
    [
      'many parts of a bomb',
      buildXlsx(Array.from({ length: 4 }, () => ({ name: 'a', rows: ' '.repeat(17_000_000) }))),
      /^content_too_large/,
    ],
  ];
  for (const [what, body, refusal] of REFUSED) {
    test(`${what} is refused`, async () => assert.match(await readErrorCode(body), refusal));
  }

  test('entities in a workbook are not expanded', async () => {
    const shared = buildXlsx([{ name: 'A', rows: '<row><c t="s"><v>0</v></c></row>' }], [`${entity}<t>&c;&f;</t>`]);
    assert.equal(await readMarkdown(shared), '## A\n\n| \\&c;\\&f; |\n| --- |\n');
  });

  test('endlessly nested elements never crash the reader', async () => {
    const deep = '<w:p>'.repeat(50_000);
    assert.match(await readErrorCode(buildDocx(deep)), /^(?:read|unsupported_content)/);
  });
});

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}
