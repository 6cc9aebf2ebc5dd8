/** A text on a page; `x` and `y` are its left end and baseline in points from the lower left corner. */
export type PdfText = {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  readonly font?: 'plain' | 'bold';
  /** Marked-content id (MCID) for tagged PDF. */
  readonly mark?: number;
};

export type PdfPage = {
  readonly shown: readonly PdfText[];
  /** Number of an object that is used as the content instead of `shown`. */
  readonly content?: number;
  /** Link areas: left, bottom, right, top. */
  readonly links?: readonly { readonly area: readonly [number, number, number, number]; readonly url: string }[];
};

type PdfOptions = {
  readonly info?: Readonly<Record<string, string>>;
  /** Further entries of the catalog and the trailer, in PDF syntax. */
  readonly catalog?: string;
  readonly trailer?: string;
  /** Further objects, numbered from 6. */
  readonly objects?: readonly string[];
};

const FIRST_PAGE_OBJECT = 100;

/** Builds a PDF with one content stream per page and two standard fonts. Object numbers may have gaps. */
export function buildPdf(pages: readonly PdfPage[], options: PdfOptions = {}): Uint8Array<ArrayBuffer> {
  const { info = {}, catalog = '', trailer = '', objects = [] } = options;
  const numbers = pages.map((_, at) => FIRST_PAGE_OBJECT + at * 2);
  const parts = new Map<number, string>([
    [1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`],
    [2, `<< /Type /Pages /Count ${pages.length} /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] >>`],
    [3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'],
    [4, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>'],
    [
      5,
      `<< ${Object.entries(info)
        .map(([name, value]) => `/${name} ${toLiteral(value)}`)
        .join(' ')} >>`,
    ],
    ...objects.map((object, at): [number, string] => [6 + at, object]),
  ]);
  for (const [at, page] of pages.entries()) {
    const content = page.shown.map(toOperators).join('\n');
    parts.set(FIRST_PAGE_OBJECT + at * 2, buildPageObject(page, page.content ?? FIRST_PAGE_OBJECT + at * 2 + 1));
    parts.set(FIRST_PAGE_OBJECT + at * 2 + 1, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  return writePdf(parts, trailer);
}

function buildPageObject({ links = [] }: PdfPage, content: number): string {
  const annotations = links.map(
    ({ area, url }) =>
      `<< /Type /Annot /Subtype /Link /Rect [${area.join(' ')}] /A << /S /URI /URI ${toLiteral(url)} >> >>`,
  );
  return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /StructParents 0 /Contents ${content} 0 R
/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Annots [${annotations.join(' ')}] >>`;
}

function toOperators({ text, x, y, size = 10, font = 'plain', mark }: PdfText): string {
  const shown = `BT /${font === 'plain' ? 'F1' : 'F2'} ${size} Tf 1 0 0 1 ${x} ${y} Tm ${toLiteral(text)} Tj ET`;
  return mark === undefined ? shown : `/Span << /MCID ${mark} >> BDC ${shown} EMC`;
}

function toLiteral(text: string): string {
  return `(${text.replaceAll(/[\\()]/g, '\\$&').replaceAll('\u2022', '\\225')})`;
}

function writePdf(parts: ReadonlyMap<number, string>, trailer: string): Uint8Array<ArrayBuffer> {
  const pieces = ['%PDF-1.7\n'];
  const places = new Map<number, number>();
  let length = pieces[0]?.length ?? 0;
  for (const [number, part] of parts) {
    const piece = `${number} 0 obj\n${part}\nendobj\n`;
    places.set(number, length);
    pieces.push(piece);
    length += piece.length;
  }
  const size = Math.max(...parts.keys()) + 1;
  pieces.push(`xref\n0 ${size}\n0000000000 65535 f \n`);
  for (let number = 1; number < size; number++) {
    const place = places.get(number);
    pieces.push(place === undefined ? '0000000000 00000 f \n' : `${String(place).padStart(10, '0')} 00000 n \n`);
  }
  pieces.push(`trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`);
  return Uint8Array.from(Buffer.from(pieces.join(''), 'latin1'));
}
