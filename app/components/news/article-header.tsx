import { Badge } from '~/components/ui/badge';
import type { ArticleView } from './article-view';

/** An article's title with everything that is known about it. */
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
