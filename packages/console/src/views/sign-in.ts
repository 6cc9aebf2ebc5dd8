import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '#console/app/api.ts';
import { goTo, currentLocation, type ViewProps } from '#console/app/router.ts';
import { signOutReason, signIn } from '#console/app/session.ts';
import { readControlValue } from '#console/parts/controls.ts';
import { FailureNote } from '#console/parts/view-states.ts';

/** Asks for an API key. After signing in, the reader stays at the current location. */
export function SignIn(_props: ViewProps): VNode {
  const [key, setKey] = useState('');
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function send(event: Event): Promise<void> {
    event.preventDefault();
    if (key.trim() === '') return;
    setBusy(true);
    const refused = await signIn({ api_key: key.trim() });
    setBusy(false);
    setFailure(refused);
    if (refused !== null) return;
    setKey('');
    if (currentLocation.peek().path === '/sign-in') goTo('/');
  }

  return html`<section class="sign-in">
    <p class="brand"><span class="mark" aria-hidden="true"></span>Quern</p>
    <h1 tabIndex=${-1}>Sign in</h1>
    ${signOutReason.value === '' ? null : html`<p class="note note-warn" role="status">${signOutReason.value}</p>`}
    <form onSubmit=${send}>
      <label for="key">API key</label>
      <input
        id="key"
        type="password"
        autocomplete="off"
        spellcheck=${false}
        placeholder="qk_…"
        value=${key}
        aria-describedby="key-help"
        onInput=${(event: Event) => setKey(readControlValue(event))}
      />
      <p class="help" id="key-help">
        The key is sent once to open a session, which ends after twelve hours without use. The browser does not store
        the key.
      </p>
      ${failure === null ? null : html`<${FailureNote} failure=${failure} />`}
      <button type="submit" class="primary" disabled=${isBusy}>${isBusy ? 'Signing in …' : 'Sign in'}</button>
    </form>
    <p class="help">
      No key yet? The first start of the service prints one, and a link that signs in once. An operator creates more in
      the console or with${' '}<code>quern keys create</code>. The <a href="/docs">documentation</a> needs no key.
    </p>
  </section>`;
}
