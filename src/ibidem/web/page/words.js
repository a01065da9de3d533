// All words of the page, by language. `{n}` is a number that is put in; before the bar stand the words for one.

export const LANGUAGES = { en: "English", de: "Deutsch" };

const WORDS = {
  en: {
    welcome: "Compare texts", about: "Add your files, choose what you want to know, and look at the result. Nothing leaves this computer.", "new-project": "New project", "project-example": "Essays of class 9b", begin: "Begin", projects: "Projects", files: "{n} file|{n} files", remove: "Remove",
    "remove-project": "Remove “{name}” with its files and answers?", "remove-file": "Remove “{name}”? Answers that used it are worked out again without it. Your marks and notes stay.", language: "Language", footer: "ibidem {version}. This page needs no network and sends nothing.", gone: "ibidem does not answer. Start it again: nothing is lost.", quit: "Quit", "about-quit": "End ibidem on this computer; everything stays as it is", "has-quit": "ibidem has ended", "about-has-quit": "You can close this window. Nothing is lost: when you start ibidem again, your projects are there. An unfinished answer then starts over.", "step-files": "1. Files", "step-ask": "2. Question",
    "step-answers": "3. Answers", "role-text": "Texts", "role-source": "Sources", "role-template": "Templates", "role-metadata": "Table with details of the files",
    "about-text": "Drop files, a folder or an archive (zip, tar) here: Word, PDF, text, web pages, e-books and more. A table of authors and dates may be among them.", "about-source": "Texts are compared with sources. Sources are not compared with each other.",
    "about-template": "What a template or a task sheet says is left out of all texts.", "choose-files": "Choose files", "choose-folder": "Choose a folder",
    sending: "Adding files: {n} to go …|Adding files: {n} to go …", sent: "{n} file was added.|{n} files were added.", "files-table": "Files", file: "File", role: "Role", words: "Words", pages: "Pages", encoding: "Encoding", "left-out-files": "{n} not read", "still-reading": "{n} being read", "being-read": "being read …",
    "not-read": "Not read", describes: "describes the others by", documents: "{n} document|{n} documents", "change-encoding": "Change the encoding", "which-encoding": "Encoding of this file, such as cp1252. Leave it empty to have it found:", "what-to-ask": "What do you want to know?", "ask-reuse": "Which texts share passages?",
    "about-reuse": "All texts with each other, and with the sources.", "ask-search": "Where does this passage occur?", "about-search": "Type or paste a passage, and see where it is, word for word or changed.", "ask-align": "How do these two texts differ?",
    "about-align": "Two texts side by side: what is the same, moved, changed or missing.", "ask-dedup": "What is repeated?", "about-dedup": "Copies, and texts that are nearly the same; one of each is kept.", "text-1": "First text", "text-2": "Second text", and: "and", more: "More settings", compare: "Compare",
    "wait-for-reading": "Files are still being read.", "by-itself": "automatic", yes: "yes", no: "no", "set-compare": "Compare", "about-set-compare": "All texts with each other and with the sources, or with the sources only.", "choice-all": "all", "choice-sources": "with the sources only",
    "set-threshold": "Minimum similarity", "about-set-threshold": "How similar two passages must be, from 0 to 1. Rare words count more than common ones.", "about-set-threshold-dedup": "How similar two whole texts must be, from 0 to 1.", "set-min_pair_length": "Least length",
    "about-set-min_pair_length": "How many words the longer of two passages must have. Automatic: 40, fewer in short texts.", "set-spelling": "Spelling",
    "about-set-spelling": "Which spellings count as the same. Advised: what a look at your texts suggests; the answer says why.", "choice-advised": "as advised", "choice-as it is": "as it is", "choice-auto": "by script", "choice-latin": "old Latin (u = v, i = j)", "choice-noisy": "scanned, with reading errors",
    "choice-words": "words", "set-quotations": "Quotations", "about-set-quotations": "Quotations of this many words or more are counted apart, as quoted.",
    "set-keep_boilerplate": "Keep what many share", "about-set-keep_boilerplate": "Text that most documents share, such as a notice, is left out. Tick this to list it with the rest.", "set-within": "Within one text", "about-set-within": "Also find what is repeated in one and the same text.", "set-keep": "Keep",
    "about-set-keep": "Which of the copies stays.", "choice-first": "the first", "choice-longest": "the longest", "set-units": "Rows of the table", "about-set-units": "How both texts are cut for the table that you can save. As the files name them: verses or pages if both have these, else lines.",
    "choice-named": "as the files name them", "choice-line": "lines", "choice-sentence": "sentences", "choice-paragraph": "paragraphs", "set-remove": "Look for", "about-set-remove": "Copies of whole texts, or repeated passages. Templates only matter for passages: what they say is never removed.",
    "choice-texts": "whole texts", "choice-passages": "passages", "set-min_length": "Least length", "about-set-min_length": "How many words a repeated passage must have.", "set-boundary": "Cut at", "about-set-boundary": "Where a repeated passage may begin and end.", "choice-lines": "lines",
    "set-normalize": "Spellings that count as the same", "set-shingle": "Compared by", "set-tokenizer": "Compared by", "set-recall": "Share of such pairs that is found, at least", "set-cluster_mode": "A copy is", "choice-representative": "like the one that is kept", "choice-connected": "linked to it, also through others", "set-alone": "Compared with the index only", "set-expect": "Passages that chance may give", "set-ignore": "Left out: templates", "set-phrases": "Left out: phrases", "set-action": "What is done with passages", "choice-remove": "removed", "choice-annotate": "noted", "set-date": "Column with the date", "set-series": "Column of series", cancel: "Cancel", "remove-answer": "Remove this answer?", since: "{n} s", left: "about {n} s left in this step", "doing-waiting": "Waiting for its turn", "doing-reading": "Reading", "doing-joining": "Looking for similar passages",
    "doing-aligning": "Comparing word by word", "doing-comparing": "Comparing", "doing-indexing": "Building the index", "doing-writing": "Writing the answer", parts: "Parts of the answer", "part-pairs": "Pairs", "part-documents": "Documents", "part-clusters": "Groups", "part-pictures": "Pictures",
    "part-leftout": "How it was found", "part-save": "Save", "part-search": "Search", "pairs-found": "{n} pair of documents shares passages.|{n} pairs of documents share passages.", aside: "{n} place was left out: why|{n} places were left out: why",
    "dedup-found": "{n} document: {kept} kept, {removed} repeated. Your files stay as they are.|{n} documents: {kept} kept, {removed} repeated. Your files stay as they are.",
    "not-subtracted": "{n} template was not left out: whole texts are compared, and what is kept is kept whole. Texts that mainly repeat a template may count as copies; to leave it out, ask for repeated passages.|{n} templates were not left out: whole texts are compared, and what is kept is kept whole. Texts that mainly repeat a template may count as copies; to leave them out, ask for repeated passages.",
    "passages-removed": "{n} passage is repeated: {share} of all words, in {documents} of {all} documents.|{n} passages are repeated: {share} of all words, in {documents} of {all} documents.", "filter-words": "Name or author", "name-or-author": "part of a name", "filter-share": "Minimum share",
    "filter-from": "From year", "filter-to": "to", "filter-mark": "Mark", "mark-any": "all", "mark-none": "not marked", "mark-looked at": "looked at", "mark-nothing to discuss": "nothing to discuss", "mark-quotation": "quotation", "column-first": "First document", "column-second": "Second document",
    "column-identical": "Same words, five or more in a row, % of all words", "column-reworded": "Changed", "about-column-reworded": "Words beside such runs, of which a few were changed: of the first, and of the second", "column-longest": "Longest run", "column-passages": "Passages", "column-mark": "Mark", "column-likeness": "Similarity", "about-column-first": "Sort by name", "about-column-second": "Sort by name",
    "about-column-identical": "Of all words of the first document, and of all of the second, those that the other has, too, in runs of five or more, outside of quotation marks", "about-column-longest": "The longest run of words that both have without a change", "about-column-passages": "How many passages they share",
    "about-column-mark": "What was said of the pair", "about-column-likeness": "How similar the two are, from 0 to 1; if several passages are shared, the most similar one counts", "n-words": "{n} word|{n} words", "no-pair-left": "No pair is left by these filters.", "no-document-left": "No document is left by these filters.",
    "no-pair": "No two documents share a passage.", "previous-page": "Previous page", "next-page": "Next page", "all-pairs": "All pairs", previous: "Previous", next: "Next", print: "Print", "no-such-pair": "There is no such pair.",
    "longest-run": "The longest run without a change has {n} word.|The longest run without a change has {n} words.", passage: "Passage", similarity: "similarity", "whole-texts": "Both texts from the first word to the last", "your-mark": "Your mark", note: "Note",
    "aside-here": "{n} passage was left out here|{n} passages were left out here", document: "Document", reused: "Words that others have, too, % of all words", partners: "Shares with", date: "Date", author: "Author", "reused-share": "{share} of them are in other documents, too", "n-passages": "{n} passage|{n} passages",
    "clusters-found": "{n} passage occurs in several documents.|{n} passages occur in several documents.", witnesses: "Where it occurs", boilerplate: "shared by many, left out", characters: "Characters", "likely-from": "Most similar with an earlier date", matrix: "Which documents share passages", timeline: "Time line",
    "nothing-left-out": "Nothing was left out.", "all-reasons": "all reasons", reason: "Reason", first: "First", second: "Second", subtracted: "{n} template was left out|{n} templates were left out", "reason-frequent": "shared by many",
    "about-reason-frequent": "text that most documents have, such as a notice; it says nothing of two of them.", "reason-ignored": "in a template", "about-reason-ignored": "what is like a template, also with words changed; it is left out of all texts.", "reason-series": "from one series",
    "about-reason-series": "sources, and documents of one series, are not compared with each other.",  "reason-chance": "chance", "about-reason-chance": "this much is the same by chance, too.", "settings-used": "Settings", "settings-unknown": "The settings by which the passages were found are not in this file.", "type-more": "Type two words or more.",
    "n-matches": "{n} place|{n} places", "n-documents": "{n} document is searched as you type.|{n} documents are searched as you type.", "least-similarity": "Minimum similarity ", report: "Report", "about-report": "One file that any browser opens, without a network and without ibidem: to send, and to keep.",
    title: "Title", "with-names": "with the names of documents", "with-texts": "with the texts of passages", "with-marks": "with your marks and notes", "blank-names": "Names to blank in texts and notes, one per line. Please check the list: it is guessed from the authors and the names of files.", "save-report": "Save the report",
    "save-key": "Save the key", preparing: "Making the report …", saved: "{name} was saved.", "other-programs": "For other programs", "more-files": "Files in other formats", "about-document_pairs.csv": "a row for each pair of documents, with your marks and notes, for spreadsheets", "about-documents.csv": "a row for each document, with the share of its words that others have", "about-groups.csv": "a row for each place of a passage that several documents have", "about-pairs.csv": "a row for each pair of passages",
    "about-left_out.csv": "what was left out, with the reason", "about-removed.csv": "texts that are nearly the same as another", "about-removed_passages.csv": "which passages repeat which", "about-units.csv": "both texts side by side by verse, line or sentence, with what only one has; for spreadsheets",
    "about-align.csv": "a row for each pair of passages", "about-align.jsonl": "the same as JSON lines, as ibidem align writes them", "about-apparatus.xml": "both texts as one TEI file, with an apparatus of all variants", 
    "about-kept.zip": "the texts that are kept, as JSON lines", "about-reuse.zip": "all tables, as ibidem reuse writes them", "one-case": "One case",
    "about-one-case": "To show one pair, open it and choose Print: both passages, the counts, what was left out, the settings and your note are on the page.", "all-projects": "All projects", "not-shown": "This cannot be shown", "choose-source": "Choose sources", "choose-template": "Choose templates",
    "nothing-brought": "There are no files here. Choose files, or a folder that has some.", "more-problems": "{n} more file was not added.|{n} more files were not added.",
    "about-left-out-files": "Those not read come first in the table, each with its reason. The others are compared without them. What is damaged or protected can often be opened in its own program and saved again, without a password, or as PDF.", "bring-first": "Add files first.",
    "no-text": "None of the files that were read is a text. Add one, or choose the role “Texts” for some.", "needs-two": "This needs two texts. Add another one.", "one-text": "This is the only text. Add others, or sources, to compare it with.", "shown-of": "{n} of {all} is shown.|{n} of {all} are shown.",
    "about-shares": "Where there are two numbers, the first is for the first document and the second for the second. Percentages are of all words of a document. Pairs with long shared passages and rare words come first.", "mark-saved": "Your mark and note are saved.", "similarity-of-one": "similarity {similarity} (1 is the same)",
    "about-clusters": "Each group is a passage that several documents have. Open one to see its words in each of them, beside the passage that is most like the others.", "first-clusters": "The first {n} are shown.|The first {n} are shown.",
    "about-pictures": "The stronger the colour of a field, the more two documents share. A click on it opens the pair; the list under Pairs has all of them.", "first-left-out": "{n} of {all} are listed.", searching: "Searching …",
    "about-key": "The key says which document has which number. Only for those who may see the names.", "about-other-programs": "These files show names and texts as they are.", "left-out": "Left out", "reason-phrase": "set phrase",
    "about-reason-phrase": "one of the phrases that are left out wherever they occur.", "mark-to discuss": "to discuss", "kind-any": "all kinds", "filter-kind": "Kind", "kind-similar": "similar", "kind-summary": "a summary: one passage sums the other up", "kind-leak": "leak",
    "kind-source": "source: the passage alone, without the question", "kind-template": "template: other numbers", "kind-template of many items": "template of many items", "kind-template of many documents": "template of many documents", "kind-boilerplate": "shared by many: a phrase of many documents",
    "kind-boilerplate within a source": "shared by many documents of one source", "kind-boilerplate across sources": "shared by documents of many sources", "kind-similar item": "another item explains this place better", "kind-partial": "partial: less than the least share", "kind-chance": "no more than chance gives",
    "column-first-copy": "Not kept", "column-second-copy": "Kept instead", "column-quoted": "Quoted", "about-column-quoted": "Words in quotation marks that the other document has, too: of the first, and of the second",
    "weak-pairs": "Outside of quotation marks, the pairs below this line share no five words in a row, and no passage of twenty words with only a few differences. Texts on one subject are often this much alike.", "weak-pair": "The two share no five words in a row outside of quotation marks, and no passage of twenty words of which only a few were changed. Texts on one subject are often this much alike.",
    counted: "{name}: {n} of {words} words ({share}) are in {other}, too, in runs of five or more", "counted-changed": "{n} more changed, or in shorter runs|{n} more changed, or in shorter runs", "counted-quoted": "{n} more in quotation marks|{n} more in quotation marks", "counted-absent": "{n} is from a template, or shared by most documents, and was left out|{n} are from a template, or shared by most documents, and were left out",
    basis: "What this rests on", meaning: "What the numbers do not say", "meaning-source": "Where words come from: two texts are also alike if both quote a third, or follow the same book, lesson or model.",
    "meaning-chance": "Whether somebody took them: set phrases, titles, a common task, a translation of one text, and chance make texts alike, too.", "meaning-order": "Who wrote first, or why texts are alike. Read the passages, and ask those who wrote them.", "not-read-files": "{n} file was not read|{n} files were not read", "all-read": "All files were read", "not-read-unknown": "Whether all files were read is not known here",
    "group-of": "a group of {n} documents|a group of {n} documents", "in-others": "in {n} more document, too|in {n} more documents, too", key: "key {key}", "document-number": "Document {n}", "report-title": "Matching passages", "report-footer": "Made by ibidem {version}. This file holds all that it shows and sends nothing.",
    "report-more-pairs": "{n} more pair of passages had no room in this file.|{n} more pairs of passages had no room in this file.",
    "report-more-clusters": "{n} more passage of several documents had no room in this file.|{n} more passages of several documents had no room in this file.",
    "report-anonymous": "Documents have numbers in the place of names.", "report-textless": "The texts of the passages are not included.", "more-of-pair": "More", "scroll-together": "scroll together", "dot-plot": "Dot plot",
    "about-dot-plot": "Left to right: the first passage. Top to bottom: the second. Click to go there.", "dot-plot-label": "Dot plot: the first passage from left to right, the second from top to bottom; click to go there", "passage-of": "passage of {title}", "text-of": "text of {title}",
    "text-left-out": "The text is not included ({n} characters).", "text-unknown": "The text of this document is not known here.", line: "line {first}", lines: "lines {first} to {last}", "characters-from": "characters {start} to {end}", "characters-of": "characters {start} to {end} of {length}", marks: "Marks",
    "run-equal": "the same words", "run-moved": "the same words, moved", "run-changed": "changed words", "run-alone": "words that only one of the two has", why: "The words that only one has", 
    "only-first": "Only, or more often, in the first", "only-second": "Only, or more often, in the second", "pair-label": "{a} and {b}: {share}", "matrix-label": "Matrix of {n} documents: a filled cell for two documents that share a passage",
    "timeline-label": "Time line of {n} documents", "most-central": "the one that is most like the others", "search-text": "A passage, or a whole document (paste it, or drop a file here)", "search-file": "Or choose a file", "search-index": "Index",
    "search-job": "Find", "job-search": "where this passage occurs", "job-align": "what this document shares", "job-contamination": "test items in this document",
    find: "Find", "find-passages": "Find matching passages", "least-share-of-item": "Minimum share of an item ", "none-similar": "No passage is this similar.", "find-parts": "Look for parts of it", "more-matches": "More",
    "n-leaks": "{n} leak|{n} leaks", "no-leak": "No leak.", "no-leaks": "{n} place is no leak.|{n} places are no leak.", "n-items": "{n} test item is looked for.|{n} test items are looked for.", "answer-beside": "an answer is beside it", "answer-correct": "(the correct one)", "answer-wrong": "(none that is correct)",
    "share-of-part": "{share} of the {part}", "your-text": "your text", "side-by-side": "Side by side", "n-characters": "{n} character|{n} characters", "file-too-large": "{name} is too large.", "file-no-text": "{name} is no plain text.",
    views: "Views", "parts-of-document": "Parts of the document", earlier: "Earlier", later: "Later",
    "find-elsewhere": "Find where else this occurs", token: "Token", "to-begin": "Back to the beginning", "service-footer": "ibidem. This page asks this server alone.",
  },
  de: {
    welcome: "Texte vergleichen", about: "Dateien hinzufügen, wählen, was Sie wissen möchten, und das Ergebnis ansehen. Nichts verlässt diesen Rechner.", "new-project": "Neues Projekt", "project-example": "Aufsätze der 9b", begin: "Anfangen", projects: "Projekte", files: "{n} Datei|{n} Dateien", remove: "Entfernen",
    "remove-project": "„{name}“ mit Dateien und Antworten entfernen?", "remove-file": "„{name}“ entfernen? Antworten, in denen es vorkommt, werden ohne es neu gesucht. Ihre Vermerke und Notizen bleiben.", language: "Sprache", footer: "ibidem {version}. Diese Seite braucht kein Netz und sendet nichts.", gone: "ibidem antwortet nicht. Starten Sie es noch einmal: nichts ist verloren.", quit: "Beenden", "about-quit": "ibidem auf diesem Rechner beenden; alles bleibt, wie es ist", "has-quit": "ibidem ist beendet", "about-has-quit": "Sie können dieses Fenster schließen. Nichts ist verloren: wenn Sie ibidem wieder starten, sind Ihre Projekte da. Eine unfertige Antwort beginnt dann von vorn.", "step-files": "1. Dateien", "step-ask": "2. Frage",
    "step-answers": "3. Antworten", "role-text": "Texte", "role-source": "Quellen", "role-template": "Vorlagen", "role-metadata": "Tabelle mit Angaben zu den Dateien",
    "about-text": "Dateien, einen Ordner oder ein Archiv (Zip, Tar) hier ablegen: Word, PDF, Text, Webseiten, E-Books und mehr. Eine Tabelle mit Verfassern und Daten darf dabei sein.", "about-source": "Texte werden mit Quellen verglichen, Quellen nicht untereinander.",
    "about-template": "Was in einer Vorlage oder auf einem Aufgabenblatt steht, wird in allen Texten weggelassen.", "choose-files": "Dateien wählen", "choose-folder": "Ordner wählen",
    sending: "Dateien werden hinzugefügt: noch {n} …|Dateien werden hinzugefügt: noch {n} …", sent: "{n} Datei wurde hinzugefügt.|{n} Dateien wurden hinzugefügt.", "files-table": "Dateien", file: "Datei", role: "Rolle", words: "Wörter", pages: "Seiten", encoding: "Kodierung", "left-out-files": "{n} nicht gelesen",
    "still-reading": "{n} wird gelesen|{n} werden gelesen", "being-read": "wird gelesen …", "not-read": "Nicht gelesen", describes: "beschreibt die anderen durch", documents: "{n} Dokument|{n} Dokumente", "change-encoding": "Kodierung ändern", "which-encoding": "Kodierung dieser Datei, etwa cp1252. Leer lassen, um sie finden zu lassen:",
    "what-to-ask": "Was möchten Sie wissen?", "ask-reuse": "Welche Texte haben Stellen gemeinsam?", "about-reuse": "Alle Texte miteinander und mit den Quellen.", "ask-search": "Wo kommt diese Stelle vor?", "about-search": "Eine Stelle tippen oder einfügen und sehen, wo sie steht, wörtlich oder verändert.",
    "ask-align": "Wie unterscheiden sich diese zwei Texte?", "about-align": "Zwei Texte nebeneinander: was gleich, verschoben oder geändert ist und was fehlt.", "ask-dedup": "Was ist doppelt?", "about-dedup": "Kopien und fast gleiche Texte, von denen je einer bleibt.", "text-1": "Erster Text", "text-2": "Zweiter Text",
    and: "und", more: "Mehr Einstellungen", compare: "Vergleichen", "wait-for-reading": "Es werden noch Dateien gelesen.", "by-itself": "automatisch", yes: "ja", no: "nein", "set-compare": "Vergleichen", "about-set-compare": "Alle Texte miteinander und mit den Quellen, oder nur mit den Quellen.", "choice-all": "alle",
    "choice-sources": "nur mit den Quellen", "set-threshold": "Mindestähnlichkeit", "about-set-threshold": "Wie ähnlich zwei Stellen sein müssen, von 0 bis 1. Seltene Wörter zählen mehr als häufige.", "about-set-threshold-dedup": "Wie ähnlich zwei ganze Texte sein müssen, von 0 bis 1.",
    "set-min_pair_length": "Länge mindestens", "about-set-min_pair_length": "Wie viele Wörter die längere von zwei Stellen haben muss. Automatisch: 40, in kurzen Texten weniger.", 
    "set-spelling": "Schreibung", "about-set-spelling": "Welche Schreibungen als gleich gelten. Wie empfohlen: was ein Blick in Ihre Texte nahelegt; die Antwort sagt warum.",
    "choice-advised": "wie empfohlen", "choice-as it is": "wie sie ist", "choice-auto": "nach der Schrift", "choice-latin": "altes Latein (u = v, i = j)", "choice-noisy": "eingescannt, mit Lesefehlern", 
    "choice-words": "Wörter", "set-quotations": "Zitate", "about-set-quotations": "Zitate von so vielen Wörtern oder mehr werden für sich gezählt, als zitiert.",
    "set-keep_boilerplate": "Behalten, was viele haben", "about-set-keep_boilerplate": "Text, den die meisten Dokumente haben, etwa ein Vermerk, wird weggelassen. Ankreuzen, um ihn mit aufzuführen.", "set-within": "Innerhalb eines Textes", "about-set-within": "Auch finden, was sich in ein und demselben Text wiederholt.",
    "set-keep": "Behalten", "about-set-keep": "Welche der Kopien bleibt.", "choice-first": "die erste", "choice-longest": "die längste", "set-units": "Zeilen der Tabelle",
    "about-set-units": "Wie beide Texte für die Tabelle zerlegt werden, die Sie sichern können. Wie die Dateien sie nennen: Verse oder Seiten, wenn beide sie haben, sonst Zeilen.", "choice-named": "wie die Dateien sie nennen", "choice-line": "Zeilen", "choice-sentence": "Sätze", "choice-paragraph": "Absätze",
    "set-remove": "Suchen nach", "about-set-remove": "Kopien ganzer Texte oder wiederholte Stellen. Vorlagen zählen nur bei Stellen: was in ihnen steht, wird nie entfernt.", "choice-texts": "ganzen Texten", "choice-passages": "Stellen", "set-min_length": "Länge mindestens",
    "about-set-min_length": "Wie viele Wörter eine wiederholte Stelle haben muss.", "set-boundary": "Grenzen", "about-set-boundary": "Wo eine wiederholte Stelle anfangen und enden darf.", "choice-lines": "Zeilen", "set-normalize": "Schreibungen, die als gleich gelten", "set-shingle": "Verglichen nach", "set-tokenizer": "Verglichen nach", "set-recall": "Anteil solcher Paare, der mindestens gefunden wird", "set-cluster_mode": "Als Kopie gilt", "choice-representative": "was dem Behaltenen gleicht", "choice-connected": "was mit ihm verbunden ist, auch über andere", "set-alone": "Nur mit dem Verzeichnis verglichen", "set-expect": "Stellen, die der Zufall geben darf", "set-ignore": "Weggelassen: Vorlagen", "set-phrases": "Weggelassen: Wendungen", "set-action": "Was mit Stellen geschieht", "choice-remove": "entfernt", "choice-annotate": "vermerkt", "set-date": "Spalte mit dem Datum", "set-series": "Spalte der Reihen", cancel: "Abbrechen",
    "remove-answer": "Diese Antwort entfernen?", since: "{n} s", left: "etwa noch {n} s in diesem Schritt", "doing-waiting": "Wartet, bis es an der Reihe ist", "doing-reading": "Liest", "doing-joining": "Sucht ähnliche Stellen", "doing-aligning": "Vergleicht Wort für Wort", "doing-comparing": "Vergleicht",
    "doing-indexing": "Baut das Verzeichnis", "doing-writing": "Schreibt die Antwort", parts: "Teile der Antwort", "part-pairs": "Paare", "part-documents": "Dokumente", "part-clusters": "Gruppen", "part-pictures": "Bilder", "part-leftout": "Wie es gefunden wurde", "part-save": "Speichern", "part-search": "Suche",
    "pairs-found": "{n} Paar von Dokumenten hat Stellen gemeinsam.|{n} Paare von Dokumenten haben Stellen gemeinsam.", aside: "{n} Stelle wurde weggelassen: warum|{n} Stellen wurden weggelassen: warum",
    "dedup-found": "{n} Dokument: {kept} behalten, {removed} doppelt. Ihre Dateien bleiben, wie sie sind.|{n} Dokumente: {kept} behalten, {removed} doppelt. Ihre Dateien bleiben, wie sie sind.",
    "not-subtracted": "{n} Vorlage wurde nicht weggelassen: ganze Texte werden verglichen, und was bleibt, bleibt ganz. Texte, die vor allem eine Vorlage wiederholen, können als Kopien zählen; um sie wegzulassen, nach wiederholten Stellen fragen.|{n} Vorlagen wurden nicht weggelassen: ganze Texte werden verglichen, und was bleibt, bleibt ganz. Texte, die vor allem eine Vorlage wiederholen, können als Kopien zählen; um sie wegzulassen, nach wiederholten Stellen fragen.",
    "passages-removed": "{n} Stelle ist wiederholt: {share} aller Wörter, in {documents} von {all} Dokumenten.|{n} Stellen sind wiederholt: {share} aller Wörter, in {documents} von {all} Dokumenten.", "filter-words": "Name oder Verfasser", "name-or-author": "Teil eines Namens", "filter-share": "Mindestanteil",
    "filter-from": "Vom Jahr", "filter-to": "bis", "filter-mark": "Vermerk", "mark-any": "alle", "mark-none": "ohne Vermerk", "mark-looked at": "angesehen", "mark-nothing to discuss": "nichts zu besprechen", "mark-quotation": "Zitat", "column-first": "Erstes Dokument", "column-second": "Zweites Dokument",
    "column-identical": "Gleiche Wörter, fünf oder mehr hintereinander, % aller Wörter", "column-reworded": "Verändert", "about-column-reworded": "Wörter neben solchen Folgen, von denen einige verändert wurden: des ersten und des zweiten", "column-longest": "Längste Folge", "column-passages": "Stellen", "column-mark": "Vermerk", "column-likeness": "Ähnlichkeit", "about-column-first": "Nach dem Namen ordnen", "about-column-second": "Nach dem Namen ordnen",
    "about-column-identical": "Von allen Wörtern des ersten und von allen des zweiten Dokuments die, die das andere auch hat, fünf oder mehr hintereinander, außerhalb von Anführungszeichen", "about-column-longest": "Die längste Folge von Wörtern, die beide unverändert haben", "about-column-passages": "Wie viele Stellen sie gemeinsam haben",
    "about-column-mark": "Was zu dem Paar gesagt wurde", "about-column-likeness": "Wie ähnlich die beiden sind, von 0 bis 1; bei mehreren gemeinsamen Stellen zählt die ähnlichste", "n-words": "{n} Wort|{n} Wörter", "no-pair-left": "Diese Filter lassen kein Paar übrig.", "no-document-left": "Diese Filter lassen kein Dokument übrig.",
    "no-pair": "Keine zwei Dokumente haben eine Stelle gemeinsam.", "previous-page": "Vorige Seite", "next-page": "Nächste Seite", "all-pairs": "Alle Paare", previous: "Voriges", next: "Nächstes", print: "Drucken", "no-such-pair": "Ein solches Paar gibt es nicht.",
    "longest-run": "Die längste unveränderte Folge hat {n} Wort.|Die längste unveränderte Folge hat {n} Wörter.", passage: "Stelle", similarity: "Ähnlichkeit", "whole-texts": "Beide Texte vom ersten bis zum letzten Wort", "your-mark": "Ihr Vermerk", note: "Notiz",
    "aside-here": "{n} Stelle wurde hier weggelassen|{n} Stellen wurden hier weggelassen", document: "Dokument", reused: "Wörter, die auch andere haben, % aller Wörter", partners: "Gemeinsam mit", date: "Datum", author: "Verfasser", "reused-share": "{share} davon stehen auch in anderen Dokumenten",
    "n-passages": "{n} Stelle|{n} Stellen", "clusters-found": "{n} Stelle kommt in mehreren Dokumenten vor.|{n} Stellen kommen in mehreren Dokumenten vor.", witnesses: "Wo sie vorkommt", boilerplate: "von vielen geteilt, weggelassen", characters: "Zeichen", "likely-from": "Ähnlichste mit früherem Datum", matrix: "Welche Dokumente Stellen gemeinsam haben",
    timeline: "Zeitleiste", "nothing-left-out": "Nichts wurde weggelassen.", "all-reasons": "alle Gründe", reason: "Grund", first: "Erstes", second: "Zweites", subtracted: "{n} Vorlage wurde weggelassen|{n} Vorlagen wurden weggelassen", "reason-frequent": "von vielen geteilt",
    "about-reason-frequent": "Text, den die meisten Dokumente haben, etwa ein Vermerk; er sagt nichts über zwei von ihnen.", "reason-ignored": "in einer Vorlage", "about-reason-ignored": "was einer Vorlage gleicht, auch mit geänderten Wörtern; es wird in allen Texten weggelassen.", "reason-series": "aus derselben Reihe",
    "about-reason-series": "Quellen und Dokumente einer Reihe werden nicht untereinander verglichen.",  "reason-chance": "Zufall", "about-reason-chance": "so viel ist auch durch Zufall gleich.", "settings-used": "Einstellungen", "settings-unknown": "Die Einstellungen, mit denen die Stellen gefunden wurden, stehen nicht in dieser Datei.", "type-more": "Zwei Wörter oder mehr tippen.",
    "n-matches": "{n} Stelle|{n} Stellen", "n-documents": "{n} Dokument wird beim Tippen durchsucht.|{n} Dokumente werden beim Tippen durchsucht.", "least-similarity": "Mindestähnlichkeit ", report: "Bericht",
    "about-report": "Eine Datei, die jeder Browser öffnet, ohne Netz und ohne ibidem: zum Senden und zum Aufheben.", title: "Titel", "with-names": "mit den Namen der Dokumente", "with-texts": "mit den Texten der Stellen", "with-marks": "mit Ihren Vermerken und Notizen",
    "blank-names": "Namen, die in Texten und Notizen geschwärzt werden, einer je Zeile. Bitte prüfen Sie die Liste: sie ist aus den Verfassern und den Namen der Dateien geraten.", "save-report": "Bericht sichern", "save-key": "Schlüssel sichern", preparing: "Der Bericht wird gemacht …", saved: "{name} wurde gespeichert.",
    "other-programs": "Für andere Programme", "more-files": "Dateien in anderen Formaten", "about-document_pairs.csv": "eine Zeile für jedes Paar von Dokumenten, mit Ihren Vermerken und Notizen, für Tabellen", "about-documents.csv": "eine Zeile für jedes Dokument, mit dem Anteil seiner Wörter, den andere haben", "about-groups.csv": "eine Zeile für jeden Ort einer Stelle, die mehrere Dokumente haben", "about-pairs.csv": "eine Zeile für jedes Paar von Stellen", "about-left_out.csv": "was weggelassen wurde, mit dem Grund",
    "about-removed.csv": "Texte, die fast gleich wie ein anderer sind", "about-removed_passages.csv": "welche Stelle welche wiederholt", "about-units.csv": "beide Texte nebeneinander nach Vers, Zeile oder Satz, auch was nur einer hat; für Tabellen", "about-align.csv": "eine Zeile für jedes Paar von Stellen",
    "about-align.jsonl": "dasselbe als JSON-Zeilen, wie ibidem align sie schreibt", "about-apparatus.xml": "beide Texte als eine TEI-Datei, mit einem Apparat aller Varianten", 
    "about-kept.zip": "die behaltenen Texte, als JSON-Zeilen", "about-reuse.zip": "alle Tabellen, wie ibidem reuse sie schreibt", "one-case": "Ein Fall",
    "about-one-case": "Um ein Paar zu zeigen, öffnen Sie es und wählen Drucken: beide Stellen, die Zahlen, was weggelassen wurde, die Einstellungen und Ihre Notiz stehen auf der Seite.", "all-projects": "Alle Projekte", "not-shown": "Das lässt sich nicht zeigen", "choose-source": "Quellen wählen",
    "choose-template": "Vorlagen wählen", "nothing-brought": "Hier sind keine Dateien. Wählen Sie Dateien, oder einen Ordner, der welche hat.", "more-problems": "{n} weitere Datei wurde nicht hinzugefügt.|{n} weitere Dateien wurden nicht hinzugefügt.",
    "about-left-out-files": "Die nicht gelesenen stehen oben in der Tabelle, jede mit ihrem Grund. Die anderen werden ohne sie verglichen. Was beschädigt oder geschützt ist, lässt sich oft in seinem Programm öffnen und neu sichern, ohne Kennwort oder als PDF.", "bring-first": "Fügen Sie zuerst Dateien hinzu.",
    "no-text": "Keine der gelesenen Dateien ist ein Text. Fügen Sie eine hinzu, oder geben Sie einigen die Rolle „Texte“.", "needs-two": "Dafür braucht es zwei Texte. Fügen Sie einen weiteren hinzu.", "one-text": "Das ist der einzige Text. Fügen Sie andere oder Quellen hinzu, mit denen er verglichen wird.",
    "shown-of": "{n} von {all} wird gezeigt.|{n} von {all} werden gezeigt.", "about-shares": "Wo zwei Zahlen stehen, gehört die erste zum ersten Dokument und die zweite zum zweiten. Prozente beziehen sich auf alle Wörter eines Dokuments. Paare mit langen gemeinsamen Stellen und seltenen Wörtern stehen oben.",
    "mark-saved": "Ihr Vermerk und Ihre Notiz sind gespeichert.", "similarity-of-one": "Ähnlichkeit {similarity} (1 ist dasselbe)", "about-clusters": "Jede Gruppe ist eine Stelle, die mehrere Dokumente haben. Geöffnet zeigt sie die Wörter in jedem von ihnen, neben der Stelle, die den anderen am ähnlichsten ist.",
    "first-clusters": "Die ersten {n} werden gezeigt.|Die ersten {n} werden gezeigt.", "about-pictures": "Je kräftiger die Farbe eines Feldes, desto mehr haben zwei Dokumente gemeinsam. Ein Klick öffnet das Paar; die Liste unter Paare hat alle.", "first-left-out": "{n} von {all} sind hier aufgeführt.",
    searching: "Wird gesucht …", "about-key": "Der Schlüssel sagt, welches Dokument welche Nummer hat. Nur für die, die die Namen sehen dürfen.", "about-other-programs": "Diese Dateien zeigen Namen und Texte, wie sie sind.", "left-out": "Weggelassen", "reason-phrase": "feste Wendung",
    "about-reason-phrase": "eine der Wendungen, die überall weggelassen werden.", "mark-to discuss": "zu besprechen", "kind-any": "alle Arten", "filter-kind": "Art", "kind-similar": "ähnlich", "kind-summary": "eine Zusammenfassung: eine Stelle fasst die andere zusammen", "kind-leak": "Leck",
    "kind-source": "aus der Quelle: nur die Stelle, ohne die Frage", "kind-template": "Vorlage: andere Zahlen", "kind-template of many items": "Vorlage vieler Aufgaben", "kind-template of many documents": "Vorlage vieler Dokumente", "kind-boilerplate": "von vielen geteilt: eine Wendung vieler Dokumente",
    "kind-boilerplate within a source": "von vielen Dokumenten einer Quelle geteilt", "kind-boilerplate across sources": "von Dokumenten vieler Quellen geteilt", "kind-similar item": "eine andere Aufgabe erklärt diese Stelle besser", "kind-partial": "ein Teil: weniger als der kleinste Anteil", "kind-chance": "nicht mehr, als der Zufall gibt",
    "column-first-copy": "Nicht behalten", "column-second-copy": "Stattdessen behalten", "column-quoted": "Zitiert", "about-column-quoted": "Wörter in Anführungszeichen, die das andere Dokument auch hat: des ersten und des zweiten",
    "weak-pairs": "Die Paare unter dieser Zeile haben außerhalb von Anführungszeichen keine fünf Wörter hintereinander gemeinsam und keine Stelle von zwanzig Wörtern, in der nur wenige anders sind. Texte zum selben Thema sind sich oft so ähnlich.", "weak-pair": "Die beiden haben außerhalb von Anführungszeichen keine fünf Wörter hintereinander gemeinsam und keine Stelle von zwanzig Wörtern, in der nur wenige verändert sind. Texte über ein Thema gleichen sich oft so weit.",
    counted: "{name}: {n} von {words} Wörtern ({share}) stehen auch in {other}, fünf oder mehr hintereinander", "counted-changed": "{n} weiteres verändert oder in kürzeren Folgen|{n} weitere verändert oder in kürzeren Folgen",
    "counted-quoted": "{n} weiteres in Anführungszeichen|{n} weitere in Anführungszeichen", "counted-absent": "{n} ist aus einer Vorlage oder steht in den meisten Dokumenten und wurde weggelassen|{n} sind aus einer Vorlage oder stehen in den meisten Dokumenten und wurden weggelassen", basis: "Worauf das beruht", meaning: "Was die Zahlen nicht sagen", "meaning-source": "Woher Wörter kommen: Zwei Texte gleichen sich auch, wenn beide einen dritten zitieren oder demselben Buch, Unterricht oder Muster folgen.",
    "meaning-chance": "Ob jemand sie übernommen hat: Auch feste Wendungen, Titel, eine gemeinsame Aufgabe, die Übersetzung eines Textes und der Zufall machen Texte gleich.", "meaning-order": "Wer zuerst geschrieben hat, oder warum Texte gleich sind. Lesen Sie die Stellen, und fragen Sie die, die sie geschrieben haben.",
    "not-read-files": "{n} Datei wurde nicht gelesen|{n} Dateien wurden nicht gelesen", "all-read": "Alle Dateien wurden gelesen", "not-read-unknown": "Ob alle Dateien gelesen wurden, ist hier nicht bekannt", "group-of": "eine Gruppe von {n} Dokument|eine Gruppe von {n} Dokumenten", "in-others": "auch in {n} weiteren Dokument|auch in {n} weiteren Dokumenten", key: "Taste {key}", "document-number": "Dokument {n}", "report-title": "Gleiche Stellen",
    "report-footer": "Gemacht mit ibidem {version}. Diese Datei enthält alles, was sie zeigt, und sendet nichts.",
    "report-more-pairs": "{n} weiteres Paar von Stellen hatte keinen Platz in dieser Datei.|{n} weitere Paare von Stellen hatten keinen Platz in dieser Datei.",
    "report-more-clusters": "{n} weitere Stelle mehrerer Dokumente hatte keinen Platz in dieser Datei.|{n} weitere Stellen mehrerer Dokumente hatten keinen Platz in dieser Datei.",
    "report-anonymous": "Statt der Namen haben die Dokumente Nummern.", "report-textless": "Die Texte der Stellen sind nicht enthalten.", "more-of-pair": "Mehr",
    "scroll-together": "gemeinsam scrollen", "dot-plot": "Punktbild", "about-dot-plot": "Von links nach rechts die erste Stelle, von oben nach unten die zweite. Ein Klick führt dorthin.", "dot-plot-label": "Punktbild: von links nach rechts die erste Stelle, von oben nach unten die zweite; ein Klick führt dorthin",
    "passage-of": "Stelle aus {title}", "text-of": "Text von {title}", "text-left-out": "Der Text ist nicht enthalten ({n} Zeichen).", "text-unknown": "Der Text dieses Dokuments ist hier nicht bekannt.", line: "Zeile {first}", lines: "Zeilen {first} bis {last}", "characters-from": "Zeichen {start} bis {end}",
    "characters-of": "Zeichen {start} bis {end} von {length}", marks: "Markierungen", "run-equal": "dieselben Wörter", "run-moved": "dieselben Wörter, verschoben", "run-changed": "veränderte Wörter", "run-alone": "Wörter, die nur eine der beiden hat", why: "Die Wörter, die nur einer hat",
    "only-first": "Nur oder öfter in der ersten", "only-second": "Nur oder öfter in der zweiten", "pair-label": "{a} und {b}: {share}",
    "matrix-label": "Matrix von {n} Dokumenten: ein gefülltes Feld für zwei, die eine Stelle gemeinsam haben", "timeline-label": "Zeitleiste von {n} Dokumenten", "most-central": "die den anderen ähnlichste",
    "search-text": "Eine Stelle oder ein ganzes Dokument (einfügen, oder eine Datei hier ablegen)", "search-file": "Oder eine Datei wählen", "search-index": "Verzeichnis", "search-job": "Finden", "job-search": "wo diese Stelle vorkommt", "job-align": "was dieses Dokument mit anderen teilt",
    "job-contamination": "Testaufgaben in diesem Dokument", find: "Finden",
    "find-passages": "Gleiche Stellen finden", "least-share-of-item": "Anteil einer Aufgabe mindestens ", "none-similar": "Keine Stelle ist so ähnlich.", "find-parts": "Nach Teilen davon suchen", "more-matches": "Mehr", "n-leaks": "{n} Leck|{n} Lecks", "no-leak": "Kein Leck.",
    "no-leaks": "{n} Stelle ist kein Leck.|{n} Stellen sind kein Leck.", "n-items": "{n} Testaufgabe wird gesucht.|{n} Testaufgaben werden gesucht.", "answer-beside": "eine Antwort steht dabei", "answer-correct": "(die richtige)", "answer-wrong": "(keine richtige)", "share-of-part": "{share} von {part}",
    "your-text": "Ihr Text", "side-by-side": "Nebeneinander", "n-characters": "{n} Zeichen|{n} Zeichen", "file-too-large": "{name} ist zu groß.", "file-no-text": "{name} ist kein reiner Text.",
    views: "Ansichten", "parts-of-document": "Teile des Dokuments", earlier: "Davor", later: "Danach", "find-elsewhere": "Finden, wo das noch vorkommt", token: "Zugangswort",
    "to-begin": "Zurück zum Anfang", "service-footer": "ibidem. Diese Seite fragt nur diesen Server.",
  },
};

/** What the server says of files and answers, by its beginning, in the words of the page where it has some; `{}` is what is put in. */
const SAID = {
  en: {
    "the default settings: no word has two spellings that a name covers": "no word of these texts has several spellings",
  },
  de: {
    "the file is empty": "die Datei ist leer",
    "there are no files in it": "es sind keine Dateien darin",
    "cut off or damaged behind {}: the files after it are lost": "hinter {} abgeschnitten oder beschädigt: die Dateien danach fehlen",
    "damaged: a header that cannot be read": "beschädigt: ein Kopf ist nicht zu lesen",
    "damaged or incomplete {} file ({})": "beschädigte oder unvollständige {}-Datei ({})",
    "no text in {}: needs OCR": "kein Text in {}: muss erst erkannt werden (OCR)",
    "protected by a password (save it without one), not text": "durch ein Kennwort geschützt: bitte ohne Kennwort sichern",
    "an Apple file (export it as .docx or PDF), not text": "eine Apple-Datei: bitte als .docx oder PDF exportieren",
    "a spreadsheet (save it as .csv), not text": "eine Tabelle: bitte als .csv sichern",
    "slides (save them as PDF), not text": "Folien: bitte als PDF sichern",
    "a picture, not text": "ein Bild, kein Text",
    "sound or video, not text": "Ton oder Film, kein Text",
    "a program, not text": "ein Programm, kein Text",
    "a database, not text": "eine Datenbank, kein Text",
    "a font, not text": "eine Schrift, kein Text",
    "a lock file, not text": "eine Sperrdatei, kein Text",
    "an old Office file (save it as .docx), not text": "eine alte Office-Datei: als .docx sichern",
    "an archive of a kind that is not read (unpack it), not text": "ein Archiv einer Art, die nicht gelesen wird: bitte auspacken",
    "no text, but binary data": "kein Text, sondern binäre Daten",
    "no text in it: needs OCR": "kein Text darin: braucht Texterkennung",
    "no text in {} page: needs OCR": "kein Text auf {} Seite: braucht Texterkennung",
    "no text in {} pages: needs OCR": "kein Text auf {} Seiten: braucht Texterkennung",
    "no text: a TEI file with nothing but a header or page images": "kein Text: eine TEI-Datei, die nur einen Kopf oder Bilder von Seiten hat",
    "there are no words in it": "es stehen keine Wörter darin",
    "reading it takes more than {} s": "sie zu lesen, dauert länger als {} s",
    "reading it takes more memory than a file may take": "sie zu lesen, braucht mehr Speicher, als eine Datei haben darf",
    "reading it ended its process: damaged, or it takes more memory than a file may take": "beschädigt, oder sie braucht mehr Speicher, als eine Datei haben darf",
    "damaged, or it takes more memory than a file may take": "beschädigt, oder sie braucht mehr Speicher, als eine Datei haben darf",
    "damaged zip file ({})": "die Zip-Datei ist beschädigt",
    "damaged tar file ({})": "die Tar-Datei ist beschädigt",
    "damaged PDF ({})": "die PDF-Datei ist beschädigt",
    "damaged in the zip file ({})": "in der Zip-Datei beschädigt",
    "damaged or of an unknown kind ({})": "beschädigt oder von unbekannter Art",
    "it nests too deeply": "zu tief verschachtelt",
    "refused as a zip bomb": "abgelehnt, da sehr stark gepackt",
    "{} bytes are packed into {}: refused as a tar bomb": "{} Bytes in {} gepackt: abgelehnt",
    "its files have {} bytes, and {} are the most": "ihre Dateien haben {} Bytes, höchstens {} sind möglich",
    "archives lie in archives more than {} deep": "Archive liegen mehr als {} tief ineinander",
    "more than {} bytes; allow longer ones (--max-line)": "mehr als {} Bytes",
    "damaged .docx ({})": "die Word-Datei ist beschädigt",
    "damaged RTF ({})": "die RTF-Datei ist beschädigt",
    "damaged .epub: it names no package": "das E-Book ist beschädigt",
    "the PDF needs a password": "die PDF-Datei verlangt ein Kennwort",
    "the book is protected against copying": "das Buch ist gegen Kopieren geschützt",
    "cannot be unpacked ({})": "lässt sich nicht auspacken",
    "{} bytes are packed into {}: refused as a zip bomb": "{} Bytes in {} gepackt: abgelehnt",
    "{}: refused as a zip bomb": "{}: abgelehnt, da sehr stark gepackt",
    "{} is missing from it": "{} fehlt darin",
    "more than {} files in one archive; unpack it": "mehr als {} Dateien in einem Archiv; bitte auspacken",
    "no WARC records in it": "keine WARC-Einträge darin",
    "a document of more than {} bytes; allow longer ones (--max-line)": "ein Dokument von mehr als {} Bytes",
    "a table of more than {} bytes": "eine Tabelle von mehr als {} Bytes",
    "there is no encoding {}; name one": "es gibt keine Kodierung {}; nennen Sie eine wie cp1252",
    "line {}, byte {}: not in {}; convert it to UTF-8": "Zeile {}, Byte {}: nicht in {}; bitte in UTF-8 umwandeln",
    "the encoding cannot be found out; convert it to UTF-8": "die Kodierung ließ sich nicht finden; bitte in UTF-8 umwandeln",
    "no RTF: it does not begin with": "kein RTF",
    "no OpenITI text: the line #META#Header#End# is missing": "kein OpenITI-Text: die Zeile #META#Header#End# fehlt",
    "no well-formed XML ({})": "kein wohlgeformtes XML ({})",
    "it holds {} files, and a project has {} at most": "sie hat {} Dateien, und ein Projekt höchstens {}",
    "{} bytes; allow longer ones (--max-line)": "{} Bytes",
    "a file has {} bytes at most": "eine Datei hat höchstens {} Bytes",
    "a project has {} files at most": "ein Projekt hat höchstens {} Dateien",
    "it was removed meanwhile": "das wurde inzwischen entfernt",
    "the project was removed meanwhile": "das Projekt wurde inzwischen entfernt",
    "there is no such project": "dieses Projekt gibt es nicht",
    "there is no such file": "diese Datei gibt es nicht",
    "there is no such run": "diese Antwort gibt es nicht",
    "there is no answer yet": "es ist noch keine Antwort da",
    "this answer has no such file": "diese Antwort hat keine solche Datei",
    "there is no report of this answer": "von dieser Antwort gibt es keinen Bericht",
    "another process answers this question": "ein anderer Prozess beantwortet diese Frage",
    "there is no text to ask about": "es ist kein Text da, den man befragen könnte: Dateien hinzufügen, oder einigen die Rolle von Texten geben",
    "no file is a source": "keine Datei ist eine Quelle: einigen Dateien diese Rolle geben, oder alle Texte vergleichen",
    "two texts are compared word by word, and {} were chosen": "zwei Texte werden Wort für Wort verglichen, und {} wurden gewählt",
    "there is not enough memory": "der Speicher reicht nicht: nach weniger Dateien fragen, oder ibidem app mit mehr --memory starten",
    "the answer could not be written: {}": "die Antwort konnte nicht geschrieben werden: {}",
    "an error of ibidem; the log of the run has more": "ein Fehler von ibidem; das Protokoll der Antwort sagt mehr",
    "it took longer than a question may take": "es hat länger gedauert, als eine Frage dauern darf",
    "its process was ended ({})": "der Prozess wurde beendet ({}): vielleicht reichte der Speicher nicht",
    "its process ended without an answer; the log has more": "der Prozess endete ohne Antwort; das Protokoll sagt mehr",
    "this is no setting of {}: {}": "das ist keine Einstellung von {}: {}",
    "start ibidem again, or open the address that ibidem app has printed: it has the secret": "bitte ibidem noch einmal starten, oder die Adresse öffnen, die ibidem app ausgegeben hat: in ihr steht das Geheimnis",
    "this is not the secret of this server": "das ist nicht das Geheimnis dieses Servers: bitte die Adresse öffnen, die er ausgegeben hat",
    "the file did not come to its end": "die Datei kam nicht bis zu ihrem Ende an",
    "{}: {} of the words have another spelling, such as {} beside {}": "{}: {} der Wörter haben eine andere Schreibung, etwa {} neben {}",
    "latin: {} of the words are spelled as in old prints, such as {}": "latin: {} der Wörter sind wie in alten Drucken geschrieben, etwa {}",
    "hyphens: {} of the lines end inside of a word": "hyphens: {} der Zeilen enden mitten in einem Wort",
    "noisy: {} of the words have digits between letters": "noisy: {} der Wörter haben Ziffern zwischen Buchstaben",
    "the default settings: no word has two spellings that a name covers": "die Voreinstellungen: kein Wort hat zwei Schreibungen, für die es eine Einstellung gibt",
  },
};

let chosen = null; // by a person or a report; else the browser's

/** The language of the page. */
export function language() {
  chosen ??= localStorage.getItem("language") ?? (navigator.language.startsWith("de") ? "de" : "en");
  return chosen in WORDS ? chosen : "en";
}

/** Set the language, for this page alone. */
export function setLanguage(code) {
  chosen = code;
}

/** Set the language, for the next time, too. */
export function chooseLanguage(code) {
  setLanguage(code);
  localStorage.setItem("language", code);
}

/** A whole number. */
export const number = (value) => value.toLocaleString(language());

const fixed = (value, digits) => value.toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const percent = (value) => `${fixed(100 * value, value > 0.995 && value < 1 ? 1 : 0)} %`;

export const decimal = (value) => (value === null || value === undefined ? "–" : fixed(value, 3));

/** Seconds since 1970 as a date and a time of day here, in the form that dates of documents have. */
export const formatTime = (seconds) => new Date(1000 * (seconds - 60 * new Date(1000 * seconds).getTimezoneOffset())).toISOString().slice(0, 16).replace("T", " ");

/** The words of a name; of some that lack in a language, the English ones. */
function wordsOf(name, values) {
  const [one, many] = (WORDS[language()][name] ?? WORDS.en[name] ?? name.replace(/^(kind|reason|set|choice)-/, "")).split("|");
  return many === undefined || values.n === 1 ? one : many;
}

const put = (value) => (typeof value === "number" ? number(value) : value);

/** The words of a name, with values put in. */
export function say(name, values = {}) {
  return wordsOf(name, values).replace(/\{(\w+)\}/g, (_, key) => put(values[key]));
}

/** The words of a name as a list in which elements are among the values. */
export function sayParts(name, values) {
  return wordsOf(name, values).split(/\{(\w+)\}/).map((part, at) => (at % 2 ? put(values[part]) : part));
}

/** What the server said, in the language of the page where it is known. */
export function explain(message) {
  for (const [pattern, words] of PATTERNS.get(language()) ?? []) {
    const found = pattern.exec(message);
    if (found) {
      let next = 1;
      return words.replaceAll("{}", () => found[next++]);
    }
  }
  const [, member, cause] = /^(.+?: )(.+)$/s.exec(message) ?? []; // of a file within another one
  return cause ? member + explain(cause) : message;
}

/** What matches the messages of a language; a value that ends one is all that follows. */
const PATTERNS = new Map(
  Object.entries(SAID).map(([code, said]) => [
    code,
    Object.entries(said).map(([english, words]) => [new RegExp(`^${english.split("{}").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(.+?)")}${english.endsWith("{}") ? "$" : ""}`, "s"), words]),
  ]),
);
