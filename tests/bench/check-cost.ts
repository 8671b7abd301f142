import { DEFAULT_WATCH_ID } from '#shared/brand';
import { runCheck } from '../../daemon/checks/run-check';
import type { BenchFixture } from './bench-fixture';

/** The processor time of one check in the daemon's process, from fetch to commit, in milliseconds. */
export async function measureCheckCost(
  fixture: BenchFixture,
  { page, checks }: { page: string; checks: number },
): Promise<number> {
  await fixture.services.showPage(page);
  const check = async (): Promise<void> => {
    await runCheck(fixture.checker, {
      watchId: DEFAULT_WATCH_ID,
      trigger: 'manual',
      requestedAt: Number.MAX_SAFE_INTEGER,
      signal: new AbortController().signal,
    });
  };
  for (let warmUp = 0; warmUp < 20; warmUp += 1) await check();
  const before = process.cpuUsage();
  for (let count = 0; count < checks; count += 1) await check();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / checks;
}
