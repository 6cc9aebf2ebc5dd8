import { unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { things } from '#extract/dom/described.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { interactionCount } from '#extract/structured/interactions.ts';
import { at, line, mediaUrl, moment, text } from '#extract/values/raw.ts';
import { microblogAccountOf, servesAccounts } from './account.ts';
import type { MicroAccountInput } from './account.ts';
import type { ProfileAnswer } from './records.ts';
import { NETWORK_HOMES } from './site.ts';

const HOME = NETWORK_HOMES.bluesky;

/** The page of an account of the network of domain names, which describes it for search engines. */
export const skyProfilePage: EndpointSource<typeof MicroAccountInput, typeof ProfileAnswer> = {
  name: 'bluesky_page',
  lacks: 'the page does not tell the banner, the website and whether the account is verified',
  when: servesAccounts('bluesky'),
  request: (input, site) => ({ origin: 'bluesky', path: `/profile/${microblogAccountOf(input, site).name}` }),
  parse(source, input, site) {
    const { name } = microblogAccountOf(input, site);
    for (const { members } of things(parsePage(source.body, source.url), 'ProfilePage')) {
      const person = at(members, 'mainEntity');
      const id = line(at(person, 'identifier'));
      const username = line(at(person, 'alternateName'))?.replace(/^@/, '') ?? null;
      if (id === null || username === null) continue;
      if (id !== name && username.toLowerCase() !== name.toLowerCase())
        return unusable(`the profile of another: ${username}`);
      const own = at(person, 'agentInteractionStatistic');
      const profile = {
        id,
        username,
        name: line(at(person, 'name')),
        url: `${HOME}/profile/${username}`,
        network: 'bluesky' as const,
        description: text(at(person, 'description')),
        location: null,
        website: null,
        followers: interactionCount(at(person, 'interactionStatistic'), 'FollowAction'),
        following: interactionCount(own, 'FollowAction'),
        post_count: interactionCount(own, 'WriteAction'),
        created_at: moment(at(members, 'dateCreated')),
        verified: null,
        avatar_url: mediaUrl(at(person, 'image'), HOME),
        banner_url: null,
        is_protected: false,
      };
      return { profile };
    }
    return unusable('a profile');
  },
};
