"""What is bound into the sandbox, and runs there beside student code: nobody trusts it.

``protocol`` and ``shared_arrays`` serve the host, too, which imports them as any other module.
"""
