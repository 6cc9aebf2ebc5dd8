import { type MemoryBudget, openMemoryBudget, partOfMemory } from './memory-budget.ts';

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
export function openMemoryBudgets(): MemoryBudgets {
  return {
    pages: openMemoryBudget(partOfMemory(16, { least: 32 * MIB, most: MAX_BUDGET_BYTES })),
    answers: openMemoryBudget(partOfMemory(8, { least: 64 * MIB, most: MAX_BUDGET_BYTES })),
  };
}
