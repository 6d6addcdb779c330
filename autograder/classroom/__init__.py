"""The class: its files, roster, deadlines and rules."""
