import type { CaptureRule } from '#sites/framework/captures.ts';

/** The request for an answer, as far as it says what was asked for. */
export type RequestInfo = { readonly url: string; readonly postData?: string | undefined };

/** The head of an answer that scripts of a page got. */
export type ResponseInfo = { readonly url: string; readonly status: number; readonly contentType: string };

/** Whether an answer is one of a rule; `operations` are the names that its request asked for. */
export function fits(rule: CaptureRule, { url, contentType }: ResponseInfo, operations: readonly string[]): boolean {
  const { path, type, operation } = rule;
  const own = URL.parse(url)?.pathname;
  if (own === undefined || !matchesText(path, own)) return false;
  if (type !== undefined && !type.test(contentType)) return false;
  return operation === undefined || operations.some((name) => matchesText(operation, name));
}

function matchesText(wanted: string | RegExp, text: string): boolean {
  return typeof wanted === 'string' ? wanted === text : wanted.test(text);
}

/** Where clients of GraphQL say the name of an operation: members of a JSON body, fields of a form or of a query. */
const OPERATION_FIELDS = ['operationName', 'fb_api_req_friendly_name'] as const;
/** Of a batch only so many are read. */
const MAX_OPERATIONS = 50;

/** The names of the GraphQL operations that a request asks for; several of a batch. */
export function listOperations({ url, postData = '' }: RequestInfo): readonly string[] {
  const query = URL.parse(url)?.searchParams ?? new URLSearchParams();
  const asked = /^\s*[[{]/.test(postData)
    ? listJsonOperations(postData)
    : listFormOperations(new URLSearchParams(postData));
  return [...listFormOperations(query), ...asked];
}

function listFormOperations(fields: URLSearchParams): readonly string[] {
  return OPERATION_FIELDS.flatMap((name) => fields.get(name) ?? []);
}

function listJsonOperations(body: string): readonly string[] {
  let read: unknown;
  try {
    read = JSON.parse(body);
  } catch {
    return [];
  }
  const batch: readonly unknown[] = Array.isArray(read) ? read.slice(0, MAX_OPERATIONS) : [read];
  return batch.flatMap((one) => {
    const members = new Map<string, unknown>(typeof one === 'object' && one !== null ? Object.entries(one) : []);
    return OPERATION_FIELDS.flatMap((name) => {
      const said = members.get(name);
      return typeof said === 'string' ? [said] : [];
    });
  });
}
