import { readBetaStats, type BetaStats } from '#shared/beta/read-beta';
import { countArticles } from '#shared/news/list-articles';
import { readSiteSettings, type SiteSettings } from '#shared/settings/read-settings';
import { publicTrackingSets } from '#shared/settings/tracking-sets';
import type { AdminFacts } from '~/components/admin/admin-overview';
import { describeMonitor } from '~/components/monitor/monitor-view';
import { readLiveMonitor } from '../../http/site/site-state.server';
import { loadOptional } from '../../http/server/failures.server';
import { serverContext } from '../../http/server/context.server';

function count(number: number, one: string, more: string): string {
  return number === 1 ? `1 ${one}` : `${number} ${more}`;
}

function describeSite({ newsEnabled, retailers }: SiteSettings): string {
  return `News section ${newsEnabled ? 'on' : 'off'}. ${count(retailers.length, 'retailer', 'retailers')}.`;
}

function describeBeta({ pendingRequests }: BetaStats): string {
  return pendingRequests === 0
    ? 'No pending requests.'
    : `${count(pendingRequests, 'pending request', 'pending requests')}.`;
}

function describeSlides({ heroSlides }: SiteSettings): string {
  const slides = Object.values(heroSlides);
  return `${slides.filter((on) => on).length} of ${slides.length} slide types on.`;
}

function describeTracking({ trackingSets }: SiteSettings): string {
  const sets = trackingSets.trackingSets.length;
  if (sets === 0) return 'No tracking sets yet.';
  const setsOn = publicTrackingSets(trackingSets).trackingSets.length;
  return `${setsOn} of ${count(sets, 'set', 'sets')} on. Tracking slides ${trackingSets.enabled ? 'on' : 'off'}.`;
}

/** One current fact per admin section. A fact that cannot be read is null. */
export async function readAdminFacts(): Promise<AdminFacts> {
  const { db } = serverContext();
  const [settings, beta, articles, monitor] = await Promise.all([
    loadOptional(() => readSiteSettings(db)),
    loadOptional(() => readBetaStats(db)),
    loadOptional(() => countArticles(db)),
    loadOptional(async () => {
      const { status, bands, now } = await readLiveMonitor();
      const { state, label } = describeMonitor(status, bands, Date.parse(now));
      return { running: status.scheduler.running, pill: { state, label } };
    }),
  ]);
  return {
    lines: {
      '/dashboard/site-settings': settings && describeSite(settings),
      '/dashboard/beta-access': beta && describeBeta(beta),
      '/dashboard/hero-slides': settings && describeSlides(settings),
      '/dashboard/hero-tracking': settings && describeTracking(settings),
      '/dashboard/articles':
        articles &&
        `${articles.published} published, ${count(articles.total - articles.published, 'draft', 'drafts')}.`,
      '/dashboard/monitor': monitor && `Monitoring is ${monitor.running ? 'running' : 'stopped'}.`,
    },
    monitor: monitor && monitor.pill,
  };
}
