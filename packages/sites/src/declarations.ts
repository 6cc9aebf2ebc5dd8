import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import type { ListCrawl } from './framework/endpoint.ts';
import type { EngineName, OptionalEngine } from './engines/shared.ts';
import { appstoreApp } from './appstore/app.ts';
import { appstoreDeveloper } from './appstore/developer.ts';
import { appstoreReviews } from './appstore/reviews.ts';
import { appstoreSearch } from './appstore/search.ts';
import { githubRepo } from './github/repo.ts';
import { githubRepos } from './github/repos.ts';
import { githubUser } from './github/user.ts';
import { baidu, ecosia, yandex } from './engines/optional-engines.ts';
import { bing } from './engines/bing.ts';
import { bingNews, googleNews } from './engines/news.ts';
import { brave } from './engines/brave.ts';
import { duckduckgo } from './engines/duckduckgo.ts';
import { mojeek } from './engines/mojeek.ts';
import { redditPost } from './reddit/post.ts';
import { redditSubreddit } from './reddit/subreddit.ts';
import { redditUser } from './reddit/user.ts';
import { airbnbListing } from './airbnb/listing.ts';
import { airbnbReviews } from './airbnb/reviews.ts';
import { airbnbSearch } from './airbnb/search.ts';
import { agodaRate } from './agoda/rate.ts';
import { bookingRate } from './booking/rate.ts';
import { builtInJob } from './builtin/job.ts';
import { builtInJobs } from './builtin/jobs.ts';
import { diceJob } from './dice/job.ts';
import { diceJobs } from './dice/jobs.ts';
import { simplyHiredJob } from './simplyhired/job.ts';
import { simplyHiredJobs } from './simplyhired/jobs.ts';
import { productHuntLeaderboard, productHuntLeaderboardCrawl } from './producthunt/leaderboard.ts';
import { productHuntMaker } from './producthunt/maker.ts';
import { productHuntProduct } from './producthunt/product.ts';
import { microblogPost } from './microblog/post.ts';
import { microblogPosts } from './microblog/posts.ts';
import { microblogProfile } from './microblog/profile.ts';
import { microblogSearch } from './microblog/search.ts';
import { appleMusicAlbum } from './apple-music/album.ts';
import { appleMusicArtist } from './apple-music/artist.ts';
import { appleMusicSearch } from './apple-music/search.ts';
import { appleMusicTrack } from './apple-music/track.ts';
import { spotifyAlbum } from './spotify/album.ts';
import { spotifyArtist } from './spotify/artist.ts';
import { spotifyPlaylist } from './spotify/playlist.ts';
import { spotifyPodcast } from './spotify/podcast.ts';
import { spotifySearch } from './spotify/search.ts';
import { spotifyTrack } from './spotify/track.ts';
import { pinterestPin } from './pinterest/pin.ts';
import { pinterestPins, pinterestSearch } from './pinterest/pins.ts';
import { pinterestProfile } from './pinterest/profile.ts';
import { retailAvailability, retailStores } from './retail/stores.ts';
import { retailProduct } from './retail/product.ts';
import { retailSearch } from './retail/search.ts';
import { amazonPricing } from './amazon/pricing.ts';
import { amazonProduct } from './amazon/product.ts';
import { amazonSearch, amazonSearchCrawl } from './amazon/search.ts';
import { walmartProduct } from './walmart/product.ts';
import { facebookAd, facebookAdSearch, facebookCompanyAds } from './facebook/ads.ts';
import { tiktokComments } from './tiktok/comments.ts';
import { tiktokHashtag } from './tiktok/hashtag.ts';
import { tiktokProfile } from './tiktok/profile.ts';
import { tiktokSearch, tiktokVideo, tiktokVideos } from './tiktok/videos.ts';
import { facebookEvent, facebookEventSearch } from './facebook/events.ts';
import { facebookGroup, facebookGroupPosts } from './facebook/group.ts';
import { facebookMarketplaceItem } from './facebook/marketplace-item.ts';
import { facebookMarketplaceSearch } from './facebook/marketplace-search.ts';
import { facebookPage } from './facebook/page.ts';
import { facebookPhotos } from './facebook/photos.ts';
import { facebookPost } from './facebook/post.ts';
import { facebookPosts } from './facebook/posts.ts';
import { hackerNewsFront, hackerNewsSearch } from './hackernews/stories.ts';
import { hackerNewsItem } from './hackernews/item.ts';
import { hackerNewsUser } from './hackernews/user.ts';
import { facebookReels } from './facebook/reels.ts';
import { autoScoutSearch } from './autoscout24/search.ts';
import { autoScoutVehicle } from './autoscout24/vehicle.ts';
import { youtubeSearch as videoSearch, youtubeSearchCrawl as videoSearchCrawl } from './youtube/search.ts';
import { youtubeSubtitles } from './youtube/subtitles.ts';
import { youtubeVideos } from './youtube/videos.ts';
import { rumbleChannelVideos } from './rumble/channel-videos.ts';
import { rumbleSearch } from './rumble/search.ts';
import { rumbleVideo } from './rumble/video.ts';
import { googlePage } from './google/page.ts';

/**
 * Every endpoint of every site, in the order of the docs. Only `npm run build:sites` and tests import this module, because
 * it loads all parsers: the service reads the catalogue that is built from it.
 */
export const endpoints: readonly SiteEndpoint[] = [
  appstoreApp,
  appstoreSearch,
  appstoreReviews,
  appstoreDeveloper,
  githubRepo,
  githubRepos,
  githubUser,
  redditPost,
  redditSubreddit,
  redditUser,
  airbnbSearch,
  airbnbListing,
  airbnbReviews,
  agodaRate,
  bookingRate,
  diceJobs,
  diceJob,
  builtInJobs,
  builtInJob,
  simplyHiredJobs,
  simplyHiredJob,
  productHuntLeaderboard,
  productHuntProduct,
  productHuntMaker,
  microblogProfile,
  microblogPosts,
  microblogPost,
  microblogSearch,
  appleMusicAlbum,
  appleMusicArtist,
  appleMusicSearch,
  appleMusicTrack,
  spotifyAlbum,
  spotifyArtist,
  spotifyPlaylist,
  spotifyPodcast,
  spotifySearch,
  spotifyTrack,
  pinterestProfile,
  pinterestPins,
  pinterestPin,
  pinterestSearch,
  retailSearch,
  retailProduct,
  retailStores,
  retailAvailability,
  amazonProduct,
  amazonPricing,
  amazonSearch,
  walmartProduct,
  tiktokProfile,
  tiktokVideos,
  tiktokVideo,
  tiktokComments,
  tiktokSearch,
  tiktokHashtag,
  facebookEvent,
  facebookEventSearch,
  facebookMarketplaceItem,
  facebookMarketplaceSearch,
  facebookPage,
  facebookPosts,
  facebookPhotos,
  facebookReels,
  facebookPost,
  facebookGroup,
  facebookGroupPosts,
  facebookAd,
  facebookAdSearch,
  facebookCompanyAds,
  hackerNewsFront,
  hackerNewsItem,
  hackerNewsUser,
  hackerNewsSearch,
  autoScoutSearch,
  autoScoutVehicle,
  youtubeVideos,
  videoSearch,
  youtubeSubtitles,
  rumbleSearch,
  rumbleChannelVideos,
  rumbleVideo,
];

/** The crawls that collect the whole list of an endpoint. */
export const listCrawls: readonly ListCrawl[] = [productHuntLeaderboardCrawl, amazonSearchCrawl, videoSearchCrawl];

/** The result pages of search engines by engine, and that of `/v1/websearch`. */
export const enginePages: Readonly<Record<EngineName | OptionalEngine | 'websearch', SiteEndpoint>> = {
  duckduckgo,
  bing,
  brave,
  mojeek,
  'google-news': googleNews,
  'bing-news': bingNews,
  yandex,
  baidu,
  ecosia,
  websearch: googlePage,
};
