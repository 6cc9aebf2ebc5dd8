import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '#compose/endpoints.ts';
import { createOperationSearch, splitQuestion } from '#transports/operation-search.ts';

const search = createOperationSearch(endpoints.map(({ operation }) => operation));

/** Questions of agents, each with the expected endpoint. */
const QUESTIONS: readonly (readonly [question: string, id: string])[] = [
  ['stars and license of a github repository', 'codehost.repo'],
  ['which repositories does this developer have on github', 'codehost.repos'],
  ['github user profile and followers', 'codehost.user'],
  ['read a reddit post with its comments', 'forum.post'],
  ['newest posts of a subreddit', 'forum.subreddit'],
  ['karma of a reddit user', 'forum.user'],
  ['product hunt launches of today', 'launches.leaderboard'],
  ['top products of the week on producthunt', 'launches.leaderboard'],
  ['makers of a product on product hunt', 'launches.product'],
  ['what has this maker launched', 'launches.maker'],
  ['apple music album tracklist', 'musiccatalog.album'],
  ['biography of an artist on apple music', 'musiccatalog.artist'],
  ['song details on apple music', 'musiccatalog.track'],
  ['search for songs in the apple music catalogue', 'musiccatalog.search'],
  ['how often was a track played on spotify', 'musicstream.track'],
  ['tracks of a spotify playlist', 'musicstream.playlist'],
  ['episodes of a podcast', 'musicstream.podcast'],
  ['monthly listeners of an artist', 'musicstream.artist'],
  ['spotify album', 'musicstream.album'],
  ['find a song on spotify', 'musicstream.search'],
  ['price of a product on amazon', 'shop-a.pricing'],
  ['offers of other sellers for an asin', 'shop-a.pricing'],
  ['amazon product details by code', 'shop-a.product'],
  ['search amazon for headphones', 'shop-a.search'],
  ['walmart product', 'shop-w.product'],
  ['facebook event date and place', 'socialnet.event'],
  ['concerts near me: search events', 'socialnet.events.search'],
  ['search used bicycles near a city on facebook marketplace', 'socialnet.marketplace.search'],
  ['details of one marketplace listing', 'socialnet.marketplace.item'],
  ['how many likes and followers does a facebook page have', 'socialnet.page'],
  ['latest posts of a facebook page', 'socialnet.posts'],
  ['photos of a facebook page', 'socialnet.photos'],
  ['reels of a page', 'socialnet.reels'],
  ['a facebook post by its link', 'socialnet.post'],
  ['members and rules of a facebook group', 'socialnet.group'],
  ['recent posts in a group', 'socialnet.group.posts'],
  ['which ads does a competitor run', 'socialnet.adLibrary.company.ads'],
  ['search the ad library by keyword', 'socialnet.adLibrary.search.ads'],
  ['one ad by its archive id', 'socialnet.adLibrary.ad'],
  ['transcript of a youtube video', 'video.subtitles'],
  ['subtitles with times', 'video.subtitles'],
  ['youtube video views and description', 'video.videos'],
  ['search youtube', 'video.search'],
  ['videos of a rumble channel', 'video-alt.channel.videos'],
  ['search rumble', 'video-alt.search'],
  ['rumble video by url', 'video-alt.video'],
  ['hacker news front page', 'technews.front'],
  ['comments below a hacker news story', 'technews.item'],
  ['ratings and reviews of an app', 'appstore.reviews'],
  ['android app by its package id', 'appstore.app'],
  ['which apps does this developer have', 'appstore.developer'],
  ['pins of an account', 'pinboard.pins'],
  ['search pinterest for kitchen ideas', 'pinboard.search'],
  ['pinterest account by username', 'pinboard.profile'],
  ['search dice for jobs in berlin', 'jobs-d.jobs'],
  ['one job on simplyhired', 'jobs-s.job'],
  ['latest posts of a bluesky account', 'microblog.posts'],
  ['profile of somebody on mastodon', 'microblog.profile'],
  ['comments under a tiktok video', 'shortvideo.comments'],
  ['videos with a hashtag on tiktok', 'shortvideo.hashtag'],
  ['used cars for sale', 'vehicles.search'],
  ['what does a stay in this airbnb cost', 'homestay.listing'],
  ['is this product in stock, and can it be picked up', 'retail.availability'],
];

test('a plain question finds the right endpoint first', () => {
  assert.ok(QUESTIONS.length >= 40);
  const wrong = QUESTIONS.flatMap(([question, id]) => {
    const [first, second, third] = search(question).map((one) => one.id);
    return first === id ? [] : [`${question}: ${first}, ${second}, ${third} instead of ${id}`];
  });
  assert.deepEqual(wrong, []);
});

test('synonyms and site names find the right endpoint', () => {
  for (const [question, id] of [
    ['pictures uploaded by a facebook page', 'socialnet.photos'],
    ['which ads is a rival running on facebook', 'socialnet.adLibrary.company.ads'],
    ['used bike for sale on facebook near Berlin', 'socialnet.marketplace.search'],
    ['top songs of a spotify artist', 'musicstream.artist'],
    ['how many stars does a github repository have', 'codehost.repo'],
    ['what is new on r/programming', 'forum.subreddit'],
    ['what has a redditor commented', 'forum.user'],
    ['one tweet with its likes', 'microblog.post'],
    ['who sells this on amazon and for how much', 'shop-a.pricing'],
  ] as const)
    assert.equal(search(question)[0]?.id, id, question);
});

test('an id finds only its endpoint, no words find all, unknown words find none', () => {
  assert.deepEqual(
    search(' codehost.repo ').map(({ id }) => id),
    ['codehost.repo'],
  );
  assert.equal(search('').length, endpoints.length);
  assert.equal(search('the of what').length, endpoints.length);
  assert.deepEqual(search('xylophone-quarrel'), []);
  assert.ok(search('video '.repeat(100_000)).length > 0);
});

test('questions are split into words without stop words', () => {
  assert.deepEqual(splitQuestion('What are the adLibrary entries of Company_ads?'), [
    'ad',
    'library',
    'entries',
    'company',
    'ads',
  ]);
});
