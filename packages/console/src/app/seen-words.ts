import { useRef } from 'preact/hooks';
import { textAt } from './reading.ts';

/** The words that a member of rows had since the view was opened, for a choice among them; the chosen one is one of them. */
export function useSeenWords(rows: readonly unknown[], member: string, chosen: string): readonly string[] {
  const seen = useRef(new Set<string>());
  for (const word of [chosen, ...rows.map((row) => textAt(row, member))]) if (word !== '') seen.current.add(word);
  return [...seen.current].toSorted();
}
