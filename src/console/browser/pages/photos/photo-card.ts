import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../app/language.ts';
import { DragHandle } from '../../components/drag-handle.ts';
import { TextField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { addressHere, type Photo } from './restore.ts';

export interface PhotoCardProps {
  photo: Photo;
  index: number;
  count: number;
  mayEdit: boolean;
  onCaption: (caption: string | null) => void;
  onRemove: () => void;
  onMove: (from: number, to: number) => void;
  onDrop: () => void;
}

export function PhotoCard(props: PhotoCardProps) {
  const { photo, index, count, mayEdit, onCaption, onRemove, onMove, onDrop } = props;
  const [isMissing, setMissing] = useState(false);
  const [text, setText] = useState(photo.caption ?? '');
  useEffect(() => setText(photo.caption ?? ''), [photo.caption]);
  const name = photo.caption ?? t.photos.number(index + 1);
  return html`
    <li class="photo" data-place=${index}>
      <div class="photo-frame">
        ${
          isMissing
            ? html`<p class="quiet small"><${Icon} name="photos" /> ${t.photos.missing}</p>`
            : html`<img src=${addressHere(photo) ?? photo.url} alt=${name} loading="lazy" draggable=${false} onError=${() => setMissing(true)} />`
        }
        ${index === 0 && html`<span class="tag">${t.photos.first}</span>`}
      </div>
      ${
        mayEdit
          ? html`
            <${TextField}
              label=${t.photos.caption}
              maxlength="500"
              placeholder=${t.photos.captionHint}
              value=${text}
              onInput=${setText}
              onChange=${() => text.trim() !== (photo.caption ?? '') && onCaption(text.trim() || null)}
            />
            <div class="row">
              <${DragHandle} name=${name} index=${index} count=${count} onMove=${onMove} onDrop=${onDrop} />
              <span class="quiet small">${photo.width && photo.height ? `${photo.width} × ${photo.height}` : ''}</span>
              <button type="button" class="button quiet icon-only push" aria-label=${t.photos.remove(name)} title=${t.common.remove} onClick=${onRemove}>
                <${Icon} name="trash" />
              </button>
            </div>
          `
          : html`<p>${photo.caption}</p>`
      }
    </li>
  `;
}
