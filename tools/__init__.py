"""What ./play and ./test share: standard library only, because it runs before anything is installed."""
