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

/** Checks one setting. Throws `Invalid`: an unknown key, or a value against the rule (field `setting_value`). */
function parseSetting(key: string, value: string): MonitorSettingRow {
  if (!Object.hasOwn(SETTING_RULES, key)) {
    throw new DomainError('Invalid', {
      code: 'unknown_setting',
      message: `There is no monitor setting called ${key}. Known are ${MONITOR_SETTING_KEYS.join(', ')}.`,
      fieldErrors: { setting_key: ['There is no such setting.'] },
    });
  }
  const settingKey = key as MonitorSettingKey;
  const parsed = SETTING_RULES[settingKey].safeParse(value.trim());
  if (parsed.success) return { setting_key: settingKey, setting_value: parsed.data };
  const sentence = parsed.error.issues[0]?.message ?? 'The value cannot be used.';
  throw new DomainError('Invalid', {
    code: 'invalid_setting',
    message: sentence,
    fieldErrors: { setting_value: [sentence] },
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

/**
 * Stores one setting of a watch, or one that all watches share, and writes the audit log. Throws `Invalid` for an
 * unknown key or an invalid value.
 */
export async function writeMonitorSetting(
  db: Database,
  { key, value, actor, clock, watchId = DEFAULT_WATCH_ID }: SettingsWrite & { key: string; value: string },
): Promise<MonitorSettingRow> {
  const row = parseSetting(key, value);
  await inTransaction(db, (trx) => storeSetting(trx, row, { watchId, actor, now: clock.now() }));
  return row;
}

/**
 * Stores several settings at once, as `writeMonitorSetting` does, those that differ from what applies now. Throws
 * `Invalid` with one sentence per invalid key in `fieldErrors`, and stores nothing then. Returns the changed keys.
 */
export async function writeMonitorSettings(
  db: Database,
  {
    values,
    actor,
    clock,
    watchId = DEFAULT_WATCH_ID,
  }: SettingsWrite & { values: Partial<Record<MonitorSettingKey, string>> },
): Promise<MonitorSettingKey[]> {
  const parsed: MonitorSettingRow[] = [];
  const fieldErrors: Record<string, string[]> = {};
  for (const [key, value] of Object.entries(values)) {
    try {
      parsed.push(parseSetting(key, value));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      fieldErrors[key] = [error.message];
    }
  }
  const [sentence] = Object.values(fieldErrors).flat();
  if (sentence !== undefined)
    throw new DomainError('Invalid', { code: 'invalid_setting', message: sentence, fieldErrors });
  return inTransaction(db, async (trx) => {
    const { rows } = await listMonitorSettings(trx, watchId);
    const changed = parsed.filter(
      (row) =>
        rows.find((stored) => stored.setting_key === row.setting_key)?.setting_value !== row.setting_value,
    );
    for (const row of changed) await storeSetting(trx, row, { watchId, actor, now: clock.now() });
    return changed.map((row) => row.setting_key);
  });
}
