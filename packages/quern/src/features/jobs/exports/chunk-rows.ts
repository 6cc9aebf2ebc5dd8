import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';

/** Lists the chunks of pages as rows, each with the address and title of its page. */
export async function* listChunkRows(pages: AsyncIterable<JsonObject>): AsyncGenerator<JsonObject, void> {
  for await (const { url, metadata, chunks } of pages) {
    const title = isJsonObject(metadata) ? (metadata['title'] ?? null) : null;
    for (const chunk of Array.isArray(chunks) ? chunks : [])
      if (isJsonObject(chunk)) yield { page_url: url, page_title: title, ...chunk };
  }
}

/** Writes rows as JSON Lines. */
export async function* writeJsonLines(rows: AsyncIterable<JsonObject>): AsyncGenerator<string, void> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}
