import { HOOK_SECRET, type WebhookReceiver } from './receiver.ts';
import { buildGetStep, type Step } from './step.ts';

/** A monitor of a page whose price rises with each visit: the change, and its webhook event. */
export function buildPriceSteps(
  site: string,
  { origin, heard }: Pick<WebhookReceiver, 'origin' | 'heard'>,
): readonly Step[] {
  const url = `${site}/shop/millstone-at-auction`;
  return [
    {
      title: 'A monitor of a price, with a webhook; its first run begins at once',
      method: 'POST',
      path: '/v1/monitors',
      body: {
        url,
        extract: { price: { selector: '.price', type: 'money' } },
        cron: '@hourly',
        webhook: { url: origin, secret: HOOK_SECRET },
      },
      expect: { status: 201, members: { active: true, 'webhook.secret_set': true } },
      show: ['id', 'current_run_id', 'next_run_at', 'estimated_credits_per_month'],
    },
    {
      ...buildGetStep('What its first run saw: what later ones are compared with', '/v1/monitors/{made}/runs/latest', [
        'trigger',
        'values',
        'usage',
      ]),
      patience: 'waits',
      expect: { status: 200, members: { status: 'completed', values: { price: 405 } } },
    },
    {
      title: 'A run now, and not in an hour',
      method: 'POST',
      path: '/v1/monitors/{made}/trigger',
      expect: { status: 202, members: { status: 'queued' } },
      show: ['run_id', 'status'],
    },
    {
      ...buildGetStep('The bids went on, so there is a change', '/v1/monitors/{made}/changes/latest', ['changes']),
      patience: 'waits',
      expect: {
        status: 200,
        members: { 'changes.0.previous_value': 405, 'changes.0.new_value': 410, notified: true },
      },
    },
    {
      ...buildGetStep('What the receiver of the webhook got, and that the signature is right', heard, [
        'verified',
        'event',
      ]),
      patience: 'waits',
      expect: {
        status: 200,
        members: { verified: true, 'event.type': 'monitor.change_detected', 'event.data.changes.0.new_value': 410 },
      },
    },
  ];
}

const STAY_DATES = { check_in: '2027-03-01', check_out: '2027-03-03' };

/** One stay on two hotel sites whose prices diverge; `hotelA` is the origin of one of the mock sites. */
export function buildHotelRateSteps(
  hotelA: string,
  { origin, heard }: Pick<WebhookReceiver, 'origin' | 'heard'>,
): readonly Step[] {
  return [
    {
      title: 'A monitor of one stay on two hotel sites, which tells when their prices are 5 % apart',
      method: 'POST',
      path: '/v1/hotel-b/monitors',
      body: {
        channels: [
          { provider: 'hotel-b', property_id: 'gb/weir-house' },
          { provider: 'hotel-a', property_id: 'https://www.agoda.com/weir-house/hotel/harrow-gb.html' },
        ],
        ...STAY_DATES,
        cron: '0 */6 * * *',
        watch: { parity_threshold: { pct: 5 }, thresholds: { 'hotel-a': { pct: 50 } } },
        webhook: { url: origin, secret: HOOK_SECRET },
      },
      expect: { status: 201, members: { kind: 'hotel_channels' } },
      show: ['id', 'current_run_id', 'estimated_credits_per_month'],
    },
    {
      ...buildGetStep('Its first run: both sites ask the same', '/v1/hotel-b/monitors/{made}/runs/latest', [
        'spread',
        'usage',
      ]),
      patience: 'waits',
      expect: { status: 200, members: { status: 'completed', 'spread.abs': 0, 'usage.credits': 30 } },
    },
    {
      title: 'One site raises its price',
      method: 'POST',
      path: `${hotelA}/rehearsal/rate`,
      body: { night: 112 },
      expect: { status: 200, members: { night: 112 } },
      show: ['night', 'currency'],
    },
    {
      title: 'A run by hand answers what it saw; either prefix does',
      method: 'POST',
      path: '/v1/hotel-a/monitors/{made}/trigger',
      patience: 'waits',
      expect: { status: 200, members: { status: 'completed', 'spread.abs': 24, changed: false } },
      show: ['run_id', 'status', 'spread'],
    },
    {
      ...buildGetStep('What quern webhooks listen got and verified: the alert', heard, ['verified', 'event']),
      patience: 'waits',
      expect: {
        status: 200,
        members: {
          verified: true,
          'event.type': 'monitor.rate_parity_alert',
          'event.data.provider_low': 'hotel-b',
          'event.data.spread': { abs: 24, pct: 12 },
        },
      },
    },
  ];
}
