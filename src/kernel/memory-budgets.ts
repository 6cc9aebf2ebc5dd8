import { openMemoryBudget, partOfMemory } from './memory-budget.ts';
import type { MemoryBudget } from './memory-budget.ts';

const MIB = 1024 * 1024;
const MOST = 256 * MIB;

/** What this process may hold of large things at once, whoever they are for. */
export type Rooms = {
  /** Pages that come or are read. */
  readonly pages: MemoryBudget;
  /** Answers that are collected, written or sent. */
  readonly answers: MemoryBudget;
};

/** The rooms of this process, by the memory that it may have. */
export function openRooms(): Rooms {
  return {
    pages: openMemoryBudget(partOfMemory(16, { least: 32 * MIB, most: MOST })),
    answers: openMemoryBudget(partOfMemory(8, { least: 64 * MIB, most: MOST })),
  };
}
