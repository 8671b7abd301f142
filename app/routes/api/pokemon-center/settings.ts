import { z } from 'zod';
import { listWebhooks, WEBHOOK_SETTING } from '#shared/alerts/webhooks';
import { listMonitorSettings, writeMonitorSetting } from '#shared/monitor/monitor-settings';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const settingSchema = z.object({ setting_key: z.string(), setting_value: z.string() });
const masked = z.string().nullable().describe('Masked; null when none is set.');

const api = endpoint('/api/pokemon-center/settings', {
  GET: call({
    summary: 'The monitor’s settings in force, and which webhooks are set',
    access: 'admin',
    envelope: 'data',
    answer: z.object({
      settings: z.array(settingSchema),
      discord_webhook_url: masked,
      discord_webhook_url_free: masked,
      discord_webhook_url_admin: masked,
    }),
    async run() {
      const { db, keyring } = serverContext();
      const [{ rows }, webhooks] = await Promise.all([
        listMonitorSettings(db),
        listWebhooks({ db, keyring }),
      ]);
      const shown = new Map(webhooks.map(({ audience, webhook }) => [WEBHOOK_SETTING[audience], webhook]));
      return {
        settings: rows,
        discord_webhook_url: shown.get(WEBHOOK_SETTING.instant) ?? null,
        discord_webhook_url_free: shown.get(WEBHOOK_SETTING.free) ?? null,
        discord_webhook_url_admin: shown.get(WEBHOOK_SETTING.admin) ?? null,
      };
    },
  }),
  PUT: call({
    summary: 'Changes one of the monitor’s settings',
    access: 'admin',
    body: settingSchema,
    envelope: 'data',
    answer: settingSchema,
    run({ caller, body }) {
      const { db, clock } = serverContext();
      return writeMonitorSetting(db, {
        key: body.setting_key,
        value: body.setting_value,
        actor: { userId: caller.account.id },
        clock,
      });
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
