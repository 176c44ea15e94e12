/** What needs several steps in the right order to succeed, and so would never be reached by chance. */
import { deskStories } from './desk.ts';
import { partnerStories } from './partners.ts';
import { peopleStories } from './people.ts';
import { platformStories } from './platform.ts';
import type { Teller } from './tell.ts';

const STORIES = { peopleStories, deskStories, partnerStories, platformStories };

/** What one needs may be gone, as the victim is ruined meanwhile; the others go on. */
export async function tellStories(teller: Teller): Promise<void> {
  for (const [name, story] of Object.entries(STORIES))
    await story(teller).catch((error: Error) => teller.results.steps.set(name, error.message));
}
