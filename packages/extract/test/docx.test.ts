import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readDocument } from '#extract/page-source.ts';
import { readPageWithTree } from '#extract/read-page.ts';
import { buildDocx } from '#testkit/office.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';

async function readMarkdown(body: string, parts: Readonly<Record<string, string>> = {}): Promise<string> {
  const docx = buildDocx(body, parts);
  const request = { ...buildMarkdownRequest(docx), contentType: '' };
  return (readPageWithTree(request, await readDocument(docx, () => true)).reading.outputs.markdown ?? '').trim();
}

function run(text: string, properties = ''): string {
  return `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
}

function paragraph(content: string, properties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`;
}

function item(text: string, list = 1, level = 0): string {
  return paragraph(run(text), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`);
}

/** Two numbered lists, the second starting at 5, a third that restarts the first, and a bullet list. */
const NUMBERING = `<w:numbering xmlns:w="${WORD}">${['decimal', 'upperRoman', 'bullet']
  .map(
    (format, at) =>
      `<w:abstractNum w:abstractNumId="${at}">${[0, 1]
        .map(
          (level) =>
            `<w:lvl w:ilvl="${level}"><w:start w:val="${at === 1 ? 5 : 1}"/><w:numFmt w:val="${format}"/></w:lvl>`,
        )
        .join('')}</w:abstractNum>`,
  )
  .join(
    '',
  )}<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num><w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num></w:numbering>`;

function renderLists(...items: readonly string[]): Promise<string> {
  return readMarkdown(items.join(''), { 'word/numbering.xml': NUMBERING });
}

function formula(inner: string): string {
  return `<m:oMath ${MATH}>${inner}</m:oMath>`;
}

const m = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;

function field(instruction: string, inner: string): string {
  return `<w:fldSimple w:instr="${instruction}">${inner}</w:fldSimple>`;
}

function hiddenMark(inner: string): string {
  return `<w:r><w:rPr><w:vanish/></w:rPr>${inner}</w:r>`;
}

suite('text documents', { concurrency: true }, () => {
  test('formulas are text at their position', async () => {
    const formulas = [
      [`<m:f><m:num>${m('a')}</m:num><m:den>${m('b')}</m:den></m:f>`, '\\frac{a}{b}'],
      [`${m('E=m')}<m:sSup><m:e>${m('c')}</m:e><m:sup>${m('2')}</m:sup></m:sSup>`, 'E = m c^{2}'],
      [`<m:sSub><m:e>${m('x')}</m:e><m:sub>${m('10')}</m:sub></m:sSub>`, 'x_{10}'],
      [
        `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${m('i=1')}</m:sub><m:sup>${m('n')}</m:sup><m:e>${m('i')}</m:e></m:nary>`,
        '\\sum_{i = 1}^{n} i',
      ],
      [`<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${m('x')}</m:e></m:rad>`, '\\sqrt{x}'],
      [`<m:rad><m:deg>${m('3')}</m:deg><m:e>${m('x')}</m:e></m:rad>`, '\\sqrt[3]{x}'],
      [
        `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e><m:m><m:mr><m:e>${m('1')}</m:e><m:e>${m('0')}</m:e></m:mr></m:m></m:e></m:d>`,
        '[ \\begin{matrix} 1 & 0 \\end{matrix} ]',
      ],
      [`<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr><m:e>${m('v')}</m:e></m:acc>`, '\\vec{v}'],
      [`<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>sin</m:t></m:r>${m('α')}`, '\\sin \\alpha'],
    ] as const;
    for (const [inner, tex] of formulas) {
      const markdown = await readMarkdown(paragraph(run('so ') + formula(inner) + run(' holds')));
      assert.equal(markdown, `so $${tex}$ holds`);
    }
    const own = `<m:oMathPara ${MATH}>${formula(m('y'))}</m:oMathPara>`;
    assert.equal(await readMarkdown(paragraph(own)), '$$y$$');
  });

  test('simple fields are their displayed text or a link', async () => {
    assert.equal(
      await readMarkdown(paragraph(run('Figure ') + field(' SEQ Figure ', run('3')) + run('.'))),
      'Figure 3.',
    );
    const link = field(' HYPERLINK &quot;https://mill.example/a&quot; ', run('the ') + field('PAGE', run('mill')));
    assert.equal(await readMarkdown(paragraph(link + run(' tail'))), '[the mill](https://mill.example/a) tail');
    const deep =
      '<w:fldSimple w:instr="HYPERLINK x">'.repeat(1000) + run('deep') + '</w:fldSimple>'.repeat(1000) + run(' tail');
    assert.match(await readMarkdown(paragraph(deep)), /deep.* tail$/);
  });

  test('a list interrupted by text continues its numbering', async () => {
    assert.equal(await renderLists(item('a'), item('b'), paragraph(run('x')), item('c')), '1. a\n2. b\n\nx\n\n3. c');
    assert.equal(await renderLists(item('a', 2), item('b', 2)), '5. a\n6. b');
    assert.equal(
      await renderLists(item('a'), item('b'), paragraph(run('x')), item('c', 3), item('d', 3)),
      '1. a\n2. b\n\nx\n\n1. c\n2. d',
    );
    assert.equal(await renderLists(item('a'), item('b', 1, 1), item('c')), '1. a\n   1. b\n2. c');
    assert.equal(await renderLists(item('a', 4), paragraph(run('x')), item('b', 4)), '- a\n\nx\n\n- b');
    const heading = paragraph(
      run('Head'),
      '<w:pStyle w:val="S0"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr>',
    );
    assert.equal(await renderLists(heading), '# Head');
  });

  test('hidden text, hidden styles and hidden rows are omitted', async () => {
    const styles = `<w:styles xmlns:w="${WORD}"><w:style w:type="character" w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="character" w:styleId="Too"><w:basedOn w:val="Gone"/></w:style><w:style w:type="paragraph" w:styleId="Away"><w:rPr><w:vanish w:val="true"/></w:rPr></w:style></w:styles>`;
    const hide = (content: string, properties = ''): Promise<string> =>
      readMarkdown(paragraph(run('kept') + content, properties), { 'word/styles.xml': styles });
    assert.equal(await hide(run(' secret', '<w:vanish/>') + run(' tail')), 'kept tail');
    assert.equal(await hide(run(' seen', '<w:vanish w:val="0"/>')), 'kept seen');
    assert.equal(await hide(run(' seen', '<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>')), 'kept seen');
    assert.equal(await hide(run(' seen', '<w:webHidden/>')), 'kept seen');
    assert.equal(await hide(run(' secret', '<w:rStyle w:val="Gone"/>')), 'kept');
    assert.equal(await hide(run(' secret', '<w:rStyle w:val="Too"/>')), 'kept');
    assert.equal(await hide(run(' seen', '<w:vanish w:val="false"/>'), '<w:pStyle w:val="Away"/>'), 'seen');
    const row = (text: string, properties = ''): string =>
      `<w:tr><w:trPr>${properties}</w:trPr><w:tc>${paragraph(run(text))}</w:tc><w:tc>${paragraph(run('x'))}</w:tc></w:tr>`;
    assert.doesNotMatch(await readMarkdown(`<w:tbl>${row('A')}${row('B', '<w:hidden/>')}${row('C')}</w:tbl>`), /B/);
  });

  test('a field with hidden marks is closed at its end', async () => {
    const link =
      hiddenMark('<w:fldChar w:fldCharType="begin"/>') +
      hiddenMark('<w:instrText> HYPERLINK "https://mill.example/b" </w:instrText>') +
      hiddenMark('<w:fldChar w:fldCharType="separate"/>') +
      run('link') +
      hiddenMark('<w:fldChar w:fldCharType="end"/>');
    assert.equal(await readMarkdown(paragraph(link + run(' tail'))), '[link](https://mill.example/b) tail');
  });

  test('other namespace prefixes are supported, and prices are not formulas', async () => {
    const other = `<x:document xmlns:x="${WORD}"><x:body><x:p><x:r><x:rPr><x:vanish/></x:rPr><x:t>secret</x:t></x:r><x:r><x:t>kept</x:t></x:r></x:p></x:body></x:document>`;
    assert.equal(await readMarkdown('', { 'word/document.xml': other }), 'kept');
    const plain = `<document xmlns="${WORD}"><body><p><r><rPr><vanish/></rPr><t>secret</t></r><r><t>kept</t></r></p></body></document>`;
    assert.equal(await readMarkdown('', { 'word/document.xml': plain }), 'kept');
    assert.match(await readMarkdown(paragraph(run('it is ') + formula(m('5$')))), /5/);
  });

  test('endless nesting is read within limits', async () => {
    const nested = '<m:f><m:num>'.repeat(20_000);
    assert.match(await readMarkdown(paragraph(run('a') + formula(nested + '</m:num></m:f>'.repeat(20_000)))), /^a/);
    const runs = '<w:r><w:rPr><w:vanish/></w:rPr><w:fldChar w:fldCharType="begin"/>';
    const body = paragraph(runs.repeat(1000) + '</w:r>'.repeat(1000) + run('b'));
    assert.match(await readMarkdown(body), /b$/);
  });
});
