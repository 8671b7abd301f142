import type { MetaFunction } from '@remix-run/node';
import { useLoaderData, useRouteLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { toIso } from '#shared/clock';
import {
  describeHours,
  DEFAULT_MONITORING_HOURS,
  parseMonitoringHours,
} from '#shared/monitor/monitoring-hours';
import { listCheckBands, readMonitorStatus } from '#shared/monitor/read-status.server';
import { Hero } from '~/components/landing/hero';
import { META } from '~/components/landing/landing-content';
import { LandingFooter } from '~/components/landing/landing-footer';
import { LandingNav } from '~/components/landing/landing-nav';
import { Features, HowItTravels, Pricing, Roadmap, WhyJoin } from '~/components/landing/landing-sections';
import { STRIP_HOURS, type LiveMonitor } from '~/components/monitor/live-card';
import { useLiveRefresh } from '~/components/monitor/use-live-refresh';
import { useTheme } from '~/components/theme/theme-switch';
import { serverContext } from '~/http/server-context.server';
import type { loader as rootLoader } from '~/root';

export async function loader(): Promise<LiveMonitor> {
  const { db, clock } = serverContext();
  const [status, bands] = await Promise.all([
    readMonitorStatus(db, clock),
    listCheckBands(db, { hours: STRIP_HOURS, clock }),
  ]);
  const hours = parseMonitoringHours(status.window.hours) ?? DEFAULT_MONITORING_HOURS;
  return { status, bands, hoursInWords: describeHours(hours), now: toIso(clock.now()) };
}

export const meta: MetaFunction<typeof loader, { root: typeof rootLoader }> = ({ matches }) => {
  const appUrl = matches.find(({ id }) => id === 'root')?.data?.appUrl ?? '';
  return [
    { title: META.title },
    { name: 'description', content: META.description },
    { tagName: 'link', rel: 'canonical', href: `${appUrl}/` },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: PRODUCT_NAME },
    { property: 'og:locale', content: 'en_GB' },
    { property: 'og:title', content: META.title },
    { property: 'og:description', content: META.description },
    { property: 'og:url', content: `${appUrl}/` },
    { property: 'og:image', content: `${appUrl}/share.png` },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: META.imageAlt },
    { name: 'twitter:card', content: 'summary_large_image' },
  ];
};

export default function Landing() {
  const live = useLoaderData<typeof loader>();
  const theme = useTheme(useRouteLoaderData<typeof rootLoader>('root')?.theme ?? 'system');
  useLiveRefresh(live.status.scheduler.nextCheck, live.now);
  return (
    <>
      <LandingNav theme={theme} />
      <main id="content" tabIndex={-1} className="outline-none">
        <Hero live={live} />
        <HowItTravels />
        <Features />
        <WhyJoin />
        <Roadmap />
        <Pricing />
      </main>
      <LandingFooter />
    </>
  );
}
