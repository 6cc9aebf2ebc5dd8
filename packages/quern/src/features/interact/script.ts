import type { PageAction, Target } from '#access/interact/actions.ts';
import type { Extract } from '#extract/grammar.ts';
import type { Output } from '#extract/reading.ts';

/** The options of every action. */
export type ActOptions = {
  /** Time for it, ms. */
  readonly timeout_ms: number;
  /** Whether the session goes on when it fails. */
  readonly optional: boolean;
};

type Named = { readonly name: string };

/** An action that is one step of the answer. */
export type Act = ActOptions &
  (
    | Exclude<PageAction, { readonly type: 'screenshot' | 'pdf' | 'evaluate' }>
    | (Named & PageActionOf<PageAction, 'screenshot' | 'pdf' | 'evaluate'>)
    | (Named & { readonly type: 'extract'; readonly fields: Extract })
    | (Named & { readonly type: 'content'; readonly output: Output })
  );

type PageActionOf<T, K> = T extends { readonly type: K } ? T : never;

/** A loop or a condition over actions. */
export type Branch =
  | { readonly type: 'repeat'; readonly times: number; readonly actions: readonly ScriptAction[] }
  | { readonly type: 'repeat'; readonly while: Target; readonly actions: readonly ScriptAction[] }
  | {
      readonly type: 'if';
      readonly exists?: Target | undefined;
      readonly missing?: Target | undefined;
      readonly then: readonly ScriptAction[];
      readonly else?: readonly ScriptAction[] | undefined;
    };

/** A list of actions is a script. */
export type ScriptAction = Act | Branch;
