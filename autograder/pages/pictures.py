"""Decodes students' pictures and re-encodes them, as many as fit on one page."""

import base64
import io

from PIL import Image

PIXELS = 4_000_000  # of one picture
PICTURES, PAGE_PIXELS, PAGE_BYTES = 40, 16_000_000, 8 << 20  # of one page


class Pictures:
    """What one page may still show. A small file can be a large picture: blank pages compress well."""

    def __init__(self) -> None:
        self.pictures, self.pixels, self.bytes = PICTURES, PAGE_PIXELS, PAGE_BYTES

    def shown(self, data: str | None) -> str | None:
        """Return a student's PNG as a data URI; "" for anything else, None if the page has no room for it."""
        if not data:
            return ""
        if self.pictures <= 0:
            return None
        self.pictures -= 1
        try:
            with Image.open(io.BytesIO(base64.b64decode(data)), formats=["PNG"]) as image:
                size = image.width * image.height
                if size > PIXELS:
                    return ""
                return self.within_budget(image) if size <= self.pixels else None
        except Exception:  # a decoder can fail in many ways; the picture is then left out
            return ""

    def within_budget(self, image: Image.Image) -> str | None:
        """Return a picture's pixels as a new PNG, if its bytes fit."""
        self.pixels -= image.width * image.height
        clean = io.BytesIO()
        Image.frombytes("RGBA", image.size, image.convert("RGBA").tobytes()).save(clean, "PNG")
        uri = "data:image/png;base64," + base64.b64encode(clean.getvalue()).decode()
        if len(uri) > self.bytes:
            return None
        self.bytes -= len(uri)
        return uri
