/** Time of the thread that one selection may take, ms. */
export const MAX_SELECTION_MS = 1000;

/** A selection took more work than it may. */
export class SelectionTooCostly extends Error {
  constructor() {
    super('the selection takes too much work');
    this.name = 'SelectionTooCostly';
  }
}

/** Time that this thread has computed for, ms, which the work of others does not count towards. */
export function measureCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
