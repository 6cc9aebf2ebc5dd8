import { z } from 'zod';
import { partly } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { hasToken } from './graph-api.ts';
import { askApiForMaker, readApiMaker } from './maker-api.ts';
import { readProfile } from './maker-page.ts';
import { Maker, MakerInput, usernameOf } from './maker-record.ts';
import { launches } from './site.ts';

const record = z.object({ maker: Maker });

const DESCRIBED = 'only what the page describes for search engines is there';

type MakerSource = EndpointSource<typeof MakerInput, typeof record>;

function toAnswer(read: Maker | SiteAnswer) {
  if (!('username' in read)) return read;
  return read.id === null ? partly({ maker: read }, DESCRIBED) : { maker: read };
}

const page: MakerSource = {
  name: 'page',
  request: (input, site) => ({ origin: 'web', path: `/@${encodeURIComponent(usernameOf(input, site))}` }),
  parse: (given, input, site) => toAnswer(readProfile(given, usernameOf(input, site))),
};

const api: MakerSource = {
  name: 'api',
  lacks: 'the documented interface gives no text about the person, badges or streak, and the first 20 products alone',
  when: hasToken,
  request: (input, site) => askApiForMaker(usernameOf(input, site), site),
  parse: (given, input, site) => toAnswer(readApiMaker(given, usernameOf(input, site))),
};

export const maker = launches({
  path: '/maker',
  summary: 'A person with the products that they made',
  input: MakerInput,
  record,
  anyOf: ['username', 'url'],
  sources: [page, api],
  expected: ['maker.headline', 'maker.followers', 'maker.products'],
  canary: { username: 'rrhoover' },
});
