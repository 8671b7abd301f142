const ROUNDS = 4;

/**
 * The least processor time that each takes in this process, its thread pool included, in milliseconds. Unlike the time on
 * the clock it says how much work is done, however busy the machine is; the least of several rounds is without what else
 * the process did meanwhile.
 */
export async function leastWorkOf<Name extends string>(
  tasks: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(tasks) as Name[];
  const least = Object.fromEntries(names.map((name) => [name, Infinity])) as Record<Name, number>;
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of names) least[name] = Math.min(least[name], await workOf(tasks[name]));
  return least;
}

async function workOf(task: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
