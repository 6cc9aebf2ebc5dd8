import type { Operation } from '#engine/operation.ts';
import { artifact } from './artifacts.ts';
import { capabilities } from './capabilities.ts';
import { crawl } from './crawl.ts';
import { delivery, jobDeliveries, monitorDeliveries, redeliver, rotateSecret, testWebhook } from './deliveries.ts';
import { fetchPage } from './fetch.ts';
import { cancelJob, jobEvents, jobResult, jobs, showJob, submitJob } from './jobs.ts';
import { interact } from './interact.ts';
import { map } from './map.ts';
import {
  createMonitor,
  deleteMonitor,
  latestChange,
  latestRun,
  listMonitors,
  monitorChanges,
  monitorRuns,
  showMonitor,
  triggerMonitor,
  updateMonitor,
} from './monitors.ts';
import { request, requests } from './requests.ts';
import { usageHistory } from './usage-history.ts';
import { usage } from './usage.ts';

/** Everything that can be asked, in the order of the docs. */
export const operations: readonly Operation[] = [
  fetchPage,
  crawl,
  map,
  interact,
  submitJob,
  jobs,
  showJob,
  jobResult,
  cancelJob,
  jobEvents,
  jobDeliveries,
  artifact,
  createMonitor,
  listMonitors,
  showMonitor,
  updateMonitor,
  deleteMonitor,
  triggerMonitor,
  monitorRuns,
  latestRun,
  monitorChanges,
  latestChange,
  monitorDeliveries,
  testWebhook,
  rotateSecret,
  delivery,
  redeliver,
  usage,
  usageHistory,
  requests,
  request,
  capabilities,
];
