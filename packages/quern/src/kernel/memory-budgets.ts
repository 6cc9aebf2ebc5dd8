import { type MemoryBudget, openMemoryBudget, partOfMemory } from './memory-budget.ts';

const MIB = 1024 * 1024;
const MAX_BUDGET_BYTES = 256 * MIB;

/** The memory that this process gives to large things at once, for all callers together. */
export type MemoryBudgets = {
  /** Pages that are downloaded or read. */
  readonly pages: MemoryBudget;
  /** Answers that are collected, written or sent. */
  readonly answers: MemoryBudget;
};

/** Opens the budgets of this process, as parts of the memory that it may have. */
export function openMemoryBudgets(): MemoryBudgets {
  return {
    pages: openMemoryBudget(partOfMemory(16, { least: 32 * MIB, most: MAX_BUDGET_BYTES })),
    answers: openMemoryBudget(partOfMemory(8, { least: 64 * MIB, most: MAX_BUDGET_BYTES })),
  };
}
