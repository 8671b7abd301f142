import { Badge } from '~/components/ui/badge';
import type { Story } from './story';
import { StoryFacts } from './story-facts';
import { StoryLink } from './story-link';
import { StoryPicture } from './story-picture';

/** A story as a card. */
export function StoryCard({ story }: { story: Story }) {
  return (
    <article className="group relative flex h-full flex-col overflow-clip rounded-card border border-line bg-surface shadow-card hover:border-soft">
      <StoryPicture
        picture={story.picture}
        sizes="(min-width: 64rem) 352px, (min-width: 40rem) 50vw, calc(100vw - 40px)"
      />
      <div className="flex min-w-0 flex-1 flex-col gap-2.5 p-5">
        {story.featured ? (
          <p>
            <Badge>Featured</Badge>
          </p>
        ) : null}
        <h3 className="text-lead">
          <StoryLink story={story} />
        </h3>
        <p className="text-soft">{story.summary}</p>
        <StoryFacts story={story} />
      </div>
    </article>
  );
}
