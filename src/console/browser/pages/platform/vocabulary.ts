import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { WordList } from './word-list.ts';

/** The words that all operators sort their venues and products by. */
const VocabularyPage = () => html`
  <div class="page">
    <div class="page-head">
      <h1>${t.pages.vocabulary}</h1>
      <p>${t.vocabulary.about}</p>
    </div>
    <div class="columns">
      <${WordList} base="/manage/venue-types" title=${t.vocabulary.venueTypes} />
      <${WordList} base="/manage/product-categories" title=${t.vocabulary.productCategories} />
    </div>
  </div>
`;
export default VocabularyPage;
