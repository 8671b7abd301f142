/**
 * Loaded before a program (`node --import`): its wall clock can be set by its parent, who sends `{ setClockMs }`. An
 * operating system's clock belongs to everything on the machine, so a test cannot set that one.
 */
const RealDate = Date;
let offset = 0;

process.on('message', (message) => {
  if (typeof message?.setClockMs === 'number') offset += message.setClockMs;
});
// The channel must not keep the program alive.
process.channel?.unref();

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + offset] : args, newTarget),
  apply: () => new RealDate(RealDate.now() + offset).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => RealDate.now() + offset : Reflect.get(target, name, receiver),
});
