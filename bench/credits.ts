/** CPU that one call takes in this process, in ms, over `calls` calls one after another. */
export async function cpuPerCall(calls: number, once: () => Promise<unknown>): Promise<number> {
  for (let call = 0; call < calls / 10; call++) await once();
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) await once();
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) / 1000 / calls;
}
