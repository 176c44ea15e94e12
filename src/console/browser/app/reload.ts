/**
 * After an upgrade the files of this version are gone, and the new page knows where its own are. Not again and again: a
 * file that is missing for another reason would reload for ever.
 */
export function reloadOnce(): void {
  const [key, minute] = ['maitred.reloaded', String(Math.floor(Date.now() / 60_000))];
  if (!navigator.onLine || sessionStorage.getItem(key) === minute) return;
  sessionStorage.setItem(key, minute);
  location.reload();
}
