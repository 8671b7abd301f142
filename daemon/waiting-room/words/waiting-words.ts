import { excerptAround, stripMarks } from '../parse/normalise-text';
import { THANKS_FOR_WAITING, WAITING_PHRASES, type WaitingKind } from './waiting-phrases';

const KINDS: readonly WaitingKind[] = ['inLine', 'place', 'wait', 'keepOpen'];

/** Titles and headings that consist of the name of a waiting room. */
const ROOM_NAME =
  /^(?:the |our |online |virtual |virtuelle[rs]? |wirtualna |virtuele )*(?:waiting[- ]?room|queue|waiting line|warteraum|warteschlange|wartezimmer|salle d'attente|file d'attente|sala de espera|fila|cola|sala d'attesa|coda|wachtkamer|wachtrij|wachtruimte|poczekalnia|kolejka|vantrum|ventevaerelse|venterom|odotushuone|cekarna|bekleme odasi|зал ожидания|待合室|等候室|대기실)(?: virtuelle?| virtuale?| virtual| online)?$/;

/** Words that make a waiting phrase after them a condition or a possibility. */
const CONDITION =
  /(?:^|[^a-z])(?:if|when|whenever|once|(?:will|you|'ll|can) see|may|might|could|would|in case|unless|wenn|falls|sobald|kann|konnen|konnte|moglicherweise|eventuell|gegebenenfalls|lorsque|quand|peut|peuvent|pourrez|pourriez|pouvez|eventuellement|des que|si(?! (?:prega|consiglia|raccomanda|ricorda|informa|avvisa|trova|sta|e)(?:$|[^a-z]))|cuando|puede|pueden|podria|podras|puedes|en caso|quando|puo|potrebbe|potresti|qualora|als|wanneer|indien|kan|kunt|mogelijk|zodra|caso|pode|podera|poderia|jesli|jezeli|gdy|kiedy|moze|mozesz|hvis|nar|jos|pokud|muze|ha(?! \w+(?:ado|ido|to)(?:$|[^a-z]))|daca|poate|eger|jika|mungkin)(?:$|[^a-z])|(?:если|когда|можете|может|якщо)/;
/** Words of possibility inside a phrase ("Sie können in eine Warteschlange gestellt werden"). */
const POSSIBILITY =
  /(?:^|[^a-z])(?:may|might|could|would|kann|konnen|konnte|konnten|peut|peuvent|pouvez|pourriez|puede|pueden|podria|podras|puo|potrebbe|potresti|kan|kunt|pode|podera|poderia|moze|mozesz)(?:$|[^a-z])/;
/** Conditions in languages that put them after the phrase. */
const CONDITION_BEHIND = /場合|可能性|ことがあり|かもしれ|如果|若|可能会|可能會|경우|수 있|수도/;

const SHORT_TEXT = 2000;
const SENTENCE_END = /[.!?。！？\n]/;
const TRIES = 40;

/** Headings of pages that explain queues, such as help pages. */
const EXPLAINS_QUEUES =
  /(?:how (?:do|does|to|it|the|our|a|we|long)|what (?:is|are|does|to|happens)|about|guide|faq|frequently|tips|explained|understanding|everything|wie (?:funktioniert|geht|lange)|was ist|comment|qu'est|como|que es|come funziona|cos'e|hoe werkt|wat is|jak dziala|co to)(?:$|[^a-z])[^\n]{0,60}(?:queue|queuing|queueing|waiting|line|warte|attente|fila|cola|coda|attesa|espera|wacht|kolejk|poczekaln)|(?:queue|waiting room|line)s? (?:explained|faq|guide|help|tips)|(?:とは|について|の仕組み|是什么|如何|怎么)/;

/** Names of pages that answer questions, state terms or list times; the words below them prove nothing. */
const ANSWERS =
  /^(?:faqs?|frequently asked questions|help(?:$| cent(?:re|er)|:)|terms (?:of|and)|what to expect|(?:\w+ ){0,3}(?:queue|wait|waiting) times|hilfe(?:$|:| zu| center)|haufige? (?:gestellte )?fragen|haufig gestellte fragen|foire aux questions|questions frequentes|preguntas frecuentes|domande frequenti|veelgestelde vragen|perguntas frequentes|(?:najczesciej|czesto) zadawane pytania|よくある(?:ご)?質問|ヘルプ|자주 ?묻는 ?질문|常见问题|常見問題)/;

/** Whether the title or the first heading is that of a help page, a list of questions, or terms. */
export function answersQuestions({ title, headings }: Pick<PageWording, 'title' | 'headings'>): boolean {
  return [title, headings[0] ?? ''].some((name) => ANSWERS.test(name.slice(0, 300)));
}

/** Whether the title or the first heading is that of a page that explains queues. */
export function explainsQueues(page: Pick<PageWording, 'title' | 'headings'>): boolean {
  const names = [page.title, page.headings[0] ?? ''];
  return answersQuestions(page) || names.some((name) => EXPLAINS_QUEUES.test(name.slice(0, 300)));
}

/** Whether the first heading consists of the name of a waiting room. */
export function isNamedAsRoom({ headings }: Pick<PageWording, 'headings'>): boolean {
  return ROOM_NAME.test((headings[0] ?? '').slice(0, 100).trim());
}

/** The parts of a page that hold wording. */
interface PageWording {
  addressedText: string;
  ownText: string;
  title: string;
  headings: readonly string[];
}

interface Waiting {
  kind: WaitingKind | 'thanks';
  evidence: string;
  /** Whether the sentence has a number: a place, people, minutes. */
  numbered: boolean;
}

function anyPhrase(phrases: readonly string[]): RegExp {
  const source = phrases
    .map((phrase) => stripMarks(phrase.normalize('NFKC')).replaceAll(' ', '[ \\n]'))
    .join('|');
  // Each match begins a word, so that no long word is read from each of its letters.
  return new RegExp(`(?<!\\w)(?:${source})`, 'g');
}

const LANGUAGES = Object.values(WAITING_PHRASES);
const PATTERNS = KINDS.map((kind) => ({
  kind,
  pattern: anyPhrase(LANGUAGES.flatMap((table) => table[kind])),
}));
const THANKS = anyPhrase(THANKS_FOR_WAITING);

/** The words of the title or first heading that say the visitor is in line, or null. A waiting room's name is not enough. */
export function findWaitingHeading({
  title,
  headings,
}: Pick<PageWording, 'title' | 'headings'>): string | null {
  const prominent = `${title}\n${headings[0] ?? ''}`;
  for (const { kind, pattern } of PATTERNS) {
    const phrase = kind === 'inLine' || kind === 'place' ? firstAssertion(prominent, pattern) : null;
    if (phrase !== null) return phrase.evidence;
  }
  return null;
}

/** The kinds of waiting words that a page asserts, with evidence. Possibilities, questions and quotations do not count. */
export function findWaitingWords({ addressedText, ownText, title, headings }: PageWording): Waiting[] {
  const text = `${title}\n${addressedText}`;
  const found: Waiting[] = [];
  for (const { kind, pattern } of PATTERNS) {
    const phrase = firstAssertion(text, pattern);
    if (phrase !== null) found.push({ kind, ...phrase });
  }
  if (!found.some(({ kind }) => kind === 'inLine')) {
    // Together with a place or a time in numbers, the name of a waiting room counts on any line of a short page.
    const lines =
      ownText.length < SHORT_TEXT && found.some(({ numbered }) => numbered) ? ownText.split('\n') : [];
    const named = [...title.split(/\s[|–:·-]\s/), ...headings, ...lines].find((name) =>
      ROOM_NAME.test(name.trim()),
    );
    if (named !== undefined) found.unshift({ kind: 'inLine', evidence: named.trim(), numbered: false });
  }
  if (!found.some(({ kind }) => kind === 'inLine')) {
    const thanks = firstAssertion(text, THANKS);
    if (thanks !== null) found.unshift({ kind: 'thanks', ...thanks });
  }
  return found;
}

function firstAssertion(text: string, pattern: RegExp): Omit<Waiting, 'kind'> | null {
  pattern.lastIndex = 0;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const match = pattern.exec(text);
    if (match === null) return null;
    const [index, { length }] = [match.index, match[0]];
    if (isAsserted(text, index, length)) {
      return { evidence: excerptAround(text, index, length), numbered: isNumbered(text, index, length) };
    }
  }
  return null;
}

const NUMBER_WITHIN = 60;

/** Whether a phrase has a number in its sentence or alone in the block below it. */
function isNumbered(text: string, index: number, length: number): boolean {
  const before =
    text
      .slice(Math.max(0, index - NUMBER_WITHIN), index)
      .split(/[.!?\n。！？]/)
      .at(-1) ?? '';
  const behind = text.slice(index + length, index + length + NUMBER_WITHIN);
  const [line = '', next = ''] = behind.split(/[!?\n。！？]|\.(?!\d)/);
  return (
    /\p{Nd}/u.test(`${before}${text.slice(index, index + length)}${line}`) ||
    /^\s*[#~≈]?\p{Nd}[\p{Nd},.: ]*(?:\D{0,12})$/u.test(next)
  );
}

const QUOTATION_LENGTH = 400;

/** Whether a position lies inside a quotation that begins on the same line. */
function isQuotedAt(text: string, index: number): boolean {
  const from = Math.max(0, index - QUOTATION_LENGTH);
  const line = text.slice(from, index);
  const before = line.slice(line.lastIndexOf('\n') + 1);
  const opened = Math.max(before.lastIndexOf('“'), before.lastIndexOf('„'), before.lastIndexOf('«'));
  const closed = Math.max(before.lastIndexOf('”'), before.lastIndexOf('»'));
  // In German “ closes what „ opened.
  const german = before.lastIndexOf('„') !== -1 && before.lastIndexOf('“') > before.lastIndexOf('„');
  if (opened > closed && !german) return true;
  if (/[「『][^「『」』]*$/.test(before)) return true;
  return before.split('"').length % 2 === 0;
}

function isAsserted(text: string, index: number, length: number): boolean {
  let start = index;
  while (start > 0 && index - start < 300 && !SENTENCE_END.test(text[start - 1] ?? '')) start -= 1;
  let end = index + length;
  while (end < text.length && end - index < 300 && !SENTENCE_END.test(text[end] ?? '')) end += 1;
  const before = text.slice(start, index);
  const closing = text[end] ?? '';
  if (closing === '?' || closing === '？') return false;
  if (isQuotedAt(text, index)) return false;
  if (POSSIBILITY.test(text.slice(index, index + length))) return false;
  return !CONDITION.test(before) && !CONDITION_BEHIND.test(text.slice(start, end));
}
