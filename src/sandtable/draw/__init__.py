"""A scene as something to look at: `text` for a terminal, `svg` for a page, a notebook or a picture in the README.

Each picks by the board's geometry among small files; nothing here knows a game. Signs and colours lie in web/.
"""

from sandtable.draw.scene import Scene
from sandtable.draw.svg import svg
from sandtable.draw.text import text

__all__ = ["Scene", "svg", "text"]
