import { findAddress, findId, quoteScript, signRules, type SignInput } from './sign-rule';

/** Wording of a check that asks visitors to prove that they are human. For folded text. */
const HUMAN_CHECK =
  /press (?:&|and|und|et) hold|before we continue|(?:verify|confirm|prove)(?: that)? you(?:'re| are)(?: a)?(?: not a)? (?:human|robot|bot|real)|not a robot|unusual (?:traffic|activity)|checking your browser|security check|are you (?:a )?(?:human|robot)|bestatigen sie,? dass sie (?:ein mensch|kein roboter)|kein roboter|pas un robot|etes humain|no (?:eres|soy|es) un robot|sei umano|non sei un robot|geen robot|nao (?:e|sou) um robo|nie jestes robotem|ロボットではありません|人間であること|(?:made|makes) us (?:think|believe) (?:that )?you (?:are|were|might be|may be) (?:a )?(?:ro)?bot|(?:pardon|excuse) (?:our|the|this) interruption|(?:making|make) sure (?:that )?you(?:'re| are) (?:not a (?:ro)?bot|(?:a )?human)|(?:robot|bot) or (?:a )?human|human or (?:a )?(?:ro)?bot|human verification|your request is being verified|click the button below to continue shopping|klicke?n? (?:sie )?auf die schaltflache unten,? um (?:den|deinen|ihren) einkauf fortzusetzen|cliquez sur le bouton ci-dessous pour (?:continuer|poursuivre) vos achats|haz clic en el boton de abajo para continuar comprando|fai clic sul pulsante qui sotto per continuare (?:con gli|lo) (?:acquisti|shopping)|klik op de onderstaande knop om verder te winkelen|enter the characters you see below|entschuldigen sie (?:bitte )?die (?:unterbrechung|storung)|dass sie ein (?:ro)?bot sind|sie ein mensch sind|(?:excusez|desoles?)(?: \w+)? (?:pour )?(?:l'|cette )interruption|vous (?:etes|etiez) un (?:ro)?bot|(?:bien )?(?:un |etes )humain|disculp[a-z]{1,8} (?:la|esta|por la) interrupcion|(?:eres|fueras|seas) un (?:ro)?bot|(?:scus[a-z]{1,8}|scusiamo)(?: per)? (?:l'|questa )interruzione|(?:sei|sia|fossi) un (?:ro)?bot|(?:excuses|sorry) voor de onderbreking|(?:u|je) een (?:ro)?bot (?:bent|was)|przepraszamy za (?:zaklocenie|przerwe)|czy jestes (?:czlowiekiem|robotem)/;

/** Wording of a refusal, which no check ends. For folded text. */
const REFUSED =
  /access (?:to this (?:page|site) )?(?:has been |is )?(?:denied|blocked)|you(?:'ve| have) been blocked|request (?:has been |was |is )?blocked|zugriff verweigert|acces refuse|acceso denegado|accesso negato|toegang geweigerd|acesso negado|odmowa dostepu|アクセスが拒否|your access to this (?:site|service|website) has been limited|the request could not be satisfied/;

/** The signs of a challenge, which a browser can pass. Every other wall sign means a block. */
export const CHALLENGE_SIGNS: ReadonlySet<string> = new Set([
  'cloudflare-challenge-header',
  'cloudflare-challenge',
  'datadome-challenge',
  'human-challenge',
  'aws-waf',
  'akamai-challenge',
  'kasada-challenge',
  'imperva-script-check',
  'siteground-challenge',
  'fastly-challenge',
  'vercel-challenge',
  'browser-check',
]);

/** Bot walls, by their machinery. A captcha widget alone is not a wall: shops use them in forms. */
export const WALL_SIGNS = signRules({ pointsTo: 'wall', role: 'decisive' }, [
  {
    id: 'cloudflare-challenge-header',
    role: 'certain',
    weight: 100,
    source: 'developers.cloudflare.com: cf-mitigated: challenge',
    find: ({ header }) =>
      /challenge/i.test(header('cf-mitigated') ?? '') ? 'cf-mitigated: challenge' : null,
  },
  {
    id: 'cloudflare-challenge',
    weight: 90,
    source: 'Captured challenges: _cf_chl_opt, /cdn-cgi/challenge-platform/…/orchestrate',
    find: (input) =>
      findAddress(input.page.scriptAddresses, /\/cdn-cgi\/challenge-platform\/\S{0,300}orchestrate/) ??
      quoteScript(input, /_cf_chl_opt|\/cdn-cgi\/challenge-platform\/\S{0,300}?orchestrate/) ??
      findId(input, ['challenge-error-text', 'cf-challenge-running', 'challenge-form']),
  },
  {
    id: 'cloudflare-block',
    weight: 80,
    source: "Cloudflare's error pages (1006–1020 and 5xx)",
    find: (input) =>
      findId(input, ['cf-error-details', 'cf-wrapper']) ??
      /^error code: 1\d{3}$/.exec(input.page.text)?.[0] ??
      null,
  },
  {
    id: 'datadome-challenge',
    weight: 90,
    source: 'Captured DataDome shell: captcha-delivery.com, var dd={…}',
    find: (input) =>
      findAddress([...input.page.scriptAddresses, ...input.page.frames], /captcha-delivery\.com/) ??
      quoteScript(input, /\bdd\s*=\s*\{[^{}]{0,600}['"]?(?:cid|hsh|host)['"]?\s*:/),
  },
  {
    id: 'human-challenge',
    weight: 90,
    source: 'Captured HUMAN (PerimeterX) page: px-captcha',
    find: (input) =>
      findId(input, ['px-captcha', 'px-captcha-wrapper']) ??
      ['px-captcha', 'px-captcha-container'].find((name) => input.page.classes.has(name)) ??
      quoteScript(input, /_pxBlockScript|_pxBlockedUrl|captcha\.px-cdn\.net/),
  },
  {
    id: 'aws-waf',
    role: 'certain',
    weight: 100,
    source: 'docs.aws.amazon.com/waf: x-amzn-waf-action with 202 or 405',
    find: ({ header }) =>
      header('x-amzn-waf-action') === null ? null : `x-amzn-waf-action: ${header('x-amzn-waf-action')}`,
  },
  {
    id: 'aws-waf-script',
    weight: 80,
    source: "AWS WAF's interstitial: gokuProps, AwsWafIntegration",
    find: (input) =>
      quoteScript(input, /gokuProps|AwsWafIntegration\.(?:saveReferrer|checkForceRefresh|forceRefreshToken)/),
  },
  {
    id: 'akamai-denied',
    weight: 90,
    source: 'Akamai\'s "Access Denied" with its reference number',
    find: ({ page }) =>
      /errors\.edgesuite\.net\/\S{0,60}/.exec(page.text)?.[0] ??
      (/access denied/.test(`${page.title}\n${page.text.slice(0, 2000)}`)
        ? (/reference ?#? ?\d{1,3}\.[0-9a-f]{4,}\.\d{6,}/.exec(page.text)?.[0] ?? null)
        : null),
  },
  {
    id: 'akamai-challenge',
    weight: 90,
    source: 'Akamai Bot Manager: sec-if-cpt-container, sec-cpt',
    find: (input) =>
      findId(input, ['sec-if-cpt-container', 'sec-cpt-if', 'sec-if-cpt-if']) ??
      (input.page.classes.has('sec-if-cpt-container') ? 'sec-if-cpt-container' : null) ??
      findAddress([...input.page.scriptAddresses, ...input.page.frames], /\/_sec\/cp_challenge\//),
  },
  {
    id: 'kasada-challenge',
    weight: 80,
    source: 'Kasada: KPSDK and ips.js in place of the page',
    find: (input) =>
      quoteScript(input, /\bKPSDK\s*(?:=|\.)/) ??
      findAddress(input.page.scriptAddresses, /\/ips\.js(?:\?|$)/),
  },
  {
    id: 'siteground-challenge',
    role: 'certain',
    weight: 90,
    source: "SiteGround's check: the header sg-captcha, and a refresh to /.well-known/sgcaptcha",
    find: ({ header }) =>
      /challenge/i.test(header('sg-captcha') ?? '') ? `sg-captcha: ${header('sg-captcha')}` : null,
  },
  {
    id: 'fastly-challenge',
    weight: 80,
    source: "Fastly's client challenge: a script below /_fs-ch-",
    find: (input) => findAddress(input.page.scriptAddresses, /\/_fs-ch-\w/),
  },
  {
    id: 'vercel-challenge',
    weight: 80,
    source: 'vercel.com/docs/vercel-firewall: x-vercel-mitigated: challenge',
    find: ({ header }) =>
      /challenge/i.test(header('x-vercel-mitigated') ?? '') ? 'x-vercel-mitigated: challenge' : null,
  },
  {
    id: 'other-wall',
    weight: 70,
    source: 'Texts and machinery of F5, Sucuri, Radware, Vercel and Wordfence refusals',
    find: (input) =>
      quoteScript(input, /sucuri_cloudproxy_js|validate\.perfdrive\.com/) ??
      /the requested url was rejected\. please consult|sucuri website firewall|vercel security checkpoint|generated by wordfence/.exec(
        `${input.page.title}\n${input.page.text}`,
      )?.[0] ??
      (/deny/i.test(input.header('x-vercel-mitigated') ?? '') ? 'x-vercel-mitigated' : null),
  },
  {
    id: 'browser-check',
    role: 'supporting',
    weight: 40,
    source: 'A page without a shop that asks its visitor to prove being human: a captcha and nothing to buy',
    find: (input) => browserCheck(input),
  },
  {
    id: 'refused-as-the-page',
    role: 'supporting',
    weight: 60,
    source: "Refusals of firewalls without machinery: the title or the page's own heading says so",
    find: ({ page }) => [page.title, ...page.headings.slice(0, 1)].find((name) => REFUSED.test(name)) ?? null,
  },
  {
    id: 'browser-refused',
    role: 'supporting',
    weight: 40,
    source: 'A page without a shop that refuses its visitor',
    find: ({ page }) => REFUSED.exec(page.text.slice(0, 4000))?.[0] ?? null,
  },
  {
    id: 'check-as-the-page',
    role: 'supporting',
    weight: 60,
    source:
      "Shopify's checkpoint and its kin: the check or refusal is the page's own heading, in the dress of the shop",
    find: (input) =>
      [input.page.title, ...input.page.headings.slice(0, 1)].find((name) => HUMAN_CHECK.test(name)) ??
      captchaAlone(input),
  },
]);

/** A captcha widget on a page with nothing else to fill in or to read. */
function captchaAlone({ page, shop }: SignInput): string | null {
  if (shop.ownContent === 'rich' || page.ownFields > 0 || shop.prices > 0) return null;
  return (
    ['g-recaptcha', 'h-captcha', 'cf-turnstile', 'frc-captcha'].find((name) => page.classes.has(name)) ?? null
  );
}

function browserCheck(input: SignInput): string | null {
  const { page } = input;
  const widget =
    ['g-recaptcha', 'h-captcha', 'cf-turnstile', 'frc-captcha'].find((name) => page.classes.has(name)) ??
    // A captcha script alone can run in the background; on a page without other text it is the check.
    findAddress(
      page.addressedText.length < 30 ? [...page.frames, ...page.scriptAddresses] : page.frames,
      /recaptcha\/(?:api|enterprise)|hcaptcha\.com|challenges\.cloudflare\.com\/turnstile|funcaptcha|arkoselabs/,
    );
  return widget ?? HUMAN_CHECK.exec(page.text.slice(0, 4000))?.[0] ?? null;
}
