import { eventsOfCrawls } from '#features/crawl/events.ts';
import { eventsOfJobs } from '#features/jobs/events.ts';
import { MONITOR_EVENT_DECLARATIONS } from '#features/monitors/events.ts';
import type { EventDeclaration } from '#features/webhooks/declare-event.ts';

/** Every event that is sent to webhooks, in the order of the docs. */
export const events: readonly EventDeclaration[] = [...eventsOfJobs, ...eventsOfCrawls, ...MONITOR_EVENT_DECLARATIONS];
