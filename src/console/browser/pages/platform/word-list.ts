import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ManagedVenueType as Word } from '../../../../features/venues/manage/venue-schema.ts';
import { act } from '../../app/act.ts';
import { api, path } from '../../app/api.ts';
import { dataName } from '../../app/data-name.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { EditDialog, type Edited, FormFoot } from '../../components/edit-dialog.ts';
import { TextField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { Empty, Loading, Problem } from '../../components/notice.ts';

/** Words with their slugs: add, rename, remove what is not used. */
export function WordList({ base, title }: { base: string; title: string }) {
  const loaded = useLoad(() => api.get<{ data: Word[] }>(base), [base]);
  const [renamed, setRenamed] = useState<Word>();
  const at = ({ slug }: Word) => `${base}${path`/${slug}`}`;
  const remove = async (word: Word) => {
    const undo = async () => {
      await api.put(at(word), { name: word.name });
      await loaded.reload();
    };
    await act(() => api.remove(at(word)), t.vocabulary.removed(word.name), undo);
    await loaded.reload();
  };
  return html`
    <section class="panel">
      <h2>${title}</h2>
      <${AddWord} base=${base} known=${loaded.data?.data ?? []} onKnown=${setRenamed} onSaved=${() => loaded.reload()} />
      <${Loading} loaded=${loaded}>
        ${({ data }: { data: Word[] }) =>
          data.length === 0
            ? html`<${Empty} title=${t.vocabulary.none} text=${t.vocabulary.noneText} />`
            : html`<ul class="invites">
                ${data.map(
                  (word) => html`
                    <li key=${word.slug}>
                      <div class="person">
                        <span>${word.name}</span>
                        <p class="small quiet break"><code>${word.slug}</code></p>
                      </div>
                      <button
                        type="button"
                        class="button quiet icon-only"
                        aria-label=${t.vocabulary.renameOf(word.name)}
                        onClick=${() => setRenamed(word)}
                      >
                        <${Icon} name="edit" size=${18} />
                      </button>
                      <button
                        type="button"
                        class="button quiet icon-only"
                        aria-label=${t.vocabulary.removeOf(word.name)}
                        onClick=${() => remove(word)}
                      >
                        <${Icon} name="trash" size=${18} />
                      </button>
                    </li>
                  `,
                )}
              </ul>`}
      <//>
      ${
        renamed &&
        html`<${EditDialog} title=${t.vocabulary.renameOf(renamed.name)} at=${at(renamed)} onClose=${() => setRenamed(undefined)}>
          ${(edited: Edited<Word>) => html`
            <${RenameWord}
              ...${edited}
              at=${at(renamed)}
              onClose=${() => setRenamed(undefined)}
              onSaved=${() => loaded.reload()}
            />
          `}
        <//>`
      }
    </section>
  `;
}

interface AddProps {
  base: string;
  known: readonly Word[];
  /** Chosen where the word is there already: storing it would rename it unasked. */
  onKnown: (word: Word) => void;
  onSaved: () => Promise<void>;
}

function AddWord({ base, known, onKnown, onSaved }: AddProps) {
  const form = useForm({ name: '', slug: '' }, async ({ name, slug: chosen }) => {
    const slug = chosen || dataName(name);
    const same = known.find((word) => word.slug === slug);
    if (same) return onKnown(same);
    await api.put(`${base}${path`/${slug}`}`, { name });
    form.reset({ name: '', slug: '' });
    await onSaved();
  });
  const { values, set } = form;
  return html`
    <form onSubmit=${form.submit}>
      <div class="columns">
        <${TextField}
          label=${t.vocabulary.newName}
          required
          value=${values.name}
          errors=${form.errorsOf('name')}
          onInput=${(name: string) => set({ name })}
        />
        <${TextField}
          label=${t.vocabulary.slug}
          hint=${t.vocabulary.slugHint}
          placeholder=${dataName(values.name)}
          value=${values.slug}
          errors=${form.errorsOf('slug')}
          onInput=${(slug: string) => set({ slug })}
        />
      </div>
      <${Problem} problem=${form.problem} />
      <div>
        <button type="submit" class="button" disabled=${form.isSending}>
          <${Icon} name="plus" size=${16} /> ${t.common.add}
        </button>
      </div>
    </form>
  `;
}

interface RenameProps extends Edited<Word> {
  at: string;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

function RenameWord({ data, ifMatch, readAgain, at, onClose, onSaved }: RenameProps) {
  const form = useForm({ name: data.name }, async (values) => {
    await api.put(at, values, { ifMatch });
    onClose();
    await onSaved();
  });
  return html`
    <form onSubmit=${form.submit}>
      <${TextField}
        label=${t.common.name}
        required
        value=${form.values.name}
        errors=${form.errorsOf('name')}
        onInput=${(name: string) => form.set({ name })}
      />
      <${FormFoot} form=${form} onClose=${onClose} readAgain=${readAgain} />
    </form>
  `;
}
