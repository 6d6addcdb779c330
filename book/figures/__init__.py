"""What the pages draw: tables with words on their rows, and one module of figures a chapter."""
