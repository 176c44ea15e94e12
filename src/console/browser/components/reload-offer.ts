import { html } from 'htm/preact';
import type { ApiProblem } from '../app/api.ts';
import { t } from '../app/language.ts';

export interface ReloadOfferProps {
  problem: ApiProblem | undefined;
  onReload: () => void;
}

/** What was edited has been changed by another person: what was typed stays until its author gives it up. */
export const ReloadOffer = ({ problem, onReload }: ReloadOfferProps) =>
  problem?.status === 412
    ? html`<div class="row"><button type="button" class="button" onClick=${onReload}>${t.shop.loadCurrent}</button></div>`
    : null;
