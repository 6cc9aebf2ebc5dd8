import type { CaptureRule } from '#sites/framework/captures.ts';

/** The request for an answer, as far as it says what was asked for. */
export type AskedRequest = { readonly url: string; readonly postData?: string | undefined };

/** The head of an answer that scripts of a page got. */
export type AnswerHead = { readonly url: string; readonly status: number; readonly contentType: string };

/** Whether an answer is one of a rule; `operations` are the names that its request asked for. */
export function fits(rule: CaptureRule, { url, contentType }: AnswerHead, operations: readonly string[]): boolean {
  const { path, type, operation } = rule;
  const own = URL.parse(url)?.pathname;
  if (own === undefined || !isAs(path, own)) return false;
  if (type !== undefined && !type.test(contentType)) return false;
  return operation === undefined || operations.some((name) => isAs(operation, name));
}

function isAs(wanted: string | RegExp, text: string): boolean {
  return typeof wanted === 'string' ? wanted === text : wanted.test(text);
}

/** Where clients of GraphQL say the name of an operation: members of a JSON body, fields of a form or of a query. */
const NAMES = ['operationName', 'fb_api_req_friendly_name'] as const;
/** Of a batch only so many are read. */
const MAX_OPERATIONS = 50;

/** The names of the GraphQL operations that a request asks for; several of a batch. */
export function operationsOf({ url, postData = '' }: AskedRequest): readonly string[] {
  const query = URL.parse(url)?.searchParams ?? new URLSearchParams();
  const asked = /^\s*[[{]/.test(postData) ? inJson(postData) : inForm(new URLSearchParams(postData));
  return [...inForm(query), ...asked];
}

function inForm(fields: URLSearchParams): readonly string[] {
  return NAMES.flatMap((name) => fields.get(name) ?? []);
}

function inJson(body: string): readonly string[] {
  let read: unknown;
  try {
    read = JSON.parse(body);
  } catch {
    return [];
  }
  const batch: readonly unknown[] = Array.isArray(read) ? read.slice(0, MAX_OPERATIONS) : [read];
  return batch.flatMap((one) => {
    const members = new Map<string, unknown>(typeof one === 'object' && one !== null ? Object.entries(one) : []);
    return NAMES.flatMap((name) => {
      const said = members.get(name);
      return typeof said === 'string' ? [said] : [];
    });
  });
}
