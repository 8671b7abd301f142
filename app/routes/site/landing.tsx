import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useState } from 'react';
import { signInMode } from '~/components/account/sign-in-mode';
import { revalidateUnlessOffline } from '~/components/forms/offline';
import { Hero } from '~/components/landing/hero';
import { META } from '~/components/landing/landing-content';
import { LandingNav } from '~/components/landing/landing-nav';
import {
  BackInStock,
  Features,
  FinalCall,
  HowItTravels,
  Pricing,
  Retailers,
  Roadmap,
  WhyJoin,
  LatestNews,
} from '~/components/landing/landing-sections';
import { SiteFooter } from '~/components/page/site-footer';
import { pagePart } from '~/components/lazy/page-part';
import { useLiveMonitor } from '~/components/monitor/use-refreshed';
import { appUrlOf, pageMeta } from '~/components/site/page-meta';
import { organization, webSite } from '~/components/site/structured-data';
import type { PageHandle } from '~/components/site/page-handle';
import { readLandingPage } from '~/routes/site/landing.server';
import { readPending } from '~/http/auth/pending-login.server';
import { serverContext } from '~/http/server/context.server';
import { statusAudience } from './status-audience.server';
import { nextOfRequest } from '~/http/auth/login.server';
import { findPublicViewer } from '~/http/auth/session.server';

/** The page's live parts, and what the sign-in dialog needs when the address opens it. */
export async function loader({ request }: LoaderFunctionArgs) {
  const mode = signInMode(new URL(request.url).searchParams);
  const [page, viewer, pending] = await Promise.all([
    statusAudience(request).then(readLandingPage),
    mode === null ? null : findPublicViewer(request),
    mode === 'verify' ? readPending(request) : null,
  ]);
  const next = nextOfRequest(request);
  if (viewer !== null && next !== null) throw redirect(next);
  return {
    ...page,
    dialog: viewer === null ? mode : null,
    pendingEmail: pending?.email ?? null,
    discordReady: serverContext().config.discord.oauth !== null,
  };
}

export const meta: MetaFunction = ({ matches }) => {
  const appUrl = appUrlOf(matches);
  return pageMeta({ ...META, path: '/', appUrl, about: [organization(appUrl), webSite(appUrl)] });
};

/** The dialog's forms are sent from here. */
export const shouldRevalidate = revalidateUnlessOffline;

/** It ends with the footer of public pages. */
export const handle: PageHandle = { footer: 'own' };

const loadSlideshow = () => import('~/components/landing/slideshow');
const loadDialog = () => import('~/components/account/sign-in-dialog');
const Slideshow = pagePart('slideshow', loadSlideshow, import.meta.env.SSR ? await loadSlideshow() : null);
const SignInDialog = pagePart('sign-in-dialog', loadDialog, import.meta.env.SSR ? await loadDialog() : null);

export default function Landing() {
  const {
    live: loaded,
    slides,
    stories,
    retailers,
    products,
    productsAt,
    dialog,
    pendingEmail,
    discordReady,
  } = useLoaderData<typeof loader>();
  const live = useLiveMonitor(loaded);
  // It stays after it was closed, and fades out.
  const [opened, setOpened] = useState(dialog !== null);
  if (dialog !== null && !opened) setOpened(true);
  return (
    <>
      <LandingNav />
      <main id="content" tabIndex={-1} className="outline-none">
        <Hero live={live} />
        {products.length === 0 ? null : <BackInStock products={products} nowMs={productsAt} />}
        {slides.length === 0 ? null : <Slideshow slides={slides} />}
        <HowItTravels />
        <WhyJoin />
        <Features />
        <Roadmap />
        <Pricing />
        {stories.length === 0 ? null : <LatestNews stories={stories} />}
        {retailers.length === 0 ? null : <Retailers retailers={retailers} />}
        <FinalCall />
      </main>
      <SiteFooter landing />
      {opened ? <SignInDialog mode={dialog} email={pendingEmail} discordReady={discordReady} /> : null}
    </>
  );
}
