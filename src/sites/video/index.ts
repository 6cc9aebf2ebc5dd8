import { videos } from './videos.ts';

export const videoEndpoints = [videos];
