import { html, type Html } from '../html';
import { drawDocument } from '../page';

const AUTHORIZE_STYLE = `
main{max-width:520px}
form{display:grid;gap:10px}
form button{width:100%;justify-content:flex-start;gap:10px;padding-block:10px;text-align:left}
form small{color:var(--soft);font-weight:400;overflow-wrap:anywhere}`;

function page(body: Html): Html {
  return drawDocument({
    title: 'Sign in with Discord (sandbox)',
    style: AUTHORIZE_STYLE,
    body: html`<body>
      <main class="wrap">${body}</main>
    </body>`,
  });
}

/** The consent page with a button per persona. `query`: the request's parameters, repeated in the form's action. */
export function drawAuthorize(
  people: readonly { key: string; label: string; note: string }[],
  { query, scopes, returnsTo }: { query: string; scopes: readonly string[]; returnsTo: string },
): Html {
  return page(
    html`<section class="card">
      <h1>Sign in with Discord</h1>
      <p class="soft">
        This is the sandbox’s stand-in. An application asks for ${scopes.join(' and ')} and returns to
        ${returnsTo}.
      </p>
      <form method="post" action="/oauth2/authorize?${query}">
        ${people.map(
          ({ key, label, note }) =>
            html`<button name="persona" value="${key}" id="persona-${key}">
              <span>${label}<br /><small>${note}</small></span>
            </button>`,
        )}
        <button name="persona" value="deny" id="persona-deny">Deny</button>
      </form>
    </section>`,
  );
}

/** The page that Discord shows instead of redirecting when the application's request is invalid. */
export function drawRefusal(reason: string): Html {
  return page(html`<section class="card"><h1>${reason}</h1></section>`);
}
