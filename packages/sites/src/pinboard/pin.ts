import { z } from 'zod';
import { notFound, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { readPinPage } from './pin-page.ts';
import { PinInput, wantedPin } from './pin-input.ts';
import { Pin } from './pin-record.ts';
import { askResource, readResource } from './resource.ts';
import { pinboard } from './site.ts';
import { toPin } from './to-pin.ts';

const PinAnswer = z.object({ pin: Pin });

type PinSource = EndpointSource<typeof PinInput, typeof PinAnswer>;

const resource: PinSource = {
  name: 'resource',
  // What a short address stands for, its page alone tells.
  when: (site, input) => 'id' in wantedPin(input, site),
  request(input, site) {
    const wanted = wantedPin(input, site);
    const id = 'id' in wanted ? wanted.id : '';
    const options = { id, field_set_key: 'unauth_react_main_pin' };
    return askResource({ name: 'Pin', page: `/pin/${id}/`, handler: 'www/pin/[id].js', options }, site);
  },
  parse({ body }, input, site) {
    const read = readResource(body);
    if ('refusal' in read) return read.refusal;
    const pin = toPin(read.data);
    const wanted = wantedPin(input, site);
    return pin !== null && 'id' in wanted && pin.id === wanted.id ? { pin } : unusable('the pin asked for');
  },
};

const page: PinSource = {
  name: 'page',
  request(input, site) {
    const wanted = wantedPin(input, site);
    return 'id' in wanted
      ? { origin: 'web', path: `/pin/${wanted.id}/` }
      : { origin: 'short', path: `/${wanted.short}` };
  },
  parse(source, input, site) {
    const wanted = wantedPin(input, site);
    const read = readPinPage(source, 'id' in wanted ? wanted.id : null);
    if (read === 'gone') return notFound('there is no such pin');
    return read === null ? unusable('the pin asked for') : { pin: read };
  },
};

export const pinboardPin = pinboard({
  path: '/pin',
  summary: 'One pin by its url or id',
  input: PinInput,
  anyOf: ['url', 'id'],
  record: PinAnswer,
  sources: [resource, page],
  expected: ['pin.title', 'pin.image_url', 'pin.pinner', 'pin.board', 'pin.created_at'],
  canary: { url: 'https://www.pinterest.com/pin/99360735500167749/' },
});
