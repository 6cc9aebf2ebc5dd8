import type { WebhookFormat } from '#features/webhooks/formats.ts';

/** The forms of events of other services that Quern sends. Their modules are loaded with the first event. */
export const COMPAT_WEBHOOK_FORMATS: readonly WebhookFormat[] = [
  {
    name: 'firecrawl',
    build: async (event) => (await import('./firecrawl-webhooks.ts')).buildFirecrawlEvent(event),
  },
];
