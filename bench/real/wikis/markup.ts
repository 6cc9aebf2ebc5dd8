import type { Token } from 'markdown-it';
import { MARKDOWN, type Source } from '../sources.ts';

/** Renders Markdown constructs in the markup of a wiki. */
export type WikiMarkup = {
  readonly heading: (level: number, text: string) => string;
  readonly code: (language: string, code: string) => string;
  readonly quote: (paragraphs: readonly string[]) => string;
  readonly item: (lists: readonly ('ul' | 'ol')[], text: string) => string;
  readonly table: (rows: readonly (readonly string[])[]) => string;
  readonly rule: string;
  readonly lineBreak: string;
  readonly text: (text: string) => string;
  readonly inlineCode: (code: string) => string;
  readonly link: (url: string, text: string) => string;
  readonly marks: Readonly<Record<string, string>>;
};

/** Languages that all wiki highlighters support under the same name. */
const LANGUAGES = new Set(['', 'js', 'javascript', 'sh', 'bash', 'json', 'html', 'css', 'xml', 'diff', 'sql']);

/** Whether all wikis can represent a source: no nested code, and single-line list items. */
export function isWikiCompatible({ body }: Source): boolean {
  let inside = 0;
  let paragraphs = 0;
  for (const { type, info, hidden } of MARKDOWN.parse(body, {})) {
    if (type === 'fence' && !LANGUAGES.has(info)) return false;
    if (type === 'list_item_open' || type === 'blockquote_open') inside += 1;
    if (type === 'list_item_open') paragraphs = 0;
    if (type === 'list_item_close' || type === 'blockquote_close') inside -= 1;
    if (type === 'paragraph_open' && inside > 0) paragraphs += hidden ? 1 : 2;
    if (inside > 0 && (paragraphs > 1 || FORBIDDEN_INSIDE.has(type))) return false;
  }
  return true;
}

const FORBIDDEN_INSIDE = new Set(['fence', 'code_block', 'heading_open', 'blockquote_open', 'table_open', 'hr']);

/** Converts a source to wiki markup, without its title. */
export function toWikiMarkup({ body }: Source, markup: WikiMarkup): string {
  const tokens = MARKDOWN.parse(body, {});
  const lists: ('ul' | 'ol')[] = [];
  const blocks: string[] = [];
  let rows: string[][] = [];
  let level = 0;
  let quoted: string[] | null = null;
  for (const token of tokens) {
    const { type } = token;
    if (type === 'heading_open') level = Number(token.tag.slice(1));
    else if (type === 'heading_close') level = 0;
    else if (type === 'bullet_list_open') lists.push('ul');
    else if (type === 'ordered_list_open') lists.push('ol');
    else if (type.endsWith('_list_close')) {
      lists.pop();
      if (lists.length === 0) blocks.push('');
    } else if (type === 'blockquote_open') quoted = [];
    else if (type === 'blockquote_close') {
      blocks.push(markup.quote(quoted ?? []), '');
      quoted = null;
    } else if (type === 'table_open') rows = [];
    else if (type === 'tr_open') rows.push([]);
    else if (type === 'table_close') blocks.push(markup.table(rows), '');
    else if (type === 'fence' || type === 'code_block') blocks.push(markup.code(token.info, token.content), '');
    else if (type === 'hr') blocks.push(markup.rule, '');
    else if (type === 'inline') {
      const text = renderInline(token, markup);
      if (level > 0) blocks.push(markup.heading(level, text), '');
      else if (lists.length > 0) blocks.push(markup.item(lists, text));
      else if (quoted !== null) quoted.push(text);
      else if (token.level === TABLE_LEVEL) rows.at(-1)?.push(text);
      else blocks.push(text, '');
    }
  }
  return blocks.join('\n');
}

/** Nesting level of cell text: table, section, row, cell. */
const TABLE_LEVEL = 4;

function renderInline({ children }: Token, markup: WikiMarkup): string {
  const parts: string[] = [];
  let link: { readonly url: string; readonly from: number } | null = null;
  for (const token of children ?? []) {
    const { type, content } = token;
    if (type === 'text' || type === 'text_special') parts.push(markup.text(content));
    else if (type === 'softbreak') parts.push(' ');
    else if (type === 'hardbreak') parts.push(markup.lineBreak);
    else if (type === 'code_inline') parts.push(markup.inlineCode(content));
    else if (type === 'link_open') link = { url: token.attrGet('href') ?? '', from: parts.length };
    else if (type === 'link_close' && link !== null) {
      const text = parts.splice(link.from).join('');
      parts.push(/^https?:/.test(link.url) ? markup.link(link.url, text) : text);
      link = null;
    } else parts.push(markup.marks[token.tag] ?? '');
  }
  return parts.join('').trim();
}
