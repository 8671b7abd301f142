import { pagePart } from '~/components/lazy/page-part';

const load = () => import('./user-menu');

/** The signed-in user's menu, whose script signed-out visitors do not load. */
export const UserMenu = pagePart('user-menu', load, import.meta.env.SSR ? await load() : null);
