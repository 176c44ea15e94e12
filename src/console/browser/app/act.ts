import { say, sayProblem } from './toasts.ts';

/** Carries out a write and says that it was done, or why not. True: it was done. */
export async function act(
  write: () => Promise<unknown>,
  told?: string,
  undo?: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await write();
  } catch (error) {
    sayProblem(error);
    return false;
  }
  if (told !== undefined) say(told, undo);
  return true;
}
