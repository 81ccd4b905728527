"""The rules of line games once more, played directly on the board: slow, short, and independent of the HRG program."""

WIN, DRAW, LOSS = "win", "draw", "loss"
BACKWARD = {"white": ("southeast", "south", "southwest"), "black": ("northeast", "north", "northwest")}
FORWARD = {"white": BACKWARD["black"], "black": BACKWARD["white"]}


def other(player):
    return "black" if player == "white" else "white"


class Model:
    def __init__(self, game):
        self.rules = game.rule_values
        self.directions = game.directions
        self.next = {(p, d): game.neighbour(p, d) for p in game.points for d in game.directions}
        kings = game.kings
        self.start = {point: (owner, point in kings) for point, owner in game.pieces.items()}

    def perft(self, depth):
        return self._count(self._begin(dict(self.start), self.rules["first"], 0, 0), depth)

    def _count(self, state, depth):
        if depth == 0:
            return 1
        return sum(self._count(after, depth - 1) for after in self.moves(state).values())

    # A state is ("over", outcome of white), ("turn", board, me, stagnation, turns) or
    # ("on", board, me, stagnation, turns, point, piece) in the middle of a capture.

    def moves(self, state):
        """label -> state after it"""
        if state[0] == "over":
            return {}
        _, board, me, stagnation, turns = state[:5]
        result = {}
        if state[0] == "on":
            point, piece = state[5:]
            for label, at, after in self._jumps(board, me, point, piece):
                result[label] = self._jumped(after, me, turns, at, piece, stagnation)
            if self.rules["captures"] == "optional":
                result["PASS"] = self._end(board, me, 0, turns, point, piece)
            return result
        captures = self.rules["captures"]
        must = captures == "mandatory" and self._can_capture(board, me)
        for point, piece in list(board.items()):
            if piece[0] != me:
                continue
            lifted = {p: q for p, q in board.items() if p != point}
            if captures != "none":
                for label, at, after in self._sequences(lifted, me, point, piece):
                    result[f"{point} CAPTURE {label}"] = self._jumped(after, me, turns, at, piece, stagnation)
            if not must:
                for label, at in self._steps(lifted, point, piece):
                    result[f"{point} NORMAL {label}"] = self._end(lifted, me, stagnation + 1, turns, at, piece)
        return result

    def _jumped(self, board, me, turns, at, piece, stagnation):
        if self.rules["sequence"] == "stepwise" and any(self._jumps(board, me, at, piece)):
            return ("on", board, me, stagnation, turns, at, piece)
        return self._end(board, me, 0, turns, at, piece)

    def _sequences(self, board, me, point, piece):
        """Whole captures: (label, where it ends, board without the captured pieces)."""
        for label, at, after in self._jumps(board, me, point, piece):
            more = self.rules["sequence"] == "whole" and any(self._jumps(after, me, at, piece))
            if not more or self.rules["captures"] == "optional":
                yield label, at, after
            if more:
                for rest, end, last in self._sequences(after, me, at, piece):
                    yield f"{label} {rest}", end, last

    def _may(self, movement, piece, direction):
        if movement == "any" or piece[1]:
            return True
        if movement == "forward":
            return direction in FORWARD[piece[0]]
        return direction not in BACKWARD[piece[0]]

    def _flies(self, piece):
        return self.rules["flying"] == "all" or (self.rules["flying"] == "kings" and piece[1])

    def _landings(self, board, start, first, direction, piece):
        """The empty points from `first` on."""
        at = first
        while at is not None and at not in board:
            yield at
            at = self.next[at, direction]
            if not self._flies(piece) or at == start:
                return

    def _label(self, direction, at):
        return direction if self.rules["flying"] == "none" else f"{direction} {at}"

    def _steps(self, board, point, piece):
        for d in self.directions:
            if self._may(self.rules["steps"], piece, d):
                for at in self._landings(board, point, self.next[point, d], d, piece):
                    if at != point:
                        yield self._label(d, at), at

    def _jumps(self, board, me, point, piece):
        for d in self.directions:
            if not self._may(self.rules["jumps"], piece, d):
                continue
            over = self.next[point, d]
            while self._flies(piece) and over is not None and over not in board and over != point:
                over = self.next[over, d]
            if over is None or over not in board or board[over][0] == me:
                continue
            after = {p: q for p, q in board.items() if p != over}
            landing = self.next[over, d]
            if landing == over:
                continue
            for at in self._landings(after, point, landing, d, piece):
                yield self._label(d, at), at, after

    def _can_capture(self, board, me):
        return any(
            any(self._jumps_standing(board, me, point, piece)) for point, piece in board.items() if piece[0] == me
        )

    def _jumps_standing(self, board, me, point, piece):
        """Jumps of a piece that is still on its point (which matters on circles of two spokes only)."""
        for d in self.directions:
            if self._may(self.rules["jumps"], piece, d):
                over = self.next[point, d]
                while self._flies(piece) and over is not None and over not in board:
                    over = self.next[over, d]
                if over in board and board[over][0] == other(me):
                    landing = self.next[over, d]
                    if landing is not None and landing not in board:
                        yield landing

    def _can_move(self, board, me):
        if self.rules["captures"] == "optional" and self._can_capture(board, me):
            return True
        return any(any(self._steps(board, point, piece)) for point, piece in board.items() if piece[0] == me)

    def _end(self, board, me, stagnation, turns, at, piece):
        board = dict(board)
        if at in self.rules["promotion"][me]:
            piece = (me, True)
        board[at] = piece
        if at in self.rules["goals"][me]:
            return ("over", WIN if me == "white" else LOSS)
        if self.rules["captures"] != "none" and self._pieces(board, other(me)) < self.rules["min_pieces"]:
            return ("over", WIN if me == "white" else LOSS)
        return self._begin(board, other(me), stagnation, turns + 1)

    def _begin(self, board, me, stagnation, turns):
        mandatory = self.rules["captures"] == "mandatory" and self._can_capture(board, me)
        if not mandatory and not self._can_move(board, me):
            outcome = {"loss": LOSS, "draw": DRAW, "win": WIN}[self.rules["no_move"]]
            if me == "black" and outcome != DRAW:
                outcome = WIN if outcome == LOSS else LOSS
            return ("over", outcome)
        if stagnation == self.rules["stagnation"] or turns == self.rules["max_turns"]:
            lead = self._pieces(board, "white") - self._pieces(board, "black")
            if self.rules["on_limit"] == "draw" or lead == 0:
                return ("over", DRAW)
            return ("over", WIN if lead > 0 else LOSS)
        return ("turn", board, me, stagnation, turns)

    def _pieces(self, board, player):
        return sum(owner == player for owner, _ in board.values())
