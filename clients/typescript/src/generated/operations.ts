// Generated from the OpenAPI document by tools/generate-clients.ts; changes here are lost.

import type { CallOptions, Caller, FileBody, JobEvent, JobRun, List, ResumeOptions, RunOptions } from '../caller.ts';
import type {
  AccountUsage,
  Answered,
  AnswerenginePromptInput,
  AnswerenginePromptResult,
  AppstoreAppInput,
  AppstoreAppResult,
  AppstoreDeveloperInput,
  AppstoreDeveloperResult,
  AppstoreReviewsInput,
  AppstoreReviewsResult,
  AppstoreSearchInput,
  AppstoreSearchResult,
  AssistantPromptInput,
  AssistantPromptResult,
  BatchResult,
  CancelJobRequest,
  Capabilities,
  Change,
  ChatassistantPromptInput,
  ChatassistantPromptResult,
  CodehostRepoInput,
  CodehostRepoResult,
  CodehostReposInput,
  CodehostReposResult,
  CodehostUserInput,
  CodehostUserResult,
  CrawlInput,
  CrawlPageRow,
  CrawlResult,
  CrawlTree,
  CrawledPage,
  CreateHotelAMonitorInput,
  CreateHotelBMonitorInput,
  CreateKeyRequest,
  CreateKeyResult,
  CreateLaunchMonitorInput,
  CreateMonitorInput,
  CreateTenantInput,
  CreateTenantResult,
  DeleteHotelAMonitorRequest,
  DeleteHotelBMonitorRequest,
  DeleteLaunchMonitorRequest,
  DeleteMonitorRequest,
  DeleteSessionRequest,
  Delivery,
  DeliveryDetails,
  ExplainPageInput,
  ExplainedPage,
  FastSearch,
  FastSearchInput,
  FetchBatchInput,
  FetchBatchResult,
  FetchInput,
  FollowJobRequest,
  ForumPostInput,
  ForumPostResult,
  ForumSubredditInput,
  ForumSubredditResult,
  ForumUserInput,
  ForumUserResult,
  GetArtifactRequest,
  GetDeliveryRequest,
  GetHotelAMonitorRequest,
  GetHotelBMonitorRequest,
  GetInstanceResult,
  GetJobRequest,
  GetJobResultRequest,
  GetJobResultResult,
  GetJobTreeRequest,
  GetLatestChangeRequest,
  GetLatestHotelAChangeRequest,
  GetLatestHotelARunRequest,
  GetLatestHotelBChangeRequest,
  GetLatestHotelBRunRequest,
  GetLatestLaunchChangeRequest,
  GetLatestLaunchRunRequest,
  GetLatestRunRequest,
  GetLaunchMonitorRequest,
  GetMonitorRequest,
  GetMonitorSeriesRequest,
  GetQueueResult,
  GetRequestRequest,
  GetRequestResult,
  GetSessionRequest,
  GetTenantRequest,
  GetTenantResult,
  GetUpkeepResult,
  HomestayListingInput,
  HomestayListingResult,
  HomestayReviewsInput,
  HomestayReviewsResult,
  HomestaySearchInput,
  HomestaySearchResult,
  HotelChange,
  ImportSessionInput,
  InteractInput,
  InteractResult,
  Job,
  JobsBJobInput,
  JobsBJobResult,
  JobsBJobsInput,
  JobsBJobsResult,
  JobsDJobInput,
  JobsDJobResult,
  JobsDJobsInput,
  JobsDJobsResult,
  JobsPageRequest,
  JobsPageResult,
  JobsSJobInput,
  JobsSJobResult,
  JobsSJobsInput,
  JobsSJobsResult,
  LaunchesLeaderboardCrawlInput,
  LaunchesLeaderboardCrawlResult,
  LaunchesLeaderboardInput,
  LaunchesLeaderboardResult,
  LaunchesMakerInput,
  LaunchesMakerResult,
  LaunchesProductInput,
  LaunchesProductResult,
  ListAllKeysRequest,
  ListChangesRequest,
  ListDeliveriesRequest,
  ListHotelAChangesRequest,
  ListHotelAMonitorsRequest,
  ListHotelARunsRequest,
  ListHotelBChangesRequest,
  ListHotelBMonitorsRequest,
  ListHotelBRunsRequest,
  ListJobDeliveriesRequest,
  ListJobPagesRequest,
  ListJobsRequest,
  ListKeysRequest,
  ListLaunchChangesRequest,
  ListLaunchMonitorsRequest,
  ListLaunchRunsRequest,
  ListMonitorDeliveriesRequest,
  ListMonitorsRequest,
  ListOwnKeysRequest,
  ListPlansResult,
  ListRequestsRequest,
  ListRunsRequest,
  ListSessionsRequest,
  ListSettingsResult,
  ListSiteHealthResult,
  ListTenantUsageRequest,
  ListTenantsRequest,
  ListUsageRequest,
  ListWebhooksRequest,
  ListedWebhook,
  LoggedRequest,
  MapInput,
  MapResult,
  MappedUrl,
  Metered,
  MicroblogPostInput,
  MicroblogPostResult,
  MicroblogPostsInput,
  MicroblogPostsResult,
  MicroblogProfileInput,
  MicroblogProfileResult,
  MicroblogSearchInput,
  MicroblogSearchResult,
  Monitor,
  MonitorSeries,
  MusiccatalogAlbumInput,
  MusiccatalogAlbumResult,
  MusiccatalogArtistInput,
  MusiccatalogArtistResult,
  MusiccatalogSearchInput,
  MusiccatalogSearchResult,
  MusiccatalogTrackInput,
  MusiccatalogTrackResult,
  MusicstreamAlbumInput,
  MusicstreamAlbumResult,
  MusicstreamArtistInput,
  MusicstreamArtistResult,
  MusicstreamPlaylistInput,
  MusicstreamPlaylistResult,
  MusicstreamPodcastInput,
  MusicstreamPodcastResult,
  MusicstreamSearchInput,
  MusicstreamSearchResult,
  MusicstreamTrackInput,
  MusicstreamTrackResult,
  OwnKey,
  Page,
  PinboardPinInput,
  PinboardPinResult,
  PinboardPinsInput,
  PinboardPinsResult,
  PinboardProfileInput,
  PinboardProfileResult,
  PinboardSearchInput,
  PinboardSearchResult,
  PreviewScheduleRequest,
  PreviewScheduleResult,
  RedeliverAllInput,
  RedeliverAllResult,
  RedeliverRequest,
  RefundTenantRequest,
  RefundTenantResult,
  RetailAvailabilityInput,
  RetailAvailabilityResult,
  RetailProductInput,
  RetailProductResult,
  RetailSearchInput,
  RetailSearchResult,
  RetailStoresInput,
  RetailStoresResult,
  RevokeKeyRequest,
  RotateKeyRequest,
  RotateKeyResult,
  RotateWebhookSecretRequest,
  RotateWebhookSecretResult,
  Run,
  RunUpkeepInput,
  RunUpkeepResult,
  SerpSearchInput,
  SerpSearchResult,
  Session,
  SessionContents,
  ShopAPricingInput,
  ShopAPricingResult,
  ShopAProductInput,
  ShopAProductResult,
  ShopASearchCrawlInput,
  ShopASearchCrawlResult,
  ShopASearchInput,
  ShopASearchResult,
  ShopWProductInput,
  ShopWProductResult,
  ShortvideoCommentsInput,
  ShortvideoCommentsResult,
  ShortvideoHashtagInput,
  ShortvideoHashtagResult,
  ShortvideoProfileInput,
  ShortvideoProfileResult,
  ShortvideoSearchInput,
  ShortvideoSearchResult,
  ShortvideoVideoInput,
  ShortvideoVideoResult,
  ShortvideoVideosInput,
  ShortvideoVideosResult,
  SocialnetAdLibraryAdInput,
  SocialnetAdLibraryAdResult,
  SocialnetAdLibraryCompanyAdsInput,
  SocialnetAdLibraryCompanyAdsResult,
  SocialnetAdLibrarySearchAdsInput,
  SocialnetAdLibrarySearchAdsResult,
  SocialnetEventInput,
  SocialnetEventResult,
  SocialnetEventsSearchInput,
  SocialnetEventsSearchResult,
  SocialnetGroupInput,
  SocialnetGroupPostsInput,
  SocialnetGroupPostsResult,
  SocialnetGroupResult,
  SocialnetMarketplaceItemInput,
  SocialnetMarketplaceItemResult,
  SocialnetMarketplaceSearchInput,
  SocialnetMarketplaceSearchResult,
  SocialnetPageInput,
  SocialnetPageResult,
  SocialnetPhotosInput,
  SocialnetPhotosResult,
  SocialnetPostInput,
  SocialnetPostResult,
  SocialnetPostsInput,
  SocialnetPostsResult,
  SocialnetReelsInput,
  SocialnetReelsResult,
  SubmitJobInput,
  TechnewsFrontInput,
  TechnewsFrontResult,
  TechnewsItemInput,
  TechnewsItemResult,
  TechnewsSearchInput,
  TechnewsSearchResult,
  TechnewsUserInput,
  TechnewsUserResult,
  TestWebhookRequest,
  TopUpTenantRequest,
  TopUpTenantResult,
  TriggerHotelAMonitorRequest,
  TriggerHotelAMonitorResult,
  TriggerHotelBMonitorRequest,
  TriggerHotelBMonitorResult,
  TriggerLaunchMonitorRequest,
  TriggerLaunchMonitorResult,
  TriggerMonitorRequest,
  TriggerMonitorResult,
  UpdateHotelAMonitorRequest,
  UpdateHotelBMonitorRequest,
  UpdateLaunchMonitorRequest,
  UpdateMonitorRequest,
  UpdateTenantRequest,
  UpdateTenantResult,
  UsageRow,
  VehiclesSearchInput,
  VehiclesSearchResult,
  VehiclesVehicleInput,
  VehiclesVehicleResult,
  VideoAltChannelVideosInput,
  VideoAltChannelVideosResult,
  VideoAltSearchInput,
  VideoAltSearchResult,
  VideoAltVideoInput,
  VideoAltVideoResult,
  VideoSearchCrawlInput,
  VideoSearchCrawlResult,
  VideoSearchInput,
  VideoSearchResult,
  VideoSubtitlesInput,
  VideoSubtitlesResult,
  VideoVideosInput,
  VideoVideosResult,
  WebsearchSearchInput,
  WebsearchSearchResult,
} from './types.ts';

const ROUTES = {
  fetch: { operation: 'fetch', method: 'POST', path: '/v1/fetch', query: [], list: null },
  fetchBatch: { operation: 'fetch.batch', method: 'POST', path: '/v1/fetch/batch', query: [], list: 'results' },
  explainPage: { operation: 'explain', method: 'POST', path: '/v1/explain', query: [], list: null },
  crawl: { operation: 'crawl', method: 'POST', path: '/v1/crawl', query: [], list: 'pages' },
  map: { operation: 'map', method: 'POST', path: '/v1/map', query: [], list: 'urls' },
  interact: { operation: 'interact', method: 'POST', path: '/v1/interact', query: [], list: 'steps' },
  fastSearch: { operation: 'fast-search', method: 'GET', path: '/v1/fast-search', query: ['search', 'country_code', 'language', 'page', 'content', 'max_credits', 'timeout_ms', 'q', 'query', 'country', 'geo', 'lang', 'locale', 'language_code', 'hl', 'page_number', 'start_page'], list: null },
  answerenginePrompt: { operation: 'answerengine.prompt', method: 'GET', path: '/v1/answerengine/prompt', query: ['prompt', 'geo', 'timeout_ms', 'source_timeout_ms', 'country', 'country_code', 'geo_location'], list: null },
  assistantPrompt: { operation: 'assistant.prompt', method: 'GET', path: '/v1/assistant/prompt', query: ['prompt', 'geo', 'timeout_ms', 'source_timeout_ms', 'country', 'country_code', 'geo_location'], list: null },
  chatassistantPrompt: { operation: 'chatassistant.prompt', method: 'GET', path: '/v1/chatassistant/prompt', query: ['prompt', 'geo', 'timeout_ms', 'source_timeout_ms', 'country', 'country_code', 'geo_location'], list: null },
  submitJob: { operation: 'jobs.submit', method: 'POST', path: '/v1/jobs', query: [], list: null },
  listJobs: { operation: 'jobs.list', method: 'GET', path: '/v1/jobs', query: ['kind', 'status', 'from', 'to', 'limit', 'cursor'], list: 'data' },
  getJob: { operation: 'jobs.show', method: 'GET', path: '/v1/jobs/{id}', query: ['wait_ms'], list: null },
  cancelJob: { operation: 'jobs.cancel', method: 'DELETE', path: '/v1/jobs/{id}', query: [], list: null },
  getJobResult: { operation: 'jobs.result', method: 'GET', path: '/v1/jobs/{id}/result', query: ['partial', 'format', 'rows', 'limit', 'cursor', 'outline'], list: null },
  jobsPage: { operation: 'jobs.page', method: 'GET', path: '/v1/jobs/{id}/page', query: ['place', 'url'], list: null },
  listJobPages: { operation: 'jobs.pages', method: 'GET', path: '/v1/jobs/{id}/pages', query: ['state', 'status_code', 'depth', 'code', 'search', 'prefix', 'near_duplicate', 'limit', 'cursor'], list: 'data' },
  getJobTree: { operation: 'jobs.tree', method: 'GET', path: '/v1/jobs/{id}/tree', query: ['prefix'], list: null },
  followJob: { operation: 'jobs.events', method: 'GET', path: '/v1/jobs/{id}/events', query: [], list: null },
  listJobDeliveries: { operation: 'jobs.deliveries', method: 'GET', path: '/v1/jobs/{id}/deliveries', query: ['limit', 'cursor'], list: 'data' },
  getArtifact: { operation: 'artifact', method: 'GET', path: '/v1/artifacts/{id}', query: [], list: null },
  importSession: { operation: 'sessions.import', method: 'POST', path: '/v1/sessions', query: [], list: null },
  listSessions: { operation: 'sessions.list', method: 'GET', path: '/v1/sessions', query: ['limit', 'cursor'], list: 'data' },
  getSession: { operation: 'sessions.show', method: 'GET', path: '/v1/sessions/{name}', query: [], list: null },
  deleteSession: { operation: 'sessions.delete', method: 'DELETE', path: '/v1/sessions/{name}', query: [], list: null },
  createMonitor: { operation: 'monitors.create', method: 'POST', path: '/v1/monitors', query: [], list: null },
  listMonitors: { operation: 'monitors.list', method: 'GET', path: '/v1/monitors', query: ['active', 'kind', 'limit', 'cursor'], list: 'data' },
  getMonitor: { operation: 'monitors.show', method: 'GET', path: '/v1/monitors/{id}', query: [], list: null },
  updateMonitor: { operation: 'monitors.update', method: 'PATCH', path: '/v1/monitors/{id}', query: [], list: null },
  deleteMonitor: { operation: 'monitors.delete', method: 'DELETE', path: '/v1/monitors/{id}', query: [], list: null },
  triggerMonitor: { operation: 'monitors.trigger', method: 'POST', path: '/v1/monitors/{id}/trigger', query: [], list: null },
  listRuns: { operation: 'monitors.runs', method: 'GET', path: '/v1/monitors/{id}/runs', query: ['limit', 'cursor'], list: 'data' },
  getLatestRun: { operation: 'monitors.runs.latest', method: 'GET', path: '/v1/monitors/{id}/runs/latest', query: [], list: null },
  listChanges: { operation: 'monitors.changes', method: 'GET', path: '/v1/monitors/{id}/changes', query: ['limit', 'cursor'], list: 'data' },
  getLatestChange: { operation: 'monitors.changes.latest', method: 'GET', path: '/v1/monitors/{id}/changes/latest', query: [], list: null },
  getMonitorSeries: { operation: 'monitors.series', method: 'GET', path: '/v1/monitors/{id}/series', query: ['field', 'from', 'to', 'points'], list: null },
  previewSchedule: { operation: 'schedule', method: 'GET', path: '/v1/schedule', query: ['cron', 'timezone', 'count'], list: null },
  listMonitorDeliveries: { operation: 'monitors.deliveries', method: 'GET', path: '/v1/monitors/{id}/deliveries', query: ['limit', 'cursor'], list: 'data' },
  testWebhook: { operation: 'monitors.webhook.test', method: 'POST', path: '/v1/monitors/{id}/webhook/test', query: [], list: null },
  rotateWebhookSecret: { operation: 'monitors.webhook.rotate-secret', method: 'POST', path: '/v1/monitors/{id}/webhook/rotate-secret', query: [], list: null },
  listWebhooks: { operation: 'webhooks.list', method: 'GET', path: '/v1/webhooks', query: ['limit', 'cursor'], list: 'data' },
  listDeliveries: { operation: 'deliveries.list', method: 'GET', path: '/v1/deliveries', query: ['status', 'monitor_id', 'job_id', 'limit', 'cursor'], list: 'data' },
  getDelivery: { operation: 'deliveries.show', method: 'GET', path: '/v1/deliveries/{id}', query: [], list: null },
  redeliver: { operation: 'deliveries.redeliver', method: 'POST', path: '/v1/deliveries/{id}/redeliver', query: [], list: null },
  redeliverAll: { operation: 'deliveries.redeliver-all', method: 'POST', path: '/v1/deliveries/redeliver', query: [], list: null },
  getUsage: { operation: 'usage', method: 'GET', path: '/v1/usage', query: [], list: null },
  listUsage: { operation: 'usage.history', method: 'GET', path: '/v1/usage/history', query: ['from', 'to', 'by', 'limit', 'cursor'], list: 'data' },
  listRequests: { operation: 'requests', method: 'GET', path: '/v1/requests', query: ['status', 'operation', 'from', 'to', 'limit', 'cursor'], list: 'data' },
  getRequest: { operation: 'requests.get', method: 'GET', path: '/v1/requests/{request_id}', query: [], list: null },
  listOwnKeys: { operation: 'account.keys', method: 'GET', path: '/v1/keys', query: ['limit', 'cursor'], list: 'data' },
  getCapabilities: { operation: 'capabilities', method: 'GET', path: '/v1/capabilities', query: [], list: null },
  listTenants: { operation: 'admin.tenants.list', method: 'GET', path: '/v1/admin/tenants', query: ['limit', 'cursor'], list: 'data' },
  createTenant: { operation: 'admin.tenants.create', method: 'POST', path: '/v1/admin/tenants', query: [], list: null },
  getTenant: { operation: 'admin.tenants.show', method: 'GET', path: '/v1/admin/tenants/{id}', query: [], list: null },
  updateTenant: { operation: 'admin.tenants.update', method: 'PATCH', path: '/v1/admin/tenants/{id}', query: [], list: null },
  topUpTenant: { operation: 'admin.tenants.top-up', method: 'POST', path: '/v1/admin/tenants/{id}/top_ups', query: [], list: null },
  refundTenant: { operation: 'admin.tenants.refund', method: 'POST', path: '/v1/admin/tenants/{id}/refunds', query: [], list: null },
  listAllKeys: { operation: 'admin.keys.all', method: 'GET', path: '/v1/admin/keys', query: ['limit', 'cursor'], list: 'data' },
  listKeys: { operation: 'admin.keys.list', method: 'GET', path: '/v1/admin/tenants/{id}/keys', query: ['limit', 'cursor'], list: 'data' },
  createKey: { operation: 'admin.keys.create', method: 'POST', path: '/v1/admin/tenants/{id}/keys', query: [], list: null },
  rotateKey: { operation: 'admin.keys.rotate', method: 'POST', path: '/v1/admin/keys/{id}/rotate', query: [], list: null },
  revokeKey: { operation: 'admin.keys.revoke', method: 'DELETE', path: '/v1/admin/keys/{id}', query: [], list: null },
  listPlans: { operation: 'admin.plans', method: 'GET', path: '/v1/admin/plans', query: [], list: null },
  listTenantUsage: { operation: 'admin.usage', method: 'GET', path: '/v1/admin/usage', query: ['from', 'to', 'tenant', 'format', 'limit', 'cursor'], list: 'data' },
  downloadBackup: { operation: 'admin.backup', method: 'GET', path: '/v1/admin/backup', query: [], list: null },
  getQueue: { operation: 'admin.queue', method: 'GET', path: '/v1/admin/queue', query: [], list: null },
  listSiteHealth: { operation: 'admin.sites', method: 'GET', path: '/v1/admin/sites', query: [], list: null },
  listSettings: { operation: 'admin.settings', method: 'GET', path: '/v1/admin/settings', query: [], list: null },
  getInstance: { operation: 'admin.instance', method: 'GET', path: '/v1/admin/instance', query: [], list: null },
  getUpkeep: { operation: 'admin.upkeep.show', method: 'GET', path: '/v1/admin/upkeep', query: [], list: null },
  runUpkeep: { operation: 'admin.upkeep.run', method: 'POST', path: '/v1/admin/upkeep', query: [], list: null },
  websearchSearch: { operation: 'websearch.search', method: 'GET', path: '/v1/websearch/search', query: ['search', 'geo', 'locale', 'domain', 'page', 'pages', 'timeout_ms', 'max_age_ms', 'q', 'query', 'country', 'geo_location', 'location', 'gl', 'language', 'lang', 'hl', 'interface_language', 'tld', 'google_domain', 'start_page', 'start', 'num_pages', 'page_count'], list: null },
  serpSearch: { operation: 'serp.search', method: 'GET', path: '/v1/serp/search', query: ['engine', 'search', 'country', 'language', 'page', 'safe', 'time_range', 'timeout_ms', 'max_age_ms', 'q', 'query', 'keyword', 'keywords', 'geo', 'country_code', 'gl', 'locale', 'lang', 'hl', 'safesearch'], list: null },
  appstoreApp: { operation: 'appstore.app', method: 'GET', path: '/v1/appstore/app', query: ['id', 'url', 'country', 'language', 'timeout_ms', 'max_age_ms', 'geo', 'locale'], list: null },
  appstoreSearch: { operation: 'appstore.search', method: 'GET', path: '/v1/appstore/search', query: ['search', 'store', 'country', 'language', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'q', 'query', 'term', 'keyword', 'keywords', 'per_page', 'geo', 'locale'], list: null },
  appstoreReviews: { operation: 'appstore.reviews', method: 'GET', path: '/v1/appstore/reviews', query: ['id', 'url', 'country', 'language', 'sort', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'per_page', 'geo', 'locale'], list: null },
  appstoreDeveloper: { operation: 'appstore.developer', method: 'GET', path: '/v1/appstore/developer', query: ['id', 'url', 'country', 'language', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'per_page', 'geo', 'locale'], list: null },
  codehostRepo: { operation: 'codehost.repo', method: 'GET', path: '/v1/codehost/repo', query: ['full_name', 'owner', 'repo', 'url', 'timeout_ms', 'max_age_ms', 'name'], list: null },
  codehostRepos: { operation: 'codehost.repos', method: 'GET', path: '/v1/codehost/repos', query: ['username', 'url', 'page', 'type', 'sort', 'direction', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'login', 'user', 'per_page'], list: null },
  codehostUser: { operation: 'codehost.user', method: 'GET', path: '/v1/codehost/user', query: ['username', 'url', 'timeout_ms', 'max_age_ms', 'login', 'user'], list: null },
  forumPost: { operation: 'forum.post', method: 'GET', path: '/v1/forum/post', query: ['id', 'url', 'subreddit', 'sort', 'comment_limit', 'timeout_ms', 'max_age_ms'], list: null },
  forumSubreddit: { operation: 'forum.subreddit', method: 'GET', path: '/v1/forum/subreddit', query: ['subreddit', 'url', 'sort', 'time', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'name', 'community', 'per_page'], list: null },
  forumUser: { operation: 'forum.user', method: 'GET', path: '/v1/forum/user', query: ['username', 'url', 'sort', 'time', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'per_page'], list: null },
  homestaySearch: { operation: 'homestay.search', method: 'GET', path: '/v1/homestay/search', query: ['location', 'check_in', 'check_out', 'adults', 'children', 'infants', 'pets', 'currency', 'locale', 'price_min', 'price_max', 'place_id', 'ne_lat', 'ne_lng', 'sw_lat', 'sw_lng', 'cursor', 'timeout_ms', 'max_age_ms', 'search', 'query', 'q', 'checkin', 'checkout', 'language'], list: null },
  homestayListing: { operation: 'homestay.listing', method: 'GET', path: '/v1/homestay/listing', query: ['id', 'url', 'check_in', 'check_out', 'adults', 'children', 'infants', 'pets', 'currency', 'locale', 'timeout_ms', 'max_age_ms', 'checkin', 'checkout', 'language'], list: null },
  homestayReviews: { operation: 'homestay.reviews', method: 'GET', path: '/v1/homestay/reviews', query: ['id', 'url', 'locale', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'language', 'per_page'], list: null },
  jobsDJobs: { operation: 'jobs-d.jobs', method: 'GET', path: '/v1/jobs-d/jobs', query: ['keywords', 'location', 'radius', 'remote', 'employment_type', 'posted_within_days', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'search', 'query', 'q', 'keyword', 'per_page'], list: null },
  jobsDJob: { operation: 'jobs-d.job', method: 'GET', path: '/v1/jobs-d/job', query: ['job_id', 'url', 'timeout_ms', 'max_age_ms', 'id'], list: null },
  jobsBJobs: { operation: 'jobs-b.jobs', method: 'GET', path: '/v1/jobs-b/jobs', query: ['keywords', 'remote', 'posted_within_days', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'search', 'query', 'q', 'keyword', 'per_page'], list: null },
  jobsBJob: { operation: 'jobs-b.job', method: 'GET', path: '/v1/jobs-b/job', query: ['url', 'timeout_ms', 'max_age_ms', 'job_url'], list: null },
  jobsSJobs: { operation: 'jobs-s.jobs', method: 'GET', path: '/v1/jobs-s/jobs', query: ['keywords', 'location', 'radius', 'posted_within_days', 'sort', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'search', 'query', 'q', 'keyword', 'per_page'], list: null },
  jobsSJob: { operation: 'jobs-s.job', method: 'GET', path: '/v1/jobs-s/job', query: ['job_id', 'url', 'timeout_ms', 'max_age_ms', 'id'], list: null },
  launchesLeaderboard: { operation: 'launches.leaderboard', method: 'GET', path: '/v1/launches/leaderboard', query: ['period', 'date', 'year', 'month', 'week', 'day', 'topic', 'featured', 'timeout_ms', 'max_age_ms'], list: null },
  launchesProduct: { operation: 'launches.product', method: 'GET', path: '/v1/launches/product', query: ['slug', 'id', 'url', 'timeout_ms', 'max_age_ms', 'product'], list: null },
  launchesMaker: { operation: 'launches.maker', method: 'GET', path: '/v1/launches/maker', query: ['username', 'url', 'timeout_ms', 'max_age_ms'], list: null },
  microblogProfile: { operation: 'microblog.profile', method: 'GET', path: '/v1/microblog/profile', query: ['username', 'url', 'timeout_ms', 'max_age_ms', 'handle', 'user'], list: null },
  microblogPosts: { operation: 'microblog.posts', method: 'GET', path: '/v1/microblog/posts', query: ['username', 'url', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'handle', 'user', 'per_page'], list: null },
  microblogPost: { operation: 'microblog.post', method: 'GET', path: '/v1/microblog/post', query: ['id', 'url', 'timeout_ms', 'max_age_ms'], list: null },
  microblogSearch: { operation: 'microblog.search', method: 'GET', path: '/v1/microblog/search', query: ['search', 'network', 'sort', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'q', 'query', 'keyword', 'keywords', 'per_page'], list: null },
  musiccatalogAlbum: { operation: 'musiccatalog.album', method: 'GET', path: '/v1/musiccatalog/album', query: ['id', 'url', 'country', 'timeout_ms', 'max_age_ms', 'geo'], list: null },
  musiccatalogArtist: { operation: 'musiccatalog.artist', method: 'GET', path: '/v1/musiccatalog/artist', query: ['id', 'url', 'country', 'timeout_ms', 'max_age_ms', 'geo'], list: null },
  musiccatalogSearch: { operation: 'musiccatalog.search', method: 'GET', path: '/v1/musiccatalog/search', query: ['search', 'type', 'country', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'q', 'query', 'keyword', 'keywords', 'geo', 'per_page'], list: null },
  musiccatalogTrack: { operation: 'musiccatalog.track', method: 'GET', path: '/v1/musiccatalog/track', query: ['id', 'url', 'country', 'timeout_ms', 'max_age_ms', 'geo'], list: null },
  musicstreamAlbum: { operation: 'musicstream.album', method: 'GET', path: '/v1/musicstream/album', query: ['id', 'url', 'language', 'timeout_ms', 'max_age_ms', 'locale'], list: null },
  musicstreamArtist: { operation: 'musicstream.artist', method: 'GET', path: '/v1/musicstream/artist', query: ['id', 'url', 'language', 'timeout_ms', 'max_age_ms', 'locale'], list: null },
  musicstreamPlaylist: { operation: 'musicstream.playlist', method: 'GET', path: '/v1/musicstream/playlist', query: ['id', 'url', 'language', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'locale', 'per_page'], list: null },
  musicstreamPodcast: { operation: 'musicstream.podcast', method: 'GET', path: '/v1/musicstream/podcast', query: ['id', 'url', 'language', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'locale', 'per_page'], list: null },
  musicstreamSearch: { operation: 'musicstream.search', method: 'GET', path: '/v1/musicstream/search', query: ['search', 'type', 'language', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'q', 'query', 'keyword', 'keywords', 'locale', 'per_page'], list: null },
  musicstreamTrack: { operation: 'musicstream.track', method: 'GET', path: '/v1/musicstream/track', query: ['id', 'url', 'language', 'timeout_ms', 'max_age_ms', 'locale'], list: null },
  pinboardProfile: { operation: 'pinboard.profile', method: 'GET', path: '/v1/pinboard/profile', query: ['username', 'url', 'timeout_ms', 'max_age_ms'], list: null },
  pinboardPins: { operation: 'pinboard.pins', method: 'GET', path: '/v1/pinboard/pins', query: ['username', 'url', 'type', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'per_page'], list: null },
  pinboardPin: { operation: 'pinboard.pin', method: 'GET', path: '/v1/pinboard/pin', query: ['url', 'id', 'timeout_ms', 'max_age_ms'], list: null },
  pinboardSearch: { operation: 'pinboard.search', method: 'GET', path: '/v1/pinboard/search', query: ['search', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'q', 'query', 'keyword', 'keywords', 'per_page'], list: null },
  retailSearch: { operation: 'retail.search', method: 'GET', path: '/v1/retail/search', query: ['search', 'url', 'page', 'sort', 'store_id', 'zip', 'cursor', 'timeout_ms', 'max_age_ms', 'q', 'query', 'keyword', 'keywords'], list: null },
  retailProduct: { operation: 'retail.product', method: 'GET', path: '/v1/retail/product', query: ['id', 'url', 'store_id', 'zip', 'timeout_ms', 'max_age_ms'], list: null },
  retailStores: { operation: 'retail.stores', method: 'GET', path: '/v1/retail/stores', query: ['query', 'zip', 'cursor', 'timeout_ms', 'max_age_ms'], list: null },
  retailAvailability: { operation: 'retail.availability', method: 'GET', path: '/v1/retail/availability', query: ['id', 'store_id', 'zip', 'timeout_ms', 'max_age_ms'], list: null },
  shopAProduct: { operation: 'shop-a.product', method: 'GET', path: '/v1/shop-a/product', query: ['asin', 'url', 'domain', 'language', 'timeout_ms', 'max_age_ms', 'id', 'product_code'], list: null },
  shopAPricing: { operation: 'shop-a.pricing', method: 'GET', path: '/v1/shop-a/pricing', query: ['asin', 'url', 'domain', 'language', 'condition', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'id', 'product_code'], list: null },
  shopASearch: { operation: 'shop-a.search', method: 'GET', path: '/v1/shop-a/search', query: ['search', 'domain', 'page', 'sort', 'min_price', 'max_price', 'category', 'language', 'cursor', 'timeout_ms', 'max_age_ms', 'query', 'q', 'keyword', 'keywords'], list: null },
  shopWProduct: { operation: 'shop-w.product', method: 'GET', path: '/v1/shop-w/product', query: ['id', 'url', 'timeout_ms', 'max_age_ms'], list: null },
  shortvideoProfile: { operation: 'shortvideo.profile', method: 'GET', path: '/v1/shortvideo/profile', query: ['username', 'url', 'timeout_ms', 'max_age_ms', 'handle', 'user'], list: null },
  shortvideoVideos: { operation: 'shortvideo.videos', method: 'GET', path: '/v1/shortvideo/videos', query: ['username', 'url', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'handle', 'user', 'per_page'], list: null },
  shortvideoVideo: { operation: 'shortvideo.video', method: 'GET', path: '/v1/shortvideo/video', query: ['id', 'url', 'timeout_ms', 'max_age_ms'], list: null },
  shortvideoComments: { operation: 'shortvideo.comments', method: 'GET', path: '/v1/shortvideo/comments', query: ['id', 'url', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'per_page'], list: null },
  shortvideoSearch: { operation: 'shortvideo.search', method: 'GET', path: '/v1/shortvideo/search', query: ['search', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'q', 'query', 'keyword', 'keywords', 'per_page'], list: null },
  shortvideoHashtag: { operation: 'shortvideo.hashtag', method: 'GET', path: '/v1/shortvideo/hashtag', query: ['hashtag', 'url', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'name', 'tag', 'per_page'], list: null },
  socialnetEvent: { operation: 'socialnet.event', method: 'GET', path: '/v1/socialnet/event', query: ['id', 'url', 'timeout_ms', 'max_age_ms'], list: null },
  socialnetEventsSearch: { operation: 'socialnet.events.search', method: 'GET', path: '/v1/socialnet/events/search', query: ['search', 'location', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'query', 'q', 'keyword', 'keywords', 'per_page'], list: null },
  socialnetMarketplaceItem: { operation: 'socialnet.marketplace.item', method: 'GET', path: '/v1/socialnet/marketplace/item', query: ['id', 'url', 'timeout_ms', 'max_age_ms'], list: null },
  socialnetMarketplaceSearch: { operation: 'socialnet.marketplace.search', method: 'GET', path: '/v1/socialnet/marketplace/search', query: ['search', 'location', 'latitude', 'longitude', 'radius_km', 'min_price', 'max_price', 'condition', 'days_listed', 'delivery', 'sort', 'exact', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'query', 'q', 'keyword', 'keywords', 'per_page'], list: null },
  socialnetPage: { operation: 'socialnet.page', method: 'GET', path: '/v1/socialnet/page', query: ['id', 'username', 'url', 'timeout_ms', 'max_age_ms', 'handle', 'page'], list: null },
  socialnetPosts: { operation: 'socialnet.posts', method: 'GET', path: '/v1/socialnet/posts', query: ['id', 'username', 'url', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'handle', 'page', 'per_page'], list: null },
  socialnetPhotos: { operation: 'socialnet.photos', method: 'GET', path: '/v1/socialnet/photos', query: ['id', 'username', 'url', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'handle', 'page', 'per_page'], list: null },
  socialnetReels: { operation: 'socialnet.reels', method: 'GET', path: '/v1/socialnet/reels', query: ['id', 'username', 'url', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'handle', 'page', 'per_page'], list: null },
  socialnetPost: { operation: 'socialnet.post', method: 'GET', path: '/v1/socialnet/post', query: ['url', 'timeout_ms', 'max_age_ms'], list: null },
  socialnetGroup: { operation: 'socialnet.group', method: 'GET', path: '/v1/socialnet/group', query: ['id', 'url', 'timeout_ms', 'max_age_ms'], list: null },
  socialnetGroupPosts: { operation: 'socialnet.group.posts', method: 'GET', path: '/v1/socialnet/group/posts', query: ['id', 'url', 'sort', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'per_page'], list: null },
  socialnetAdLibraryAd: { operation: 'socialnet.adLibrary.ad', method: 'GET', path: '/v1/socialnet/adLibrary/ad', query: ['id', 'url', 'timeout_ms', 'max_age_ms', 'ad_archive_id', 'archive_id'], list: null },
  socialnetAdLibrarySearchAds: { operation: 'socialnet.adLibrary.search.ads', method: 'GET', path: '/v1/socialnet/adLibrary/search/ads', query: ['search', 'search_type', 'active_status', 'country', 'ad_type', 'media_type', 'platforms', 'languages', 'start_date_min', 'start_date_max', 'sort', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'query', 'q', 'keyword', 'keywords', 'per_page'], list: null },
  socialnetAdLibraryCompanyAds: { operation: 'socialnet.adLibrary.company.ads', method: 'GET', path: '/v1/socialnet/adLibrary/company/ads', query: ['page_id', 'url', 'active_status', 'country', 'ad_type', 'media_type', 'platforms', 'languages', 'start_date_min', 'start_date_max', 'sort', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'id', 'per_page'], list: null },
  technewsFront: { operation: 'technews.front', method: 'GET', path: '/v1/technews/front', query: ['list', 'page', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'per_page'], list: null },
  technewsItem: { operation: 'technews.item', method: 'GET', path: '/v1/technews/item', query: ['id', 'url', 'depth', 'comment_limit', 'timeout_ms', 'max_age_ms'], list: null },
  technewsUser: { operation: 'technews.user', method: 'GET', path: '/v1/technews/user', query: ['username', 'url', 'timeout_ms', 'max_age_ms', 'id', 'login'], list: null },
  technewsSearch: { operation: 'technews.search', method: 'GET', path: '/v1/technews/search', query: ['search', 'sort', 'tags', 'author', 'page', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'q', 'query', 'keyword', 'keywords', 'per_page'], list: null },
  vehiclesSearch: { operation: 'vehicles.search', method: 'GET', path: '/v1/vehicles/search', query: ['make', 'model', 'search', 'country', 'zip', 'radius', 'price_min', 'price_max', 'year_min', 'year_max', 'mileage_max', 'fuel', 'transmission', 'condition', 'sort', 'page', 'url', 'cursor', 'timeout_ms', 'max_age_ms', 'q', 'query', 'keyword', 'keywords', 'geo'], list: null },
  vehiclesVehicle: { operation: 'vehicles.vehicle', method: 'GET', path: '/v1/vehicles/vehicle', query: ['id', 'url', 'timeout_ms', 'max_age_ms'], list: null },
  videoVideos: { operation: 'video.videos', method: 'GET', path: '/v1/video/videos/{video_id}', query: ['country', 'language', 'timeout_ms', 'max_age_ms', 'geo', 'locale'], list: null },
  videoSearch: { operation: 'video.search', method: 'GET', path: '/v1/video/search', query: ['360', 'search', 'type', 'upload_date', 'duration', 'sort_by', 'live', 'hd', '4k', 'hdr', 'vr180', '3d', 'subtitles', 'creative_commons', 'location', 'purchased', 'country', 'language', 'limit', 'cursor', 'timeout_ms', 'max_age_ms', 'q', 'query', 'keyword', 'keywords', 'geo', 'locale', 'per_page'], list: null },
  videoSubtitles: { operation: 'video.subtitles', method: 'GET', path: '/v1/video/subtitles', query: ['video_id', 'language', 'origin', 'translate_to', 'format', 'timeout_ms', 'max_age_ms', 'id', 'url', 'language_code', 'lang', 'subtitle_origin'], list: null },
  videoAltSearch: { operation: 'video-alt.search', method: 'GET', path: '/v1/video-alt/search', query: ['search', 'type', 'sort', 'date', 'duration', 'license', 'cursor', 'timeout_ms', 'max_age_ms', 'q', 'query', 'keyword', 'keywords', 'sort_by'], list: null },
  videoAltChannelVideos: { operation: 'video-alt.channel.videos', method: 'GET', path: '/v1/video-alt/channel/videos', query: ['channel', 'url', 'type', 'cursor', 'timeout_ms', 'max_age_ms'], list: null },
  videoAltVideo: { operation: 'video-alt.video', method: 'GET', path: '/v1/video-alt/video', query: ['url', 'timeout_ms', 'max_age_ms', 'id'], list: null },
  launchesLeaderboardCrawl: { operation: 'launches.leaderboard.crawl', method: 'GET', path: '/v1/launches/leaderboard/crawl', query: ['period', 'date', 'year', 'month', 'week', 'day', 'topic', 'featured', 'max_results', 'timeout_ms', 'max_age_ms'], list: 'products' },
  shopASearchCrawl: { operation: 'shop-a.search.crawl', method: 'GET', path: '/v1/shop-a/search/crawl', query: ['search', 'domain', 'page', 'sort', 'min_price', 'max_price', 'category', 'language', 'max_pages', 'timeout_ms', 'max_age_ms', 'query', 'q', 'keyword', 'keywords'], list: 'results' },
  videoSearchCrawl: { operation: 'video.search.crawl', method: 'POST', path: '/v1/video/search/crawl', query: [], list: 'results' },
  createHotelBMonitor: { operation: 'hotel-b.monitors.create', method: 'POST', path: '/v1/hotel-b/monitors', query: [], list: null },
  listHotelBMonitors: { operation: 'hotel-b.monitors.list', method: 'GET', path: '/v1/hotel-b/monitors', query: ['active', 'kind', 'provider', 'limit', 'cursor'], list: 'data' },
  getHotelBMonitor: { operation: 'hotel-b.monitors.show', method: 'GET', path: '/v1/hotel-b/monitors/{id}', query: [], list: null },
  updateHotelBMonitor: { operation: 'hotel-b.monitors.update', method: 'PATCH', path: '/v1/hotel-b/monitors/{id}', query: [], list: null },
  deleteHotelBMonitor: { operation: 'hotel-b.monitors.delete', method: 'DELETE', path: '/v1/hotel-b/monitors/{id}', query: [], list: null },
  triggerHotelBMonitor: { operation: 'hotel-b.monitors.trigger', method: 'POST', path: '/v1/hotel-b/monitors/{id}/trigger', query: [], list: null },
  listHotelBRuns: { operation: 'hotel-b.monitors.runs', method: 'GET', path: '/v1/hotel-b/monitors/{id}/runs', query: ['limit', 'cursor'], list: 'data' },
  getLatestHotelBRun: { operation: 'hotel-b.monitors.runs.latest', method: 'GET', path: '/v1/hotel-b/monitors/{id}/runs/latest', query: [], list: null },
  listHotelBChanges: { operation: 'hotel-b.monitors.changes', method: 'GET', path: '/v1/hotel-b/monitors/{id}/changes', query: ['limit', 'cursor'], list: 'data' },
  getLatestHotelBChange: { operation: 'hotel-b.monitors.changes.latest', method: 'GET', path: '/v1/hotel-b/monitors/{id}/changes/latest', query: [], list: null },
  createHotelAMonitor: { operation: 'hotel-a.monitors.create', method: 'POST', path: '/v1/hotel-a/monitors', query: [], list: null },
  listHotelAMonitors: { operation: 'hotel-a.monitors.list', method: 'GET', path: '/v1/hotel-a/monitors', query: ['active', 'kind', 'provider', 'limit', 'cursor'], list: 'data' },
  getHotelAMonitor: { operation: 'hotel-a.monitors.show', method: 'GET', path: '/v1/hotel-a/monitors/{id}', query: [], list: null },
  updateHotelAMonitor: { operation: 'hotel-a.monitors.update', method: 'PATCH', path: '/v1/hotel-a/monitors/{id}', query: [], list: null },
  deleteHotelAMonitor: { operation: 'hotel-a.monitors.delete', method: 'DELETE', path: '/v1/hotel-a/monitors/{id}', query: [], list: null },
  triggerHotelAMonitor: { operation: 'hotel-a.monitors.trigger', method: 'POST', path: '/v1/hotel-a/monitors/{id}/trigger', query: [], list: null },
  listHotelARuns: { operation: 'hotel-a.monitors.runs', method: 'GET', path: '/v1/hotel-a/monitors/{id}/runs', query: ['limit', 'cursor'], list: 'data' },
  getLatestHotelARun: { operation: 'hotel-a.monitors.runs.latest', method: 'GET', path: '/v1/hotel-a/monitors/{id}/runs/latest', query: [], list: null },
  listHotelAChanges: { operation: 'hotel-a.monitors.changes', method: 'GET', path: '/v1/hotel-a/monitors/{id}/changes', query: ['limit', 'cursor'], list: 'data' },
  getLatestHotelAChange: { operation: 'hotel-a.monitors.changes.latest', method: 'GET', path: '/v1/hotel-a/monitors/{id}/changes/latest', query: [], list: null },
  createLaunchMonitor: { operation: 'launches.monitors.create', method: 'POST', path: '/v1/launches/monitors', query: [], list: null },
  listLaunchMonitors: { operation: 'launches.monitors.list', method: 'GET', path: '/v1/launches/monitors', query: ['active', 'kind', 'limit', 'cursor'], list: 'data' },
  getLaunchMonitor: { operation: 'launches.monitors.show', method: 'GET', path: '/v1/launches/monitors/{id}', query: [], list: null },
  updateLaunchMonitor: { operation: 'launches.monitors.update', method: 'PATCH', path: '/v1/launches/monitors/{id}', query: [], list: null },
  deleteLaunchMonitor: { operation: 'launches.monitors.delete', method: 'DELETE', path: '/v1/launches/monitors/{id}', query: [], list: null },
  triggerLaunchMonitor: { operation: 'launches.monitors.trigger', method: 'POST', path: '/v1/launches/monitors/{id}/trigger', query: [], list: null },
  listLaunchRuns: { operation: 'launches.monitors.runs', method: 'GET', path: '/v1/launches/monitors/{id}/runs', query: ['limit', 'cursor'], list: 'data' },
  getLatestLaunchRun: { operation: 'launches.monitors.runs.latest', method: 'GET', path: '/v1/launches/monitors/{id}/runs/latest', query: [], list: null },
  listLaunchChanges: { operation: 'launches.monitors.changes', method: 'GET', path: '/v1/launches/monitors/{id}/changes', query: ['limit', 'cursor'], list: 'data' },
  getLatestLaunchChange: { operation: 'launches.monitors.changes.latest', method: 'GET', path: '/v1/launches/monitors/{id}/changes/latest', query: [], list: null },
} as const;

/** A method for each operation of the API. */
export class Operations {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Retrieve one URL in the requested formats. */
  async fetch(input: FetchInput, options?: CallOptions): Promise<Page & Metered> {
    return this.caller.work(ROUTES.fetch, input, options);
  }

  /** Retrieve up to 10,000 URLs as one job. */
  fetchBatch(input: FetchBatchInput, options?: RunOptions): JobRun<FetchBatchResult & Metered, BatchResult> {
    return this.caller.run(ROUTES.fetchBatch, input, options);
  }

  /** Resumes a fetchBatch that was submitted before, by the id of its job. */
  resumeFetchBatch(id: string, options?: ResumeOptions): JobRun<FetchBatchResult & Metered, BatchResult> {
    return this.caller.resume(ROUTES.fetchBatch, id, options);
  }

  /** Explain how a page is parsed: which parts are main content and why, what can be selected, and the values of fields. */
  async explainPage(input: ExplainPageInput, options?: CallOptions): Promise<ExplainedPage & Metered> {
    return this.caller.work(ROUTES.explainPage, input, options);
  }

  /** Retrieve many pages of a site. */
  crawl(input: CrawlInput = {}, options?: RunOptions): JobRun<CrawlResult & Metered, CrawledPage> {
    return this.caller.run(ROUTES.crawl, input, options);
  }

  /** Resumes a crawl that was submitted before, by the id of its job. */
  resumeCrawl(id: string, options?: ResumeOptions): JobRun<CrawlResult & Metered, CrawledPage> {
    return this.caller.resume(ROUTES.crawl, id, options);
  }

  /** Discover the URLs of a site. */
  map(input: MapInput, options?: RunOptions): JobRun<MapResult & Metered, MappedUrl> {
    return this.caller.run(ROUTES.map, input, options);
  }

  /** Resumes a map that was submitted before, by the id of its job. */
  resumeMap(id: string, options?: ResumeOptions): JobRun<MapResult & Metered, MappedUrl> {
    return this.caller.resume(ROUTES.map, id, options);
  }

  /** Click, type and read in a page, step by step. */
  async interact(input: InteractInput, options?: CallOptions): Promise<InteractResult & Metered> {
    return this.caller.work(ROUTES.interact, input, options);
  }

  /** Search the web and the pages that this instance has fetched. */
  async fastSearch(input: FastSearchInput = {}, options?: CallOptions): Promise<FastSearch & Metered> {
    return this.caller.work(ROUTES.fastSearch, input, options);
  }

  /** Answer a question from web pages, with sources. */
  async answerenginePrompt(input: AnswerenginePromptInput, options?: CallOptions): Promise<AnswerenginePromptResult & Metered> {
    return this.caller.work(ROUTES.answerenginePrompt, input, options);
  }

  /** Answer a question like an assistant, with citations. */
  async assistantPrompt(input: AssistantPromptInput, options?: CallOptions): Promise<AssistantPromptResult & Metered> {
    return this.caller.work(ROUTES.assistantPrompt, input, options);
  }

  /** Answer a question like assistant.prompt, with a separately configured model. */
  async chatassistantPrompt(input: ChatassistantPromptInput, options?: CallOptions): Promise<ChatassistantPromptResult & Metered> {
    return this.caller.work(ROUTES.chatassistantPrompt, input, options);
  }

  /** Queue any priced operation as a job. */
  async submitJob(input: SubmitJobInput, options?: CallOptions): Promise<Job & Answered> {
    return this.caller.send(ROUTES.submitJob, input, options);
  }

  /** Your jobs of the last 90 days, newest first; long inputs are truncated. */
  listJobs(input: ListJobsRequest = {}, options?: CallOptions): List<Job> {
    return this.caller.list(ROUTES.listJobs, input, options);
  }

  /** One job, with its result if it has completed. */
  async getJob(input: GetJobRequest, options?: CallOptions): Promise<Job & Answered> {
    return this.caller.send(ROUTES.getJob, input, options);
  }

  /** Cancel a job, or delete the result of one that has ended. */
  async cancelJob(input: CancelJobRequest, options?: CallOptions): Promise<(Job & Answered) | null> {
    return this.caller.send(ROUTES.cancelJob, input, options);
  }

  /** The result of a completed job: the response body of the same inline call; long lists are paginated. */
  async getJobResult(input: GetJobResultRequest, options?: CallOptions): Promise<GetJobResultResult & Answered> {
    return this.caller.send(ROUTES.getJobResult, input, options);
  }

  /** One list element of a result, such as a page of a crawl, also while the job runs. */
  async jobsPage(input: JobsPageRequest, options?: CallOptions): Promise<JobsPageResult & Answered> {
    return this.caller.send(ROUTES.jobsPage, input, options);
  }

  /** The pages of a crawl in order of discovery, also while it runs; with filters, a list page may be short. */
  listJobPages(input: ListJobPagesRequest, options?: CallOptions): List<CrawlPageRow> {
    return this.caller.list(ROUTES.listJobPages, input, options);
  }

  /** Page counts of a crawl and one level of the site as a tree of URL segments. */
  async getJobTree(input: GetJobTreeRequest, options?: CallOptions): Promise<CrawlTree & Answered> {
    return this.caller.send(ROUTES.getJobTree, input, options);
  }

  /** Follow a job as server-sent events: progress, then end. */
  followJob(input: FollowJobRequest, options?: CallOptions): AsyncIterable<JobEvent> {
    return this.caller.events(ROUTES.followJob, input, options);
  }

  /** Deliveries of a job’s webhook of the last 30 days, newest first. */
  listJobDeliveries(input: ListJobDeliveriesRequest, options?: CallOptions): List<Delivery> {
    return this.caller.list(ROUTES.listJobDeliveries, input, options);
  }

  /** The bytes of a screenshot, PDF or downloaded file. */
  async getArtifact(input: GetArtifactRequest, options?: CallOptions): Promise<FileBody> {
    return this.caller.file(ROUTES.getArtifact, input, options);
  }

  /** Create or extend a session with cookies and local storage exported from a browser. */
  async importSession(input: ImportSessionInput, options?: CallOptions): Promise<Session & Answered> {
    return this.caller.send(ROUTES.importSession, input, options);
  }

  /** Your sessions by name, without contents. */
  listSessions(input: ListSessionsRequest = {}, options?: CallOptions): List<Session> {
    return this.caller.list(ROUTES.listSessions, input, options);
  }

  /** A session with names, hosts, expiry and sizes of its contents, without values. */
  async getSession(input: GetSessionRequest, options?: CallOptions): Promise<SessionContents & Answered> {
    return this.caller.send(ROUTES.getSession, input, options);
  }

  /** Delete a session and its contents. */
  async deleteSession(input: DeleteSessionRequest, options?: CallOptions): Promise<void> {
    return this.caller.send(ROUTES.deleteSession, input, options);
  }

  /** Watch a page, or the result of any priced operation; the first run starts immediately. */
  async createMonitor(input: CreateMonitorInput = {}, options?: CallOptions): Promise<Monitor & Answered> {
    return this.caller.send(ROUTES.createMonitor, input, options);
  }

  /** Your monitors, newest first; long definitions are truncated. */
  listMonitors(input: ListMonitorsRequest = {}, options?: CallOptions): List<Monitor> {
    return this.caller.list(ROUTES.listMonitors, input, options);
  }

  /** One monitor. */
  async getMonitor(input: GetMonitorRequest, options?: CallOptions): Promise<Monitor & Answered> {
    return this.caller.send(ROUTES.getMonitor, input, options);
  }

  /** Change a monitor: omitted fields keep their value, null removes, objects are merged. */
  async updateMonitor(input: UpdateMonitorRequest, options?: CallOptions): Promise<Monitor & Answered> {
    return this.caller.send(ROUTES.updateMonitor, input, options);
  }

  /** Delete a monitor with its history. */
  async deleteMonitor(input: DeleteMonitorRequest, options?: CallOptions): Promise<void> {
    return this.caller.send(ROUTES.deleteMonitor, input, options);
  }

  /** Run a monitor now, in addition to its schedule; returns the active run if there is one. */
  async triggerMonitor(input: TriggerMonitorRequest, options?: CallOptions): Promise<TriggerMonitorResult & Answered> {
    return this.caller.send(ROUTES.triggerMonitor, input, options);
  }

  /** Runs of a monitor in the last 90 days with the observed values, newest first. */
  listRuns(input: ListRunsRequest, options?: CallOptions): List<Run> {
    return this.caller.list(ROUTES.listRuns, input, options);
  }

  /** The latest run of a monitor, in any state. */
  async getLatestRun(input: GetLatestRunRequest, options?: CallOptions): Promise<Run & Answered> {
    return this.caller.send(ROUTES.getLatestRun, input, options);
  }

  /** Changes found by a monitor in the last 90 days, newest first. */
  listChanges(input: ListChangesRequest, options?: CallOptions): List<Change> {
    return this.caller.list(ROUTES.listChanges, input, options);
  }

  /** The latest change found by a monitor. */
  async getLatestChange(input: GetLatestChangeRequest, options?: CallOptions): Promise<Change & Answered> {
    return this.caller.send(ROUTES.getLatestChange, input, options);
  }

  /** Numbers observed by a monitor over time, reduced to few points for a chart. */
  async getMonitorSeries(input: GetMonitorSeriesRequest, options?: CallOptions): Promise<MonitorSeries & Answered> {
    return this.caller.send(ROUTES.getMonitorSeries, input, options);
  }

  /** Next run times of a cron expression in a time zone, and whether your plan allows it. */
  async previewSchedule(input: PreviewScheduleRequest, options?: CallOptions): Promise<PreviewScheduleResult & Answered> {
    return this.caller.send(ROUTES.previewSchedule, input, options);
  }

  /** Deliveries of a monitor’s webhook of the last 30 days, newest first. */
  listMonitorDeliveries(input: ListMonitorDeliveriesRequest, options?: CallOptions): List<Delivery> {
    return this.caller.list(ROUTES.listMonitorDeliveries, input, options);
  }

  /** Send a webhook.test event to a monitor’s webhook, once; at most 100 a day. */
  async testWebhook(input: TestWebhookRequest, options?: CallOptions): Promise<Delivery & Answered> {
    return this.caller.send(ROUTES.testWebhook, input, options);
  }

  /** Set a new secret for a monitor’s webhook; the old one stays valid for 24 hours. */
  async rotateWebhookSecret(input: RotateWebhookSecretRequest, options?: CallOptions): Promise<RotateWebhookSecretResult & Answered> {
    return this.caller.send(ROUTES.rotateWebhookSecret, input, options);
  }

  /** Your webhooks with their last delivery, those of monitors first, newest first. */
  listWebhooks(input: ListWebhooksRequest = {}, options?: CallOptions): List<ListedWebhook> {
    return this.caller.list(ROUTES.listWebhooks, input, options);
  }

  /** Deliveries of all your webhooks of the last 30 days, newest first. */
  listDeliveries(input: ListDeliveriesRequest = {}, options?: CallOptions): List<Delivery> {
    return this.caller.list(ROUTES.listDeliveries, input, options);
  }

  /** One delivery with its attempts. */
  async getDelivery(input: GetDeliveryRequest, options?: CallOptions): Promise<DeliveryDetails & Answered> {
    return this.caller.send(ROUTES.getDelivery, input, options);
  }

  /** Send an event again, with the same webhook-id and a new round of attempts. */
  async redeliver(input: RedeliverRequest, options?: CallOptions): Promise<Delivery & Answered> {
    return this.caller.send(ROUTES.redeliver, input, options);
  }

  /** Retry all exhausted deliveries of the last 30 days, at most a thousand per call, each with its webhook-id. */
  async redeliverAll(input: RedeliverAllInput = {}, options?: CallOptions): Promise<RedeliverAllResult & Answered> {
    return this.caller.send(ROUTES.redeliverAll, input, options);
  }

  /** Credits of the current month and day, and stored bytes. */
  async getUsage(options?: CallOptions): Promise<AccountUsage & Answered> {
    return this.caller.send(ROUTES.getUsage, {}, options);
  }

  /** Calls and credits per day, per operation, or per operation of each day. */
  listUsage(input: ListUsageRequest = {}, options?: CallOptions): List<UsageRow> {
    return this.caller.list(ROUTES.listUsage, input, options);
  }

  /** Calls that cost credits in the last 24 hours, newest first. */
  listRequests(input: ListRequestsRequest = {}, options?: CallOptions): List<LoggedRequest> {
    return this.caller.list(ROUTES.listRequests, input, options);
  }

  /** One logged call with all access attempts. */
  async getRequest(input: GetRequestRequest, options?: CallOptions): Promise<GetRequestResult & Answered> {
    return this.caller.send(ROUTES.getRequest, input, options);
  }

  /** The API keys of your tenant, newest first, without their text. */
  listOwnKeys(input: ListOwnKeysRequest = {}, options?: CallOptions): List<OwnKey> {
    return this.caller.list(ROUTES.listOwnKeys, input, options);
  }

  /** Capabilities of this service, and the limits of your plan. */
  async getCapabilities(options?: CallOptions): Promise<Capabilities & Answered> {
    return this.caller.send(ROUTES.getCapabilities, {}, options);
  }

  /** All tenants with their credits, newest first. */
  listTenants(input: ListTenantsRequest = {}, options?: CallOptions): List<{
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly created_at: string;
  /** When it was suspended; null if it is not */
  readonly suspended_at: string | null;
  /** Credits of the current month; null if the plan sets no limit */
  readonly credits_granted: number | null;
  readonly credits_topped_up: number;
  readonly credits_used: number;
  /** Reserved by running calls */
  readonly credits_reserved: number;
  readonly credits_remaining: number | null;
  readonly daily_cap: number | null;
  readonly daily_used: number;
}> {
    return this.caller.list(ROUTES.listTenants, input, options);
  }

  /** Create a tenant, without a key. */
  async createTenant(input: CreateTenantInput, options?: CallOptions): Promise<CreateTenantResult & Answered> {
    return this.caller.send(ROUTES.createTenant, input, options);
  }

  /** One tenant with its credits. */
  async getTenant(input: GetTenantRequest, options?: CallOptions): Promise<GetTenantResult & Answered> {
    return this.caller.send(ROUTES.getTenant, input, options);
  }

  /** Change the plan or name of a tenant, or suspend or resume it; a new plan applies immediately to credits already spent. */
  async updateTenant(input: UpdateTenantRequest, options?: CallOptions): Promise<UpdateTenantResult & Answered> {
    return this.caller.send(ROUTES.updateTenant, input, options);
  }

  /** Add credits to the current month of a tenant, once per Idempotency-Key. */
  async topUpTenant(input: TopUpTenantRequest, options?: CallOptions): Promise<TopUpTenantResult & Answered> {
    return this.caller.send(ROUTES.topUpTenant, input, options);
  }

  /** Refund the charge of a request, job or monitor run, once. */
  async refundTenant(input: RefundTenantRequest, options?: CallOptions): Promise<RefundTenantResult & Answered> {
    return this.caller.send(ROUTES.refundTenant, input, options);
  }

  /** The keys of all tenants, newest first, without their text. */
  listAllKeys(input: ListAllKeysRequest = {}, options?: CallOptions): List<{
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  /** The first characters after qk_; null for a key that was chosen by the operator or is very old */
  readonly prefix: string | null;
  /** Whether it allows /v1/admin */
  readonly operator: boolean;
  readonly created_at: string;
  /** Accurate to about a minute; null if never used */
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}> {
    return this.caller.list(ROUTES.listAllKeys, input, options);
  }

  /** The keys of a tenant, newest first, without their text. */
  listKeys(input: ListKeysRequest, options?: CallOptions): List<{
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  /** The first characters after qk_; null for a key that was chosen by the operator or is very old */
  readonly prefix: string | null;
  /** Whether it allows /v1/admin */
  readonly operator: boolean;
  readonly created_at: string;
  /** Accurate to about a minute; null if never used */
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}> {
    return this.caller.list(ROUTES.listKeys, input, options);
  }

  /** Create a key for a tenant; its text is only shown once. */
  async createKey(input: CreateKeyRequest, options?: CallOptions): Promise<CreateKeyResult & Answered> {
    return this.caller.send(ROUTES.createKey, input, options);
  }

  /** Replace a key with a new one of the same name and rights; the old one ends immediately or after an overlap. */
  async rotateKey(input: RotateKeyRequest, options?: CallOptions): Promise<RotateKeyResult & Answered> {
    return this.caller.send(ROUTES.rotateKey, input, options);
  }

  /** Revoke a key immediately. */
  async revokeKey(input: RevokeKeyRequest, options?: CallOptions): Promise<void> {
    return this.caller.send(ROUTES.revokeKey, input, options);
  }

  /** All plans and their limits. */
  async listPlans(options?: CallOptions): Promise<ListPlansResult & Answered> {
    return this.caller.send(ROUTES.listPlans, {}, options);
  }

  /** Calls and credits by tenant, day and operation, for all tenants or one; also as CSV. */
  listTenantUsage(input: ListTenantUsageRequest = {}, options?: CallOptions): List<{
  /** Day in UTC */
  readonly date: string;
  readonly tenant_id: string;
  /** Name of the tenant */
  readonly tenant: string;
  readonly operation: string;
  readonly calls: number;
  readonly credits: number;
}> {
    return this.caller.list(ROUTES.listTenantUsage, input, options);
  }

  /** A consistent backup of all data for quern restore, without the secret key. */
  async downloadBackup(options?: CallOptions): Promise<FileBody> {
    return this.caller.file(ROUTES.downloadBackup, {}, options);
  }

  /** The job queue of all tenants: depth by kind and tenant, the oldest job, and running jobs. */
  async getQueue(options?: CallOptions): Promise<GetQueueResult & Answered> {
    return this.caller.send(ROUTES.getQueue, {}, options);
  }

  /** Health of the endpoints of sites, searches and answers. */
  async listSiteHealth(options?: CallOptions): Promise<ListSiteHealthResult & Answered> {
    return this.caller.send(ROUTES.listSiteHealth, {}, options);
  }

  /** The settings of the responding process and their sources; secrets are masked. */
  async listSettings(options?: CallOptions): Promise<ListSettingsResult & Answered> {
    return this.caller.send(ROUTES.listSettings, {}, options);
  }

  /** Status of the responding process: its store, its disk, and the processes on the store. */
  async getInstance(options?: CallOptions): Promise<GetInstanceResult & Answered> {
    return this.caller.send(ROUTES.getInstance, {}, options);
  }

  /** The last run and outcome of each upkeep round of the process that answers. */
  async getUpkeep(options?: CallOptions): Promise<GetUpkeepResult & Answered> {
    return this.caller.send(ROUTES.getUpkeep, {}, options);
  }

  /** Run upkeep now: delete expired and excess data, and release what dead processes hold. */
  async runUpkeep(input: RunUpkeepInput = {}, options?: CallOptions): Promise<RunUpkeepResult & Answered> {
    return this.caller.send(ROUTES.runUpkeep, input, options);
  }

  /** Search results of one engine, including ads. */
  async websearchSearch(input: WebsearchSearchInput = {}, options?: CallOptions): Promise<WebsearchSearchResult & Metered> {
    return this.caller.work(ROUTES.websearchSearch, input, options);
  }

  /** One page of results of a named engine, including its side panels. */
  async serpSearch(input: SerpSearchInput = {}, options?: CallOptions): Promise<SerpSearchResult & Metered> {
    return this.caller.work(ROUTES.serpSearch, input, options);
  }

  /** An app of either store by id or url. */
  async appstoreApp(input: AppstoreAppInput = {}, options?: CallOptions): Promise<AppstoreAppResult & Metered> {
    return this.caller.work(ROUTES.appstoreApp, input, options);
  }

  /** Search the apps of a store. */
  async appstoreSearch(input: AppstoreSearchInput = {}, options?: CallOptions): Promise<AppstoreSearchResult & Metered> {
    return this.caller.work(ROUTES.appstoreSearch, input, options);
  }

  /** Reviews of an app of either store. */
  async appstoreReviews(input: AppstoreReviewsInput = {}, options?: CallOptions): Promise<AppstoreReviewsResult & Metered> {
    return this.caller.work(ROUTES.appstoreReviews, input, options);
  }

  /** A developer of either store and their apps. */
  async appstoreDeveloper(input: AppstoreDeveloperInput = {}, options?: CallOptions): Promise<AppstoreDeveloperResult & Metered> {
    return this.caller.work(ROUTES.appstoreDeveloper, input, options);
  }

  /** Public repository detail. */
  async codehostRepo(input: CodehostRepoInput = {}, options?: CallOptions): Promise<CodehostRepoResult & Metered> {
    return this.caller.work(ROUTES.codehostRepo, input, options);
  }

  /** A user's public repositories, one page per request. */
  async codehostRepos(input: CodehostReposInput = {}, options?: CallOptions): Promise<CodehostReposResult & Metered> {
    return this.caller.work(ROUTES.codehostRepos, input, options);
  }

  /** Public user profile. */
  async codehostUser(input: CodehostUserInput = {}, options?: CallOptions): Promise<CodehostUserResult & Metered> {
    return this.caller.work(ROUTES.codehostUser, input, options);
  }

  /** A post and its top-level comments by id or url. */
  async forumPost(input: ForumPostInput = {}, options?: CallOptions): Promise<ForumPostResult & Metered> {
    return this.caller.work(ROUTES.forumPost, input, options);
  }

  /** A community and its posts, one page per request. */
  async forumSubreddit(input: ForumSubredditInput = {}, options?: CallOptions): Promise<ForumSubredditResult & Metered> {
    return this.caller.work(ROUTES.forumSubreddit, input, options);
  }

  /** A person's profile, posts and comments, one page per request. */
  async forumUser(input: ForumUserInput = {}, options?: CallOptions): Promise<ForumUserResult & Metered> {
    return this.caller.work(ROUTES.forumUser, input, options);
  }

  /** Search homes for rent around a place, one page of results per request. */
  async homestaySearch(input: HomestaySearchInput = {}, options?: CallOptions): Promise<HomestaySearchResult & Metered> {
    return this.caller.work(ROUTES.homestaySearch, input, options);
  }

  /** A home for rent by id or url, with the price of a stay if its days are given. */
  async homestayListing(input: HomestayListingInput = {}, options?: CallOptions): Promise<HomestayListingResult & Metered> {
    return this.caller.work(ROUTES.homestayListing, input, options);
  }

  /** Guest reviews of a home, in a browser session. */
  async homestayReviews(input: HomestayReviewsInput = {}, options?: CallOptions): Promise<HomestayReviewsResult & Metered> {
    return this.caller.work(ROUTES.homestayReviews, input, options);
  }

  /** Search jobs of jobs-d by keywords and place. */
  async jobsDJobs(input: JobsDJobsInput = {}, options?: CallOptions): Promise<JobsDJobsResult & Metered> {
    return this.caller.work(ROUTES.jobsDJobs, input, options);
  }

  /** One job of jobs-d by its job_id or url. */
  async jobsDJob(input: JobsDJobInput = {}, options?: CallOptions): Promise<JobsDJobResult & Metered> {
    return this.caller.work(ROUTES.jobsDJob, input, options);
  }

  /** Search jobs by keywords. */
  async jobsBJobs(input: JobsBJobsInput = {}, options?: CallOptions): Promise<JobsBJobsResult & Metered> {
    return this.caller.work(ROUTES.jobsBJobs, input, options);
  }

  /** One job by its url. */
  async jobsBJob(input: JobsBJobInput = {}, options?: CallOptions): Promise<JobsBJobResult & Metered> {
    return this.caller.work(ROUTES.jobsBJob, input, options);
  }

  /** Search jobs of jobs-s by keywords and place. */
  async jobsSJobs(input: JobsSJobsInput = {}, options?: CallOptions): Promise<JobsSJobsResult & Metered> {
    return this.caller.work(ROUTES.jobsSJobs, input, options);
  }

  /** One job of jobs-s by its job_id or url. */
  async jobsSJob(input: JobsSJobInput = {}, options?: CallOptions): Promise<JobsSJobResult & Metered> {
    return this.caller.work(ROUTES.jobsSJob, input, options);
  }

  /** The top launches of a day, week, month or year. */
  async launchesLeaderboard(input: LaunchesLeaderboardInput = {}, options?: CallOptions): Promise<LaunchesLeaderboardResult & Metered> {
    return this.caller.work(ROUTES.launchesLeaderboard, input, options);
  }

  /** A product with its makers and launches. */
  async launchesProduct(input: LaunchesProductInput = {}, options?: CallOptions): Promise<LaunchesProductResult & Metered> {
    return this.caller.work(ROUTES.launchesProduct, input, options);
  }

  /** A person with the products that they made. */
  async launchesMaker(input: LaunchesMakerInput = {}, options?: CallOptions): Promise<LaunchesMakerResult & Metered> {
    return this.caller.work(ROUTES.launchesMaker, input, options);
  }

  /** An account on a network of short posts (X, Bluesky, Mastodon). */
  async microblogProfile(input: MicroblogProfileInput = {}, options?: CallOptions): Promise<MicroblogProfileResult & Metered> {
    return this.caller.work(ROUTES.microblogProfile, input, options);
  }

  /** The posts of an account on a network of short posts (X, Bluesky, Mastodon). */
  async microblogPosts(input: MicroblogPostsInput = {}, options?: CallOptions): Promise<MicroblogPostsResult & Metered> {
    return this.caller.work(ROUTES.microblogPosts, input, options);
  }

  /** A short post (X, Bluesky, Mastodon). */
  async microblogPost(input: MicroblogPostInput = {}, options?: CallOptions): Promise<MicroblogPostResult & Metered> {
    return this.caller.work(ROUTES.microblogPost, input, options);
  }

  /** Short posts by words or hashtags (Bluesky, Mastodon, X). */
  async microblogSearch(input: MicroblogSearchInput = {}, options?: CallOptions): Promise<MicroblogSearchResult & Metered> {
    return this.caller.work(ROUTES.microblogSearch, input, options);
  }

  /** Album of musiccatalog with its tracklist, by id or url. */
  async musiccatalogAlbum(input: MusiccatalogAlbumInput = {}, options?: CallOptions): Promise<MusiccatalogAlbumResult & Metered> {
    return this.caller.work(ROUTES.musiccatalogAlbum, input, options);
  }

  /** Artist detail, albums and top songs by id or url. */
  async musiccatalogArtist(input: MusiccatalogArtistInput = {}, options?: CallOptions): Promise<MusiccatalogArtistResult & Metered> {
    return this.caller.work(ROUTES.musiccatalogArtist, input, options);
  }

  /** Search songs, albums, artists or playlists. */
  async musiccatalogSearch(input: MusiccatalogSearchInput = {}, options?: CallOptions): Promise<MusiccatalogSearchResult & Metered> {
    return this.caller.work(ROUTES.musiccatalogSearch, input, options);
  }

  /** Song detail by id or url. */
  async musiccatalogTrack(input: MusiccatalogTrackInput = {}, options?: CallOptions): Promise<MusiccatalogTrackResult & Metered> {
    return this.caller.work(ROUTES.musiccatalogTrack, input, options);
  }

  /** Album of musicstream with its tracklist, by id or url. */
  async musicstreamAlbum(input: MusicstreamAlbumInput = {}, options?: CallOptions): Promise<MusicstreamAlbumResult & Metered> {
    return this.caller.work(ROUTES.musicstreamAlbum, input, options);
  }

  /** Artist overview by id or url. */
  async musicstreamArtist(input: MusicstreamArtistInput = {}, options?: CallOptions): Promise<MusicstreamArtistResult & Metered> {
    return this.caller.work(ROUTES.musicstreamArtist, input, options);
  }

  /** Playlist detail and its tracks, one page per request. */
  async musicstreamPlaylist(input: MusicstreamPlaylistInput = {}, options?: CallOptions): Promise<MusicstreamPlaylistResult & Metered> {
    return this.caller.work(ROUTES.musicstreamPlaylist, input, options);
  }

  /** Podcast detail and its episodes, one page per request. */
  async musicstreamPodcast(input: MusicstreamPodcastInput = {}, options?: CallOptions): Promise<MusicstreamPodcastResult & Metered> {
    return this.caller.work(ROUTES.musicstreamPodcast, input, options);
  }

  /** Search tracks, artists, albums, playlists, podcasts and episodes. */
  async musicstreamSearch(input: MusicstreamSearchInput = {}, options?: CallOptions): Promise<MusicstreamSearchResult & Metered> {
    return this.caller.work(ROUTES.musicstreamSearch, input, options);
  }

  /** Track detail by id or url. */
  async musicstreamTrack(input: MusicstreamTrackInput = {}, options?: CallOptions): Promise<MusicstreamTrackResult & Metered> {
    return this.caller.work(ROUTES.musicstreamTrack, input, options);
  }

  /** An account by username or url. */
  async pinboardProfile(input: PinboardProfileInput = {}, options?: CallOptions): Promise<PinboardProfileResult & Metered> {
    return this.caller.work(ROUTES.pinboardProfile, input, options);
  }

  /** Pins of an account. */
  async pinboardPins(input: PinboardPinsInput = {}, options?: CallOptions): Promise<PinboardPinsResult & Metered> {
    return this.caller.work(ROUTES.pinboardPins, input, options);
  }

  /** One pin by its url or id. */
  async pinboardPin(input: PinboardPinInput = {}, options?: CallOptions): Promise<PinboardPinResult & Metered> {
    return this.caller.work(ROUTES.pinboardPin, input, options);
  }

  /** Search pins by keyword. */
  async pinboardSearch(input: PinboardSearchInput = {}, options?: CallOptions): Promise<PinboardSearchResult & Metered> {
    return this.caller.work(ROUTES.pinboardSearch, input, options);
  }

  /** Products of a chain of shops by words, or of a category by its address. */
  async retailSearch(input: RetailSearchInput = {}, options?: CallOptions): Promise<RetailSearchResult & Metered> {
    return this.caller.work(ROUTES.retailSearch, input, options);
  }

  /** A product of a chain of shops, by its number or address. */
  async retailProduct(input: RetailProductInput = {}, options?: CallOptions): Promise<RetailProductResult & Metered> {
    return this.caller.work(ROUTES.retailProduct, input, options);
  }

  /** The stores of a chain around a place, nearest first. */
  async retailStores(input: RetailStoresInput = {}, options?: CallOptions): Promise<RetailStoresResult & Metered> {
    return this.caller.work(ROUTES.retailStores, input, options);
  }

  /** Whether a product is in stock: shipped, or picked up at a store. */
  async retailAvailability(input: RetailAvailabilityInput, options?: CallOptions): Promise<RetailAvailabilityResult & Metered> {
    return this.caller.work(ROUTES.retailAvailability, input, options);
  }

  /** A product by product code or URL. */
  async shopAProduct(input: ShopAProductInput = {}, options?: CallOptions): Promise<ShopAProductResult & Metered> {
    return this.caller.work(ROUTES.shopAProduct, input, options);
  }

  /** The current offers of a product. */
  async shopAPricing(input: ShopAPricingInput = {}, options?: CallOptions): Promise<ShopAPricingResult & Metered> {
    return this.caller.work(ROUTES.shopAPricing, input, options);
  }

  /** Search products. */
  async shopASearch(input: ShopASearchInput = {}, options?: CallOptions): Promise<ShopASearchResult & Metered> {
    return this.caller.work(ROUTES.shopASearch, input, options);
  }

  /** A product by its number or address. */
  async shopWProduct(input: ShopWProductInput = {}, options?: CallOptions): Promise<ShopWProductResult & Metered> {
    return this.caller.work(ROUTES.shopWProduct, input, options);
  }

  /** A profile by username or url. */
  async shortvideoProfile(input: ShortvideoProfileInput = {}, options?: CallOptions): Promise<ShortvideoProfileResult & Metered> {
    return this.caller.work(ROUTES.shortvideoProfile, input, options);
  }

  /** The short videos of a profile, in a browser session. */
  async shortvideoVideos(input: ShortvideoVideosInput = {}, options?: CallOptions): Promise<ShortvideoVideosResult & Metered> {
    return this.caller.work(ROUTES.shortvideoVideos, input, options);
  }

  /** A short video by id or url. */
  async shortvideoVideo(input: ShortvideoVideoInput = {}, options?: CallOptions): Promise<ShortvideoVideoResult & Metered> {
    return this.caller.work(ROUTES.shortvideoVideo, input, options);
  }

  /** The comments on a short video, in a browser session. */
  async shortvideoComments(input: ShortvideoCommentsInput = {}, options?: CallOptions): Promise<ShortvideoCommentsResult & Metered> {
    return this.caller.work(ROUTES.shortvideoComments, input, options);
  }

  /** Search short videos, in a browser session. */
  async shortvideoSearch(input: ShortvideoSearchInput = {}, options?: CallOptions): Promise<ShortvideoSearchResult & Metered> {
    return this.caller.work(ROUTES.shortvideoSearch, input, options);
  }

  /** A hashtag and its short videos, in a browser session. */
  async shortvideoHashtag(input: ShortvideoHashtagInput = {}, options?: CallOptions): Promise<ShortvideoHashtagResult & Metered> {
    return this.caller.work(ROUTES.shortvideoHashtag, input, options);
  }

  /** An event by id or url, with its date and place. */
  async socialnetEvent(input: SocialnetEventInput = {}, options?: CallOptions): Promise<SocialnetEventResult> {
    return this.caller.work(ROUTES.socialnetEvent, input, options);
  }

  /** Public events by words and place. */
  async socialnetEventsSearch(input: SocialnetEventsSearchInput = {}, options?: CallOptions): Promise<SocialnetEventsSearchResult & Metered> {
    return this.caller.work(ROUTES.socialnetEventsSearch, input, options);
  }

  /** A marketplace listing by id or url. */
  async socialnetMarketplaceItem(input: SocialnetMarketplaceItemInput = {}, options?: CallOptions): Promise<SocialnetMarketplaceItemResult & Metered> {
    return this.caller.work(ROUTES.socialnetMarketplaceItem, input, options);
  }

  /** Things for sale on the marketplace, new or used: listings by words, place and filters. */
  async socialnetMarketplaceSearch(input: SocialnetMarketplaceSearchInput = {}, options?: CallOptions): Promise<SocialnetMarketplaceSearchResult & Metered> {
    return this.caller.work(ROUTES.socialnetMarketplaceSearch, input, options);
  }

  /** A public page by username, id or url. */
  async socialnetPage(input: SocialnetPageInput = {}, options?: CallOptions): Promise<SocialnetPageResult & Metered> {
    return this.caller.work(ROUTES.socialnetPage, input, options);
  }

  /** A page's most recent posts. */
  async socialnetPosts(input: SocialnetPostsInput = {}, options?: CallOptions): Promise<SocialnetPostsResult & Metered> {
    return this.caller.work(ROUTES.socialnetPosts, input, options);
  }

  /** A page's photo grid. */
  async socialnetPhotos(input: SocialnetPhotosInput = {}, options?: CallOptions): Promise<SocialnetPhotosResult & Metered> {
    return this.caller.work(ROUTES.socialnetPhotos, input, options);
  }

  /** A page's reels. */
  async socialnetReels(input: SocialnetReelsInput = {}, options?: CallOptions): Promise<SocialnetReelsResult & Metered> {
    return this.caller.work(ROUTES.socialnetReels, input, options);
  }

  /** A post, photo, video or reel by permalink. */
  async socialnetPost(input: SocialnetPostInput, options?: CallOptions): Promise<SocialnetPostResult & Metered> {
    return this.caller.work(ROUTES.socialnetPost, input, options);
  }

  /** A public group by id or url. */
  async socialnetGroup(input: SocialnetGroupInput = {}, options?: CallOptions): Promise<SocialnetGroupResult & Metered> {
    return this.caller.work(ROUTES.socialnetGroup, input, options);
  }

  /** A group's most recent posts. */
  async socialnetGroupPosts(input: SocialnetGroupPostsInput = {}, options?: CallOptions): Promise<SocialnetGroupPostsResult & Metered> {
    return this.caller.work(ROUTES.socialnetGroupPosts, input, options);
  }

  /** A single ad of the ad library by its archive id, in a browser session. */
  async socialnetAdLibraryAd(input: SocialnetAdLibraryAdInput = {}, options?: CallOptions): Promise<SocialnetAdLibraryAdResult & Metered> {
    return this.caller.work(ROUTES.socialnetAdLibraryAd, input, options);
  }

  /** Advertisements of the ad library by words and filters, in a browser session. */
  async socialnetAdLibrarySearchAds(input: SocialnetAdLibrarySearchAdsInput = {}, options?: CallOptions): Promise<SocialnetAdLibrarySearchAdsResult & Metered> {
    return this.caller.work(ROUTES.socialnetAdLibrarySearchAds, input, options);
  }

  /** Every ad that one advertiser has run, in a browser session. */
  async socialnetAdLibraryCompanyAds(input: SocialnetAdLibraryCompanyAdsInput = {}, options?: CallOptions): Promise<SocialnetAdLibraryCompanyAdsResult & Metered> {
    return this.caller.work(ROUTES.socialnetAdLibraryCompanyAds, input, options);
  }

  /** A list of stories: top, new, best, ask, show or jobs. */
  async technewsFront(input: TechnewsFrontInput = {}, options?: CallOptions): Promise<TechnewsFrontResult & Metered> {
    return this.caller.work(ROUTES.technewsFront, input, options);
  }

  /** A story, comment, job or poll with the comments below it. */
  async technewsItem(input: TechnewsItemInput = {}, options?: CallOptions): Promise<TechnewsItemResult & Metered> {
    return this.caller.work(ROUTES.technewsItem, input, options);
  }

  /** A person of the forum by name or url. */
  async technewsUser(input: TechnewsUserInput = {}, options?: CallOptions): Promise<TechnewsUserResult & Metered> {
    return this.caller.work(ROUTES.technewsUser, input, options);
  }

  /** Search stories and comments. */
  async technewsSearch(input: TechnewsSearchInput = {}, options?: CallOptions): Promise<TechnewsSearchResult & Metered> {
    return this.caller.work(ROUTES.technewsSearch, input, options);
  }

  /** Search new and used cars for sale, one page of results per request. */
  async vehiclesSearch(input: VehiclesSearchInput = {}, options?: CallOptions): Promise<VehiclesSearchResult & Metered> {
    return this.caller.work(ROUTES.vehiclesSearch, input, options);
  }

  /** A vehicle for sale by id or url. */
  async vehiclesVehicle(input: VehiclesVehicleInput = {}, options?: CallOptions): Promise<VehiclesVehicleResult & Metered> {
    return this.caller.work(ROUTES.vehiclesVehicle, input, options);
  }

  /** Metadata of one video. */
  async videoVideos(input: VideoVideosInput, options?: CallOptions): Promise<VideoVideosResult & Metered> {
    return this.caller.work(ROUTES.videoVideos, input, options);
  }

  /** Search videos, channels, playlists or shorts. */
  async videoSearch(input: VideoSearchInput = {}, options?: CallOptions): Promise<VideoSearchResult & Metered> {
    return this.caller.work(ROUTES.videoSearch, input, options);
  }

  /** Subtitles of one video with their times, as plain text or as a file. */
  async videoSubtitles(input: VideoSubtitlesInput = {}, options?: CallOptions): Promise<VideoSubtitlesResult & Metered> {
    return this.caller.work(ROUTES.videoSubtitles, input, options);
  }

  /** Search videos and shorts. */
  async videoAltSearch(input: VideoAltSearchInput = {}, options?: CallOptions): Promise<VideoAltSearchResult & Metered> {
    return this.caller.work(ROUTES.videoAltSearch, input, options);
  }

  /** A channel and its videos, one page per request. */
  async videoAltChannelVideos(input: VideoAltChannelVideosInput = {}, options?: CallOptions): Promise<VideoAltChannelVideosResult & Metered> {
    return this.caller.work(ROUTES.videoAltChannelVideos, input, options);
  }

  /** One video or short by its url. */
  async videoAltVideo(input: VideoAltVideoInput = {}, options?: CallOptions): Promise<VideoAltVideoResult & Metered> {
    return this.caller.work(ROUTES.videoAltVideo, input, options);
  }

  /** All launches of a day, week, month or year, as a job. */
  launchesLeaderboardCrawl(input: LaunchesLeaderboardCrawlInput = {}, options?: RunOptions): JobRun<LaunchesLeaderboardCrawlResult & Metered, {
  /** Rank on this leaderboard; null while the site shuffles the order */
  readonly rank: number | null;
  /** Whether the leaderboard has ended */
  readonly rank_is_final: boolean;
  readonly id: string;
  readonly name: string;
  readonly tagline: string | null;
  readonly slug: string;
  readonly url: string;
  readonly product: {
    readonly id: string | null;
    readonly slug: string;
    readonly url: string;
  } | null;
  readonly upvotes: number | null;
  readonly launch_day_upvotes: number | null;
  /** Whether the site shows no counts yet */
  readonly upvotes_hidden: boolean | null;
  readonly comment_count: number | null;
  readonly topics: readonly {
    readonly name: string;
    readonly slug: string;
  }[] | null;
  readonly thumbnail_url: string | null;
  readonly launched_at: string | null;
  readonly is_featured: boolean | null;
  readonly daily_rank: number | null;
  readonly weekly_rank: number | null;
  readonly monthly_rank: number | null;
  /** Address that redirects to the site of the product */
  readonly redirect_url: string | null;
}> {
    return this.caller.run(ROUTES.launchesLeaderboardCrawl, input, options);
  }

  /** Resumes a launchesLeaderboardCrawl that was submitted before, by the id of its job. */
  resumeLaunchesLeaderboardCrawl(id: string, options?: ResumeOptions): JobRun<LaunchesLeaderboardCrawlResult & Metered, {
  /** Rank on this leaderboard; null while the site shuffles the order */
  readonly rank: number | null;
  /** Whether the leaderboard has ended */
  readonly rank_is_final: boolean;
  readonly id: string;
  readonly name: string;
  readonly tagline: string | null;
  readonly slug: string;
  readonly url: string;
  readonly product: {
    readonly id: string | null;
    readonly slug: string;
    readonly url: string;
  } | null;
  readonly upvotes: number | null;
  readonly launch_day_upvotes: number | null;
  /** Whether the site shows no counts yet */
  readonly upvotes_hidden: boolean | null;
  readonly comment_count: number | null;
  readonly topics: readonly {
    readonly name: string;
    readonly slug: string;
  }[] | null;
  readonly thumbnail_url: string | null;
  readonly launched_at: string | null;
  readonly is_featured: boolean | null;
  readonly daily_rank: number | null;
  readonly weekly_rank: number | null;
  readonly monthly_rank: number | null;
  /** Address that redirects to the site of the product */
  readonly redirect_url: string | null;
}> {
    return this.caller.resume(ROUTES.launchesLeaderboardCrawl, id, options);
  }

  /** All products that a search finds, as a job. */
  shopASearchCrawl(input: ShopASearchCrawlInput = {}, options?: RunOptions): JobRun<ShopASearchCrawlResult & Metered, {
  /** Position on its page, including ads */
  readonly position: number;
  readonly asin: string;
  readonly title: string;
  readonly url: string;
  readonly image_url: string | null;
  readonly price: number | null;
  readonly currency: string | null;
  readonly price_text: string | null;
  readonly list_price: number | null;
  readonly rating: number | null;
  readonly ratings_count: number | null;
  readonly counts_approximate: boolean;
  readonly sponsored: boolean;
  readonly badge: string | null;
  readonly is_prime: boolean | null;
  readonly delivery_text: string | null;
  readonly bought_text: string | null;
  readonly coupon_text: string | null;
}> {
    return this.caller.run(ROUTES.shopASearchCrawl, input, options);
  }

  /** Resumes a shopASearchCrawl that was submitted before, by the id of its job. */
  resumeShopASearchCrawl(id: string, options?: ResumeOptions): JobRun<ShopASearchCrawlResult & Metered, {
  /** Position on its page, including ads */
  readonly position: number;
  readonly asin: string;
  readonly title: string;
  readonly url: string;
  readonly image_url: string | null;
  readonly price: number | null;
  readonly currency: string | null;
  readonly price_text: string | null;
  readonly list_price: number | null;
  readonly rating: number | null;
  readonly ratings_count: number | null;
  readonly counts_approximate: boolean;
  readonly sponsored: boolean;
  readonly badge: string | null;
  readonly is_prime: boolean | null;
  readonly delivery_text: string | null;
  readonly bought_text: string | null;
  readonly coupon_text: string | null;
}> {
    return this.caller.resume(ROUTES.shopASearchCrawl, id, options);
  }

  /** All videos that a search finds, as a job. */
  videoSearchCrawl(input: VideoSearchCrawlInput = {}, options?: RunOptions): JobRun<VideoSearchCrawlResult & Metered, {
  readonly type: "video" | "short" | "channel" | "playlist";
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly thumbnails: readonly ({
    readonly url: string;
    readonly width: number | null;
    readonly height: number | null;
  })[];
  readonly channel: {
    readonly id: string | null;
    readonly name: string | null;
    readonly handle: string | null;
    readonly url: string | null;
    readonly verified: boolean | null;
  } | null;
  readonly duration_ms: number | null;
  readonly duration_text: string | null;
  readonly view_count: number | null;
  readonly view_count_text: string | null;
  readonly published_text: string | null;
  readonly published_at: string | null;
  readonly is_live: boolean | null;
  readonly is_upcoming: boolean | null;
  readonly badges: readonly string[];
  /** Only of a channel */
  readonly subscriber_count: number | null;
  /** Only of a channel or a playlist */
  readonly video_count: number | null;
  readonly counts_approximate: boolean;
}> {
    return this.caller.run(ROUTES.videoSearchCrawl, input, options);
  }

  /** Resumes a videoSearchCrawl that was submitted before, by the id of its job. */
  resumeVideoSearchCrawl(id: string, options?: ResumeOptions): JobRun<VideoSearchCrawlResult & Metered, {
  readonly type: "video" | "short" | "channel" | "playlist";
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly thumbnails: readonly ({
    readonly url: string;
    readonly width: number | null;
    readonly height: number | null;
  })[];
  readonly channel: {
    readonly id: string | null;
    readonly name: string | null;
    readonly handle: string | null;
    readonly url: string | null;
    readonly verified: boolean | null;
  } | null;
  readonly duration_ms: number | null;
  readonly duration_text: string | null;
  readonly view_count: number | null;
  readonly view_count_text: string | null;
  readonly published_text: string | null;
  readonly published_at: string | null;
  readonly is_live: boolean | null;
  readonly is_upcoming: boolean | null;
  readonly badges: readonly string[];
  /** Only of a channel */
  readonly subscriber_count: number | null;
  /** Only of a channel or a playlist */
  readonly video_count: number | null;
  readonly counts_approximate: boolean;
}> {
    return this.caller.resume(ROUTES.videoSearchCrawl, id, options);
  }

  /** Watch the cheapest rate of a stay, on one site or on several, as hotel-b; the first run starts immediately. */
  async createHotelBMonitor(input: CreateHotelBMonitorInput, options?: CallOptions): Promise<Monitor & Answered> {
    return this.caller.send(ROUTES.createHotelBMonitor, input, options);
  }

  /** Your monitors of hotel-b, newest first. */
  listHotelBMonitors(input: ListHotelBMonitorsRequest = {}, options?: CallOptions): List<Monitor> {
    return this.caller.list(ROUTES.listHotelBMonitors, input, options);
  }

  /** One monitor of hotel-b. */
  async getHotelBMonitor(input: GetHotelBMonitorRequest, options?: CallOptions): Promise<Monitor & Answered> {
    return this.caller.send(ROUTES.getHotelBMonitor, input, options);
  }

  /** Change a monitor of hotel-b: omitted fields keep their value, null removes, objects are merged. */
  async updateHotelBMonitor(input: UpdateHotelBMonitorRequest, options?: CallOptions): Promise<Monitor & Answered> {
    return this.caller.send(ROUTES.updateHotelBMonitor, input, options);
  }

  /** Delete a monitor of hotel-b with its history. */
  async deleteHotelBMonitor(input: DeleteHotelBMonitorRequest, options?: CallOptions): Promise<void> {
    return this.caller.send(ROUTES.deleteHotelBMonitor, input, options);
  }

  /** Run a monitor of hotel-b now and wait for it to end; waits for the active run if there is one. */
  async triggerHotelBMonitor(input: TriggerHotelBMonitorRequest, options?: CallOptions): Promise<TriggerHotelBMonitorResult & Answered> {
    return this.caller.send(ROUTES.triggerHotelBMonitor, input, options);
  }

  /** Runs of a monitor of hotel-b in the last 90 days with the observed values, newest first. */
  listHotelBRuns(input: ListHotelBRunsRequest, options?: CallOptions): List<Run> {
    return this.caller.list(ROUTES.listHotelBRuns, input, options);
  }

  /** The latest run of a monitor of hotel-b, in any state. */
  async getLatestHotelBRun(input: GetLatestHotelBRunRequest, options?: CallOptions): Promise<Run & Answered> {
    return this.caller.send(ROUTES.getLatestHotelBRun, input, options);
  }

  /** Changes found by a monitor of hotel-b in the last 90 days, newest first. */
  listHotelBChanges(input: ListHotelBChangesRequest, options?: CallOptions): List<HotelChange> {
    return this.caller.list(ROUTES.listHotelBChanges, input, options);
  }

  /** The latest change found by a monitor of hotel-b. */
  async getLatestHotelBChange(input: GetLatestHotelBChangeRequest, options?: CallOptions): Promise<HotelChange & Answered> {
    return this.caller.send(ROUTES.getLatestHotelBChange, input, options);
  }

  /** Watch the cheapest rate of a stay, on one site or on several, as hotel-a; the first run starts immediately. */
  async createHotelAMonitor(input: CreateHotelAMonitorInput, options?: CallOptions): Promise<Monitor & Answered> {
    return this.caller.send(ROUTES.createHotelAMonitor, input, options);
  }

  /** Your monitors of hotel-a, newest first. */
  listHotelAMonitors(input: ListHotelAMonitorsRequest = {}, options?: CallOptions): List<Monitor> {
    return this.caller.list(ROUTES.listHotelAMonitors, input, options);
  }

  /** One monitor of hotel-a. */
  async getHotelAMonitor(input: GetHotelAMonitorRequest, options?: CallOptions): Promise<Monitor & Answered> {
    return this.caller.send(ROUTES.getHotelAMonitor, input, options);
  }

  /** Change a monitor of hotel-a: omitted fields keep their value, null removes, objects are merged. */
  async updateHotelAMonitor(input: UpdateHotelAMonitorRequest, options?: CallOptions): Promise<Monitor & Answered> {
    return this.caller.send(ROUTES.updateHotelAMonitor, input, options);
  }

  /** Delete a monitor of hotel-a with its history. */
  async deleteHotelAMonitor(input: DeleteHotelAMonitorRequest, options?: CallOptions): Promise<void> {
    return this.caller.send(ROUTES.deleteHotelAMonitor, input, options);
  }

  /** Run a monitor of hotel-a now and wait for it to end; waits for the active run if there is one. */
  async triggerHotelAMonitor(input: TriggerHotelAMonitorRequest, options?: CallOptions): Promise<TriggerHotelAMonitorResult & Answered> {
    return this.caller.send(ROUTES.triggerHotelAMonitor, input, options);
  }

  /** Runs of a monitor of hotel-a in the last 90 days with the observed values, newest first. */
  listHotelARuns(input: ListHotelARunsRequest, options?: CallOptions): List<Run> {
    return this.caller.list(ROUTES.listHotelARuns, input, options);
  }

  /** The latest run of a monitor of hotel-a, in any state. */
  async getLatestHotelARun(input: GetLatestHotelARunRequest, options?: CallOptions): Promise<Run & Answered> {
    return this.caller.send(ROUTES.getLatestHotelARun, input, options);
  }

  /** Changes found by a monitor of hotel-a in the last 90 days, newest first. */
  listHotelAChanges(input: ListHotelAChangesRequest, options?: CallOptions): List<HotelChange> {
    return this.caller.list(ROUTES.listHotelAChanges, input, options);
  }

  /** The latest change found by a monitor of hotel-a. */
  async getLatestHotelAChange(input: GetLatestHotelAChangeRequest, options?: CallOptions): Promise<HotelChange & Answered> {
    return this.caller.send(ROUTES.getLatestHotelAChange, input, options);
  }

  /** Watch the upvotes of a product, as launches; the first run starts immediately. */
  async createLaunchMonitor(input: CreateLaunchMonitorInput = {}, options?: CallOptions): Promise<Monitor & Answered> {
    return this.caller.send(ROUTES.createLaunchMonitor, input, options);
  }

  /** Your monitors of launches, newest first. */
  listLaunchMonitors(input: ListLaunchMonitorsRequest = {}, options?: CallOptions): List<Monitor> {
    return this.caller.list(ROUTES.listLaunchMonitors, input, options);
  }

  /** One monitor of launches. */
  async getLaunchMonitor(input: GetLaunchMonitorRequest, options?: CallOptions): Promise<Monitor & Answered> {
    return this.caller.send(ROUTES.getLaunchMonitor, input, options);
  }

  /** Change a monitor of launches: omitted fields keep their value, null removes, objects are merged. */
  async updateLaunchMonitor(input: UpdateLaunchMonitorRequest, options?: CallOptions): Promise<Monitor & Answered> {
    return this.caller.send(ROUTES.updateLaunchMonitor, input, options);
  }

  /** Delete a monitor of launches with its history. */
  async deleteLaunchMonitor(input: DeleteLaunchMonitorRequest, options?: CallOptions): Promise<void> {
    return this.caller.send(ROUTES.deleteLaunchMonitor, input, options);
  }

  /** Run a monitor of launches now, in addition to its schedule; returns the active run if there is one. */
  async triggerLaunchMonitor(input: TriggerLaunchMonitorRequest, options?: CallOptions): Promise<TriggerLaunchMonitorResult & Answered> {
    return this.caller.send(ROUTES.triggerLaunchMonitor, input, options);
  }

  /** Runs of a monitor of launches in the last 90 days with the observed values, newest first. */
  listLaunchRuns(input: ListLaunchRunsRequest, options?: CallOptions): List<Run> {
    return this.caller.list(ROUTES.listLaunchRuns, input, options);
  }

  /** The latest run of a monitor of launches, in any state. */
  async getLatestLaunchRun(input: GetLatestLaunchRunRequest, options?: CallOptions): Promise<Run & Answered> {
    return this.caller.send(ROUTES.getLatestLaunchRun, input, options);
  }

  /** Changes found by a monitor of launches in the last 90 days, newest first. */
  listLaunchChanges(input: ListLaunchChangesRequest, options?: CallOptions): List<Change> {
    return this.caller.list(ROUTES.listLaunchChanges, input, options);
  }

  /** The latest change found by a monitor of launches. */
  async getLatestLaunchChange(input: GetLatestLaunchChangeRequest, options?: CallOptions): Promise<Change & Answered> {
    return this.caller.send(ROUTES.getLatestLaunchChange, input, options);
  }
}
