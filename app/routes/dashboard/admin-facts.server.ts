import { readBetaStats, type BetaStats } from '#shared/beta/read-beta';
import { countArticles } from '#shared/news/list-articles';
import { findLatestRelease, listReleases } from '#shared/releases/list-releases';
import { readSiteSettings, type SiteSettings } from '#shared/settings/read-settings';
import { publicTrackingSets } from '#shared/settings/tracking-sets';
import type { AdminFacts } from '~/components/dashboard/admin-overview';
import { listRoomWatches } from '#shared/monitor/watches/watches';
import { listOpenTimes } from '#shared/alerts/list-alerts';
import { describeMonitor } from '~/components/monitor/monitor-view';
import { counted } from '#shared/format';
import { readLiveMonitor } from '../site/site-state.server';
import { loadOptional } from '../../http/server/failures.server';
import { serverContext } from '../../http/server/context.server';

function describeSite({ newsEnabled, retailers }: SiteSettings): string {
  return `News section ${newsEnabled ? 'on' : 'off'}. ${counted(retailers.length, 'retailer')}.`;
}

function describeBeta({ pendingRequests }: BetaStats): string {
  return pendingRequests === 0 ? 'No pending requests.' : `${counted(pendingRequests, 'pending request')}.`;
}

function describeSlides({ heroSlides }: SiteSettings): string {
  const slides = Object.values(heroSlides);
  return `${slides.filter((on) => on).length} of ${slides.length} slide types on.`;
}

function describeTracking({ trackingSets }: SiteSettings): string {
  const sets = trackingSets.trackingSets.length;
  if (sets === 0) return 'No tracking sets yet.';
  const setsOn = publicTrackingSets(trackingSets).trackingSets.length;
  return `${setsOn} of ${counted(sets, 'set')} on. Tracking slides ${trackingSets.enabled ? 'on' : 'off'}.`;
}

/** The line and the state of the monitor: of the only watch, or of all together, an open waiting room first. */
async function readMonitorFacts(): Promise<{ line: string; pill: NonNullable<AdminFacts['monitor']> }> {
  const { db } = serverContext();
  const [watches, { status, bands, now }] = await Promise.all([
    listRoomWatches(db),
    readLiveMonitor('instant'),
  ]);
  const { state, label } = describeMonitor(status, bands, Date.parse(now));
  if (watches.length === 1)
    return {
      line: `Monitoring is ${status.scheduler.running ? 'running' : 'stopped'}.`,
      pill: { state, label },
    };
  const running = watches.filter((watch) => watch.running === 1);
  const line = `${running.length} of ${counted(watches.length, 'watch', 'watches')} running.`;
  if (running.length > 0 && !status.daemon.online)
    return { line, pill: { state: 'offline', label: 'Offline' } };
  const open = (await listOpenTimes(db)).size;
  if (open > 0) return { line, pill: { state: 'waiting_room', label: counted(open, 'waiting room') } };
  return {
    line,
    pill:
      running.length === 0
        ? { state: 'paused', label: 'Stopped' }
        : { state: 'open', label: 'No waiting room' },
  };
}

async function readReleaseFacts(): Promise<string> {
  const { db } = serverContext();
  const [all, latest] = await Promise.all([
    listReleases(db, { publishedOnly: false }),
    findLatestRelease(db),
  ]);
  if (all.length === 0) return 'No releases of the desktop app yet.';
  const drafts = all.filter(({ publishedAt }) => publishedAt === null).length;
  const now = latest === null ? 'No version to download yet.' : `Members download version ${latest.version}.`;
  return `${now} ${counted(all.length, 'release')}, ${counted(drafts, 'draft')}.`;
}

/** One current fact per admin section. A fact that cannot be read is null. */
export async function readAdminFacts(): Promise<AdminFacts> {
  const { db } = serverContext();
  const [settings, beta, articles, monitor, releases] = await Promise.all([
    loadOptional(() => readSiteSettings(db)),
    loadOptional(() => readBetaStats(db)),
    loadOptional(() => countArticles(db)),
    loadOptional(readMonitorFacts),
    loadOptional(readReleaseFacts),
  ]);
  return {
    lines: {
      '/dashboard/site-settings': settings && describeSite(settings),
      '/dashboard/beta-access': beta && describeBeta(beta),
      '/dashboard/hero-slides': settings && describeSlides(settings),
      '/dashboard/hero-tracking': settings && describeTracking(settings),
      '/dashboard/articles':
        articles &&
        `${articles.published} published, ${counted(articles.total - articles.published, 'draft')}.`,
      '/dashboard/monitor': monitor && monitor.line,
    },
    monitor: monitor && monitor.pill,
    releases,
  };
}
