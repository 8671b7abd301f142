/** The page that finds members, for admins. */
export const MEMBERS_PATH = '/dashboard/members';

/** The page of the roles on Discord, for admins. */
export const ROLES_PATH = '/dashboard/discord-roles';

/** A page of the list. `find`: the sealed text of the search; null for all members. */
export function memberListAddress({ find, page }: { find: string | null; page: number }): string {
  const parameters = new URLSearchParams({
    ...(find !== null && { find }),
    ...(page > 1 && { page: String(page) }),
  });
  return parameters.size === 0 ? MEMBERS_PATH : `${MEMBERS_PATH}?${parameters}`;
}

/** The page of a member. */
export function memberAddress(id: string): string {
  return `${MEMBERS_PATH}/${encodeURIComponent(id)}`;
}

/** The confirmation dialogs of a member's page. */
export type MemberQuestion = 'disable' | 'signOut' | 'endSession' | 'grant' | 'receipt' | 'delete';

/** The page of a member with the dialog that asks. `of`: the id of what it is about. */
export function memberQuestionAddress(id: string, ask: MemberQuestion, of?: string): string {
  return `${memberAddress(id)}?${new URLSearchParams({ ask, ...(of !== undefined && { of }) })}`;
}
