import { ServiceError } from '#kernel/errors.ts';
import { SiteError } from '#sites/framework/site-error.ts';

/** Builds a request of a site; throws what the site refuses as an error of the call. */
export function buildForSite<T>(build: () => T): T {
  try {
    return build();
  } catch (error) {
    throw error instanceof SiteError ? new ServiceError(error.code, error.message, { cause: error }) : error;
  }
}
