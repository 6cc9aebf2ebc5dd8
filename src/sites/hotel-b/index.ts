import { rate } from './rate.ts';

export const hotelBEndpoints = [rate];
