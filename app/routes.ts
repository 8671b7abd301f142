import { index, layout, route, type RouteConfig } from '@remix-run/route-config';

/** All paths of the site and the route file of each. */
export default [
  index('routes/site/landing.tsx'),
  route('news', 'routes/site/news.tsx'),
  route('news/feed.xml', 'routes/site/feed.ts'),
  route('news/:articleId', 'routes/site/article.tsx'),
  route('sitemap.xml', 'routes/site/sitemap.ts'),
  route('robots.txt', 'routes/site/robots.ts'),
  route('live.json', 'routes/site/live.ts'),
  route('status', 'routes/site/status.tsx'),
  route('status.json', 'routes/site/status-json.ts'),
  route('restock/:productId', 'routes/site/restock.tsx'),
  route('privacy', 'routes/site/privacy.tsx'),
  route('terms', 'routes/site/terms.tsx'),
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
  route('dashboard/subscription', 'routes/dashboard/subscription.tsx'),
  layout('routes/admin/layout.tsx', [
    route('dashboard/site-settings', 'routes/admin/site-settings.tsx'),
    route('dashboard/beta-access', 'routes/admin/beta-access.tsx'),
    route('dashboard/hero-slides', 'routes/admin/hero-slides.tsx'),
    route('dashboard/hero-tracking', 'routes/admin/hero-tracking.tsx'),
    route('dashboard/articles', 'routes/admin/articles/articles.tsx', [
      route('new', 'routes/admin/articles/new.tsx'),
      route(':id', 'routes/admin/articles/edit.tsx'),
      route(':id/delete', 'routes/admin/articles/delete.tsx'),
      route(':id/media/:mediaId/delete', 'routes/admin/articles/delete-media.tsx'),
    ]),
    route('dashboard/monitor', 'routes/admin/monitor/monitor.tsx'),
    route('dashboard/monitor/:slug', 'routes/admin/monitor/watch.tsx'),
  ]),
  route('dashboard/monitor/:slug/live.json', 'routes/admin/monitor/live.ts'),
  route('dashboard/monitor/:slug/history.json', 'routes/admin/monitor/history.ts'),

  route('healthz', 'routes/healthz.ts'),

  route('api/auth/*', 'routes/api/auth.ts'),
  route('api/news/*', 'routes/api/news.ts'),
  route('api/settings/*', 'routes/api/settings.ts'),
  route('api/pokemon-center/*', 'routes/api/monitor.ts'),
  route('api/admin/beta/*', 'routes/api/beta.ts'),
  route('api/subscriptions/*', 'routes/api/subscriptions.ts'),
  route('api/payments/*', 'routes/api/payments.ts'),
  route('api/tokens/*', 'routes/api/tokens.ts'),
  route('api/push/*', 'routes/api/push.ts'),
  route('api/webhooks/stripe', 'routes/api/stripe-webhook.ts'),
  route('api/*', 'routes/api/api.ts'),

  route('*', 'routes/site/unknown.ts'),
] satisfies RouteConfig;
