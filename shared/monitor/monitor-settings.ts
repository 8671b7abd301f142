import { z } from 'zod';
import { writeAudit, type Actor } from '../audit/write-audit';
import { DEFAULT_WATCH_ID } from '../brand';
import { toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import {
  DEFAULT_MONITORING_HOURS,
  HOURS_RULE,
  parseMonitoringHours,
  type MonitoringHours,
} from './monitoring-hours';
import { readWatch, type Watch } from './watches/watches';

export interface MonitorSettings {
  intervalSeconds: number;
  hours: MonitoringHours;
  /** IANA name of the time zone of `hours`. */
  timeZone: string;
  /** Paid fetches per London day, of all watches together; 0 means none. */
  scrappeyDailyLimit: number;
}

/** The id of a Discord role, or empty. */
export const discordRole = z
  .string()
  .regex(/^(\d{17,20})?$/, 'A Discord role id is a number of 17 to 20 digits; leave it empty for no ping.');

/** The rule of each setting, with the message shown to people. */
const SETTING_RULES = {
  check_interval_seconds: z
    .string()
    .regex(/^\d{1,4}$/, 'The interval is a whole number of seconds from 15 to 3600.')
    .refine(
      (text) => Number(text) >= 15 && Number(text) <= 3600,
      'The interval is a whole number of seconds from 15 to 3600.',
    ),
  monitoring_hours: z.string().refine((text) => parseMonitoringHours(text) !== null, HOURS_RULE),
  scrappey_daily_limit: z.string().regex(/^\d{1,6}$/, 'The daily limit is a whole number; 0 means none.'),
  discord_role_id_instant: discordRole,
  discord_role_id_free: discordRole,
} as const;

export type MonitorSettingKey = keyof typeof SETTING_RULES;

const MONITOR_SETTING_KEYS = Object.keys(SETTING_RULES) as MonitorSettingKey[];

const DEFAULTS: Record<MonitorSettingKey, string> = {
  check_interval_seconds: '60',
  monitoring_hours: `${DEFAULT_MONITORING_HOURS.from}-${DEFAULT_MONITORING_HOURS.to}`,
  scrappey_daily_limit: '0',
  discord_role_id_instant: '',
  discord_role_id_free: '',
};

export interface MonitorSettingRow {
  setting_key: MonitorSettingKey;
  setting_value: string;
}

export interface StoredMonitorSettings {
  rows: MonitorSettingRow[];
  /** Keys whose stored value is invalid; their default applies. */
  broken: MonitorSettingKey[];
}

/** Lists every setting with its value for a watch. `broken`: keys whose invalid stored value the default replaces. */
export async function listMonitorSettings(
  db: Database,
  watchId: string = DEFAULT_WATCH_ID,
): Promise<StoredMonitorSettings> {
  const stored = await db.selectFrom('monitor_settings').select(['setting_key', 'setting_value']).execute();
  const { interval_seconds, hours } = await readWatch(db, watchId);
  const values = new Map<string, string>([
    ...stored.map((row) => [row.setting_key, row.setting_value] as const),
    ['check_interval_seconds', String(interval_seconds)],
    ['monitoring_hours', hours],
  ]);
  const broken: MonitorSettingKey[] = [];
  const rows = MONITOR_SETTING_KEYS.map((key): MonitorSettingRow => {
    const value = values.get(key);
    if (value === undefined) return { setting_key: key, setting_value: DEFAULTS[key] };
    if (SETTING_RULES[key].safeParse(value).success) return { setting_key: key, setting_value: value };
    broken.push(key);
    return { setting_key: key, setting_value: DEFAULTS[key] };
  });
  return { rows, broken };
}

export type WatchSettings = Omit<MonitorSettings, 'scrappeyDailyLimit'>;

/** The settings that a watch has for itself. An invalid stored value is replaced by the default. */
export function settingsOf(watch: Pick<Watch, 'interval_seconds' | 'hours' | 'time_zone'>): WatchSettings {
  const interval = SETTING_RULES.check_interval_seconds.safeParse(String(watch.interval_seconds));
  return {
    intervalSeconds: Number(interval.data ?? DEFAULTS.check_interval_seconds),
    hours: parseMonitoringHours(watch.hours) ?? DEFAULT_MONITORING_HOURS,
    timeZone: watch.time_zone,
  };
}

/** The settings that the checks of a watch use: its own, and those of all watches, which are read. */
export async function readMonitorSettings(db: Database, watch: Watch): Promise<MonitorSettings> {
  const stored = await db
    .selectFrom('monitor_settings')
    .select('setting_value')
    .where('setting_key', '=', 'scrappey_daily_limit')
    .executeTakeFirst();
  const limit = SETTING_RULES.scrappey_daily_limit.safeParse(stored?.setting_value);
  return { ...settingsOf(watch), scrappeyDailyLimit: Number(limit.data ?? DEFAULTS.scrappey_daily_limit) };
}

interface SettingsWrite {
  actor: Actor;
  clock: Clock;
  watchId?: string;
}

/** Throws `Invalid` for a key of no setting (field `setting_key`). */
function requireKnown(key: string): MonitorSettingKey {
  if (Object.hasOwn(SETTING_RULES, key)) return key as MonitorSettingKey;
  throw new DomainError('Invalid', {
    code: 'unknown_setting',
    message: `There is no monitor setting called ${key}. Known are ${MONITOR_SETTING_KEYS.join(', ')}.`,
    fieldErrors: { setting_key: ['There is no such setting.'] },
  });
}

async function storeSetting(
  trx: Transaction,
  row: MonitorSettingRow,
  { watchId, actor, now }: { watchId: string; actor: Actor; now: number },
): Promise<void> {
  const { setting_key, setting_value } = row;
  const updated_at = toIso(now);
  const watchChange =
    setting_key === 'check_interval_seconds'
      ? { interval_seconds: Number(setting_value) }
      : setting_key === 'monitoring_hours'
        ? { hours: setting_value }
        : null;
  if (watchChange !== null)
    await trx.updateTable('watches').set(watchChange).where('id', '=', watchId).execute();
  else
    await trx
      .insertInto('monitor_settings')
      .values({ ...row, updated_at })
      .onConflict((conflict) => conflict.column('setting_key').doUpdateSet({ setting_value, updated_at }))
      .execute();
  await writeAudit(
    trx,
    { actor, action: 'monitor.setting', subject: setting_key, details: { value: setting_value } },
    now,
  );
}

/** Settings as a caller sends them. */
export const sentSettings = z.array(z.object({ setting_key: z.string(), setting_value: z.string() }));

export interface SavedSettings {
  /** The entered value in its stored form. */
  settings: MonitorSettingRow[];
  changed: MonitorSettingKey[];
}

/**
 * Stores settings of a watch, or of all watches, where they differ from what is stored, and writes the audit log. Throws
 * `Invalid` for an unknown key, and with one sentence per invalid value in `fieldErrors`, by its key; nothing is stored then.
 */
export async function writeMonitorSettings(
  db: Database,
  {
    settings: sent,
    actor,
    clock,
    watchId = DEFAULT_WATCH_ID,
  }: SettingsWrite & { settings: z.output<typeof sentSettings> },
): Promise<SavedSettings> {
  const settings: MonitorSettingRow[] = [];
  const fieldErrors: Record<string, string[]> = {};
  for (const { setting_key: key, setting_value: value } of sent) {
    const setting_key = requireKnown(key);
    const { data, error } = SETTING_RULES[setting_key].safeParse(value.trim());
    if (data === undefined) fieldErrors[key] = [error?.issues[0]?.message ?? 'The value cannot be used.'];
    else settings.push({ setting_key, setting_value: data });
  }
  const [sentence] = Object.values(fieldErrors).flat();
  if (sentence !== undefined)
    throw new DomainError('Invalid', { code: 'invalid_setting', message: sentence, fieldErrors });
  return inTransaction(db, async (trx) => {
    const { rows, broken } = await listMonitorSettings(trx, watchId);
    const applied = new Map(rows.map((row) => [row.setting_key, row.setting_value]));
    const changed = settings.filter(
      // The default that replaces a broken value is not stored.
      ({ setting_key: key, setting_value }) => broken.includes(key) || applied.get(key) !== setting_value,
    );
    for (const row of changed) await storeSetting(trx, row, { watchId, actor, now: clock.now() });
    return { settings, changed: changed.map((row) => row.setting_key) };
  });
}
