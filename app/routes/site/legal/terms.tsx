import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { TERMS } from '~/components/legal/legal-content';
import { LegalPage } from '~/components/legal/legal-page';
import { appUrlOf, pageMeta } from '~/components/site/page-meta';
import type { PageHandle } from '~/components/site/page-handle';

/** It ends with the footer of public pages. */
export const handle: PageHandle = { footer: 'own' };

export function loader() {
  return { text: TERMS };
}

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (data === undefined) return [];
  const { title, description } = data.text;
  return pageMeta({
    title: `${title} · ${PRODUCT_NAME}`,
    shareTitle: title,
    description,
    path: '/terms',
    appUrl: appUrlOf(matches),
  });
};

export default function Terms() {
  return <LegalPage text={useLoaderData<typeof loader>().text} />;
}
