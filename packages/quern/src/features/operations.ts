import type { Operation } from '#engine/call/operation.ts';
import { showArtifact } from './jobs/operations.ts';
import { showCapabilities } from '#features/account/capabilities.ts';
import { fetchBatch } from '#features/crawl/batch-operation.ts';
import { crawl } from '#features/crawl/operation.ts';
import { listAllDeliveries, listWebhooks, redeliverAll } from '#features/webhooks/list-operations.ts';
import { showDelivery, redeliverOne } from '#features/webhooks/operations.ts';
import { generalMonitors } from '#features/monitors/monitor-sets.ts';
import {
  monitorDeliveries,
  monitorSeries,
  previewSchedule,
  rotateSecret,
  testWebhook,
} from '#features/monitors/operations.ts';
import { explain } from '#features/explain/operation.ts';
import { fetchPage } from '#features/fetch/operation.ts';
import {
  cancelJob,
  listJobDeliveries,
  showJobPage,
  showJobResult,
  listJobs,
  showJob,
  submitJob,
} from '#features/jobs/operations.ts';
import { followJob, listJobPages, showJobTree } from '#features/jobs/page-operations.ts';
import { interact } from '#features/interact/operation.ts';
import { answerEngine, assistantPrompt, chatAssistantPrompt } from '#features/search/answers/operations.ts';
import { fastSearch } from '#features/search/fast/operation.ts';
import { map } from '#features/map/operation.ts';
import {
  createKey,
  createTenantOperation,
  exportUsage,
  listAllKeys,
  listKeys,
  listPlans,
  listTenants,
  readBackup,
  refundTenant,
  revokeKey,
  rotateKey,
  runUpkeep,
  listSettings,
  showInstance,
  showQueue,
  showTenant,
  showUpkeep,
  topUpTenant,
  updateTenant,
} from '#features/admin/operations.ts';
import { deleteSession, importSession, listSessions, showSession } from '#features/sessions/operations.ts';
import { listOwnKeys, showRequest, listRequests, listUsage } from './account/operations.ts';
import { showSites } from '#features/sites/health-operation.ts';
import { showUsage } from './account/operations.ts';

/** Everything that can be asked, in the order of the docs. */
export const operations: readonly Operation[] = [
  fetchPage,
  fetchBatch,
  explain,
  crawl,
  map,
  interact,
  fastSearch,
  answerEngine,
  assistantPrompt,
  chatAssistantPrompt,
  submitJob,
  listJobs,
  showJob,
  showJobResult,
  showJobPage,
  listJobPages,
  showJobTree,
  cancelJob,
  followJob,
  listJobDeliveries,
  showArtifact,
  importSession,
  listSessions,
  showSession,
  deleteSession,
  ...Object.values(generalMonitors.operations),
  monitorSeries,
  previewSchedule,
  monitorDeliveries,
  testWebhook,
  rotateSecret,
  listWebhooks,
  listAllDeliveries,
  showDelivery,
  redeliverOne,
  redeliverAll,
  showUsage,
  listUsage,
  listRequests,
  showRequest,
  listOwnKeys,
  showCapabilities,
  listTenants,
  createTenantOperation,
  showTenant,
  updateTenant,
  topUpTenant,
  refundTenant,
  listAllKeys,
  listKeys,
  createKey,
  rotateKey,
  revokeKey,
  listPlans,
  exportUsage,
  readBackup,
  showQueue,
  showSites,
  listSettings,
  showInstance,
  showUpkeep,
  runUpkeep,
];
