import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { BrandMark } from '../../components/brand.ts';

/** The pages without a session are one card in the middle. */
export const Card = ({ title, children }: { title: string; children: ComponentChildren }) => html`
  <main class="card-page" id="page">
    <div class="card">
      <${BrandMark} />
      <h1>${title}</h1>
      ${children}
    </div>
  </main>
`;

/** Tokens come behind the `#` of the link in the mail, which browsers send nowhere. */
export const tokenIn = (hash: string) => new URLSearchParams(hash.slice(1)).get('token') ?? '';
