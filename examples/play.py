"""A whole game between two machines, told in sentences."""

import sandtable

game = sandtable.game("tactics")
position = game.deal("brief", seed=3)
players = [sandtable.player("greedy", seed=1), sandtable.player("random", seed=2)]

while not position.outcome:
    seat = position.to_act[0]
    for event in position.play(players[seat].choose(position.seen(seat), seat), seat):
        print(event)

print(position)
print(position.outcome.sentence)
