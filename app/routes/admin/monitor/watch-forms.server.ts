import type { Viewer } from '#shared/accounts/account';
import { DomainError } from '#shared/errors';
import { describeCheck } from '#shared/monitor/checks/checks';
import { requestCheck } from '#shared/monitor/checks/request-check.server';
import { switchMonitoring } from '#shared/monitor/switch-monitoring';
import type { Watch } from '#shared/monitor/watches';
import { WATCH_FAILED } from '~/components/monitor/screen/watch-texts';
import { requireAdmin } from '~/http/auth/session.server';
import { noFields, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';

async function checkNow(watchId: string, accountId: string): Promise<string> {
  const { db, queues, clock, config, limits } = serverContext();
  await limits.take([{ limit: 'checkNow', key: accountId }]);
  if (queues === null || config.redisUrl === null) {
    throw new DomainError('Unavailable', {
      code: 'check_failed',
      message: 'Failed to trigger check: no Redis is set up.',
    });
  }
  const check = await requestCheck({ db, queues, redisUrl: config.redisUrl, clock, watchId });
  return check === null
    ? 'The check takes longer than usual. Its result will show here when it ends.'
    : describeCheck(check);
}

async function switchTo(on: boolean, watchId: string, viewer: Viewer) {
  const actor = { userId: viewer.account.id };
  const { message } = await switchMonitoring(serverContext(), { on, actor, watchId });
  return { message };
}

/** The forms of the screen of a watch. `path`: the address of the screen. */
export function watchForms({ id: watchId }: Watch, path: string) {
  return pageForms(
    { path, access: requireAdmin, failed: WATCH_FAILED },
    {
      start: { schema: noFields, run: (_, { viewer }) => switchTo(true, watchId, viewer) },
      stop: { schema: noFields, run: (_, { viewer }) => switchTo(false, watchId, viewer) },
      check: {
        schema: noFields,
        run: async (_, { viewer }) => ({ message: await checkNow(watchId, viewer.account.id) }),
      },
    },
  );
}
