/** The Remix configuration of the app. `vite.config.ts` passes it to Remix's Vite plugin. */

/** @type {import('@remix-run/dev').VitePluginConfig} */
const config = {
  appDirectory: 'app',
  buildDirectory: 'build',
  serverModuleFormat: 'esm',
  ignoredRouteFiles: ['**/*'],
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_routeConfig: true,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
};

export default config;
