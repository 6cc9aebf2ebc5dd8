import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApiFailure } from '#console/app/api.ts';
import { goTo, linkTo, replaceQuery } from '#console/app/router.ts';
import type { ViewProps } from '#console/app/router.ts';
import { signIn } from '#console/app/session.ts';
import { FailureNote } from '#console/parts/failure.ts';

/** Signs in by the link that the first start prints; its token leaves the address bar before anything else. */
export function Welcome({ query }: ViewProps): VNode {
  const [token] = useState(query['token'] ?? '');
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const isEmpty = token === '';
  useEffect(() => {
    replaceQuery({});
    if (!isEmpty) void use();
  }, []);

  async function use(): Promise<void> {
    const refused = await signIn({ token });
    setFailure(refused);
    if (refused === null) goTo('/');
  }

  return html`<section class="sign-in">
    <p class="brand"><span class="mark" aria-hidden="true"></span>Quern</p>
    <h1 tabIndex=${-1}>Welcome</h1>
    ${!isEmpty && failure === null ? html`<p class="loading" aria-busy="true">Signing in …</p>` : null}
    ${
      failure === null
        ? null
        : html`<${FailureNote} failure=${failure} />
            <p>
              A link signs in once, within ten minutes. <code>quern console</code> prints a new one where the service
              runs; or use a key.
            </p>`
    }
    ${isEmpty || failure !== null ? html`<p><a class="button primary" href=${linkTo('/sign-in')}>Sign in with a key</a></p>` : null}
  </section>`;
}
