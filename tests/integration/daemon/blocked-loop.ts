import { startLoopWatchdog } from '#shared/process/loop-watchdog.server';

/** A process with a watchdog of 1.5 seconds. It says when it runs, and blocks its loop on SIGUSR2. */
startLoopWatchdog({ part: 'fixture', limitMs: 1_500 });

function blockTheLoop(): void {
  /^(a+)+$/.test(`${'a'.repeat(60)}b`);
}
process.on('SIGUSR2', blockTheLoop);
setInterval(() => process.stdout.write('.'), 20);
