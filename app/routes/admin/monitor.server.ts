import { DomainError } from '#shared/errors';
import { describeCheck } from '#shared/monitor/checks/checks';
import { requestCheck } from '#shared/monitor/checks/request-check.server';
import { startMonitoring, stopMonitoring } from '#shared/monitor/start-stop';
import { MONITOR_FAILED } from '~/components/dashboard/monitor-panel';
import { requireAdmin } from '~/http/auth/session.server';
import { noFields, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { writeOf } from './write-of.server';

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

/** The monitor's switches. */
export function monitorForms(path: string) {
  return pageForms(
    { path, access: requireAdmin, failed: MONITOR_FAILED },
    {
      start: {
        schema: noFields,
        run: (_, { viewer }) => startMonitoring(serverContext().db, writeOf(viewer)).then(noticeOf),
      },
      stop: {
        schema: noFields,
        run: (_, { viewer }) => stopMonitoring(serverContext().db, writeOf(viewer)).then(noticeOf),
      },
      check: {
        schema: noFields,
        run: async (_, { viewer }) => ({ message: await checkNow(viewer.account.id) }),
      },
    },
  );
}

function noticeOf({ message }: { message: string }) {
  return { message };
}
