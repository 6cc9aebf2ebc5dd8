import { HOOK_SECRET, type Receiver } from './receiver.ts';
import { getStep, type Step } from './step.ts';

/** A monitor of a page whose price goes up with each visit, its change, and the event of it. */
export function watchSteps(site: string, { origin, heard }: Pick<Receiver, 'origin' | 'heard'>): readonly Step[] {
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
      ...getStep('What its first run saw: what later ones are compared with', '/v1/monitors/{made}/runs/latest', [
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
      ...getStep('The bids went on, so there is a change', '/v1/monitors/{made}/changes/latest', ['changes']),
      patience: 'waits',
      expect: {
        status: 200,
        members: { 'changes.0.previous_value': 405, 'changes.0.new_value': 410, notified: true },
      },
    },
    {
      ...getStep('What the receiver of the webhook got, and that the signature is right', heard, ['verified', 'event']),
      patience: 'waits',
      expect: {
        status: 200,
        members: { verified: true, 'event.type': 'monitor.change_detected', 'event.data.changes.0.new_value': 410 },
      },
    },
  ];
}
