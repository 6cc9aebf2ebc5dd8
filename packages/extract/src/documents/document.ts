import { escapeAttribute, escapeText } from 'entities';
import type { ReadWarning } from '#extract/warnings.ts';

/** A document set as an HTML page, so that the outputs of pages are made of it. */
export type DocumentPage = {
  readonly html: string;
  readonly mediaType: string;
  /** Pages of a PDF, slides of a presentation; null where the format has none. */
  readonly pageCount: number | null;
  readonly warnings: readonly ReadWarning[];
};

/** The metadata of a document; `''` for what it leaves out. Dates are ISO 8601. */
export type DocumentProperties = {
  readonly title: string;
  readonly author: string;
  readonly description: string;
  readonly language: string;
  readonly created: string;
  readonly modified: string;
};

export const NO_PROPERTIES: DocumentProperties = {
  title: '',
  author: '',
  description: '',
  language: '',
  created: '',
  modified: '',
};

/** Default titles of programs: their own name, that of the file, or a placeholder. */
const DEFAULT_TITLE =
  /^(?:untitled.*|title|document ?\d*|slide ?\d*|powerpoint presentation|microsoft \w+ - .*|.*\.(?:docx?|xlsx?|pptx?|pdf|indd|tex|dvi|qxd))$/i;

/** The document as a page whose head says what it says of itself. */
export function toDocumentHtml(facts: DocumentProperties, body: string): string {
  const title = facts.title.trim();
  const metas = [
    ['author', facts.author],
    ['description', facts.description],
    ['dcterms.created', facts.created],
    ['dcterms.modified', facts.modified],
  ] as const;
  return [
    `<!doctype html><html${facts.language === '' ? '' : ` lang="${escapeAttribute(facts.language)}"`}><head>`,
    title === '' || DEFAULT_TITLE.test(title.slice(0, 500)) ? '' : `<title>${escapeText(title)}</title>`,
    ...metas.map(([name, value]) =>
      value.trim() === '' ? '' : `<meta name="${name}" content="${escapeAttribute(value.trim())}">`,
    ),
    `</head><body><main>${body}</main></body></html>`,
  ].join('');
}

/** Rows of cells in HTML as a table whose first row names the columns. */
export function toTableHtml([head = [], ...rows]: readonly (readonly string[])[]): string {
  return `<table><thead>${renderRow(head, 'th')}</thead><tbody>${rows.map((row) => renderRow(row, 'td')).join('')}</tbody></table>`;
}

function renderRow(cells: readonly string[], tag: 'th' | 'td'): string {
  return `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
}
