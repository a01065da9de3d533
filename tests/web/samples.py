"""Documents that a service serves."""

import ibidem

FERRY = (
    "When the ferry came in at last, the whole street ran down to the harbour with lanterns and blankets. "
    "The captain stood at the rail and called out the names one after the other."
)
PASSAGE = FERRY[5:95].replace("lanterns", "torches")
"""A passage of it, with another word."""

OTHER = "A beekeeper needs patience more than courage, and in spring the hives are opened on the first warm day."
SCRIPT = (
    "<script>document.title='stolen'</script> \U0001f600 whoever reads this line sees the words of a script and "
    "nothing that it would do <img src=x onerror=alert(1)>"
)

DOCUMENTS = [
    ibidem.Document("ferry", FERRY, {"year": 1903}),
    ibidem.Document("bees", OTHER),
    ibidem.Document("a/b <i>", SCRIPT),
]

ELEGY = "the curfew tolls the knell of parting day, the lowing herd wind slowly o'er the lea"

REUSED = [
    ibidem.Document("gray", f"Elegy. \U0001f600 {ELEGY}, and leaves the world to darkness.", {"year": 1751}),
    ibidem.Document(
        "letter", f"You ask what I read: {ELEGY.replace('wind', 'winds')}; nothing better.", {"year": 1790}
    ),
    ibidem.Document("reader", f"Learn by heart: {ELEGY.replace('parting', 'passing')}.", {"year": 1860}),
    ibidem.Document("recipe", "Take two pounds of flour and one of butter, and bake until the crust is brown.", {}),
]
"""Documents of which three share a passage."""

QUESTION = "Which river flows through the small town of Grahamstown in the Eastern Cape of South Africa?"

EVALS = [{"question": QUESTION, "choices": ["the Kowie", "the Bloukrans"], "answer": 1}]
