import { Link, LINK_BUTTON_CLASS, ButtonLink } from '~/components/ui/button';
import { Badge } from '~/components/ui/badge';
import { WarningIcon } from '~/components/ui/icons';
import type { ArticleView } from './article-view';
import { newsPath } from '~/components/site/site-links';

/** Tells an admin that the article is a draft. */
export function DraftBanner({ id }: { id: string }) {
  return (
    <div className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-1 rounded-control border border-unknown bg-unknown-wash px-4 py-2.5 text-unknown">
      <WarningIcon />
      <p className="flex-1 font-semibold">This is a draft. Only admins can see it.</p>
      <Link to={`/dashboard/articles/${id}`} className={LINK_BUTTON_CLASS}>
        Edit this article
      </Link>
    </div>
  );
}

/** An article's title and metadata. */
export function ArticleHeader({ article }: { article: ArticleView }) {
  const { title, featured, excerpt, author, published, withdrawn, updated, readTime } = article;
  return (
    <header>
      {featured ? (
        <p className="mb-4">
          <Badge>Featured</Badge>
        </p>
      ) : null}
      <h1 className="text-heading">{title}</h1>
      {excerpt === null ? null : <p className="mt-4 text-lead text-soft">{excerpt}</p>}
      <ul className="mt-5 flex flex-wrap gap-x-5 gap-y-1 border-y border-line py-3 text-small [overflow-wrap:anywhere] text-soft">
        <li>
          By <span className="font-semibold text-ink">{author}</span>
        </li>
        <li>
          {published === null ? (
            withdrawn ? (
              'No longer published'
            ) : (
              'Not published yet'
            )
          ) : (
            <>
              Published <time dateTime={published.iso}>{published.text}</time>
            </>
          )}
        </li>
        {updated === null ? null : (
          <li>
            Updated <time dateTime={updated.iso}>{updated.text}</time>
          </li>
        )}
        <li>{readTime}</li>
      </ul>
    </header>
  );
}

const MESSAGES = {
  missing: {
    title: 'Article Not Found',
    next: 'It may have been taken down, or the link may be mistyped. Everything we have published is on the news page.',
  },
  failed: {
    title: 'Failed to load article. Please try again later.',
    next: 'Something went wrong on our side. The other stories are on the news page.',
  },
} as const;

/** In place of an article that does not exist or could not be loaded. */
export function ArticleNotShown({ why }: { why: keyof typeof MESSAGES }) {
  const { title, next } = MESSAGES[why];
  return (
    <div className="py-12">
      <h1 className="text-heading">{title}</h1>
      <p className="mt-5 max-w-[38em] text-lead text-soft">{next}</p>
      <p className="mt-8">
        <ButtonLink href={newsPath(1)} variant="primary">
          Go to the news
        </ButtonLink>
      </p>
    </div>
  );
}
