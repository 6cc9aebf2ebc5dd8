import { notFound, notHere } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { jsonScript } from '#extract/dom/scripts.ts';
import { at, integer } from '#extract/values/raw.ts';

/** The part of a page's data of that name (`webapp.user-detail`); undefined where there is none. */
export function pageScope({ body, url }: SourcePage, name: string): unknown {
  const data = jsonScript(parsePage(body, url), { id: '__UNIVERSAL_DATA_FOR_REHYDRATION__' });
  return at(data, '__DEFAULT_SCOPE__', name);
}

/** The state of pages before 2024. */
export function oldStateOf({ body, url }: SourcePage): unknown {
  return jsonScript(parsePage(body, url), { id: 'SIGI_STATE' });
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [10202, 'there is nobody of that name'],
  [10221, 'the account is banned or gone'],
  [10222, 'the account is private'],
  [10204, 'the video is not available'],
  [10215, 'the video is private'],
  [10216, 'the video is private'],
  [10231, 'the video is not shown in this country'],
]);

/** What a code of the site means; null for that of a good answer. */
export function clipRefusal(part: unknown): SiteAnswer | null {
  const code = integer(at(part, 'statusCode'));
  if (code === null || code === 0) return null;
  const reason = REASONS.get(code);
  return reason === undefined ? notHere(`the site answers ${code}`) : notFound(reason);
}
