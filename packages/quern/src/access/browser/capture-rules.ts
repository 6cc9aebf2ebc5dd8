import type { CaptureRule } from '#sites/framework/request.ts';

/** The parts of a request that identify its GraphQL operation. */
export type RequestInfo = { readonly url: string; readonly postData?: string | undefined };

/** The head of a response to a script of a page. */
export type ResponseInfo = { readonly url: string; readonly status: number; readonly contentType: string };

/** Whether a response matches a rule; `operations` are the GraphQL operation names of its request. */
export function matchesRule(
  rule: CaptureRule,
  { url, contentType }: ResponseInfo,
  operations: readonly string[],
): boolean {
  const { path, contentType: type, operation } = rule;
  const own = URL.parse(url)?.pathname;
  if (own === undefined || !matchesText(path, own)) return false;
  if (type !== undefined && !type.test(contentType)) return false;
  return operation === undefined || operations.some((name) => matchesText(operation, name));
}

function matchesText(wanted: string | RegExp, text: string): boolean {
  return typeof wanted === 'string' ? wanted === text : wanted.test(text);
}

/** Where GraphQL clients put the operation name: fields of a JSON body, a form or a query string. */
const OPERATION_FIELDS = ['operationName', 'fb_api_req_friendly_name'] as const;
/** Maximum operations of a batch to read. */
const MAX_OPERATIONS = 50;

/** Lists the GraphQL operation names of a request; a batch has several. */
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
