/** A state that the code rules out: a bug in the program, not in its input. */
export class InvariantError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvariantError';
  }
}
