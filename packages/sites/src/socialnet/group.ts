import { z } from 'zod';
import { partly } from '#sites/framework/answers.ts';
import { openGraph } from '#extract/dom/described.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { at, countOf, line, list, mediaUrl, text } from '#extract/values/raw.ts';
import { GroupInput, readGroupName } from './addresses.ts';
import { buildGroupUrl, findGroup } from './shared.ts';
import { answerAbsent, SOCIAL_WEB, socialnet } from './site.ts';

const Text = z.string().nullable();

const Group = z.object({
  id: Text,
  name: z.string(),
  url: z.string(),
  description: Text,
  privacy: z.enum(['public', 'private']).nullable(),
  visibility: z.enum(['visible', 'hidden']).nullable().describe('Whether it can be found'),
  members: z.int().min(0).nullable(),
  members_text: Text,
  cover_image_url: Text,
  location: Text,
  rules: z.array(z.string()).readonly().nullable(),
  created_at: Text,
  counts_approximate: z.boolean(),
});

/** A group, as its page shows it to everyone. */
export const group = socialnet({
  path: '/group',
  summary: 'A public group by id or url',
  input: GroupInput,
  anyOf: ['id', 'url'],
  record: z.object({ group: Group }),
  expected: ['group.id', 'group.privacy', 'group.members', 'group.description', 'group.cover_image_url'],
  canary: { id: 'nasaspaceflight' },
  request: (input, site) => ({ origin: 'web', path: `/groups/${readGroupName(input, site)}/about/` }),
  parse(source, input, site) {
    const wanted = readGroupName(input, site);
    const parsed = parsePage(source.body, source.url);
    const shown = findGroup(source, parsed, wanted);
    const isTold = Object.keys(shown?.raw ?? {}).length > 0;
    if (shown === null) return answerAbsent(source, 'the group asked for');
    const { id, name, raw } = shown;
    const membersText = line(at(raw, 'group_member_profiles', 'formatted_count_text'));
    const members = countOf(/[\d.,]+(?:\s?[KMB]\b)?/i.exec(membersText ?? '')?.[0], 'en-US');
    const photo = at(raw, 'cover_renderer', 'cover_photo_content', 'photo');
    const cover = at(photo, 'image', 'uri') ?? at(photo, 'uri');
    const words = [at(raw, 'privacy_info', 'title', 'text'), at(raw, 'privacy_info', 'label', 'text')].map(line);
    const rules = list(at(raw, 'group_rules', 'nodes')).flatMap((one) => line(at(one, 'title')) ?? []);
    const record = {
      group: {
        id,
        name,
        url: buildGroupUrl(shown, wanted),
        description:
          text(at(raw, 'description_with_entities', 'text')) ?? (isTold ? null : openGraph(parsed, 'og:description')),
        privacy: findWord(words, 'public', 'private'),
        visibility: findWord([line(at(raw, 'visibility_info', 'title', 'text'))], 'visible', 'hidden'),
        members: members?.value ?? null,
        members_text: membersText,
        cover_image_url: mediaUrl(cover ?? (isTold ? null : openGraph(parsed, 'og:image')), SOCIAL_WEB),
        location: line(at(list(raw['group_locations'])[0], 'name')),
        rules: rules.length === 0 ? null : rules,
        created_at: null,
        counts_approximate: members?.approximate === true,
      },
    };
    return isTold ? record : partly(record, 'the page gave only what it tells those who share it');
  },
});

function findWord<T extends string>(texts: readonly (string | null)[], ...words: readonly T[]): T | null {
  return words.find((word) => texts.some((one) => one?.toLowerCase().startsWith(word) === true)) ?? null;
}
