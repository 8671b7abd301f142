/** The build at hand, as Remix's Vite plugin gives it. */
declare module 'virtual:remix/server-build' {
  import type { ServerBuild } from '@remix-run/node';

  const build: ServerBuild;
  export = build;
}
