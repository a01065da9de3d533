"""From text to tokens: batches of texts, and the tokenizers that turn them into numbers."""

from ibidem.text.batches import Texts, Tokenizer, Tokens
from ibidem.text.collection import Collection, as_batches, as_documents, cut_batches
from ibidem.text.documents import Document, Documents
from ibidem.text.registry import Normalize, TokenizerSpec, keep_tokenizer, make_tokenizer, restore_tokenizer

__all__ = [
    "Collection",
    "Document",
    "Documents",
    "Normalize",
    "Texts",
    "Tokenizer",
    "TokenizerSpec",
    "Tokens",
    "as_batches",
    "as_documents",
    "cut_batches",
    "keep_tokenizer",
    "make_tokenizer",
    "restore_tokenizer",
]
