import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { changeHeroSlides } from '#shared/settings/change-hero-slides';
import type { HeroSlides } from '#shared/settings/hero-slides';
import { readSiteSettings } from '#shared/settings/read-settings';
import { publicTrackingSets } from '#shared/settings/tracking-sets';
import { AdminSection } from '~/components/admin/admin-section';
import { HeroSlideForm, shownField } from '~/components/admin/hero-slide-form';
import { SectionBody } from '~/components/admin/section-body';
import { headingOf } from '~/components/admin/sections';
import { stayWhenLost } from '~/components/forms/stay-when-lost';
import { loadOrSay } from '~/http/forms/load-optional.server';
import { answerPageForm, doneNotice } from '~/http/forms/form-answer.server';
import { readPageForm } from '~/http/forms/page-form.server';
import { serverContext } from '~/http/server/context.server';
import { requireAdmin } from '~/http/auth/session.server';
import { revalidateUnlessLost } from '~/components/forms/revalidate-unless-lost';

const PAGE = '/dashboard/hero-slides';
const HEADING = headingOf(PAGE);
const SLIDES = [
  'newsSlideEnabled',
  'discordSlideEnabled',
  'checkoutSlideEnabled',
  'trackingSetsEnabled',
] as const satisfies readonly (keyof HeroSlides)[];

const FAILED = { slides: 'Failed to update configuration' } as const;
const DONE = { saved: 'Configuration saved.' } as const;

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const { db } = serverContext();
  const loaded = await loadOrSay(request, async () => {
    const { heroSlides, trackingSets } = await readSiteSettings(db);
    return {
      slides: heroSlides,
      tracking: {
        enabled: trackingSets.enabled,
        shown: publicTrackingSets(trackingSets).trackingSets.length,
      },
    };
  });
  return { loaded, notice: doneNotice(request, DONE) };
}

/** How the slides stand in a form's fields. */
function slidesIn(field: (slide: keyof HeroSlides) => string | null | undefined): HeroSlides {
  return {
    newsSlideEnabled: field('newsSlideEnabled') === 'on',
    discordSlideEnabled: field('discordSlideEnabled') === 'on',
    checkoutSlideEnabled: field('checkoutSlideEnabled') === 'on',
    trackingSetsEnabled: field('trackingSetsEnabled') === 'on',
  };
}

/** The slides that were switched on the page: the others stay as somebody else may have left them. */
function changesIn(form: URLSearchParams): Partial<HeroSlides> {
  const shown = slidesIn((slide) => form.get(shownField(slide)));
  const wanted = slidesIn((slide) => form.get(slide));
  return Object.fromEntries(
    SLIDES.flatMap((slide) => (wanted[slide] === shown[slide] ? [] : [[slide, wanted[slide]]])),
  );
}

export async function action({ request }: ActionFunctionArgs) {
  const { account } = await requireAdmin(request);
  const form = await readPageForm(request);
  const { db, clock } = serverContext();
  return answerPageForm(request, {
    page: PAGE,
    form,
    keep: [...SLIDES, ...SLIDES.map(shownField)],
    sentences: DONE,
    forms: {
      slides: {
        failed: FAILED.slides,
        async work() {
          await changeHeroSlides(db, { changes: changesIn(form), actor: { userId: account.id }, clock });
          return 'saved';
        },
      },
    },
  });
}

export const clientAction = stayWhenLost(FAILED);

export const meta: MetaFunction = () => [{ title: `${HEADING} · ${PRODUCT_NAME}` }];

export const shouldRevalidate = revalidateUnlessLost;

export default function HeroSlideConfiguration() {
  const { loaded, notice } = useLoaderData<typeof loader>();
  const answered = useActionData<typeof action>() !== undefined;
  return (
    <AdminSection
      heading={HEADING}
      intro="The slides at the top of the landing page. If all of them are off, the slideshow is hidden."
      notice={answered ? null : notice}
    >
      <SectionBody
        loaded={loaded}
        again={PAGE}
        failed="Failed to load configuration"
        typedForm={({ values = {} }) => (
          <HeroSlideForm slides={slidesIn((field) => values[shownField(field)])} tracking={null} />
        )}
      >
        {({ slides, tracking }) => <HeroSlideForm slides={slides} tracking={tracking} />}
      </SectionBody>
    </AdminSection>
  );
}
