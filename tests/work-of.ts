/**
 * Processor time that something takes in this process, its thread pool included, in milliseconds. Unlike the time on the
 * clock it says how much work is done, however busy the machine is.
 */
export async function workOf(something: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await something();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
