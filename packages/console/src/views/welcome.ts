import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApiFailure } from '#console/app/api.ts';
import { goTo, linkTo, replaceQuery, type ViewProps } from '#console/app/router.ts';
import { session, signIn } from '#console/app/session.ts';
import { FailureNote } from '#console/parts/view-states.ts';

/**
 * Signs in with the link that the first start prints. The token is removed from the address bar first. A reader who is
 * signed in already must confirm, so that a link from somebody else cannot switch the tenant unnoticed.
 */
export function Welcome({ query }: ViewProps): VNode {
  const [token] = useState(query['token'] ?? '');
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [who] = useState(session.peek());
  const isEmpty = token === '';
  const [isAsking, setAsking] = useState(!isEmpty && who !== null);
  useEffect(() => {
    replaceQuery({});
    if (!isEmpty && !isAsking) void use();
  }, []);

  async function use(): Promise<void> {
    setAsking(false);
    const refused = await signIn({ token });
    setFailure(refused);
    if (refused === null) goTo('/');
  }

  return html`<section class="sign-in">
    <p class="brand"><span class="mark" aria-hidden="true"></span>Quern</p>
    <h1 tabIndex=${-1}>Welcome</h1>
    ${
      isAsking && who !== null && who !== 'unknown'
        ? html`<p>You are signed in as <bdi>${who.tenant}</bdi>. The link may belong to another tenant.</p>
            <p class="actions">
              <button type="button" class="primary" onClick=${() => void use()}>Sign in with the link</button>
              <a class="button" href=${linkTo('/')}>Stay</a>
            </p>`
        : null
    }
    ${!isEmpty && !isAsking && failure === null ? html`<p class="loading" aria-busy="true">Signing in …</p>` : null}
    ${
      failure === null
        ? null
        : html`<${FailureNote} failure=${failure} />
            <p>
              A link works once, within ten minutes. <code>quern console</code>, run on the machine of the service,
              prints a new one; or sign in with a key.
            </p>`
    }
    ${isEmpty || failure !== null ? html`<p><a class="button primary" href=${linkTo('/sign-in')}>Sign in with a key</a></p>` : null}
  </section>`;
}
