import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadPlans, type Plan } from '#engine/identity/plans.ts';

/** Writes the built-in plans with another `starter` into a folder; returns the file. */
export async function writePlans(folder: string, starter: Partial<Plan>): Promise<string> {
  const plans = loadPlans(null);
  const file = join(folder, 'plans.json');
  const changed = { ...plans, starter: { ...plans.starter, ...starter } };
  const members = Object.entries(changed).map(([name, { name: _name, ...rest }]) => [name, rest]);
  await writeFile(file, JSON.stringify(Object.fromEntries(members)));
  return file;
}
