import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import type { ListCrawl } from '#sites/framework/list-crawl.ts';
import type { Site } from '#sites/framework/site.ts';
import type { EngineName, PageEngine } from '#sites/engines/names.ts';
import { appstoreApp } from './appstore/app.ts';
import { appstoreDeveloper } from './appstore/developer.ts';
import { appstoreReviews } from './appstore/reviews.ts';
import { appstoreSearch } from './appstore/search.ts';
import { repo } from './codehost/repo.ts';
import { repos } from './codehost/repos.ts';
import { user } from './codehost/user.ts';
import { baidu } from './engines/baidu.ts';
import { bing } from './engines/bing.ts';
import { bingNews } from './engines/bing-news.ts';
import { brave } from './engines/brave.ts';
import { duckduckgo } from './engines/duckduckgo.ts';
import { ecosia } from './engines/ecosia.ts';
import { googleNews } from './engines/google-news.ts';
import { mojeek } from './engines/mojeek.ts';
import { yandex } from './engines/yandex.ts';
import { post } from './forum/post.ts';
import { subreddit } from './forum/subreddit.ts';
import { forumUser } from './forum/user.ts';
import { stay } from './homestay/listing.ts';
import { stayReviews } from './homestay/reviews.ts';
import { staySearch } from './homestay/search.ts';
import { hotelARate } from './hotel-a/rate.ts';
import { hotelBRate } from './hotel-b/rate.ts';
import { jobsBJob } from './jobs-b/job.ts';
import { jobsBJobs } from './jobs-b/jobs.ts';
import { jobsDJob } from './jobs-d/job.ts';
import { jobsDJobs } from './jobs-d/jobs.ts';
import { jobsSJob } from './jobs-s/job.ts';
import { jobsSJobs } from './jobs-s/jobs.ts';
import { leaderboard } from './launches/leaderboard.ts';
import { leaderboardCrawl } from './launches/leaderboard-crawl.ts';
import { maker } from './launches/maker.ts';
import { launchedProduct } from './launches/product.ts';
import { microblogPost } from './microblog/post.ts';
import { microblogPosts } from './microblog/posts.ts';
import { microblogProfile } from './microblog/profile.ts';
import { microblogSearch } from './microblog/search.ts';
import { catalogAlbum } from './musiccatalog/album.ts';
import { catalogArtist } from './musiccatalog/artist.ts';
import { catalogSearch } from './musiccatalog/search.ts';
import { catalogTrack } from './musiccatalog/track.ts';
import { streamAlbum } from './musicstream/album.ts';
import { streamArtist } from './musicstream/artist.ts';
import { playlist } from './musicstream/playlist.ts';
import { podcast } from './musicstream/podcast.ts';
import { streamSearch } from './musicstream/search.ts';
import { streamTrack } from './musicstream/track.ts';
import { pinboardPin } from './pinboard/pin.ts';
import { pinboardPins } from './pinboard/pins.ts';
import { pinboardProfile } from './pinboard/profile.ts';
import { pinboardSearch } from './pinboard/search.ts';
import { chainStock } from './retail/availability.ts';
import { chainProduct } from './retail/product.ts';
import { chainSearch } from './retail/search.ts';
import { shops } from './retail/stores.ts';
import { pricing } from './shop-a/pricing.ts';
import { product } from './shop-a/product.ts';
import { shopSearch, shopSearchCrawl } from './shop-a/search.ts';
import { retailProduct } from './shop-w/product.ts';
import { ad } from './socialnet/adLibrary-ad.ts';
import { companyAds } from './socialnet/adLibrary-company-ads.ts';
import { adSearch } from './socialnet/adLibrary-search-ads.ts';
import { clipComments } from './shortvideo/comments.ts';
import { hashtag } from './shortvideo/hashtag.ts';
import { clipProfile } from './shortvideo/profile.ts';
import { clipSearch } from './shortvideo/search.ts';
import { clip } from './shortvideo/video.ts';
import { clips } from './shortvideo/videos.ts';
import { event } from './socialnet/event.ts';
import { eventsSearch } from './socialnet/events-search.ts';
import { group } from './socialnet/group.ts';
import { groupPosts } from './socialnet/group-posts.ts';
import { item } from './socialnet/marketplace-item.ts';
import { marketplaceSearch } from './socialnet/marketplace-search.ts';
import { socialnetPage } from './socialnet/page.ts';
import { photos } from './socialnet/photos.ts';
import { socialPost } from './socialnet/post.ts';
import { posts } from './socialnet/posts.ts';
import { technewsFront } from './technews/front.ts';
import { technewsItem } from './technews/item.ts';
import { technewsSearch } from './technews/search.ts';
import { technewsUser } from './technews/user.ts';
import { reels } from './socialnet/reels.ts';
import { vehicleSearch } from './vehicles/search.ts';
import { vehicle } from './vehicles/vehicle.ts';
import { search as videoSearch, searchCrawl as videoSearchCrawl } from './video/search.ts';
import { subtitles } from './video/subtitles.ts';
import { videos } from './video/videos.ts';
import { channelVideos } from './video-alt/channel-videos.ts';
import { videoAltSearch } from './video-alt/search.ts';
import { altVideo } from './video-alt/video.ts';
import { websearchPage } from './websearch/page.ts';

/** Every endpoint of every site, in the order of the docs. */
export const endpoints: readonly SiteEndpoint[] = [
  appstoreApp,
  appstoreSearch,
  appstoreReviews,
  appstoreDeveloper,
  repo,
  repos,
  user,
  post,
  subreddit,
  forumUser,
  staySearch,
  stay,
  stayReviews,
  hotelARate,
  hotelBRate,
  jobsDJobs,
  jobsDJob,
  jobsBJobs,
  jobsBJob,
  jobsSJobs,
  jobsSJob,
  leaderboard,
  launchedProduct,
  maker,
  microblogProfile,
  microblogPosts,
  microblogPost,
  microblogSearch,
  catalogAlbum,
  catalogArtist,
  catalogSearch,
  catalogTrack,
  streamAlbum,
  streamArtist,
  playlist,
  podcast,
  streamSearch,
  streamTrack,
  pinboardProfile,
  pinboardPins,
  pinboardPin,
  pinboardSearch,
  chainSearch,
  chainProduct,
  shops,
  chainStock,
  product,
  pricing,
  shopSearch,
  retailProduct,
  clipProfile,
  clips,
  clip,
  clipComments,
  clipSearch,
  hashtag,
  event,
  eventsSearch,
  item,
  marketplaceSearch,
  socialnetPage,
  posts,
  photos,
  reels,
  socialPost,
  group,
  groupPosts,
  ad,
  adSearch,
  companyAds,
  technewsFront,
  technewsItem,
  technewsUser,
  technewsSearch,
  vehicleSearch,
  vehicle,
  videos,
  videoSearch,
  subtitles,
  videoAltSearch,
  channelVideos,
  altVideo,
];

/** The crawls of the lists of endpoints. */
export const listCrawls: readonly ListCrawl[] = [leaderboardCrawl, shopSearchCrawl, videoSearchCrawl];

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
  websearch: websearchPage,
};

/** Every endpoint that pages are read for: lists that only a crawl asks for, and engines, too. */
export const readEndpoints: readonly SiteEndpoint[] = [
  ...endpoints,
  ...Object.values(enginePages),
  ...listCrawls.flatMap(({ endpoint }) => (endpoints.some(({ id }) => id === endpoint.id) ? [] : [endpoint])),
];

/** The sites that an operator may settle something for. */
export const sites: readonly Site[] = [...new Set([...endpoints, websearchPage].map(({ site }) => site))];
