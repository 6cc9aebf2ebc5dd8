import { escapeUTF8 } from 'entities';

/** HTML that is already escaped. */
export type Html = { readonly markup: string };

type HtmlPart = string | number | Html | readonly Html[];

/** Template tag for HTML: escapes every value except `Html`. */
export function toHtml(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  const pieces = strings.map((text, at) => (at === 0 ? text : renderPart(parts[at - 1] ?? '') + text));
  return { markup: pieces.join('') };
}

function renderPart(part: HtmlPart): string {
  if (typeof part === 'string') return escapeUTF8(part);
  if (typeof part === 'number') return String(part);
  if ('markup' in part) return part.markup;
  return part.map(({ markup }) => markup).join('');
}
