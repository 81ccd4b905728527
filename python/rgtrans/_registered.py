"""Games of rgtrans as Python games of an installed OpenSpiel."""

from __future__ import annotations

from typing import Any, List


def register_with(pyspiel: Any, name: str, wrapped: Any, observation: Any) -> None:
    """Makes a SpielGame known to this module of OpenSpiel; ``observation`` is the class of its observers."""
    hidden = wrapped.game.has_hidden_information
    kind = pyspiel.GameType
    game_type = kind(
        short_name=name,
        long_name=wrapped.game.name,
        dynamics=kind.Dynamics.SIMULTANEOUS if wrapped.simultaneous else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if wrapped.game.has_chance else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION if hidden else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=wrapped.num_players(),
        min_num_players=wrapped.num_players(),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    game_info = pyspiel.GameInfo(
        num_distinct_actions=wrapped.num_distinct_actions(),
        max_chance_outcomes=wrapped.max_chance_outcomes() if wrapped.game.has_chance else 0,
        num_players=wrapped.num_players(),
        min_utility=wrapped.min_utility(),
        max_utility=wrapped.max_utility(),
        max_game_length=wrapped.max_game_length(),
    )

    class RegisteredState(pyspiel.State):  # type: ignore[misc]
        """OpenSpiel's Python games implement the methods with an underscore; C++ calls them."""

        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.inner = wrapped.new_initial_state()

        def current_player(self) -> Any:
            return self.inner.current_player()

        def _legal_actions(self, player: int) -> Any:
            return self.inner.legal_actions(player)

        def chance_outcomes(self) -> Any:
            return self.inner.chance_outcomes()

        def _apply_action(self, action: int) -> None:
            self.inner.apply_action(action)

        def _apply_actions(self, actions: List[int]) -> None:
            self.inner.apply_actions(actions)

        def _action_to_string(self, player: int, action: int) -> Any:
            return self.inner.action_to_string(player, action)

        def is_terminal(self) -> Any:
            return self.inner.is_terminal()

        def returns(self) -> Any:
            return self.inner.returns()

        def observation_string(self, player: int) -> Any:
            return self.inner.observation_string(player)

        def information_state_string(self, player: int) -> Any:
            return self.inner.information_state_string(player)

        def __str__(self) -> str:
            return str(self.inner)

    class RegisteredObserver(observation):  # type: ignore[misc]
        """What C++ calls for tensors of states, and for the texts of observations."""

        def set_from(self, state: Any, player: int) -> None:
            super().set_from(state.inner, player)

        def string_from(self, state: Any, player: int) -> str:
            return str(super().string_from(state.inner, player))

    class RegisteredGame(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: Any = None) -> None:
            super().__init__(game_type, game_info, params or {})

        def new_initial_state(self) -> Any:
            return RegisteredState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return RegisteredObserver(wrapped)

    pyspiel.register_game(game_type, RegisteredGame)
