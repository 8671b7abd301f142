import { z } from 'zod';
import { DomainError } from '../errors';
import { operation, type Admin } from '../operation';
import { describeCheck } from './checks/reading/checks';
import {
  type DaemonRequestContext,
  requestCheck,
  requestJudgement,
} from './checks/requests/daemon-request.server';
import { writeMonitorSetting, writeMonitorSettings } from './monitor-settings';
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

/** What admins and the operator do with the monitor of a watch. */
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
        ? 'The check takes longer than usual. Its result will show here when it ends.'
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
  changeSetting: operation({
    access: 'admin',
    input: watch.extend({ setting_key: z.string(), setting_value: z.string() }),
    run: ({ db, clock }: Writing, { actor }: Admin, { watchId, setting_key: key, setting_value: value }) =>
      writeMonitorSetting(db, { watchId, key, value, actor, clock }),
    sentence: ({ setting_key: key, setting_value: value }) =>
      `${key} is now ${value === '' ? '(empty)' : value}.`,
  }),
  /** Changes several settings at once, or none. */
  changeSettings: operation({
    access: 'admin',
    input: watch.extend({ values: z.record(z.string(), z.string()) }),
    run: ({ db, clock }: Writing, { actor }: Admin, { watchId, values }) =>
      writeMonitorSettings(db, { watchId, values, actor, clock }),
    sentence: (changed) => (changed.length === 0 ? 'Nothing was changed.' : 'Settings saved.'),
  }),
};
