import { repos } from './repos.ts';
import { user } from './user.ts';

export const codehostEndpoints = [repos, user];
