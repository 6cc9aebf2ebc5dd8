import type { JsonObject } from '#extract/values/json-object.ts';
import { signMessage } from './signing.ts';

/** An event to send. */
export type OutgoingEvent = {
  readonly id: string;
  readonly type: string;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** Time of the attempt, ms. */
  readonly at: number;
  /** The JSON object of the event in the form of Quern. */
  readonly body: string;
  /** What the webhook repeats in each event; null for nothing. */
  readonly metadata: JsonObject | null;
  /** The valid secrets, newest first; none to build the content without a signature. */
  readonly secrets: readonly string[];
};

/** The body of a request, and its headers by lower-case name, including the signature. */
export type EventContent = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** A form of events, other than that of Quern. */
export type WebhookFormat = {
  /** The value of `webhook.format`. */
  readonly name: string;
  readonly build: (event: OutgoingEvent) => Promise<EventContent>;
};

/** Builds the content of a request. `format` is null for the form of Quern, which is that of Standard Webhooks. */
export async function buildContent(format: WebhookFormat | null, event: OutgoingEvent): Promise<EventContent> {
  if (format !== null) return format.build(event);
  const { id, type, attempt, at, metadata, secrets } = event;
  const body = metadata === null ? event.body : `${event.body.slice(0, -1)},"metadata":${JSON.stringify(metadata)}}`;
  return {
    body,
    headers: {
      ...(secrets.length === 0 ? { 'webhook-id': id } : signMessage(secrets, { id, at, body })),
      'webhook-event': type,
      'webhook-attempt': String(attempt),
    },
  };
}
