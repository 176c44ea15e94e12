import { html } from 'htm/preact';
import type { Upload } from '../../../../features/media/schema.ts';
import { momentOf } from '../../app/format.ts';
import { t } from '../../app/language.ts';

export interface UnfinishedProps {
  uploads: readonly Upload[];
  onDrop: (upload: Upload) => void;
}

/** Uploads of an earlier visit: the page cannot read the file again by itself. */
export const Unfinished = ({ uploads, onDrop }: UnfinishedProps) =>
  uploads.length === 0
    ? null
    : html`
      <section class="panel">
        <h2>${t.photos.unfinished}</h2>
        <p class="quiet small">${t.photos.unfinishedText}</p>
        <ul class="entries">
          ${uploads.map(
            (upload) => html`
              <li class="entry" key=${upload.uploadId}>
                <div class="entry-body">
                  <p>${t.photos.arrived(upload.received.length, upload.parts, (upload.sizeBytes / 1e6).toFixed(1))}</p>
                  <p class="quiet small">${t.photos.keptUntil(momentOf(upload.expiresAt))}</p>
                </div>
                <button type="button" class="button small" onClick=${() => onDrop(upload)}>${t.photos.drop}</button>
              </li>
            `,
          )}
        </ul>
      </section>
    `;
