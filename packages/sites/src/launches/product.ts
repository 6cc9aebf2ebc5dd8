import { z } from 'zod';
import { partly } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { hasToken } from './graph-api.ts';
import { askApiForProduct, readApiProduct } from './product-api.ts';
import { LaunchedInput, targetOf } from './product-input.ts';
import { readProductPage } from './product-page.ts';
import { LaunchedProduct } from './product-record.ts';
import { launches } from './site.ts';

const record = z.object({ product: LaunchedProduct });

const DESCRIBED = 'only what the page describes for search engines is there';

type LaunchedSource = EndpointSource<typeof LaunchedInput, typeof record>;

function toAnswer(read: LaunchedProduct | SiteAnswer) {
  if (!('slug' in read)) return read;
  return read.id === null && read.launches === null ? partly({ product: read }, DESCRIBED) : { product: read };
}

const page: LaunchedSource = {
  name: 'page',
  request(input, site) {
    const { kind, key } = targetOf(input, site);
    return { origin: 'web', path: `/${kind}/${encodeURIComponent(key)}` };
  },
  parse: (given, input, site) => toAnswer(readProductPage(given, input, site)),
};

const api: LaunchedSource = {
  name: 'api',
  lacks:
    'the documented interface knows launches alone: no followers, reviews, categories and other launches of the product',
  when: hasToken,
  request: askApiForProduct,
  parse: (given, input, site) => toAnswer(readApiProduct(given, input, site)),
};

export const launchedProduct = launches({
  path: '/product',
  summary: 'A product with its makers and launches',
  input: LaunchedInput,
  record,
  anyOf: ['id', 'slug', 'url'],
  aliases: { slug: ['product'] },
  sources: [page, api],
  expected: ['product.tagline', 'product.upvotes', 'product.topics', 'product.makers', 'product.launched_at'],
  canary: { slug: 'framer' },
});
