//! Categories for generated puzzles.

/// Names of categories, each with its values.
///
/// No two share a value.
pub(crate) const THEMES: [(&str, &str); 11] = [
    (
        "colour",
        "red blue green yellow white black brown purple pink grey beige crimson golden silver scarlet \
         turquoise maroon indigo lilac teal",
    ),
    (
        "owner",
        "Alice Bruno Clara David Elena Felix Greta Henry Irene Jonas Karin Louis Marta Nadia Oscar Paula \
         Quentin Rosa Simon Tessa",
    ),
    (
        "drink",
        "coffee tea milk water juice cocoa cider beer lemonade kefir cola ale mead punch soda sherry port \
         brandy whisky gin",
    ),
    (
        "pet",
        "dog cat rabbit parrot hamster turtle goldfish lizard canary ferret mouse gecko pony goat hedgehog \
         ant spider pigeon frog snake",
    ),
    (
        "sport",
        "tennis football rowing judo golf hockey cycling fencing boxing skiing archery chess swimming running \
         climbing sailing cricket rugby karate surfing",
    ),
    (
        "instrument",
        "piano violin flute guitar drum trumpet cello harp oboe clarinet banjo tuba viola accordion bassoon \
         lute organ trombone saxophone zither",
    ),
    (
        "job",
        "baker teacher doctor farmer pilot painter lawyer nurse plumber sailor tailor judge actor barber \
         miner clerk chemist butcher writer gardener",
    ),
    (
        "tree",
        "oak elm pine birch maple willow cedar larch beech poplar spruce ash alder hazel rowan yew linden \
         walnut cypress juniper",
    ),
    (
        "town",
        "Paris Rome Oslo Madrid Vienna Prague Lisbon Dublin Athens Berlin Warsaw Riga Sofia Bern Tallinn \
         Vilnius Zagreb Bratislava Helsinki Stockholm",
    ),
    (
        "fruit",
        "apple pear plum cherry peach banana grape lemon melon mango kiwi fig apricot lime papaya quince \
         raspberry strawberry guava coconut",
    ),
    (
        "book",
        "atlas bible novel diary comic cookbook dictionary thriller memoir almanac anthology saga fable \
         legend manual grammar romance satire epic ballad",
    ),
];
