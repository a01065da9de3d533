"""From text to tokens: batches of texts, and the tokenizers that turn them into numbers."""

from ibidem.text.batches import Document, Documents, Texts, Tokens
from ibidem.text.registry import Tokenizer, tokenizer

__all__ = ["Document", "Documents", "Texts", "Tokenizer", "Tokens", "tokenizer"]
