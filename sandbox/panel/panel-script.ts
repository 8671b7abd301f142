/**
 * Polls the revision once a second and replaces the changed parts; open details, input and focus stay. Without a change it
 * refreshes every ten seconds, because relative times advance.
 */
export const PANEL_SCRIPT = `
let revision = document.body.dataset.revision, idle = 0;
async function renew() {
  const next = new DOMParser().parseFromString(await (await fetch('/')).text(), 'text/html');
  const unfolded = [...document.querySelectorAll('details[open]')].map((one) => one.id);
  const scrolled = new Map([...document.querySelectorAll('.messages')].map((one) => [one.parentElement.id, one.scrollTop]));
  const focused = document.activeElement?.id;
  for (const id of unfolded) next.getElementById(id)?.setAttribute('open', '');
  for (const part of document.querySelectorAll('[data-live]')) {
    const fresh = next.getElementById(part.id);
    if (fresh && fresh.innerHTML !== part.innerHTML) part.replaceChildren(...fresh.childNodes);
  }
  for (const [id, top] of scrolled) {
    const list = document.getElementById(id)?.querySelector('.messages');
    if (list) list.scrollTop = top;
  }
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true });
  revision = next.body.dataset.revision;
  idle = 0;
}
async function watch() {
  try {
    if (!document.hidden) {
      const now = (await (await fetch('/control/revision')).json()).revision;
      if (String(now) !== revision || ++idle >= 10) await renew();
    }
  } catch {}
  setTimeout(watch, 1000);
}
watch();`;
