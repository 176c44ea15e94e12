import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ManagedMenu } from '../../../../features/venues/preorders/schema.ts';
import { api, path, type Tagged } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { useLeaveGuard } from '../../app/leave-guard.ts';
import { useLoad } from '../../app/load.ts';
import { replaced, without } from '../../app/order.ts';
import { useReorder } from '../../app/reorder.ts';
import { say } from '../../app/toasts.ts';
import { BackLink } from '../../components/back-link.ts';
import { TextArea, TextField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { Loading, Problem } from '../../components/notice.ts';
import {
  draftOfMenu,
  type ItemDraft,
  type MenuDraft,
  menuBody,
  newItem,
  newMenu,
  type Using,
} from './drafts.ts';
import { ItemEntry } from './item-entry.ts';
import { RemovePreorder } from './remove-preorder.ts';

export interface MenuEditorProps {
  venueId: string;
  /** `new`, or its id. */
  menuId: string;
  users: readonly Using[];
  mayEdit: boolean;
  onClose: () => void;
  onDone: () => Promise<void>;
}

export function MenuEditor(props: MenuEditorProps) {
  const { venueId, menuId } = props;
  const isNew = menuId === 'new';
  const at = path`/manage/venues/${venueId}/menus/${menuId}`;
  const loaded = useLoad(async (): Promise<Tagged<MenuDraft>> => {
    if (isNew) return { data: newMenu(), etag: null };
    const { data, etag } = await api.getTagged<ManagedMenu>(at);
    return { data: draftOfMenu(data), etag };
  }, [at]);
  return html`
    <${Loading} loaded=${loaded}>
      ${({ data, etag }: Tagged<MenuDraft>) => html`<${MenuFields} ...${props} isNew=${isNew} draft=${data} etag=${etag} at=${at} key=${etag} onReload=${loaded.reload} />`}
    <//>
  `;
}

interface FieldsProps extends MenuEditorProps {
  isNew: boolean;
  draft: MenuDraft;
  etag: string | null;
  at: string;
  onReload: () => void;
}

function MenuFields({
  venueId,
  users,
  mayEdit,
  onClose,
  onDone,
  isNew,
  draft,
  etag,
  at,
  onReload,
}: FieldsProps) {
  const form = useForm<MenuDraft>(draft, async (values) => {
    if (isNew) await api.post(path`/manage/venues/${venueId}/menus`, menuBody(values));
    else await api.put(at, menuBody(values), { ifMatch: etag });
    say(t.common.saved);
    await onDone();
  });
  const { values, set, errorsOf } = form;
  const [opened, setOpened] = useState(-1);
  useLeaveGuard(form.isChanged && !form.isSending);
  const order = useReorder<ItemDraft>(values.items, (items) => set({ items }));
  return html`
    <header class="page-head">
      <${BackLink} label=${t.pages.menus} isChanged=${form.isChanged} onBack=${onClose} />
      <h1>${isNew ? t.menus.newMenu : draft.name}</h1>
      ${users.length > 0 && html`<p>${t.menus.usedBy(users.map((user) => user.name).join(', '))}</p>`}
    </header>
    <form onSubmit=${form.submit} novalidate>
      <fieldset class="panel plain-set" disabled=${!mayEdit}>
        <div class="columns">
          <${TextField} label=${t.common.name} value=${values.name} errors=${errorsOf('name')} onInput=${(name: string) => set({ name })} />
          <${TextField} label=${t.menus.slug} hint=${t.menus.slugHint} value=${values.slug} errors=${errorsOf('slug')} onInput=${(slug: string) => set({ slug: slug || null })} />
        </div>
        <${TextArea}
          label=${t.menus.description}
          rows="2"
          value=${values.description}
          errors=${errorsOf('description')}
          onInput=${(description: string) => set({ description: description || null })}
        />
      </fieldset>
      <h2>${t.menus.dishes}</h2>
      ${values.items.length === 0 && html`<p class="panel quiet">${t.menus.noDishes}</p>`}
      <ol class="entries" data-places>
        ${order.shown.map(
          (item, index) => html`
            <${ItemEntry}
              key=${item.id ?? `new ${index}`}
              item=${item}
              index=${index}
              count=${values.items.length}
              mayEdit=${mayEdit}
              isOpen=${opened === index}
              onToggle=${() => setOpened(opened === index ? -1 : index)}
              errorsOf=${(field: string) => errorsOf(`items.${index}.${field}`)}
              onChange=${(next: ItemDraft) => set({ items: replaced(values.items, index, next) })}
              onRemove=${() => {
                setOpened(-1);
                set({ items: without(values.items, index) });
              }}
              onMove=${(from: number, to: number) => {
                setOpened(-1);
                order.onMove(from, to);
              }}
              onDrop=${order.onDrop}
            />
          `,
        )}
      </ol>
      ${
        mayEdit &&
        html`
          <div class="row">
            <button
              type="button"
              class="button"
              onClick=${() => {
                setOpened(values.items.length);
                set({ items: [...values.items, newItem(values.items.at(-1))] });
              }}
            >
              <${Icon} name="plus" /> ${t.menus.addDish}
            </button>
          </div>
          <${Problem} problem=${form.problem} onReload=${onReload} />
          <div class="editor-foot">
            <button type="submit" class="button primary" disabled=${form.isSending || !form.isChanged}>${t.common.save}</button>
            ${!isNew && html`<${RemovePreorder} name=${draft.name} at=${at} etag=${etag} users=${users} onDone=${onDone} />`}
          </div>
        `
      }
    </form>
  `;
}
