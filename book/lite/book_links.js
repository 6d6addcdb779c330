// While the book has no address, a notebook's links lead to `_build/html`. From here, that is two folders up.
for (const kind of ["click", "auxclick"])
  document.addEventListener(
    kind,
    (event) => {
      const link = event.target.closest?.('a[href*="/files/_build/html/"]');
      if (!link) return;
      link.href = new URL(`../../${link.href.split("/files/_build/html/")[1]}`, location);
      event.stopPropagation(); // JupyterLab would look for a file of that name among the notebooks
    },
    true,
  );
