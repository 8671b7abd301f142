/**
 * Loaded before a program (`node --import`): the parent process steps the program's wall clock by sending
 * `{ setClockMs }`; it begins at CLOCK_AHEAD_MS. A test cannot set the clock of the operating system.
 */
const RealDate = Date;
let offset = Number(process.env.CLOCK_AHEAD_MS ?? 0);

process.on('message', (message) => {
  if (typeof message?.setClockMs === 'number') offset += message.setClockMs;
});
// The IPC channel must not keep the program running.
process.channel?.unref();

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + offset] : args, newTarget),
  apply: () => new RealDate(RealDate.now() + offset).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => RealDate.now() + offset : Reflect.get(target, name, receiver),
});
