/** CPU time of the thread that one selection may use. */
export const MAX_SELECTION_MS = 1000;

/** A selection exceeded its limit of steps or time. */
export class SelectionTooCostly extends Error {
  constructor() {
    super('the selection takes too much work');
    this.name = 'SelectionTooCostly';
  }
}

/** CPU time that this thread has used, in ms. Other threads do not count. */
export function measureCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
