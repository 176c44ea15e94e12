/**
 * What words mean in this field. Written without accents and in small letters, as questions are read. Each line is a
 * group: words for the same thing, in English, German and French, and after the bar words that point to it. Who asks
 * for Japanese food is shown ramen too; who asks for ramen is shown ramen first, then other Japanese places, and no
 * sushi for its own sake.
 */

export interface WordGroup {
  same: readonly string[];
  near: readonly string[];
  /** Whether who asks for one of the words after the bar may be shown the rest: ramen is Japanese, a pizza no family. */
  isWider: boolean;
}

const CUISINES = `
italian, italy, italienisch, italiener, italien, trattoria, osteria, ristorante | pizza, pizzeria, pasta, risotto, gnocchi, antipasti, aperitivo, tiramisu, carbonara, lasagne, lasagna, neapolitan, sicilian, sardinian, roman kitchen, cicchetti, burrata, prosecco, negroni
pizza, pizzeria, pizzas | neapolitan, calzone, wood fired, wood oven, sourdough crust, margherita, italian
japanese, japan, japanisch, japonais, izakaya | sushi, ramen, udon, soba, sashimi, tempura, yakitori, omakase, teppanyaki, katsu, bento, sake, miso, gyoza, robata, donburi
sushi | sashimi, omakase, nigiri, maki, japanese
ramen | noodles, tonkotsu, noodle, japanese
chinese, china, chinesisch, chinois, cantonese, sichuan, szechuan, hunan | dim sum, dumplings, bao, peking duck, hot pot, hotpot, noodles, xiao long bao, wok, char siu, mapo tofu
dim sum, yum cha | dumplings, bao, har gow, siu mai, cantonese, chinese
dumplings, dumpling | dim sum, gyoza, bao, pierogi
korean, korea, koreanisch, coreen | bibimbap, kimchi, bulgogi, korean barbecue, korean bbq, fried chicken, soju, banchan
korean bbq, korean barbecue | bulgogi, korean
thai, thailand, thailandisch, thailandais | pad thai, green curry, som tam, tom yum, massaman, laab
vietnamese, vietnam, vietnamesisch, vietnamien | pho, banh mi, summer rolls, bun cha
asian, asia, asiatisch, asiatique, pan asian | chinese, japanese, thai, vietnamese, korean, malaysian, indonesian, noodles
malaysian, malay, singaporean | laksa, nasi lemak, satay, roti canai, rendang
indian, india, indisch, indien, punjabi, keralan, kerala, goan, south indian, bengali | curry, curries, tandoori, biryani, dosa, dosas, thali, masala, naan, dal, paneer, tikka, samosa, chaat
curry, curries, curry house | indian, masala, tandoori, balti, thali, moilee, bangladeshi, thai
sri lankan | hoppers, kottu, curry
pakistani | karahi, nihari, biryani, seekh, curry
french, france, franzosisch, francais, francaise | bistro, brasserie, steak frites, confit, bouillabaisse, escargots, souffle, crepes, foie gras, boeuf bourguignon, sole meuniere, madeleines, coq au vin
spanish, spain, spanisch, espagnol, basque, catalan | tapas, paella, pintxos, jamon, iberico, sherry, croquetas, tortilla, sangria
tapas, pintxos | small plates, sharing plates, spanish, croquetas, sherry, basque
portuguese, portugal | bacalhau, piri piri, pastel de nata, vinho verde
greek, greece, griechisch, grec, taverna | souvlaki, gyros, moussaka, meze, mezze, feta, halloumi
turkish, turkey, turkisch, turc, anatolian, anatolia, ocakbasi | kebab, kebabs, adana, meze, mezze, pide, lahmacun, skewers, lamb ribs
kebab, kebabs, doner | skewers, adana, ocakbasi, shawarma, turkish, lamb ribs
lebanese, lebanon, libanesisch, libanais | mezze, meze, shawarma, falafel, hummus, tabbouleh, kibbeh
middle eastern, levantine, israeli, persian, iranian, syrian | mezze, meze, hummus, falafel, shawarma, shakshuka, lebanese, turkish
mezze, meze | lebanese, greek, turkish, small plates, hummus
moroccan, morocco, marokkanisch, marocain, north african | tagine, couscous, harissa
ethiopian, eritrean | injera, doro wat
african, west african, nigerian, ghanaian | jollof, suya, plantain, egusi, ethiopian, moroccan
caribbean, jamaican | jerk, jerk chicken, curry goat, rum, plantain, patties
mexican, mexico, mexikanisch, mexicain, taqueria | tacos, taco, burritos, burrito, margarita, margaritas, mezcal, tequila, quesadilla, guacamole, mole, enchiladas
tacos, taco | mexican, taqueria, tortillas
peruvian, peru | ceviche, pisco, nikkei, anticuchos
argentinian, argentine, argentina | steak, asado, empanadas, malbec, parrilla
brazilian, brazil | churrasco, rodizio, caipirinha, feijoada
american, usa, diner | burger, burgers, ribs, wings, milkshakes, barbecue, mac and cheese, brisket
burger, burgers, hamburger, cheeseburger | smash burger, patty, fries, american
barbecue, bbq, barbeque, smokehouse | brisket, ribs, burnt ends, pulled pork, smoker, smoked, grill, grilled, pit
creole, cajun, southern | gumbo, jambalaya, fried chicken, po boy
fried chicken | wings, chicken
chicken, hahnchen, poulet | fried chicken, wings, roast chicken, rotisserie, peri peri
german, germany, deutsch, deutsche, deutsches, allemand | schnitzel, spatzle, currywurst, bratwurst, wurst, sauerbraten, biergarten, beer garden, goulash, klopse, konigsberger klopse, knodel, brezel
austrian, austria, osterreichisch, viennese | schnitzel, strudel, tafelspitz
schnitzel | german, austrian, spatzle
currywurst, wurst, bratwurst, sausage | german, sausages
alsatian, alsace | choucroute, flammkuchen, tarte flambee
nordic, scandinavian, swedish, danish, norwegian, baltic | herring, smorrebrod, gravlax, meatballs, sea buckthorn, rye bread
polish, poland | pierogi, bigos, vodka
russian, georgian | khachapuri, khinkali, borscht, vodka
jewish, deli | bagels, bagel, salt beef, pastrami, latkes, matzo
bagel, bagels | salt beef, lox, bakery
british, english, modern british, england | sunday roast, pie, pies, fish and chips, game, scotch egg, gastropub, afternoon tea
scottish, scotland | haggis, whisky, langoustines, orkney, borders lamb, tattie scones
irish, ireland | guinness, stew
mediterranean, mittelmeer, mediterraneen | mezze, olive oil, greek, italian, spanish, turkish, provencal
fusion | nikkei, pan asian
hawaiian | poke
`;

const DISHES = `
steak, steaks, steakhouse, steak house, entrecote, chophouse | beef, dry aged, ribeye, rib of beef, cote de boeuf, tomahawk, sirloin, grill, charcoal, argentinian
grill, grillhouse, charcoal grill, rotisserie | charcoal, open fire, steak, barbecue, skewers, ribs
meat, fleisch, viande, carnivore | steak, beef, lamb, ribs, brisket, barbecue, charcuterie, grill
roast, roasts, sunday roast, sunday lunch, roast dinner | yorkshire pudding, gravy, gastropub
pie, pies | mash, gastropub, pastry
fish and chips, chippy | fish, haddock, cod, mushy peas
seafood, sea food, fish, fisch, poisson, fruits de mer, meeresfruchte, fish restaurant | oysters, oyster, mussels, lobster, crab, langoustines, turbot, scallops, day boat, prawns, sole, ceviche, fish and chips, plateau
oysters, oyster, austern, huitres | seafood, plateaux, oyster bar, plateau
lobster, langoustine, langoustines, crab | seafood, shellfish
mussels, moules, moules frites | seafood
noodles, noodle, noodle bar | ramen, udon, soba, pho, pad thai, hand pulled
soup | ramen, pho, broth
small plates, sharing plates, plates to share, share | tapas, mezze, boards to share
salad, salads, healthy, gesund | bowls, poke, juices, plant based, vegetables, wholefood
vegetables, gemuse, legumes | vegetarian, plant based, market garden, growers
sandwich, sandwiches, toastie | bagels, deli, toasted sandwiches
cheese, kase, fromage, fondue | raclette, cheeseboard, terrines
pancakes, crepes, crepe, creperie, waffles, galettes | brunch, maple
dessert, desserts, pudding, sweet tooth, cake, cakes, kuchen, gateau, patisserie, konditorei | ice cream, gelato, pastries, chocolate, tart, mousse, bakery, scones
ice cream, gelato, eis, glace | sorbet, dessert
hot chocolate, cocoa, heisse schokolade, chocolat chaud | chocolate
chocolate, schokolade, chocolat | hot chocolate, mousse, cocoa, dessert
bread, brot, pain, bakery, backerei, boulangerie, bakehouse | sourdough, croissants, pastries, bagels
coffee, kaffee, espresso, cafe, coffee shop, coffeehouse, kaffeehaus | flat white, filter coffee, roastery, cake, bakery
tea, tee, the vert, tea room, tea rooms, tearoom, teahouse, salon de the | scones, leaf tea, afternoon tea, tea room
afternoon tea, high tea, cream tea | scones, tea room, three tiers, cakes
breakfast, fruhstuck, petit dejeuner | brunch, eggs, porridge, pancakes, cafe, full english
brunch | breakfast, bottomless, pancakes, eggs, avocado, cafe
bottomless, bottomless brunch | prosecco, mimosas, unlimited, brunch
lunch, mittagessen, dejeuner, midday | set lunch, lunch formula
tasting menu, degustation, degustationsmenu, chef s table, chefs table, omakase | courses, nine courses, eight courses, seven courses, six courses, fine dining
`;

const DRINKS = `
wine, wines, wein, weine, vin, vins, wine list | wine bar, natural wine, sommelier, cellar, bottles, by the glass, riesling, wine pairings, growers
wine bar, wine bars, weinbar, weinstube, bar a vin, bar a vins, enoteca, vinotheque | natural wine, cellar, wines by the glass, cheese, sommelier
natural wine, natural wines, organic wine, orange wine, biodynamic, naturwein, vin nature, vin naturel | low intervention, growers, wine bar
cocktail, cocktails, cocktail bar, mixology, mixologist | negroni, martini, martinis, old fashioned, sours, spritz, speakeasy, bartender, long drinks, mezcal
gin, gins, gin bar | martini, juniper, cocktails
whisky, whiskey, whiskies, scotch | malts, bourbon, rye, distillery
beer, beers, bier, biere, ale, ales, craft beer, real ale, cask ale, brewery, brewpub, taproom, brauhaus | pub, pint, cider, beer garden, lager, ipa
beer garden, biergarten | outdoor seating, chestnut trees, beer
cider | orchards, pub
champagne, sparkling, prosecco, fizz, bubbles, sekt | oysters, wine bar
amaro, amari, vermouth, aperitif, aperitivo, spritz | bitter drinks, negroni, cocktail bar
drinks, drink, drinking, trinken, boire, apero, after work, after work drinks, happy hour | bar, cocktails, wine bar, pub, beer
alcohol free, non alcoholic, no alcohol, alkoholfrei, sans alcool, mocktails, sober | soft drinks, juices
`;

const PLACES = `
bar, bars, kneipe | cocktail bar, wine bar, pub
pub, pubs, gastropub, gastro pub, tavern, inn, local, boozer | cask ale, pint, real fires, sunday roast, beer
bistro, bistrot, bistros | neighbourhood, french, brasserie
brasserie, brasseries | french, bistro
club, nightclub, dancing, dance, dancefloor, dj, tanzen, danser | late night, live music, vinyl, disco
speakeasy, hidden bar, secret bar | unmarked, behind, cocktail bar, basement
rooftop, roof, roof terrace, dachterrasse, toit, sky bar, rooftops | terrace, view, skyline
terrace, terrasse, patio, garden, garten, jardin, outdoor, outdoors, outside, al fresco, alfresco, open air, outdoor seating, draussen, im freien, en plein air, exterieur, courtyard, hof | beer garden, rooftop, pavement tables, tables on the square, heated terrace, walled garden
view, views, aussicht, ausblick, vue, skyline, panorama, panoramic | rooftop, overlooking, terrace, floors up, waterside, looks across
waterside, river, riverside, canal, canalside, by the water, waterfront, quay, quayside, harbour, harbourside, lake, lakeside, seaside, am wasser, am fluss, au bord de l eau, thames, seine, spree, sea view, dockside | view of the seine, boats, balcony over the river, lock, basin
fireplace, open fire, log fire, fire, kamin, cheminee, real fires | cosy, stove
live music, live band, band, bands, gig, gigs, concert, concerts, music, musik, musique, livemusik, concert hall | jazz, blues, piano, stage, acts, club
jazz, jazz club, jazz bar | live music, quartet, piano, big band
piano, pianist | live music, jazz
show, entertainment, cabaret, comedy, performance | stage, live music, acts, supper club
theatre, pre theatre, pretheatre, opera, before the show, before the theatre | supper before the show, curtain, opera
late, late night, open late, after midnight, until late, spat, tard, nachts, late bar, midnight, small hours, night | late kitchen, until three, club
market, food market | market cooking, growers
hotel, hotel bar | rooms
museum, gallery | gallery
food hall, street food | canteen, stalls
event space, event venue, function room, venue hire, hire, party venue, eventlocation, veranstaltungsraum, salle de reception, banqueting, ballroom | private hire, private dining, capacity, square metres
private dining, private room, private rooms, private dining room, separee, nebenraum, salon prive, private, own room | event space, a door to close, chef s table, supper rooms
counter, counter seats, counter seating, bar seats, chef s counter, kitchen counter | open kitchen, stools, seats at
open kitchen | pass, kitchen without a wall, counter
fine dining, fine, michelin, michelin star, starred, gourmet, haute cuisine, gastronomique, gehobene kuche, sternekuche, upmarket, upscale, posh, fancy, luxury, luxurious, high end, elegant, smart, splurge | tasting menu, courses, sommelier, white cloths
`;

const DIETS = `
vegan, vegans, vegane, veganes, plant based, vegan friendly, vegetalien, pflanzlich, dairy free | vegetarian, entirely vegan, vegetables, meat free, without meat
vegetarian, vegetarians, veggie, vegetarisch, vegetarisches, vegetarien, vegetarienne, meat free, meatless, without meat, fleischlos, sans viande, no meat | vegan friendly, plant based, vegetables
halal, halal options, halal food, muslim friendly | halal kitchen
kosher, koscher, casher, kosher options | jewish, glatt
gluten free, glutenfree, coeliac, celiac, glutenfrei, sans gluten, gluten free options, no gluten, coeliacs | without gluten
allergies, allergy, allergen, nut free, nut allergy, dairy free, lactose free, laktosefrei, food intolerances | cannot eat, gluten free
organic, bio, biologique, okologisch | growers, seasonal, natural wine
seasonal, local produce, local food, farm to table, saisonal, regional, farm, locally sourced | growers, market garden, market cooking, allotment, produce
`;

const OCCASIONS = `
date night, date, romantic, romance, romantisch, romantique, valentine, valentines, valentine s day, first date, couple, couples, anniversary, jahrestag, engagement, propose, proposal, tete a tete, zu zweit, en amoureux, candlelit, candlelight, intimate, kerzenschein, chandelles | cosy, tasting menu, fine dining, wine bar, rooftop, cocktail bar, view
birthday, birthdays, bday, geburtstag, anniversaire, birthday party, birthday dinner | party, private dining, celebration, groups, event space, long table, sharing plates
party, parties, celebration, celebrate, celebrating, feier, feiern, fete, special occasion | event space, private dining, groups, cocktail bar, late night, live music
hen do, hen party, hen night, hens, bachelorette, bachelorette party, junggesellinnenabschied, girls night, girls night out, evjf | bottomless, cocktails, party, groups, private dining, late night, afternoon tea, dancing
stag do, stag party, stag night, stags, bachelor party, junggesellenabschied, evg, lads | steak, beer, pub, barbecue, party, groups, late night
wedding, wedding reception, hochzeit, mariage, weddings | event space, ballroom, private dining, banqueting
christening, baptism, taufe, bapteme, baby shower | event space, tea room, private dining, afternoon tea
funeral, wake | event space, private dining
graduation | celebration, family friendly, private dining
christmas party, christmas, xmas, weihnachtsfeier, noel, office party, work party, works do, team party, firmenfeier, staff party | event space, private dining, groups, party
group, groups, large group, large groups, big group, big groups, gruppe, gruppen, grosse gruppe, groupe, grand groupe, large party, big party, big table, everyone | long table, sharing plates, private dining, event space, boards to share
business lunch, business dinner, business, client, clients, client lunch, client dinner, corporate, geschaftsessen, geschaeftsessen, dejeuner d affaires, repas d affaires, working lunch, power lunch, impress a client, boss, colleagues | fine dining, private dining, quiet, set lunch, smart, steakhouse
meeting, meetings, conference, seminar, workshop, tagung, boardroom, product launch, launch | event space, private dining, projector
family, families, family friendly, kids, kid, children, child, child friendly, kid friendly, kinder, kinderfreundlich, familie, familienfreundlich, famille, enfants, baby, babies, toddler, toddlers, pram, high chair, pushchair, mum, parents, grandparents, in laws | children s, sandpit, playground, pizza, colouring
friends, mates, freunde, amis, catch up, catch up with friends | sharing plates, bar, small plates, pub
solo, alone, by myself, dining alone, on my own, allein, eating alone | counter, counter seats, noodles, bar seats
quiet, calm, peaceful, not loud, ruhig, ruhige, ruhiges, calme, tranquil, tranquille, low key, relaxed, hear each other, conversation, talk, leise, chat, quietest, hushed | intimate, secluded, unhurried, tea room, cosy
cosy, cozy, snug, gemutlich, gemutliche, intimate, chaleureux, candlelit, candlelight, candles, intim, intime | small, fireplace, real fires, stove, few tables, dim lamps, cellar
lively, buzzing, buzzy, loud, noisy, laut, anime, fun, vibrant, atmosphere, vibe, vibey, energetic | live music, party, late night, music, crowded
trendy, cool, hip, hipster, edgy, stylish, chic, instagrammable | natural wine, cocktail bar, small plates
casual, informal, laid back, easygoing, unfussy, no frills, neighbourhood, neighborhood, leger, decontracte | bistro, cafe, pub, canteen
traditional, classic, old school, old fashioned, historic, heritage, traditionell, traditionnel, authentic | since, recipe, old style
quick, quick bite, fast, quick lunch, schnell, rapide, grab and go, snack, snacks, imbiss, bite | canteen, noodles, sandwiches, counter, bakery, street food
working, laptop, work from, wifi, study | cafe, coffee
dog, dogs, dog friendly, hund, hunde, hundefreundlich, chien, chiens, puppy, pet friendly, pets, pet | dogs by the fire, dogs welcome
wheelchair, wheelchairs, wheelchair accessible, wheelchair access, wheelchair user, accessible, accessibility, disabled, disabled access, step free, stepfree, no steps, no stairs, rollstuhl, rollstuhlgerecht, barrierefrei, fauteuil roulant, accessible aux fauteuils roulants, handicap, pmr, mobility, lift access, ramp | level access, lift, step free
parking, car park, parkplatz | car park
cheap, cheap eats, inexpensive, budget, affordable, low cost, gunstig, billig, preiswert, pas cher, bon marche, student, on a budget, good value, value for money, great value, bargain, cheap and cheerful, not expensive, fair prices | canteen, street food, lunch formula, shop prices, set lunch, cafe, noodles, pie
expensive, teuer, cher, money no object | fine dining, tasting menu
football, sports, sport, sports bar, match, rugby | screens, pub, beer
games, board games, darts, bowling, ping pong, karaoke | games
`;

/** Places that have a name in several languages, or a short one. */
const PLACE_NAMES = `
munich, munchen, muenchen
cologne, koln, koeln
vienna, wien
rome, roma
milan, milano
lisbon, lisboa
brussels, bruxelles
edinburgh, edinburg
london, londres
paris, pariser
berlin, berliner
`;

/** They say little about which venue is meant, and do not stand in the way of what says more. */
export const WEAK_WORDS = new Set([
  'restaurant',
  'restaurants',
  'kitchen',
  'cooking',
  'food',
  'house',
  'bar',
  'bars',
  'cafe',
  'local',
  'private',
  'working',
  'music',
  'night',
  'drinks',
  'drink',
  'lunch',
  'friends',
  'chat',
  'talk',
  'show',
  'fun',
  'fine',
  'menu',
  'dishes',
  'roof',
  'chicken',
]);

/** What is meant by «not» before one of these words. */
const OPPOSITES = `
loud, noisy, lively, buzzing, busy, crowded, laut, bruyant, noise, music > quiet
expensive, pricey, dear, posh, fancy, teuer, cher, chere, costly > cheap
formal, stuffy, pretentious, smart > casual
touristy, chain, mainstream > traditional
meat, fleisch, viande > vegetarian
stairs, steps, treppen, escaliers > wheelchair
gluten > gluten free
alcohol, booze, alkohol > alcohol free
`;

const STOP_WORDS = `
a an the and or of in on at to for with by from as is are be am was were it its this that these those there here some any
i we us you me my our your he she they them who whom which what where when how why can could would should will do does did
have has had get go going want wants wanted like love need needs looking look searching search find show give tell book
booking reserve reservation table tables seat seats spot place places somewhere anywhere something anything someone someplace
good great nice best better lovely amazing awesome excellent perfect decent proper really very quite so too bit little lot
just also maybe please ideally preferably possibly thanks thank hi hello new top favourite favorite recommend recommended
recommendation recommendations suggestion suggestions idea ideas options option choice serve serves serving served sells
people persons person guests guest pax us adults party of one two three four five six seven eight nine ten eleven twelve
dozen today tonight tomorrow monday tuesday wednesday thursday friday saturday sunday weekend week evening morning afternoon
noon o clock pm am around about near nearby close next round not no non without eat eats eating dine dining meal meals food
restaurant restaurants area part town city centre center district neighbourhood around here nice dinner supper takes take
if but than then because while though into over under up down out off all every each other another same own per via but
up am d s t ll re ve m if let lets ll kind type sort style spots joint joints take taking go out night
ein eine einen einem einer der die das den dem des und oder in im am an auf mit fur bei zu zum zur von vom nach ist sind
ich wir uns mir mich du sie er es wo was gibt gut gute gutes guter schon schone essen tisch restaurant nahe nahe suche
mochte mochten bitte personen leute nicht kein keine keinen ohne zu sehr heute morgen abend
un une des le la les du de d l et ou dans sur avec pour chez par au aux en est sont je nous on vous il elle ils elles ou
bon bonne bons bonnes bien manger table restaurant proche pres cherche voudrais plait personnes pas sans tres ce cette soir
`;

const NOT_WORDS = new Set([
  'not',
  'no',
  'non',
  'without',
  'nicht',
  'kein',
  'keine',
  'keinen',
  'ohne',
  'pas',
  'sans',
]);
/** Between «not» and what is not wanted. */
const DEGREES = new Set([
  'too',
  'very',
  'so',
  'that',
  'overly',
  'zu',
  'sehr',
  'trop',
  'tres',
  'a',
  'any',
  'the',
  'de',
]);

const words = (text: string) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

function groupsOf(text: string, isWider: boolean): WordGroup[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [same = '', near = ''] = line.split('|');
      return { same: words(same), near: words(near), isWider };
    });
}

const GROUPS = [
  ...[CUISINES, DISHES, DRINKS].flatMap((text) => groupsOf(text, true)),
  ...[PLACES, DIETS, OCCASIONS, PLACE_NAMES].flatMap((text) => groupsOf(text, false)),
];

/** By each of its words. */
export const GROUPS_OF: ReadonlyMap<string, readonly WordGroup[]> = Map.groupBy(
  GROUPS.flatMap((group) => [...new Set([...group.same, ...group.near])].map((word) => ({ word, group }))),
  ({ word }) => word,
)
  .entries()
  .reduce(
    (all, [word, found]) =>
      all.set(
        word,
        found.map(({ group }) => group),
      ),
    new Map<string, WordGroup[]>(),
  );

export const OPPOSITE_OF: ReadonlyMap<string, string> = new Map(
  OPPOSITES.trim()
    .split('\n')
    .flatMap((line) => {
      const [from = '', to = ''] = line.split('>');
      return words(from).map((word) => [word, to.trim()] as const);
    }),
);

export const isStopWord: (word: string) => boolean = (
  (all) => (word: string) =>
    all.has(word)
)(new Set(STOP_WORDS.split(/\s+/)));
export const isNot = (word: string) => NOT_WORDS.has(word);
export const isDegree = (word: string) => DEGREES.has(word);
/** The longest group word has so many words. */
export const MOST_WORDS = Math.max(...[...GROUPS_OF.keys()].map((word) => word.split(' ').length));
