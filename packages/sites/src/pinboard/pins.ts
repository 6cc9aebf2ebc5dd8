import { z } from 'zod';
import { more, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { PinboardAccountInput, accountNameOf } from './account-input.ts';
import { askAccount, readAccount } from './account.ts';
import { askCreated, askSaved, pinsTokenOf, readPins } from './pins-list.ts';
import { Pin } from './pin-record.ts';
import { pinsFeed } from './pins-feed.ts';
import { pinboard } from './site.ts';

const PinsInput = PinboardAccountInput.extend({
  type: z.enum(['created', 'saved']).default('created').describe('Pins that the account made, or all that it keeps'),
});

const PinsAnswer = z.object({ pins: z.array(Pin).readonly() });

type PinsSource = EndpointSource<typeof PinsInput, typeof PinsAnswer>;

/** The interface; what an account made is asked for by its number, which the account itself tells first. */
const resource: PinsSource = {
  name: 'resource',
  request(input, site) {
    const username = accountNameOf(input, site);
    const { user, bookmark } = pinsTokenOf(site.cursor);
    if (input.type === 'saved') return askSaved({ username, bookmark }, site);
    return user === null ? askAccount(username, site) : askCreated({ username, user, bookmark }, site);
  },
  parse(page, input, site) {
    const username = accountNameOf(input, site);
    const token = pinsTokenOf(site.cursor);
    if (input.type === 'saved') return readPins(page.body, { username, user: null });
    if (typeof page.carry === 'string') return readPins(page.body, { username, user: page.carry });
    if (token.user !== null) return readPins(page.body, { username, user: token.user });
    const read = readAccount(page.body, username);
    if ('refusal' in read) return read.refusal;
    const { id } = read.account;
    if (id === null) return unusable('the number of the account');
    return more(askCreated({ username, user: id, bookmark: null }, { now: 0 }), id);
  },
};

export const pinboardPins = pinboard({
  path: '/pins',
  summary: 'Pins of an account',
  input: PinsInput,
  anyOf: ['username', 'url'],
  aliases: { limit: ['per_page'] },
  record: PinsAnswer,
  list: 'pins',
  limit: { default: 25, most: 50 },
  sources: [resource, pinsFeed],
  // The lists of an account have no times; its feed and the page of each pin do.
  expected: ['pins.url', 'pins.image_url', 'pins.pinner', 'pins.board'],
  canary: { username: 'pinterest' },
});
