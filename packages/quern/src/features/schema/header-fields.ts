import { z } from 'zod';

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export type HeaderRules = {
  readonly most: number;
  readonly valueChars: number;
  /** Why a header of that name, in lower case, cannot be set; null when it can. */
  readonly refuse: (name: string) => string | null;
};

/** A member that takes HTTP headers by name, each once (RFC 9110, section 5); names come out in lower case. */
export function toHeaderFields(rules: HeaderRules) {
  return z
    .record(z.string(), z.string())
    .superRefine((headers, context) => {
      const names = Object.keys(headers);
      if (names.length > rules.most) context.addIssue({ code: 'custom', message: `at most ${rules.most} headers` });
      const seen = new Set<string>();
      for (const name of names) {
        const problem = problemOf([name, headers[name] ?? ''], rules, seen);
        if (problem !== null) context.addIssue({ code: 'custom', message: problem, path: [name.slice(0, 100)] });
        seen.add(name.toLowerCase());
      }
    })
    .transform((headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    );
}

function problemOf(
  [name, value]: readonly [string, string],
  { refuse, valueChars }: HeaderRules,
  seen: ReadonlySet<string>,
): string | null {
  const lower = name.toLowerCase();
  if (!NAME.test(name)) return 'is not a header name';
  const refusal = refuse(lower);
  if (refusal !== null) return refusal;
  if (!VALUE.test(value)) return 'holds characters that a header value cannot hold';
  if (value.length > valueChars) return `is longer than ${valueChars} characters`;
  return seen.has(lower) ? 'is given twice' : null;
}
