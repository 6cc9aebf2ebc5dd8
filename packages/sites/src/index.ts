import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import type { ListCrawl } from '#sites/framework/list-crawl.ts';
import type { Site } from '#sites/framework/site.ts';
import type { EngineName, PageEngine } from '#sites/engines/names.ts';
import { appstoreApp } from './appstore/app.ts';
import { appstoreDeveloper } from './appstore/developer.ts';
import { appstoreReviews } from './appstore/reviews.ts';
import { appstoreSearch } from './appstore/search.ts';
import { githubRepo } from './codehost/repo.ts';
import { githubRepos } from './codehost/repos.ts';
import { githubUser } from './codehost/user.ts';
import { baidu, ecosia, yandex } from './engines/optional-engines.ts';
import { bing } from './engines/bing.ts';
import { bingNews, googleNews } from './engines/news.ts';
import { brave } from './engines/brave.ts';
import { duckduckgo } from './engines/duckduckgo.ts';
import { mojeek } from './engines/mojeek.ts';
import { redditPost } from './forum/post.ts';
import { redditSubreddit } from './forum/subreddit.ts';
import { redditUser } from './forum/user.ts';
import { airbnbListing } from './homestay/listing.ts';
import { airbnbReviews } from './homestay/reviews.ts';
import { airbnbSearch } from './homestay/search.ts';
import { agodaRate } from './hotel-a/rate.ts';
import { bookingRate } from './hotel-b/rate.ts';
import { builtInJob } from './jobs-b/job.ts';
import { builtInJobs } from './jobs-b/jobs.ts';
import { diceJob } from './jobs-d/job.ts';
import { diceJobs } from './jobs-d/jobs.ts';
import { simplyHiredJob } from './jobs-s/job.ts';
import { simplyHiredJobs } from './jobs-s/jobs.ts';
import { productHuntLeaderboard, productHuntLeaderboardCrawl } from './launches/leaderboard.ts';
import { productHuntMaker } from './launches/maker.ts';
import { productHuntProduct } from './launches/product.ts';
import { microblogPost } from './microblog/post.ts';
import { microblogPosts } from './microblog/posts.ts';
import { microblogProfile } from './microblog/profile.ts';
import { microblogSearch } from './microblog/search.ts';
import { appleMusicAlbum } from './musiccatalog/album.ts';
import { appleMusicArtist } from './musiccatalog/artist.ts';
import { appleMusicSearch } from './musiccatalog/search.ts';
import { appleMusicTrack } from './musiccatalog/track.ts';
import { spotifyAlbum } from './musicstream/album.ts';
import { spotifyArtist } from './musicstream/artist.ts';
import { spotifyPlaylist } from './musicstream/playlist.ts';
import { spotifyPodcast } from './musicstream/podcast.ts';
import { spotifySearch } from './musicstream/search.ts';
import { spotifyTrack } from './musicstream/track.ts';
import { pinterestPin } from './pinboard/pin.ts';
import { pinterestPins, pinterestSearch } from './pinboard/pins.ts';
import { pinterestProfile } from './pinboard/profile.ts';
import { retailAvailability, retailStores } from './retail/stores.ts';
import { retailProduct } from './retail/product.ts';
import { retailSearch } from './retail/search.ts';
import { amazonPricing } from './shop-a/pricing.ts';
import { amazonProduct } from './shop-a/product.ts';
import { amazonSearch, amazonSearchCrawl } from './shop-a/search.ts';
import { walmartProduct } from './shop-w/product.ts';
import { facebookAd, facebookAdSearch, facebookCompanyAds } from './socialnet/ads.ts';
import { tiktokComments } from './shortvideo/comments.ts';
import { tiktokHashtag } from './shortvideo/hashtag.ts';
import { tiktokProfile } from './shortvideo/profile.ts';
import { tiktokSearch, tiktokVideo, tiktokVideos } from './shortvideo/videos.ts';
import { facebookEvent, facebookEventSearch } from './socialnet/events.ts';
import { facebookGroup, facebookGroupPosts } from './socialnet/group.ts';
import { facebookMarketplaceItem } from './socialnet/marketplace-item.ts';
import { facebookMarketplaceSearch } from './socialnet/marketplace-search.ts';
import { facebookPage } from './socialnet/page.ts';
import { facebookPhotos } from './socialnet/photos.ts';
import { facebookPost } from './socialnet/post.ts';
import { facebookPosts } from './socialnet/posts.ts';
import { hackerNewsFront, hackerNewsSearch } from './technews/stories.ts';
import { hackerNewsItem } from './technews/item.ts';
import { hackerNewsUser } from './technews/user.ts';
import { facebookReels } from './socialnet/reels.ts';
import { autoScoutSearch } from './vehicles/search.ts';
import { autoScoutVehicle } from './vehicles/vehicle.ts';
import { youtubeSearch as videoSearch, youtubeSearchCrawl as videoSearchCrawl } from './video/search.ts';
import { youtubeSubtitles } from './video/subtitles.ts';
import { youtubeVideos } from './video/videos.ts';
import { rumbleChannelVideos } from './video-alt/channel-videos.ts';
import { rumbleSearch } from './video-alt/search.ts';
import { rumbleVideo } from './video-alt/video.ts';
import { googlePage } from './websearch/page.ts';

/** Every endpoint of every site, in the order of the docs. */
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

/** The crawls of the lists of endpoints. */
export const listCrawls: readonly ListCrawl[] = [productHuntLeaderboardCrawl, amazonSearchCrawl, videoSearchCrawl];

/** The pages of results that searches read, by engine, and that of `/v1/websearch`. */
export const enginePages: Readonly<Record<EngineName | PageEngine | 'websearch', SiteEndpoint>> = {
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

/** Every endpoint that pages are read for: lists that only a crawl asks for, and engines, too. */
export const readEndpoints: readonly SiteEndpoint[] = [
  ...endpoints,
  ...Object.values(enginePages),
  ...listCrawls.flatMap(({ endpoint }) => (endpoints.some(({ id }) => id === endpoint.id) ? [] : [endpoint])),
];

/** The sites that an operator may settle something for. */
export const sites: readonly Site[] = [...new Set([...endpoints, googlePage].map(({ site }) => site))];
