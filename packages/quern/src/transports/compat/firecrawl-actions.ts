import { z } from 'zod';
import { ServiceError } from '#kernel/errors.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';

/** An action of Firecrawl. The union is checked here, so that a wrong one is named by its place. */
const Action = z.discriminatedUnion('type', [
  z.object({ type: z.literal('wait'), milliseconds: z.number().int().optional(), selector: z.string().optional() }),
  z.object({ type: z.literal('click'), selector: z.string() }),
  z.object({ type: z.literal('write'), text: z.string(), selector: z.string().optional() }),
  z.object({ type: z.literal('press'), key: z.string() }),
  z.object({
    type: z.literal('scroll'),
    direction: z.enum(['up', 'down']).default('down'),
    selector: z.string().optional(),
  }),
  z.object({ type: z.literal('screenshot'), fullPage: z.boolean().optional() }),
  z.object({ type: z.literal('scrape') }),
  z.object({ type: z.literal('executeJavascript'), script: z.string() }),
  z.object({ type: z.literal('pdf') }),
]);

type Action = z.output<typeof Action>;

/** The names under which the session returns what actions make. */
const NAMES = { screenshot: 'screenshots', html: 'scrapes', value: 'javascriptReturns', pdf: 'pdfs' } as const;

/** Converts actions to those of a session. Throws `invalid_request` with the place of a wrong one. */
export function toSessionActions(actions: readonly unknown[]): readonly JsonObject[] {
  return actions.flatMap((raw, at) => {
    const read = Action.safeParse(raw);
    if (!read.success) {
      const [issue] = read.error.issues;
      const path = ['actions', at, ...(issue?.path ?? [])].join('.');
      throw new ServiceError('invalid_request', `${path}: ${issue?.message ?? 'is invalid'}`);
    }
    return toSessionAction(read.data);
  });
}

function toSessionAction(action: Action): readonly JsonObject[] {
  switch (action.type) {
    case 'wait':
      return [
        action.selector === undefined
          ? { type: 'wait', ms: action.milliseconds ?? 0 }
          : { type: 'wait', for: action.selector },
      ];
    case 'click':
      return [{ type: 'click', target: action.selector }];
    case 'write':
      // Text goes to the element with the focus, which a click has set.
      return [{ type: 'type', target: action.selector ?? ':focus', text: action.text, clear: false }];
    case 'press':
      return [{ type: 'press', key: action.key }];
    case 'scroll':
      return [scroll(action.direction, action.selector)];
    case 'screenshot':
      return [{ type: 'screenshot', name: NAMES.screenshot, full_page: action.fullPage ?? false }];
    case 'scrape':
      return [{ type: 'content', name: NAMES.html, output: 'raw_html' }];
    case 'executeJavascript':
      return [{ type: 'evaluate', name: NAMES.value, script: action.script }];
    default:
      return [{ type: 'pdf', name: NAMES.pdf }];
  }
}

function scroll(direction: 'up' | 'down', selector: string | undefined): JsonObject {
  return {
    type: 'scroll',
    to: direction === 'up' ? 'top' : 'end',
    ...(selector === undefined ? {} : { target: selector }),
  };
}

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
