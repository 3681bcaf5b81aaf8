"""A bot of one's own: takes what it can, else goes on. `sandtable duel tactics --seat examples/bot.py:Bot ...`"""

import sandtable


class Bot:
    def choose(self, position, seat):
        actions = position.actions()
        captures = [action for action in actions if "x" in action]
        return captures[0] if captures else actions[-1] if seat == 0 else actions[min(1, len(actions) - 1)]


if __name__ == "__main__":
    print(sandtable.duel("tactics", Bot(), "random", games=40, seed=1, scenario="random"))
