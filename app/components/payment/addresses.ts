/** The addresses of the member's pages. Dialogs, tabs and the payment step are parameters of them. */
export const DASHBOARD = '/dashboard';
export const SUBSCRIPTION = '/dashboard/subscription';
export const TOKENS_TAB = `${SUBSCRIPTION}?tab=tokens`;

export const CANCEL_DIALOG = `${SUBSCRIPTION}?cancel=1`;
export const CHANGE_DIALOG = `${SUBSCRIPTION}?change=1`;
export const CONFIRM_STEP = `${SUBSCRIPTION}?confirm=1`;
/** The dialog of the dashboard in which a token package is chosen. */
export const BUY_DIALOG = `${DASHBOARD}?buy=1`;

/** The value of `change` and `buy` for a dialog in which nothing is chosen yet. */
export const NOTHING_CHOSEN = '1';

/** An address with further parameters. */
export function withParameters(address: string, parameters: Readonly<Record<string, string>>): string {
  const [path = '', search = ''] = address.split('?');
  const all = new URLSearchParams(search);
  for (const [name, value] of Object.entries(parameters)) all.set(name, value);
  return `${path}?${all}`;
}
