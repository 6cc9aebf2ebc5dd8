import { MAX_SELECTION_MS, SelectionTooCostly } from './nodes.ts';
import { loadLibrary, measureCpuMs } from '#extract/platform/node.ts';

/** A refused regular expression or JSONPath. The message says what to change. */
export class PatternError extends Error {}

/** A compiled RE2 regular expression: linear in the text for any pattern, and limited in time like a selection. */
type CompiledPattern = {
  /** False if the text is too long for the pattern. */
  readonly matches: (text: string) => boolean;
  /** Group 1 of each match, or the whole match if the pattern has no group, at most `limit`. */
  readonly findAll: (text: string, limit: number) => readonly string[];
  /** The text without what the pattern matches. */
  readonly remove: (text: string) => string;
};

const MAX_PATTERN_LENGTH = 1000;
/** Instructions of the compiled program. The time of a match is proportional to this times the length of the text. */
const MAX_PROGRAM_SIZE = 10_000;
/** Maximum instructions times characters. At worst twenty million take a second. */
const MAX_WORK = 20_000_000;

/** Compiles a pattern. Throws an Error that says what RE2 does not support. */
export function compilePattern(source: string): CompiledPattern {
  if (source.length > MAX_PATTERN_LENGTH)
    throw new PatternError(`a regular expression has at most ${MAX_PATTERN_LENGTH} characters`);
  const compiled = loadLibrary('re2js').RE2JS.compile(source);
  if (compiled.programSize() > MAX_PROGRAM_SIZE) throw new PatternError('the regular expression is too large');
  const group = compiled.groupCount() > 0 ? 1 : 0;

  const isWithin = (text: string): boolean => compiled.programSize() * text.length <= MAX_WORK;

  return {
    matches: (text) => isWithin(text) && compiled.matcher(text).find(),
    findAll(text, limit) {
      if (!isWithin(text)) throw new SelectionTooCostly();
      const until = measureCpuMs() + MAX_SELECTION_MS;
      const matcher = compiled.matcher(text);
      const found: string[] = [];
      while (found.length < limit && matcher.find()) {
        const value: string | null = matcher.group(group);
        if (value !== null) found.push(value);
        if (measureCpuMs() > until) throw new SelectionTooCostly();
      }
      return found;
    },
    remove: (text) => compiled.matcher(text).replaceAll(''),
  };
}

/** Checks a pattern. Returns the problem, or null. */
export function checkPattern(source: string): string | null {
  try {
    compilePattern(source);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'not a regular expression';
  }
}
