import { randomBytes } from 'node:crypto';
import type { Clock } from './clock';
import { ID_PREFIXES, NOUNS, type Kind, type Kinds } from './kinds';
import { resourceMissing } from './rest/stripe-error';

const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Takes a change of an object.
 * @param previous for `….updated` events, the former values of the fields that changed
 */
export type EventListener = (type: string, object: object, previous?: object) => void;

/** What the API returns for a deleted object. */
export interface Tombstone {
  id: string;
  object: Kind;
  deleted: true;
}

/**
 * Stripe's objects in memory. A stored object is live: handlers change it in place, without awaiting in between, and
 * then `emit`. Expandable fields hold ids; the REST layer replaces them on `expand` and copies what it returns.
 */
export interface Store {
  clock: Clock;
  /** The test clock in epoch seconds. */
  now(): number;
  /** A new id such as `cus_…`, or a random text with any prefix. */
  newId(kind: Kind): string;
  newToken(prefix: string): string;
  insert<K extends Kind>(kind: K, object: Kinds[K]): Kinds[K];
  find<K extends Kind>(kind: K, id: string): Kinds[K] | undefined;
  /**
   * @param param the request's parameter that names the id; absent when the path does
   * @throws StripeError `resource_missing`
   */
  require<K extends Kind>(kind: K, id: string, param?: string): Kinds[K];
  /** Newest first. */
  list<K extends Kind>(kind: K, fits?: (object: Kinds[K]) => boolean): Kinds[K][];
  /** Removes an object; `findRemoved` then returns `{id, object, deleted: true}`. */
  remove(kind: Kind, id: string): Tombstone;
  findRemoved(kind: Kind, id: string): Tombstone | undefined;
  /** Removes an object without a trace: Stripe does not know its id any more. @returns whether it was there */
  forget(id: string): boolean;
  /** The object of any kind with this id, for `expand`. */
  findAny(id: string): object | undefined;
  /**
   * State of an object that the API never returns, such as a card's behaviour. It belongs here and not into a map of its
   * own, because a reset removes it with the object.
   */
  factsOf<T extends object>(id: string): Partial<T>;
  /** Emits an event such as `customer.created`. The listener copies the object. */
  emit(type: string, object: object, previous?: object): void;
  /**
   * Assigns `changes` and emits `type` with the former values when a value differs.
   * @returns whether a value differed
   */
  update<T extends object>(object: T, changes: Partial<T>, type: string): boolean;
  onEvent(listener: EventListener): void;
  /** Everything in the store as JSON, for `restore`. */
  snapshot(): unknown;
  /** Replaces everything in the store. Emits no events. @throws when it is no snapshot */
  restore(snapshot: unknown): void;
  /** Removes all objects. */
  reset(): void;
}

/** Maps as lists of their entries. */
interface Snapshot {
  objects: [Kind, [string, object][]][];
  facts: [string, object][];
  tombstones: [string, Tombstone][];
}

export function createStore(clock: Clock): Store {
  const objects = new Map<Kind, Map<string, object>>();
  const facts = new Map<string, object>();
  const tombstones = new Map<string, Tombstone>();
  const listeners: EventListener[] = [];
  const newToken = (prefix: string) =>
    `${prefix}_${[...randomBytes(24)].map((byte) => ID_ALPHABET[byte % ID_ALPHABET.length]).join('')}`;
  const emit = (type: string, object: object, previous?: object) => {
    for (const listener of listeners) listener(type, object, previous);
  };

  const store: Store = {
    clock,
    now: clock.now,
    newId: (kind) => newToken(ID_PREFIXES[kind]),
    newToken,
    insert(kind, object) {
      const id = object.id;
      if (id === undefined) throw new Error(`a ${kind} needs an id`);
      objects.set(kind, (objects.get(kind) ?? new Map<string, object>()).set(id, object));
      return object;
    },
    find: <K extends Kind>(kind: K, id: string) => objects.get(kind)?.get(id) as Kinds[K] | undefined,
    require(kind, id, param) {
      const found = store.find(kind, id);
      if (!found) throw resourceMissing(NOUNS[kind], id, param);
      return found;
    },
    list: <K extends Kind>(kind: K, fits: (object: Kinds[K]) => boolean = () => true) =>
      ([...(objects.get(kind)?.values() ?? [])] as Kinds[K][]).reverse().filter(fits),
    remove(kind, id) {
      objects.get(kind)?.delete(id);
      const tombstone: Tombstone = { id, object: kind, deleted: true };
      tombstones.set(id, tombstone);
      return tombstone;
    },
    findRemoved(kind, id) {
      const tombstone = tombstones.get(id);
      return tombstone?.object === kind ? tombstone : undefined;
    },
    forget(id) {
      const hadTombstone = tombstones.delete(id);
      return [...objects.values()].some((group) => group.delete(id)) || hadTombstone;
    },
    findAny(id) {
      for (const group of objects.values()) {
        const found = group.get(id);
        if (found) return found;
      }
      return tombstones.get(id);
    },
    factsOf<T extends object>(id: string): Partial<T> {
      const known = facts.get(id) ?? {};
      facts.set(id, known);
      return known as Partial<T>;
    },
    emit,
    update(object, changes, type) {
      const previous: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(changes)) {
        const before = (object as Record<string, unknown>)[name];
        if (JSON.stringify(before) !== JSON.stringify(value))
          previous[name] = structuredClone(before) ?? null;
      }
      Object.assign(object, changes);
      if (Object.keys(previous).length === 0) return false;
      emit(type, object, previous);
      return true;
    },
    onEvent: (listener) => void listeners.push(listener),
    snapshot: () => ({
      objects: [...objects].map(([kind, group]) => [kind, [...group]]),
      facts: [...facts],
      tombstones: [...tombstones],
    }),
    restore(snapshot) {
      const saved = snapshot as Snapshot;
      store.reset();
      for (const [kind, group] of saved.objects) objects.set(kind, new Map(group));
      for (const [id, known] of saved.facts) facts.set(id, known);
      for (const [id, tombstone] of saved.tombstones) tombstones.set(id, tombstone);
    },
    reset() {
      objects.clear();
      facts.clear();
      tombstones.clear();
    },
  };
  return store;
}

/** The id in an expandable field. */
export function idOf(value: string | { id: string } | null | undefined): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null);
}

/** The metadata after a request: given keys replace, an empty value removes its key, `''` removes all. */
export function mergeMetadata(
  before: Record<string, string> | null,
  given: Record<string, string | number | null> | '' | null | undefined,
): Record<string, string> {
  if (given === '' || given === null) return {};
  const merged = { ...before };
  for (const [key, value] of Object.entries(given ?? {})) {
    if (value === '' || value === null) delete merged[key];
    else merged[key] = String(value);
  }
  return merged;
}
