import { html } from 'htm/preact';
import { useRef, useState } from 'preact/hooks';
import type { PhotoList, Upload } from '../../../../features/media/schema.ts';
import { api, path } from '../../app/api.ts';
import { sayRefusal, useDocument } from '../../app/document.ts';
import { useForm } from '../../app/form.ts';
import { momentOf } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { replaced, without } from '../../app/order.ts';
import { useReorder } from '../../app/reorder.ts';
import type { PageProps } from '../../app/router.ts';
import { may, operatorOf } from '../../app/session.ts';
import { say } from '../../app/toasts.ts';
import { Confirm } from '../../components/dialog.ts';
import { TextField } from '../../components/field.ts';
import { Empty, Loading, Problem } from '../../components/notice.ts';
import { Section } from '../../components/section.ts';
import { DropZone } from './drop-zone.ts';
import { PhotoCard } from './photo-card.ts';
import { bytesOf, isUploaded, type Photo, restore } from './restore.ts';
import { TaskList } from './task-list.ts';
import { dropUpload } from './upload.ts';
import { useUploads } from './use-uploads.ts';

export default function Photos({ params }: PageProps) {
  const venueId = params.venueId ?? '';
  const mayEdit = may(operatorOf(venueId), 'manager');
  const document = useDocument<PhotoList>(path`/manage/venues/${venueId}/photos`);
  const unfinished = useLoad(
    () => api.get<{ data: Upload[] }>(path`/manage/venues/${venueId}/uploads`),
    [venueId],
  );
  const reload = () => Promise.all([document.reload(), unfinished.reload()]);
  const uploading = useUploads(venueId, reload);
  const [doomed, setDoomed] = useState<Photo>();
  const photos = document.data?.data.data ?? [];
  const latest = useRef(photos);
  latest.current = photos;
  const save = (data: Photo[]) => document.save({ data });
  const order = useReorder<Photo>(photos, (next) => save(next).catch(sayRefusal));

  /** A picture that is kept here goes for good, so its bytes are kept until it is too late to undo. */
  async function remove(photo: Photo): Promise<void> {
    const bytes = await bytesOf(photo);
    if (isUploaded(photo) && !bytes) setDoomed(photo);
    else await takeOut(photo, bytes);
  }
  async function takeOut(photo: Photo, bytes: Blob | undefined): Promise<void> {
    const at = latest.current.findIndex(({ id }) => id === photo.id);
    if (at < 0) return;
    const undo = async () => {
      await restore({ venueId, photo, bytes, at });
      await reload();
    };
    try {
      await save(without(latest.current, at));
      say(t.photos.removed, isUploaded(photo) && !bytes ? undefined : undo);
    } catch (error) {
      sayRefusal(error);
    }
  }
  const rest = (unfinished.data?.data ?? []).filter(() => uploading.tasks.every(({ problem }) => problem));

  return html`
    <div class="page">
      <header class="page-head">
        <h1>${t.pages.photos}</h1>
        <p>${t.photos.about}</p>
      </header>
      ${
        mayEdit &&
        html`
          <${DropZone} onFiles=${(files: Iterable<File>) => uploading.add(files, unfinished.data?.data ?? [])} />
          <${TaskList} tasks=${uploading.tasks} onStop=${uploading.stop} />
          <${Unfinished}
            uploads=${rest}
            onDrop=${(upload: Upload) => dropUpload(venueId, upload.uploadId).then(unfinished.reload, sayRefusal)}
          />
        `
      }
      <${Loading} loaded=${document}>
        ${() =>
          photos.length === 0
            ? html`<${Empty} title=${t.photos.empty} text=${t.photos.emptyText} />`
            : html`
              <ol class="photo-grid" data-places>
                ${order.shown.map(
                  (photo, index) => html`
                    <${PhotoCard}
                      key=${photo.id}
                      photo=${photo}
                      index=${index}
                      count=${photos.length}
                      mayEdit=${mayEdit}
                      onCaption=${(caption: string | null) =>
                        save(replaced(photos, index, { ...photo, caption })).catch(sayRefusal)}
                      onRemove=${() => remove(photo)}
                      onMove=${order.onMove}
                      onDrop=${order.onDrop}
                    />
                  `,
                )}
              </ol>
            `}
      <//>
      ${mayEdit && html`<${AddByAddress} onAdd=${(url: string) => save([...photos, { url } as Photo])} />`}
      ${
        doomed &&
        html`
          <${Confirm}
            title=${t.photos.removeForGood}
            text=${t.photos.removeForGoodText}
            action=${t.common.remove}
            onClose=${() => setDoomed(undefined)}
            onConfirm=${() => {
              setDoomed(undefined);
              takeOut(doomed, undefined);
            }}
          />
        `
      }
    </div>
  `;
}

/** For pictures that are kept elsewhere. */
function AddByAddress({ onAdd }: { onAdd: (url: string) => Promise<void> }) {
  const form = useForm({ url: '' }, async ({ url }) => {
    await onAdd(url.trim());
    form.reset({ url: '' });
  });
  return html`
    <${Section} title=${t.photos.byAddress} summary=${t.photos.byAddressText}>
      <form onSubmit=${form.submit}>
        <${TextField}
          label=${t.photos.address}
          hint=${t.photos.addressHint}
          type="url"
          required
          placeholder="https://"
          value=${form.values.url}
          onInput=${(url: string) => form.set({ url })}
        />
        <${Problem} problem=${form.problem} />
        <div class="row">
          <button type="submit" class="button" disabled=${form.isSending}>${t.common.add}</button>
        </div>
      </form>
    <//>
  `;
}

interface UnfinishedProps {
  uploads: readonly Upload[];
  onDrop: (upload: Upload) => void;
}

/** Uploads of an earlier visit: the page cannot read the file again by itself. */
const Unfinished = ({ uploads, onDrop }: UnfinishedProps) =>
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
