/**
 * The endpoints that were proven on a page that their site sent: `recorded`, frozen among their cases by
 * `npm run record`, or `corpus`, accepted from recordings beside the project. All others are unverified.
 */
export const PROOFS: Readonly<Record<string, 'recorded' | 'corpus'>> = {
  'codehost.repo': 'corpus',
  'codehost.repos': 'corpus',
  'codehost.user': 'corpus',
  'forum.post': 'corpus',
  'forum.subreddit': 'corpus',
  'forum.user': 'corpus',
  'launches.leaderboard': 'corpus',
  'musiccatalog.album': 'corpus',
  'musicstream.album': 'corpus',
  'musicstream.artist': 'corpus',
  'musicstream.playlist': 'corpus',
  'musicstream.podcast': 'corpus',
  'musicstream.search': 'corpus',
  'musicstream.track': 'corpus',
  'pinboard.search': 'corpus',
  'shop-a.pricing': 'corpus',
  'shop-a.product': 'corpus',
  'shop-a.search': 'corpus',
  'socialnet.event': 'corpus',
  'socialnet.marketplace.item': 'corpus',
  'socialnet.marketplace.search': 'corpus',
  'video.search': 'corpus',
  'video.subtitles': 'corpus',
  'video.videos': 'corpus',
  'video-alt.channel.videos': 'corpus',
  'video-alt.search': 'corpus',
  'video-alt.video': 'corpus',
};
