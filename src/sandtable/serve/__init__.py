"""The server: tables in the browser, kept by store/, with machines in worker processes. It knows no game."""
