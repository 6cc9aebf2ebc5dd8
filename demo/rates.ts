import { HOOK_SECRET, type Receiver } from './receiver.ts';
import { getStep, type Step } from './step.ts';

const STAY = { check_in: '2027-03-01', check_out: '2027-03-03' };

/** One stay on two hotel sites, whose prices move apart; `hotelA` is where one of them is rehearsed. */
export function rateSteps(hotelA: string, { origin, heard }: Pick<Receiver, 'origin' | 'heard'>): readonly Step[] {
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
        ...STAY,
        cron: '0 */6 * * *',
        watch: { parity_threshold: { pct: 5 }, thresholds: { 'hotel-a': { pct: 50 } } },
        webhook: { url: origin, secret: HOOK_SECRET },
      },
      expect: { status: 201, members: { kind: 'hotel_channels' } },
      show: ['id', 'current_run_id', 'estimated_credits_per_month'],
    },
    {
      ...getStep('Its first run: both sites ask the same', '/v1/hotel-b/monitors/{made}/runs/latest', [
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
      ...getStep('What quern webhooks listen got and verified: the alert', heard, ['verified', 'event']),
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
