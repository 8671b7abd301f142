import { isImpervaResource, isImpervaRoomFrame } from './room-address';
import { findAddress, findCookie, quoteScript, signRules, type SignInput } from './sign-rule';

/** The parameter name is enough: only a waiting room polls with it, and a script may build the rest of the address. */
const POLLING = /\bSWWRGTS=/i;
const SCRIPTED_FRAME =
  /\/_Incapsula_Resource\?[^"'`\s<>]{0,1500}(?:[?&]wrid=[1-9]\d*|[?&]wrid=["'`]\s*\+\s*["'`]?[\w$]|[?&]wrid=\$\{)/i;
const STORAGE_KEY = /["'`]\d{1,6}_(?:ttw|position)["'`]/;
const STORAGE_KEY_JOINED = /["'`]_(?:ttw|position)["'`]/;
/** The block page has little text beside its incident number; an article about it has more. */
const BLOCK_TEXT_LENGTH = 1500;

/** Imperva (Incapsula): its waiting room and its bot wall use the same frame; its sensor is also on ordinary pages. */
export const IMPERVA_SIGNS = signRules({ pointsTo: 'waiting_room', role: 'decisive' }, [
  {
    id: 'imperva-room-frame',
    weight: 100,
    source: 'Captured wrapper, November 2025: the frame address carries wrid, the number of the room',
    find: ({ page }) => page.frames.find((address) => isImpervaRoomFrame(address)) ?? null,
  },
  {
    id: 'imperva-room-polling',
    weight: 100,
    source: "Public teardown of the shop's room: the page polls /_Incapsula_Resource?SWWRGTS=NUMBER",
    find: (input) =>
      quoteScript(input, POLLING) ??
      findAddress(input.page.scriptAddresses, POLLING) ??
      findAddress(input.page.dataAddresses, POLLING),
  },
  {
    id: 'imperva-room-loading',
    weight: 90,
    source: 'The same frame, or a reload into it, ordered by a script or a refresh',
    find: (input) =>
      quoteScript(input, SCRIPTED_FRAME) ??
      input.page.refreshes.find(({ url }) => url !== null && isImpervaRoomFrame(url))?.url ??
      null,
  },
  {
    id: 'imperva-room-storage',
    weight: 80,
    source:
      'Public teardown: storage keys NUMBER_ttw and NUMBER_position beside the elements #ttw and #position',
    find: (input) =>
      quoteScript(input, STORAGE_KEY) ??
      (input.page.ids.has('ttw') || input.page.ids.has('position')
        ? quoteScript(input, STORAGE_KEY_JOINED)
        : null),
  },
  {
    id: 'imperva-room-elements',
    weight: 60,
    source: "Public teardown: elements #ttw and #position of the room's page",
    find: ({ page }) => (page.ids.has('ttw') && page.ids.has('position') ? '#ttw and #position' : null),
  },
  {
    id: 'imperva-room-clock',
    role: 'supporting',
    weight: 30,
    source: 'Public teardown: element #ttw, the time to wait; research log: class waiting-text-heading',
    find: ({ page }) => {
      if (page.ids.has('ttw')) return '#ttw';
      return page.classes.has('waiting-text-heading') ? 'waiting-text-heading' : null;
    },
  },
  {
    id: 'imperva-block-frame',
    pointsTo: 'wall',
    weight: 90,
    source: 'Captured block page: the frame without wrid, "Request unsuccessful. Incapsula incident ID"',
    find: ({ page }) => page.frames.find((address) => isBlockFrame(address)) ?? null,
  },
  {
    id: 'imperva-block-text',
    pointsTo: 'wall',
    weight: 70,
    source: 'Captured block page: incident number in its text',
    find: ({ page }) =>
      /incapsula incident id:? ?\d[\d-]{8,}/i.exec(
        `${page.frameFallback}\n${page.text.slice(0, BLOCK_TEXT_LENGTH)}`,
      )?.[0] ?? null,
  },
  {
    id: 'imperva-script-check',
    pointsTo: 'wall',
    weight: 50,
    source:
      'Imperva\'s checks: "Pardon Our Interruption", "Additional security check is required", only its sensor',
    find: (input) => interruption(input) ?? securityCheck(input) ?? onlySensor(input),
  },
  {
    id: 'imperva-sensor',
    pointsTo: 'nothing',
    role: 'plain',
    weight: 0,
    source: 'Ordinary pages behind Imperva carry the sensor SWJIYLWA, its cookies and x-iinfo',
    find: (input) =>
      findAddress(input.page.scriptAddresses, /_Incapsula_Resource\?SWJIYLWA=/i) ??
      findCookie(input, 'visid_incap') ??
      (input.header('x-iinfo') === null ? null : 'header x-iinfo'),
  },
]);

function isBlockFrame(address: string): boolean {
  return isImpervaResource(address) && !isImpervaRoomFrame(address);
}

/** Names that only Imperva's own pages define; an ordinary page loads the protection without them. */
const INTERRUPTION_SCRIPT = /\breeseSkipExpirationCheck\b|\bprotectionSubmitCaptcha\b/;

function interruption(input: SignInput): string | null {
  const { page } = input;
  return (
    [page.title, ...page.headings.slice(0, 1)].find((name) => /^pardon our interruption/.test(name)) ??
    /something about your browser made us think you (?:were|might be) a bot/.exec(
      page.text.slice(0, BLOCK_TEXT_LENGTH),
    )?.[0] ??
    quoteScript(input, INTERRUPTION_SCRIPT)
  );
}

/** Imperva's captcha page: the host, this sentence and a captcha, and the maker's name as the foot. */
function securityCheck({ page }: SignInput): string | null {
  const text = page.text.slice(0, BLOCK_TEXT_LENGTH);
  return /additional security check is required/.exec(text)?.[0] ?? null;
}

function onlySensor({ page }: SignInput): string | null {
  if (page.text !== '' || page.frames.length > 0) return null;
  return findAddress(page.scriptAddresses, /_Incapsula_Resource\?SWJIYLWA=/i);
}
