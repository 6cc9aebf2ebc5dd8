import {
  escapeHtml,
  buildParagraph,
  buildSentence,
  ADJECTIVES,
  NOUNS,
  SECTIONS,
  drawBelow,
  drawItem,
  type RandomSource,
  buildArray,
  capitalize,
} from './prose.ts';
import type { PageKind, World } from './site.ts';

const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep'];

const ICON =
  '<svg class="ico ico--sm" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true" focusable="false"><path d="M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2zm1 15h-2v-6h2v6zm0-8h-2V7h2v2z" fill="currentColor"></path></svg>';

/** The page header: a banner, the logo, a menu with 48 links, and an ad. */
export function writeHeader(site: World): string {
  const banner =
    '<div class="cookie-banner" hidden><p>We use cookies.</p><button class="btn btn--primary">Accept</button></div>';
  const logo = `<header class="site-header"><a class="logo" href="/">${ICON} The Local World</a>`;
  const ad = '</header>\n<div class="ad-slot ad-slot--top" data-ad="leaderboard"><span>Advertisement</span></div>\n';
  return banner + logo + writeMenu(site) + ad;
}

/** The sidebar: cards of related pages. */
export function writeRelated(site: World, random: RandomSource, size: number): string {
  const count = Math.round(5 + 9 * size * random());
  const cards = buildArray(count, () => writeCard(site, drawBelow(random, site.pages), random)).join('');
  return `<aside class="sidebar related" aria-label="Related"><h2 class="related__head">Related</h2>${cards}</aside></main>\n`;
}

export function writeComments(
  site: World,
  random: RandomSource,
  { kind, size }: { readonly kind: PageKind; readonly size: number },
) {
  const count = kind === 'forum' ? 8 + Math.floor(random() * 40 * size) : Math.floor(random() * 14 * size);
  if (count === 0) return '';
  const comments = buildArray(count, (at) => {
    const author = `${capitalize(drawItem(random, NOUNS))}${drawBelow(random, 99)}`;
    const points = `<span class="comment__score">${drawBelow(random, 300)} points</span>`;
    const head = `<div class="comment__head">${ICON}<b class="comment__author">${author}</b> ${points}</div>`;
    const body = `<div class="comment__body"><p>${buildParagraph(site, random, 'without links')}</p></div>`;
    const reply = '<button class="btn btn--reply" type="button">Reply</button>';
    return `<li class="comment" data-c="${at}">${head}${body}${reply}</li>`;
  });
  const title = '<section class="comments" id="comments"><h2>Comments</h2>';
  return `${title}<ol class="comments__list">${comments.join('')}</ol></section>\n`;
}

/** The page footer: a form and 35 links. */
export function writeFooter(site: World): string {
  const columns = buildArray(6, (column) => {
    const items = buildArray(5, (row) => {
      const id = (1 + column * 6 + row) % site.pages;
      const link = `<a class="footer__link" href="${site.getPath(id)}" rel="nofollow">${escapeHtml(site.getTitle(id))}</a>`;
      return `<li class="footer__item">${link}</li>`;
    });
    const head = `<h4 class="footer__head">${capitalize(SECTIONS[(column * 5) % SECTIONS.length] ?? '')}</h4>`;
    return `<div class="footer__col">${head}<ul class="footer__list">${items.join('')}</ul></div>`;
  });
  const newsletter =
    '<section class="newsletter"><h2>Newsletter</h2><form action="/subscribe" method="post"><input type="email" name="e" placeholder="you@example.org"><button class="btn">Subscribe</button></form></section>\n';
  const legal =
    'Terms &middot; <a href="/missing/terms">Privacy</a> &middot; <a href="mailto:desk@example.org">Contact</a> &middot; <a href="/calendar/2020-01">Calendar</a> &middot; <a href="https://example.org/partner">Partner</a>';
  return `${newsletter}<footer class="footer"><div class="footer__cols">${columns.join('')}</div><p class="legal">${legal}</p></footer>`;
}

/** Embedded JSON state for the script. */
export function writeState(
  site: World,
  random: RandomSource,
  { id, kind, size }: { readonly id: number; readonly kind: PageKind; readonly size: number },
) {
  const items = buildArray(Math.round(8 + 60 * size * random()), () => ({
    id: drawBelow(random, site.pages),
    w: drawItem(random, NOUNS),
    score: Number((random() * 10).toFixed(3)),
    tags: [drawItem(random, ADJECTIVES), drawItem(random, NOUNS)],
    seen: random() < 0.5,
  }));
  const state = JSON.stringify({ page: id, kind, items });
  return `\n<script id="__STATE__" type="application/json">${state}</script>\n<script src="/static/app.js" defer></script>\n`;
}

export function writeImage(random: RandomSource, name: string): string {
  const at = drawBelow(random, 64);
  const sources = `src="/static/img/${at}.png" srcset="/static/img/${at}.png 1x, /static/img/${(at + 1) % 64}.png 2x"`;
  const loading = random() < 0.5 ? 'lazy' : 'eager';
  const alt = escapeHtml(buildSentence(random).slice(0, 60));
  return `<img class="${name}" ${sources} width="400" height="300" loading="${loading}" alt="${alt}">`;
}

function writeMenu(site: World): string {
  const items = buildArray(12, (column) => {
    const top = (1 + column * 3 + 1) % site.pages;
    const label = `${ICON}<span class="mega-menu__label">${capitalize(site.getSection(top))}</span>`;
    const head = `<a class="mega-menu__link" role="menuitem" href="${site.getPath(top)}">${label}</a>`;
    const links = buildArray(3, (row) => {
      const id = (1 + column * 3 + row) % site.pages;
      const facts = `href="${site.getPath(id)}" class="mega-menu__sublink" data-event="nav-click" data-pos="${column}-${row}"`;
      return `<li class="mega-menu__sub"><a ${facts}>${escapeHtml(site.getTitle(id))}</a></li>`;
    });
    return `<li class="mega-menu__item" role="none">${head}<ul class="mega-menu__column">${links.join('')}</ul></li>`;
  });
  const search =
    '<form class="search" action="/search" role="search"><input name="q" type="search" placeholder="Search"><button class="btn" type="submit">Search</button></form>';
  return `<nav class="site-nav" aria-label="Main"><ul class="mega-menu" role="menubar">${items.join('')}</ul>${search}</nav>`;
}

function writeCard(site: World, id: number, random: RandomSource): string {
  const title = escapeHtml(site.getTitle(id));
  const href = escapeHtml(site.buildLink(id, random));
  const media = `<a class="card__media" href="${href}" tabindex="-1">${writeImage(random, 'card__img')}</a>`;
  const tag = `<span class="tag tag--${id % 9}">${capitalize(site.getSection(id))}</span>`;
  const head = `<h3 class="card__title"><a href="${escapeHtml(site.buildLink(id, random))}">${title}</a></h3>`;
  const text = `<p class="card__text">${escapeHtml(buildSentence(random))}</p>`;
  const instant = `2026-0${1 + (id % 9)}-1${id % 10}T0${id % 10}:15:00Z`;
  const time = `<time class="card__time" datetime="${instant}">1${id % 10} ${MONTH_NAMES[id % 9]} 2026</time>`;
  return `<article class="card card--related" data-id="${id}">${media}<div class="card__body">${tag}${head}${text}${time}</div></article>`;
}
