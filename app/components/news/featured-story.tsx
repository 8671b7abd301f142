import { Badge } from '~/components/ui/badge';
import type { Story } from './story';
import { StoryFacts } from './story-facts';
import { StoryLink } from './story-link';
import { StoryPicture } from './story-picture';

/** The story that the first page opens with. */
export function FeaturedStory({ story }: { story: Story }) {
  return (
    <section aria-labelledby="featured-story" className="mt-8">
      <h2 id="featured-story" className="text-title">
        Featured Story
      </h2>
      <article className="group relative mt-4 grid grid-cols-1 overflow-clip rounded-card border border-line bg-surface shadow-card hover:border-soft lg:grid-cols-[1.15fr_1fr]">
        <StoryPicture picture={story.picture} sizes="(min-width: 64rem) 600px, calc(100vw - 40px)" eager />
        <div className="flex min-w-0 flex-col gap-3 p-5 sm:p-7">
          <p>
            <Badge>Featured</Badge>
          </p>
          <h3 className="text-title">
            <StoryLink story={story} />
          </h3>
          <p className="text-soft">{story.summary}</p>
          <StoryFacts story={story} />
        </div>
      </article>
    </section>
  );
}
