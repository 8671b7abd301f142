import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { settingOperations } from '#shared/settings/setting-operations';
import type { HeroSlides } from '#shared/settings/setting-fields';
import { readSiteSettings } from '#shared/settings/read-settings';
import { publicTrackingSets } from '#shared/settings/tracking-sets';
import { AdminSection, SectionBody } from '~/components/admin/admin-section';
import { HeroSlideForm, shownField } from '~/components/admin/hero-slide-form';
import { headingOf } from '~/components/admin/sections';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { titled } from '~/components/site/page-title';
import { loadOptional } from '~/http/server/failures.server';
import { operationForm, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { requireAdmin } from '~/http/auth/session.server';

const PAGE = '/dashboard/hero-slides';
const HEADING = headingOf(PAGE);
const SLIDES = [
  'newsSlideEnabled',
  'discordSlideEnabled',
  'checkoutSlideEnabled',
  'trackingSetsEnabled',
] as const satisfies readonly (keyof HeroSlides)[];

const FAILED = { slides: 'Failed to update configuration' } as const;

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const { db } = serverContext();
  const loaded = await loadOptional(async () => {
    const { heroSlides, trackingSets } = await readSiteSettings(db);
    return {
      slides: heroSlides,
      tracking: {
        enabled: trackingSets.enabled,
        shown: publicTrackingSets(trackingSets).trackingSets.length,
      },
    };
  });
  return { loaded };
}

/** The slides by their state in a form. */
function slidesIn(isTicked: (slide: keyof HeroSlides) => boolean): HeroSlides {
  return Object.fromEntries(SLIDES.map((slide) => [slide, isTicked(slide)])) as unknown as HeroSlides;
}

const ticked = z.boolean().default(false);

/** Each slide's new state, and the state that the page showed. */
const slidesForm = z.object({
  newsSlideEnabled: ticked,
  discordSlideEnabled: ticked,
  checkoutSlideEnabled: ticked,
  trackingSetsEnabled: ticked,
  'shown-newsSlideEnabled': ticked,
  'shown-discordSlideEnabled': ticked,
  'shown-checkoutSlideEnabled': ticked,
  'shown-trackingSetsEnabled': ticked,
});

/** Only the slides that this form changed, so that it reverts no change of another admin. */
function changesIn(values: z.output<typeof slidesForm>): Partial<HeroSlides> {
  return Object.fromEntries(
    SLIDES.flatMap((slide) => (values[slide] === values[shownField(slide)] ? [] : [[slide, values[slide]]])),
  );
}

const forms = pageForms(
  { path: PAGE, access: requireAdmin, failed: FAILED },
  {
    slides: operationForm(settingOperations.changeHeroSlides, { schema: slidesForm, input: changesIn }),
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const meta: MetaFunction = () => titled(HEADING);

export const shouldRevalidate = revalidateUnlessOffline;

export default function HeroSlideConfiguration() {
  const { loaded } = useLoaderData<typeof loader>();
  return (
    <AdminSection
      heading={HEADING}
      intro="The slides at the top of the landing page. If all of them are off, the slideshow is hidden."
    >
      <SectionBody
        loaded={loaded}
        retryPath={PAGE}
        failed="Failed to load configuration"
        typedForm={({ values = {} }) => (
          <HeroSlideForm slides={slidesIn((slide) => values[shownField(slide)] === 'on')} tracking={null} />
        )}
      >
        {({ slides, tracking }) => <HeroSlideForm slides={slides} tracking={tracking} />}
      </SectionBody>
    </AdminSection>
  );
}
