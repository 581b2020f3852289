"""Greets people in their own language."""

GREETINGS = {
    "en": "Hello",
    "de": "Hallo",
    "fr": "Bonjour",
}

FAREWELLS = {
    "en": "Goodbye",
    "de": "Tschüss",
    "fr": "Au revoir",
}


def greet(name, language="en", punctuation="!"):
    """Return the greeting for `name`, in English where the language is not known."""
    word = GREETINGS.get(language, GREETINGS["en"])
    return f"{word}, {name}{punctuation}"


def farewell(name, language="en", punctuation="."):
    """Return the farewell for `name`, in English where the language is not known."""
    word = FAREWELLS.get(language, FAREWELLS["en"])
    return f"{word}, {name}{punctuation}"
