import { escapeAttribute, escapeText } from 'entities';
import type { ReadWarning } from '#extract/warnings.ts';

/** A document converted to an HTML page, from which the outputs are produced as for any page. */
export type DocumentPage = {
  readonly html: string;
  readonly mediaType: string;
  /** The number of PDF pages or slides; null if the format has no pages. */
  readonly pageCount: number | null;
  readonly warnings: readonly ReadWarning[];
};

/** The metadata of a document; a member is `''` if unknown. Dates are ISO 8601. */
export type DocumentProperties = {
  readonly title: string;
  readonly author: string;
  readonly description: string;
  readonly language: string;
  readonly created: string;
  readonly modified: string;
};

/** The properties of a document without metadata. */
export const NO_PROPERTIES: DocumentProperties = {
  title: '',
  author: '',
  description: '',
  language: '',
  created: '',
  modified: '',
};

/** Titles that programs set by default: their own name, the file name or a placeholder. */
const DEFAULT_TITLE =
  /^(?:untitled.*|title|document ?\d*|slide ?\d*|powerpoint presentation|microsoft \w+ - .*|.*\.(?:docx?|xlsx?|pptx?|pdf|indd|tex|dvi|qxd))$/i;

/** Wraps a document's body in an HTML page with its metadata in the head. */
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

/** Renders rows of HTML cells as a table whose first row has the column names. */
export function toTableHtml([head = [], ...rows]: readonly (readonly string[])[]): string {
  return `<table><thead>${renderRow(head, 'th')}</thead><tbody>${rows.map((row) => renderRow(row, 'td')).join('')}</tbody></table>`;
}

function renderRow(cells: readonly string[], tag: 'th' | 'td'): string {
  return `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
}
