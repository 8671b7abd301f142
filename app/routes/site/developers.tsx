import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { DevelopersPage } from '~/components/developers/developers-page';
import { appUrlOf, pageMeta } from '~/components/site/page-meta';
import type { PageHandle } from '~/components/site/page-handle';
import { inDocument } from '~/http/server/document-html.server';

/** It ends with the footer of public pages. */
export const handle: PageHandle = { footer: 'own' };

export async function loader({ context }: LoaderFunctionArgs) {
  const { readDevelopersText } = await import('~/routes/site/developers.server');
  const { html, ...contents } = readDevelopersText();
  return { ...contents, html: inDocument(context, html) };
}

export const meta: MetaFunction = ({ matches }) =>
  pageMeta({
    title: `For developers: the API · ${PRODUCT_NAME}`,
    description: `Build on ${PRODUCT_NAME}: a guide to the API with examples that run, and every call with its input, answers and failures.`,
    path: '/developers',
    appUrl: appUrlOf(matches),
  });

export default function Developers() {
  return <DevelopersPage text={useLoaderData<typeof loader>()} />;
}
