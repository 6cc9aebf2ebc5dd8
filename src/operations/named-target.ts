import type { AdmissionFacts } from '#engine/operation.ts';
import { ServiceError } from '#kernel/errors.ts';

/** Reads an address that stands in another member than `url`; throws as `readTarget` does, with the name of `member`. */
export function readTargetAt(member: string, text: string, readTarget: AdmissionFacts['readTarget']): URL {
  try {
    return readTarget(text);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError(error.code, error.message.replace(/^url: /, `${member}: `), { cause: error });
  }
}
