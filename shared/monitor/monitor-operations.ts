import { z } from 'zod';
import { DomainError } from '../errors';
import { operation, type Admin } from '../operation';
import { describeCheck } from './checks/reading/checks';
import {
  type DaemonRequestContext,
  requestCheck,
  requestJudgement,
} from './checks/requests/daemon-request.server';
import { sentSettings, writeMonitorSettings } from './monitor-settings';
import { switchMonitoring } from './start-stop';

type Context = Pick<DaemonRequestContext, 'db' | 'queues' | 'clock'>;

type Writing = Pick<Context, 'db' | 'clock'>;

const watch = z.object({ watchId: z.string() });

function switchOperation(on: boolean) {
  return operation({
    access: 'admin',
    input: watch,
    run: ({ db, queues, clock }: Context, { actor }: Admin, { watchId }) =>
      switchMonitoring({ db, queues, clock }, { on, actor, watchId }),
    sentence: ({ message }) => message,
  });
}

/** The operations of admins and the operator on the monitor of a watch. */
export const monitorOperations = {
  start: switchOperation(true),
  stop: switchOperation(false),
  check: operation({
    access: 'admin',
    limit: 'checkNow',
    input: watch,
    run: ({ db, queues, redisUrl, clock, waitMs }: DaemonRequestContext, _admin: Admin, { watchId }) =>
      requestCheck({ db, queues, redisUrl, clock, waitMs, watchId }),
    sentence: (check) =>
      check === null
        ? 'The check is taking longer than usual. Its result will appear here.'
        : describeCheck(check),
  }),
  judge: operation({
    access: 'admin',
    limit: 'judgeAgain',
    input: z.object({ checkId: z.string() }),
    async run({ db, queues, redisUrl, clock }: DaemonRequestContext, _admin: Admin, { checkId }) {
      const judgement = await requestJudgement({ db, queues, redisUrl, clock }, { checkId });
      if (judgement !== null) return judgement;
      throw new DomainError('NotFound', {
        code: 'page_not_stored',
        message: 'The page is no longer stored: pages are kept for a week.',
      });
    },
  }),
  /** Changes settings, all of them or none. */
  changeSettings: operation({
    access: 'admin',
    input: watch.extend({ settings: sentSettings }),
    run: ({ db, clock }: Writing, { actor }: Admin, { watchId, settings }) =>
      writeMonitorSettings(db, { watchId, settings, actor, clock }),
    sentence({ settings: [first, ...others], changed }) {
      if (first === undefined || changed.length === 0) return 'Nothing was changed.';
      if (others.length > 0) return 'Settings saved.';
      return `${first.setting_key} is now ${first.setting_value === '' ? '(empty)' : first.setting_value}.`;
    },
  }),
};
