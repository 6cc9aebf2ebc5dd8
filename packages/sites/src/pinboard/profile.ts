import { z } from 'zod';
import { unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { PinboardAccountInput, accountNameOf } from './account-input.ts';
import { drawnAccounts } from './page-state.ts';
import { PinboardAccount, askAccount, readAccount, toAccount } from './account.ts';
import { pinboard } from './site.ts';

const ProfileAnswer = z.object({ profile: PinboardAccount });

type ProfileSource = EndpointSource<typeof PinboardAccountInput, typeof ProfileAnswer>;

const resource: ProfileSource = {
  name: 'resource',
  request: (input, site) => askAccount(accountNameOf(input, site), site),
  parse({ body }, input, site) {
    const read = readAccount(body, accountNameOf(input, site));
    return 'refusal' in read ? read.refusal : { profile: read.account };
  },
};

const page: ProfileSource = {
  name: 'page',
  lacks: 'the page of an account may leave out views and the last pin',
  request: (input, site) => ({ origin: 'web', path: `/${accountNameOf(input, site)}/` }),
  parse(source, input, site) {
    const users = drawnAccounts(parsePage(source.body, source.url));
    const username = accountNameOf(input, site);
    const profile = users
      .flatMap((user) => toAccount(user) ?? [])
      .find((one) => one.username.toLowerCase() === username);
    return profile === undefined ? unusable('the account asked for') : { profile };
  },
};

export const pinboardProfile = pinboard({
  path: '/profile',
  summary: 'An account by username or url',
  input: PinboardAccountInput,
  anyOf: ['username', 'url'],
  record: ProfileAnswer,
  sources: [resource, page],
  expected: ['profile.followers', 'profile.pins', 'profile.boards', 'profile.image_url'],
  canary: { username: 'pinterest' },
});
