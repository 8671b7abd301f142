/** The page that finds an account, for admins. */
export const ACCOUNTS_PATH = '/dashboard/accounts';

/** The page of an account. */
export function accountAddress(id: string): string {
  return `${ACCOUNTS_PATH}/${encodeURIComponent(id)}`;
}

/** The same with the dialog that asks before the account is disabled. */
export function disableAccountAddress(id: string): string {
  return `${accountAddress(id)}?disable=1`;
}
