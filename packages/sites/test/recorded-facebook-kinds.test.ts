import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getPath } from '#extract/values/raw.ts';
import { readAnswer, findRefusal } from '#testkit/sites/recorded-pages.ts';

const WEB = 'https://www.facebook.com';

/** Builds a page of the site with these responses of its interface. */
function buildPage(...answers: readonly object[]): string {
  const scripts = answers.map((result, index) => {
    const held = { require: [['RelayPrefetchedStreamCache', 'next', [], [`adp_${index}`, { __bbox: { result } }]]] };
    return `<script type="application/json" data-sjs>${JSON.stringify({ require: [[{ __bbox: held }]] })}</script>`;
  });
  return `<!DOCTYPE html><html><head><title>Facebook</title>${scripts.join('')}</head><body></body></html>`;
}

const MILL = { __typename: 'User', id: '100064000000042', name: 'Harrow Mill' };
const MILL_AUTHOR = { id: MILL.id, name: MILL.name, url: `${WEB}/harrowmill`, username: 'harrowmill' };
const toFeedbackId = (post: string): string => Buffer.from(`feedback:${post}`).toString('base64');

test('merges the fragments of a reel', () => {
  const url = `${WEB}/reel/830200400/`;
  const body = buildPage(
    {
      data: {
        video: {
          __typename: 'Video',
          id: '830200400',
          creation_story: {
            post_id: '983020040',
            creation_time: 1_779_500_000,
            message: { text: 'Ten seconds of flour' },
            feedback: { id: toFeedbackId('983020040'), total_comment_count: 6, share_count_reduced: '1.1K' },
            fb_reel_react_button: { story: { feedback: { id: toFeedbackId('983020040'), likers: { count: 77 } } } },
            short_form_video_context: {
              shareable_url: 'https://web.facebook.com/reel/830200400/',
              video_owner: { __typename: 'User', id: MILL.id },
              playback_video: { id: '830200400', length_in_second: 9.5, play_count: 5200 },
            },
          },
        },
      },
    },
    {
      label: 'Reel$defer$Video',
      path: ['video'],
      data: { videoDeliveryLegacyFields: { browser_native_hd_url: 'https://video.example/r.mp4?oe=1' } },
    },
    { data: { user: { ...MILL, url: 'https://de-de.facebook.com/harrowmill' } } },
  );
  assert.partialDeepStrictEqual(readAnswer('socialnet.post', { url }, { body, url }), {
    kind: 'record',
    record: {
      post: {
        id: '830200400',
        url,
        text: 'Ten seconds of flour',
        author: MILL_AUTHOR,
        created_at: '2026-05-23T01:33:20.000Z',
        type: 'reel',
        video: { url: 'https://video.example/r.mp4?oe=1', duration_ms: 9500 },
        stats: { reactions: 77, comments: 6, shares: 1100, views: 5200 },
        counts_approximate: true,
      },
    },
  });
});

test('parses title, owner and counts of a video on its own page', () => {
  const url = `${WEB}/watch/?v=830300400`;
  const media = {
    __typename: 'Video',
    id: '830300400',
    title: { text: 'The wheel turns' },
    owner: { ...MILL, url: 'https://web.facebook.com/harrowmill' },
    publish_time: 1_779_600_000,
    feedback: {
      id: toFeedbackId('830300400'),
      reaction_count: { count: 48 },
      total_comment_count: 5,
      video_view_count: 9100,
    },
  };
  const body = buildPage({
    data: { video: { id: '830300400', story: { post_id: '983030040', attachments: [{ media }] } } },
  });
  assert.partialDeepStrictEqual(readAnswer('socialnet.post', { url }, { body, url }), {
    kind: 'record',
    record: {
      post: {
        id: '830300400',
        url,
        text: 'The wheel turns',
        author: MILL_AUTHOR,
        created_at: '2026-05-24T05:20:00.000Z',
        type: 'video',
        stats: { reactions: 48, comments: 5, shares: null, views: 9100 },
      },
    },
  });
});

test('a page with only a login form is a wall, and one with unknown data is unusable', () => {
  const login = { data: { login_data: { login_source: 'COMET_LOGIN_HEADER' } } };
  const other = { data: { node: { __typename: 'Story', id: 'x' } } };
  for (const [id, input, url] of [
    ['socialnet.post', { url: `${WEB}/watch/?v=830300400` }, `${WEB}/watch/?v=830300400`],
    ['socialnet.group', { id: 'valleymillers' }, `${WEB}/groups/valleymillers/about/`],
    ['socialnet.marketplace.item', { id: '800100200300400' }, `${WEB}/marketplace/item/800100200300400/`],
  ] as const) {
    const wall = readAnswer(id, input, { body: buildPage(login), url });
    assert.deepEqual(wall, { kind: 'blocked', reason: 'login_wall' }, id);
    assert.equal(readAnswer(id, input, { body: buildPage(login, other), url }).kind, 'unusable', id);
  }
});

test('a photo that a page only lists is not accepted as the requested photo', () => {
  const url = `${WEB}/photo/?fbid=830100400`;
  const listed = {
    node: { __typename: 'Photo', id: '830100400', viewer_image: { uri: 'https://scontent.example/a.jpg' } },
  };
  const body = buildPage({ data: { user: { id: MILL.id, photos: { edges: [{ node: listed }] } } } });
  assert.equal(readAnswer('socialnet.post', { url }, { body, url }).kind, 'unusable');
});

const buildStory = (id: string, text: string): object => ({
  __typename: 'Story',
  post_id: id,
  creation_time: 1_779_000_000,
  permalink_url: `https://web.facebook.com/groups/valleymillers/posts/${id}/`,
  actors: [MILL],
  comet_sections: { content: { story: { message: { text } } } },
});

test('pinned posts of a group are in its list and marked as pinned', () => {
  const url = `${WEB}/groups/valleymillers/`;
  const group = {
    __typename: 'Group',
    id: '440055006600770',
    name: 'Millers of the valley',
    url,
    group_member_profiles: { formatted_count_text: '12.3K members' },
    group_feed: {
      edges: [
        { node: { __typename: 'GroupsSectionHeaderUnit' } },
        { node: { story: buildStory('900200000000001', 'New') } },
      ],
      page_info: { has_next_page: false },
    },
    if_viewer_can_see_highlight_units: {
      highlight_units: { edges: [{ node: { is_unit_pinned: true, story: buildStory('900200000000002', 'Rules') } }] },
    },
  };
  assert.partialDeepStrictEqual(
    readAnswer('socialnet.group.posts', { id: 'valleymillers' }, { body: buildPage({ data: { group } }), url }),
    {
      kind: 'record',
      record: {
        posts: [
          { id: '900200000000001', text: 'New', pinned: false },
          {
            id: '900200000000002',
            url: `${WEB}/groups/valleymillers/posts/900200000000002/`,
            text: 'Rules',
            pinned: true,
          },
        ],
      },
    },
  );
});

test('a partnership ad has only the data of its advertiser', () => {
  const url = `${WEB}/ads/library/?id=800100000000001`;
  const advertiser = { page_id: '112233445566778', page_name: 'Harrow Mill' };
  const partner = {
    page_id: '998877665544332',
    page_name: 'Bread of the valley',
    page_profile_uri: `${WEB}/valleybread`,
    page_like_count: 12,
    page_categories: ['Bakery'],
  };
  const readAdvertiser = (branded: object | null): unknown => {
    const snapshot = { ...partner, body: { text: 'Flour and bread' }, branded_content: branded };
    const body = buildPage({ data: { ad: { ad_archive_id: '800100000000001', ...advertiser, snapshot } } });
    const verdict = readAnswer('socialnet.adLibrary.ad', { id: '800100000000001' }, { body, url });
    assert.equal(verdict.kind, 'record');
    return getPath(verdict, 'record', 'ad', 'page');
  };
  const bare = { url: null, likes: null, categories: null, profile_image_url: null, verified: null };
  assert.deepEqual(readAdvertiser(null), { id: advertiser.page_id, name: advertiser.page_name, ...bare });
  const told = { ...advertiser, page_profile_uri: `${WEB}/harrowmill`, page_like_count: 3246 };
  assert.partialDeepStrictEqual(readAdvertiser(told), { name: 'Harrow Mill', url: `${WEB}/harrowmill`, likes: 3246 });
});

/** The addresses of each kind with the expected refusal of each endpoint; null if it accepts the address. */
const POSTS = [
  '/harrowmill/posts/900200000000001/',
  '/harrowmill/posts/the-weir/pfbid02nHshyUHVP3E31ZwC7J8s5cqncL8',
  '/permalink.php?story_fbid=900200000000001&id=100064000000042',
  '/story.php?story_fbid=900200000000001&id=100064000000042',
  '/groups/valleymillers/posts/900200000000001/',
  '/groups/valleymillers/permalink/900200000000001/',
  '/groups/valleymillers/?multi_permalinks=900200000000001',
  '/photo/?fbid=900200000000001&set=a.1',
  '/photo.php?fbid=900200000000001',
  '/harrowmill/photos/a.1/900200000000001/',
  '/harrowmill/videos/the-wheel/900200000000001/',
  '/watch/?v=900200000000001',
  '/watch/live/?v=900200000000001',
  '/reel/900200000000001',
  '/share/p/1AbCdEfGh/',
] as const;
const OTHERS = [
  ['/harrowmill', 'a page'],
  ['/profile.php?id=100064000000042', 'a page'],
  ['/groups/valleymillers/', 'a group'],
  ['/events/700100200300400/', 'an event'],
  ['/marketplace/item/800100200300400/', 'a listing'],
  ['/marketplace/houston', 'the marketplace'],
  ['/media/set/?set=a.416661003162615', 'an album'],
  ['/stories/100064000000042/', 'a story'],
  ['/hashtag/flour', 'a hashtag'],
  ['/ads/library/?id=800100000000001', 'the library of ads'],
] as const;
const WANTED = [
  ['socialnet.post', 'a post', []],
  ['socialnet.page', 'a page', ['a page']],
  ['socialnet.posts', 'a page', ['a page']],
  ['socialnet.photos', 'a page', ['a page']],
  ['socialnet.reels', 'a page', ['a page']],
  ['socialnet.group', 'a group', ['a group']],
  ['socialnet.group.posts', 'a group', ['a group']],
  ['socialnet.event', 'an event', ['an event']],
  ['socialnet.marketplace.item', 'a listing', ['a listing']],
  ['socialnet.adLibrary.ad', 'an ad of the library', ['the library of ads']],
  ['socialnet.adLibrary.company.ads', 'a page', ['a page']],
] as const;

test('accepts each kind of supported address, and rejects others with their kind', () => {
  for (const path of POSTS) assert.equal(findRefusal('socialnet.post', { url: `${WEB}${path}` }), null, path);
  for (const [id, wanted, taken] of WANTED)
    for (const [path, kind] of OTHERS) {
      const isTaken = taken.some((one) => one === kind);
      assert.equal(
        findRefusal(id, { url: `${WEB}${path}` }),
        isTaken ? null : `url: is the address of ${kind}, not of ${wanted}`,
        `${id} ${path}`,
      );
    }
});
