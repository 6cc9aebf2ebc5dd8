import { user } from './user.ts';

export const codehostEndpoints = [user];
