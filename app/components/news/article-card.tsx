import type { ReactNode } from 'react';
import { ArticleGallery } from './article-gallery';
import { ArticleHeader } from './article-header';
import type { ArticleView } from './article-view';

/** An article as readers see it. `children`: shown below its text and gallery. */
export function ArticleCard({ article, children }: { article: ArticleView; children?: ReactNode }) {
  return (
    <article className="mt-3 rounded-card border border-line bg-surface p-5 shadow-card sm:p-10">
      <ArticleHeader article={article} />
      <div className="article-body article-page mt-7" dangerouslySetInnerHTML={{ __html: article.html }} />
      <ArticleGallery items={article.gallery} />
      {children}
    </article>
  );
}
