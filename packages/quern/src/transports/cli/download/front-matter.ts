import { z } from 'zod';

const said = z.string().nullish();

/** The members of a crawled page that its Markdown file holds. */
export const MarkdownPage = z.object({
  url: z.string(),
  final_url: said,
  markdown: z.string(),
  fetched_at: said,
  metadata: z.object({ title: said, description: said, author: said, published_date: said, language: said }).optional(),
});

export type MarkdownPage = z.output<typeof MarkdownPage>;

/** Characters that JSON leaves unescaped and YAML forbids or reads as a line break. */
const BARE = /[\u007f-\u009f\u2028\u2029\ufeff]/g;
const FIRST_LINE = /^---\nurl: (".*")\n/;

/** A page as a file: YAML front matter of what is known of it, then its markdown. */
export function toMarkdownFile({
  url,
  final_url: finalUrl,
  markdown,
  fetched_at,
  metadata = {},
}: MarkdownPage): string {
  const { title, description, author, published_date: published, language } = metadata;
  const facts = {
    url,
    final_url: finalUrl === url ? null : finalUrl,
    title,
    description,
    author,
    published,
    language,
    fetched: fetched_at,
  };
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [`${name}: ${quote(value)}`] : [],
  );
  return `---\n${lines.join('\n')}\n---\n\n${markdown}${markdown.endsWith('\n') ? '' : '\n'}`;
}

/** The URL of the page that the beginning of a file belongs to, null for a file of another origin. */
export function urlOfFile(text: string): string | null {
  const quoted = FIRST_LINE.exec(text)?.[1];
  try {
    const url: unknown = quoted === undefined ? null : JSON.parse(quoted);
    return typeof url === 'string' ? url : null;
  } catch {
    return null;
  }
}

/** A text of JSON is a double-quoted scalar of YAML 1.2 (section 1.2), but for a few characters. */
function quote(text: string): string {
  return JSON.stringify(text).replace(BARE, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
}
