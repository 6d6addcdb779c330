"""The exit codes of commands."""

EXIT_OK, EXIT_USE, EXIT_INFRASTRUCTURE, EXIT_WAITS = 0, 2, 3, 4
