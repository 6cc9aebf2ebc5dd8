import { ServiceError } from '#kernel/errors.ts';
import { SiteError } from '#sites/framework/site.ts';

/** Runs `build` and converts a `SiteError` to a `ServiceError`. */
export function mapSiteErrors<T>(build: () => T): T {
  try {
    return build();
  } catch (error) {
    throw error instanceof SiteError ? new ServiceError(error.code, error.message, { cause: error }) : error;
  }
}
