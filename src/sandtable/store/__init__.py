"""Where matches are kept: one small interface, and SQLite behind it."""
