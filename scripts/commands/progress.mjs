const REPEAT_MS = 30_000;

/** A duration in milliseconds for people: `0.4 s`, `12 s`, `1 min 5 s`. */
export function formatDuration(ms) {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Prints progress to `stream`: standard error for commands whose output is read by programs. */
export function createReporter(stream = process.stdout) {
  const print = (line) => stream.write(`${line}\n`);
  const live = stream.isTTY === true;
  const running = new Map();

  /** Runs `work` and prints its label: on a terminal with a timer, else a line every half minute. Returns its result. */
  async function runStep(label, work) {
    const started = Date.now();
    const elapsed = () => formatDuration(Date.now() - started);
    running.set(label, elapsed);
    if (live) draw();
    else print(`• ${label} …`);
    const timer = setInterval(
      () => (live ? draw() : print(`  ${label}: still running after ${elapsed()}`)),
      live ? 200 : REPEAT_MS,
    );
    try {
      const result = await work();
      print(live ? `\r\u001b[K✓ ${label} (${elapsed()})` : `✓ ${label} (${elapsed()})`);
      return result;
    } catch (error) {
      if (live) stream.write('\r\u001b[K');
      throw error;
    } finally {
      clearInterval(timer);
      running.delete(label);
    }
  }

  // Steps that run at the same time share the last line of the terminal.
  function draw() {
    const steps = [...running].map(([label, elapsed]) => `${label} … ${elapsed()}`);
    stream.write(`\r\u001b[K• ${steps.join(' · ')}`);
  }

  return { print, runStep };
}
