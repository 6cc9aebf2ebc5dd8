import { type MemoryBudget, createMemoryBudget, computeMemoryLimit } from './memory-budget.ts';

const MIB = 1024 * 1024;
const MAX_BUDGET_BYTES = 256 * MIB;

/** The memory that this process may use at once for pages and responses of all callers. */
export type MemoryBudgets = {
  /** For pages that are being downloaded or parsed. */
  readonly pages: MemoryBudget;
  /** For responses that are being collected, serialized or sent. */
  readonly answers: MemoryBudget;
};

/** Creates the budgets as fractions of the memory that this process may use. */
export function createMemoryBudgets(): MemoryBudgets {
  return {
    pages: createMemoryBudget(computeMemoryLimit(16, { least: 32 * MIB, most: MAX_BUDGET_BYTES })),
    answers: createMemoryBudget(computeMemoryLimit(8, { least: 64 * MIB, most: MAX_BUDGET_BYTES })),
  };
}
