import type { Restock as RestockFacts } from '#shared/restock/describe-restock';
import { ProductCard } from '~/components/restock/product-card';
import { WaitingRoomCard } from '~/components/restock/waiting-room-card';
import type { WatchedRoom } from '~/components/restock/waiting-room-view';

interface RestockProps {
  restock: RestockFacts;
  /** Null: no watch belongs to the address. */
  room: WatchedRoom | null;
  watch: { slug: string } | null;
}

/** The page that the message of a shop links to: its waiting room, or what the message says. */
export default function Restock({ restock, room, watch }: RestockProps) {
  return room === null || watch === null ? (
    <ProductCard restock={restock} />
  ) : (
    <WaitingRoomCard restock={restock} room={room} slug={watch.slug} />
  );
}
