// The words of a report in other languages, by the English ones in its modules. `{name}` is a value that is put in.

import { speak } from "./dom.js";

const PHRASES = {
  de: {
    "scroll together": "gemeinsam blättern", "Dot plot": "Punktbild",
    "Left to right: the first passage. Top to bottom: the second. Click to go there.": "Von links nach rechts die erste Stelle, von oben nach unten die zweite. Ein Klick führt dorthin.",
    "Dot plot: the first passage from left to right, the second from top to bottom; click to go there": "Punktbild: von links nach rechts die erste Stelle, von oben nach unten die zweite; ein Klick führt dorthin",
    "1 of {words} words is word for word one of |": "1 von {words} Wörtern steht wörtlich auch in |", ", 1 more is changed": ", 1 weiteres verändert",
    "{same} of {words} words are word for word those of |": "{same} von {words} Wörtern stehen wörtlich auch in |", ", {changed} more are changed": ", {changed} weitere verändert",
    "passage of {title}": "Stelle aus {title}", "text of {title}": "Text von {title}", "Of the whole document, ": "Vom ganzen Dokument: ",
    "The text was left out ({characters}).": "Der Text wurde weggelassen ({characters}).", "The text of this document is not known here.": "Der Text dieses Dokuments ist hier nicht bekannt.",
    "line {first}": "Zeile {first}", "lines {first} to {last}": "Zeilen {first} bis {last}", "characters {start} to {end}": "Zeichen {start} bis {end}",
    "{pairs} from {from} to {to}": "{pairs} von {from} bis {to}", "Histogram of similarities: {counted}": "Verteilung der Ähnlichkeiten: {counted}", "{size} from {from}": "{size} ab {from}", pair: "Paar", pairs: "Paare",
    "{a} and {b}: {similarity}": "{a} und {b}: {similarity}", "Matrix of {documents}: a filled cell for two documents that share a passage": "Matrix ({documents}): ein gefülltes Feld für zwei, die eine Stelle gemeinsam haben",
    "Network of {documents}: a line for two documents that share a passage": "Netz ({documents}): eine Linie für zwei, die eine Stelle gemeinsam haben", "Time line of {documents}": "Zeitleiste ({documents})",
    "likely from {name}": "wohl aus {name}", "the most central": "die mittlere", "The text is not in this report.": "Der Text ist nicht in diesem Bericht.", "Marked: {mark}": "Vermerk: {mark}", "with a note": "mit einer Notiz",
    character: "Zeichen", characters: "Zeichen", passage: "Stelle", passages: "Stellen", document: "Dokument", documents: "Dokumente",
    Marks: "Markierungen", "the same words": "dieselben Wörter", "the same words, moved": "dieselben Wörter, verschoben", "changed words": "veränderte Wörter", "words that only the first has": "Wörter, die nur die erste hat", "words that only the second has": "Wörter, die nur die zweite hat",
    "{ab} of the weight of the first passage is in the second, {ba} the other way. ": "{ab} des Gewichts der ersten Stelle stehen in der zweiten, umgekehrt {ba}. ",
    "They share a weight of {shared}; words drawn by chance would share {expected}": "Gemeinsam ist ihnen ein Gewicht von {shared}; zufällig gezogenen Wörtern wäre {expected} gemeinsam", " ({deviations} standard deviations less).": " ({deviations} Standardabweichungen weniger).",
    "Why they match": "Warum sie sich gleichen", "Shared words that weigh most": "Gemeinsame Wörter mit dem größten Gewicht", "Only, or more often, in the first": "Nur oder öfter in der ersten", "Only, or more often, in the second": "Nur oder öfter in der zweiten", "weight {weight}": "Gewicht {weight}",
    "Matching passages": "Gleiche Stellen",
    "Made by ibidem {version}. This file holds all that it shows and sends nothing.": "Gemacht mit ibidem {version}. Diese Datei enthält alles, was sie zeigt, und sendet nichts.",
    "{n} more is in {rest}: the most important are shown here.": "{n} weiteres steht in {rest}: die wichtigsten werden hier gezeigt.", "{n} more are in {rest}: the most important are shown here.": "{n} weitere stehen in {rest}: die wichtigsten werden hier gezeigt.",
    "{n} pair is left out ({reasons}): see left_out in {rest}.": "{n} Paar wurde weggelassen ({reasons}): siehe left_out in {rest}.", "{n} pairs are left out ({reasons}): see left_out in {rest}.": "{n} Paare wurden weggelassen ({reasons}): siehe left_out in {rest}.",
    "{n} more cluster is in {rest}.": "{n} weitere Gruppe steht in {rest}.", "{n} more clusters are in {rest}.": "{n} weitere Gruppen stehen in {rest}.",
    "{n} pair is shown without the texts, for which there was no room.": "{n} Paar wird ohne die Texte gezeigt, für die kein Platz war.", "{n} pairs are shown without the texts, for which there was no room.": "{n} Paare werden ohne die Texte gezeigt, für die kein Platz war.",
    "Documents have numbers in the place of names.": "Statt der Namen haben die Dokumente Nummern.", "The texts of the passages were left out.": "Die Texte der Stellen wurden weggelassen.", "Document {number}": "Dokument {number}",
    "the results": "den Ergebnissen", "the file of results": "der Datei der Ergebnisse",
    "{pairs} of passages in {documents}": "{pairs} von Stellen ({documents})", "{shown} of {all} pairs of passages in {documents}": "{shown} von {all} Paaren von Stellen ({documents})",
    Similarity: "Ähnlichkeit", "First document": "Erstes Dokument", "Second document": "Zweites Dokument", Characters: "Zeichen", "Begins at": "Beginnt bei",
    "Least similarity": "Ähnlichkeit mindestens", Documents: "Dokumente", "name of a document": "Name eines Dokuments", Kind: "Art", "all kinds": "alle Arten",
    Pairs: "Paare", Clusters: "Gruppen", "table of pairs": "Tabelle der Paare", "No pair is left: lower the least similarity, or clear the name.": "Kein Paar ist übrig: die Ähnlichkeit senken oder den Namen löschen.",
    "Documents that share passages": "Dokumente mit gemeinsamen Stellen", "Documents that share passages, the {shown} of {all} with most pairs": "Dokumente mit gemeinsamen Stellen, die {shown} von {all} mit den meisten Paaren", "Time line": "Zeitleiste",
    "Pairs of documents": "Paare von Dokumenten", Document: "Dokument", "Word for word": "Wörtlich", "Word for word or changed": "Wörtlich oder geändert", "In words": "In Worten",
    "Words that the other document has, those of most evidence first. Words of passages that are only similar are in no share.": "Wörter, die das andere Dokument auch hat, die sichersten Paare zuerst. Wörter von Stellen, die nur ähnlich sind, zählen in keinem Anteil.", "The first {shown} of {all} are shown.": "Die ersten {shown} von {all} werden gezeigt.",
    "Previous page": "Vorige Seite", "Next page": "Nächste Seite", "page {page} of {pages}": "Seite {page} von {pages}",
    "Passages that hold one text, those first that most documents have. The weakest link of a cluster is the least similarity that holds it together: if only more similar passages counted as one text, the cluster would fall into two.": "Stellen, die einen Text enthalten, zuerst die der meisten Dokumente. Das schwächste Glied einer Gruppe ist die kleinste Ähnlichkeit, die sie zusammenhält: zählten nur ähnlichere Stellen als ein Text, zerfiele die Gruppe in zwei.",
    "Documents that pairs of the least similarity or more join, of which the least similar is the weakest link. Those of three documents or more are shown.": "Dokumente, die Paare von der gewählten Ähnlichkeit an verbinden; das unähnlichste davon ist das schwächste Glied. Gezeigt werden Gruppen von drei Dokumenten oder mehr.",
    cluster: "Gruppe", clusters: "Gruppen", "{clusters}, the largest {shown} shown.": "{clusters}, die größten {shown} werden gezeigt.", "weakest link {similarity}": "schwächstes Glied {similarity}",
    "boilerplate: {reason}": "Textbaustein: {reason}", "witnesses of cluster {rank}": "Zeugen der Gruppe {rank}", "Also in {names}": "Auch in {names}",
    "All pairs": "Alle Paare", Previous: "Voriges", Next: "Nächstes", "key {key}": "Taste {key}", "{place} of {all}": "{place} von {all}", and: "und", similarity: "Ähnlichkeit",
    "a summary: one passage sums the other up": "eine Zusammenfassung: eine Stelle fasst die andere zusammen", "{share} of the summary is in the other": "{share} der Zusammenfassung stehen in der anderen",
    similar: "ähnlich", summary: "Zusammenfassung", leak: "Leck", source: "aus der Quelle", template: "Vorlage", "template of many items": "Vorlage vieler Aufgaben", "template of many documents": "Vorlage vieler Dokumente", boilerplate: "Textbaustein", "boilerplate within a source": "Textbaustein einer Quelle", "boilerplate across sources": "Textbaustein mehrerer Quellen", "similar item": "ähnliche Aufgabe", partial: "ein Teil", "looked at": "angesehen", "no reuse": "keine Übernahme", quotation: "Zitat",
    frequent: "von vielen geteilt", ignored: "in einer Vorlage", series: "zwei aus einer Reihe", trivial: "kaum Wörter", crowded: "an zu vielen Stellen", chance: "Zufall",
  },
};

/** Say every phrase in a language; those that it lacks, in English. */
export function speakLanguage(language) {
  speak((words) => PHRASES[language]?.[words] ?? words, language);
}
