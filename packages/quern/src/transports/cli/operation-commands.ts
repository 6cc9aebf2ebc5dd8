import catalogue from './catalogue.json' with { type: 'json' };
import type { CommandSpec } from './spec.ts';

/** The commands of operations, from the list that `npm run build:commands` generates. */
export const OPERATION_COMMANDS: readonly CommandSpec[] = catalogue;
