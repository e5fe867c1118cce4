"""The SQLite side of the chats: `app.conversations` is its only caller."""
