import type { Story } from '~/components/news/story';
import { StoryCard } from '~/components/news/story-card';
import { ButtonLink } from '~/components/ui/button-link';
import { NEWS } from './landing-content';
import { Section } from './section';

export function LatestNews({ stories }: { stories: readonly Story[] }) {
  return (
    <Section id="news" title={NEWS.title}>
      <ul className="grid grid-cols-1 gap-5 md:grid-cols-3">
        {stories.map((story) => (
          <li key={story.id}>
            <StoryCard story={story} />
          </li>
        ))}
      </ul>
      <p className="mt-6">
        <ButtonLink href={NEWS.href}>{NEWS.all}</ButtonLink>
      </p>
    </Section>
  );
}
