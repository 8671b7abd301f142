import { ButtonLink } from '~/components/ui/button-link';
import { newsPath } from './page-numbers';

const WORDS = {
  missing: {
    title: 'Article Not Found',
    next: 'It may have been taken down, or the link may be mistyped. Everything we have published is on the news page.',
  },
  failed: {
    title: 'Failed to load article. Please try again later.',
    next: 'Something went wrong on our side. The other stories are on the news page.',
  },
} as const;

/** There is no article to show, and why. */
export function ArticleNotShown({ why }: { why: keyof typeof WORDS }) {
  const { title, next } = WORDS[why];
  return (
    <div className="py-12">
      <h1 className="text-heading">{title}</h1>
      <p className="mt-5 max-w-[38em] text-lead text-soft">{next}</p>
      <p className="mt-8">
        <ButtonLink href={newsPath(1)} look="primary">
          Go to the news
        </ButtonLink>
      </p>
    </div>
  );
}
