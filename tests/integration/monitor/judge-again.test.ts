import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '#shared/clock';
import { requestJudgement } from '#shared/monitor/checks/requests/daemon-request.server';
import type { Judgement } from '#shared/monitor/checks/verdict';
import { applyRetention } from '#shared/monitor/retention';
import type { Daemon } from '../../../daemon/daemon';
import { createMonitorFixture, type MonitorFixture } from './monitor-fixture';

describe('judging a stored page again', () => {
  let fixture: MonitorFixture;
  let daemon: Daemon;

  beforeAll(async () => {
    fixture = await createMonitorFixture();
    daemon = await fixture.startDaemon();
  });
  afterAll(() => fixture.cleanup());

  const judge = (checkId: string) => requestJudgement(fixture, { checkId });
  const readAnalysis = async (checkId: string) =>
    JSON.parse(
      (
        await fixture.db
          .selectFrom('monitor_checks')
          .select('content_analysis')
          .where('id', '=', checkId)
          .executeTakeFirstOrThrow()
      ).content_analysis,
    ) as Judgement;

  it.each(['imperva-room', 'open', 'bot-wall', 'queueit-room', 'reset', 'empty'] as const)(
    'has the verdict and the signs of the check: %s',
    async (mode) => {
      fixture.sandbox.shop.show(mode);
      const check = await fixture.check();
      const { verdict, strength, unknownReason, reason, signs } = await readAnalysis(check.id);
      expect(await judge(check.id)).toEqual({ verdict, strength, unknownReason, reason, signs });
    },
  );

  it('applies today’s rules, and stores and sends nothing', async () => {
    fixture.sandbox.shop.show('open');
    const { id } = await fixture.check();
    const outdated: Judgement = {
      verdict: 'waiting_room',
      strength: 'strong',
      unknownReason: null,
      reason: 'An old rule.',
      signs: [],
    };
    await fixture.db
      .updateTable('monitor_checks')
      .set({ verdict: 'waiting_room', content_analysis: JSON.stringify(outdated) })
      .where('id', '=', id)
      .execute();
    const count = async () => (await fixture.db.selectFrom('monitor_checks').select('id').execute()).length;
    const before = await count();
    expect(await judge(id)).toMatchObject({ verdict: 'open' });
    expect(await readAnalysis(id)).toEqual(outdated);
    expect(await count()).toBe(before);
  });

  it('says that the page was deleted after a week, that a check is unknown, and that the daemon does not run', async () => {
    const { id } = await fixture.check();
    await applyRetention(fixture.db, fixture.clock.now() + 7 * DAY + MINUTE);
    expect(await judge(id)).toBeNull();
    await expect(judge('no-check')).rejects.toMatchObject({ kind: 'NotFound', code: 'unknown_check' });
    const { id: stored } = await fixture.check();
    await daemon.stop();
    await expect(judge(stored)).rejects.toMatchObject({
      kind: 'Unavailable',
      message: 'Failed to judge the page: the daemon is not running.',
    });
  });
});
