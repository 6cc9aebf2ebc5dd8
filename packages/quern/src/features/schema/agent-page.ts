import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';

/** Fields of a page that are not shown to agents. */
const HIDDEN_FIELDS: ReadonlySet<string> = new Set([
  'request_id',
  'url',
  'final_url',
  'metadata',
  'warnings',
  'usage',
  'attempts',
  'cache',
  'truncated',
  'next_offset',
  'fetched_at',
  'content_type',
  'parent_url',
  'depth',
  'tier',
  'credits',
  'links',
  'images',
  'tables',
]);

/** Converts a page for agents: title, URL and outputs, with lists as lines. */
export function toAgentPage(body: JsonObject): JsonObject {
  const { url, final_url: finalUrl = url, metadata, warnings, next_offset: next, links, images, tables } = body;
  const outputs = Object.entries(body).filter(([name]) => !HIDDEN_FIELDS.has(name));
  const facts = isJsonObject(metadata) ? metadata : {};
  const { title, author, published_date: published, ...others } = facts;
  const isBare = outputs.every(([name]) => name === 'status_code') && !links && !images && !tables;
  return {
    title,
    url: finalUrl,
    author,
    published,
    // If no other output was requested, the metadata is the output.
    ...(isBare ? others : {}),
    ...Object.fromEntries(outputs),
    ...(next === undefined ? {} : { next_offset_chars: next }),
    warnings: toLines(warnings, ({ code, message }) => `${String(code)}: ${String(message)}`),
    links: toLines(links, ({ url: to, text }) => `[${String(text)}](${String(to)})`),
    images: toLines(images, ({ url: to, alt }) => `![${typeof alt === 'string' ? alt : ''}](${String(to)})`),
    tables: toLines(tables, toTable),
  };
}

/**
 * Adds `json` to the requested formats of a call with `extract`. `otherwise` are the formats if none were requested.
 */
export function addJsonFormat(output: unknown, otherwise: readonly string[]): readonly unknown[] {
  const formats: readonly unknown[] = output === undefined ? otherwise : Array.isArray(output) ? output : [output];
  return formats.includes('json') ? formats : [...formats, 'json'];
}

function toLines(list: unknown, toLine: (one: JsonObject) => string): readonly string[] | undefined {
  return Array.isArray(list) ? list.filter(isJsonObject).map(toLine) : undefined;
}

function toTable({ caption, headers, rows }: JsonObject): string {
  const lines = [headers, ...(Array.isArray(rows) ? rows : [])];
  const cells = lines.map((line) => (Array.isArray(line) ? line.join(' | ') : ''));
  return [...(typeof caption === 'string' ? [caption] : []), ...cells].join('\n');
}
