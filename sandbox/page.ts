import { html, trusted, type Html } from './html';

/** The style of the panel, which all pages for people share, light and dark. */
const STYLE = `
:root{color-scheme:light dark;--page:oklch(.968 .01 88);--surface:oklch(.993 .004 88);--sunken:oklch(.945 .012 86);--line:oklch(.875 .014 84);
--ink:oklch(.235 .03 268);--soft:oklch(.455 .026 268);--brand:oklch(.47 .19 272);--brand-ink:oklch(.985 .005 272);
--open:oklch(.475 .12 155);--open-wash:oklch(.945 .045 155);--room:oklch(.52 .19 22);--room-wash:oklch(.945 .04 22);
--wall:oklch(.49 .085 75);--wall-wash:oklch(.945 .045 85)}
@media (prefers-color-scheme:dark){:root{--page:oklch(.165 .022 272);--surface:oklch(.212 .026 272);--sunken:oklch(.14 .02 272);--line:oklch(.32 .028 272);
--ink:oklch(.955 .008 272);--soft:oklch(.745 .022 272);--brand:oklch(.76 .13 275);--brand-ink:oklch(.18 .05 272);
--open:oklch(.83 .15 158);--open-wash:oklch(.29 .055 158);--room:oklch(.76 .16 25);--room-wash:oklch(.3 .08 22);
--wall:oklch(.84 .12 85);--wall-wash:oklch(.3 .05 80)}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:400 1rem/1.5 "Hanken Grotesk Variable",system-ui,sans-serif;font-variant-numeric:tabular-nums}
h1,h2,h3,h4{font-family:"Bricolage Grotesque Variable",system-ui,sans-serif;line-height:1.15;letter-spacing:-.02em;margin:0}
h1{font-size:1.35rem}h2{font-size:1.35rem;display:flex;flex-wrap:wrap;gap:10px;align-items:center}h3{font-size:1.1rem;display:flex;gap:10px;align-items:center}h4{font-size:1rem;letter-spacing:-.01em}
p{margin:0}a{color:var(--brand);text-underline-offset:.15em}ol,ul{margin:0;padding:0;list-style:none}code,pre{font:400 .84rem/1.5 ui-monospace,monospace}
.wrap{width:min(1240px,100% - 32px);margin-inline:auto}
header{border-bottom:1px solid var(--line)}header .wrap{display:flex;flex-wrap:wrap;gap:10px 20px;align-items:center;padding-block:14px}
header p{flex:1 1 240px}header form{margin:0}
main{display:grid;gap:22px;padding-block:22px 56px}main>*{min-width:0}
.soft,.note,.foot,.setno,.edited,time{color:var(--soft)}.note,.foot,.setno,.edited,time,.author{font-size:.84rem}time small{font-size:.75em}
.card{background:var(--surface);border:1px solid var(--line);border-radius:20px;padding:20px;min-width:0;box-shadow:0 12px 32px -24px oklch(.2 .05 268/.4)}
.card>*+*{margin-top:14px}
.state{display:inline-flex;padding:3px 12px;border-radius:999px;font:650 .9rem/1.5 system-ui,sans-serif;letter-spacing:0;color:var(--wall);background:var(--wall-wash)}
.state.open{color:var(--open);background:var(--open-wash)}.state.room{color:var(--room);background:var(--room-wash)}
.count{padding:0 9px;border:1px solid var(--line);border-radius:999px;font:500 .84rem/1.6 system-ui,sans-serif;color:var(--soft)}
.pockets{display:grid;gap:12px;padding:12px;background:var(--sunken);border:1px solid var(--line);border-radius:22px;grid-template-columns:repeat(auto-fit,minmax(min(100%,230px),1fr))}
.pocket{display:flex;flex-wrap:wrap;align-content:flex-start;gap:8px;min-width:0;margin:0;padding:8px 14px 14px;border:1px solid var(--line);border-radius:14px;background:var(--surface)}
legend{padding:0 6px;font-size:.84rem;color:var(--soft)}
button,.button{display:inline-flex;align-items:center;min-height:40px;padding:0 14px;border:1px solid var(--line);border-radius:10px;background:var(--surface);color:var(--ink);font-family:inherit;font-size:.92rem;font-weight:600;line-height:1.2;text-decoration:none;cursor:pointer}
button:hover,.button:hover{border-color:var(--ink)}button[aria-pressed=true]{background:var(--brand);border-color:transparent;color:var(--brand-ink)}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
.with{display:flex;flex-wrap:wrap;gap:8px 22px;margin-top:12px;align-items:center}label{display:inline-flex;gap:8px;align-items:center;min-height:40px}
input[type=number]{width:7.5em;min-height:40px;padding:0 10px;border:1px solid var(--line);border-radius:10px;background:var(--sunken);color:inherit;font:inherit}
.buttons{display:flex;flex-wrap:wrap;gap:8px;margin-top:10px}
summary{cursor:pointer;min-height:32px;padding-block:4px;color:var(--soft);font-size:.92rem}summary strong{color:var(--ink)}
.empty{padding:18px;border:1px dashed var(--line);border-radius:14px;color:var(--soft)}
.row-title{display:flex;flex-wrap:wrap;gap:10px 14px;align-items:center;margin-bottom:14px}.row-title h2{margin-right:auto}
.channels{display:grid;gap:16px;align-items:start;grid-template-columns:repeat(auto-fill,minmax(min(100%,370px),1fr))}
.channel>details{margin-top:8px}
.messages{display:grid;gap:18px;max-height:640px;overflow:auto;scrollbar-width:thin}
.message{display:grid;grid-template-columns:38px minmax(0,1fr);gap:12px;overflow-wrap:anywhere}.message.deleted .said{opacity:.55;text-decoration:line-through}
.face{width:38px;height:38px;border-radius:50%;display:grid;place-items:center;background:var(--brand);color:var(--brand-ink);font-weight:700}
.said{display:grid;gap:6px;justify-items:start}.said>*{max-width:100%}.by{display:flex;flex-wrap:wrap;gap:2px 8px;align-items:baseline}
.app{padding:0 6px;border-radius:5px;background:var(--brand);color:var(--brand-ink);font:650 .7rem/1.6 system-ui,sans-serif}
.mention{padding:0 4px;border-radius:4px;background:color-mix(in oklch,var(--brand) 18%,transparent);color:var(--brand)}
.embed{position:relative;width:100%;max-width:480px;overflow:hidden;border:1px solid var(--line);border-radius:10px;background:var(--sunken)}
.bar{position:absolute;inset:0 auto 0 0;width:5px;height:100%}.embed-body{display:grid;gap:8px;padding:12px 14px 12px 19px}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,130px),1fr));gap:8px 12px;margin:0}dl .row{grid-column:1/-1}dt{font-weight:650;font-size:.88rem}dd{margin:0}
.setno{display:flex;justify-content:space-between;gap:12px;width:100%}
.history{display:grid;gap:12px;padding-left:12px;border-left:2px solid var(--line)}
.content time,.description time,dd time{color:inherit;font-size:inherit;padding:0 3px;border-radius:4px;background:color-mix(in oklch,var(--ink) 9%,transparent)}
.waiting{display:grid;gap:4px;overflow-wrap:anywhere}.url{overflow-wrap:anywhere;user-select:all}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.88rem}th,td{text-align:left;padding:5px 14px 5px 0;border-bottom:1px solid var(--line);white-space:nowrap}th{font-weight:600;color:var(--soft)}
.agent{color:var(--soft)}
.mails{display:grid;gap:6px}.mails>li{padding:4px 14px;border:1px solid var(--line);border-radius:14px}.mails summary{overflow-wrap:anywhere}
pre{margin:8px 0;padding:12px;border-radius:10px;background:var(--sunken);white-space:pre-wrap;overflow-wrap:anywhere;max-height:420px;overflow:auto}
iframe{width:100%;height:260px;border:1px solid var(--line);border-radius:10px;background:#fff}
.pair{display:grid;gap:16px;align-items:start;grid-template-columns:repeat(auto-fit,minmax(min(100%,370px),1fr))}
.stripe .buttons{margin-top:0}.stripe button{min-height:34px}.stripe .scroll .buttons{flex-wrap:nowrap}.stripe .scroll{margin-top:14px}.row-title .clock{margin-right:auto}
@media (max-width:560px){.card{padding:16px}}`;

/**
 * A complete page.
 * @param style CSS beside the common style
 * @param body the body element
 */
export function drawDocument({
  title,
  style = '',
  body,
}: {
  title: string;
  style?: string;
  body: Html;
}): Html {
  return html`<!DOCTYPE html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${trusted(STYLE + style)}
        </style>
      </head>
      ${body}
    </html>`;
}
