"""The commands, one module each: its arguments, and what runs it. None holds logic.

Each loads what it needs when it runs, so that the first line of every command comes at once.
"""
