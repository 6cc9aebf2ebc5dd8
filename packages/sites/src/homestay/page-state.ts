import type { SourcePage } from '#sites/framework/request.ts';
import { attributeAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { jsonScript } from '#extract/dom/scripts.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line, list } from '#extract/values/raw.ts';

/** What a page was drawn from, and what it asked for by itself: each answer by the words that it was asked with. */
export type LoadedAnswer = { readonly asked: string; readonly value: unknown };

const SCRIPTS = ['data-deferred-state-0', 'data-deferred-state', 'data-injector-instances'] as const;

/** The answers to questions of that name (`StaysSearch`) in the state of a page. */
export function statesOf(page: ParsedPage, name: string): readonly LoadedAnswer[] {
  for (const id of SCRIPTS) {
    const data = jsonScript(page, { id });
    const all = [...list(at(data, 'niobeClientData')), ...list(at(data, 'niobeMinimalClientData'))];
    const found = all.flatMap((pair) => {
      const asked = line(at(pair, 0)) ?? '';
      return asked.startsWith(`${name}:`) ? [{ asked, value: at(pair, 1) }] : [];
    });
    if (found.length > 0) return found;
  }
  return [];
}

/** The rule that keeps the answers to questions of that name. */
export function loads(name: string) {
  return { name, path: new RegExp(`^/api/v3/${name}/`) };
}

/** The answers that a page of a browser loaded by itself. */
export function loadedBy({ captures }: SourcePage): readonly LoadedAnswer[] {
  return captures.map(({ url, text }) => ({
    asked: new URL(url).searchParams.get('variables') ?? '',
    value: tryParse(text),
  }));
}

export function pageOfStay({ body, url }: SourcePage): ParsedPage {
  return parsePage(body, url);
}

/** Whether a question is about the home with that number. */
export function isAbout({ asked }: LoadedAnswer, id: string): boolean {
  return ['StayListing', 'DemandStayListing'].some((kind) =>
    asked.includes(Buffer.from(`${kind}:${id}`).toString('base64')),
  );
}

/** The number of a home, plain or behind the name of its kind in base64. */
export function stayIdIn(raw: unknown): string | null {
  const given = line(raw);
  if (given === null || /^\d{1,20}$/.test(given)) return given;
  return /^(?:Demand)?StayListing:(\d{1,20})$/.exec(Buffer.from(given, 'base64').toString('utf8'))?.[1] ?? null;
}

/** The language that a page is written in, else the one that it was asked for in. */
export function readLocale(page: ParsedPage, asked: string): string {
  return attributeAt(page, 'html', 'lang') ?? asked;
}
