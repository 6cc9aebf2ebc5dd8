import { album } from './album.ts';

export const musiccatalogEndpoints = [album];
