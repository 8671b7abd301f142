import { AdminSection } from '~/components/admin/admin-section';
import type { ShownWatch } from './live-watch';
import { WatchScreen, type WatchScreenData } from './watch-screen';

/** The heading of a watch's screen: "Pokemon Center UK Monitor". */
export function watchTitle({ title }: Pick<ShownWatch, 'title'>): string {
  return `${title} Monitor`;
}

/** The page of a watch: its heading and its screen. */
export function WatchPage({ screen }: { screen: WatchScreenData }) {
  return (
    <AdminSection
      heading={watchTitle(screen.watch)}
      intro="What the shop shows right now, and the controls of the monitor."
    >
      {/* A screen of its own for each watch: nothing that was typed or fetched moves to another one. */}
      <WatchScreen key={screen.watch.slug} screen={screen} />
    </AdminSection>
  );
}
