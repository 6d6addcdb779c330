"""The class as its teacher describes it."""
