import type { ApiModule } from './http/api/api-table.server';
import * as adminBetaApprove from './routes/api/admin/beta/approve';
import * as adminBetaApproved from './routes/api/admin/beta/approved';
import * as adminBetaPending from './routes/api/admin/beta/pending';
import * as adminBetaRevoke from './routes/api/admin/beta/revoke';
import * as adminBetaStats from './routes/api/admin/beta/stats';
import * as authBetaRequest from './routes/api/auth/beta-request';
import * as authDiscordCallback from './routes/api/auth/discord-callback';
import * as authDiscordLogin from './routes/api/auth/discord-login';
import * as authLogin from './routes/api/auth/login';
import * as authLogout from './routes/api/auth/logout';
import * as authPreferences from './routes/api/auth/preferences';
import * as authRegister from './routes/api/auth/register';
import * as authResendVerification from './routes/api/auth/resend-verification';
import * as authResetPassword from './routes/api/auth/reset-password';
import * as authSession from './routes/api/auth/session';
import * as authSessions from './routes/api/auth/sessions';
import * as authUser from './routes/api/auth/user';
import * as authVerify from './routes/api/auth/verify';
import * as newsAdminArticle from './routes/api/news/admin-article';
import * as newsAdminArticles from './routes/api/news/admin-articles';
import * as newsArticle from './routes/api/news/article';
import * as newsArticleMedia from './routes/api/news/article-media';
import * as newsArticles from './routes/api/news/articles';
import * as newsFeaturedImage from './routes/api/news/featured-image';
import * as newsMedia from './routes/api/news/media';
import * as newsToggleFeatured from './routes/api/news/toggle-featured';
import * as newsTogglePublished from './routes/api/news/toggle-published';
import * as openapi from './routes/api/openapi';
import * as pokemonCenterCheck from './routes/api/pokemon-center/check';
import * as pokemonCenterDebugLatest from './routes/api/pokemon-center/debug-latest';
import * as pokemonCenterHistory from './routes/api/pokemon-center/history';
import * as pokemonCenterMonitoringStart from './routes/api/pokemon-center/monitoring-start';
import * as pokemonCenterMonitoringStop from './routes/api/pokemon-center/monitoring-stop';
import * as pokemonCenterSettings from './routes/api/pokemon-center/settings';
import * as pokemonCenterStatus from './routes/api/pokemon-center/status';
import * as pokemonCenterWebhook from './routes/api/pokemon-center/webhook';
import * as pokemonCenterWebhookTest from './routes/api/pokemon-center/webhook-test';
import * as settingsHeroSlides from './routes/api/settings/hero-slides';
import * as settingsPublicHeroSlides from './routes/api/settings/public-hero-slides';
import * as settingsPublicNewsEnabled from './routes/api/settings/public-news-enabled';
import * as settingsPublicRetailers from './routes/api/settings/public-retailers';
import * as settingsPublicTrackingSets from './routes/api/settings/public-tracking-sets';
import * as settingsRetailers from './routes/api/settings/retailers';
import * as settingsSetting from './routes/api/settings/setting';
import * as settingsTrackingImage from './routes/api/settings/tracking-image';
import * as settingsTrackingSets from './routes/api/settings/tracking-sets';

/**
 * The whole API: every path below /api/ and the file that answers it. They are no routes of Remix, which goes through all
 * of its routes for every page; `routes/api/api.ts` finds the one that is meant.
 */
export const API_ROUTES: Readonly<Record<string, ApiModule>> = {
  'openapi.json': openapi,

  'auth/register': authRegister,
  'auth/verify': authVerify,
  'auth/resend-verification': authResendVerification,
  'auth/login': authLogin,
  'auth/discord/login': authDiscordLogin,
  'auth/discord/callback': authDiscordCallback,
  'auth/logout': authLogout,
  'auth/user': authUser,
  'auth/preferences': authPreferences,
  'auth/beta/request': authBetaRequest,
  'auth/reset-password': authResetPassword,
  'auth/sessions': authSessions,
  'auth/sessions/:id': authSession,

  'pokemon-center/status': pokemonCenterStatus,
  'pokemon-center/history': pokemonCenterHistory,
  'pokemon-center/check': pokemonCenterCheck,
  'pokemon-center/settings': pokemonCenterSettings,
  'pokemon-center/webhook': pokemonCenterWebhook,
  'pokemon-center/webhook/test': pokemonCenterWebhookTest,
  'pokemon-center/monitoring/start': pokemonCenterMonitoringStart,
  'pokemon-center/monitoring/stop': pokemonCenterMonitoringStop,
  'pokemon-center/debug/latest': pokemonCenterDebugLatest,

  'news/admin/articles/:id/media': newsArticleMedia,
  'news/admin/media/:id': newsMedia,
  news: newsArticles,
  'news/:id': newsArticle,
  'news/admin/articles': newsAdminArticles,
  'news/admin/articles/:id': newsAdminArticle,
  'news/admin/articles/:id/toggle-published': newsTogglePublished,
  'news/admin/articles/:id/toggle-featured': newsToggleFeatured,
  'news/admin/articles/:id/featured-image': newsFeaturedImage,

  'settings/tracking-sets/upload': settingsTrackingImage,
  'settings/public/news-enabled': settingsPublicNewsEnabled,
  'settings/public/retailers': settingsPublicRetailers,
  'settings/public/tracking-sets': settingsPublicTrackingSets,
  'settings/public/hero-slides': settingsPublicHeroSlides,
  'settings/retailers': settingsRetailers,
  'settings/tracking-sets': settingsTrackingSets,
  'settings/hero-slides': settingsHeroSlides,
  'settings/:key': settingsSetting,

  'admin/beta/pending': adminBetaPending,
  'admin/beta/approved': adminBetaApproved,
  'admin/beta/stats': adminBetaStats,
  'admin/beta/approve/:id': adminBetaApprove,
  'admin/beta/revoke/:id': adminBetaRevoke,
};
