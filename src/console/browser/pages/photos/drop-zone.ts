import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { t } from '../../app/language.ts';
import { Icon } from '../../components/icon.ts';

/** Pictures are dropped here, or chosen. */
export function DropZone({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return html`
    <label
      class=${isOver ? 'drop-zone is-over' : 'drop-zone'}
      onDragEnter=${over}
      onDragOver=${over}
      onDragLeave=${() => setOver(false)}
      onDrop=${(event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        onFiles(event.dataTransfer?.files ?? []);
      }}
    >
      <${Icon} name="photos" size=${24} />
      <strong>${t.photos.choose}</strong>
      <span class="quiet small">${t.photos.chooseHint}</span>
      <input
        type="file"
        class="visually-hidden"
        accept="image/jpeg,image/png,image/webp,image/gif"
        multiple
        onChange=${(event: Event) => {
          const input = event.currentTarget as HTMLInputElement;
          onFiles([...(input.files ?? [])]);
          input.value = '';
        }}
      />
    </label>
  `;
}
