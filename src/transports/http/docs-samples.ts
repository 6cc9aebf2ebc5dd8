import { toCurl, toJavaScript, toPython, toSampleCall } from '#console/app/samples.ts';
import type { Operation } from '#engine/call/operation.ts';
import { isJsonObject } from '#kernel/json.ts';
import { readRoute } from './route.ts';

/** The example request of an operation in the three languages; each reads the key from `QUERN_API_KEY`. */
export type Samples = { readonly curl: string; readonly javascript: string; readonly python: string };

/** Makes the samples from the operation's own example, so that they are always valid. */
export function toSamples(operation: Operation, baseUrl: string): Samples {
  const example = isJsonObject(operation.example) ? operation.example : {};
  const call = toSampleCall(readRoute(operation), example, baseUrl);
  return { curl: toCurl(call), javascript: toJavaScript(call), python: toPython(call) };
}
