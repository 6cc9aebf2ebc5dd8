import { z } from 'zod';
import type { JsonObject } from '#extract/values/json-object.ts';

/** Codes of warnings that mark a page as another kind of page than the content of its address. */
const PAGE_KINDS = ['login_page', 'login_form', 'refusal_page'] as const;

type WarnedKind = (typeof PAGE_KINDS)[number];

const Warned = z.object({ warnings: z.array(z.object({ code: z.string(), message: z.string() })) });

/** The kinds of page that the answer of a fetch warns of, with what it says. */
export function pageKindsIn(body: JsonObject): readonly { readonly kind: WarnedKind; readonly message: string }[] {
  const warnings = Warned.safeParse(body).data?.warnings ?? [];
  return PAGE_KINDS.flatMap((kind) => {
    const warning = warnings.find(({ code }) => code === kind);
    return warning === undefined ? [] : [{ kind, message: warning.message }];
  });
}
