"""The words of which all text here is made: those to remember, fillers, statements, what asks for them."""

from __future__ import annotations

GROUPS: dict[str, tuple[str, ...]] = {
    name: tuple(words.split())
    for name, words in {
        "animal": "horse goat wolf otter badger heron crow eel trout beetle moth spider hare deer owl mouse "
        "camel goose seal toad",
        "colour": "red blue green yellow purple orange brown grey pink black white crimson violet silver "
        "golden scarlet turquoise beige ivory amber",
        "tool": "hammer saw chisel needle shovel rake axe wrench drill ladder pliers rope nail spade anvil "
        "screw brush scissors hook wedge",
        "food": "bread cheese soup rice honey butter onion apple carrot pepper salt sugar bean cabbage pear "
        "plum noodle porridge lemon garlic",
        "weather": "rain snow fog storm thunder frost hail breeze drizzle lightning sunshine heat ice cloud "
        "gale mist blizzard drought rainbow dew",
        "clothing": "coat shirt hat glove scarf boot sock belt jacket skirt trousers sandal apron cap dress "
        "cloak vest slipper sweater collar",
        "body": "hand foot knee elbow shoulder finger thumb ankle wrist neck chin cheek tongue rib hip palm "
        "heel throat forehead spine",
        "building": "house barn tower mill church castle cottage school prison temple palace shed stable "
        "station factory library museum bakery chapel cabin",
        "vehicle": "boat cart train bicycle sledge wagon canoe ferry truck tractor carriage raft bus tram "
        "plane barge motorcycle lorry balloon taxi",
        "music": "drum flute violin trumpet harp guitar piano bell whistle cello organ fiddle horn clarinet "
        "banjo lute bassoon trombone accordion oboe",
    }.items()
}
"""Words to remember: 20 for each of ten groups, of nouns and colours."""

_FILLERS = (
    "the a of and then again there later still while soon often never always perhaps quite almost it they "
    "she he we was were had did could would went came stood sat waited walked talked slept thought looked "
    "seemed turned stayed along beside near behind toward without between until because though morning "
    "evening hour week corner road side place"
)
FILLERS: tuple[str, ...] = tuple(_FILLERS.split())
"""Words between what is to be remembered and the question for it."""

ASKING = "which"
"""The word that asks."""

PEOPLE: tuple[str, ...] = ("keeper", "sailor", "baker", "weaver", "miller")
_DOING = (
    "thanked helped visited paid warned praised followed met taught watched blamed answered trusted "
    "called found served stopped passed greeted asked"
)
DOING: tuple[str, ...] = tuple(_DOING.split())
"""Statements: one of these people did something to another; who did it to whom is to be remembered."""

SENTENCES: tuple[str, ...] = (
    "It was late in the evening and nobody had come back yet .",
    "They talked for a while about the work that was still to be done .",
    "On the other side of the road two men were waiting for their friends .",
    "Nothing had changed since the last time we were there .",
    "She opened the letter slowly and read it twice .",
    "Most of the people in the village knew each other well .",
    "After an hour the meeting came to an end without any result .",
    "He could not say why the answer had taken so long .",
    "In the beginning everything seemed easier than it was .",
    "The children had the same question again and again .",
    "We had been told to wait until somebody read out our names .",
    "There was a long silence before anyone began to speak .",
    "Later that week the plan was changed for the second time .",
    "The way home always seemed shorter than the way out .",
    "Some of them wanted to stay while the others wanted to leave .",
    "He wrote down the date and put the page with the rest .",
    "No one remembered who had started the argument .",
    "It took them three days to find out what had gone wrong .",
    "The first part was finished before noon and the second was not .",
    "She said that it would be better to begin once more .",
    "Every year the same families came to the same place .",
    "They were glad that the long journey was nearly over .",
    "What he told us was true but it was not all of the truth .",
    "The room was quiet and the windows were open .",
    "Two of the stories in the old book had no ending .",
    "People often forget how much time such a thing needs .",
    "We looked for the number on the door but there was none .",
    "The price was higher than anybody had expected .",
    "Because of the noise it was hard to follow what was said .",
    "In the end they agreed to try it for another month .",
    "The young teacher had never lived so far from the city .",
    "All of this happened long before we were born .",
)
"""Between a word and what is read of it later, where a model reads; no word to remember stands in them."""

LEADS: tuple[str, ...] = (
    "Then it began .",
    "We sat down again .",
    "There was more to say .",
    "Nobody left .",
    "So they went on .",
    "An hour went by .",
    "It was our turn .",
    "He looked up at last .",
)
"""What running text begins with."""

CARRIER = ("Somebody", "spoke", "about", "the")
"""What leads to a word in running text."""
