import type { Viewer } from '#shared/accounts/account';
import { DomainError } from '#shared/errors';
import { describeCheck } from '#shared/monitor/checks/checks';
import { requestCheck } from '#shared/monitor/checks/request-check.server';
import { switchMonitoring } from '#shared/monitor/switch-monitoring';
import { MONITOR_FAILED } from '~/components/dashboard/monitor-panel';
import { requireAdmin } from '~/http/auth/session.server';
import { noFields, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';

async function checkNow(accountId: string): Promise<string> {
  const { db, queues, clock, config, limits } = serverContext();
  await limits.take([{ limit: 'checkNow', key: accountId }]);
  if (queues === null || config.redisUrl === null) {
    throw new DomainError('Unavailable', {
      code: 'check_failed',
      message: 'Failed to trigger check: no Redis is set up.',
    });
  }
  const check = await requestCheck({ db, queues, redisUrl: config.redisUrl, clock });
  return check === null
    ? 'The check takes longer than usual. Its result will show here when it ends.'
    : describeCheck(check);
}

async function switchTo(on: boolean, viewer: Viewer) {
  const { message } = await switchMonitoring(serverContext(), { on, actor: { userId: viewer.account.id } });
  return { message };
}

/** The monitor's switches. */
export function monitorForms(path: string) {
  return pageForms(
    { path, access: requireAdmin, failed: MONITOR_FAILED },
    {
      start: { schema: noFields, run: (_, { viewer }) => switchTo(true, viewer) },
      stop: { schema: noFields, run: (_, { viewer }) => switchTo(false, viewer) },
      check: {
        schema: noFields,
        run: async (_, { viewer }) => ({ message: await checkNow(viewer.account.id) }),
      },
    },
  );
}
