import { redirect, type ActionFunctionArgs } from '@remix-run/node';
import { asTheme } from '#shared/site/theme';
import { HttpRefusal, withTextFailures } from '~/http/server/failures.server';
import { readForm } from '~/http/forms/read-form.server';
import { safePath } from '#shared/site/paths';
import { hasSecureCookies } from '~/http/cookies/cookies.server';
import { serializeTheme } from '~/http/cookies/theme-cookie.server';

/** Only POST has an effect; a GET redirects home. */
export function loader() {
  return redirect('/');
}

/** Stores the chosen theme in a cookie and redirects to the page of the form. */
export function action({ request }: ActionFunctionArgs) {
  return withTextFailures(async () => {
    const form = await readForm(request);
    const theme = asTheme(form.get('theme'));
    if (theme === null) {
      throw new HttpRefusal({
        status: 400,
        code: 'invalid',
        message: 'Choose one of the themes: system, light or dark.',
      });
    }
    return redirect(safePath(form.get('returnTo')), {
      status: 303,
      headers: { 'Set-Cookie': await serializeTheme(theme, { secure: hasSecureCookies() }) },
    });
  });
}
