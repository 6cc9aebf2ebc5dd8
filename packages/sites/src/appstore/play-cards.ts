import { readRich } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { at, line, text } from '#extract/values/raw.ts';
import { bareApp, toAppSummary } from './app-record.ts';
import type { AppSummary } from './app-record.ts';
import { pictureIn, picturesIn, playPriceOf, playUrlOf, appStars } from './play-app.ts';
import { listsIn, playData } from './play-data.ts';
import { PLAY_HOME } from './site.ts';

/** What stands behind the name of an app in the store's data. */
const APP = 7;

/** A card begins with the name of an app and the mark of one, and has a title. */
function isCard(list: readonly unknown[]): boolean {
  return at(list, 0, 1) === APP && typeof at(list, 0, 0) === 'string' && typeof list[3] === 'string';
}

/** The apps of the lists of a page of Google's store, each once, in their order. */
export function playCards(page: ParsedPage): readonly AppSummary[] {
  const cards = listsIn(playData(page), isCard).flatMap((card) => toCard(card) ?? []);
  return [...new Map(cards.map((card) => [card.id, card])).values()];
}

function toCard(card: readonly unknown[]): AppSummary | null {
  const id = line(at(card, 0, 0));
  const title = line(card[3]);
  if (id === null || title === null) return null;
  const name = line(card[14]);
  return toAppSummary({
    ...bareApp({ id, store: 'play', url: playUrlOf(id), title }),
    ...playPriceOf(at(card, 8, 1, 0)),
    summary: readRich(text(at(card, 13, 1)) ?? '', PLAY_HOME)?.text ?? null,
    developer: name === null ? null : { id: null, name, url: null, website_url: null },
    icon_url: pictureIn(card[1]),
    screenshots: picturesIn(card[2]),
    rating: appStars(at(card, 4, 1)),
    category: line(card[5]),
  });
}
