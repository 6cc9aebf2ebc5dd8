import { z } from 'zod';
import { notFound, partly, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { AppInput, isOf, PLACE_ALIASES, wantedApp } from './app-input.ts';
import { App } from './app-record.ts';
import { readApplePage } from './apple-page.ts';
import { askItunes, fromItunes, itunesResults } from './itunes.ts';
import { readPlayApp } from './play-app.ts';
import { appstore } from './site.ts';

const AppAnswer = z.object({ app: App });

type AppSource = EndpointSource<typeof AppInput, typeof AppAnswer>;

const lookup: AppSource = {
  name: 'lookup',
  when: isOf('apple'),
  request: (input, site) => askItunes('/lookup', { id: wantedApp(input, site).id, entity: 'software' }, input),
  parse({ body }, input, site) {
    const results = itunesResults(body);
    if (results === null) return unusable('an answer of the lookup');
    if (results.length === 0) return notFound(`there is no such app in the store of ${input.country.toUpperCase()}`);
    const { id } = wantedApp(input, site);
    const app = results.map((one) => fromItunes(one)).find((one) => one?.id === id);
    return app === undefined || app === null ? unusable('the app asked for') : { app };
  },
};

const apple: AppSource = {
  name: 'apple',
  when: isOf('apple'),
  request: (input, site) => ({
    origin: 'apple',
    path: `/${input.country.toLowerCase()}/app/id${wantedApp(input, site).id}`,
    language: input.language,
  }),
  parse(source, input, site) {
    const app = readApplePage(parsePage(source.body, source.url), wantedApp(input, site).id);
    return app === null
      ? unusable('the app asked for')
      : partly({ app }, 'what the documented lookup tells: size, languages, version and its notes');
  },
};

const play: AppSource = {
  name: 'play',
  when: isOf('play'),
  request: (input, site) => ({
    origin: 'play',
    path: '/store/apps/details',
    query: { id: wantedApp(input, site).id, hl: input.language, gl: input.country.toUpperCase() },
    language: input.language,
  }),
  parse(source, input, site) {
    const shown = readPlayApp(parsePage(source.body, source.url), wantedApp(input, site).id);
    if (shown === null) return unusable('the app asked for');
    const { app, isWhole } = shown;
    return isWhole ? { app } : partly({ app }, 'only what the page describes for search engines is there');
  },
};

export const appstoreApp = appstore({
  path: '/app',
  summary: 'An app of either store by id or url',
  input: AppInput,
  anyOf: ['id', 'url'],
  aliases: PLACE_ALIASES,
  record: AppAnswer,
  sources: [lookup, apple, play],
  expected: ['app.developer', 'app.icon_url', 'app.description_text', 'app.updated_at', 'app.category'],
  canary: { id: '284882215' },
});
