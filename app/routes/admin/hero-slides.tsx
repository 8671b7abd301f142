import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { changeHeroSlides } from '#shared/settings/change-hero-slides';
import type { HeroSlides } from '#shared/settings/hero-slides';
import { readSiteSettings } from '#shared/settings/read-settings';
import { publicTrackingSets } from '#shared/settings/tracking-sets';
import { AdminSection } from '~/components/admin/admin-section';
import { HeroSlideForm, shownField } from '~/components/admin/hero-slide-form';
import { LoadFailed } from '~/components/admin/load-failed';
import { stayWhenLost } from '~/components/forms/stay-when-lost';
import { loadOrSay } from '~/http/load-or-say.server';
import { answerPageForm, doneNotice } from '~/http/form-answer.server';
import { readPageForm } from '~/http/page-form.server';
import { serverContext } from '~/http/server-context.server';
import { requireAdmin } from '~/http/session.server';
import { revalidateUnlessLost } from '~/components/forms/revalidate-unless-lost';

const PAGE = '/dashboard/hero-slides';
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

/** The slides that were switched on the page: the others stay as somebody else may have left them. */
function changesIn(form: URLSearchParams): Partial<HeroSlides> {
  return Object.fromEntries(
    SLIDES.map((slide) => [slide, form.get(slide) === 'on'] as const).filter(
      ([slide, on]) => on !== (form.get(shownField(slide)) === 'on'),
    ),
  );
}

export async function action({ request }: ActionFunctionArgs) {
  const { account } = await requireAdmin(request);
  const form = await readPageForm(request);
  const { db, clock } = serverContext();
  return answerPageForm(request, {
    page: PAGE,
    form,
    keep: SLIDES,
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

export const meta: MetaFunction = () => [{ title: `Hero Slide Configuration · ${PRODUCT_NAME}` }];

export const shouldRevalidate = revalidateUnlessLost;

export default function HeroSlideConfiguration() {
  const { loaded, notice } = useLoaderData<typeof loader>();
  const answered = useActionData<typeof action>() !== undefined;
  return (
    <AdminSection
      heading="Hero Slide Configuration"
      intro="The slides at the top of the landing page. With all of them off the slideshow is not shown."
      notice={answered ? null : notice}
    >
      {loaded === null ? (
        <LoadFailed again={PAGE}>Failed to load configuration</LoadFailed>
      ) : (
        <HeroSlideForm slides={loaded.slides} tracking={loaded.tracking} />
      )}
    </AdminSection>
  );
}
