import { redirect, type ActionFunctionArgs } from '@remix-run/node';
import { hasSecureCookies } from '~/http/cookies/cookies.server';
import { serializeConsent } from '~/http/cookies/consent-cookie.server';
import { HttpRefusal, withTextFailures } from '~/http/server/failures.server';
import { readForm } from '~/http/forms/read-form.server';
import { safePath } from '#shared/site/paths';

/** Only the form's POST does something here; a GET redirects home. */
export function loader() {
  return redirect('/');
}

/** Stores the choice in cookies and redirects to the page of the form. */
export function action({ request }: ActionFunctionArgs) {
  return withTextFailures(async () => {
    const form = await readForm(request);
    const choice = form.get('choice');
    if (choice !== 'all' && choice !== 'current') {
      throw new HttpRefusal({
        status: 400,
        code: 'invalid',
        message: 'Choose all cookies, or the ones that are ticked.',
      });
    }
    const allowed = (category: string) => choice === 'all' || form.get(category) === 'on';
    const cookies = serializeConsent(
      { necessary: true, analytics: allowed('analytics'), marketing: allowed('marketing') },
      { secure: hasSecureCookies() },
    );
    const headers = new Headers();
    for (const cookie of cookies) headers.append('Set-Cookie', cookie);
    return redirect(safePath(form.get('returnTo')), { status: 303, headers });
  });
}
