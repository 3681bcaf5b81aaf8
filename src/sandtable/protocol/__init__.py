"""What a game is: records, slots, traits, books, words, scenes, positions, matches."""
