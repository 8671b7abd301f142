/** 16 random letters and digits have more than this many different ones, except once in a million. */
const MIN_DIFFERENT_CHARACTERS = 7;
/** A text in which more neighbours than this share follow each other in the alphabet or on a line of digits was typed. */
const MAX_SHARE_OF_STEPS = 0.6;

/** Words of example configurations and of secrets that people type until they have a real one. */
const EXAMPLE_WORDS = [
  'secret|secrets|session|sessions|password|passwd|pass|passphrase|key|keys|token|cookie|signing|jwt|auth|salt',
  'change|changeme|replace|replaceme|insert|enter|set|fill|todo|fixme|default|example|sample|dummy|placeholder|fake',
  'dev|development|prod|production|staging|demo|sandbox|debug|temp|tmp',
  'please|this|that|it|in|to|me|my|your|the|a|an|with|here|now|later|before|for|of|and|or|not|be|must|is|do|use|using',
  'very|super|really|insecure|unsafe|secure|strong|long|random|some|value|string|text|characters|chars|at|least',
  'packwatch|admin|administrator|root|user|keyboard|cat|shhh|shh|hello|world|foo|bar|baz|foobar|qwerty|qwertyuiop',
  'asdf|asdfgh|asdfghjkl|zxcvbnm|letmein|welcome|openssl|rand|base|hex|abc|abcd|abcdef|xyz|xxx|xxxx|minimum|one|two',
].join('|');

const EXAMPLE = new RegExp(`^(?:${EXAMPLE_WORDS})$`);

/** Whether the text is one shorter text, repeated. */
function isRepetition(text: string): boolean {
  // Found inside its own double, apart from the two ends, exactly if it repeats a shorter text.
  return (text + text).indexOf(text, 1) < text.length;
}

function shareOfSteps(text: string): number {
  let steps = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (Math.abs(text.charCodeAt(at) - text.charCodeAt(at - 1)) <= 1) steps += 1;
  }
  return steps / (text.length - 1);
}

/** Whether the text consists of words of examples alone, with digits and punctuation between them. */
function isExample(text: string): boolean {
  const plain = text
    .replaceAll(/(?<![A-Za-z0-9])\d+(?![A-Za-z0-9])/g, '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'i')
    .replaceAll('3', 'e')
    .replaceAll('4', 'a')
    .replaceAll('5', 's')
    .replaceAll('$', 's')
    .replaceAll('@', 'a');
  // With letters in place of look-alike digits ("s3cr3t") and without.
  return [text, plain].some((form) => {
    const words = form
      .replaceAll(/([a-z])(?=[A-Z])/g, '$1 ')
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word !== '');
    return words.length > 0 && words.every((word) => isMadeOf(word));
  });
}

/** Whether a word is an example word, or several of them without a space, such as `changethissecret`. */
function isMadeOf(word: string): boolean {
  // `ends[n]`: whether the first n letters are example words.
  const ends = [true];
  for (let end = 1; end <= word.length; end += 1) {
    ends[end] = ends.some((isEnd, start) => isEnd && start < end && EXAMPLE.test(word.slice(start, end)));
  }
  return ends[word.length] === true;
}

/** Longer than any secret that a person types. Longer texts are not examined further. */
const MAX_TYPED_LENGTH = 200;

/**
 * Why a secret can be guessed, as the end of a sentence ("it …"); null for one that looks random. It finds what people
 * type until they have a real secret: few different characters, repetitions, runs such as "abcdef", example texts.
 */
export function weaknessOf(secret: string): string | null {
  if (secret.length > MAX_TYPED_LENGTH) return null;
  if (new Set(secret).size < MIN_DIFFERENT_CHARACTERS) return 'has too few different characters';
  if (isRepetition(secret)) return 'repeats a short text';
  if (shareOfSteps(secret) > MAX_SHARE_OF_STEPS) return 'is a run of neighbouring characters';
  if (isExample(secret)) return 'is a text of examples, which attackers try first';
  return null;
}
