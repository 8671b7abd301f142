import { z } from 'zod';
import type { Database } from '../database/schema';
import type { RoleAudience } from '../database/tables/members/member-roles';
import { parseSetting, SETTING_KEY } from '../settings/read-settings';

const ROLE_RULE = 'Please enter the id of a role, which has 17 to 20 digits, or leave it empty.';

/** The id of a role of Discord's server; empty for none. */
export const roleIdField = z
  .string()
  .trim()
  .refine((text) => text === '' || /^\d{17,20}$/.test(text), ROLE_RULE);

/** What the admins decide about roles on Discord. An empty id: the audience has no role. */
export const roleSettingsSchema = z
  .object({
    instant: roleIdField.default(''),
    free: roleIdField.default(''),
    /** Whether the sign-in asks Discord for the permission to add the member to the server (`guilds.join`). */
    joinAtSignIn: z.boolean().default(false),
  })
  .refine(({ instant, free }) => instant === '' || instant !== free, {
    path: ['free'],
    message: 'Please choose another role than the instant one.',
  });

export type RoleSettings = z.output<typeof roleSettingsSchema>;

/** The audiences that a role may be for. */
export const AUDIENCES: readonly RoleAudience[] = ['instant', 'free'];

const NO_ROLES: RoleSettings = { instant: '', free: '', joinAtSignIn: false };

/** Reads the settings; without any, no audience has a role. */
export async function readRoleSettings(db: Database): Promise<RoleSettings> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', SETTING_KEY.discordRoles)
    .executeTakeFirst();
  return parseSetting(roleSettingsSchema, row?.value, NO_ROLES);
}
