import { z } from 'zod';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';

/** The names under which the session returns what actions make. */
const NAMES = { screenshot: 'screenshots', html: 'scrapes', value: 'javascriptReturns', pdf: 'pdfs' } as const;

const selector = z.string();

/** An action of Firecrawl, as that of a session. */
export const Action = z.discriminatedUnion('type', [
  z
    .object({ type: z.literal('wait'), milliseconds: z.number().int().default(0), selector: selector.optional() })
    .transform(({ milliseconds: ms, ...wait }) => ({
      type: 'wait',
      ...(wait.selector === undefined ? { ms } : { for: wait.selector }),
    })),
  z.object({ type: z.literal('click'), selector }).transform((click) => ({ type: 'click', target: click.selector })),
  // Text goes to the element with the focus, which a click has set.
  z
    .object({ type: z.literal('write'), text: z.string(), selector: selector.default(':focus') })
    .transform(({ text, ...write }) => ({ type: 'type', target: write.selector, text, clear: false })),
  z.object({ type: z.literal('press'), key: z.string() }),
  z
    .object({
      type: z.literal('scroll'),
      direction: z.enum(['up', 'down']).default('down'),
      selector: selector.optional(),
    })
    .transform(({ direction, ...scroll }) => ({
      type: 'scroll',
      to: direction === 'up' ? 'top' : 'end',
      target: scroll.selector,
    })),
  z
    .object({ type: z.literal('screenshot'), fullPage: z.boolean().default(false) })
    .transform(({ fullPage }) => ({ type: 'screenshot', name: NAMES.screenshot, full_page: fullPage })),
  z.object({ type: z.literal('scrape') }).transform(() => ({ type: 'content', name: NAMES.html, output: 'raw_html' })),
  z
    .object({ type: z.literal('executeJavascript'), script: z.string() })
    .transform(({ script }) => ({ type: 'evaluate', name: NAMES.value, script })),
  z.object({ type: z.literal('pdf') }).transform(() => ({ type: 'pdf', name: NAMES.pdf })),
]);

/** Converts what the actions made to the member `actions` of a document. */
export function toActionResults(extracted: unknown, toFileUrl: (artifactId: string) => string): JsonObject {
  const values = isJsonObject(extracted) ? extracted : {};
  const list = (name: string): readonly unknown[] => {
    const value = values[name];
    return value === undefined ? [] : Array.isArray(value) ? value : [value];
  };
  const toUrl = (file: unknown): unknown =>
    isJsonObject(file) && typeof file['id'] === 'string' ? toFileUrl(file['id']) : file;
  return {
    screenshots: list(NAMES.screenshot).map(toUrl),
    scrapes: list(NAMES.html).map((html) => ({ html })),
    javascriptReturns: list(NAMES.value).map((value) => ({ type: value === null ? 'null' : typeof value, value })),
    pdfs: list(NAMES.pdf).map(toUrl),
  };
}
