import type { Restock } from '#shared/restock/describe-restock';
import { LiveCard, NoLiveCard } from '~/components/monitor/live-card';
import { nextRefreshMs, useRefreshed } from '~/components/monitor/use-refreshed';
import { ButtonLink, buttonClass } from '~/components/ui/button';
import { OpenIcon, UnknownIcon, WaitingRoomIcon } from '~/components/ui/icons';
import type { HeadStartView } from './head-start';
import { Greeting } from './greeting';
import { ACTIONS, WAITING_ROOM } from './restock-content';
import { describeWaitingRoom, type WatchedRoom } from './waiting-room-view';

const STYLES = {
  open: { className: 'bg-live-wash text-live', icon: <WaitingRoomIcon /> },
  closed: { className: 'bg-sunken text-ink', icon: <OpenIcon /> },
  unknown: { className: 'bg-unknown-wash text-unknown', icon: <UnknownIcon /> },
} as const;

/** Premium's head start in this alert, in seconds. */
function HeadStart({ headStart }: { headStart: HeadStartView }) {
  const { value, text } = headStart;
  return (
    <section aria-labelledby="head-start" className="rounded-pocket border border-line bg-surface p-5">
      <h2 id="head-start" className="text-small font-[650] tracking-[0.02em]">
        {WAITING_ROOM.headStart.title}
      </h2>
      {value === null ? null : (
        <p className="mt-1 font-display text-heading font-bold tracking-[-0.02em]">{value}</p>
      )}
      <p className="mt-1.5 text-soft">{text}</p>
    </section>
  );
}

interface WaitingRoomCardProps {
  restock: Restock;
  room: WatchedRoom;
  slug: string;
}

/** The waiting room of a watch, beside its live card. Its changing parts have the space of their longest common text. */
export function WaitingRoomCard({ restock, room, slug }: WaitingRoomCardProps) {
  const { lost, ...newest } = useRefreshed<WatchedRoom>(`/live/restock.json?watch=${slug}`, room, (state) =>
    nextRefreshMs(state?.live ?? null),
  ) ?? { ...room, lost: false };
  const live = newest.live === null ? null : { ...newest.live, lost };
  const view = describeWaitingRoom(newest);
  const { className, icon } = STYLES[view.kind];
  const isOpen = view.kind === 'open';
  return (
    <div className="wrap grid items-start gap-x-10 gap-y-5 pt-8 pb-12 md:grid-cols-2 md:grid-rows-[auto_1fr] lg:pt-12">
      <div className="grid min-w-0 gap-5">
        <p
          data-waiting-room={view.kind}
          className={`flex min-h-[calc(3lh+1.5rem)] items-start gap-2.5 rounded-pocket sm:min-h-[calc(2lh+1.5rem)] px-4 py-3 font-[650] ${className}`}
        >
          <span className="mt-0.5">{icon}</span>
          {/* A translated text is replaced as a whole; the icon keeps its place. */}
          <span key={view.kind}>{view.headline}</span>
        </p>
        <Greeting username={restock.username} source={restock.source} />
        <h1 className="text-heading wrap-anywhere">{restock.name}</h1>
        <p className="min-h-[3lh] text-soft sm:min-h-[2lh]">{view.advice}</p>
        <p className="flex flex-wrap gap-3">
          {restock.link === null ? null : (
            <a
              href={restock.link}
              rel="noopener noreferrer"
              className={buttonClass(isOpen ? 'primary' : 'plain')}
            >
              {/* One over the other: the button has the width of the wider in any font, so the next stays in its place. */}
              <span className="grid text-center">
                {(['open', 'closed'] as const).map((state) => (
                  <span
                    key={state}
                    className={`[grid-area:1/1] ${isOpen === (state === 'open') ? '' : 'invisible'}`}
                  >
                    {WAITING_ROOM.shop[state]}
                  </span>
                ))}
              </span>
            </a>
          )}
          <ButtonLink href={ACTIONS.premium.href} variant={isOpen ? 'plain' : 'primary'}>
            {ACTIONS.premium.name}
          </ButtonLink>
        </p>
      </div>
      <div className="binder md:row-span-2">{live === null ? <NoLiveCard /> : <LiveCard live={live} />}</div>
      <div className="min-h-40">
        {view.headStart === null ? null : <HeadStart headStart={view.headStart} />}
      </div>
    </div>
  );
}
