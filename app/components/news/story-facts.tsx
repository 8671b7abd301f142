import type { Story } from './story';

/** Who wrote it, how long it takes, and since when it stands: printed small at a card's foot. */
export function StoryFacts({ story }: { story: Story }) {
  const { author, readTime, published } = story;
  return (
    <p className="mt-auto flex flex-wrap justify-between gap-x-4 pt-3 text-small tracking-[0.02em] [overflow-wrap:anywhere] text-soft">
      <span>
        {author} · {readTime}
      </span>
      <time dateTime={published.iso}>{published.text}</time>
    </p>
  );
}
