import { product } from './product.ts';

export const shopAEndpoints = [product];
