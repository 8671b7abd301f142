import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { SignInDialog, signInMode } from '~/components/account/sign-in-dialog';
import { Hero } from '~/components/landing/hero';
import { META } from '~/components/landing/landing-content';
import { LandingFooter } from '~/components/landing/landing-footer';
import { LandingNav } from '~/components/landing/landing-nav';
import { Features, HowItTravels, Pricing, Roadmap, WhyJoin } from '~/components/landing/landing-sections';
import { useLiveRefresh } from '~/components/monitor/use-live-refresh';
import { readLiveMonitor } from '~/http/live-monitor.server';
import { readPending } from '~/http/pending-sign-in.server';
import { serverContext } from '~/http/server-context.server';
import { findViewer } from '~/http/session.server';
import type { loader as rootLoader } from '~/root';

/** The live monitor, and what the sign-in dialog needs when the address opens it. */
export async function loader({ request }: LoaderFunctionArgs) {
  const mode = signInMode(new URL(request.url).searchParams);
  const [live, viewer, pending] = await Promise.all([
    readLiveMonitor(),
    mode === null ? null : findViewer(request),
    mode === 'verify' ? readPending(request) : null,
  ]);
  return {
    live,
    // Whoever is signed in already has nothing to sign in to.
    dialog: viewer === null ? mode : null,
    pendingEmail: pending?.email ?? null,
    discordReady: serverContext().config.discord.oauth !== null,
  };
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
  const { live, dialog, pendingEmail, discordReady } = useLoaderData<typeof loader>();
  useLiveRefresh(live.status.scheduler.nextCheck, live.now);
  return (
    <>
      <LandingNav />
      <main id="content" tabIndex={-1} className="outline-none">
        <Hero live={live} />
        <HowItTravels />
        <Features />
        <WhyJoin />
        <Roadmap />
        <Pricing />
      </main>
      <LandingFooter />
      <SignInDialog mode={dialog} email={pendingEmail} discordReady={discordReady} />
    </>
  );
}
