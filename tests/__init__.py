"""The tests, as one package: so that none is mistaken for a package of the same name that some library installs."""
