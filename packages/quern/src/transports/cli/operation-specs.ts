import catalogue from './catalogue.json' with { type: 'json' };
import type { CommandSpec } from './spec.ts';

/** The commands that ask operations, from the list that `npm run build:commands` makes of their declarations. */
export const OPERATION_COMMANDS: readonly CommandSpec[] = catalogue;
