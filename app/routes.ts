import { index, route, type RouteConfig } from '@remix-run/route-config';

/** The whole site: every path and the file that answers it. */
export default [
  index('routes/site/landing.tsx'),
  route('theme', 'routes/site/theme.ts'),
  route('consent', 'routes/site/consent.ts'),

  route('login', 'routes/account/login.tsx'),
  route('signup', 'routes/account/signup.tsx'),
  route('logout', 'routes/account/logout.ts'),
  route('account', 'routes/account/account.tsx'),
  route('auth/discord', 'routes/account/discord-start.ts'),
  route('auth/discord/callback', 'routes/account/discord-callback.tsx'),
  route('auth/discord/success', 'routes/account/discord-success.tsx'),
  route('auth/discord/error', 'routes/account/discord-error.tsx'),

  route('dashboard', 'routes/dashboard/dashboard.tsx'),

  route('healthz', 'routes/healthz.ts'),
  route('refused', 'routes/refused.ts'),

  route('api/openapi.json', 'routes/api/openapi.ts'),

  route('api/auth/register', 'routes/api/auth/register.ts'),
  route('api/auth/verify', 'routes/api/auth/verify.ts'),
  route('api/auth/resend-verification', 'routes/api/auth/resend-verification.ts'),
  route('api/auth/login', 'routes/api/auth/login.ts'),
  route('api/auth/discord/login', 'routes/api/auth/discord-login.ts'),
  route('api/auth/discord/callback', 'routes/api/auth/discord-callback.ts'),
  route('api/auth/logout', 'routes/api/auth/logout.ts'),
  route('api/auth/user', 'routes/api/auth/user.ts'),
  route('api/auth/preferences', 'routes/api/auth/preferences.ts'),
  route('api/auth/beta/request', 'routes/api/auth/beta-request.ts'),
  route('api/auth/reset-password', 'routes/api/auth/reset-password.ts'),
  route('api/auth/sessions', 'routes/api/auth/sessions.ts'),
  route('api/auth/sessions/:id', 'routes/api/auth/session.ts'),

  route('api/pokemon-center/status', 'routes/api/pokemon-center/status.ts'),
  route('api/pokemon-center/history', 'routes/api/pokemon-center/history.ts'),
  route('api/pokemon-center/check', 'routes/api/pokemon-center/check.ts'),
  route('api/pokemon-center/settings', 'routes/api/pokemon-center/settings.ts'),
  route('api/pokemon-center/webhook', 'routes/api/pokemon-center/webhook.ts'),
  route('api/pokemon-center/webhook/test', 'routes/api/pokemon-center/webhook-test.ts'),
  route('api/pokemon-center/monitoring/start', 'routes/api/pokemon-center/monitoring-start.ts'),
  route('api/pokemon-center/monitoring/stop', 'routes/api/pokemon-center/monitoring-stop.ts'),
  route('api/pokemon-center/debug/latest', 'routes/api/pokemon-center/debug-latest.ts'),

  route('api/*', 'routes/api/unknown.ts'),

  route('*', 'routes/site/unknown.ts'),
] satisfies RouteConfig;
