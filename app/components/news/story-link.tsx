import { Link } from '@remix-run/react';
import type { Story } from './story';

/** The one link of a story's card; it reaches over the whole card. */
export function StoryLink({ story }: { story: Story }) {
  return (
    <Link
      to={`/news/${story.id}`}
      prefetch="intent"
      className="no-underline after:absolute after:inset-0 after:rounded-card group-hover:text-brand"
    >
      {story.title}
    </Link>
  );
}
