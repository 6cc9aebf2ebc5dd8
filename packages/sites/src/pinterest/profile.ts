import { z } from 'zod';
import { unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { getPath } from '#extract/values/raw.ts';
import {
  Account,
  AccountInput,
  buildAccountRequest,
  findAccountName,
  readAccount,
  readState,
  toAccount,
} from './shared.ts';
import { pinterest } from './site.ts';

const ProfileAnswer = z.object({ profile: Account });

type ProfileSource = EndpointSource<typeof AccountInput, typeof ProfileAnswer>;

const resourceSource: ProfileSource = {
  name: 'resource',
  request: (input, site) => buildAccountRequest(findAccountName(input, site), site),
  parse({ body }, input, site) {
    const read = readAccount(body, findAccountName(input, site));
    return 'refusal' in read ? read.refusal : { profile: read.account };
  },
};

const pageSource: ProfileSource = {
  name: 'page',
  lacks: 'the page of an account may lack the views and the last pin',
  request: (input, site) => ({ origin: 'web', path: `/${findAccountName(input, site)}/` }),
  parse(source, input, site) {
    const users = listAccounts(parsePage(source.body, source.url));
    const username = findAccountName(input, site);
    const profile = users
      .flatMap((user) => toAccount(user) ?? [])
      .find((one) => one.username.toLowerCase() === username);
    return profile === undefined ? unusable('the requested account is missing') : { profile };
  },
};

export const pinterestProfile = pinterest({
  path: '/profile',
  summary: 'An account by username or url',
  input: AccountInput,
  anyOf: ['username', 'url'],
  record: ProfileAnswer,
  sources: [resourceSource, pageSource],
  expected: ['profile.followers', 'profile.pins', 'profile.boards', 'profile.image_url'],
  canary: { username: 'pinterest' },
});

/** Lists the accounts in the state of a page, including those of stored API answers. */
function listAccounts(page: ParsedPage): readonly unknown[] {
  const state = readState(page);
  return [
    ...Object.values(Object(getPath(state, 'users'))),
    ...findObjectsWith(getPath(state, 'resources'), 'username', 'pin_count'),
  ];
}
