import { event } from './event.ts';

export const socialnetEndpoints = [event];
