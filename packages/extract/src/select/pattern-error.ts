/** A regular expression or JSONPath of a caller that is refused; the message says what to change. */
export class PatternError extends Error {}
