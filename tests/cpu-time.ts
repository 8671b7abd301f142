const ROUNDS = 4;

/**
 * The minimum processor time of each task in this process, thread pool included, over several rounds, in milliseconds.
 * Unlike elapsed time it does not depend on the load of the machine.
 */
export async function leastCpuTimeOf<Name extends string>(
  tasks: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(tasks) as Name[];
  const least = Object.fromEntries(names.map((name) => [name, Infinity])) as Record<Name, number>;
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of names) least[name] = Math.min(least[name], await cpuTimeOf(tasks[name]));
  return least;
}

/** The processor time of this process for `task`, in milliseconds. */
export function cpuTimeOfCall(task: () => unknown): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The processor time of this process until `task` resolves, its thread pool included, in milliseconds. */
export async function cpuTimeOf(task: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
