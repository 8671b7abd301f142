import { redirect, type ActionFunctionArgs } from '@remix-run/node';
import { asTheme } from '~/components/theme/theme';
import { HttpRefusal, withTextFailures } from '~/http/server/failures.server';
import { readForm } from '~/http/forms/read-form.server';
import { safePath } from '~/http/forms/safe-path';
import { serverContext } from '~/http/server/context.server';
import { rememberTheme } from '~/http/cookies/theme-cookie.server';

/** Nothing to see here: the theme is chosen by a form. */
export function loader() {
  return redirect('/');
}

/** Remembers the chosen theme and goes back to the page it was chosen on. */
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
    const secure = serverContext().config.appUrl.startsWith('https:');
    return redirect(safePath(form.get('returnTo')), {
      status: 303,
      headers: { 'Set-Cookie': await rememberTheme(theme, { secure }) },
    });
  });
}
