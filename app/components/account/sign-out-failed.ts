/** What the page says where the button was pressed. */
export const SIGN_OUT_FAILED = 'Failed to sign out';

const PARAMETER = 'sign-out';
const FAILED = 'failed';

/** Whether a page's address says that signing out has failed, as it does after a form that was sent without scripts. */
export function hasSignOutFailed(search: string): boolean {
  return new URLSearchParams(search).get(PARAMETER) === FAILED;
}

/** The same page, with an address that says so. `path`: an own path, with its search. */
export function withSignOutFailed(path: string): string {
  const [rest = '', hash] = path.split('#', 2);
  const [pathname = '', search] = rest.split('?', 2);
  const parameters = new URLSearchParams(search);
  parameters.set(PARAMETER, FAILED);
  return `${pathname}?${parameters}${hash === undefined ? '' : `#${hash}`}`;
}
