import { Link } from '@remix-run/react';
import { useState } from 'react';
import type { Article, ImageSource } from '#shared/news/article';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { LongDate } from '~/components/time/dates';
import { Badge } from '~/components/ui/badge';
import { LINK_BUTTON_CLASS } from '~/components/ui/button';
import { Switch } from '~/components/ui/fields';
import { articleAddress, deleteArticleAddress, listAddress, NEWS_OFF, publicAddress } from './articles';
import { DeleteArticleDialog } from './delete-dialogs';

/** The width of a row's thumbnail, doubled for high-density screens. */
export const THUMBNAIL_PX = 224;

export interface ListedArticle extends Pick<
  Article,
  'id' | 'title' | 'summary' | 'published' | 'featured' | 'createdAt' | 'updatedAt' | 'publishedAt'
> {
  author: string;
  thumbnail: ImageSource | null;
}

interface ArticleRowProps {
  article: ListedArticle;
  page: number;
  /** Whether the site shows articles. */
  newsOn: boolean;
}

/** An article of the list, with its switches and links. */
export function ArticleRow({ article, page, newsOn }: ArticleRowProps) {
  const { id, title, summary, author, createdAt, updatedAt, publishedAt, thumbnail } = article;
  const [deleting, setDeleting] = useState(false);
  const publish = useRowSwitch({ id, on: article.published, intents: ['publish', 'unpublish'] });
  const feature = useRowSwitch({ id, on: article.featured, intents: ['feature', 'unfeature'] });
  return (
    <li
      data-article={id}
      className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-4 gap-y-3 py-5 sm:grid-cols-[7rem_minmax(0,1fr)_auto] sm:gap-x-5"
    >
      {thumbnail === null ? (
        <span
          aria-hidden="true"
          className="aspect-[4/3] w-full rounded-control border border-dashed border-soft"
        />
      ) : (
        <img
          src={thumbnail.path}
          width={thumbnail.width}
          height={thumbnail.height}
          alt=""
          loading="lazy"
          decoding="async"
          className="aspect-[4/3] w-full rounded-control border border-line object-cover"
        />
      )}
      <div className="min-w-0">
        <h2 className="text-lead leading-tight tracking-[-0.01em]">{title}</h2>
        <p className="mt-1.5 flex flex-wrap gap-1.5">
          <Badge variant={publish.on ? 'plain' : 'planned'}>{publish.on ? 'Published' : 'Draft'}</Badge>
          {feature.on ? <Badge>Featured</Badge> : null}
        </p>
        <p className="mt-2 text-soft">{summary}</p>
        <p className="mt-1.5 text-small text-soft">
          By {author} · Created <LongDate iso={createdAt} />
          {publishedAt === null || !publish.on ? null : (
            <>
              {' '}
              · Published <LongDate iso={publishedAt} />
            </>
          )}
          {updatedAt === createdAt ? null : (
            <>
              {' '}
              · Updated <LongDate iso={updatedAt} />
            </>
          )}
        </p>
      </div>
      <div className="col-span-2 flex flex-wrap items-center gap-x-6 gap-y-1 sm:col-span-1 sm:flex-col sm:items-end">
        <RowSwitch name="Published" title={title} page={page} state={publish} />
        <RowSwitch name="Featured" title={title} page={page} state={feature} />
      </div>
      <div className="col-span-2 flex flex-wrap items-center gap-x-5 gap-y-1 sm:col-start-2">
        <Link to={articleAddress(id, page)} preventScrollReset className={LINK_BUTTON_CLASS}>
          Edit<span className="sr-only"> {title}</span>
        </Link>
        {newsOn ? (
          <Link to={publicAddress(id)} className={LINK_BUTTON_CLASS}>
            {publish.on ? 'View' : 'Preview'}
            <span className="sr-only"> {title}</span>
          </Link>
        ) : (
          <span className="text-small text-soft">{NEWS_OFF}</span>
        )}
        <Link
          to={deleteArticleAddress(id, page)}
          preventScrollReset
          onClick={(event) => {
            // With scripts the dialog opens here.
            event.preventDefault();
            setDeleting(true);
          }}
          className={LINK_BUTTON_CLASS}
        >
          Delete<span className="sr-only"> {title}</span>
        </Link>
      </div>
      {[publish, feature].map(({ result, intent }) =>
        result?.ok === false ? (
          <div key={intent} className="col-span-full">
            <FormNotice result={result} />
          </div>
        ) : null,
      )}
      {deleting ? (
        <DeleteArticleDialog id={id} title={title} page={page} onClose={() => setDeleting(false)} />
      ) : null}
    </li>
  );
}

/** The state of a row's switch, with optimistic UI. */
function useRowSwitch({
  id,
  on,
  intents,
}: {
  id: string;
  on: boolean;
  /** The intents that switch it on and off. */
  intents: readonly [on: string, off: string];
}) {
  const { Form, result, pendingIntent } = useForms(intents, ({ values }) => values?.articleId === id);
  const shown = pendingIntent === null ? on : pendingIntent === intents[0];
  return {
    Form,
    id,
    on: shown,
    /** The intent of the next press. */
    intent: intents[shown ? 1 : 0],
    result,
  };
}

interface RowSwitchProps {
  name: string;
  title: string;
  page: number;
  state: ReturnType<typeof useRowSwitch>;
}

function RowSwitch({ name, title, page, state: { Form, id, on, intent } }: RowSwitchProps) {
  return (
    <Form method="post" action={listAddress(page)} className="flex items-center gap-2.5">
      <input type="hidden" name="articleId" value={id} />
      <span aria-hidden="true" className="text-small font-semibold">
        {name}
      </span>
      <Switch label={`${name}: ${title}`} on={on} name="intent" value={intent} />
    </Form>
  );
}
